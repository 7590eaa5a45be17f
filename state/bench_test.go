package state_test

import (
	"testing"

	"github.com/strata-go/strata/state"
)

// BenchmarkTake measures the operation that every call with a sticky state makes.
func BenchmarkTake(b *testing.B) {
	for name, store := range map[string]state.Store{
		"memory":         &state.Memory{},
		"bounded":        state.Bounded(&state.Memory{}),
		"bounded/outage": state.Bounded(&remote{err: errDown}),
	} {
		if _, err := store.Put(b.Context(), "key", state.Record{Value: "a", Left: 1 << 30}); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, ok, _ := store.Take(b.Context(), "key"); !ok {
					b.Fatal("there is nothing")
				}
			}
		})
	}
}
