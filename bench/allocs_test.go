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
		{"1 layer", layers(1), 2, 14, 4},
		{"3 layers", layers(3), 4, 32, 8},
		{"7 layers", layers(7), 5, 62, 9},
		{"7 layers, telemetry and logging", whole(), 5, 64, 9},
		{"7 layers, telemetry, logging and an idle deadline", wholeIdle(), 5, 67, 9},
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

func generate(t *testing.T, m strata.Model) {
	if _, err := m.Generate(context.Background(), prompt); err != nil {
		t.Fatal(err)
	}
}
