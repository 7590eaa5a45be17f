package middleware_test

import (
	"context"
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
	"github.com/strata-go/strata/refusal"
)

// observer writes down what Observe hears.
func observer(log *[]string) strata.Layer {
	note := func(format string, args ...any) { *log = append(*log, fmt.Sprintf(format, args...)) }
	return middleware.Observe(
		middleware.OnAttempt(func(_ context.Context, i strata.AttemptInfo) { note("%s attempt %d: %s", i.Layer, i.Number, i.Model) }),
		middleware.OnAttemptDone(func(_ context.Context, i strata.AttemptDoneInfo) {
			kind := failure.Kind("ok")
			if i.Err != nil {
				kind = failure.Of(i.Err)
			}
			note("%s done %d: %s nested=%v committed=%v left=%v finish=%q in=%d", i.Layer, i.Number, kind, i.Nested, i.Committed, i.Left, i.FinishReason, i.Usage.InputTokens)
		}),
		middleware.OnWait(func(_ context.Context, i strata.WaitInfo) {
			note("%s wait %v for %d (server %v)", i.Layer, i.Duration, i.Number, i.FromServer)
		}),
		middleware.OnCommit(func(_ context.Context, i strata.AttemptInfo) { note("%s commit", i.Layer) }),
		middleware.OnServed(func(_ context.Context, i strata.ServedInfo) { note("%s served by %s", i.Layer, i.Model) }),
	)
}

// failsOver is a stack in which a model fails twice and another answers.
func failsOver(log *[]string) strata.Model {
	a := modeltest.New("openai/a",
		modeltest.Attempt{modeltest.Part(strata.ResponseMetadata{Usage: &strata.Usage{InputTokens: 5}}), modeltest.Fail(&failure.Error{Kind: failure.Rate, RetryAfter: 3 * time.Second})},
		modeltest.Failure(busy("openai/a")),
	)
	b := modeltest.New("anthropic/b", modeltest.Attempt{modeltest.Text("hi"), modeltest.Part(strata.Finish{Reason: "stop", Usage: strata.Usage{InputTokens: 7}, Model: strata.ModelID{Provider: "anthropic", Name: "b"}})})
	return strata.Wrap(a, observer(log), middleware.Fallback(b), middleware.Backoff(middleware.Attempts(2)))
}

func TestObserveHearsAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log []string
		_, err := read(t.Context(), failsOver(&log))
		require.NoError(t, err)
		assert.Equal(t, []string{
			"fallback attempt 1: openai/a",
			"backoff attempt 1: openai/a",
			`backoff done 1: rate nested=false committed=false left=false finish="" in=5`,
			"backoff wait 3s for 2 (server true)",
			"backoff attempt 2: openai/a",
			`backoff done 2: overload nested=false committed=false left=false finish="" in=0`,
			`fallback done 1: overload nested=true committed=false left=false finish="" in=0`,
			"fallback attempt 2: anthropic/b",
			"fallback commit",
			"fallback served by anthropic/b",
			`fallback done 2: ok nested=false committed=true left=false finish="stop" in=7`,
		}, log)
	})
}

func TestObserveHearsAWholeCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log []string
		_, err := failsOver(&log).Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, []string{
			"fallback attempt 1: openai/a",
			"backoff attempt 1: openai/a",
			`backoff done 1: rate nested=false committed=false left=false finish="" in=0`,
			"backoff wait 3s for 2 (server true)",
			"backoff attempt 2: openai/a",
			`backoff done 2: overload nested=false committed=false left=false finish="" in=0`,
			`fallback done 1: overload nested=true committed=false left=false finish="" in=0`,
			"fallback attempt 2: anthropic/b",
			`fallback done 2: ok nested=false committed=false left=false finish="stop" in=7`,
			"fallback served by anthropic/b",
		}, log)
	})
}

// Both layers tell who served, the inner one first; the outer tells the same.
func TestObserveInnerLayersFirst(t *testing.T) {
	var log []string
	b := modeltest.New("anthropic/b", modeltest.Answer("hi"))
	m := strata.Wrap(modeltest.New("openai/a", modeltest.Failure(busy("openai/a"))),
		observer(&log), middleware.Backoff(), middleware.Fallback(b))
	_, err := read(t.Context(), m)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"backoff attempt 1: openai/a",
		"fallback attempt 1: openai/a",
		`fallback done 1: overload nested=false committed=false left=false finish="" in=0`,
		"fallback attempt 2: anthropic/b",
		"fallback commit", "fallback served by anthropic/b",
		"backoff commit", "backoff served by anthropic/b",
		`fallback done 2: ok nested=false committed=true left=false finish="stop" in=0`,
		`backoff done 1: ok nested=true committed=true left=false finish="stop" in=0`,
	}, log)
}

func TestObserveHearsAReaderWhoLeaves(t *testing.T) {
	for name, test := range map[string]struct {
		attempt modeltest.Attempt
		parts   int
		want    []string
	}{
		"in mid-answer": {modeltest.Answer("hi"), 3, []string{
			"backoff attempt 1: openai/a", "backoff commit", "backoff served by openai/a",
			`backoff done 1: ok nested=false committed=true left=true finish="" in=0`,
		}},
		"at the finish, with the whole answer": {modeltest.Answer("hi"), 5, []string{
			"backoff attempt 1: openai/a", "backoff commit", "backoff served by openai/a",
			`backoff done 1: ok nested=false committed=true left=false finish="stop" in=0`,
		}},
		"in an answer with nothing in it": {modeltest.Attempt{modeltest.Start(), modeltest.Finish("stop")}, 1, []string{
			"backoff attempt 1: openai/a",
			`backoff done 1: ok nested=false committed=false left=false finish="stop" in=0`,
			"backoff served by openai/a",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var log []string
			m := strata.Wrap(modeltest.New("openai/a", test.attempt), observer(&log), middleware.Backoff())
			n := 0
			for range m.Stream(t.Context(), prompt) {
				if n++; n == test.parts {
					break
				}
			}
			assert.Equal(t, test.want, log)
		})
	}
}

func TestObserveBesideAnother(t *testing.T) {
	var outer, inner []string
	m := strata.Wrap(modeltest.New("openai/a", modeltest.Answer("hi")), observer(&outer), observer(&inner), middleware.Backoff())
	_, err := read(t.Context(), m)
	require.NoError(t, err)
	assert.Len(t, outer, 4)
	assert.Equal(t, outer, inner)
}

func TestObserveHearsOfRefusals(t *testing.T) {
	var heard []strata.RefusalInfo
	m := strata.Wrap(modeltest.New("openai/a", modeltest.Answer("No way, José")),
		middleware.Observe(middleware.OnRefusal(func(_ context.Context, i strata.RefusalInfo) { heard = append(heard, i) })),
		middleware.Fallback(modeltest.New("anthropic/b", modeltest.Answer("ok"))), refusal.Detect(refusal.Phrases("No way")))
	_, err := m.Generate(t.Context(), prompt)
	require.NoError(t, err)
	assert.Equal(t, []strata.RefusalInfo{{Model: strata.ModelID{Provider: "openai", Name: "a"}, Rule: "phrase", Score: 1, Text: "No way"}}, heard)
}
