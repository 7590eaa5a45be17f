package middleware_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
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

// slow answers after d; stalled never does.
func slow(d time.Duration) modeltest.Attempt {
	return append(modeltest.Attempt{modeltest.Wait(d)}, hello...)
}

var stalled = modeltest.Attempt{modeltest.Start(), modeltest.Hang()}

// within returns a context with the caller's own deadline.
func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// cancelled returns a context that the caller cancels after d.
func cancelled(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(d, cancel)
	return ctx
}

var aiRetryOptions = rows{
	"options/attempts": func(t *testing.T) {
		gemini := broken("google/gemini", 9)
		_, err := middleware.Rules(when.Retryable().Switch(gemini, retry.Attempts(3)))(gpt(busy529)).Generate(t.Context(), prompt)
		assert.Equal(t, []string{"gpt-5", "gemini", "gemini", "gemini"}, models(err))
	},
	"options/attempts_per_model": func(t *testing.T) {
		base, gemini := gpt(busy529), broken("google/gemini", 9)
		_, err := middleware.Rules(gemini, retry.Switch[strata.Model](nil, base, retry.Attempts(2)), gemini)(base).Generate(t.Context(), prompt)
		assert.Equal(t, []string{"gpt-5", "gemini", "gpt-5"}, models(err), "the base's first attempt counts, and gemini has had its one")
	},
	"options/delay": func(t *testing.T) {
		begun := time.Now()
		assert.Equal(t, claude.ID().String(), answered(t, middleware.Rules(when.Retryable().Switch(claude, retry.Delay(2*time.Second))), busy529))
		assert.Equal(t, 4*time.Second, time.Since(begun), "of two calls")
	},
	"options/factor": func(t *testing.T) {
		base := gpt(busy529, busy529, busy529, hello)
		_, err := middleware.Rules(when.Retryable().Retry(retry.Delay(2*time.Second), retry.Factor(2), retry.Attempts(4)))(base).Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second}, gaps(base))
	},
	"options/delay_is_cancelled": func(t *testing.T) {
		base, begun := gpt(busy529), time.Now()
		_, err := middleware.Rules(when.Retryable().Retry(retry.Delay(time.Hour)))(base).Generate(cancelled(t, time.Second), prompt)
		assert.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, time.Second, time.Since(begun))
		assert.Len(t, base.Calls(), 1)
	},
	"options/timeout": func(t *testing.T) {
		rule := when.Retryable().Switch(modeltest.New("google/gemini", stalled), retry.Timeout(30*time.Second))
		begun := time.Now()
		assert.Equal(t, claude.ID().String(), answered(t, middleware.Rules(rule, when.Timeout().Switch(claude)), busy529))
		assert.Equal(t, time.Minute, time.Since(begun), "of two calls")
	},
	"options/timeout_and_cancel": func(t *testing.T) {
		rule := when.Retryable().Switch(modeltest.New("google/gemini", stalled), retry.Timeout(30*time.Second))
		begun := time.Now()
		_, err := middleware.Rules(rule, claude)(gpt(busy529)).Generate(cancelled(t, time.Second), prompt)
		assert.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, time.Second, time.Since(begun))
	},
	"options/past_deadline": func(t *testing.T) {
		late := modeltest.New("google/gemini", slow(20*time.Second))
		layer := middleware.Rules(claude, when.Timeout().Switch(late, retry.PastDeadline(30*time.Second))) // claude is not asked that late
		resp, err := layer(gpt(stalled)).Generate(within(t, time.Minute), prompt)
		require.NoError(t, err)
		assert.Equal(t, late.ID(), resp.Model)
		got, err := read(within(t, time.Minute), layer(gpt(stalled)))
		require.NoError(t, err)
		assert.Equal(t, []string{"hello", "finish google/gemini"}, got, "streams too")
		_, err = layer(gpt(stalled)).Generate(cancelled(t, time.Second), prompt)
		assert.ErrorIs(t, err, context.Canceled, "a cancel is meant")
		assert.Len(t, late.Calls(), 2)
	},
	"options/nothing_past_the_deadline": func(t *testing.T) {
		var failed, retried int
		observe := middleware.Observe(
			middleware.OnError(func(context.Context, strata.AttemptDoneInfo) { failed++ }),
			middleware.OnRetry(func(context.Context, strata.RetryInfo) *strata.Request { retried++; return nil }),
		)
		m := strata.Wrap(gpt(stalled), observe, middleware.Rules(when.Timeout().Switch(claude, retry.Timeout(time.Minute)), claude))
		_, err := m.Generate(within(t, time.Second), prompt)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, []int{1, 0}, []int{failed, retried})
	},
	"options/disabled": func(t *testing.T) {
		testing := true
		layer := middleware.Rules(claude, middleware.Disabled(func() bool { return testing }))
		assert.Empty(t, answered(t, layer, busy529))
		testing = false
		assert.NotEmpty(t, answered(t, layer, busy529))
		testing = true
		told := 0
		observe := middleware.Observe(middleware.OnFailure(func(context.Context, middleware.CallInfo) { told++ }))
		answered(t, strata.Chain(observe, layer), busy529)
		assert.Equal(t, 2, told, "callbacks are told all the same")
	},
}

