package statetest_test

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata/state"
	"github.com/strata-go/strata/state/statetest"
)

func TestRun(t *testing.T) {
	statetest.Run(t, &state.Memory{})
}

// In a test of a Store of one's own.
func ExampleRun() {
	_ = func(t *testing.T) {
		statetest.Run(t, &state.Memory{})
	}
}

type (
	get   func(context.Context, string) (state.Record, bool, error)
	write func(context.Context, string, state.Record) (bool, error)
)

// wrong is a Memory of which some operations do something else.
type wrong struct {
	get, take  get
	put, claim write
	swap       func(_ context.Context, key, old string, r state.Record) (bool, error)
	remove     func(context.Context, string) error
}

func (w wrong) Get(ctx context.Context, key string) (state.Record, bool, error) {
	return w.get(ctx, key)
}

func (w wrong) Take(ctx context.Context, key string) (state.Record, bool, error) {
	return w.take(ctx, key)
}

func (w wrong) Put(ctx context.Context, key string, r state.Record) (bool, error) {
	return w.put(ctx, key, r)
}

func (w wrong) Claim(ctx context.Context, key string, r state.Record) (bool, error) {
	return w.claim(ctx, key, r)
}

func (w wrong) Swap(ctx context.Context, key, old string, r state.Record) (bool, error) {
	return w.swap(ctx, key, old, r)
}

func (w wrong) Delete(ctx context.Context, key string) error { return w.remove(ctx, key) }

// mistakes are what an implementation may get wrong.
var mistakes = map[string]func(m *state.Memory, w *wrong){
	"take counts nothing": func(m *state.Memory, w *wrong) { w.take = m.Get },
	"get counts":          func(m *state.Memory, w *wrong) { w.get = m.Take },
	"take tells what is left after it": func(m *state.Memory, w *wrong) {
		w.take = func(ctx context.Context, key string) (state.Record, bool, error) {
			r, ok, err := m.Take(ctx, key)
			r.Left = max(0, r.Left-1)
			return r, ok, err
		}
	},
	"take is not atomic": func(m *state.Memory, w *wrong) {
		w.take = func(ctx context.Context, key string) (state.Record, bool, error) {
			r, ok, err := m.Get(ctx, key)
			runtime.Gosched() // others come in between
			_, _, _ = m.Take(ctx, key)
			return r, ok, err
		}
	},
	"put writes the same again": func(m *state.Memory, w *wrong) {
		w.put = func(ctx context.Context, key string, r state.Record) (bool, error) {
			_ = m.Delete(ctx, key)
			return m.Put(ctx, key, r)
		}
	},
	"put does not replace": func(m *state.Memory, w *wrong) { w.put = m.Claim },
	"claim replaces":       func(m *state.Memory, w *wrong) { w.claim = m.Put },
	"swap does not compare": func(m *state.Memory, w *wrong) {
		w.swap = func(ctx context.Context, key, _ string, r state.Record) (bool, error) { return m.Put(ctx, key, r) }
	},
	"swap does not remove": func(m *state.Memory, w *wrong) {
		w.swap = func(ctx context.Context, key, old string, r state.Record) (bool, error) {
			return m.Swap(ctx, key, old, state.Record{Value: r.Value, Left: r.Left})
		}
	},
	"delete does not": func(_ *state.Memory, w *wrong) {
		w.remove = func(context.Context, string) error { return nil }
	},
	"records do not end": func(m *state.Memory, w *wrong) {
		w.put = func(ctx context.Context, key string, r state.Record) (bool, error) {
			return m.Put(ctx, key, state.Record{Value: r.Value, Left: r.Left})
		}
	},
	"claims do not end": func(m *state.Memory, w *wrong) {
		w.claim = func(ctx context.Context, key string, r state.Record) (bool, error) {
			return m.Claim(ctx, key, state.Record{Value: r.Value, Left: r.Left})
		}
	},
	"keys meet": func(m *state.Memory, w *wrong) {
		w.put = func(ctx context.Context, _ string, r state.Record) (bool, error) { return m.Put(ctx, "", r) }
		w.get = func(ctx context.Context, _ string) (state.Record, bool, error) { return m.Get(ctx, "") }
	},
}

// mistakeEnv names the mistake that a process of its own is to make.
const mistakeEnv = "STRATA_TEST_MISTAKE"

// Run finds each mistake: a test binary that makes it fails.
func TestRunFindsMistakes(t *testing.T) {
	if name := os.Getenv(mistakeEnv); name != "" {
		var m state.Memory
		w := wrong{m.Get, m.Take, m.Put, m.Claim, m.Swap, m.Delete}
		mistakes[name](&m, &w)
		statetest.Run(t, w)
		return
	}
	for name := range mistakes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRunFindsMistakes$")
			cmd.Env = append(os.Environ(), mistakeEnv+"="+name)
			out, err := cmd.Output()
			var failed *exec.ExitError
			assert.ErrorAs(t, err, &failed, "%s", out)
			assert.Contains(t, string(out), "--- FAIL: TestRunFindsMistakes/")
		})
	}
}
