package retry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/retry"
)

// next is a plan written as a function.
type next func(ctx context.Context, tries []retry.Try[string, int]) (*retry.Step[string], retry.Reason)

func (n next) Next(ctx context.Context, tries []retry.Try[string, int]) (*retry.Step[string], retry.Reason) {
	return n(ctx, tries)
}

// steps is a plan that makes these steps, a failure each, and then stops.
func steps(reason retry.Reason, steps ...retry.Step[string]) next {
	return func(_ context.Context, tries []retry.Try[string, int]) (*retry.Step[string], retry.Reason) {
		if n := len(tries); n > 0 && tries[n-1].Err == nil {
			return nil, retry.ReasonAccepted
		}
		if len(tries) == len(steps) {
			return nil, reason
		}
		return &steps[len(tries)], ""
	}
}

// call is one run of a loop, with what was asked.
type call struct {
	asked []string
	loop  retry.Loop[string, int]
	plan  retry.Plan[string, int]
	do    retry.AttemptFunc[string, int]
}

func (c *call) run(ctx context.Context) (int, error) { return c.loop.Run(ctx, c.plan, nil, c.do) }

// newCall returns a run whose attempts have these outcomes.
func newCall(plan next, outcomes ...retry.Outcome[int]) *call {
	c := &call{plan: plan}
	c.loop = retry.Loop[string, int]{
		Layer: "test",
		ID:    func(m string) strata.ModelID { return strata.ModelID{Provider: "p", Name: m} },
	}
	c.do = func(_ context.Context, a retry.Attempt[string]) retry.Outcome[int] {
		c.asked = append(c.asked, a.Model)
		return outcomes[a.Number-1]
	}
	return c
}

var (
	boom  = errors.New("boom")
	crash = errors.New("crash")

	a = retry.Step[string]{Model: "a"}
	b = retry.Step[string]{Model: "b"}
)

func fails(err error) retry.Outcome[int] { return retry.Outcome[int]{Err: err} }
func answers(n int) retry.Outcome[int]   { return retry.Outcome[int]{Result: n} }

func TestRun(t *testing.T) {
	for name, test := range map[string]struct {
		call   *call
		asked  []string
		result int
		err    string
	}{
		"the first answers":            {newCall(steps("", a, b), answers(1)), []string{"a"}, 1, ""},
		"the second answers":           {newCall(steps("", a, b), fails(boom), answers(2)), []string{"a", "b"}, 2, ""},
		"one attempt fails: its error": {newCall(steps(retry.ReasonKind, a), fails(boom)), []string{"a"}, 0, "boom"},
		"all fail: the last, and how many": {newCall(steps(retry.ReasonAttempts, a, b), fails(crash), fails(boom)), []string{"a", "b"}, 0,
			"test: gave up after 2 attempts (its attempts are used up): boom"},
		"final with an error": {newCall(steps("", a, b), retry.Outcome[int]{Err: boom, Final: true}), []string{"a"}, 0, "boom"},
		"final with an error after another": {newCall(steps("", a, b), fails(crash), retry.Outcome[int]{Err: boom, Final: true}), []string{"a", "b"}, 0,
			"test: gave up after 2 attempts (output was handed on): boom"},
		"final with a result": {newCall(steps("", a, b), retry.Outcome[int]{Result: 3, Final: true}), []string{"a"}, 3, ""},
		"no step at all":      {newCall(steps(retry.ReasonKind)), nil, 0, "test: gave up after 0 attempts (nothing is left that may fix it)"},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := test.call.run(t.Context())
			if test.err == "" {
				assert.NoError(t, err)
			} else {
				assert.EqualError(t, err, test.err)
			}
			assert.Equal(t, test.result, result)
			assert.Equal(t, test.asked, test.call.asked)
			if walk, ok := errors.AsType[*retry.Error](err); ok {
				var models []string
				for _, id := range walk.Models {
					models = append(models, id.Name)
				}
				assert.Equal(t, test.asked, models)
			}
		})
	}
}

// rejecting is a plan that takes no answer below 3, and has n steps.
func rejecting(n int, wait time.Duration) next {
	return func(_ context.Context, tries []retry.Try[string, int]) (*retry.Step[string], retry.Reason) {
		if k := len(tries); k == n || k > 0 && tries[k-1].Err == nil && tries[k-1].Result >= 3 {
			return nil, retry.ReasonAttempts
		}
		return &retry.Step[string]{Model: "a", Wait: wait}, ""
	}
}