// gaps returns the times between the calls of a model that answers at once.
func gaps(m *modeltest.Model) (waits []time.Duration) {
	calls := m.Calls()
	for i := 1; i < len(calls); i++ {
		waits = append(waits, calls[i].Time.Sub(calls[i-1].Time))
	}
	return waits
}

// full is a request with every field that an override may replace.
var full = strata.Request{
	Messages: []strata.Message{strata.UserMessage("hello")}, MaxOutputTokens: 50,
	Temperature: ptr(0.9), TopP: ptr(0.8), TopK: ptr(7), PresencePenalty: ptr(0.1), FrequencyPenalty: ptr(0.2),
	StopSequences: []string{"END", "STOP"}, Seed: ptr(int64(1)),
	Headers:         http.Header{"X-Tenant": {"a"}, "X-Trace": {"1"}},
	ProviderOptions: strata.ProviderData{"openai": {"user": "primary", "store": true}},
}

// overrides shows that a rule's override replaces one field, and no other.
func overrides(rule func(strata.Model) middleware.Rule, change func(*strata.Request)) func(*testing.T) {
	return func(t *testing.T) {
		base, spare := gpt(busy529), broken("openai/gpt-4o", 0)
		_, err := middleware.Rules(rule(spare))(base).Generate(t.Context(), &full)
		require.NoError(t, err)
		want := full.Clone()
		change(want)
		assert.Equal(t, want, spare.Calls()[0].Request)
		assert.Equal(t, &full, base.Calls()[0].Request, "the first attempt has the caller's")
	}
}

// set is overrides for a rule that sets a request's fields.
func set(override strata.Request, change func(*strata.Request)) func(*testing.T) {
	return overrides(func(m strata.Model) middleware.Rule { return when.Retryable().Switch(m, retry.Set(override)) }, change)
}

var sanitized = []strata.Message{strata.UserMessage("Answer in one sentence.")}

