package redis_test

import (
	"context"
	"testing"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/breaker"
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
	measure(b, []subject{
		{"bare", newLight("base", false)},
		{"fallback", walk(newLight("base", false))},
		{"memory", over(&state.Memory{}, newLight("base", false), 1)},
		{"memory/pinned", over(&state.Memory{}, newLight("pinned", true), 1<<30)},
		{"redis", over(remote, newLight("base", false), 1)},
		{"redis/pinned", over(remote, newLight("pinned", true), 1<<30)},
		{"redis/bounded", over(state.Bounded(remote), newLight("base", false), 1)},
		{"redis/bounded/pinned", over(state.Bounded(remote), newLight("pinned", true), 1<<30)},
	})
}

// BenchmarkLayers measures a call that succeeds through each other layer with a
// state, in memory and in Redis on loopback, beside the bare model.
func BenchmarkLayers(b *testing.B) {
	s := startServer(b)
	subjects := []subject{{"bare", newLight("base", false)}}
	for _, where := range []struct {
		name  string
		store state.Store
	}{{"memory", &state.Memory{}}, {"redis", redis.New(s.client(b))}, {"redis/bounded", state.Bounded(redis.New(s.client(b)))}} {
		one, two := newLight("base", false), newLight("base", false)
		one.id.Account, two.id.Account = "1", "2"
		pool := middleware.KeyPoolWith([]strata.Model{one, two}, middleware.Store(where.store))
		subjects = append(subjects,
			subject{"cooldown/" + where.name, middleware.Cooldown(middleware.Store(where.store))(newLight("base", false))},
			subject{"breaker/" + where.name, breaker.New(breaker.Store(where.store))(newLight("base", false))},
			subject{"key pool/" + where.name, pool},
		)
	}
	measure(b, subjects)
}

// subject is a model that is measured.
type subject struct {
	name  string
	model strata.Model
}

func measure(b *testing.B, subjects []subject) {
	for _, bench := range subjects {
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
