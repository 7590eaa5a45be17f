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
//
// The context that ends is made once somebody waits for it, or a limit has a timer:
// a call that is answered from memory, or that a layer below does not make, costs
// next to nothing.
type Limits struct {
	context.Context // the caller's
	model           strata.ModelID
	total           time.Duration          // see Total; 0: none
	begun           time.Duration          // since loaded; 0: there is no total
	expired         atomic.Pointer[expiry] // of the first limit that was reached

	mu      sync.Mutex
	live    context.Context // that ends; nil: nobody waits
	cancel  context.CancelCauseFunc
	ended   bool
	started uint8                     // of the timers
	timers  [2]*time.Timer            // no call has more
	outer   *Limits                   // those that the call is within, once somebody waits; nil: none
	watch   []context.CancelCauseFunc // of the contexts that Detach made
}

// An expiry is a limit that was reached, and when, since loaded.
type expiry struct {
	failure.TimeoutError
	at time.Duration
}

type limitsKey struct{}

// loaded is what time is counted from: the time since then takes one look at the
// monotonic clock, the time of day two.
var loaded = time.Now()

// Begin returns the limits of a call to the model.
func Begin(ctx context.Context, model strata.ModelID) *Limits {
	return &Limits{Context: ctx, model: model}
}

// Total limits the call to d in all, 0 is not at all, as [Limits.After] does, but with
// a timer only once somebody waits for the context to end: who does not, is told by
// Explain alone.
func (l *Limits) Total(d time.Duration) {
	if d > 0 {
		l.total, l.begun = d, time.Since(loaded)
	}
}

// After starts the timer of a limit, of two at most; 0 is none, and no timer.
func (l *Limits) After(limit failure.Limit, d time.Duration) *time.Timer {
	if d == 0 {
		return nil
	}
	l.await()
	l.mu.Lock()
	defer l.mu.Unlock()
	timer := time.AfterFunc(d, func() { l.Expire(limit, d) })
	l.timers[l.started] = timer
	l.started++
	return timer
}

// Done returns a channel that is closed when a limit is reached, the caller's context ends, or the call.
func (l *Limits) Done() <-chan struct{} { return l.await().Done() }

// Err says why the context has ended; nil while it has not.
func (l *Limits) Err() error {
	if l.untouched() {
		return l.Context.Err()
	}
	return l.await().Err()
}

// Value is that of the caller's context, but for the limits, and for what package
// context asks for.
func (l *Limits) Value(key any) any {
	if _, ok := key.(limitsKey); ok {
		return l
	}
	l.mu.Lock()
	waited := l.live != nil || l.ended
	l.mu.Unlock()
	if !waited {
		return l.Context.Value(key)
	}
	return l.await().Value(key)
}

// String names the context as those of package context do.
func (l *Limits) String() string {
	if s, ok := l.Context.(fmt.Stringer); ok {
		return s.String() + ".WithLimits"
	}
	return fmt.Sprintf("%T.WithLimits", l.Context)
}

// untouched reports whether nobody waits and nothing has ended but, perhaps, the
// caller's context.
func (l *Limits) untouched() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.live == nil && !l.ended && !l.late()
}

// left is what is left of the total.
func (l *Limits) left() time.Duration { return l.total - (time.Since(loaded) - l.begun) }

// late reports whether the total was over before the caller's context ended. When that
// was is known of a deadline and of other limits; a cancel counts as earlier.
func (l *Limits) late() bool {
	if l.total == 0 || l.left() > 0 {
		return false
	}
	switch err := l.Context.Err(); {
	case err == nil:
		return true
	case errors.Is(err, context.DeadlineExceeded):
		deadline, ok := l.Context.Deadline()
		return ok && l.left() < time.Until(deadline)
	}
	for outer := within(l.Context); outer != nil; outer = within(outer.Context) {
		if outer.Reached() {
			return l.begun+l.total < outer.expired.Load().at
		}
	}
	return false
}

// await returns the context that somebody waits for.
func (l *Limits) await() context.Context {
	l.mu.Lock()
	late := l.live == nil && l.begin()
	l.mu.Unlock()
	if late {
		l.overrun()
	}
	return l.live
}

// begin makes the context that ends, and reports whether the total is over already.
func (l *Limits) begin() (late bool) {
	l.outer = within(l.Context)
	ctx := l.Context
	if late = !l.ended && l.late(); late {
		ctx = context.WithoutCancel(ctx) // which may have ended since
	}
	l.live, l.cancel = context.WithCancelCause(ctx)
	switch {
	case l.ended:
		l.cancel(nil)
	case l.total > 0 && !late:
		l.timers[0], l.started = time.AfterFunc(l.left(), l.overrun), 1
	}
	return late
}

// overrun ends the call as its total is over.
func (l *Limits) overrun() { l.expire(failure.LimitTotal, l.total, l.begun+l.total) }

// within returns the innermost limits that ctx is within, or nil.
func within(ctx context.Context) *Limits {
	l, _ := ctx.Value(limitsKey{}).(*Limits)
	return l
}

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
		l.await()
		l.mu.Lock()
		l.watch = append(l.watch, cancel)
		l.mu.Unlock()
		if e := l.expired.Load(); e != nil {
			cancel(&e.TimeoutError)
		}
	}
	return detached, func() {
		stop()
		cancel(nil)
	}
}

// Expire ends the call at a limit, unless it was ended before.
func (l *Limits) Expire(limit failure.Limit, d time.Duration) {
	l.expire(limit, d, time.Since(loaded))
}

func (l *Limits) expire(limit failure.Limit, d, at time.Duration) {
	l.await()
	l.expired.CompareAndSwap(nil, &expiry{failure.TimeoutError{Model: l.model, Limit: limit, After: d}, at})
	first := &l.expired.Load().TimeoutError
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
	l.mu.Lock()
	l.ended = true
	live, timers := l.live, l.timers[:l.started]
	l.mu.Unlock()
	for _, timer := range timers {
		timer.Stop()
	}
	if live != nil {
		l.cancel(nil)
	}
}

// Reached reports whether a limit ended the call, before its caller did. Nil
// limits are never reached.
func (l *Limits) Reached() bool {
	if l == nil || l.untouched() {
		return false
	}
	live := l.await()
	e := l.expired.Load()
	return e != nil && context.Cause(live) == error(&e.TimeoutError)
}

// Expired reports whether a limit with a timer has run out, before the call ended or
// not: where it has not, none is reached. It costs a part of a stream next to nothing.
func (l *Limits) Expired() bool { return l.expired.Load() != nil }

// Explain returns what to tell of a call that failed with err, which may be nil:
// the limit that was reached, or nil if none was.
func (l *Limits) Explain(err error) *failure.TimeoutError {
	if !l.Reached() {
		return nil
	}
	e := l.expired.Load().TimeoutError
	e.Below = err
	return &e
}
