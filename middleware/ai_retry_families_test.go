package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/telemetry"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/when"
)

// What ai-retry does for embedding and image models, as docs/from-ai-retry.md
// names it. Each row is run for both families.
var aiRetryFamilies = both(embeddings.aiRetry(), images.aiRetry())

func (k kit[M, L, Req, Resp]) aiRetry() rows {
	return with(k.conditions(), k.walks(), k.options(), k.overrides(), k.callbacks(), k.rest())
}

// decides shows that a condition is for one reply, and not for the other.
func (k kit[M, L, Req, Resp]) decides(c when.Condition, matches, other reply) func(*testing.T) {
	return func(t *testing.T) {
		layer := k.rules(retry.Switch[M](c, k.claude()))
		k.mustServe(t, "anthropic/claude", layer(k.gpt(matches)))
		got, _ := k.served(t.Context(), layer(k.gpt(other)))
		want, _ := k.served(t.Context(), k.gpt(other))
		assert.Equal(t, want, got)
	}
}

func (k kit[M, L, Req, Resp]) conditions() rows {
	failing := func(err error) reply { return reply{err: err} }
	answered := k.result(func(context.Context, *Resp) bool { return true })
	return rows{
		"families/conditions/error":           k.decides(when.Error(isTeapot), failing(errTeapot), overload),
		"families/conditions/is":              k.decides(when.Is(io.ErrUnexpectedEOF), failing(fmt.Errorf("read: %w", io.ErrUnexpectedEOF)), overload),
		"families/conditions/is_instance":     k.decides(when.As[teapot](), failing(teapot{boom}), overload),
		"families/conditions/retryable":       k.decides(when.Retryable(), overload, noField),
		"families/conditions/not_retryable":   k.decides(when.Retryable().Not(), noField, overload),
		"families/conditions/status":          k.decides(when.Status(503, 529), overload, throttle),
		"families/conditions/status_pattern":  k.decides(when.Status(regexp.MustCompile(`^5\d\d$`)), overload, throttle),
		"families/conditions/message":         k.decides(when.Message("overloaded"), overload, throttle),
		"families/conditions/message_pattern": k.decides(when.Message(regexp.MustCompile(`(?i)rate.?limit`)), failing(rejected(429, "Rate limit reached")), throttle),
		"families/conditions/timeout":         k.decides(when.Timeout(), failing(&failure.TimeoutError{After: time.Second}), overload),
		"families/conditions/aborted":         k.decides(when.Aborted(), failing(&failure.Error{Kind: failure.Aborted}), overload),
		"families/conditions/http_status":     k.decides(when.HTTPStatus(529).Or(when.HTTPStatus("engine is")), failing(rejected(500, "The engine is busy")), throttle),
		"families/conditions/no_image":        k.decides(when.NoImage(), failing(fmt.Errorf("dall-e-3: %w", failure.ErrNoImage)), overload),
		"families/conditions/result":          k.decides(answered, serves, overload),
		"families/conditions/combinators":     k.decides(when.Retryable().And(when.Status(429).Or(when.Message("overloaded")).Not()), badGate, overload),
		"families/conditions/result_is_none_of_errors": func(t *testing.T) {
			_, err := k.served(t.Context(), k.rules(retry.Switch[M](answered.Not(), k.claude()))(k.gpt(overload)))
			assert.Equal(t, failure.Overload, kindOf(err), "not of a condition over answers is none over errors")
		},
	}
}

