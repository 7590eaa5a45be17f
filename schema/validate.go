package schema

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

func (c *compiled) validate(value any) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() {
		if r := recover(); r != nil { // out of steps, or the library's own
			err = broken("%v", r)
		}
	}()
	c.steps = MaxSteps
	err = c.schema.Validate(value)
	bad, ok := errors.AsType[*jsonschema.ValidationError](err)
	switch {
	case err == nil:
		return nil
	case !ok:
		return broken("%w", err)
	case cycle(bad):
		return broken("it refers to itself without end")
	}
	return fmt.Errorf("schema: the answer breaks %s", place(bad))
}

// place returns where in the schema the first keyword stands that does not hold.
// Where one holds if any of several do, that is the one.
func place(err *jsonschema.ValidationError) string {
	for len(err.Causes) > 0 {
		switch err.ErrorKind.(type) {
		case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
			err = err.Causes[0]
			continue
		}
		break
	}
	_, at, _ := strings.Cut(err.SchemaURL, "#")
	if plain, err := url.PathUnescape(at); err == nil {
		at = plain
	}
	if err.ErrorKind != nil {
		at += "/" + strings.Join(err.ErrorKind.KeywordPath(), "/")
	}
	return fmt.Sprintf("%q", strings.TrimSuffix(at, "/"))
}
