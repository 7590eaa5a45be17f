package middleware_test

import (
	"context"
	"errors"
	"fmt"
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
	"github.com/strata-go/strata/stream"
)

// fails is an attempt that fails with a kind, and a wait that the server asks
// for, or 0.
func fails(kind failure.Kind, wait time.Duration) modeltest.Attempt {
	return modeltest.Failure(&failure.Error{
		Model: strata.ModelID{Provider: "openai", Name: "a"}, Kind: kind, Message: "from the provider", RetryAfter: wait,
	})
}

var answers = modeltest.Answer("hi")

// call makes a call, whole or streamed.
func call(ctx context.Context, m strata.Model, streamed bool) error {
	if !streamed {
		_, err := m.Generate(ctx, prompt)
		return err
	}
	_, err := stream.Collect(m.Stream(ctx, prompt))
	return err
}

// bothWays runs f in a bubble for whole and for streamed calls.
func bothWays(t *testing.T, f func(t *testing.T, call func(context.Context, strata.Model) error)) {
	for name, streamed := range map[string]bool{"generate": false, "stream": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f(t, func(ctx context.Context, m strata.Model) error { return call(ctx, m, streamed) })
			})
		})
	}
}

func TestCooldownWaits(t *testing.T) {
	s := time.Second
	for name, test := range map[string]struct {
		opts  []middleware.CooldownOption
		fails modeltest.Attempt
		want  time.Duration // 0: none
	}{
		"rate":                    {nil, fails(failure.Rate, 0), time.Minute},
		"overload":                {nil, fails(failure.Overload, 0), 30 * s},
		"timeout":                 {nil, fails(failure.Timeout, 0), 30 * s},
		"network":                 {nil, fails(failure.Network, 0), 30 * s},
		"quota":                   {nil, fails(failure.Quota, 0), time.Hour},
		"auth":                    {nil, fails(failure.Auth, 0), time.Hour},
		"entitlement":             {nil, fails(failure.Entitlement, 0), time.Hour},
		"model":                   {nil, fails(failure.Model, 0), time.Hour},
		"unknown":                 {nil, fails(failure.Unknown, 0), 0},
		"content":                 {nil, fails(failure.Content, 9*s), 0},
		"context":                 {nil, fails(failure.Context, 9*s), 0},
		"invalid":                 {nil, fails(failure.Invalid, 9*s), 0},
		"aborted":                 {nil, fails(failure.Aborted, 9*s), 0},
		"rate, said shorter":      {nil, fails(failure.Rate, 2*s), 2 * s},
		"rate, said longer":       {nil, fails(failure.Rate, 5*time.Hour), 5 * time.Hour},
		"quota, said":             {nil, fails(failure.Quota, 26*time.Hour), 26 * time.Hour},
		"overload, said":          {nil, fails(failure.Overload, 7*s), 7 * s},
		"a default of one's own":  {[]middleware.CooldownOption{middleware.CooldownFor(4*s, failure.Rate, failure.Auth)}, fails(failure.Auth, 0), 4 * s},
		"one's own, said":         {[]middleware.CooldownOption{middleware.CooldownFor(4*s, failure.Rate)}, fails(failure.Rate, 9*s), 9 * s},
		"turned off":              {[]middleware.CooldownOption{middleware.CooldownFor(0, failure.Rate)}, fails(failure.Rate, 9*s), 0},
		"a kind that is not one":  {[]middleware.CooldownOption{middleware.CooldownFor(4*s, failure.Unknown)}, fails(failure.Unknown, 0), 4 * s},
		"the model's own timeout": {nil, modeltest.Failure(context.DeadlineExceeded), 30 * s},
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
				base := modeltest.New("openai/a", test.fails, answers)
				m := middleware.Cooldown(test.opts...)(base)
				err := call(t.Context(), m)
				require.Error(t, err)
				assert.NotErrorIs(t, err, failure.ErrNotAsked)
				if test.want == 0 {
					require.NoError(t, call(t.Context(), m))
					return
				}
				time.Sleep(test.want / 2)
				refused := call(t.Context(), m)
				require.ErrorIs(t, refused, failure.ErrNotAsked)
				assert.EqualError(t, refused, fmt.Sprintf("openai/a: %s: cooldown: not asked for another %v", failure.Of(err), test.want/2))
				assert.Equal(t, failure.Of(err), failure.Of(refused), "the kind that began it")
				assert.Equal(t, test.want/2, failure.RetryAfter(refused))
				time.Sleep(test.want/2 - 1)
				assert.ErrorIs(t, call(t.Context(), m), failure.ErrNotAsked)
				assert.Len(t, base.Calls(), 1, "nobody was asked")
				time.Sleep(1)
				require.NoError(t, call(t.Context(), m))
				require.NoError(t, call(t.Context(), m), "it is back")
				assert.Len(t, base.Calls(), 3)
			})
		})
	}
}

