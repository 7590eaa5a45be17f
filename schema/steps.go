package schema

import (
	"errors"
	"reflect"
	"regexp"
	"regexp/syntax"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// step takes n steps, or gives up.
func (c *compiled) step(n int) {
	if c.steps -= n; c.steps < 0 {
		panic(errSteps)
	}
}

var errSteps = errors.New("it takes too many steps")

// count makes the uses of a subschema steps. The library applies the format of a
// subschema before anything that is inside it, so a format that counts sees all
// that may multiply. The values of an enum would come before it: they move into
// a subschema of their own.
func (c *compiled) count(s *jsonschema.Schema) {
	enum := 0
	if s.Enum != nil {
		enum = len(s.Enum.Values)
		s.AllOf = append(s.AllOf, &jsonschema.Schema{DraftVersion: s.DraftVersion, Location: s.Location, Enum: s.Enum})
		s.Enum = nil
	}
	counting := jsonschema.Format{Validate: func(any) error { return nil }}
	if s.Format != nil {
		counting = *s.Format
	}
	holds := counting.Validate
	counting.Validate = func(v any) error {
		c.step(1 + size(v) + enum/4)
		return holds(v)
	}
	s.Format = &counting
}

// size returns how many values v holds.
func size(v any) int {
	switch v := v.(type) {
	case map[string]any:
		return len(v)
	case []any:
		return len(v)
	}
	return 0
}

// pattern compiles a regular expression whose uses are steps.
func (c *compiled) pattern(expr string) (jsonschema.Regexp, error) {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	if len(prog.Inst) > maxInstructions {
		return nil, errors.New("the pattern is too large")
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	return &countedPattern{re, len(prog.Inst), c}, nil
}

const maxInstructions = 10_000 // of a pattern

type countedPattern struct {
	*regexp.Regexp
	instructions int
	c            *compiled
}

// MatchString takes the length of the pattern times that of the text, at worst.
func (p *countedPattern) MatchString(text string) bool {
	p.c.step(p.instructions * len(text) / 100)
	return p.Regexp.MatchString(text)
}

// each calls f for a schema and, before, for all that it refers to, each once.
func each(s *jsonschema.Schema, seen map[*jsonschema.Schema]bool, f func(*jsonschema.Schema)) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	fields := reflect.ValueOf(s).Elem()
	for i := range fields.NumField() {
		if fields.Type().Field(i).IsExported() {
			eachIn(fields.Field(i), seen, f)
		}
	}
	f(s)
}

func eachIn(v reflect.Value, seen map[*jsonschema.Schema]bool, f func(*jsonschema.Schema)) {
	switch v.Kind() {
	case reflect.Pointer:
		switch p := v.Interface().(type) {
		case *jsonschema.Schema:
			each(p, seen, f)
		case *jsonschema.DynamicRef:
			if p != nil {
				each(p.Ref, seen, f)
			}
		}
	case reflect.Interface:
		if !v.IsNil() {
			eachIn(v.Elem(), seen, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachIn(v.Index(i), seen, f)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			eachIn(it.Value(), seen, f)
		}
	}
}
