package middleware_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
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

// The tests that docs/from-ai-retry.md names, for what ai-retry's README
// promises. Those of conditions, actions and lists of rules are here.
func TestAIRetry(t *testing.T) { aiRetry.run(t) }

var aiRetry = with(aiRetryConditions, aiRetryBuiltins, aiRetryRules, aiRetryOptions, aiRetryRequests, aiRetryStreams, aiRetryCalls, aiRetryFamilies)

// The spare models always answer.
var (
	claude = broken("anthropic/claude-sonnet-5", 0)
	mini   = broken("openai/gpt-5-mini", 0)
)

// gpt returns the base model with a script.
func gpt(script ...modeltest.Attempt) *modeltest.Model {
	return modeltest.New("openai/gpt-5", script...)
}

// said is a provider's failure of an HTTP status, with headers in pairs.
func said(status int, message string, headers ...string) modeltest.Attempt {
	return modeltest.Failure(rejected(status, message, headers...))
}

func rejected(status int, message string, headers ...string) error {
	h := http.Header{}
	for i := 0; i < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return failure.Classify(failure.Error{
		Model: strata.ModelID{Provider: "openai", Name: "gpt-5"}, Status: status, Message: message, Headers: h,
	})
}

// ended returns an answer with nothing in it.
func ended(reason strata.FinishReason) modeltest.Attempt {
	return modeltest.Attempt{modeltest.Start(), modeltest.Finish(reason)}
}

// answered makes a whole call and a stream over a base model with a script and
// returns who answered, which must be the same; nobody is "".
func answered(t *testing.T, layer strata.Layer, script ...modeltest.Attempt) string {
	var whole, streamed string
	if resp, err := layer(gpt(script...)).Generate(t.Context(), prompt); err == nil {
		whole = resp.Model.String()
	}
	for p, err := range layer(gpt(script...)).Stream(t.Context(), prompt) {
		if finish, ok := p.(strata.Finish); ok && err == nil {
			streamed = finish.Model.String()
		}
	}
	assert.Equal(t, whole, streamed, "a stream goes as a whole call does")
	return whole
}

// decides shows that a rule switches to claude for one attempt, and leaves the
// other as it is.
func decides(rule middleware.Rule, matches, other modeltest.Attempt) func(*testing.T) {
	return func(t *testing.T) {
		assert.Equal(t, claude.ID().String(), answered(t, middleware.Rules(rule), matches))
		assert.Equal(t, answered(t, middleware.Rules(), other), answered(t, middleware.Rules(rule), other))
	}
}

type teapot struct{ error }

func isTeapot(_ context.Context, err error) bool { return failure.Is(err, errTeapot) }

var (
	errTeapot = errors.New("I am a teapot")
	busy529   = said(529, "Overloaded")
	slow429   = said(429, "Slow down")
	timedOut  = modeltest.Failure(&failure.TimeoutError{After: time.Second})
	hello     = modeltest.Attempt{modeltest.Text("hello"), modeltest.Part(strata.Finish{Reason: "stop", Usage: strata.Usage{OutputTokens: 1}})}
)