var aiRetryRequests = rows{
	"requests/prompt":            set(strata.Request{Messages: sanitized}, func(r *strata.Request) { r.Messages = sanitized }),
	"requests/temperature":       set(strata.Request{Temperature: ptr(0.3)}, func(r *strata.Request) { r.Temperature = ptr(0.3) }),
	"requests/top_p":             set(strata.Request{TopP: ptr(0.5)}, func(r *strata.Request) { r.TopP = ptr(0.5) }),
	"requests/top_k":             set(strata.Request{TopK: ptr(0)}, func(r *strata.Request) { r.TopK = ptr(0) }),
	"requests/max_output_tokens": set(strata.Request{MaxOutputTokens: 500}, func(r *strata.Request) { r.MaxOutputTokens = 500 }),
	"requests/seed":              set(strata.Request{Seed: ptr(int64(42))}, func(r *strata.Request) { r.Seed = ptr(int64(42)) }),
	"requests/stop_sequences":    set(strata.Request{StopSequences: []string{"."}}, func(r *strata.Request) { r.StopSequences = []string{"."} }),
	"requests/presence_penalty":  set(strata.Request{PresencePenalty: ptr(0.0)}, func(r *strata.Request) { r.PresencePenalty = ptr(0.0) }),
	"requests/frequency_penalty": set(strata.Request{FrequencyPenalty: ptr(0.7)}, func(r *strata.Request) { r.FrequencyPenalty = ptr(0.7) }),
	"requests/headers": set(strata.Request{Headers: http.Header{"X-Tenant": {"b"}}},
		func(r *strata.Request) { r.Headers = http.Header{"X-Tenant": {"b"}} }),
	"requests/provider_options": set(strata.Request{ProviderOptions: strata.ProviderData{"openai": {"user": "spare"}}},
		func(r *strata.Request) { r.ProviderOptions = strata.ProviderData{"openai": {"user": "spare"}} }),

	"requests/computed": overrides(func(m strata.Model) middleware.Rule {
		return when.Retryable().Switch(m, retry.SetFunc(func(ctx context.Context, h *retry.History) (strata.Request, error) {
			return strata.Request{Seed: ptr(int64(len(h.Attempts)) + 41)}, nil
		}))
	}, func(r *strata.Request) { r.Seed = ptr(int64(42)) }),
	"requests/on_retry": func(t *testing.T) {
		base := gpt(busy529)
		spare := broken("anthropic/claude", 0)
		m := strata.Wrap(base,
			middleware.Observe(middleware.OnRetry(func(ctx context.Context, r strata.RetryInfo) *strata.Request {
				time.Sleep(time.Second) // fetches a credential
				if r.Model.Provider == r.After.Provider {
					return nil
				}
				assert.Equal(t, failure.Overload, failure.Of(r.Err))
				assert.Equal(t, &full, r.Request)
				return &strata.Request{Messages: sanitized}
			})),
			middleware.Rules(when.Retryable().Retry(), spare))
		_, err := m.Generate(t.Context(), &full)
		require.NoError(t, err)
		assert.Equal(t, full.Messages, base.Calls()[1].Request.Messages, "the same provider again")
		assert.Equal(t, sanitized, spare.Calls()[0].Request.Messages)
		assert.Equal(t, []time.Duration{time.Second}, gaps(base), "the attempt waits for the callback")
	},
	"requests/precedence": func(t *testing.T) {
		spare := broken("anthropic/claude", 0)
		m := strata.Wrap(gpt(busy529),
			middleware.Observe(middleware.OnRetry(func(context.Context, strata.RetryInfo) *strata.Request {
				return &strata.Request{Temperature: ptr(0.1)}
			})),
			middleware.Rules(when.Retryable().Switch(spare, retry.Set(strata.Request{Temperature: ptr(0.2), TopP: ptr(0.2)}))))
		_, err := m.Generate(t.Context(), &full)
		require.NoError(t, err)
		got := spare.Calls()[0].Request
		assert.Equal(t, []float64{0.1, 0.2, 0.1}, []float64{*got.Temperature, *got.TopP, *got.PresencePenalty}, "the callback's, the rule's, the request's")
	},

	"callbacks/on_error": func(t *testing.T) {
		var failed []string
		observe := middleware.Observe(middleware.OnError(func(_ context.Context, a strata.AttemptDoneInfo) {
			failed = append(failed, a.Model.Name+": "+string(failure.Of(a.Err)))
		}))
		answered(t, strata.Chain(observe, middleware.Rules(broken("google/gemini", 9), claude)), slow429)
		assert.Equal(t, []string{"gpt-5: rate", "gemini: overload", "gpt-5: rate", "gemini: overload"}, failed, "whole, then streamed")
	},
	"callbacks/on_retry": func(t *testing.T) {
		var coming []int
		observe := middleware.Observe(middleware.OnRetry(func(_ context.Context, r strata.RetryInfo) *strata.Request {
			assert.Equal(t, claude.ID(), r.Model)
			coming = append(coming, r.Number)
			return nil
		}))
		answered(t, strata.Chain(observe, middleware.Rules(claude)), slow429)
		assert.Equal(t, []int{2, 2}, coming, "whole, then streamed")
	},
	"callbacks/on_success_and_on_failure": func(t *testing.T) {
		for _, test := range []struct {
			script       []modeltest.Attempt
			spare        strata.Model
			ok, attempts int
		}{
			{[]modeltest.Attempt{hello}, claude, 1, 1},
			{[]modeltest.Attempt{busy529}, claude, 1, 2},
			{[]modeltest.Attempt{said(400, "no such field")}, claude, 0, 1},
			{[]modeltest.Attempt{busy529}, broken("google/gemini", 9), 0, 2},
		} {
			var success, failed int
			settled := func(count *int) func(context.Context, middleware.CallInfo) {
				return func(_ context.Context, c middleware.CallInfo) {
					*count++
					assert.Equal(t, test.attempts, c.Attempts)
				}
			}
			observe := middleware.Observe(middleware.OnSuccess(settled(&success)), middleware.OnFailure(settled(&failed)))
			answered(t, strata.Chain(observe, middleware.Rules(when.Retryable().Switch(test.spare))), test.script...)
			assert.Equal(t, []int{2 * test.ok, 2 - 2*test.ok}, []int{success, failed}, "one of them for each of two calls")
		}
	},
	"callbacks/the_callers_error": func(t *testing.T) {
		var told error
		m := strata.Wrap(gpt(busy529),
			middleware.Observe(middleware.OnFailure(func(_ context.Context, c middleware.CallInfo) { told = c.Err })),
			middleware.Rules(when.Retryable().Retry()))
		_, err := m.Generate(t.Context(), prompt)
		assert.Error(t, err)
		assert.Equal(t, err, told)
	},
	"callbacks/at_the_commit_point": func(t *testing.T) {
		var log []string
		m := strata.Wrap(gpt(modeltest.Attempt{modeltest.Text("half"), modeltest.Fail(boom)}),
			middleware.Observe(
				middleware.OnServed(func(_ context.Context, s strata.ServedInfo) { log = append(log, "served") }),
				middleware.OnFailure(func(context.Context, middleware.CallInfo) { log = append(log, "failed") })),
			middleware.Rules(claude))
		read(t.Context(), m)
		assert.Equal(t, []string{"served", "failed"}, log)
	},

	"errors/all_failed": func(t *testing.T) {
		_, err := middleware.Rules(broken("google/gemini", 9))(gpt(slow429)).Generate(t.Context(), prompt)
		walk, ok := errors.AsType[*retry.Error](err)
		require.True(t, ok)
		assert.Len(t, walk.Errs, 2)
		assert.Equal(t, []string{"gpt-5", "gemini"}, models(err))
		assert.Equal(t, failure.Overload, failure.Of(err), "the last")
	},
	"errors/none_matched": func(t *testing.T) {
		_, err := middleware.Rules(when.Status(529).Switch(claude))(gpt(slow429)).Generate(t.Context(), prompt)
		assert.EqualError(t, err, "openai/gpt-5: rate (429): Slow down")
	},
	"errors/rejected_answer": func(t *testing.T) {
		rule := when.FinishReason(strata.FinishLength)
		_, err := middleware.Rules(rule.Switch(broken("google/gemini", 9)))(gpt(ended(strata.FinishLength))).Generate(t.Context(), prompt)
		walk, ok := errors.AsType[*retry.Error](err)
		require.True(t, ok)
		assert.EqualError(t, walk.Errs[0], "openai/gpt-5: answer rejected (finish length)")
		resp, err := middleware.Rules(rule.Retry())(gpt(ended(strata.FinishLength))).Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, strata.FinishLength, resp.FinishReason, "the last answer stands where no rule is left")
	},
}
