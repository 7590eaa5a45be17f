package schema

import (
	"errors"
	"reflect"
	"regexp"
	"regexp/syntax"
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

// each calls f for a schema and all that it refers to, each once.
func each(s *jsonschema.Schema, seen map[*jsonschema.Schema]bool, f func(*jsonschema.Schema)) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	defer f(s)
	fields := reflect.ValueOf(s).Elem()
	for i := range fields.NumField() {
		if fields.Type().Field(i).IsExported() {
			eachIn(fields.Field(i), seen, f)
		}
	}
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
