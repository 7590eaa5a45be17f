package middleware_test

import (
	"context"
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

// A key that has a Cooldown of its own, in a pool that shares its store: the pool
// claims the probe and the key's own Cooldown then finds it taken, for ever.
func TestEdgeCooldownBelowAPoolOfTheSameStore(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		shared := middleware.Store(new(state.Memory))
		one := key("1", fails(failure.Rate, 0), answers)
		two := key("2", fails(failure.Rate, 0), answers)
		cool := middleware.Cooldown(shared)
		m := middleware.KeyPoolWith([]strata.Model{cool(one), cool(two)}, shared)
		require.Error(t, call(t.Context(), m))
		for range 5 {
			time.Sleep(time.Minute + 1)
			if call(t.Context(), m) == nil {
				return
			}
		}
		t.Errorf("both keys are back for minutes and nobody asks them: %d and %d calls", len(one.Calls()), len(two.Calls()))
	})
}

// A pool goes by the ID without an account. One of its keys may have no account: in
// a shared store its cooldown is then that of the pool.
func TestEdgeCooldownOverAPoolOfTheSameStore(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		shared := middleware.Store(new(state.Memory))
		plain := modeltest.New("openai/a", fails(failure.Auth, 0))
		m := middleware.Cooldown(shared)(middleware.KeyPoolWith([]strata.Model{plain, key("us", answers)}, shared))
		require.NoError(t, call(t.Context(), m))
		assert.NoError(t, call(t.Context(), m), "the key us answers")
	})
}

// While each is asked the wait is that of the last, as of any walk; then the earliest
// time is that of the one which is back first.
func TestEdgeTheEarliestTime(t *testing.T) {
	layers := map[string]func(one, two strata.Model) strata.Model{
		"pool": func(one, two strata.Model) strata.Model { return middleware.KeyPool(one, two) },
		"walk": func(one, two strata.Model) strata.Model {
			return middleware.Fallback(middleware.Cooldown()(two))(middleware.Cooldown()(one))
		},
	}
	for name, layer := range layers {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
				m := layer(key("1", fails(failure.Rate, 5*time.Second), answers), key("2", fails(failure.Quota, 0), answers))
				err := call(t.Context(), m)
				assert.Zero(t, failure.RetryAfter(err), "both were asked: the last says no time")
				err = call(t.Context(), m)
				assert.Equal(t, 5*time.Second, failure.RetryAfter(err), "both cool down, the first for 5 s")
			})
		})
	}
}

// A Cooldown above a pool goes by the last failure alone, as all do above a walk.
func TestEdgeCooldownOverAPool(t *testing.T) {
	for name, test := range map[string]struct {
		first, last modeltest.Attempt
		out         time.Duration
	}{
		"the last for an hour": {fails(failure.Rate, 5*time.Second), fails(failure.Quota, 0), time.Hour},
		"the last for 5 s":     {fails(failure.Quota, 0), fails(failure.Rate, 5*time.Second), 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
				m := middleware.Cooldown()(middleware.KeyPool(key("1", test.first, answers), key("2", test.last, answers)))
				require.Error(t, call(t.Context(), m))
				time.Sleep(test.out - 1)
				assert.ErrorIs(t, call(t.Context(), m), failure.ErrNotAsked)
				time.Sleep(1)
				assert.NoError(t, call(t.Context(), m))
			})
		})
	}
}

// A pool cools down for what is a key's own; an overload that a Cooldown elsewhere
// wrote down for one key must not end calls that another key would answer.
func TestEdgeAPoolAndACooldownElsewhere(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		shared := middleware.Store(new(state.Memory))
		require.Error(t, call(t.Context(), middleware.Cooldown(shared)(key("1", fails(failure.Overload, 0)))))
		m := middleware.KeyPoolWith([]strata.Model{key("1", answers), key("2", answers)}, shared)
		for range 2 {
			assert.NoError(t, call(t.Context(), m), "the key 2 is healthy")
		}
	})
}

// A pool of keys that each have a Cooldown, as every candidate of a walk has.
func TestEdgeAPoolOfModelsWithCooldowns(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		cool := middleware.Cooldown()
		m := middleware.KeyPool(cool(key("1", fails(failure.Overload, 0))), cool(key("2", answers)))
		_ = call(t.Context(), m)
		for range 4 {
			assert.NoError(t, call(t.Context(), m), "the key 2 is healthy, and the pool knows that 1 was not asked")
		}
	})
}

// A call that asks one key and passes over the other tells the earlier of their times.
func TestEdgeTheEarliestTimeOfAskedAndNot(t *testing.T) {
	layers := map[string]func(one, two strata.Model) strata.Model{
		"pool": func(one, two strata.Model) strata.Model {
			return middleware.KeyPoolWith([]strata.Model{one}, middleware.NextTier(two))
		},
		"walk": func(one, two strata.Model) strata.Model {
			return middleware.Fallback(middleware.Cooldown()(two))(middleware.Cooldown()(one))
		},
	}
	for name, layer := range layers {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
				m := layer(key("1", fails(failure.Rate, 5*time.Second)), key("2", fails(failure.Quota, 0)))
				require.Error(t, call(t.Context(), m))
				time.Sleep(5*time.Second + 1)
				err := call(t.Context(), m)
				assert.Equal(t, 5*time.Second, failure.RetryAfter(err), "the first key, which was asked, is back in 5 s: %v", err)
			})
		})
	}
}

// A stream of a key that has committed is never another key's, and the key is benched.
func TestEdgeAPoolBehindTheCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		half := modeltest.Attempt{modeltest.Start(), modeltest.Text("x"), modeltest.Fail(&failure.Error{Kind: failure.Rate})}
		one, two := key("1", half), key("2", answers)
		m := strata.Wrap(middleware.KeyPool(one, two), middleware.Fallback(modeltest.New("openai/c", answers)), middleware.Backoff())
		require.Error(t, call(t.Context(), m, true))
		assert.Empty(t, two.Calls())
		for range 4 {
			require.NoError(t, call(t.Context(), m, true))
		}
		assert.Len(t, one.Calls(), 1)
		assert.Len(t, two.Calls(), 4)
	})
}