// What the caller ended says nothing of the model, and neither does what a
// Timeout above ended; a Timeout below does.
func TestCooldownAndWhoEndedTheCall(t *testing.T) {
	hang := modeltest.Attempt{modeltest.Start(), modeltest.Hang()}
	limit := middleware.Timeout(middleware.Total(time.Second))
	for name, test := range map[string]struct {
		stack strata.Layer
		ctx   func(context.Context) (context.Context, context.CancelFunc)
		cools bool
	}{
		"the caller's deadline": {middleware.Cooldown(), func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Second)
		}, false},
		"the caller's cancel": {middleware.Cooldown(), func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Second, cancel)
			return ctx, cancel
		}, false},
		"a limit above": {strata.Chain(limit, middleware.Cooldown()), context.WithCancel, false},
		"a limit below": {strata.Chain(middleware.Cooldown(), limit), context.WithCancel, true},
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
				m := test.stack(modeltest.New("openai/a", hang, answers))
				ctx, cancel := test.ctx(t.Context())
				defer cancel()
				require.Error(t, call(ctx, m))
				if err := call(t.Context(), m); test.cools {
					assert.ErrorIs(t, err, failure.ErrNotAsked)
				} else {
					assert.NoError(t, err)
				}
			})
		})
	}
}

// The probe decides: what its outcome means for the call after it.
func TestCooldownProbe(t *testing.T) {
	begun := modeltest.Attempt{modeltest.Start(), modeltest.Text("half")}
	half := func(kind failure.Kind) modeltest.Attempt { return append(begun[:2:2], fails(kind, 0)...) }
	const back, cools, probes = "back", "cools down", "probes again"
	for name, test := range map[string]struct {
		probe modeltest.Attempt
		want  string
	}{
		"answers":                 {answers, back},
		"fails again":             {fails(failure.Overload, 0), cools},
		"fails behind its commit": {half(failure.Overload), cools},
		"is refused":              {fails(failure.Content, 0), back},
		"is invalid":              {fails(failure.Invalid, 0), probes},
		"fails, nobody knows why": {fails(failure.Unknown, 0), probes},
		"was passed over below":   {modeltest.Failure(&failure.Error{Kind: failure.Overload, RetryAfter: time.Hour, Err: failure.ErrNotAsked}), probes},
		"just stops":              {begun, cools},
		"answers, with nothing":   {modeltest.Attempt{modeltest.Finish(strata.FinishStop)}, back},
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
				base := modeltest.New("openai/a", fails(failure.Overload, 0), test.probe, modeltest.Attempt{modeltest.Wait(time.Second), modeltest.Finish(strata.FinishStop)})
				m := middleware.Cooldown()(base)
				require.Error(t, call(t.Context(), m))
				time.Sleep(30 * time.Second)
				call(t.Context(), m)
				require.Len(t, base.Calls(), 2, "the probe")

				// Of two calls at once, both are let through, one, or none.
				errs := make(chan error)
				for range 2 {
					go func() { errs <- call(t.Context(), m) }()
				}
				first, second := <-errs, <-errs
				switch test.want {
				case back:
					assert.NoError(t, first)
					assert.NoError(t, second)
				case probes:
					assert.EqualError(t, first, "openai/a: overload: cooldown: not asked while one call finds out whether it is back")
					assert.Equal(t, time.Second, failure.RetryAfter(first))
					assert.NoError(t, second)
				case cools:
					assert.ErrorContains(t, first, "cooldown: not asked for another 30s")
					assert.ErrorContains(t, second, "cooldown: not asked for another 30s")
				}
			})
		})
	}
}

// A stream that is a probe lets the others in at its commit point.
func TestCooldownProbeIsJudgedAtItsCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := middleware.Cooldown()(modeltest.New("openai/a", fails(failure.Overload, 0), answers))
		require.Error(t, call(t.Context(), m, true))
		time.Sleep(30 * time.Second)
		seen := 0
		for p, err := range m.Stream(t.Context(), prompt) {
			require.NoError(t, err)
			seen++
			other := call(t.Context(), m, true)
			if _, ok := p.(strata.TextDelta); ok || seen > 3 {
				assert.NoError(t, other, "part %d", seen)
			} else {
				assert.ErrorIs(t, other, failure.ErrNotAsked, "part %d", seen)
			}
		}
		assert.Equal(t, 5, seen)
	})
}

