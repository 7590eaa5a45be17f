package schema

import (
	"errors"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// compiled is a schema that is ready for use, or what is wrong with it.
type compiled struct {
	err error

	mu     sync.Mutex // one answer at a time, as steps counts for it alone
	schema *jsonschema.Schema
	steps  int // left for the answer
}

// location is the schema's own, which no reference leads out of.
const location = "strata:///schema"

func compile(text []byte) (c *compiled) {
	defer func() {
		if r := recover(); r != nil { // the library's, over a schema that it did not foresee
			c = &compiled{err: broken("it cannot be compiled: %v", r)}
		}
	}()
	value, err := decode(text)
	if err != nil {
		return &compiled{err: broken("it %w", err)}
	}
	if mentions(value, "$dynamicRef") {
		return &compiled{err: broken("it has a $dynamicRef")}
	}
	c = &compiled{}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	compiler.UseLoader(closed{})
	compiler.UseRegexpEngine(c.pattern)
	if err := compiler.AddResource(location, value); err != nil {
		return &compiled{err: broken("%w", err)}
	}
	if c.schema, err = compiler.Compile(location); err != nil {
		return &compiled{err: broken("%w", readable(err))}
	}
	each(c.schema, map[*jsonschema.Schema]bool{}, c.count)
	return c
}

// closed is the loader that loads nothing.
type closed struct{}

func (closed) Load(string) (any, error) {
	return nil, errors.New("references out of the schema are not followed")
}

// mentions reports whether some object in value has the keyword.
func mentions(value any, keyword string) bool {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			if name == keyword || mentions(member, keyword) {
				return true
			}
		}
	case []any:
		for _, element := range v {
			if mentions(element, keyword) {
				return true
			}
		}
	}
	return false
}

// readable makes a failure of the schema before its metaschema as short as that
// of an answer.
func readable(err error) error {
	if bad, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return errors.New("it is no JSON Schema: " + place(bad))
	}
	if bad, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		return readable(bad.Err)
	}
	return err
}

// cycle reports whether a subschema led back to itself over the same value.
func cycle(err *jsonschema.ValidationError) bool {
	if _, ok := err.ErrorKind.(*kind.RefCycle); ok {
		return true
	}
	for _, cause := range err.Causes {
		if cycle(cause) {
			return true
		}
	}
	return false
}
