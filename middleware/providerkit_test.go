package middleware_test

import (
	"context"
	"fmt"
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
	"github.com/strata-go/strata/when"
)

// The tests that docs/from-providerkit.md names, for what providerkit's page on
// retries promises.
func TestProviderkit(t *testing.T) { providerkit.run(t) }

var providerkit = with(providerkitBackoff, providerkitStreams, providerkitBackups)

// again makes a whole call over a model that is overloaded n times, and returns
// it.
func again(t *testing.T, layer strata.Layer, n int) *modeltest.Model {
	base := broken("anthropic/claude-sonnet-5", n)
	layer(base).Generate(t.Context(), prompt)
	return base
}

func seconds(all ...time.Duration) []time.Duration {
	for i := range all {
		all[i] *= time.Second
	}
	return all
}

var providerkitBackoff = rows{
	"backoff/defaults": func(t *testing.T) {
		assert.Len(t, again(t, middleware.Backoff(), 9).Calls(), 3)
		assert.Equal(t, seconds(1, 2), gaps(again(t, middleware.Backoff(middleware.NoJitter()), 9)), "but for the jitter")
		assert.Equal(t, seconds(1, 2, 4, 8, 16, 30, 30), gaps(again(t, middleware.Backoff(middleware.NoJitter(), middleware.Attempts(8), middleware.Budget(time.Hour)), 9)))
	},
	"backoff/options": func(t *testing.T) {
		layer := middleware.Backoff(middleware.Attempts(5), middleware.Base(2*time.Second), middleware.Max(5*time.Second), middleware.NoJitter())
		assert.Equal(t, seconds(2, 4, 5, 5), gaps(again(t, layer, 9)))
	},
	"backoff/full_jitter": func(t *testing.T) {
		var sum time.Duration
		const calls = 200
		for range calls {
			wait := gaps(again(t, middleware.Backoff(middleware.Attempts(2)), 9))[0]
			assert.Less(t, wait, time.Second)
			sum += wait
		}
		assert.InDelta(t, 0.5, (sum / calls).Seconds(), 0.15)
	},
	"backoff/server_wait": func(t *testing.T) {
		for _, asked := range []string{"1", "45"} {
			begun := time.Now()
			_, err := middleware.Backoff(middleware.Base(20*time.Second), middleware.NoJitter())(gpt(said(429, "Slow down", "Retry-After", asked), hello)).Generate(t.Context(), prompt)
			require.NoError(t, err)
			assert.Equal(t, asked+"s", time.Since(begun).String(), "shorter or longer than the computed one")
		}
	},
	"backoff/server_wait_too_long": func(t *testing.T) {
		begun := time.Now()
		base := gpt(said(429, "Slow down", "Retry-After", "61"))
		_, err := middleware.Backoff()(base).Generate(t.Context(), prompt)
		assert.Equal(t, failure.Rate, failure.Of(err))
		assert.Len(t, base.Calls(), 1)
		assert.Zero(t, time.Since(begun))
	},
	"backoff/transient_kinds": func(t *testing.T) {
		for _, kind := range failure.Kinds() {
			base := gpt(modeltest.Failure(provider("openai/gpt-5", kind)), hello)
			middleware.Backoff()(base).Generate(t.Context(), prompt)
			want := 1
			switch kind {
			case failure.Timeout, failure.Network, failure.Overload, failure.Rate:
				want = 2
			}
			assert.Len(t, base.Calls(), want, kind)
		}
	},
	"backoff/abortable_wait": func(t *testing.T) {
		base, begun := gpt(said(429, "Slow down", "Retry-After", "60")), time.Now()
		_, err := middleware.Backoff()(base).Generate(cancelled(t, time.Second), prompt)
		assert.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, time.Second, time.Since(begun))
		assert.Len(t, base.Calls(), 1)
	},
	"backoff/on_retry": func(t *testing.T) {
		var log []string
		observe := middleware.Observe(middleware.OnWait(func(_ context.Context, w strata.WaitInfo) {
			log = append(log, fmt.Sprintf("before attempt %d: %v after %v", w.Number, w.Duration, failure.Of(w.Err)))
		}))
		again(t, strata.Chain(observe, middleware.Backoff(middleware.NoJitter())), 9)
		assert.Equal(t, []string{"before attempt 2: 1s after overload", "before attempt 3: 2s after overload"}, log)
	},
	"backoff/a_function": func(t *testing.T) {
		policy := retry.Models("anthropic/claude").Rules(
			retry.Retry[string](when.Retryable(), retry.Attempts(3), retry.Delay(time.Second), retry.Factor(2)))
		begun := time.Now()
		number, err := retry.Call(t.Context(), policy, func(ctx context.Context, try retry.Attempt[string]) (int, error) {
			if try.Number < 3 {
				return 0, busy(try.Model)
			}
			return try.Number, nil
		})
		require.NoError(t, err)
		assert.Equal(t, 3, number)
		assert.Equal(t, 3*time.Second, time.Since(begun))
	},
}

