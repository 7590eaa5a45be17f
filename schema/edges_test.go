package schema_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata/schema"
)

// At the worst an answer takes a second to check, a schema a few to compile.
func TestEdgeNothingHangs(t *testing.T) {
	numbers := func(n int, f string) string {
		var b strings.Builder
		b.WriteString("[")
		for i := range n {
			if i > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, f, i)
		}
		b.WriteString("]")
		return b.String()
	}
	long := strings.Repeat("9", 380)
	var deep, props strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&props, `,"p%d":{"$ref":"#/$defs/a"}`, i)
	}
	deep.WriteString(strings.Repeat(`{"a":`, 120) + "1" + strings.Repeat("}", 120))
	for name, test := range map[string]struct{ schema, answer string }{
		"unique numbers":       {`{"uniqueItems":true}`, numbers(150_000, "%d")},
		"unique objects":       {`{"uniqueItems":true}`, numbers(60_000, `{"a":%d}`)},
		"unique equal lengths": {`{"uniqueItems":true}`, numbers(20_000, `{"a":[1,2,3,{"b":%d}]}`)},
		"unique long numbers":  {`{"uniqueItems":true}`, numbers(2_500, long+"%04d")},
		"multiple of":          {`{"items":{"multipleOf":1e-399}}`, numbers(100_000, "%de390")},
		"long numbers":         {`{"items":{"maximum":1e400,"minimum":-1e400,"multipleOf":0.` + strings.Repeat("0", 300) + `1}}`, numbers(2_500, long+"%04d")},
		"const":                {`{"items":{"const":` + numbers(10_000, "%d") + `}}`, "[" + strings.Repeat(numbers(10_000, "%d")+",", 15) + "1]"},
		"contains":             {`{"items":{"contains":{"const":-1},"minContains":0}}`, "[" + strings.Repeat(numbers(100, "%d")+",", 2000) + "[]]"},
		"formats":              {`{"items":{"format":"idn-email"}}`, numbers(40_000, `"%d@example.com"`)},
		"regex format":         {`{"items":{"format":"regex"}}`, numbers(300, `"(((a{1,20}){1,20}){1,2}%d)"`)},
		"pattern":              {`{"items":{"pattern":"(a*)*b"}}`, `["` + strings.Repeat("a", 1_000_000) + `"]`},
		"one of refs":          {`{"$defs":{"a":{"anyOf":[{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}}},{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"required":["z"]}]}},"$ref":"#/$defs/a"}`, deep.String()},
		"unevaluated":          {`{"unevaluatedProperties":false,"$defs":{"a":{"type":"string"}},"properties":{"x":{}` + props.String() + `}}`, `{"x":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			begun := time.Now()
			_ = schema.Check([]byte(test.schema))
			compiled := time.Since(begun)
			begun = time.Now()
			err := schema.Validate([]byte(test.schema), []byte(test.answer))
			took := time.Since(begun)
			t.Logf("compiled in %v, checked in %v: %.150v", compiled, took, err)
			assert.Less(t, took, 30*time.Second)
			assert.Less(t, compiled, 60*time.Second)
		})
	}
}
