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
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/state"
)

// A key that has a Cooldown of its own, in a pool that shares its store: the pool
// claims the probe and the key's own Cooldown then finds it taken, for ever.
func TestBreak5CooldownBelowAPoolOfTheSameStore(t *testing.T) {
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

// The same with Cooldown twice in one stack.
func TestBreak5CooldownTwiceOverOneStore(t *testing.T) {
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

// A pool goes by the ID without an account. One of its keys may have no account: in
// a shared store its cooldown is then that of the pool.
func TestBreak5CooldownOverAPoolOfTheSameStore(t *testing.T) {
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
func TestBreak5TheEarliestTime(t *testing.T) {
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
func TestBreak5CooldownOverAPool(t *testing.T) {
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

// One call is let through until it is judged, however long that takes, and one that
// took too long frees no probe but its own.
func TestBreak5AProbeThatTakesLong(t *testing.T) {
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
func TestBreak5ALongerCooldownIsCutShort(t *testing.T) {
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
func TestBreak5AnAnswerDeletesTheCooldownOfAnother(t *testing.T) {
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

// A pool cools down for what is a key's own; an overload that a Cooldown elsewhere
// wrote down for one key must not end calls that another key would answer.
func TestBreak5APoolAndACooldownElsewhere(t *testing.T) {
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
func TestBreak5APoolOfModelsWithCooldowns(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		cool := middleware.Cooldown()
		m := middleware.KeyPool(cool(key("1", fails(failure.Overload, 0))), cool(key("2", answers)))
		_ = call(t.Context(), m)
		for range 4 {
			assert.NoError(t, call(t.Context(), m), "the key 2 is healthy, and the pool knows that 1 was not asked")
		}
	})
}

type named struct {
	strata.Model
	id strata.ModelID
}

func (n named) ID() strata.ModelID { return n.id }

// Models with different IDs have different states.
func TestBreak5KeysThatMeet(t *testing.T) {
	for name, ids := range map[string][2]strata.ModelID{
		"an @ in the name":     {{Provider: "p", Name: "a@b"}, {Provider: "p", Name: "a", Account: "b"}},
		"a / in the provider":  {{Provider: "p/q", Name: "a"}, {Provider: "p", Name: "q/a"}},
		"an @ in the account":  {{Provider: "p", Name: "a@b", Account: "c"}, {Provider: "p", Name: "a", Account: "b@c"}},
		"no provider":          {{Name: "p/a"}, {Provider: "p", Name: "a"}},
		"line ends":            {{Provider: "p", Name: "a\nb"}, {Provider: "p", Name: "a"}},
		"a colon":              {{Provider: "p", Name: "a:probe"}, {Provider: "p", Name: "a"}},
		"a slash and probe":    {{Provider: "p", Name: "a/probe"}, {Provider: "p", Name: "a"}},
		"composed, decomposed": {{Provider: "p", Name: "é"}, {Provider: "p", Name: "e\u0301"}},
	} {
		t.Run(name, func(t *testing.T) {
			cool := middleware.Cooldown(middleware.Store(new(state.Memory)))
			require.Error(t, call(t.Context(), cool(named{modeltest.New("p/a", fails(failure.Rate, 0)), ids[0]}), false))
			assert.NoError(t, call(t.Context(), cool(named{modeltest.New("p/a", answers), ids[1]}), false), "%q is another model than %q", ids[1], ids[0])
		})
	}
}

// A model whose ID holds odd characters is as sticky as any other.
func TestBreak5StickyOddNames(t *testing.T) {
	for _, id := range []strata.ModelID{
		{Provider: "p", Name: "x@y"}, {Provider: "p", Name: "x/y:z"}, {Provider: "p", Name: "モデル"},
		{Provider: "p", Name: "x\ny"}, {Provider: "p\nq", Name: "x"}, {Provider: "p", Name: "x", Account: "a\nb"},
	} {
		base := modeltest.New("openai/a", fails(failure.Overload, 0))
		m := strata.Wrap(base, middleware.Sticky(middleware.ForRequests(3)), middleware.Fallback(named{modeltest.New("p/x", answers), id}))
		for range 4 {
			require.NoError(t, call(t.Context(), m, false))
		}
		assert.Len(t, base.Calls(), 1, "%q", id)
	}
}

// Exactly one of 100 is let through, time after time: the probe hangs, is left, panics.
func TestBreak5OneProbeAtATime(t *testing.T) {
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

// A retry that is not made, as its wait does not end before the caller's deadline, is
// none: it takes nothing of the budget.
func TestBreak5BudgetOfRetriesThatAreNotMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		budget := retry.NewBudget(retry.Share(0), retry.Floor(1))
		b := middleware.Backoff(middleware.RetryBudget(budget), middleware.NoJitter())
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		hurried := modeltest.New("openai/a", fails(failure.Overload, 0))
		require.Error(t, call(ctx, b(hurried), false))
		require.Len(t, hurried.Calls(), 1)
		other := modeltest.New("openai/a", fails(failure.Overload, 0), answers)
		assert.NoError(t, call(t.Context(), b(other), false), "no retry was made in this second")
	})
}

// Absurd waits, and garbage in the store.
func TestBreak5GarbageRecords(t *testing.T) {
	for _, value := range []string{"", " ", "overload", "overload x", "overload 99999999999999999999999", "\x00\xff", "overload -1", " 1"} {
		store := new(state.Memory)
		_, err := store.Put(t.Context(), "cooldown/openai/a//", state.Record{Value: value})
		require.NoError(t, err)
		_, err = store.Put(t.Context(), "sticky/openai/a//", state.Record{Value: value, Left: -3})
		require.NoError(t, err)
		m := strata.Wrap(modeltest.New("openai/a", answers), middleware.Sticky(middleware.ForRequests(3), middleware.Store(store)),
			middleware.Fallback(modeltest.New("openai/b", answers)), middleware.Cooldown(middleware.Store(store)))
		for range 3 {
			assert.NoError(t, call(t.Context(), m, true), "%q", value)
		}
	}
}

func TestBreak5AbsurdWaitIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cool := middleware.Cooldown(middleware.Store(new(state.Memory)), middleware.CooldownFor(290*365*24*time.Hour, failure.Auth))
		require.Error(t, call(t.Context(), cool(modeltest.New("openai/a", fails(failure.Auth, 0))), false))
		assert.ErrorIs(t, call(t.Context(), cool(modeltest.New("openai/a", answers)), false), failure.ErrNotAsked)
	})
}

// Under Fallback, in both orders, with streams that are left before, at and behind
// the commit: the probe is freed or judged.
func TestBreak5ProbesThatReadersLeave(t *testing.T) {
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

// A call that asks one key and passes over the other tells the earlier of their times.
func TestBreak5TheEarliestTimeOfAskedAndNot(t *testing.T) {
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

// A wait of more than 31 days is none, whoever says it.
func TestBreak5AbsurdWait(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		m := middleware.Cooldown()(modeltest.New("openai/a", fails(failure.Rate, 400*24*time.Hour), answers))
		require.Error(t, call(t.Context(), m))
		time.Sleep(31*24*time.Hour + 1)
		assert.NoError(t, call(t.Context(), m))
	})
}

// One budget for two Backoffs, one above the other: each counts what it is asked as
// a request, so the retries are at most the share of what both are asked.
func TestBreak5BudgetOfNestedBackoffs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		budget := retry.NewBudget(retry.Share(0.2), retry.Floor(0))
		b := middleware.Backoff(middleware.RetryBudget(budget), middleware.Attempts(2), middleware.Base(time.Nanosecond))
		base := modeltest.New("openai/a", fails(failure.Overload, 0))
		m := strata.Wrap(base, b, b)
		for range 100 {
			_ = call(t.Context(), m, false)
		}
		retries := len(base.Calls()) - 100
		assert.LessOrEqual(t, retries*10, 2*(100+100+retries), "of 100 requests to the outer one and the outer one's to the inner")
		assert.Positive(t, retries)
	})
}

// A stream of a key that has committed is never another key's, and the key is benched.
func TestBreak5APoolBehindTheCommit(t *testing.T) {
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
