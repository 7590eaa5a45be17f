package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/schema"
	"github.com/strata-go/strata/when"
)

const person = `{"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}}, "required": ["name"], "additionalProperties": false}`

const notJSON = "schema: the answer is not one JSON value"

func TestAnswers(t *testing.T) {
	for _, tt := range []struct{ name, schema, answer, want string }{
		{"of the schema", person, `{"name": "Ada", "age": 36}`, ``},
		{"white space around it", person, " \n\t{\"name\": \"Ada\"}\r\n", ``},
		{"wrong type", person, `{"name": 7}`, `schema: the answer breaks "/properties/name/type"`},
		{"missing", person, `{"age": 36}`, `schema: the answer breaks "/required"`},
		{"one too many", person, `{"name": "Ada", "secret": 1}`, `schema: the answer breaks "/additionalProperties"`},
		{"another type", person, `["Ada"]`, `schema: the answer breaks "/type"`},
		{"below the minimum", person, `{"name": "Ada", "age": -1}`, `schema: the answer breaks "/properties/age/minimum"`},
		{"a whole number with a fraction of nothing", person, `{"name": "Ada", "age": 36.0}`, ``},

		{"nothing", person, ``, notJSON},
		{"white space", person, " \n", notJSON},
		{"prose", person, `Here you are`, notJSON},
		{"prose before it", person, `Sure: {"name": "Ada"}`, notJSON},
		{"prose behind it", person, `{"name": "Ada"} Enjoy!`, notJSON},
		{"a fence", person, "```json\n{\"name\": \"Ada\"}\n```", notJSON},
		{"two values", person, `{"name": "Ada"} {"name": "Bob"}`, notJSON},
		{"cut off", person, `{"name": "Ada"`, notJSON},
		{"a comma too many", person, `{"name": "Ada",}`, notJSON},
		{"single quotes", person, `{'name': 'Ada'}`, notJSON},
		{"not a number", `{"type": "number"}`, `NaN`, notJSON},
		{"a byte order mark", person, "\ufeff{\"name\": \"Ada\"}", notJSON},
		{"bytes that are no UTF-8", person, "{\"name\": \"A\xffa\"}", notJSON},

		{"the schema that accepts all", `{}`, `[1, null]`, ``},
		{"true", `true`, `"x"`, ``},
		{"false", `false`, `"x"`, `schema: the answer breaks ""`},
		{"null", `{"type": "null"}`, `null`, ``},
		{"enum", `{"enum": ["a", 1, null]}`, `1.0`, ``},
		{"not in the enum", `{"enum": ["a", 1, null]}`, `2`, `schema: the answer breaks "/enum"`},
		{"none of several", `{"anyOf": [{"type": "string"}, {"type": "null"}]}`, `1`, `schema: the answer breaks "/anyOf"`},
		{"more than one of several", `{"oneOf": [{"type": "number"}, {"minimum": 0}]}`, `1`, `schema: the answer breaks "/oneOf"`},
		{"all of several", `{"allOf": [{"type": "number"}, {"minimum": 5}]}`, `1`, `schema: the answer breaks "/allOf/1/minimum"`},
		{"in a list", `{"items": {"type": "string"}}`, `["a", 1]`, `schema: the answer breaks "/items/type"`},
		{"by reference", `{"$defs": {"n": {"type": "number"}}, "properties": {"x": {"$ref": "#/$defs/n"}}}`, `{"x": "1"}`, `schema: the answer breaks "/$defs/n/type"`},
		{"a tree", `{"properties": {"kids": {"items": {"$ref": "#"}}, "v": {"type": "number"}}}`, `{"kids": [{"kids": [{"v": "x"}]}]}`, `schema: the answer breaks "/properties/v/type"`},
		{"a metaschema", `{"$ref": "https://json-schema.org/draft/2020-12/schema"}`, `{"type": "nothing"}`, `schema: the answer breaks "/properties/type/anyOf"`},

		{"draft 4", `{"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 5, "exclusiveMinimum": true}`, `5`, `schema: the answer breaks "/exclusiveMinimum"`},
		{"draft 7", `{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}`, `[1]`, `schema: the answer breaks "/items/0/type"`},
		{"draft 2019-09", `{"$schema": "https://json-schema.org/draft/2019-09/schema", "properties": {"kids": {"items": {"$recursiveRef": "#"}}, "v": {"type": "number"}}}`, `{"kids": [{"v": "x"}]}`, `schema: the answer breaks "/properties/v/type"`},

		{"a date", `{"format": "date"}`, `"2024-02-29"`, ``},
		{"no date", `{"format": "date"}`, `"2023-02-29"`, `schema: the answer breaks "/format"`},
		{"an address", `{"format": "email"}`, `"ada"`, `schema: the answer breaks "/format"`},
		{"a time", `{"format": "date-time"}`, `"2024-02-29T10:00:00Z"`, ``},
		{"a format in draft 7", `{"$schema": "http://json-schema.org/draft-07/schema#", "format": "uuid"}`, `"x"`, `schema: the answer breaks "/format"`},
		{"a format of nobody", `{"format": "colour"}`, `"x"`, ``},
		{"a format of another type", `{"format": "date"}`, `5`, ``},
		{"a pattern", `{"pattern": "^a+$"}`, `"aab"`, `schema: the answer breaks "/pattern"`},

		{"an answer as deep as may be", `{}`, strings.Repeat("[", 128) + strings.Repeat("]", 128), ``},
		{"a deeper answer", `{}`, strings.Repeat("[", 130) + strings.Repeat("]", 130), `schema: the answer is deeper than 128 values`},
		{"a long answer", `{}`, `"` + strings.Repeat("a", schema.MaxAnswerBytes) + `"`, `schema: the answer is longer than 1048576 bytes`},
		{"a long number", `{}`, strings.Repeat("1", 401), `schema: the answer has a number of more than 400 digits`},
		{"a large exponent", `{"multipleOf": 3}`, `1e999999`, `schema: the answer has a number of more than 400 digits`},
		{"a small exponent", `{"minimum": 3}`, `1e-999999`, `schema: the answer has a number of more than 400 digits`},
		{"an exponent out of all bounds", `{"minimum": 3}`, `1e99999999999999999999`, `schema: the answer has a number of more than 400 digits`},
		{"the largest float64", `{"minimum": 3}`, `1.7976931348623157e308`, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 { // the second from the cache
				err := schema.Validate(json.RawMessage(tt.schema), []byte(tt.answer))
				if tt.want == "" {
					require.NoError(t, err)
					continue
				}
				require.EqualError(t, err, tt.want)
				require.NotErrorIs(t, err, when.ErrSchema)
			}
			require.NoError(t, schema.Check(json.RawMessage(tt.schema)))
		})
	}
}

