package middleware_test

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
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/state"
)

// The same with Cooldown twice in one stack.
func TestEdgeCooldownTwiceOverOneStore(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		shared := middleware.Store(new(state.Memory))
		base := modeltest.New("openai/a", fails(failure.Rate, 0), answers)
		m := strata.Wrap(base, middleware.Cooldown(shared), middleware.Backoff(middleware.Attempts(1)), middleware.Cooldown(shared))
		require.Error(t, call(t.Context(), m))
		for range 5 {
			time.Sleep(time.Minute + 1)
			if call(t.Context(), m) == nil {
				return
			}
		}
		t.Errorf("the model is back for minutes and nobody asks it: %d calls", len(base.Calls()))
	})
}

// One call is let through until it is judged, however long that takes, and one that
// took too long frees no probe but its own.
func TestEdgeAProbeThatTakesLong(t *testing.T) {
	for name, test := range map[string]struct {
		probe, second time.Duration // how long the probe takes, and when another call comes
		calls         int           // with that
	}{
		"a long one is alone":               {290 * time.Second, 280 * time.Second, 2},
		"the company of a lost one is kept": {400 * time.Second, 300 * time.Second, 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				long := modeltest.Attempt{modeltest.Wait(test.probe), modeltest.Fail(&failure.Error{Kind: failure.Invalid})}
				base := modeltest.New("openai/a", fails(failure.Rate, 0), long, modeltest.Attempt{modeltest.Hang()}, answers)
				m := middleware.Cooldown()(base)
				require.Error(t, call(t.Context(), m, false))
				time.Sleep(time.Minute)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				go func() { _ = call(ctx, m, false) }() // the probe
				time.Sleep(test.second)
				go func() { _ = call(ctx, m, false) }()
				synctest.Wait()
				require.Len(t, base.Calls(), test.calls)
				time.Sleep(test.probe - test.second + 1) // the first has ended
				if test.calls == 3 {
					assert.ErrorIs(t, call(ctx, m, false), failure.ErrNotAsked, "the second probe is not judged")
				}
			})
		})
	}
}

// Two that share a store both have a call under way; the one that fails last knows
// nothing of the longer cooldown.
func TestEdgeALongerCooldownIsCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := middleware.Store(new(state.Memory))
		cool := middleware.Cooldown(shared)
		a := cool(modeltest.New("openai/a", modeltest.Attempt{modeltest.Wait(time.Second), modeltest.Fail(&failure.Error{Kind: failure.Quota})}))
		b := cool(modeltest.New("openai/a", modeltest.Attempt{modeltest.Wait(2 * time.Second), modeltest.Fail(&failure.Error{Kind: failure.Overload})}))
		var done sync.WaitGroup
		done.Go(func() { _ = call(t.Context(), a, false) })
		done.Go(func() { _ = call(t.Context(), b, false) })
		done.Wait()
		time.Sleep(time.Minute)
		third := modeltest.New("openai/a", answers)
		assert.ErrorIs(t, call(t.Context(), cool(third), false), failure.ErrNotAsked, "the quota is used up for an hour")
	})
}

// A late probe of one process deletes the cooldown that another has just begun.
func TestEdgeAnAnswerDeletesTheCooldownOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := middleware.Store(new(state.Memory))
		cool := middleware.Cooldown(shared)
		a := cool(modeltest.New("openai/a", fails(failure.Rate, 0), modeltest.Attempt{modeltest.Wait(310 * time.Second), modeltest.Text("x"), modeltest.Finish(strata.FinishStop)}))
		b := cool(modeltest.New("openai/a", fails(failure.Quota, 0)))
		require.Error(t, call(t.Context(), a, false))
		time.Sleep(time.Minute + 1)
		go func() { _ = call(t.Context(), a, false) }()
		time.Sleep(5*time.Minute + 1)
		require.Error(t, call(t.Context(), b, false)) // out for an hour
		time.Sleep(10 * time.Second)
		assert.ErrorIs(t, call(t.Context(), cool(modeltest.New("openai/a", answers)), false), failure.ErrNotAsked)
	})
}

// Exactly one of 100 is let through, time after time: the probe hangs, is left, panics.
func TestEdgeOneProbeAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int64
		under := func(ctx context.Context, yield func(strata.Part, error) bool) bool {
			n := now.Add(1)
			defer now.Add(-1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			return modeltest.Wait(time.Second)(ctx, yield)
		}
		base := modeltest.New("openai/a", fails(failure.Rate, 0),
			modeltest.Attempt{modeltest.Start(), under, modeltest.Hang()},
			modeltest.Attempt{modeltest.Start(), under, modeltest.Panic("x")},
			modeltest.Attempt{modeltest.Start(), under, modeltest.Fail(&failure.Error{Kind: failure.Invalid})},
			modeltest.Attempt{modeltest.Start(), under, modeltest.Fail(&failure.Error{Kind: failure.Overload, RetryAfter: 3 * time.Second})},
			modeltest.Attempt{modeltest.Start(), under, modeltest.Text("x"), modeltest.Finish(strata.FinishStop)})
		m := middleware.Cooldown()(base)
		require.Error(t, call(t.Context(), m, true))
		time.Sleep(time.Minute + 1)
		for range 6 {
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
			if len(base.Calls()) <= 6 {
				assert.LessOrEqual(t, most.Load(), int64(1))
			}
			time.Sleep(4 * time.Second)
		}
		assert.NoError(t, call(t.Context(), m, true))
	})
}

func TestEdgeAbsurdWaitIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cool := middleware.Cooldown(middleware.Store(new(state.Memory)), middleware.CooldownFor(290*365*24*time.Hour, failure.Auth))
		require.Error(t, call(t.Context(), cool(modeltest.New("openai/a", fails(failure.Auth, 0))), false))
		assert.ErrorIs(t, call(t.Context(), cool(modeltest.New("openai/a", answers)), false), failure.ErrNotAsked)
	})
}

// Under Fallback, in both orders, with streams that are left before, at and behind
// the commit: the probe is freed or judged.
func TestEdgeProbesThatReadersLeave(t *testing.T) {
	for parts, judged := range map[int]bool{3: true, 4: true, 5: true} {
		synctest.Test(t, func(t *testing.T) {
			base := modeltest.New("openai/a", fails(failure.Rate, 0), answers, fails(failure.Rate, 0), answers)
			m := strata.Wrap(base, middleware.Timeout(middleware.Total(time.Hour)), middleware.RequireContent(), middleware.Preamble(), middleware.Cooldown(), middleware.Backoff(middleware.Attempts(1)))
			require.Error(t, call(t.Context(), m, true))
			time.Sleep(time.Minute + 1)
			seen := 0
			for range m.Stream(t.Context(), prompt) {
				if seen++; seen == parts {
					break
				}
			}
			err := call(t.Context(), m, true)
			assert.NotErrorIs(t, err, failure.ErrNotAsked, "%d parts", parts)
			assert.Equal(t, judged, failure.Of(err) == failure.Rate)
		})
	}
}

// A wait of more than 31 days is none, whoever says it.
func TestEdgeAbsurdWait(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		m := middleware.Cooldown()(modeltest.New("openai/a", fails(failure.Rate, 400*24*time.Hour), answers))
		require.Error(t, call(t.Context(), m))
		time.Sleep(31*24*time.Hour + 1)
		assert.NoError(t, call(t.Context(), m))
	})
}
