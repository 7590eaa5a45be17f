package config_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/config"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/when"
)

// No value in any place of a stack makes Build panic, and what it refuses it
// names.
func TestEdgeOddValuesInEveryPlace(t *testing.T) {
	files, err := filepath.Glob("../conformance/testdata/*.json")
	require.NoError(t, err)
	odd := []any{nil, -1, 0, 0.5, 1e308, "", "x", "-1s", "1s", "0s", "/(/", "/", "//", []any{}, []any{nil}, map[string]any{}, map[string]any{"x": 1}, true, false, "openai/b", "after-99999999999999999999-seconds"}
	builds := 0
	seen := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var cases []struct {
			Models map[string]any
			Stack  any
		}
		require.NoError(t, json.Unmarshal(data, &cases))
		for _, c := range cases {
			var models []strata.Model
			for id := range c.Models {
				models = append(models, modeltest.New(id, modeltest.Answer("x")))
			}
			validate := config.SchemaValidator(func(json.RawMessage, []byte) error { return when.ErrSchema })
			build := func() {
				stack, err := json.Marshal(c.Stack)
				require.NoError(t, err)
				if seen[string(stack)] {
					return
				}
				seen[string(stack)] = true
				builds++
				assert.NotPanics(t, func() {
					layer, err := config.Build(stack, config.Models(models...), validate)
					assert.True(t, (layer == nil) == (err != nil), "%s", stack)
					if err != nil {
						assert.NotEmpty(t, err.Error())
					}
				}, "%s", stack)
			}
			var walk func(v any, set func(any))
			walk = func(v any, set func(any)) {
				for _, o := range odd {
					set(o)
					build()
				}
				set(v)
				switch v := v.(type) {
				case map[string]any:
					for k, e := range v {
						walk(e, func(x any) { v[k] = x })
						delete(v, k)
						build()
						v[k] = e
					}
				case []any:
					for i, e := range v {
						walk(e, func(x any) { v[i] = x })
					}
				}
			}
			walk(c.Stack, func(x any) { c.Stack = x })
		}
	}
	t.Logf("%d stacks", builds)
	assert.Greater(t, builds, 1000)
}
