package fantasy_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests over fantasy's own providers are a module of their own, in the folder
// wires, which the workspace cannot hold: fantasy's OpenAI provider needs an older
// openai-go than strata's. These run them all the same.

// TestRecordings replays recorded answers through fantasy's providers.
func TestRecordedTraffic(t *testing.T) {
	if dir := os.Getenv("STRATA_RECORDINGS"); dir != "" {
		path, err := filepath.Abs(dir)
		require.NoError(t, err)
		t.Setenv("STRATA_RECORDINGS", path)
	}
	wires(t, "-run", "^TestRecordedTraffic$", "-v")
}

// TestOverFantasysProviders runs the other tests.
func TestOverFantasysProviders(t *testing.T) { wires(t, "-skip", "^TestRecordedTraffic$") }

func wires(t *testing.T, args ...string) {
	if testing.Short() {
		t.Skip("fantasy's providers are large: not in a short run")
	}
	t.Setenv("GOWORK", "off")
	run := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = "wires"
		return cmd.CombinedOutput()
	}
	if out, err := run("list", "-test", "-deps", "."); err != nil {
		t.Skipf("fantasy's providers are not to be had here: %v: %.500s", err, out)
	}
	out, err := run(append([]string{"test", "-count=1", "."}, args...)...)
	fmt.Printf("%s", out)
	require.NoError(t, err)
}
