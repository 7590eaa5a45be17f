package watch_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/watch"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/stream"
)

var errBusy = &failure.Error{Kind: failure.Overload, Status: 503}

// layer makes a Model of a function that makes its attempts through the Trace.
func layer(generate func(context.Context, *strata.Trace) error) strata.Model {
	return strata.Funcs{Generate: func(ctx context.Context, req *strata.Request, next strata.Model) (*strata.Response, error) {
		if err := generate(ctx, strata.ContextTrace(ctx)); err != nil {
			return nil, err
		}
		return next.Generate(ctx, req)
	}}.Layer()(modeltest.New("openai/a", modeltest.Answer("hi")))
}

func attempt(layer string, number int) strata.AttemptInfo {
	return strata.AttemptInfo{Layer: layer, Model: strata.ModelID{Provider: "openai", Name: "a"}, Number: number}
}

// listen returns hooks that write down what became of each attempt, and the call.
func listen() (hooks watch.Hooks, heard func() []string, call *watch.Call) {
	var mu sync.Mutex // a test may read while an attempt is under way
	var attempts []string
	call = new(watch.Call)
	return watch.Hooks{
			AttemptEnd: func(a *watch.Attempt) {
				mu.Lock()
				defer mu.Unlock()
				attempts = append(attempts, fmt.Sprintf("%s#%d %s %s", a.Layer, a.Number, a.Outcome, a.Kind))
			},
			End: func(c *watch.Call) {
				call.Outcome, call.Attempts, call.Usage, call.Final = c.Outcome, c.Attempts, c.Usage, c.Final
			},
		}, func() []string {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(attempts)
		}, call
}

// A layer may make attempts at the same time, and be done before they are.
func TestAttemptsSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all sync.WaitGroup
		m := layer(func(ctx context.Context, trace *strata.Trace) error {
			first := make(chan struct{})
			for n, takes := range []time.Duration{3 * time.Second, time.Second, time.Hour} {
				all.Go(func() {
					_, tell := trace.BeginAttempt(ctx, attempt("hedge", n+1))
					time.Sleep(takes)
					if n == 1 {
						close(first)
						tell.Done(strata.AttemptDoneInfo{Usage: strata.Usage{InputTokens: 3}})
						return
					}
					tell.Done(strata.AttemptDoneInfo{Err: context.Canceled, Usage: strata.Usage{InputTokens: 100}})
				})
				synctest.Wait()
			}
			<-first
			synctest.Wait()
			return nil
		})
		hooks, attempts, call := listen()
		_, err := watch.Generate(t.Context(), m, strata.Prompt("hi"), hooks)
		require.NoError(t, err)
		assert.Equal(t, []string{"hedge#2 success "}, attempts())
		all.Wait()
		assert.Equal(t, []string{"hedge#2 success ", "hedge#1 failure aborted", "hedge#3 failure aborted"}, attempts())
		assert.Equal(t, 1, call.Attempts)
		assert.Equal(t, strata.Usage{InputTokens: 3}, call.Usage)
	})
}

// An attempt that follows one of another layer, or of another call of the same
// layer, is no retry of it.
func TestWhatFollowsIsNotAlwaysARetry(t *testing.T) {
	m := layer(func(ctx context.Context, trace *strata.Trace) error {
		for _, info := range []strata.AttemptInfo{attempt("one", 1), attempt("one", 2), attempt("one", 1), attempt("other", 2)} {
			_, tell := trace.BeginAttempt(ctx, info)
			tell.Done(strata.AttemptDoneInfo{Err: errBusy})
		}
		return errBusy
	})
	hooks, attempts, call := listen()
	_, err := watch.Generate(t.Context(), m, strata.Prompt("hi"), hooks)
	assert.Error(t, err)
	assert.Equal(t, []string{"one#1 retry overload", "one#2 failure overload", "one#1 failure overload", "other#2 failure overload"}, attempts())
	assert.Equal(t, watch.Failure, call.Outcome)
	assert.Equal(t, 4, call.Attempts)
}

// An attempt without a start, or whose context the layer did not take on, is no
// attempt.
func TestWhatDidNotBegin(t *testing.T) {
	m := layer(func(ctx context.Context, trace *strata.Trace) error {
		trace.AttemptDone(ctx, strata.AttemptDoneInfo{})
		trace.BeginWait(ctx, strata.WaitInfo{Duration: time.Second})
		return nil
	})
	hooks, attempts, call := listen()
	_, err := watch.Generate(t.Context(), m, strata.Prompt("hi"), hooks)
	require.NoError(t, err)
	assert.Empty(t, attempts())
	assert.Equal(t, watch.Success, call.Outcome)
}

// Two that listen to the same call hear the same.
func TestTwoListen(t *testing.T) {
	hooks, attempts, _ := listen()
	outerHooks, outerAttempts, _ := listen()
	inner := strata.Funcs{Generate: func(ctx context.Context, req *strata.Request, next strata.Model) (*strata.Response, error) {
		return watch.Generate(ctx, next, req, hooks)
	}}.Layer()(middleware.Backoff(middleware.Base(0))(modeltest.New("openai/a", modeltest.Failure(errBusy), modeltest.Answer("hi"))))
	_, err := watch.Generate(t.Context(), inner, strata.Prompt("hi"), outerHooks)
	require.NoError(t, err)
	assert.Equal(t, []string{"backoff#1 retry overload", "backoff#2 success "}, attempts())
	assert.Equal(t, attempts(), outerAttempts())
}

func TestDescribe(t *testing.T) {
	busy := &failure.Error{Kind: failure.Overload, Status: 503, Code: "busy", Message: "over\nloaded"}
	timeout := &failure.TimeoutError{Limit: failure.LimitIdle, After: time.Second}
	for name, c := range map[string]struct {
		err  error
		want watch.Problem
	}{
		"a provider's":    {busy, watch.Problem{Type: "*failure.Error", Message: "overload (503 busy): over loaded", Status: 503, Code: "busy"}},
		"a wrapped one":   {fmt.Errorf("private: %w", &stream.CommittedError{Err: busy}), watch.Problem{Type: "*failure.Error", Message: "overload (503 busy): over loaded", Status: 503, Code: "busy"}},
		"the last of all": {&retry.Error{Errs: []error{busy, timeout}}, watch.Problem{Type: "*failure.TimeoutError", Message: timeout.Error(), Timeout: timeout}},
		"a walk that was cancelled": {&retry.Error{Errs: []error{busy}, Ended: context.Canceled},
			watch.Problem{Type: "*errors.errorString", Message: "aborted"}},
		"a foreign one":       {errors.New("private"), watch.Problem{Type: "*errors.errorString", Message: "unknown"}},
		"a walk with nothing": {&retry.Error{}, watch.Problem{Type: "*retry.Error", Message: "unknown"}},
	} {
		assert.Equal(t, c.want, watch.Describe(c.err), name)
	}
}
