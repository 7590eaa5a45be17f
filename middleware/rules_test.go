package middleware_test

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
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/when"
)

func ptr[T any](v T) *T { return &v }

// broken returns a model that is overloaded n times, then answers.
func broken(id string, n int) *modeltest.Model {
	var attempts []modeltest.Attempt
	for range n {
		attempts = append(attempts, modeltest.Failure(busy(id)))
	}
	return modeltest.New(id, append(attempts, modeltest.Answer("from "+id))...)
}

func TestRulesOverrides(t *testing.T) {
	base := &strata.Request{
		Messages: []strata.Message{strata.UserMessage("hello")}, Temperature: ptr(0.9), MaxOutputTokens: 50,
		ProviderOptions: strata.ProviderData{"openai": {"user": "u", "store": true}},
	}
	seed := func(n int64) func(context.Context, *retry.History) (strata.Request, error) {
		return func(_ context.Context, h *retry.History) (strata.Request, error) {
			return strata.Request{Seed: ptr(n + int64(len(h.Attempts)))}, nil
		}
	}
	for name, test := range map[string]struct {
		opts    []retry.RuleOption
		onRetry *strata.Request
		want    func(*strata.Request) // what is changed
	}{
		"none": {nil, nil, func(*strata.Request) {}},
		"set": {[]retry.RuleOption{retry.Set(strata.Request{Temperature: ptr(0.0)})}, nil,
			func(r *strata.Request) { r.Temperature = ptr(0.0) }},
		"a field is replaced whole": {[]retry.RuleOption{retry.Set(strata.Request{ProviderOptions: strata.ProviderData{"openai": {"user": "v"}}})}, nil,
			func(r *strata.Request) { r.ProviderOptions = strata.ProviderData{"openai": {"user": "v"}} }},
		"computed": {[]retry.RuleOption{retry.SetFunc(seed(10))}, nil,
			func(r *strata.Request) { r.Seed = ptr(int64(11)) }},
		"computed over set": {[]retry.RuleOption{retry.Set(strata.Request{Seed: ptr(int64(1)), TopK: ptr(3)}), retry.SetFunc(seed(10))}, nil,
			func(r *strata.Request) { r.Seed, r.TopK = ptr(int64(11)), ptr(3) }},
		"a callback's over the rule's": {[]retry.RuleOption{retry.Set(strata.Request{Temperature: ptr(0.1), TopK: ptr(3)}), retry.SetFunc(seed(10))},
			&strata.Request{Temperature: ptr(0.2), Seed: ptr(int64(99))},
			func(r *strata.Request) { r.Temperature, r.Seed, r.TopK = ptr(0.2), ptr(int64(99)), ptr(3) }},
	} {
		t.Run(name, func(t *testing.T) {
			for _, streamed := range []bool{false, true} {
				a, b := broken("openai/a", 1), broken("anthropic/b", 0)
				m := strata.Wrap(a,
					middleware.Observe(middleware.OnRetry(func(_ context.Context, i strata.RetryInfo) *strata.Request {
						assert.Equal(t, a.ID(), i.After)
						assert.Equal(t, b.ID(), i.Model)
						assert.Equal(t, base, i.Request)
						assert.Error(t, i.Err)
						return test.onRetry
					})),
					middleware.Rules(when.Retryable().Switch(b, test.opts...)))
				before := base.Clone()
				if streamed {
					for _, err := range m.Stream(t.Context(), base) {
						require.NoError(t, err)
					}
				} else {
					_, err := m.Generate(t.Context(), base)
					require.NoError(t, err)
				}
				want := base.Clone()
				test.want(want)
				assert.Equal(t, want, b.Calls()[0].Request)
				assert.Equal(t, before, a.Calls()[0].Request, "the first attempt has the caller's request")
				assert.Equal(t, before, base, "which stays as it is")
			}
		})
	}
}

