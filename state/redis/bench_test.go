package redis_test

import (
	"context"
	"testing"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/state"
	"github.com/strata-go/strata/state/redis"
)

// BenchmarkSticky measures a call through Sticky over Fallback with its state in
// memory and in Redis on loopback, beside the bare model and Fallback alone. A
// "pinned" call begins at the model that took over.
func BenchmarkSticky(b *testing.B) {
	s := startServer(b)
	remote := redis.New(s.client(b))
	walk := middleware.Fallback(newLight("spare", false))
	over := func(store state.Store, base *light, requests int) strata.Model {
		return strata.Wrap(base, middleware.Sticky(middleware.ForRequests(requests), middleware.Store(store)), walk)
	}
	for _, bench := range []struct {
		name  string
		model strata.Model
	}{
		{"bare", newLight("base", false)},
		{"fallback", walk(newLight("base", false))},
		{"memory", over(&state.Memory{}, newLight("base", false), 1)},
		{"memory/pinned", over(&state.Memory{}, newLight("pinned", true), 1<<30)},
		{"redis", over(remote, newLight("base", false), 1)},
		{"redis/pinned", over(remote, newLight("pinned", true), 1<<30)},
		{"redis/bounded", over(state.Bounded(remote), newLight("base", false), 1)},
		{"redis/bounded/pinned", over(state.Bounded(remote), newLight("pinned", true), 1<<30)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bench.model.Generate(context.Background(), prompt); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

var prompt = strata.Prompt("hello")