func (k kit[M, L, Req, Resp]) walks() rows {
	return rows{
		"families/rules/wrap": func(t *testing.T) {
			m := k.rules(k.claude())(k.gpt())
			assert.Equal(t, "openai/gpt-5", m.ID().String())
			k.mustServe(t, "openai/gpt-5", m)
		},
		"families/rules/bare_model": func(t *testing.T) {
			gemini, asked := k.new("google/gemini", overload)
			k.mustServe(t, "anthropic/claude", k.rules(gemini, k.claude())(k.gpt(brokenKey)))
			assert.Len(t, asked.Calls(), 1)
		},
		"families/rules/top_down": func(t *testing.T) {
			mini, _ := k.new("openai/mini")
			layer := k.rules(retry.Switch[M](when.Status(429), mini), k.claude())
			k.mustServe(t, "openai/mini", layer(k.gpt(throttle)))
			k.mustServe(t, "anthropic/claude", layer(k.gpt(overload)))
			k.mustServe(t, "anthropic/claude", k.rules(k.claude(), retry.Switch[M](when.Status(429), mini))(k.gpt(throttle)))
		},
		"families/rules/custom": func(t *testing.T) {
			seen := retry.MatchFunc(func(_ context.Context, h *retry.History) bool {
				assert.Equal(t, k.request, h.Request, "conditions see the family's request")
				assert.Equal(t, k.request, h.Last().Request)
				return len(h.Attempts) == 1 && h.Last().Err != nil
			})
			k.mustServe(t, "anthropic/claude", k.rules(retry.Switch[M](seen, k.claude()))(k.gpt(overload)))
			k.mustServe(t, "openai/gpt-5", k.rules(retry.Switch[M](seen, k.claude()))(k.gpt()))
		},
		"families/rules/disabled": func(t *testing.T) {
			off := true
			layer := k.rules(k.claude(), middleware.Disabled(func() bool { return off }))
			_, err := k.served(t.Context(), layer(k.gpt(overload)))
			assert.Equal(t, rejected(529, "Overloaded"), err)
			off = false
			k.mustServe(t, "anthropic/claude", layer(k.gpt(overload)))
		},
		"families/actions/switch": func(t *testing.T) {
			gemini, _ := k.new("google/gemini", overload)
			_, err := k.served(t.Context(), k.rules(retry.Switch[M](when.Retryable(), gemini))(k.gpt(overload)))
			assert.Equal(t, []string{"gpt-5", "gemini"}, models(err), "once")
		},
		"families/actions/retry": func(t *testing.T) {
			_, err := k.served(t.Context(), k.rules(when.Retryable().Retry())(k.gpt(overload)))
			assert.Equal(t, []string{"gpt-5", "gpt-5"}, models(err), "two attempts, the first included")
			_, err = k.served(t.Context(), k.rules(retry.Retry[M](when.Retryable(), retry.Attempts(3)))(k.gpt(overload)))
			assert.Len(t, models(err), 3)
		},
		"families/actions/retry_after": func(t *testing.T) {
			begun := time.Now()
			k.mustServe(t, "openai/gpt-5", k.rules(when.Retryable().Retry(retry.Delay(time.Second)))(k.gpt(reply{err: rejected(429, "Slow down", "Retry-After", "7")}, serves)))
			assert.Equal(t, 7*time.Second, time.Since(begun))
		},
		"families/actions/retry_after_too_long": func(t *testing.T) {
			begun := time.Now()
			k.mustServe(t, "anthropic/claude", k.rules(when.Retryable().Retry(), k.claude())(k.gpt(reply{err: rejected(429, "Slow down", "Retry-After", "61")}, serves)))
			assert.Zero(t, time.Since(begun))
		},
		"families/actions/switch_ignores_retry_after": func(t *testing.T) {
			begun := time.Now()
			k.mustServe(t, "anthropic/claude", k.rules(retry.Switch[M](nil, k.claude()))(k.gpt(reply{err: rejected(429, "Slow down", "Retry-After", "30")})))
			assert.Zero(t, time.Since(begun))
		},
	}
}