func TestRulesAnOverrideThatFails(t *testing.T) {
	a, b := broken("openai/a", 1), broken("anthropic/b", 0)
	failing := retry.SetFunc(func(context.Context, *retry.History) (strata.Request, error) { return strata.Request{}, boom })
	_, err := middleware.Rules(when.Retryable().Switch(b, failing))(a).Generate(t.Context(), prompt)
	assert.Empty(t, b.Calls())
	var walk *retry.Error
	require.ErrorAs(t, err, &walk)
	assert.Equal(t, retry.ReasonRules, walk.Reason)
	assert.Len(t, walk.Errs, 2)
	assert.Equal(t, []strata.ModelID{a.ID(), b.ID()}, walk.Models)
	assert.Equal(t, boom, walk.Last())
}

func TestRulesPredicatesMayBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := broken("openai/a", 1), broken("anthropic/b", 0)
		ask := func(ctx context.Context, err error) bool {
			select {
			case <-time.After(3 * time.Second):
				return true
			case <-ctx.Done():
				return false
			}
		}
		m := middleware.Rules(when.Error(ask).Switch(b))(a)
		begun := time.Now()
		_, err := m.Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, 3*time.Second, time.Since(begun))

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = middleware.Rules(when.Error(ask).Switch(b))(broken("openai/a", 1)).Generate(ctx, prompt)
		assert.Error(t, err, "the caller's deadline ends the question too")
		assert.Len(t, b.Calls(), 1)
	})
}

func TestRulesDisabled(t *testing.T) {
	off := false
	a, b := broken("openai/a", 9), broken("anthropic/b", 0)
	m := middleware.Rules(b, middleware.Disabled(func() bool { return off }))(a)
	_, err := m.Generate(t.Context(), prompt)
	assert.NoError(t, err)
	off = true
	_, err = m.Generate(t.Context(), prompt)
	assert.EqualError(t, err, "openai/a: overload: from the provider")
	_, err = read(t.Context(), m)
	assert.EqualError(t, err, "openai/a: overload: from the provider")
	assert.Len(t, b.Calls(), 1)
}

func TestRulesJudgeResults(t *testing.T) {
	short := when.Result(func(_ context.Context, r *strata.Response) bool { return len(r.Text()) < 5 })
	a := modeltest.New("openai/a", modeltest.Answer("no"))
	b := modeltest.New("anthropic/b", modeltest.Answer("a long answer"))

	resp, err := middleware.Rules(short.Switch(b))(a).Generate(t.Context(), prompt)
	require.NoError(t, err)
	assert.Equal(t, "a long answer", resp.Text())

	got, err := read(t.Context(), middleware.Rules(short.Switch(b))(a))
	require.NoError(t, err)
	assert.Contains(t, got, "no", "a stream's text was handed on")

	resp, err = middleware.Rules(short.Retry(retry.Attempts(3)))(a).Generate(t.Context(), prompt)
	require.NoError(t, err)
	assert.Equal(t, "no", resp.Text(), "where no rule is left the result is the answer")
	assert.Len(t, a.Calls(), 5)
}

// A condition sees all attempts of the call.
func TestRulesHistory(t *testing.T) {
	a, b, c := broken("openai/a", 9), broken("anthropic/b", 9), broken("google/c", 0)
	var seen []string
	history := retry.MatchFunc(func(_ context.Context, h *retry.History) bool {
		seen = append(seen, fmt.Sprint(len(h.Attempts), h.Last().Model, h.Last().Number, h.Request == any(prompt)))
		return len(h.Attempts) == 2
	})
	_, err := middleware.Rules(retry.Switch[strata.Model](history, c), b)(a).Generate(t.Context(), prompt)
	require.NoError(t, err)
	assert.Equal(t, []string{"1 openai/a 1 true", "2 anthropic/b 2 true"}, seen, "a rule whose model has had its attempts is not asked")
}

func TestRulesJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := broken("openai/a", 40)
		_, err := middleware.Rules(when.Retryable().Retry(retry.Attempts(41), retry.Delay(10*time.Second), retry.Jitter()))(a).Generate(t.Context(), prompt)
		require.NoError(t, err)
		calls := a.Calls()
		var sum time.Duration
		for i := 1; i < len(calls); i++ {
			wait := calls[i].Time.Sub(calls[i-1].Time)
			assert.Less(t, wait, 10*time.Second)
			sum += wait
		}
		assert.Greater(t, sum, 100*time.Second)
		assert.Less(t, sum, 300*time.Second)
	})
}

func TestRulesFactorsThatGrowWithoutBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		a := broken("openai/a", 9)
		_, err := middleware.Rules(when.Retryable().Retry(retry.Attempts(9), retry.Delay(time.Second), retry.Factor(1e300)))(a).Generate(ctx, prompt)
		var walk *retry.Error
		require.ErrorAs(t, err, &walk)
		assert.Equal(t, retry.ReasonDeadline, walk.Reason)
		assert.Len(t, a.Calls(), 2)
	})
}

type notAModel struct{}

func (notAModel) ID() strata.ModelID { return strata.ModelID{} }

func TestRulesThatMakeNoSense(t *testing.T) {
	a := broken("openai/a", 0)
	for want, make := range map[string]func(){
		"middleware.Rules: rule 1 is nil":                                                func() { middleware.Rules(a, nil) },
		"middleware.Rules: rule 0 is a middleware_test.notAModel, not a rule or a model": func() { middleware.Rules(notAModel{}) },
		"middleware.Rules: the model is nil":                                             func() { middleware.Rules()(nil) },
		"middleware.Disabled(nil): the function is nil":                                  func() { middleware.Disabled(nil) },
		"middleware.Rules: rule 0 overrides something other than a strata.Request": func() {
			middleware.Rules(when.Retryable().Switch(a, retry.Set(7)))
		},
	} {
		t.Run(want, func(t *testing.T) { assert.PanicsWithValue(t, want, make) })
	}
}

func TestNoRules(t *testing.T) {
	_, err := middleware.Rules()(broken("openai/a", 1)).Generate(t.Context(), prompt)
	assert.Equal(t, failure.Overload, failure.Of(err))
}

func TestObserveTheEndOfACall(t *testing.T) {
	var calls []middleware.CallInfo
	var failures int
	observe := middleware.Observe(
		middleware.OnError(func(context.Context, strata.AttemptDoneInfo) { failures++ }),
		middleware.OnSuccess(func(_ context.Context, c middleware.CallInfo) {
			assert.NoError(t, c.Err)
			calls = append(calls, c)
		}),
		middleware.OnFailure(func(_ context.Context, c middleware.CallInfo) {
			assert.Error(t, c.Err)
			calls = append(calls, c)
		}),
	)
	cut := modeltest.Attempt{modeltest.Text("half"), modeltest.Fail(boom)}
	leave := func(m strata.Model, parts int) {
		n := 0
		for range m.Stream(t.Context(), prompt) {
			if n++; n == parts {
				break
			}
		}
	}
	whole := func(m strata.Model) { m.Generate(t.Context(), prompt) }
	for name, test := range map[string]struct {
		base     *modeltest.Model
		do       func(strata.Model)
		want     middleware.CallInfo // but for Err and Duration
		err      string
		failures int
	}{
		"an answer":              {broken("openai/a", 0), whole, middleware.CallInfo{Attempts: 1, FinishReason: "stop", Model: strata.ModelID{Provider: "openai", Name: "a"}}, "", 0},
		"an answer, streamed":    {broken("openai/a", 0), func(m strata.Model) { leave(m, 0) }, middleware.CallInfo{Attempts: 1, FinishReason: "stop", Model: strata.ModelID{Provider: "openai", Name: "a"}}, "", 0},
		"of another":             {broken("openai/a", 1), whole, middleware.CallInfo{Attempts: 2, FinishReason: "stop", Model: strata.ModelID{Provider: "anthropic", Name: "b"}}, "", 1},
		"a failure":              {modeltest.New("openai/a", modeltest.Failure(provider("openai/a", failure.Invalid))), whole, middleware.CallInfo{Attempts: 1}, "openai/a: invalid: from the provider", 1},
		"a failure, streamed":    {modeltest.New("openai/a", cut), func(m strata.Model) { leave(m, 0) }, middleware.CallInfo{Attempts: 1}, "stream broke off after output: boom", 1},
		"the reader leaves":      {broken("openai/a", 0), func(m strata.Model) { leave(m, 3) }, middleware.CallInfo{Attempts: 1, Left: true}, "", 0},
		"the reader leaves last": {broken("openai/a", 0), func(m strata.Model) { leave(m, 5) }, middleware.CallInfo{Attempts: 1, FinishReason: "stop", Model: strata.ModelID{Provider: "openai", Name: "a"}}, "", 0},
		"a panic": {modeltest.New("openai/a", modeltest.Attempt{modeltest.Panic("broken")}), func(m strata.Model) { assert.Panics(t, func() { whole(m) }) },
			middleware.CallInfo{Attempts: 1}, "middleware.Observe: the call did not return", 1},
		"a panic, streamed": {modeltest.New("openai/a", modeltest.Attempt{modeltest.Panic("broken")}), func(m strata.Model) { assert.Panics(t, func() { leave(m, 0) }) },
			middleware.CallInfo{Attempts: 1, Left: true}, "middleware.Observe: the call did not return", 1},
	} {
		t.Run(name, func(t *testing.T) {
			calls, failures = nil, 0
			test.do(strata.Wrap(test.base, observe, middleware.Fallback(modeltest.New("anthropic/b", modeltest.Answer("from b")))))
			require.Len(t, calls, 1, "exactly one of the two is called")
			got := calls[0]
			if test.err != "" {
				assert.EqualError(t, got.Err, test.err)
			}
			assert.GreaterOrEqual(t, got.Duration, time.Duration(0))
			test.want.Asked = test.base.ID()
			got.Err, got.Duration = nil, 0
			assert.Equal(t, test.want, got)
			assert.Equal(t, test.failures, failures)
		})
	}
}

