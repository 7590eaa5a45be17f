package eino

import (
	"encoding/json"
	"maps"

	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
)

// kept is what stands under the [ExtraKey]. It is a type of its own, and JSON in
// every checkpoint, because those of eino's agents are gobs: gob takes no map inside
// an Extra unless the program registered maps, and no value of a type that nobody did.
type kept struct{ fields map[string]any }

func init() {
	schema.RegisterName[kept]("strata.eino.kept")
	compose.RegisterStreamChunkConcatFunc(func(chunks []kept) (kept, error) {
		fields := map[string]any{}
		for _, k := range chunks {
			maps.Copy(fields, k.fields)
		}
		return kept{fields}, nil
	})
}

// MarshalJSON returns the fields as JSON.
func (k kept) MarshalJSON() ([]byte, error) { return json.Marshal(jsonable(k.fields)) }

// UnmarshalJSON reads them.
func (k *kept) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &k.fields) }

// GobEncode returns the fields as JSON.
func (k kept) GobEncode() ([]byte, error) { return k.MarshalJSON() }

// GobDecode reads them.
func (k *kept) GobDecode(data []byte) error { return k.UnmarshalJSON(data) }

// jsonable is v without what is no JSON, such as a Raw that holds a function: that
// is not worth the checkpoint.
func jsonable(v any) any {
	if _, err := json.Marshal(v); err == nil {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for key, value := range v {
			m[key] = jsonable(value)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, value := range v {
			list[i] = jsonable(value)
		}
		return list
	}
	return nil
}
