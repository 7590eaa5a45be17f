package strata_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rank says where each package of the core stands. Imports point downwards: a
// package imports only packages of a lower rank, and none of a nested module.
var rank = map[string]int{
	"":        0, // the boundary
	"failure": 1,

	"internal/strictjson": 0,
	"state":               0,
	"state/statetest":     1,
	"internal/limits":     2,
	"internal/own":        1,
	"internal/wrap":       1,
	"internal/bench":      2,
	"internal/exchange":   2,
	"internal/recording":  3,
	"internal/lift":       5,
	"internal/dataurl":    0,
	"internal/apikey":     0,

	"embedding": 6,
	"image":     6,

	"stream":     2,
	"retry":      3,
	"middleware": 4,
	"when":       4,
	"refusal":    3,
	"modeltest":  3,
	"config":     5,

	"internal/watch":       4,
	"middleware/telemetry": 5,
	"middleware/logging":   5,
}

const module = "github.com/strata-go/strata"

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...).Output()
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// own returns a package's place in the module.
func own(path string) (string, bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

func TestImportsPointDownwards(t *testing.T) {
	for _, line := range goList(t, "-f", `{{.ImportPath}}:{{join .Imports " "}}`, "./...") {
		path, imports, _ := strings.Cut(line, ":")
		name, _ := own(path)
		place, ok := rank[name]
		assert.True(t, ok, "package %s has no place among the ranks", path)
		for imported := range strings.FieldsSeq(imports) {
			if name, ok := own(imported); ok {
				below, ok := rank[name]
				assert.True(t, ok && below < place, "%s imports %s", path, imported)
			}
		}
	}
}

func TestWhoeverUsesALayerLinksNoTelemetry(t *testing.T) {
	for _, dep := range goList(t, "-deps", "./middleware", "./refusal", "./config") {
		assert.NotContains(t, dep, "go.uber.org/zap")
		assert.NotContains(t, dep, "go.opentelemetry.io")
	}
}

// The core requires the four modules that it may, and what they bring.
func TestTheCoreRequiresLittle(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json").Output()
	require.NoError(t, err)
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	require.NoError(t, json.Unmarshal(out, &mod))
	require.NotEmpty(t, mod.Require)
	for _, r := range mod.Require {
		if !r.Indirect && !strings.HasPrefix(r.Path, "go.opentelemetry.io/otel/") { // which are modules of the same repository
			assert.Contains(t, []string{
				"github.com/cenkalti/backoff/v4", "github.com/stretchr/testify",
				"go.uber.org/zap", "go.opentelemetry.io/otel",
			}, r.Path)
		}
	}
}