// The failure is the schema's, whatever the answer.
func TestBrokenSchemas(t *testing.T) {
	for _, tt := range []struct{ name, schema, want string }{
		{"nothing", ``, `it is not one JSON value`},
		{"no JSON", `{"type": "object"`, `it is not one JSON value`},
		{"two values", `{} {}`, `it is not one JSON value`},
		{"null", `null`, `it is no JSON Schema: "/type"`},
		{"no schema", `["string"]`, `it is no JSON Schema: "/type"`},
		{"unknown type", `{"type": "text"}`, `it is no JSON Schema: "`},
		{"a pattern that is none", `{"pattern": "("}`, `it is no JSON Schema: "`},
		{"lookaround", `{"pattern": "(?=a)"}`, `it is no JSON Schema: "`},
		{"a large pattern", `{"pattern": "((a{100}){10}){10}"}`, `it is no JSON Schema: "`},
		{"a reference to nothing", `{"$ref": "#/$defs/none"}`, `not found`},
		{"a reference to the web", `{"$ref": "https://example.org/s.json"}`, `references out of the schema are not followed`},
		{"a reference to a neighbour", `{"$ref": "other.json"}`, `references out of the schema are not followed`},
		{"a reference to a file", `{"$ref": "file:///etc/hostname"}`, `references out of the schema are not followed`},
		{"an ID and a reference", `{"$id": "https://example.org/a/", "properties": {"x": {"$ref": "b"}}}`, `references out of the schema are not followed`},
		{"a metaschema of one's own", `{"$schema": "https://example.org/meta"}`, `references out of the schema are not followed`},
		{"a dynamic reference", `{"$dynamicRef": "#x", "$dynamicAnchor": "x"}`, `it has a $dynamicRef`},
		{"too deep", strings.Repeat(`{"not":`, 130) + `{}` + strings.Repeat(`}`, 130), `it is deeper than 128 values`},
		{"too long", `{"title": "` + strings.Repeat("a", schema.MaxSchemaBytes) + `"}`, `it is longer than 131072 bytes`},
		{"a large number", `{"minimum": 1e1000}`, `it has a number of more than 400 digits`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := schema.Check(json.RawMessage(tt.schema))
			require.ErrorIs(t, err, when.ErrSchema)
			assert.ErrorContains(t, err, "schema: the schema is broken: ")
			assert.ErrorContains(t, err, tt.want)
			for _, answer := range []string{`{}`, `"x"`, `no JSON`} {
				assert.EqualError(t, schema.Validate(json.RawMessage(tt.schema), []byte(answer)), err.Error())
			}
		})
	}
}