func TestRejectedResults(t *testing.T) {
	t.Run("are tried again", func(t *testing.T) {
		got, err := newCall(rejecting(3, 0), answers(1), answers(3)).run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 3, got)
	})
	t.Run("are the answer when there is nothing left", func(t *testing.T) {
		got, err := newCall(rejecting(2, 0), answers(1), answers(2)).run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 2, got)
	})
	t.Run("are the answer when the wait cannot be begun", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			call := newCall(rejecting(2, time.Hour), answers(1), answers(2))
			plan := call.plan
			call.plan = next(func(ctx context.Context, tries []retry.Try[string, int]) (*retry.Step[string], retry.Reason) {
				step, reason := plan.Next(ctx, tries)
				if len(tries) == 0 {
					step.Wait = 0
				}
				return step, reason
			})
			got, err := call.run(ctx)
			require.NoError(t, err)
			assert.Equal(t, 1, got)
		})
	})
	t.Run("count as failures", func(t *testing.T) {
		first := retry.Outcome[int]{Result: 1, FinishReason: strata.FinishContentFilter}
		_, err := newCall(rejecting(2, 0), first, fails(boom)).run(t.Context())
		var rejected *retry.ResultError
		require.ErrorAs(t, err, &rejected)
		assert.Equal(t, failure.Content, failure.Of(rejected))
		assert.EqualError(t, rejected, "p/a: answer rejected (finish content-filter)")
		assert.Equal(t, failure.Unknown, failure.Of(&retry.ResultError{FinishReason: strata.FinishLength}))
	})
}

func TestTheCallerEndsTheCall(t *testing.T) {
	why := errors.New("user left")
	second := retry.Step[string]{Model: "b", Wait: 10 * time.Second}
	type end func(context.Context) (context.Context, context.CancelFunc)
	cancel := func(after time.Duration, cause error) end {
		return func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancelCause(ctx)
			timer := time.AfterFunc(after, func() { cancel(cause) })
			return ctx, func() { timer.Stop(); cancel(nil) }
		}
	}
	deadline := func(after time.Duration) end {
		return func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, after)
		}
	}
	for name, test := range map[string]struct {
		end     end
		steps   []retry.Step[string]
		does    func(context.Context) error // each attempt
		elapsed time.Duration
		err     string
		kind    failure.Kind
		reason  retry.Reason // of a retry.Error; empty: it is none
		errs    int
		is      []error
	}{
		"before the call": {cancel(-time.Second, nil), []retry.Step[string]{a}, nil, 0,
			"test: gave up after 0 attempts (the caller cancelled): context canceled", failure.Aborted, retry.ReasonCancelled, 0, []error{context.Canceled}},
		"by a cancel in a wait": {cancel(time.Second, nil), []retry.Step[string]{a, second}, func(context.Context) error { return boom }, time.Second,
			"test: gave up after 1 attempt (the caller cancelled): context canceled; last failure: boom", failure.Aborted, retry.ReasonCancelled, 1, []error{context.Canceled, boom}},
		"with a cause": {cancel(time.Second, why), []retry.Step[string]{a, second}, func(context.Context) error { return boom }, time.Second,
			"test: gave up after 1 attempt (the caller cancelled): context canceled: user left; last failure: boom", failure.Aborted, retry.ReasonCancelled, 1, []error{context.Canceled, why, boom}},
		"in an attempt that does not say why": {cancel(time.Second, why), []retry.Step[string]{a, b}, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, time.Second,
			"test: gave up after 1 attempt (the caller cancelled): context canceled: user left; last failure: context canceled", failure.Aborted, retry.ReasonCancelled, 1, []error{context.Canceled, why}},
		"in an attempt that says so": {cancel(time.Second, nil), []retry.Step[string]{a, b}, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, time.Second,
			"context canceled", failure.Aborted, "", 0, []error{context.Canceled}},
		"in an attempt that does not say so": {cancel(time.Second, nil), []retry.Step[string]{a, b}, func(ctx context.Context) error { <-ctx.Done(); return boom }, time.Second,
			"test: gave up after 1 attempt (the caller cancelled): context canceled; last failure: boom", failure.Aborted, retry.ReasonCancelled, 1, []error{context.Canceled, boom}},
		"by the deadline in an attempt": {deadline(time.Second), []retry.Step[string]{a, b}, func(ctx context.Context) error { <-ctx.Done(); return boom }, time.Second,
			"test: gave up after 1 attempt (the caller's deadline): context deadline exceeded; last failure: boom", failure.Timeout, retry.ReasonDeadline, 1, []error{context.DeadlineExceeded, boom}},
		"by a deadline that a wait would reach": {deadline(10 * time.Second), []retry.Step[string]{a, second}, func(context.Context) error { return boom }, 0,
			"boom", failure.Unknown, "", 0, []error{boom}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, release := test.end(t.Context())
				defer release()
				synctest.Wait()
				call := newCall(steps(retry.ReasonAttempts, test.steps...))
				call.do = func(ctx context.Context, at retry.Attempt[string]) retry.Outcome[int] {
					return fails(test.does(ctx))
				}
				begun := time.Now()
				_, err := call.run(ctx)
				require.EqualError(t, err, test.err)
				assert.Equal(t, test.elapsed, time.Since(begun))
				assert.Equal(t, test.kind, failure.Of(err))
				for _, target := range test.is {
					assert.ErrorIs(t, err, target)
				}
				var gaveUp *retry.Error
				if assert.Equal(t, test.reason != "", errors.As(err, &gaveUp)); gaveUp != nil {
					assert.Equal(t, test.reason, gaveUp.Reason)
					assert.Len(t, gaveUp.Errs, test.errs)
				}
			})
		})
	}
}