var providerkitStreams = rows{
	"streams/before_the_first_chunk": func(t *testing.T) {
		got, err := read(t.Context(), middleware.Backoff()(gpt(busy529, preamble(modeltest.Fail(busy("openai/gpt-5"))), hello)))
		require.NoError(t, err)
		assert.Equal(t, []string{"hello", "finish openai/gpt-5"}, got)
	},
	"streams/after_the_first_chunk": func(t *testing.T) {
		base := gpt(modeltest.Attempt{modeltest.Text("half"), modeltest.Fail(busy("openai/gpt-5"))}, hello)
		assert.Equal(t, failure.Overload, failure.Of(cutOff(t, middleware.Backoff()(base))))
		assert.Len(t, base.Calls(), 1)
	},
	"streams/own_abort": func(t *testing.T) {
		base := gpt(preamble(modeltest.Fail(busy("openai/gpt-5"))), hello)
		for range middleware.Backoff()(base).Stream(t.Context(), prompt) {
			calls := base.Calls()
			assert.Error(t, calls[0].Context.Err(), "the attempt that was given up is over")
			assert.NoError(t, calls[1].Context.Err(), "the one that is read is not")
			break
		}
		assert.Error(t, base.Calls()[1].Context.Err(), "until the reader leaves")
		assert.NoError(t, t.Context().Err())
	},
	"streams/a_function": func(t *testing.T) {
		var got []string
		for text, err := range retry.Stream(t.Context(), retry.Models("anthropic/claude").Rules(retry.Retry[string](when.Retryable())), func(ctx context.Context, try retry.Attempt[string]) iter.Seq2[string, error] {
			return func(yield func(string, error) bool) {
				if try.Number == 1 {
					yield("", busy(try.Model))
					return
				}
				yield("hello", nil)
			}
		}) {
			require.NoError(t, err)
			got = append(got, text)
		}
		assert.Equal(t, []string{"hello"}, got)
	},
}

// backups is the list of an example: a primary and two backups.
func backups(primary, second, third modeltest.Attempt) (sonnet, haiku, gpt5 *modeltest.Model) {
	return modeltest.New("anthropic/claude-sonnet-5", primary), modeltest.New("anthropic/claude-haiku-4-5", second), gpt(third)
}