// branches is a schema of n definitions, each of which applies the next one twice.
func branches(n int, head, twice string) string {
	var defs []string
	for i := range n {
		next := fmt.Sprintf(`{"$ref": "#/$defs/d%d"}`, i+1)
		defs = append(defs, fmt.Sprintf(`"d%d": %s`, i, strings.ReplaceAll(twice, "NEXT", next)))
	}
	return fmt.Sprintf(`{%s"$defs": {%s, "d%d": {"type": "string"}}, "not": {"$ref": "#/$defs/d0"}}`, head, strings.Join(defs, ", "), n)
}

// numbers is a list of the n whole numbers from n on.
func numbers(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint(n + i)
	}
	return strings.Join(list, ",")
}

// Nothing hangs: what would take 2^60 steps, or matching without end, is a broken
// schema after a bounded time.
func TestHostileSchemas(t *testing.T) {
	const draft7 = `"$schema": "http://json-schema.org/draft-07/schema#", `
	nested := strings.Repeat(`{"x": `, 60) + `1` + strings.Repeat(`}`, 60)
	for _, tt := range []struct{ name, schema, answer, want string }{
		{"allOf", branches(60, ``, `{"allOf": [NEXT, NEXT]}`), `"x"`, `it takes too many steps`},
		{"anyOf", branches(60, ``, `{"anyOf": [NEXT, NEXT]}`), `1`, `it takes too many steps`},
		{"oneOf", branches(60, draft7, `{"oneOf": [NEXT, NEXT]}`), `1`, `it takes too many steps`},
		{"if and then", branches(60, ``, `{"if": NEXT, "then": NEXT, "else": NEXT}`), `1`, `it takes too many steps`},
		{"dependentSchemas", branches(60, ``, `{"dependentSchemas": {"x": NEXT, "y": NEXT}}`), `{"x": 1, "y": 1}`, `it takes too many steps`},
		{"patternProperties", branches(60, ``, `{"patternProperties": {"x": NEXT, "x+": NEXT}}`), nested, `it takes too many steps`},
		{"a tree with two ways down", `{"anyOf": [{"properties": {"x": {"$ref": "#"}}, "required": ["y"]}, {"properties": {"x": {"$ref": "#"}}, "required": ["z"]}]}`, nested, `it takes too many steps`},
		{"recursive references", `{"$schema": "https://json-schema.org/draft/2019-09/schema", "$recursiveAnchor": true, "anyOf": [{"properties": {"x": {"$recursiveRef": "#"}}, "required": ["y"]}, {"properties": {"x": {"$recursiveRef": "#"}}, "required": ["z"]}]}`, nested, `it takes too many steps`},
		{"a large enum", `{"items": {"enum": [` + numbers(20_000) + `]}}`, `[` + numbers(100_000) + `]`, `it takes too many steps`},
		{"an answer that is wrong everywhere", `{"allOf": [` + strings.Repeat(`{"items": {"type": "string"}}, `, 20) + `{}]}`, `[` + numbers(100_000) + `]`, `it takes too many steps`},
		{"a pattern and a long text", `{"pattern": "^(a|b|ab){100}c$"}`, `"` + strings.Repeat("ab", 100_000) + `"`, `it takes too many steps`},
		{"patterns and long names", `{"patternProperties": {"(a|b|ab){100}c": true, "(a|b|ab){100}d": true}}`, `{"` + strings.Repeat("ab", 100_000) + `": 1}`, `it takes too many steps`},
		{"a circle", `{"$ref": "#"}`, `1`, `it refers to itself without end`},
		{"a circle of two", `{"$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}`, `1`, `it refers to itself without end`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.NoError(t, schema.Check(json.RawMessage(tt.schema)))
			err := schema.Validate(json.RawMessage(tt.schema), []byte(tt.answer))
			require.ErrorIs(t, err, when.ErrSchema)
			assert.EqualError(t, err, "schema: the schema is broken: "+tt.want)
		})
	}
}