var aiRetryConditions = rows{
	"conditions/error":           decides(when.Error(isTeapot).Switch(claude), modeltest.Failure(errTeapot), busy529),
	"conditions/is":              decides(when.Is(io.ErrUnexpectedEOF).Switch(claude), modeltest.Failure(fmt.Errorf("read: %w", io.ErrUnexpectedEOF)), busy529),
	"conditions/is_instance":     decides(when.As[teapot]().Switch(claude), modeltest.Failure(teapot{boom}), busy529),
	"conditions/retryable":       decides(when.Retryable().Switch(claude), busy529, said(400, "no such field")),
	"conditions/not_retryable":   decides(when.Retryable().Not().Switch(claude), said(400, "no such field"), busy529),
	"conditions/status":          decides(when.Status(503, 529).Switch(claude), busy529, slow429),
	"conditions/status_pattern":  decides(when.Status(regexp.MustCompile(`^5\d\d$`)).Switch(claude), busy529, slow429),
	"conditions/message":         decides(when.Message("overloaded").Switch(claude), busy529, slow429),
	"conditions/message_pattern": decides(when.Message(regexp.MustCompile(`(?i)rate.?limit`)).Switch(claude), said(429, "Rate limit reached"), slow429),
	"conditions/timeout":         decides(when.Timeout().Switch(claude), timedOut, busy529),
	"conditions/aborted":         decides(when.Aborted().Switch(claude), modeltest.Failure(&failure.Error{Kind: failure.Aborted}), busy529),
	"conditions/http_status":     decides(when.HTTPStatus(429).Switch(claude), slow429, busy529),
	"conditions/http_status_mixed": func(t *testing.T) {
		rule := when.HTTPStatus(529).Or(when.HTTPStatus("overloaded")).Switch(claude)
		decides(rule, said(529, "busy"), slow429)(t)
		decides(rule, said(500, "The engine is overloaded"), slow429)(t)
	},
	"conditions/result":        decides(when.Result(empty).Switch(claude), ended(strata.FinishStop), hello),
	"conditions/finish_reason": decides(when.FinishReason(strata.FinishContentFilter).Switch(claude), ended(strata.FinishContentFilter), hello),
	"conditions/schema_invalid": func(t *testing.T) {
		req := &strata.Request{ResponseFormat: &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: json.RawMessage(`{"type":"object"}`)}}
		layer := middleware.Rules(when.SchemaInvalid(validate).Switch(claude))
		for text, want := range map[string]string{"no JSON": "from " + claude.ID().String(), `{"a":1}`: `{"a":1}`} {
			resp, err := layer(gpt(modeltest.Answer(text))).Generate(t.Context(), req)
			require.NoError(t, err)
			assert.Equal(t, want, resp.Text())
		}
		resp, err := layer(gpt(modeltest.Answer("no JSON"))).Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, "no JSON", resp.Text(), "a request without a schema asks for none")
	},
	"conditions/no_image": decides(when.NoImage().Switch(claude), modeltest.Failure(fmt.Errorf("dall-e-3: %w", failure.ErrNoImage)), busy529),

	"combinators/or":  decides(when.Any(when.Status(429), when.Message("overloaded")).Switch(claude), busy529, said(503, "busy")),
	"combinators/and": decides(when.All(when.Status(503), when.Message("temporary")).Switch(claude), said(503, "A temporary fault"), said(503, "busy")),
	"combinators/not": decides(when.Not(when.Status(429)).Switch(claude), busy529, slow429),
	"combinators/methods": func(t *testing.T) {
		rule := when.Retryable().And(when.Status(429).Or(when.Message("overloaded")).Not()).Switch(claude)
		decides(rule, said(503, "busy"), slow429)(t)
		decides(rule, said(502, "bad gateway"), busy529)(t)
		decides(rule, said(503, "busy"), said(400, "no such field"))(t)
	},
	"combinators/what_is_asked_about": func(t *testing.T) {
		assert.Equal(t, "openai/gpt-5", answered(t, middleware.Rules(when.Status(429).Not().Switch(claude)), hello), "not of an error condition is no condition over answers")
		assert.Panics(t, func() { when.Status(429).And(when.FinishReason(strata.FinishStop)) })
	},
}

func empty(_ context.Context, r *strata.Response) bool { return r.Usage.OutputTokens == 0 }

// validate stands for a library that knows JSON Schema.
func validate(_ json.RawMessage, answer []byte) error {
	var object map[string]any
	return json.Unmarshal(answer, &object)
}

var aiRetryBuiltins = rows{
	"builtins/content_filter": func(t *testing.T) {
		rule := when.Kind(failure.Content).Or(when.FinishReason(strata.FinishContentFilter)).Switch(claude)
		decides(rule, modeltest.Failure(failure.Classify(failure.Error{Status: 400, Code: "content_filter", Message: "filtered"})), busy529)(t)
		decides(rule, ended(strata.FinishContentFilter), hello)(t)
	},
	"builtins/request_timeout":       decides(when.Timeout().Switch(claude, retry.Timeout(time.Minute)), timedOut, busy529),
	"builtins/request_not_retryable": decides(when.Retryable().Not().Switch(claude), said(401, "bad key"), busy529),
	"builtins/retry_after_delay": func(t *testing.T) {
		base := gpt(busy529, busy529, hello)
		begun := time.Now()
		_, err := middleware.Rules(when.Retryable().Retry(retry.Delay(2*time.Second), retry.Factor(2), retry.Attempts(3)))(base).Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, 6*time.Second, time.Since(begun))
	},
	"builtins/schema_mismatch": func(t *testing.T) { aiRetryConditions["conditions/schema_invalid"](t) },
	"builtins/service_overloaded": func(t *testing.T) {
		rule := when.Kind(failure.Overload).Switch(claude)
		decides(rule, busy529, slow429)(t)
		decides(rule, modeltest.Failure(failure.Classify(failure.Error{Status: 200, InStream: true, Code: "overloaded_error"})), slow429)(t)
	},
	"builtins/service_unavailable": decides(when.Status(503).Switch(claude), said(503, "unavailable"), busy529),
	"builtins/no_image_generated":  func(t *testing.T) { aiRetryConditions["conditions/no_image"](t) },
}

// models returns the models that were asked, in order.
func models(err error) (asked []string) {
	var walk *retry.Error
	if errors.As(err, &walk) {
		for _, id := range walk.Models {
			asked = append(asked, id.Name)
		}
	}
	return asked
}