// A context that a Timeout layer above ended is a timeout.
func TestEndedByATimeoutAbove(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(&failure.TimeoutError{Limit: failure.LimitTotal})
	_, err := newCall(steps("", a)).run(ctx)
	assert.Equal(t, failure.Timeout, failure.Of(err))
}

func TestErrorLooksFromTheLastToTheFirst(t *testing.T) {
	first := &failure.Error{Kind: failure.Quota, Message: "first"}
	last := &failure.Error{Kind: failure.Rate, Message: "last", RetryAfter: time.Second}
	err := fmt.Errorf("above: %w", &retry.Error{Errs: []error{fmt.Errorf("x: %w", first), boom, fmt.Errorf("y: %w", last)}})

	var found *failure.Error
	require.ErrorAs(t, err, &found)
	assert.Same(t, last, found)
	assert.Equal(t, failure.Rate, failure.Of(err))
	assert.Equal(t, time.Second, failure.RetryAfter(err))
	assert.ErrorIs(t, err, first)
	assert.ErrorIs(t, err, boom)
	assert.NotErrorIs(t, err, crash)
	var none *failure.TimeoutError
	assert.False(t, errors.As(err, &none))
}

func TestTraceOfALoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log []string
		note := func(format string, args ...any) { log = append(log, fmt.Sprintf(format, args...)) }
		ctx := strata.WithTrace(t.Context(), &strata.Trace{
			AttemptStart: func(ctx context.Context, i strata.AttemptInfo) context.Context {
				note("start %d %s by %s", i.Number, i.Model, i.Layer)
				return ctx
			},
			AttemptDone: func(_ context.Context, i strata.AttemptDoneInfo) {
				note("done %d: %v in %v", i.Number, i.Err, i.Duration)
			},
			Wait: func(_ context.Context, i strata.WaitInfo) {
				note("wait %v for %d, server %v: %v", i.Duration, i.Number, i.FromServer, i.Err)
			},
			Served: func(_ context.Context, i strata.ServedInfo) { note("served by %s", i.Model) },
		})
		call := newCall(steps("", a, retry.Step[string]{Model: "b", Wait: time.Second, FromServer: true}), fails(boom), answers(2))
		_, err := call.run(ctx)
		require.NoError(t, err)
		assert.Equal(t, []string{
			"start 1 p/a by test", "done 1: boom in 0s",
			"wait 1s for 2, server true: boom",
			"start 2 p/b by test", "done 2: <nil> in 0s", "served by p/b",
		}, log)
	})
}

func TestAPanicIsToldAndPassesThrough(t *testing.T) {
	var told error
	ctx := strata.WithTrace(t.Context(), &strata.Trace{
		AttemptDone: func(_ context.Context, i strata.AttemptDoneInfo) { told = i.Err },
	})
	call := newCall(steps("", a))
	call.do = func(context.Context, retry.Attempt[string]) retry.Outcome[int] { panic("broken") }
	assert.PanicsWithValue(t, "broken", func() { call.run(ctx) })
	assert.EqualError(t, told, "retry: the attempt did not return")
}

// Whatever a step that accepts results comes to, the plan is not asked about it; about
// its failures it is.
func TestAStepThatAcceptsIsNotJudged(t *testing.T) {
	accepts := retry.Step[string]{Model: "a", Accepts: true}
	var asked []int
	plan := next(func(_ context.Context, tries []retry.Try[string, int]) (*retry.Step[string], retry.Reason) {
		asked = append(asked, len(tries))
		return &accepts, ""
	})
	var served []strata.ModelID
	ctx := strata.WithTrace(t.Context(), &strata.Trace{
		Served: func(_ context.Context, i strata.ServedInfo) { served = append(served, i.Model) },
	})
	got, err := newCall(plan, fails(boom), answers(2), answers(3)).run(ctx)
	assert.NoError(t, err)
	assert.Equal(t, 2, got)
	assert.Equal(t, []int{0, 1}, asked)
	assert.Equal(t, []strata.ModelID{{Provider: "p", Name: "a"}}, served)
}

func TestAPlanThatSaysNothing(t *testing.T) {
	plan := next(func(context.Context, []retry.Try[string, int]) (*retry.Step[string], retry.Reason) { return nil, "" })
	assert.PanicsWithValue(t, "retry: a plan of test returned neither a step nor a reason", func() { newCall(plan).run(t.Context()) })
}