func TestErrorsHoldNothingOfTheAnswer(t *testing.T) {
	for _, s := range []string{
		person, `{"const": 1}`, `{"enum": ["a"]}`, `{"pattern": "b"}`, `{"format": "date"}`, `{"maxLength": 1}`,
		`{"propertyNames": {"maxLength": 1}}`, `{"additionalProperties": false}`, `{"not": {}}`, `{"uniqueItems": true}`,
		`{"contains": {"type": "null"}}`, `{"multipleOf": 2}`, `{"dependentRequired": {"secret": ["x"]}}`,
	} {
		for _, answer := range []string{`"secret"`, `{"secret": "secret"}`, `["secret", "secret"]`, `7771`, `secret`} {
			if err := schema.Validate(json.RawMessage(s), []byte(answer)); err != nil {
				if !strings.Contains(s, "secret") {
					assert.NotContains(t, err.Error(), "secret")
				}
				assert.NotContains(t, err.Error(), "7771")
			}
		}
	}
}

// Any number of goroutines may validate, and no more than CacheSize schemas are kept.
func TestManyAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range schema.CacheSize + 20 {
				limit := json.RawMessage(fmt.Sprintf(`{"maximum": %d}`, j))
				assert.NoError(t, schema.Validate(limit, fmt.Append(nil, j)))
				assert.EqualError(t, schema.Validate(limit, fmt.Append(nil, j+1+i)), `schema: the answer breaks "/maximum"`)
			}
		})
	}
	wg.Wait()
	assert.Equal(t, schema.CacheSize, schema.Cached())
}

// What the caller does with its bytes later changes nothing.
func TestTheSchemaMayChange(t *testing.T) {
	s := []byte(`{"const": "aaa"}`)
	require.NoError(t, schema.Validate(s, []byte(`"aaa"`)))
	copy(s, `{"const": "bbb"}`)
	require.NoError(t, schema.Validate(s, []byte(`"bbb"`)))
	require.NoError(t, schema.Validate(json.RawMessage(`{"const": "aaa"}`), []byte(`"aaa"`)))
}

func FuzzValidate(f *testing.F) {
	for _, s := range []string{person, `{"$ref": "#"}`, `{"$id": "x", "$anchor": "y", "items": {"$ref": "x#y"}}`,
		`{"$schema": "http://json-schema.org/draft-04/schema#", "id": "#a", "type": ["string", "null"]}`, `{"pattern": "[a-z]{3}"}`,
		`{"uniqueItems": true, "unevaluatedItems": false, "prefixItems": [{"multipleOf": 0.1}]}`, `{"contentEncoding": "base64"}`} {
		for _, answer := range []string{`{"name": "Ada"}`, `[1, 1e3, "x"]`, `"x`} {
			f.Add([]byte(s), []byte(answer))
		}
	}
	f.Fuzz(func(t *testing.T, s, answer []byte) {
		err := schema.Validate(s, answer)
		if broken := schema.Check(s); broken != nil {
			assert.EqualError(t, err, broken.Error())
		}
		if err == nil {
			assert.True(t, json.Valid(answer))
			assert.True(t, json.Valid(s))
		}
	})
}

func BenchmarkValidate(b *testing.B) {
	answer := []byte(`{"name": "Ada", "age": 36}`)
	for b.Loop() {
		if err := schema.Validate(json.RawMessage(person), answer); err != nil {
			b.Fatal(err)
		}
	}
}
