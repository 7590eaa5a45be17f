// Package limits ends the context of a call when it takes too long, and tells
// that end from the caller's own.
package limits

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// Limits are the limits of one call, and its context. They run out by cancelling
// that with a *failure.TimeoutError as the cause; it has no deadline of its own. End
// releases them.
type Limits struct {
	context.Context
	cancel  context.CancelCauseFunc
	model   strata.ModelID
	outer   *Limits                              // those that the call is within; nil: none
	started int                                  // of the timers
	timers  [2]*time.Timer                       // no call has more
	expired atomic.Pointer[failure.TimeoutError] // the first limit that was reached

	mu    sync.Mutex
	watch []context.CancelCauseFunc // of the contexts that Detach made
}

type limitsKey struct{}

// Begin returns the context of a call to the model, and its limits.
func Begin(ctx context.Context, model strata.ModelID) (context.Context, *Limits) {
	l := &Limits{model: model, outer: within(ctx)}
	l.Context, l.cancel = context.WithCancelCause(ctx)
	return l, l
}

// within returns the innermost limits that ctx is within, or nil.
func within(ctx context.Context) *Limits {
	l, _ := ctx.Value(limitsKey{}).(*Limits)
	return l
}

// Value is that of the context around, but for the limits.
func (l *Limits) Value(key any) any {
	if _, ok := key.(limitsKey); ok {
		return l
	}
	return l.Context.Value(key)
}

// String names the context as those of package context do.
func (l *Limits) String() string { return fmt.Sprint(l.Context) + ".WithLimits" }

// Detach returns a context that goes on past ctx's deadline. It ends with a cancel
// of ctx before that, and with the limits that ctx is within. The caller calls
// release.
func Detach(ctx context.Context) (detached context.Context, release func()) {
	detached, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel(context.Cause(ctx))
		}
	})
	for l := within(ctx); l != nil; l = l.outer {
		l.mu.Lock()
		l.watch = append(l.watch, cancel)
		l.mu.Unlock()
		if e := l.expired.Load(); e != nil {
			cancel(e)
		}
	}
	return detached, func() {
		stop()
		cancel(nil)
	}
}

// After starts the timer of a limit; 0 is none, and no timer.
func (l *Limits) After(limit failure.Limit, d time.Duration) *time.Timer {
	if d == 0 {
		return nil
	}
	return l.after(limit, d, d)
}

// after starts the timer of a limit of which some time is left.
func (l *Limits) after(limit failure.Limit, d, left time.Duration) *time.Timer {
	timer := time.AfterFunc(left, func() { l.Expire(limit, d) })
	l.timers[l.started] = timer
	l.started++
	return timer
}

// Expire ends the call at a limit, unless it was ended before.
func (l *Limits) Expire(limit failure.Limit, d time.Duration) {
	e := &failure.TimeoutError{Model: l.model, Limit: limit, After: d}
	l.expired.CompareAndSwap(nil, e)
	first := l.expired.Load()
	l.cancel(first) // which the timer of another limit may be about to do
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, cancel := range l.watch {
		cancel(first)
	}
}

// End stops all timers and ends the context. Of nil limits it does nothing.
func (l *Limits) End() {
	if l == nil {
		return
	}
	for _, timer := range l.timers[:l.started] {
		timer.Stop()
	}
	l.cancel(nil)
}

// Reached reports whether a limit ended the call, before its caller did. Nil
// limits are never reached.
func (l *Limits) Reached() bool {
	if l == nil {
		return false
	}
	e := l.expired.Load()
	return e != nil && context.Cause(l.Context) == error(e)
}

// Expired reports whether a limit has run out, before the call ended or not: where
// it has not, none is reached. It costs a part of a stream next to nothing.
func (l *Limits) Expired() bool { return l.expired.Load() != nil }

// Explain returns what to tell of a call that failed with err, which may be nil:
// the limit that was reached, or nil if none was.
func (l *Limits) Explain(err error) *failure.TimeoutError {
	if !l.Reached() {
		return nil
	}
	e := *l.expired.Load()
	e.Below = err
	return &e
}
