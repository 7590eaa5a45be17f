package breaker_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/breaker"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/state"
)

// One call of all that share the store is let through until it is judged.
func TestEdgeASharedProbeThatTakesLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := breaker.Store(new(state.Memory))
		a := breaker.New(breaker.Failures(1), shared)(modeltest.New("openai/a", fails(failure.Overload), modeltest.Attempt{modeltest.Wait(90 * time.Second), modeltest.Text("x"), modeltest.Finish(strata.FinishStop)}))
		other := modeltest.New("openai/a", answers)
		b := breaker.New(breaker.Failures(1), shared)(other)
		require.Error(t, call(t.Context(), a, false))
		time.Sleep(31 * time.Second)
		var done sync.WaitGroup
		done.Go(func() { _ = call(t.Context(), a, false) })
		time.Sleep(75 * time.Second)
		assert.ErrorIs(t, call(t.Context(), b, false), failure.ErrNotAsked, "the probe is not judged")
		assert.Empty(t, other.Calls())
		done.Wait()
	})
}

// A walk goes by the ID of its base: with breakers above and below that share a store
// no probe ever gets through.
func TestEdgeAboveAndBelowAWalk(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		b := breaker.New(breaker.Failures(1), breaker.Store(new(state.Memory)))
		base := modeltest.New("openai/a", fails(failure.Overload), answers)
		m := strata.Wrap(base, b, middleware.Backoff(middleware.Attempts(1)), b)
		require.Error(t, call(t.Context(), m))
		for range 5 {
			time.Sleep(time.Minute)
			if call(t.Context(), m) == nil {
				return
			}
		}
		t.Errorf("the model is back for minutes and nobody asks it: %d calls", len(base.Calls()))
	})
}

// 100 at once on a half-open breaker, whatever becomes of the probe; in memory and shared.
func TestEdgeOneProbeAtATime(t *testing.T) {
	for name, opts := range map[string][]breaker.Option{"alone": nil, "shared": {breaker.Store(new(state.Memory))}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var now, most atomic.Int64
				under := func(ctx context.Context, yield func(strata.Part, error) bool) bool {
					n := now.Add(1)
					defer now.Add(-1)
					if n > most.Load() {
						most.Store(n)
					}
					return modeltest.Wait(time.Second)(ctx, yield)
				}
				base := modeltest.New("openai/a", fails(failure.Overload),
					modeltest.Attempt{modeltest.Start(), under, modeltest.Hang()},
					modeltest.Attempt{modeltest.Start(), under, modeltest.Panic("x")},
					modeltest.Attempt{modeltest.Start(), under, modeltest.Fail(&failure.Error{Kind: failure.Invalid})},
					modeltest.Attempt{modeltest.Start(), under, modeltest.Fail(&failure.Error{Kind: failure.Overload})},
					answers)
				m := breaker.New(append(opts, breaker.Failures(1))...)(base)
				require.Error(t, call(t.Context(), m, true))
				for range 5 {
					time.Sleep(31 * time.Second)
					before := len(base.Calls())
					var all sync.WaitGroup
					for range 100 {
						all.Go(func() {
							defer func() { _ = recover() }()
							ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
							defer cancel()
							_ = call(ctx, m, true)
						})
					}
					all.Wait()
					if len(base.Calls()) <= 5 {
						assert.Equal(t, 1, len(base.Calls())-before, "one of 100")
					}
				}
				assert.LessOrEqual(t, most.Load(), int64(1))
				assert.NoError(t, call(t.Context(), m, true))
			})
		})
	}
}

// In both orders with the other layers, an answer comes once the model is back, and
// Fallback has one meanwhile.
func TestEdgeBothOrders(t *testing.T) {
	layers := map[string]strata.Layer{
		"cooldown": middleware.Cooldown(), "backoff": middleware.Backoff(middleware.Attempts(2), middleware.NoJitter()),
		"timeout": middleware.Timeout(middleware.Total(time.Hour)), "require": middleware.RequireContent(), "preamble": middleware.Preamble(),
		"sticky": middleware.Sticky(middleware.ForRequests(2)),
	}
	for name, layer := range layers {
		for order, outer := range map[string]bool{"above": true, "below": false} {
			t.Run(name+" "+order, func(t *testing.T) {
				bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
					b := breaker.New(breaker.Failures(2))
					each := strata.Chain(b, layer)
					if outer {
						each = strata.Chain(layer, b)
					}
					m := strata.Wrap(modeltest.New("openai/a", append(times(4, fails(failure.Overload)), answers)...), middleware.Fallback(modeltest.New("openai/b", answers)), each)
					for range 6 {
						assert.NoError(t, call(t.Context(), m))
					}
					time.Sleep(5 * time.Minute)
					for range 3 {
						assert.NoError(t, call(t.Context(), m))
					}
				})
			})
		}
	}
}
