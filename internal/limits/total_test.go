package limits_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/limits"
)

var id = strata.ModelID{Provider: "openai", Name: "a"}

// total returns the limits of a call that may take d in all.
func total(ctx context.Context, d time.Duration) *limits.Limits {
	l := limits.Begin(ctx, id)
	l.Total(d)
	return l
}

// Whoever waits, and however late they begin to, the limit counts from the call on.
func TestATotalIsReached(t *testing.T) {
	for name, wait := range map[string]func(*limits.Limits){
		"nobody waits": func(l *limits.Limits) { time.Sleep(2 * time.Second) },
		"at once":      func(l *limits.Limits) { <-l.Done() },
		"later": func(l *limits.Limits) {
			time.Sleep(900 * time.Millisecond)
			<-l.Done()
		},
		"too late": func(l *limits.Limits) {
			time.Sleep(1500 * time.Millisecond)
			<-l.Done()
		},
		"by looking": func(l *limits.Limits) {
			for l.Err() == nil {
				time.Sleep(100 * time.Millisecond)
			}
		},
		"below a context of its own": func(l *limits.Limits) {
			ctx, cancel := context.WithCancel(l)
			defer cancel()
			<-ctx.Done()
			var e *failure.TimeoutError
			assert.ErrorAs(t, context.Cause(ctx), &e)
		},
		"below another limit": func(l *limits.Limits) {
			inner := total(l, time.Hour)
			defer inner.End()
			<-inner.Done()
			assert.Nil(t, inner.Explain(nil))
		},
		"past the caller's deadline": func(l *limits.Limits) {
			ctx, release := limits.Detach(l)
			defer release()
			<-ctx.Done()
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := total(t.Context(), time.Second)
				defer l.End()
				begun := time.Now()
				assert.NoError(t, l.Err())
				assert.Nil(t, l.Explain(errors.New("boom")))
				wait(l)
				if elapsed := time.Since(begun); elapsed < 1500*time.Millisecond {
					assert.Equal(t, time.Second, elapsed)
				}
				synctest.Wait()
				boom := errors.New("boom")
				want := &failure.TimeoutError{Model: id, Limit: failure.LimitTotal, After: time.Second, Below: boom}
				assert.Equal(t, want, l.Explain(boom))
				assert.Equal(t, context.Canceled, l.Err())
				_, ok := l.Deadline()
				assert.False(t, ok)
			})
		})
	}
}

func TestTheCallersEndIsNoTotal(t *testing.T) {
	stop := errors.New("shutting down")
	for name, waits := range map[string]bool{"somebody waits": true, "nobody waits": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				parent, cancel := context.WithCancelCause(t.Context())
				l := total(parent, time.Second)
				defer l.End()
				if waits {
					l.Done()
				}
				cancel(stop)
				assert.Equal(t, context.Canceled, l.Err())
				assert.Equal(t, stop, context.Cause(l))
				time.Sleep(2 * time.Second)
				assert.Nil(t, l.Explain(nil))
				<-l.Done()
			})
		})
	}
}

// A context that somebody keeps has ended with the call.
func TestAContextWithATotalEndsWithItsCall(t *testing.T) {
	for name, waits := range map[string]bool{"somebody waits": true, "nobody waits": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := total(t.Context(), time.Second)
				if waits {
					l.Done()
				}
				l.End()
				assert.Equal(t, context.Canceled, context.Cause(l))
				assert.Equal(t, context.Canceled, l.Err())
				<-l.Done()
				time.Sleep(2 * time.Second)
				assert.Nil(t, l.Explain(nil))
			})
		})
	}
}

type key struct{}

func TestAContextWithATotalHasTheValuesAround(t *testing.T) {
	l := total(context.WithValue(t.Context(), key{}, "v"), time.Hour)
	assert.Equal(t, "v", l.Value(key{}))
	l.Done()
	assert.Equal(t, "v", l.Value(key{}))
	l.End()
	assert.Equal(t, "v", l.Value(key{}))
	assert.Contains(t, l.String(), ".WithLimits")
}

// All that a context is asked at once, while it ends.
func TestAContextWithATotalServesManyGoroutines(t *testing.T) {
	for range 100 {
		l := total(t.Context(), time.Millisecond)
		var wg sync.WaitGroup
		for _, ask := range []func(){
			func() { <-l.Done() },
			func() { _ = l.Err() },
			func() { l.Value(key{}) },
			func() { l.Explain(nil) },
			l.End,
			func() {
				ctx, cancel := context.WithCancel(l)
				cancel()
				<-ctx.Done()
			},
		} {
			wg.Go(ask)
		}
		wg.Wait()
		require.Error(t, l.Err())
	}
}

// Where nobody waits, what was first is known of a deadline and of another total.
func TestATotalThatWasOverBeforeTheCaller(t *testing.T) {
	s := time.Second
	for name, test := range map[string]struct {
		caller  func(context.Context) (context.Context, func())
		reached bool
	}{
		"a later deadline": {func(ctx context.Context) (context.Context, func()) {
			return context.WithTimeout(ctx, 2*s)
		}, true},
		"an earlier deadline": {func(ctx context.Context) (context.Context, func()) {
			return context.WithTimeout(ctx, s/2)
		}, false},
		"a later total": {func(ctx context.Context) (context.Context, func()) {
			l := total(ctx, 2*s)
			return l, l.End
		}, true},
		"an earlier total": {func(ctx context.Context) (context.Context, func()) {
			l := total(ctx, s/2)
			return l, l.End
		}, false},
		"a later total around one that is not reached": {func(ctx context.Context) (context.Context, func()) {
			outer := total(ctx, 2*s)
			l := total(outer, 10*s)
			return l, func() { l.End(); outer.End() }
		}, true},
		"another limit, later": {func(ctx context.Context) (context.Context, func()) {
			l := limits.Begin(ctx, id)
			l.After(failure.LimitIdle, 2*s)
			return l, l.End
		}, true},
		"another limit, earlier": {func(ctx context.Context) (context.Context, func()) {
			l := limits.Begin(ctx, id)
			l.After(failure.LimitIdle, s/2)
			return l, l.End
		}, false},
		"a cancel": {func(ctx context.Context) (context.Context, func()) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(2*s, cancel)
			return ctx, cancel
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, release := test.caller(t.Context())
				defer release()
				l := total(ctx, s)
				defer l.End()
				time.Sleep(3 * s)
				assert.Equal(t, test.reached, l.Explain(nil) != nil)
				assert.Equal(t, test.reached, l.Reached())
				assert.Error(t, l.Err())
				<-l.Done()
			})
		})
	}
}

// A context that names itself is named so, another by its type: what is in it may be
// private, and may be changing.
func TestLimitsAreNamedAsContextsAre(t *testing.T) {
	assert.Equal(t, "context.Background.WithLimits", total(context.Background(), time.Hour).String())
	assert.Equal(t, "*limits_test.private.WithLimits", total(&private{Context: t.Context(), secret: "sk-1"}, time.Hour).String())
}

type private struct {
	context.Context
	secret string
}
