//go:build !race

package bench_test

import (
	"context"
	"runtime/debug"
	"testing"

	"github.com/strata-go/strata"
)

// What a part, a call, a stream and a failed attempt allocate, exactly: a count
// that rises has to be explained, one that falls is written down here.
func TestAllocs(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // no collection empties a pool meanwhile
	for _, test := range []struct {
		name         string
		layer        strata.Layer
		call, stream float64 // one that succeeds
		walk         float64 // a call whose first model fails and whose second answers; 0: there is no walk
	}{
		{"bare", strata.Chain(), 1, 4, 0},
		{"1 layer", layers(1), 2, 15, 4},
		{"3 layers", layers(3), 4, 30, 8},
		{"7 layers", layers(7), 5, 56, 9},
		{"7 layers, telemetry and logging", whole(), 8, 61, 12},
		{"7 layers, telemetry, logging and an idle deadline", wholeIdle(), 8, 64, 12},
	} {
		t.Run(test.name, func(t *testing.T) {
			few, many := test.layer(bare{n: 10}), test.layer(bare{n: 1000})
			check := func(what string, want float64, f func()) {
				t.Helper()
				if got := testing.AllocsPerRun(100, f); got != want {
					t.Errorf("%s: %v allocations, where %v are known", what, got, want)
				}
			}
			check("a call", test.call, func() { generate(t, few) })
			check("a stream of 10 parts", test.stream, func() { read(few) })
			check("a stream of 1000 parts", test.stream, func() { read(many) })
			if test.walk > 0 {
				walking := test.layer(failing{baseID})
				check("a failed attempt and its walk", test.walk, func() { generate(t, walking) })
			}
		})
	}
}

// What an open stream holds above a bare one, within bounds: its heap, and the
// reader's stack, which is 8 KiB until the frames of the layers outgrow it.
func TestAllocsOpenStreams(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("the frames of functions that are counted are larger")
	}
	const n = 2000
	hold(n, strata.Chain())
	bare := hold(n, strata.Chain())
	for name, layer := range map[string]strata.Layer{"7 layers": layers(7), "7 layers, telemetry and logging": whole(), "with an idle deadline": wholeIdle()} {
		h := hold(n, layer)
		if heap := h.heap - bare.heap; heap > 4096 {
			t.Errorf("%s: %.0f bytes of heap", name, heap)
		}
		if h.stack > 9<<10 {
			t.Errorf("%s: %.0f bytes of stack", name, h.stack)
		}
	}
}

func generate(t *testing.T, m strata.Model) {
	if _, err := m.Generate(context.Background(), prompt); err != nil {
		t.Fatal(err)
	}
}