func (k kit[M, L, Req, Resp]) options() rows {
	return rows{
		"families/options/attempts": func(t *testing.T) {
			gemini, _ := k.new("google/gemini", overload)
			_, err := k.served(t.Context(), k.rules(retry.Switch[M](when.Retryable(), gemini, retry.Attempts(3)))(k.gpt(overload)))
			assert.Equal(t, []string{"gpt-5", "gemini", "gemini", "gemini"}, models(err))
		},
		"families/options/delay_and_factor": func(t *testing.T) {
			base, asked := k.new("openai/gpt-5", overload, overload, overload, serves)
			k.mustServe(t, "openai/gpt-5", k.rules(when.Retryable().Retry(retry.Delay(2*time.Second), retry.Factor(2), retry.Attempts(4)))(base))
			assert.Equal(t, []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second}, gapsOf(asked))
		},
		"families/options/delay_is_cancelled": func(t *testing.T) {
			base, asked := k.new("openai/gpt-5", overload)
			begun := time.Now()
			_, err := k.served(cancelled(t, time.Second), k.rules(when.Retryable().Retry(retry.Delay(time.Hour)))(base))
			assert.ErrorIs(t, err, context.Canceled)
			assert.Equal(t, time.Second, time.Since(begun))
			assert.Len(t, asked.Calls(), 1)
		},
		"families/options/timeout": func(t *testing.T) {
			gemini, _ := k.new("google/gemini", hangs)
			begun := time.Now()
			k.mustServe(t, "anthropic/claude", k.rules(
				retry.Switch[M](when.Retryable(), gemini, retry.Timeout(30*time.Second)),
				retry.Switch[M](when.Timeout(), k.claude()))(k.gpt(overload)))
			assert.Equal(t, 30*time.Second, time.Since(begun))
		},
		"families/options/past_deadline": func(t *testing.T) {
			layer := k.rules(retry.Switch[M](when.Timeout(), k.claude(reply{after: 20 * time.Second}), retry.PastDeadline(30*time.Second)))
			by, err := k.served(within(t, time.Minute), layer(k.gpt(hangs)))
			require.NoError(t, err)
			assert.Equal(t, "anthropic/claude", by)
			_, err = k.served(cancelled(t, time.Second), layer(k.gpt(hangs)))
			assert.ErrorIs(t, err, context.Canceled, "a cancel is meant")
		},
		"families/options/nothing_past_the_deadline": func(t *testing.T) {
			claude, asked := k.new("anthropic/claude")
			_, err := k.served(within(t, time.Second), k.rules(retry.Switch[M](when.Timeout(), claude, retry.Timeout(time.Minute)), claude)(k.gpt(hangs)))
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			assert.Empty(t, asked.Calls())
		},
		"families/timeouts/total": func(t *testing.T) {
			m := k.chain(k.rules(retry.Switch[M](when.Timeout(), k.claude())), k.timeout(middleware.Total(20*time.Second)))(k.gpt(hangs))
			begun := time.Now()
			k.mustServe(t, "anthropic/claude", m)
			assert.Equal(t, 20*time.Second, time.Since(begun))
		},
		"families/timeouts/of_the_call": func(t *testing.T) {
			m := k.chain(k.timeout(middleware.Total(time.Minute)), k.rules(k.claude()))(k.gpt(hangs))
			_, err := k.served(t.Context(), m)
			_, ok := errors.AsType[*middleware.TimeoutError](err)
			assert.True(t, ok, "%v", err)
		},
	}
}

