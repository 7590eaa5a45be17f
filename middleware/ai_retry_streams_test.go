package middleware_test

import (
	"context"
	"errors"
	"iter"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/stream"
	"github.com/strata-go/strata/when"
)

// preamble begins a stream as providers do before there is content.
func preamble(rest ...modeltest.Step) modeltest.Attempt {
	return append(modeltest.Attempt{modeltest.Start(), modeltest.Metadata("r1"), modeltest.TextStart("0")}, rest...)
}

// fromClaude is what a reader sees of an answer of claude's.
var fromClaude = []string{"StreamStart", "TextStart", "from anthropic/claude-sonnet-5", "TextEnd", "finish anthropic/claude-sonnet-5"}

// cutOff shows that a stream is cut off behind its text, and nobody else asked. It returns why.
func cutOff(t *testing.T, m strata.Model) error {
	asked := len(claude.Calls())
	got, err := read(t.Context(), m)
	assert.Contains(t, got, "half")
	assert.NotContains(t, got, "from anthropic/claude-sonnet-5")
	assert.Len(t, claude.Calls(), asked)
	committed, ok := errors.AsType[*stream.CommittedError](err)
	require.True(t, ok)
	return committed.Err
}

var aiRetryStreams = rows{
	"streams/before_content": func(t *testing.T) {
		for _, failing := range []modeltest.Attempt{busy529, preamble(modeltest.Fail(boom)), preamble(modeltest.Text(""), modeltest.Fail(boom))} {
			got, err := read(t.Context(), middleware.Rules(claude)(gpt(failing)))
			require.NoError(t, err)
			assert.Equal(t, fromClaude, got)
		}
	},
	"streams/after_content": func(t *testing.T) {
		err := cutOff(t, middleware.Rules(claude)(gpt(preamble(modeltest.Text("half"), modeltest.Fail(boom)))))
		assert.Equal(t, boom, err)
	},
	"streams/one_preamble": func(t *testing.T) {
		var ids []string
		spare := modeltest.New("anthropic/claude", modeltest.Attempt{modeltest.Metadata("r2"), modeltest.Text("hi"), modeltest.Finish("stop")})
		for part, err := range middleware.Rules(spare)(gpt(preamble(modeltest.Fail(boom)))).Stream(t.Context(), prompt) {
			require.NoError(t, err)
			if m, ok := part.(strata.ResponseMetadata); ok {
				ids = append(ids, m.ID)
			}
		}
		assert.Equal(t, []string{"r2"}, ids)
	},
	"streams/preamble_comes_with_content": func(t *testing.T) {
		begun := time.Now()
		for range middleware.Rules(claude)(gpt(preamble(modeltest.Wait(time.Second), modeltest.Text("hi"), modeltest.Finish("stop")))).Stream(t.Context(), prompt) {
			assert.Equal(t, time.Second, time.Since(begun))
		}
	},
	"streams/no_content": func(t *testing.T) {
		got, err := read(t.Context(), middleware.Rules(claude)(gpt(preamble(modeltest.Finish("stop")))))
		require.NoError(t, err)
		assert.Equal(t, []string{"StreamStart", "ResponseMetadata", "TextStart", "finish openai/gpt-5"}, got)
	},
	"streams/result_before_content": func(t *testing.T) {
		layer := middleware.Rules(when.FinishReason(strata.FinishContentFilter).Switch(claude))
		got, err := read(t.Context(), layer(gpt(preamble(modeltest.Finish(strata.FinishContentFilter)))))
		require.NoError(t, err)
		assert.Equal(t, fromClaude, got)
	},
	"streams/result_after_content": func(t *testing.T) {
		layer := middleware.Rules(when.FinishReason(strata.FinishContentFilter).Switch(claude))
		base := func() strata.Model {
			return gpt(modeltest.Attempt{modeltest.Text("half"), modeltest.Finish(strata.FinishContentFilter)})
		}
		got, err := read(t.Context(), layer(base()))
		require.NoError(t, err)
		assert.Equal(t, []string{"half", "finish openai/gpt-5"}, got)
		resp, err := layer(base()).Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, claude.ID(), resp.Model, "a whole answer is judged with its text")
	},

	"timeouts/total": func(t *testing.T) {
		layer := strata.Chain(middleware.Rules(when.Timeout().Switch(claude)), middleware.Timeout(middleware.Total(20*time.Second)))
		begun := time.Now()
		assert.Equal(t, claude.ID().String(), answered(t, layer, stalled))
		assert.Equal(t, 40*time.Second, time.Since(begun), "of two calls")
	},
	"timeouts/first_content": func(t *testing.T) {
		layer := strata.Chain(middleware.Rules(when.Timeout().Switch(claude)), middleware.Timeout(middleware.FirstContent(2*time.Second)))
		begun := time.Now()
		got, err := read(t.Context(), layer(gpt(preamble(modeltest.Hang()))))
		require.NoError(t, err)
		assert.Equal(t, fromClaude, got)
		assert.Equal(t, 2*time.Second, time.Since(begun))
	},
	"timeouts/idle": func(t *testing.T) {
		layer := strata.Chain(middleware.Rules(when.Timeout().Switch(claude)), middleware.Timeout(middleware.Idle(5*time.Second)))
		got, err := read(t.Context(), layer(gpt(preamble(modeltest.Hang()))))
		require.NoError(t, err)
		assert.Equal(t, fromClaude, got, "in the preamble too")
		assert.Equal(t, failure.Timeout, failure.Of(cutOff(t, layer(gpt(preamble(modeltest.Text("half"), modeltest.Hang()))))))
	},
	"timeouts/of_the_call": func(t *testing.T) {
		layer := strata.Chain(middleware.Timeout(middleware.Total(time.Minute)), middleware.Rules(when.Timeout().Switch(claude)))
		_, err := layer(gpt(stalled)).Generate(t.Context(), prompt)
		timeout, ok := errors.AsType[*middleware.TimeoutError](err)
		require.True(t, ok, "nobody else is asked")
		assert.Equal(t, time.Minute, timeout.After)
	},
}