// A probe whose caller leaves, or that panics, is free for another call.
func TestCooldownFreesTheProbe(t *testing.T) {
	for name, probe := range map[string]func(t *testing.T, m strata.Model){
		"the reader leaves": func(t *testing.T, m strata.Model) {
			for range m.Stream(t.Context(), prompt) {
				break
			}
		},
		"the caller cancels": func(t *testing.T, m strata.Model) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			for range m.Stream(ctx, prompt) {
				cancel()
			}
		},
		"the model panics": func(t *testing.T, m strata.Model) {
			assert.Panics(t, func() { call(t.Context(), m, false) })
		},
		"the reader panics": func(t *testing.T, m strata.Model) {
			assert.Panics(t, func() {
				for range m.Stream(t.Context(), prompt) {
					panic("reader")
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base := modeltest.New("openai/a", fails(failure.Overload, 0),
					modeltest.Attempt{modeltest.Start(), func(ctx context.Context, _ func(strata.Part, error) bool) bool {
						if ctx.Err() == nil {
							panic("model")
						}
						return true
					}, modeltest.Hang()}, answers)
				m := middleware.Cooldown()(base)
				require.Error(t, call(t.Context(), m, false))
				time.Sleep(30 * time.Second)
				probe(t, m)
				require.NoError(t, call(t.Context(), m, false))
				assert.Len(t, base.Calls(), 3)
			})
		})
	}
}

// A walk passes over what cools down, and where all do it says when the first
// is back.
func TestCooldownUnderAWalk(t *testing.T) {
	s := time.Second
	each := middleware.Cooldown()
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		a := modeltest.New("openai/a", fails(failure.Rate, 9*s), answers)
		b := modeltest.New("anthropic/b", answers, fails(failure.Overload, 5*s), answers)
		m := strata.Wrap(each(a), middleware.Fallback(each(b)))
		require.NoError(t, call(t.Context(), m)) // b answers
		time.Sleep(s)
		assert.EqualError(t, call(t.Context(), m), "fallback: gave up after 2 attempts (nothing is left that may fix it): openai/a: overload: from the provider")
		assert.Len(t, a.Calls(), 1, "a was passed over")

		begun := time.Now()
		err := call(t.Context(), m)
		assert.Zero(t, time.Since(begun))
		assert.EqualError(t, err, "fallback: gave up after 2 attempts (none may be asked for another 5s): anthropic/b: overload: cooldown: not asked for another 5s")
		assert.True(t, failure.NotAsked(err))
		time.Sleep(4 * s)
		err = call(t.Context(), m)
		assert.Equal(t, s, failure.RetryAfter(err))

		// A layer that waits as long as it is told gets the answer then.
		require.NoError(t, call(t.Context(), middleware.Backoff()(m)))
		assert.Equal(t, begun.Add(5*s), time.Now())
		assert.Len(t, a.Calls(), 1)
	})
}

// The kind that began it is what a walk goes by: a sister model on the same
// account is ruled out by a refused key, not by an overload.
func TestCooldownKeepsTheRuleOfTheWalk(t *testing.T) {
	for kind, want := range map[failure.Kind]int{failure.Auth: 0, failure.Overload: 2} {
		t.Run(string(kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sister := modeltest.New("openai/b", answers)
				m := strata.Wrap(modeltest.New("openai/a", fails(kind, 0)), middleware.Fallback(sister), middleware.Cooldown())
				call(t.Context(), m, false)
				call(t.Context(), m, false)
				assert.Len(t, sister.Calls(), want)
			})
		})
	}
}

// A longer cooldown is not cut short by a call that was under way.
func TestTheLongestCooldownCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := append(modeltest.Attempt{modeltest.Wait(2 * time.Second)}, fails(failure.Overload, 0)...)
		m := middleware.Cooldown()(modeltest.New("openai/a", late, fails(failure.Quota, 0), answers))
		var wg sync.WaitGroup
		wg.Go(func() { assert.Error(t, call(t.Context(), m, false)) })
		synctest.Wait()
		require.Error(t, call(t.Context(), m, false))
		wg.Wait()
		assert.EqualError(t, call(t.Context(), m, false), "openai/a: quota: cooldown: not asked for another 59m58s")
	})
}