func (k kit[M, L, Req, Resp]) overrides() rows {
	base := func(t *testing.T) (M, *played[Req, Resp], M, *played[Req, Resp]) {
		base, first := k.new("openai/gpt-5", overload)
		spare, second := k.new("openai/mini")
		t.Cleanup(func() { assert.Equal(t, k.request, first.Calls()[0].Request, "the first attempt has the caller's") })
		return base, first, spare, second
	}
	return rows{
		"families/requests/fields": func(t *testing.T) {
			for name, field := range k.fields {
				base, _, spare, asked := base(t)
				k.mustServe(t, "openai/mini", k.rules(retry.Switch[M](when.Retryable(), spare, retry.Set(field.override)))(base))
				want := k.clone(k.request)
				field.change(want)
				assert.Equal(t, want, asked.Calls()[0].Request, "%s, and no other field", name)
			}
		},
		"families/requests/computed": func(t *testing.T) {
			for name, field := range k.fields {
				base, _, spare, asked := base(t)
				compute := func(ctx context.Context, h *retry.History) (Req, error) { return field.override, nil }
				k.mustServe(t, "openai/mini", k.rules(retry.Switch[M](when.Retryable(), spare, retry.SetFunc(compute)))(base))
				want := k.clone(k.request)
				field.change(want)
				assert.Equal(t, want, asked.Calls()[0].Request, name)
			}
		},
		"families/requests/computing_fails": func(t *testing.T) {
			base, _, spare, asked := base(t)
			_, err := k.served(t.Context(), k.rules(retry.Switch[M](nil, spare, retry.SetFunc(func(context.Context, *retry.History) (Req, error) {
				var none Req
				return none, boom
			})))(base))
			assert.ErrorIs(t, err, boom)
			assert.Empty(t, asked.Calls())
		},
		"families/requests/on_retry": func(t *testing.T) {
			for name, field := range k.fields {
				base, _, spare, asked := base(t)
				observe := k.observe(k.onRetry(func(_ context.Context, r strata.RetryInfo) *Req {
					assert.Equal(t, k.request, r.Request)
					return &field.override
				}))
				k.mustServe(t, "openai/mini", k.chain(observe, k.fallback(spare))(base))
				want := k.clone(k.request)
				field.change(want)
				assert.Equal(t, want, asked.Calls()[0].Request, name)
			}
		},
		"families/requests/on_retry_of_none": func(t *testing.T) {
			base, _, spare, asked := base(t)
			observe := k.observe(k.onRetry(func(context.Context, strata.RetryInfo) *Req { return nil }))
			k.mustServe(t, "openai/mini", k.chain(observe, k.rules(spare))(base))
			assert.Equal(t, k.request, asked.Calls()[0].Request)
		},
		"families/requests/precedence": func(t *testing.T) {
			base, _, spare, asked := base(t)
			rule, callback := k.fields["headers"].override, k.fields["options"].override
			observe := k.observe(k.onRetry(func(context.Context, strata.RetryInfo) *Req { return &callback }))
			k.mustServe(t, "openai/mini", k.chain(observe, k.rules(retry.Switch[M](nil, spare, retry.Set(rule))))(base))
			want := k.clone(k.request)
			k.fields["headers"].change(want)
			k.fields["options"].change(want)
			assert.Equal(t, want, asked.Calls()[0].Request, "the callback's, the rule's, the request's")
		},
	}
}

func (k kit[M, L, Req, Resp]) callbacks() rows {
	return rows{
		"families/callbacks/on_error": func(t *testing.T) {
			var failed []string
			observe := k.observe(middleware.OnError(func(_ context.Context, a strata.AttemptDoneInfo) {
				failed = append(failed, a.Model.Name+": "+string(failure.Of(a.Err)))
			}))
			gemini, _ := k.new("google/gemini", overload)
			k.mustServe(t, "anthropic/claude", k.chain(observe, k.rules(gemini, k.claude()))(k.gpt(throttle)))
			assert.Equal(t, []string{"gpt-5: rate", "gemini: overload"}, failed)
		},
		"families/callbacks/on_retry": func(t *testing.T) {
			var log []string
			observe := k.observe(
				middleware.OnError(func(context.Context, strata.AttemptDoneInfo) { log = append(log, "failed") }),
				k.onRetry(func(_ context.Context, r strata.RetryInfo) *Req {
					log = append(log, fmt.Sprintf("%s %d after %s", r.Model.Name, r.Number, r.After.Name))
					return nil
				}))
			k.mustServe(t, "anthropic/claude", k.chain(observe, k.rules(k.claude()))(k.gpt(throttle)))
			assert.Equal(t, []string{"failed", "claude 2 after gpt-5"}, log)
		},
		"families/callbacks/on_success_and_on_failure": func(t *testing.T) {
			for _, test := range []struct {
				base, spare reply
				want        string
			}{
				{serves, serves, "success by openai/gpt-5 of 1 attempts"},
				{overload, serves, "success by anthropic/claude of 2 attempts"},
				{overload, throttle, "failure (rate) of 2 attempts"},
			} {
				var log []string
				observe := k.observe(
					middleware.OnSuccess(func(_ context.Context, c middleware.CallInfo) {
						assert.Equal(t, tokens, c.Usage)
						log = append(log, fmt.Sprintf("success by %s of %d attempts", c.Model, c.Attempts))
					}),
					middleware.OnFailure(func(_ context.Context, c middleware.CallInfo) {
						log = append(log, fmt.Sprintf("failure (%s) of %d attempts", failure.Of(c.Err), c.Attempts))
					}))
				k.served(t.Context(), k.chain(observe, k.rules(k.claude(test.spare)))(k.gpt(test.base)))
				assert.Equal(t, []string{test.want}, log, "one of them")
			}
		},
	}
}