// A callback that panics ends the call with its panic, and everything is released.
func TestObserveCallbacksThatPanic(t *testing.T) {
	for name, opt := range map[string]middleware.ObserveOption{
		"OnAttempt": middleware.OnAttempt(func(context.Context, strata.AttemptInfo) { panic("mine") }),
		"OnError":   middleware.OnError(func(context.Context, strata.AttemptDoneInfo) { panic("mine") }),
		"OnRetry":   middleware.OnRetry(func(context.Context, strata.RetryInfo) *strata.Request { panic("mine") }),
		"OnCommit":  middleware.OnCommit(func(context.Context, strata.AttemptInfo) { panic("mine") }),
		"OnSuccess": middleware.OnSuccess(func(context.Context, middleware.CallInfo) { panic("mine") }),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := broken("openai/a", 1), broken("anthropic/b", 0)
				m := strata.Wrap(a, middleware.Observe(opt), middleware.Fallback(b))
				assert.PanicsWithValue(t, "mine", func() { read(t.Context(), m) })
				for _, call := range append(a.Calls(), b.Calls()...) {
					assert.Error(t, call.Context.Err())
				}
			})
		})
	}
}

// The override of an inner callback lies over that of an outer one.
func TestObserveTwoOverrides(t *testing.T) {
	set := func(r strata.Request) strata.Layer {
		return middleware.Observe(middleware.OnRetry(func(context.Context, strata.RetryInfo) *strata.Request { return &r }))
	}
	a := broken("openai/a", 1)
	m := strata.Wrap(a, set(strata.Request{TopK: ptr(1), MaxOutputTokens: 1}), set(strata.Request{MaxOutputTokens: 2}), middleware.Backoff(middleware.Base(0)))
	_, err := m.Generate(t.Context(), prompt)
	require.NoError(t, err)
	last := a.Calls()[1].Request
	assert.Equal(t, 1, *last.TopK)
	assert.Equal(t, 2, last.MaxOutputTokens)
}

var errOwn = errors.New("own")

func TestRulesIsAndAs(t *testing.T) {
	b := broken("anthropic/b", 0)
	a := modeltest.New("openai/a", modeltest.Failure(fmt.Errorf("wrapped: %w", errOwn)))
	resp, err := middleware.Rules(when.Is(errOwn).Switch(b))(a).Generate(t.Context(), prompt)
	require.NoError(t, err)
	assert.Equal(t, "from anthropic/b", resp.Text())
}
