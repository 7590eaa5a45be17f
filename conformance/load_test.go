package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// one returns a case with these models, runs and further fields.
func one(models, runs, more string) string {
	return fmt.Sprintf(`{"name": "c", "model": "openai/a", "stack": [], "models": %s, "runs": %s%s}`, models, runs, more)
}

// TestErrorsOfCases shows that nothing in a case is passed over.
func TestErrorsOfCases(t *testing.T) {
	const (
		models = `{"openai/a": [[]]}`
		runs   = `[{"op": "stream", "want": {}}]`
	)
	model := func(step string) string { return one(`{"openai/a": [[{"start": {}}, `+step+`]]}`, runs, ``) }
	aRun := func(fields string) string { return one(models, `[{"op": "stream", "want": {}, `+fields+`}]`, ``) }
	aWant := func(want string) string { return one(models, `[{"op": "stream", "want": `+want+`}]`, ``) }
	anError := func(fields string) string { return aWant(`{"error": ` + fields + `}`) }
	for _, tt := range []struct{ name, data, want string }{
		{"no object", `5`, `case "[0]": 5 is not an object`},
		{"no name", `{"stack": []}`, `case "[0]": it has no name`},
		{"unknown field", one(models, runs, `, "modles": {}`), `unknown field "modles"`},
		{"field in another case", one(models, runs, `, "About": ""`), `unknown field "About"`},
		{"field twice", one(models, runs, `, "runs": []`), `duplicate field "runs"`},
		{"no stack", `{"name": "c", "models": {}, "runs": [{}]}`, `it has no stack`},
		{"neither runs nor build", one(models, `[]`, ``), `it has either runs or build`},
		{"both", one(models, runs, `, "build": {"has": "x"}`), `it has either runs or build`},
		{"field of build", one(models, `[]`, `, "build": {"has": "x", "hsa": "y"}`), `.build: unknown field "hsa"`},
		{"build without words", one(models, `[]`, `, "build": {}`), `.build.has: it is empty`},
		{"unknown base", one(`{"openai/b": [[]]}`, runs, ``), `.model: unknown model "openai/a"`},
		{"no ID", one(`{"openai/a": [[]], "b": [[]]}`, runs, ``), `.models["b"]: strata: model ID "b" is not of the form provider/name`},
		{"no attempt", one(`{"openai/a": []}`, runs, ``), `.models["openai/a"]: there is no attempt`},
		{"field of request", one(models, runs, `, "request": {"promt": "x"}`), `.request: unknown field "promt"`},

		{"unknown step", model(`{"txt": "x"}`), `.models["openai/a"][0][1]: unknown field "txt"`},
		{"two in a step", model(`{"text": "x", "finish": "stop"}`), `.models["openai/a"][0][1]: a step has one field, this has 2`},
		{"nothing in a step", model(`{}`), `.models["openai/a"][0][1]: a step has one field, this has 0`},
		{"null step", model(`null`), `.models["openai/a"][0][1]: null is not an object`},
		{"null in a step", model(`{"text": null}`), `.models["openai/a"][0][1].text: null is not a string`},
		{"field of start", model(`{"start": {"x": 1}}`), `.models["openai/a"][0][1].start: unknown field "x"`},
		{"field of meta", model(`{"meta": {"ID": "x"}}`), `.models["openai/a"][0][1].meta: unknown field "ID"`},
		{"field of tool_input", model(`{"tool_input": {"input": "x"}}`), `.models["openai/a"][0][1].tool_input: unknown field "input"`},
		{"field of tool_call", model(`{"tool_call": {"delta": "x"}}`), `.models["openai/a"][0][1].tool_call: unknown field "delta"`},
		{"field of tool_result", model(`{"tool_result": {"name": "x"}}`), `.models["openai/a"][0][1].tool_result: unknown field "name"`},
		{"field of error", model(`{"error": {"stauts": 1}}`), `.models["openai/a"][0][1].error: unknown field "stauts"`},
		{"kind of error", model(`{"error": {"kind": "slow"}}`), `.models["openai/a"][0][1].error.kind: unknown kind "slow"`},
		{"plain and not", model(`{"error": {"plain": "x", "status": 1}}`),
			`.models["openai/a"][0][1].error: an error is plain or a provider's (status, code, message, headers, body, kind), not both`},
		{"finish", model(`{"finish": "stopped"}`), `.models["openai/a"][0][1].finish: unknown finish reason "stopped"`},
		{"wait", model(`{"wait": "soon"}`), `.models["openai/a"][0][1].wait: "soon" is no duration`},
		{"hang", model(`{"hang": false}`), `.models["openai/a"][0][1].hang: false does nothing`},

		{"field of a run", aRun(`"cancel": "1s"`), `.runs[0]: unknown field "cancel"`},
		{"no op", one(models, `[{"want": {}}]`, ``), `.runs[0].op: "" is neither stream nor generate`},
		{"no want", one(models, `[{"op": "stream"}]`, ``), `.runs[0]: it has no want`},
		{"negative wait", aRun(`"before": "-1s"`), `.runs[0].before: "-1s" is negative`},
		{"break at once", aRun(`"break_after": 0`), `.runs[0].break_after: 0 is less than 1`},

		{"field of want", aWant(`{"txt": ""}`), `.runs[0].want: unknown field "txt"`},
		{"null want", aWant(`null`), `.runs[0].want: null is not an object`},
		{"null text", aWant(`{"text": null}`), `.runs[0].want.text: null is not a string`},
		{"model of calls", aWant(`{"calls": {"openai/b": 1}}`), `.runs[0].want.calls: unknown model "openai/b"`},
		{"model of seen", aWant(`{"seen": {"openai/b": {}}}`), `.runs[0].want.seen: unknown model "openai/b"`},
		{"field of seen", aWant(`{"seen": {"openai/a": {"top_p": 1}}}`), `.runs[0].want.seen["openai/a"]: unknown field "top_p"`},
		{"model of cancelled", aWant(`{"cancelled": ["openai/b"]}`), `.runs[0].want.cancelled[0]: unknown model "openai/b"`},
		{"model of served", aWant(`{"served": "openai/b"}`), `.runs[0].want.served: unknown model "openai/b"`},
		{"elapsed", aWant(`{"elapsed": "soon"}`), `.runs[0].want.elapsed: "soon" is no duration`},
		{"half a range", aWant(`{"elapsed": ["1s"]}`), `.runs[0].want.elapsed: ["1s"] is no range: want its first and its last time`},
		{"range from its end", aWant(`{"elapsed": ["2s", "1s"]}`), `.runs[0].want.elapsed: ["2s", "1s"] is no range: want its first and its last time`},
		{"range of others", aWant(`{"elapsed": ["1s", 2]}`), `.runs[0].want.elapsed[1]: 2 is not a string: a duration is one, such as "1.5s"`},
		{"panic and error", aWant(`{"panic": "x", "error": {}}`), `.runs[0].want: a call that panics returns no error`},

		{"field of error", anError(`{"knid": "x"}`), `.runs[0].want.error: unknown field "knid"`},
		{"kind", anError(`{"kind": "slow"}`), `.runs[0].want.error.kind: unknown word "slow"`},
		{"type", anError(`{"type": "walk"}`), `.runs[0].want.error.type: unknown word "walk"`},
		{"timeout", anError(`{"timeout": "first"}`), `.runs[0].want.error.timeout: unknown word "first"`},
		{"reason", anError(`{"reason": "accepted"}`), `.runs[0].want.error.reason: unknown word "accepted"`},
		{"has", anError(`{"has": ""}`), `.runs[0].want.error.has: it is empty`},
		{"null has", anError(`{"has": null}`), `.runs[0].want.error.has: null is not a string`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cases, err := parse("x.json", []byte("["+tt.data+"]"))
			require.NoError(t, err)
			require.Len(t, cases, 1)
			want := tt.want
			if !strings.HasPrefix(want, `case "[0]": `) {
				want = `case "c": ` + want
			}
			assert.EqualError(t, cases[0].err, "conformance: x.json: "+want)
		})
	}
}