func (k kit[M, L, Req, Resp]) rest() rows {
	return rows{
		"families/errors/all_failed": func(t *testing.T) {
			_, err := k.served(t.Context(), k.rules(k.claude(overload))(k.gpt(throttle)))
			walk, ok := errors.AsType[*retry.Error](err)
			require.True(t, ok)
			assert.Equal(t, []error{rejected(429, "Slow down"), rejected(529, "Overloaded")}, walk.Errs)
			assert.Equal(t, []string{"gpt-5", "claude"}, models(err))
			assert.Equal(t, failure.Overload, failure.Of(err), "the last")
		},
		"families/errors/none_matched": func(t *testing.T) {
			_, err := k.served(t.Context(), k.rules(retry.Switch[M](when.Status(529), k.claude()))(k.gpt(throttle)))
			assert.EqualError(t, err, "openai/gpt-5: rate (429): Slow down")
		},
		"families/errors/rejected_answer": func(t *testing.T) {
			rejected := k.result(func(_ context.Context, r *Resp) bool { return k.by(r).Name == "gpt-5" })
			_, err := k.served(t.Context(), k.rules(retry.Switch[M](rejected, k.claude(overload)))(k.gpt()))
			walk, ok := errors.AsType[*retry.Error](err)
			require.True(t, ok)
			_, ok = errors.AsType[*retry.ResultError](walk.Errs[0])
			assert.True(t, ok)
			k.mustServe(t, "openai/gpt-5", k.rules(rejected.Retry())(k.gpt()))
		},
		"families/sticky/for_requests": func(t *testing.T) {
			m := k.chain(k.sticky(middleware.ForRequests(2)), k.fallback(k.claude()))(k.gpt(overload, serves))
			for _, want := range []string{"anthropic/claude", "anthropic/claude", "anthropic/claude", "openai/gpt-5"} {
				k.mustServe(t, want, m)
			}
		},
		"families/sticky/for_a_time": func(t *testing.T) {
			m := k.chain(k.sticky(middleware.ForDuration(time.Minute)), k.rules(k.claude()))(k.gpt(overload, serves))
			k.mustServe(t, "anthropic/claude", m)
			time.Sleep(59 * time.Second)
			k.mustServe(t, "anthropic/claude", m)
			time.Sleep(time.Second)
			k.mustServe(t, "openai/gpt-5", m)
		},
		"families/telemetry/spans": func(t *testing.T) {
			spans := tracetest.NewSpanRecorder()
			layer := telemetry.Layer(telemetry.TracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))))
			k.mustServe(t, "anthropic/claude", k.chain(k.lift(layer), k.rules(k.claude()))(k.gpt(overload)))
			var names []string
			for _, s := range spans.Ended() {
				names = append(names, s.Name())
			}
			assert.ElementsMatch(t, []string{"attempt gpt-5", "attempt claude", k.operation + " gpt-5"}, names)
		},
	}
}