var providerkitBackups = rows{
	"backups/streams": func(t *testing.T) {
		sonnet, haiku, gpt5 := backups(busy529, slow429, hello)
		got, err := read(t.Context(), middleware.Fallback(haiku, gpt5)(sonnet))
		require.NoError(t, err)
		assert.Equal(t, []string{"hello", "finish openai/gpt-5"}, got)
	},
	"backups/whole_calls": func(t *testing.T) {
		sonnet, haiku, gpt5 := backups(busy529, slow429, hello)
		resp, err := middleware.Fallback(haiku, gpt5)(sonnet).Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, gpt5.ID(), resp.Model)
	},
	"backups/position": func(t *testing.T) {
		sonnet, haiku, gpt5 := backups(busy529, slow429, hello)
		models := []strata.Model{sonnet, haiku, gpt5}
		var log []string
		observe := middleware.Observe(middleware.OnRetry(func(_ context.Context, r strata.RetryInfo) *strata.Request {
			log = append(log, fmt.Sprintf("falling back to %s (%d/%d)", r.Model.Name, r.Number, len(models)))
			return nil
		}))
		_, err := read(t.Context(), strata.Chain(observe, middleware.Fallback(models[1:]...))(models[0]))
		require.NoError(t, err)
		assert.Equal(t, []string{"falling back to claude-haiku-4-5 (2/3)", "falling back to gpt-5 (3/3)"}, log)
	},
	"backups/eligible_kinds": func(t *testing.T) {
		for _, kind := range failure.Kinds() {
			sonnet, haiku, gpt5 := backups(modeltest.Failure(provider("anthropic/claude-sonnet-5", kind)), hello, hello)
			layer := middleware.FallbackWith([]strata.Model{haiku, gpt5}, middleware.On(failure.Overload, failure.Rate))
			_, err := layer(sonnet).Generate(t.Context(), prompt)
			assert.Equal(t, kind == failure.Overload || kind == failure.Rate, err == nil, kind)
		}
	},
	"backups/by_kind": func(t *testing.T) {
		next := map[failure.Kind]string{
			failure.Overload: "claude-haiku-4-5", failure.Rate: "claude-haiku-4-5", failure.Timeout: "claude-haiku-4-5",
			failure.Content: "claude-haiku-4-5", failure.Model: "claude-haiku-4-5", failure.Unknown: "claude-haiku-4-5",
			failure.Network: "gpt-5", failure.Quota: "gpt-5", failure.Entitlement: "gpt-5", failure.Auth: "gpt-5",
		}
		for _, kind := range failure.Kinds() {
			sonnet, haiku, gpt5 := backups(modeltest.Failure(provider("anthropic/claude-sonnet-5", kind)), hello, hello)
			resp, err := middleware.Fallback(haiku, gpt5)(sonnet).Generate(t.Context(), prompt)
			if next[kind] == "" {
				assert.Equal(t, kind, failure.Of(err))
				continue
			}
			require.NoError(t, err, kind)
			assert.Equal(t, next[kind], resp.Model.Name, kind)
		}
	},
	"backups/committed": func(t *testing.T) {
		sonnet, haiku, gpt5 := backups(modeltest.Attempt{modeltest.Text("half"), modeltest.Fail(busy("anthropic/claude-sonnet-5"))}, hello, hello)
		assert.Equal(t, failure.Overload, failure.Of(cutOff(t, middleware.Fallback(haiku, gpt5)(sonnet))))
		assert.Empty(t, haiku.Calls())
	},
	"backups/functions": func(t *testing.T) {
		policy := retry.Models("claude-sonnet-5", "claude-haiku-4-5", "gpt-5")
		answer, err := retry.Call(t.Context(), policy, func(ctx context.Context, try retry.Attempt[string]) (string, error) {
			if try.Number < 3 {
				return "", &failure.Error{Kind: failure.Overload}
			}
			return try.Model, nil
		})
		require.NoError(t, err)
		assert.Equal(t, "gpt-5", answer)
		for answer, err := range retry.Stream(t.Context(), policy, func(ctx context.Context, try retry.Attempt[string]) iter.Seq2[string, error] {
			return func(yield func(string, error) bool) {
				if try.Number < 3 {
					yield("", &failure.Error{Kind: failure.Overload})
					return
				}
				yield(try.Model, nil)
			}
		}) {
			require.NoError(t, err)
			assert.Equal(t, "gpt-5", answer)
		}
	},
}
