package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	"github.com/strata-go/strata/retry"
)

// Contexts with causes, below and above the Timeout's.
func TestCausesOfACallersEnd(t *testing.T) {
	shutdown := errors.New("shutting down")
	for name, hang := range map[string]modeltest.Step{"says so": modeltest.Hang(), "fails otherwise": stubborn(3*time.Second, busy("openai/a"))} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(2*time.Second, func() { cancel(shutdown) })
				m := strata.Wrap(modeltest.New("openai/a", modeltest.Attempt{modeltest.Start(), hang}),
					middleware.Backoff(), middleware.Timeout(middleware.Total(time.Minute)))
				_, err := read(ctx, m)
				assert.ErrorIs(t, err, context.Canceled)
				assert.ErrorIs(t, err, shutdown)
				assert.Equal(t, failure.Aborted, failure.Of(err))
			})
		})
	}
}

// A deadline the SDK itself keeps (http.Client.Timeout) reads as
// DeadlineExceeded. While the caller still waits it is a failure like another.
func TestAnSDKsOwnDeadlineIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := modeltest.New("openai/a", modeltest.Failure(fmt.Errorf("client: %w", context.DeadlineExceeded)), modeltest.Answer("ok"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		_, err := read(ctx, middleware.Backoff()(m))
		assert.NoError(t, err)
		var e *retry.Error
		m = modeltest.New("openai/a", modeltest.Failure(fmt.Errorf("client: %w", context.DeadlineExceeded)))
		_, err = read(ctx, middleware.Backoff()(m))
		require.ErrorAs(t, err, &e)
		assert.Equal(t, retry.ReasonAttempts, e.Reason)
	})
}

// Content that comes at the very moment of the limit is either in time or not: a
// stream whose content was handed on does not fail for want of content.
func TestContentAtTheVeryMomentOfTheLimit(t *testing.T) {
	for range 3000 {
		synctest.Test(t, func(t *testing.T) {
			m := middleware.Timeout(middleware.FirstContent(5 * time.Second))(modeltest.New("openai/a", modeltest.Attempt{
				modeltest.Start(), modeltest.Wait(5 * time.Second), modeltest.Text("x"), modeltest.Wait(time.Second), modeltest.Text("y"), modeltest.Finish(strata.FinishStop)}))
			got, err := read(t.Context(), m)
			if err != nil && len(got) > 1 {
				t.Fatalf("content %q was handed on, then: %v", got, err)
			}
		})
		if t.Failed() {
			return
		}
	}
}

// The Trace's sums hold for a stack of three retrying layers: the attempts that
// are not nested are the calls that the models got.
func TestAttemptsThatAreNotNestedAreTheCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := modeltest.New("openai/a", modeltest.Failure(busy("openai/a")))
		b := modeltest.New("anthropic/b", modeltest.Failure(busy("anthropic/b")), modeltest.Failure(busy("anthropic/b")), modeltest.Answer("ok"))
		var done []strata.AttemptDoneInfo
		var served []strata.ServedInfo
		m := strata.Wrap(a,
			middleware.Observe(middleware.OnAttemptDone(func(_ context.Context, i strata.AttemptDoneInfo) { done = append(done, i) }), middleware.OnServed(func(_ context.Context, i strata.ServedInfo) { served = append(served, i) })),
			middleware.Backoff(), middleware.Fallback(b), middleware.Backoff(middleware.Attempts(2)))
		_, err := read(t.Context(), m)
		require.NoError(t, err)
		flat := 0
		for _, i := range done {
			if !i.Nested {
				flat++
			}
		}
		assert.Equal(t, len(a.Calls())+len(b.Calls()), flat)
		require.Len(t, served, 2)
		for _, s := range served {
			assert.Equal(t, "anthropic/b", s.Model.String())
		}
	})
}

// A broken model under each layer, whole and streamed: an error, once, and no
// panic. The Model's word is "neither"; (nil, nil) must not reach the caller.
func TestBrokenModelsUnderEveryLayer(t *testing.T) {
	all := map[string]strata.Layer{"funcs": strata.Funcs{}.Layer(), "observe": middleware.Observe()}
	for n, l := range layers {
		all[n] = l()
	}
	for name, layer := range all {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				resp, err := layer(odd(nil)).Generate(t.Context(), prompt)
				assert.True(t, resp != nil || err != nil, "neither an answer nor an error reaches the caller")
			})
		})
	}
}

// "Every decision reads the last error of a walk": an SDK's own deadline in an
// early attempt does not say that the caller's deadline ended the call.
func TestWhoEndedTheCallIsReadFromTheLastError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := modeltest.New("openai/a", modeltest.Failure(fmt.Errorf("client: %w", context.DeadlineExceeded)), modeltest.Failure(busy("openai/a")))
		slow := strata.Funcs{Generate: func(ctx context.Context, req *strata.Request, next strata.Model) (*strata.Response, error) {
			resp, err := next.Generate(ctx, req)
			time.Sleep(5 * time.Second) // writes a record, say
			return resp, err
		}}.Layer()
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		m := strata.Wrap(a, middleware.Fallback(modeltest.New("anthropic/b", modeltest.Answer("never"))), slow, middleware.Backoff(middleware.Attempts(2), middleware.NoJitter()))
		_, err := m.Generate(ctx, prompt)
		assert.Equal(t, failure.Timeout, failure.Of(err), "the caller's deadline gives the kind: %v", err)
	})
}

// A model that recovers what panicked above it does not make an answer of nothing.
func TestAPanicThatTheModelRecovers(t *testing.T) {
	recovers := odd(func(yield func(strata.Part, error) bool) {
		defer func() { recover() }()
		if yield(strata.TextDelta{Text: "I'm sorry, but that"}, nil) {
			yield(strata.Finish{Reason: strata.FinishStop}, nil)
		}
	})
	panics := refusal.Detect(refusal.Classifier(func(context.Context, refusal.Doubt) (bool, error) { panic("a bug") }))
	spare := modeltest.New("anthropic/b", modeltest.Answer("spare"))
	got, err := read(t.Context(), strata.Wrap(recovers, middleware.Fallback(spare), middleware.Observe(), panics))
	assert.NoError(t, err)
	assert.Contains(t, fmt.Sprint(got), "spare")
	_, err = read(t.Context(), strata.Wrap(recovers, middleware.Observe(), panics))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
}
