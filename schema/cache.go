package schema

import (
	"encoding/json"
	"sync"
)

// cache keeps what schemas compiled to, broken ones too, by their text.
var cache struct {
	sync.Mutex
	schemas map[string]func() *compiled
}

// cached returns what a schema compiles to. Those who ask for one that is new at
// the same time wait for the one compilation. In a full cache it takes the place
// of another, whichever.
func cached(schema json.RawMessage) *compiled {
	if len(schema) > MaxSchemaBytes {
		return &compiled{err: broken("it is longer than %d bytes", MaxSchemaBytes)}
	}
	return lookUp(schema)()
}

func lookUp(schema json.RawMessage) func() *compiled {
	cache.Lock()
	defer cache.Unlock()
	if s := cache.schemas[string(schema)]; s != nil {
		return s
	}
	if cache.schemas == nil {
		cache.schemas = map[string]func() *compiled{}
	}
	if len(cache.schemas) >= CacheSize {
		for other := range cache.schemas {
			delete(cache.schemas, other)
			break
		}
	}
	text := string(schema) // the caller's bytes may change
	s := sync.OnceValue(func() *compiled { return compile([]byte(text)) })
	cache.schemas[text] = s
	return s
}