// Two processes with one store know the same; of each only one probes.
func TestCooldownIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := middleware.Store(new(state.Memory))
		a := modeltest.New("openai/a", fails(failure.Overload, 0), modeltest.Attempt{modeltest.Wait(time.Second), modeltest.Finish(strata.FinishStop)})
		one, two := middleware.Cooldown(store)(a), middleware.Cooldown(store)(a)
		other := middleware.Cooldown(store)(modeltest.New("openai/b", answers))
		require.Error(t, call(t.Context(), one, false))
		assert.ErrorIs(t, call(t.Context(), two, false), failure.ErrNotAsked)
		assert.NoError(t, call(t.Context(), other, false), "another model")
		time.Sleep(30 * time.Second)

		var refused, answered atomic.Int64
		var wg sync.WaitGroup
		for i := range 100 {
			wg.Go(func() {
				switch err := call(t.Context(), []strata.Model{one, two}[i%2], false); {
				case err == nil:
					answered.Add(1)
				case errors.Is(err, failure.ErrNotAsked):
					refused.Add(1)
				}
			})
		}
		wg.Wait()
		assert.Equal(t, int64(1), answered.Load())
		assert.Equal(t, int64(99), refused.Load())
		assert.NoError(t, call(t.Context(), one, false))
		assert.NoError(t, call(t.Context(), two, false))
	})
}

// down is a store that fails.
type down struct{ state.Store }

var errDown = errors.New("the store is down")

func (down) Get(context.Context, string) (state.Record, bool, error) {
	return state.Record{}, false, errDown
}
func (down) Put(context.Context, string, state.Record) (bool, error)   { return false, errDown }
func (down) Claim(context.Context, string, state.Record) (bool, error) { return false, errDown }
func (down) Swap(context.Context, string, string, state.Record) (bool, error) {
	return false, errDown
}
func (down) Delete(context.Context, string) error { return errDown }

func TestAStoreThatFailsFailsNoCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := middleware.Cooldown(middleware.Store(down{}))(modeltest.New("openai/a", answers, fails(failure.Overload, 0), answers))
		require.NoError(t, call(t.Context(), m, true))
		require.Error(t, call(t.Context(), m, true))
		assert.ErrorIs(t, call(t.Context(), m, true), failure.ErrNotAsked, "what the layer knows itself it knows")
		time.Sleep(30 * time.Second)
		require.NoError(t, call(t.Context(), m, true))
	})
}

func TestCooldownOptionsThatMakeNoSense(t *testing.T) {
	for want, make := range map[string]func(){
		"middleware.CooldownFor(-1s): the duration is negative":     func() { middleware.CooldownFor(-time.Second) },
		`middleware.CooldownFor(1s, "slow"): there is no such kind`: func() { middleware.CooldownFor(time.Second, "slow") },
		"middleware.Store(nil): the store is nil":                   func() { middleware.Store(nil) },
		"middleware.Cooldown: option 0 is nil":                      func() { middleware.Cooldown(nil) },
		"middleware.Cooldown: the model is nil":                     func() { middleware.Cooldown()(nil) },
		"middleware.RetryBudget(nil): the budget is nil":            func() { middleware.RetryBudget(nil) },
	} {
		assert.PanicsWithValue(t, want, make)
	}
}

func ExampleCooldown() {
	throttled := &failure.Error{Kind: failure.Rate, Message: "slow down", RetryAfter: 20 * time.Second}
	gpt := modeltest.New("openai/gpt-5", modeltest.Failure(throttled))
	claude := modeltest.New("anthropic/claude", modeltest.Answer("Hello"))

	each := middleware.Cooldown()
	model := strata.Wrap(each(gpt), middleware.Fallback(each(claude)))
	for range 3 {
		resp, err := model.Generate(context.Background(), strata.Prompt("Say hello."))
		fmt.Println(resp.Model, err)
	}
	fmt.Println(len(gpt.Calls()), "call to gpt-5")
	// Output:
	// anthropic/claude <nil>
	// anthropic/claude <nil>
	// anthropic/claude <nil>
	// 1 call to gpt-5
}

func TestRetryBudget(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		budget := middleware.RetryBudget(retry.NewBudget(retry.Floor(2), retry.Share(0)))
		base := modeltest.New("openai/a", fails(failure.Overload, 0))
		backoff := middleware.Backoff(middleware.Base(0), budget)(base)
		assert.EqualError(t, call(t.Context(), backoff), "backoff: gave up after 3 attempts (its attempts are used up): openai/a: overload: from the provider")
		assert.EqualError(t, call(t.Context(), backoff), "openai/a: overload: from the provider")
		assert.Len(t, base.Calls(), 4)

		// Rules pass over what would retry, and go on to what does not.
		rules := strata.Wrap(base, middleware.Rules(retry.Retry[strata.Model](nil), modeltest.New("anthropic/b", answers), budget))
		assert.NoError(t, call(t.Context(), rules))
		assert.Len(t, base.Calls(), 5)

		time.Sleep(time.Second)
		assert.NoError(t, call(t.Context(), rules))
		assert.Len(t, base.Calls(), 7)
		var walk *retry.Error
		require.ErrorAs(t, call(t.Context(), backoff), &walk)
		assert.Equal(t, retry.ReasonBudget, walk.Reason)
		assert.Len(t, base.Calls(), 9)
	})
}