func TestLoad(t *testing.T) {
	write := func(t *testing.T, files map[string]string) string {
		dir := t.TempDir()
		for name, data := range files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600))
		}
		return dir
	}
	named := func(name string) string {
		return fmt.Sprintf(`{"name": %q, "about": "about it", "model": "openai/a", "stack": [], "models": {"openai/a": [[]]}, "runs": [{"op": "stream", "want": {}}]}`, name)
	}

	t.Run("in order, other files aside", func(t *testing.T) {
		cases, err := Load(write(t, map[string]string{"b.json": "[" + named("b1") + "]", "a.json": "[" + named("a1") + "," + named("a2") + "]", "errors.jsonl": "{", "README.md": ""}))
		require.NoError(t, err)
		require.Len(t, cases, 3)
		for i, want := range []Case{{File: "a.json", Name: "a1"}, {File: "a.json", Name: "a2"}, {File: "b.json", Name: "b1"}} {
			assert.Equal(t, want.File, cases[i].File)
			assert.Equal(t, want.Name, cases[i].Name)
			assert.Equal(t, "about it", cases[i].About)
		}
	})
	t.Run("every error is told", func(t *testing.T) {
		dir := write(t, map[string]string{
			"a.json": "[" + named("c") + ", {\"name\": \"d\", \"sort\": 1}, {\"name\": \"e\", \"stack\": []}]",
			"b.json": "[" + named("c") + "]",
			"c.json": "[\n1 2]",
			"d.json": "{}",
		})
		cases, err := Load(dir)
		require.Len(t, cases, 4)
		assert.NoError(t, cases[0].err)
		assert.EqualError(t, cases[1].err, `conformance: a.json: case "d": unknown field "sort"`)
		assert.EqualError(t, cases[2].err, `conformance: a.json: case "e": it has either runs or build`)
		assert.EqualError(t, err, `conformance: b.json: there is a case "c" in a.json too
conformance: c.json: line 2: invalid character '2' after array element
conformance: d.json: {} is not a list`)
	})
	t.Run("nothing", func(t *testing.T) {
		dir := write(t, map[string]string{"a.json": "[]"})
		_, err := Load(dir)
		assert.EqualError(t, err, "conformance: there is no case in "+filepath.Join(dir, "*.json"))
	})
	t.Run("no folder", func(t *testing.T) {
		_, err := Load(filepath.Join(t.TempDir(), "none"))
		assert.ErrorContains(t, err, "there is no case")
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		``, `[null]`, `[{"name": "c", "models": {"openai/a": [[{"wait": "1s"}]]}}]`,
		"[" + one(`{"openai/a": [[{"error": {"plain": "x"}}]]}`, `[{"op": "stream", "want": {"elapsed": ["0s", "1s"], "error": null}}]`, ``) + "]",
		"[" + one(`{"openai/a": [[]]}`, `[]`, `, "build": {"has": "x"}`) + "]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		cases, err := parse("x.json", data)
		for _, c := range cases {
			assert.NotEmpty(t, c.Name)
			if c.err == nil {
				assert.NotNil(t, c.spec.Models[c.spec.Model])
			} else {
				assert.ErrorContains(t, c.err, "conformance: x.json: ")
			}
		}
		if err != nil {
			assert.ErrorContains(t, err, "conformance: x.json: ")
		}
	})
}
