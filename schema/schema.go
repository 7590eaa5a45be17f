// Package schema checks answers against the JSON Schema that a request asked for.
// It is a module of its own, as the core does not require the library below it.
// [Validate] is what when.SchemaInvalid and config.SchemaValidator take:
//
//	middleware.Rules(when.SchemaInvalid(schema.Validate).Switch(strong))
//
// # What is checked
//
// An answer must be one JSON value that the schema accepts, with nothing around
// it but white space: JSON inside a Markdown fence, or behind a sentence, is not
// JSON. Schemas are of draft 2020-12 unless their "$schema" says 2019-09, 7, 6 or
// 4. The keyword "format" is checked in all of them, for the formats of the
// drafts; others hold for any value. Patterns are Go's regular expressions, which
// know no lookaround. References stay within the schema and the drafts' own
// metaschemas; nothing is ever fetched or read from a file. "$dynamicRef", which
// extends metaschemas, is not known.
//
// # Broken schemas
//
// A schema that cannot be compiled says nothing about an answer. The error then
// is when.ErrSchema, which when.SchemaInvalid takes for no fault of the answer:
// no answer is rejected for it. [Check] finds such a schema beforehand, in a test
// or where a program starts; the example of it shows how to see one at work.
//
// # Limits
//
// Neither a schema nor an answer can hang a program: see the constants. At the
// worst a schema takes a few seconds to compile, and an answer one to check.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/strata-go/strata/when"
)

// What schemas and answers are held to.
const (
	MaxSchemaBytes = 128 << 10 // of a schema; a longer one is broken
	MaxAnswerBytes = 1 << 20   // of an answer; a longer one is not accepted
	MaxDepth       = 128       // of values inside values, in both
	MaxSteps       = 250_000   // values looked at for one answer, once for each subschema; a schema that needs more is broken
	CacheSize      = 128       // compiled schemas that are kept
)

// Validate returns an error unless answer is one JSON value that the schema
// accepts. The error names the keyword that the answer breaks and holds nothing
// of the answer; it is when.ErrSchema, as errors.Is says, if the schema itself is
// broken. Compiled schemas are kept. Any number of goroutines may call Validate;
// answers to the same schema are checked one at a time.
func Validate(schema json.RawMessage, answer []byte) error {
	s := cached(schema)
	if s.err != nil {
		return s.err
	}
	if len(answer) > MaxAnswerBytes {
		return fmt.Errorf("schema: the answer is longer than %d bytes", MaxAnswerBytes)
	}
	value, err := decode(answer)
	if err != nil {
		return fmt.Errorf("schema: the answer %w", err)
	}
	return s.validate(value)
}

// Check returns an error, which is when.ErrSchema, if the schema is broken: what
// [Validate] would say of any answer to it.
func Check(schema json.RawMessage) error { return cached(schema).err }

// broken says what is wrong with a schema.
func broken(format string, args ...any) error {
	return fmt.Errorf("schema: %w: %w", when.ErrSchema, fmt.Errorf(format, args...))
}

// decode reads the one JSON value in data, with its numbers as they stand there.
func decode(data []byte) (any, error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil || !utf8.Valid(data) {
		return nil, errors.New("is not one JSON value")
	}
	return value, measure(value, MaxDepth)
}

// measure looks for values that are too deep, and for numbers whose exact
// arithmetic would take long.
func measure(value any, depth int) error {
	if depth < 0 {
		return fmt.Errorf("is deeper than %d values", MaxDepth)
	}
	switch v := value.(type) {
	case map[string]any:
		for _, member := range v {
			if err := measure(member, depth-1); err != nil {
				return err
			}
		}
	case []any:
		for _, element := range v {
			if err := measure(element, depth-1); err != nil {
				return err
			}
		}
	case json.Number:
		return measureNumber(v.String())
	}
	return nil
}
