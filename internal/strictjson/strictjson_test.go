package strictjson_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/internal/strictjson"
)

type named struct {
	Name string `json:"name"`
}

type point struct {
	named
	X     *int            `json:"x"`
	Share float64         `json:"share"`
	On    bool            `json:"on"`
	Tags  []string        `json:"tags"`
	Sub   map[string]sub  `json:"sub"`
	Maybe *sub            `json:"maybe" strictjson:"null"`
	Any   json.RawMessage `json:"any"`
	Odd   odd             `json:"odd"`
	Plain string          // has no tag and is not read
}

type sub struct {
	Y int `json:"y"`
}

// odd reads itself and takes odd numbers alone.
type odd int

func (o *odd) UnmarshalJSON(data []byte) error {
	if _, err := fmt.Sscan(string(data), (*int)(o)); err != nil || *o%2 == 0 {
		return fmt.Errorf("%s is not odd", data)
	}
	return nil
}

func TestDecode(t *testing.T) {
	var got point
	err := strictjson.Decode([]byte(` { "name" : "a", "x": 1, "share": 0.5, "on": true,
		"tags": [ "b" , "c" ], "sub": {"k": {"y": 2}}, "maybe": {"y": 3}, "any": {"z": [null]}, "odd": 5 } `), &got)
	require.NoError(t, err)
	one := 1
	assert.Equal(t, point{
		named: named{"a"}, X: &one, Share: 0.5, On: true, Tags: []string{"b", "c"},
		Sub: map[string]sub{"k": {2}}, Maybe: &sub{3}, Any: json.RawMessage(`{"z": [null]}`), Odd: 5,
	}, got)
}

func TestAbsentAndEmpty(t *testing.T) {
	var absent, empty point
	require.NoError(t, strictjson.Decode([]byte(`{}`), &absent))
	assert.Nil(t, absent.Tags)
	assert.Nil(t, absent.Maybe)
	require.NoError(t, strictjson.Decode([]byte(`{"tags": [], "maybe": null, "any": null}`), &empty))
	assert.Equal(t, []string{}, empty.Tags, "an empty list is told from an absent one")
	assert.Nil(t, empty.Maybe)
	assert.Equal(t, "null", string(empty.Any))
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ name, data, want string }{
		{"nothing", ``, `line 1: unexpected end of JSON input`},
		{"cut", "{\n\n\"x\": ", `line 3: unexpected end of JSON input`},
		{"trailing data", "{}\n{}", `line 2: invalid character '{' after top-level value`},
		{"null", `null`, `null is not an object`},
		{"another type", `[1]`, `[1] is not an object`},
		{"unknown field", `{"z": 1}`, `unknown field "z"`},
		{"another case", `{"X": 1}`, `unknown field "X"`},
		{"a Go name", `{"Plain": "a"}`, `unknown field "Plain"`},
		{"no name", `{"": 1}`, `unknown field ""`},
		{"twice", `{"x": 1, "x": 1}`, `duplicate field "x"`},
		{"twice, escaped", `{"x": 1, "\u0078": 1}`, `duplicate field "x"`},
		{"twice in a map", `{"sub": {"k": {}, "k": {}}}`, `.sub: duplicate field "k"`},
		{"null field", `{"x": null}`, `.x: null is not a whole number`},
		{"null list", `{"tags": null}`, `.tags: null is not a list`},
		{"null element", `{"tags": ["a", null]}`, `.tags[1]: null is not a string`},
		{"fraction", `{"x": 1.5}`, `.x: 1.5 is not a whole number`},
		{"too large", `{"x": 99999999999999999999}`, `.x: 99999999999999999999 is not a whole number`},
		{"string for a number", `{"share": "1"}`, `.share: "1" is not a number`},
		{"number for a boolean", `{"on": 1}`, `.on: 1 is not true or false`},
		{"element of another type", `{"tags": [{"a":  1}]}`, `.tags[0]: {"a": 1} is not a string`},
		{"inside a map", `{"sub": {"k": {"y": 1, "z": 2}}}`, `.sub["k"]: unknown field "z"`},
		{"inside a pointer", `{"maybe": {"y": "1"}}`, `.maybe.y: "1" is not a whole number`},
		{"what reads itself", `{"odd": 4}`, `.odd: 4 is not odd`},
		{"null for what reads itself", `{"odd": null}`, `.odd: null is not odd`},
		{"long value", `{"x": "` + "0123456789012345678901234567890123456789" + `"}`, `.x: "012345678901234567890123456789012345678… is not a whole number`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got point
			err := strictjson.Decode([]byte(tt.data), &got)
			require.EqualError(t, err, tt.want)
			assert.ErrorAs(t, err, new(*strictjson.Error))
		})
	}
}

func TestAt(t *testing.T) {
	assert.NoError(t, strictjson.At(".a", nil))
	assert.EqualError(t, strictjson.At(".a", strictjson.Errorf("[1]", "%d is odd", 3)), ".a[1]: 3 is odd")
	plain := errors.New("plain")
	err := strictjson.At(".b", strictjson.At(".a", plain))
	assert.EqualError(t, err, ".b.a: plain")
	assert.ErrorIs(t, err, plain)
}

func ExampleDecode() {
	var settings struct {
		Runs []struct {
			Name string `json:"name"`
		} `json:"runs"`
	}
	err := strictjson.Decode([]byte(`{"runs": [{"name": "a"}, {"nmae": "b"}]}`), &settings)
	fmt.Println(err)
	// Output: .runs[1]: unknown field "nmae"
}

func TestDuration(t *testing.T) {
	for _, tt := range []struct {
		data string
		want time.Duration
		err  string
	}{
		{data: `"1.5s"`, want: 1500 * time.Millisecond},
		{data: `"0s"`},
		{data: `"soon"`, err: `"soon" is no duration`},
		{data: `"5"`, err: `"5" is no duration`},
		{data: `""`, err: `"" is no duration`},
		{data: `"-1ns"`, err: `"-1ns" is negative`},
		{data: `5`, err: `5 is not a string: a duration is one, such as "1.5s"`},
		{data: `null`, err: `null is not a string: a duration is one, such as "1.5s"`},
	} {
		t.Run(tt.data, func(t *testing.T) {
			var d strictjson.Duration
			err := strictjson.Decode([]byte(tt.data), &d)
			if tt.err == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, tt.err)
			}
			assert.Equal(t, tt.want, time.Duration(d))
		})
	}
}
