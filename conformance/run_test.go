package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// runCases runs TestCases of this binary over a folder with one file of cases.
func runCases(t *testing.T, cases string, args ...string) (output string, failed bool) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.json"), []byte(cases), 0o600))
	cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"-test.run=^TestCases$", "-test.v"}, args...)...)
	cmd.Env = append(os.Environ(), "STRATA_CASES="+dir)
	out, err := cmd.CombinedOutput()
	return string(out), err != nil
}

// TestRun looks at what a run of some cases prints, wrong ones among them.
func TestRun(t *testing.T) {
	const (
		head   = `"model": "openai/a", "models": {"openai/a": [[{"text": "Hi"}, {"finish": "stop"}]], "openai/b": [[{"hang": true}]]}`
		passes = `{"name": "passes", ` + head + `, "stack": [], "runs": [{"op": "stream", "want": {"text": "Hi"}}]}`
		fails  = `{"name": "fails", ` + head + `, "stack": [], "runs": [{"op": "stream", "want": {"text": "Ho"}}]}`
		stuck  = `{"name": "stuck", "model": "openai/b", "models": {"openai/b": [[{"hang": true}]]}, "stack": [], "runs": [{"op": "stream", "want": {}}]}`
		wrong  = `{"name": "wrong", ` + head + `, "stack": [], "runs": [{"op": "stream", "want": {"txt": "Hi"}}]}`
	)
	for _, tt := range []struct {
		name   string
		cases  []string
		args   []string
		failed bool
		prints []string
	}{
		{"all pass", []string{passes}, nil, false, []string{"\ncases: 1 passed, 0 failed, 0 skipped\n"}},
		{"one of each", []string{fails, passes}, nil, true, []string{
			"\ncases: 1 passed, 1 failed, 0 skipped\n",
			`run 0: text: got "Hi", want "Ho"`, "--- FAIL: TestCases/fails",
			"--- PASS: TestCases/passes",
		}},
		{"a call that never returns", []string{stuck, passes}, nil, true, []string{
			"deadlock", "--- FAIL: TestCases/stuck", "\ncases: 1 passed, 1 failed, 0 skipped\n",
		}},
		{"an unknown field", []string{passes, wrong}, nil, true, []string{
			`conformance: x.json: case "wrong": .runs[0].want: unknown field "txt"`,
		}},
		{"some are chosen", []string{passes, fails}, []string{"-test.run=^TestCases$/^passes$"}, false, []string{
			"\ncases: 1 passed, 0 failed, 0 skipped\n",
		}},
		{"no case", nil, nil, true, []string{"conformance: there is no case in "}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			output, failed := runCases(t, "["+strings.Join(tt.cases, ",\n")+"]", tt.args...)
			assert.Equal(t, tt.failed, failed)
			for _, want := range tt.prints {
				assert.Contains(t, output, want)
			}
		})
	}
}
