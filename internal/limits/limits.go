// Package limits ends the context of a call when it takes too long, and tells
// that end from the caller's own.
package limits

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// Limits are the limits of one call. They run out by cancelling its context
// with a *failure.TimeoutError as the cause; that context has no deadline of its
// own. End releases them.
type Limits struct {
	model   strata.ModelID
	ctx     context.Context // of the call below
	cancel  context.CancelCauseFunc
	timers  []*time.Timer
	expired atomic.Pointer[failure.TimeoutError] // the first limit that was reached
}

// Begin returns the context of a call to the model, and its limits.
func Begin(ctx context.Context, model strata.ModelID) (context.Context, *Limits) {
	l := &Limits{model: model}
	l.ctx, l.cancel = context.WithCancelCause(ctx)
	return l.ctx, l
}

// After starts the timer of a limit; 0 is none, and no timer.
func (l *Limits) After(limit failure.Limit, d time.Duration) *time.Timer {
	if d == 0 {
		return nil
	}
	timer := time.AfterFunc(d, func() { l.Expire(limit, d) })
	l.timers = append(l.timers, timer)
	return timer
}

// Expire ends the call at a limit, unless it was ended before.
func (l *Limits) Expire(limit failure.Limit, d time.Duration) {
	e := &failure.TimeoutError{Model: l.model, Limit: limit, After: d}
	l.expired.CompareAndSwap(nil, e)
	l.cancel(l.expired.Load()) // which the timer of another limit may be about to do
}

// End stops all timers and ends the context.
func (l *Limits) End() {
	for _, timer := range l.timers {
		timer.Stop()
	}
	l.cancel(nil)
}

// Reached reports whether a limit ended the call, before its caller did.
func (l *Limits) Reached() bool {
	e := l.expired.Load()
	return e != nil && context.Cause(l.ctx) == error(e)
}

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