// sdkAnswer and sdkChunk are types of an SDK's own.
type (
	sdkAnswer struct{ Text string }
	sdkChunk  struct{ Text string }
)

var aiRetryCalls = rows{
	"calls/call": func(t *testing.T) {
		policy := retry.Models("anthropic/claude", "openai/gpt-5").Rules(retry.Switch(when.Status(529), "openai/gpt-5-mini"))
		answer, err := retry.Call(t.Context(), policy, func(ctx context.Context, try retry.Attempt[string]) (*sdkAnswer, error) {
			if try.Number == 1 {
				return nil, failure.Classify(failure.Error{Status: 529})
			}
			return &sdkAnswer{"from " + try.Model}, nil
		})
		require.NoError(t, err)
		assert.Equal(t, "from openai/gpt-5-mini", answer.Text)
	},
	"calls/stream": func(t *testing.T) {
		var texts []string
		hasText := retry.Commits(func(c sdkChunk) bool { return c.Text != "" })
		for chunk, err := range retry.Stream(t.Context(), retry.Models("openai/gpt-5", "openai/gpt-5-mini"), func(_ context.Context, try retry.Attempt[string]) iter.Seq2[sdkChunk, error] {
			return func(yield func(sdkChunk, error) bool) {
				switch {
				case !yield(sdkChunk{}, nil):
				case try.Number == 1:
					yield(sdkChunk{}, failure.Classify(failure.Error{Status: 529}))
				default:
					yield(sdkChunk{try.Model}, nil)
				}
			}
		}, hasText) {
			require.NoError(t, err)
			texts = append(texts, chunk.Text)
		}
		assert.Equal(t, []string{"", "openai/gpt-5-mini"}, texts, "one preamble")
	},
	"calls/result": func(t *testing.T) {
		short := retry.MatchFunc(func(_ context.Context, h *retry.History) bool {
			answer, ok := h.Last().Result.(*sdkAnswer)
			return ok && len(answer.Text) < 10
		})
		policy := retry.Models("openai/gpt-5-mini").Rules(retry.Switch(short, "openai/gpt-5"))
		answer, err := retry.Call(t.Context(), policy, func(_ context.Context, try retry.Attempt[string]) (*sdkAnswer, error) {
			return &sdkAnswer{map[string]string{"openai/gpt-5-mini": "No.", "openai/gpt-5": "A whole answer."}[try.Model]}, nil
		})
		require.NoError(t, err)
		assert.Equal(t, "A whole answer.", answer.Text)
	},
	"calls/timeout": func(t *testing.T) {
		policy := retry.Models("openai/gpt-5", "openai/gpt-5-mini").Timeout(20 * time.Second)
		stall := func(ctx context.Context, try retry.Attempt[string]) error {
			if try.Number == 1 {
				<-ctx.Done()
			}
			return ctx.Err()
		}
		asked, err := retry.Call(t.Context(), policy, func(ctx context.Context, try retry.Attempt[string]) (string, error) {
			return try.Model, stall(ctx, try)
		})
		require.NoError(t, err)
		assert.Equal(t, "openai/gpt-5-mini", asked)
		for model, err := range retry.Stream(t.Context(), policy, func(ctx context.Context, try retry.Attempt[string]) iter.Seq2[string, error] {
			return func(yield func(string, error) bool) { yield(try.Model, stall(ctx, try)) }
		}) {
			require.NoError(t, err)
			assert.Equal(t, "openai/gpt-5-mini", model)
		}
	},
	"calls/past_deadline": func(t *testing.T) {
		policy := retry.Models("openai/gpt-5").Rules(retry.Switch(when.Timeout(), "openai/gpt-5-mini", retry.PastDeadline(30*time.Second)))
		asked, err := retry.Call(within(t, time.Second), policy, func(ctx context.Context, try retry.Attempt[string]) (string, error) {
			if try.Number == 1 {
				<-ctx.Done()
			}
			return try.Model, ctx.Err()
		})
		require.NoError(t, err)
		assert.Equal(t, "openai/gpt-5-mini", asked)
	},
	"calls/cancel": func(t *testing.T) {
		calls := 0
		_, err := retry.Call(cancelled(t, time.Second), retry.Models("openai/gpt-5", "openai/gpt-5-mini"), func(ctx context.Context, _ retry.Attempt[string]) (int, error) {
			calls++
			<-ctx.Done()
			return 0, ctx.Err()
		})
		assert.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, 1, calls)
	},
	"calls/arguments": func(t *testing.T) {
		policy := retry.Models("openai/gpt-5").Rules(retry.Retry[string](when.Retryable(), retry.Set("Answer in one sentence.")))
		asked, err := retry.Call(t.Context(), policy, func(_ context.Context, try retry.Attempt[string]) (string, error) {
			if try.Number == 1 {
				return "", failure.Classify(failure.Error{Status: 529})
			}
			return *try.Overrides[0].(*string), nil
		})
		require.NoError(t, err)
		assert.Equal(t, "Answer in one sentence.", asked)
	},
	"calls/callbacks": func(t *testing.T) {
		var asked []string
		ctx := strata.WithTrace(t.Context(), &strata.Trace{AttemptDone: func(_ context.Context, a strata.AttemptDoneInfo) {
			asked = append(asked, a.Model.Name)
		}})
		retry.Call(ctx, retry.Models("openai/gpt-5", "openai/gpt-5-mini"), func(context.Context, retry.Attempt[string]) (int, error) {
			return 0, failure.Classify(failure.Error{Status: 529})
		})
		assert.Equal(t, []string{"gpt-5", "gpt-5-mini"}, asked)
	},
	"calls/no_models_behind": func(t *testing.T) {
		_, err := retry.Call(t.Context(), retry.Models("openai/gpt-5"), func(context.Context, retry.Attempt[string]) (int, error) { return 0, boom })
		assert.Equal(t, boom, err)
	},
}