var aiRetryRules = rows{
	"rules/wrap": func(t *testing.T) {
		layer := middleware.Rules(
			when.Status(529).Or(when.Message("overloaded")).Switch(claude),
			when.FinishReason(strata.FinishContentFilter).Switch(mini),
			when.Retryable().Retry(retry.Delay(time.Second), retry.Factor(2)),
		)
		assert.Equal(t, "anthropic/claude-sonnet-5", answered(t, layer, busy529))
		assert.Equal(t, "openai/gpt-5-mini", answered(t, layer, ended(strata.FinishContentFilter)))
		assert.Equal(t, "openai/gpt-5", answered(t, layer, said(503, "busy"), hello))
	},
	"rules/fallbacks": func(t *testing.T) {
		layer := middleware.Rules(broken("google/gemini", 9), claude)
		assert.Equal(t, claude.ID().String(), answered(t, layer, said(400, "no such field")), "a model stands for any error")
		assert.Equal(t, "openai/gpt-5", answered(t, layer, ended(strata.FinishContentFilter)), "but for no answer")
	},
	"rules/top_down": func(t *testing.T) {
		layer := middleware.Rules(when.Status(429).Switch(mini), claude)
		assert.Equal(t, "openai/gpt-5-mini", answered(t, layer, slow429))
		assert.Equal(t, "anthropic/claude-sonnet-5", answered(t, layer, busy529))
		assert.Equal(t, "anthropic/claude-sonnet-5", answered(t, middleware.Rules(claude, when.Status(429).Switch(mini)), slow429))
	},
	"rules/model_with_options": func(t *testing.T) {
		gemini := broken("google/gemini", 1)
		rule := retry.Switch[strata.Model](nil, gemini, retry.Attempts(2), retry.Delay(time.Second))
		begun := time.Now()
		resp, err := middleware.Rules(rule)(gpt(busy529)).Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, gemini.ID(), resp.Model)
		assert.Equal(t, 2*time.Second, time.Since(begun))
	},
	"rules/custom": func(t *testing.T) {
		firstTime := retry.MatchFunc(func(_ context.Context, h *retry.History) bool {
			return len(h.Attempts) == 1 && h.Last().Err != nil
		})
		layer := middleware.Rules(retry.Switch[strata.Model](firstTime, broken("google/gemini", 9)), when.Retryable().Switch(claude))
		assert.Equal(t, claude.ID().String(), answered(t, layer, busy529))
		assert.Equal(t, "openai/gpt-5", answered(t, layer, ended(strata.FinishLength)), "an answer has no Err")
	},
	"rules/blocking": func(t *testing.T) {
		flagged := when.Result(func(ctx context.Context, r *strata.Response) bool {
			time.Sleep(time.Second) // asks a moderator
			return r.Text() == "hello"
		})
		begun := time.Now()
		resp, err := middleware.Rules(flagged.Switch(claude))(gpt(hello)).Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, claude.ID(), resp.Model)
		assert.Equal(t, time.Second, time.Since(begun), "and is not asked again once its model has had its attempt")
	},

	"actions/switch": func(t *testing.T) {
		gemini := broken("google/gemini", 9)
		_, err := middleware.Rules(when.Retryable().Switch(gemini))(gpt(busy529)).Generate(t.Context(), prompt)
		assert.Equal(t, []string{"gpt-5", "gemini"}, models(err), "once")
	},
	"actions/retry": func(t *testing.T) {
		_, err := middleware.Rules(when.Retryable().Retry())(gpt(busy529)).Generate(t.Context(), prompt)
		assert.Equal(t, []string{"gpt-5", "gpt-5"}, models(err), "two attempts, the first included")
	},
	"actions/retry_is_of_the_current_model": func(t *testing.T) {
		_, err := middleware.Rules(when.Retryable().Retry(), broken("google/gemini", 9))(gpt(busy529)).Generate(t.Context(), prompt)
		assert.Equal(t, []string{"gpt-5", "gpt-5", "gemini", "gemini"}, models(err))
	},
	"actions/retry_of_one": func(t *testing.T) {
		assert.PanicsWithValue(t, "retry.Retry: Attempts(1) is less than 2: the rule could never fire",
			func() { when.Retryable().Retry(retry.Attempts(1)) })
	},
	"actions/retry_after": func(t *testing.T) {
		for _, rule := range []middleware.Rule{when.Retryable().Retry(retry.Delay(time.Second)), when.Retryable().Retry(retry.Delay(time.Hour))} {
			for header, value := range map[string]string{"Retry-After": "7", "Retry-After-Ms": "7000"} {
				begun := time.Now()
				_, err := middleware.Rules(rule)(gpt(said(429, "Slow down", header, value), hello)).Generate(t.Context(), prompt)
				require.NoError(t, err)
				assert.Equal(t, 7*time.Second, time.Since(begun), header)
			}
		}
	},
	"actions/retry_after_too_long": func(t *testing.T) {
		begun := time.Now()
		layer := middleware.Rules(when.Retryable().Retry(), claude)
		assert.Equal(t, claude.ID().String(), answered(t, layer, said(429, "Slow down", "Retry-After", "61"), hello), "the rule is passed over")
		assert.Zero(t, time.Since(begun))
	},
	"actions/retry_after_capped": func(t *testing.T) {
		begun := time.Now()
		_, err := middleware.Rules(when.Retryable().Retry(retry.CapRetryAfter()))(gpt(said(429, "Slow down", "Retry-After", "600"), hello)).Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, time.Minute, time.Since(begun))
	},
	"actions/switch_ignores_retry_after": func(t *testing.T) {
		begun := time.Now()
		assert.Equal(t, claude.ID().String(), answered(t, middleware.Rules(when.Status(429).Switch(claude)), said(429, "Slow down", "Retry-After", "30")))
		assert.Zero(t, time.Since(begun))
	},
}
