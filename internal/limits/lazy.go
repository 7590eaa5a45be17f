package limits

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// A Lazy is the context of a call with one limit, and makes [Limits] of it once
// somebody waits for it to end. A call that is answered from memory, or that a layer
// below does not make, has no timer.
type Lazy struct {
	context.Context // the caller's
	model           strata.ModelID
	limit           time.Duration
	begun           time.Duration // since loaded

	mu     sync.Mutex
	limits *Limits // nil: nobody waits
	ended  bool
}

// loaded is what time is counted from: the time since then takes one look at the
// monotonic clock, the time of day two.
var loaded = time.Now()

// BeginLazily returns the context of a call to the model that is limited to d in all.
func BeginLazily(ctx context.Context, model strata.ModelID, d time.Duration) *Lazy {
	return &Lazy{Context: ctx, model: model, limit: d, begun: time.Since(loaded)}
}

// Done is closed when the limit is reached, the caller's context ends, or the call.
func (l *Lazy) Done() <-chan struct{} { return l.await().Done() }

// Err says why the context has ended, and nil while it has not.
func (l *Lazy) Err() error {
	if l.untouched() {
		return l.Context.Err()
	}
	return l.await().Err()
}

// Value is that of the context around, but for what the end of the call is known by.
func (l *Lazy) Value(key any) any {
	if _, ok := key.(limitsKey); !ok && l.untouched() {
		return l.Context.Value(key)
	}
	return l.await().Value(key)
}

// String names the context as those of package context do.
func (l *Lazy) String() string { return fmt.Sprint(l.Context) + ".WithLimits" }

// Explain returns what to tell of a call that failed with err, as that of [Limits].
func (l *Lazy) Explain(err error) *failure.TimeoutError {
	if l.untouched() {
		return nil
	}
	return l.await().Explain(err)
}

// End ends the context.
func (l *Lazy) End() {
	l.mu.Lock()
	l.ended = true
	waited := l.limits
	l.mu.Unlock()
	waited.End()
}

// untouched reports whether nobody waits and nothing has ended but, perhaps, the
// caller's context.
func (l *Lazy) untouched() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.limits == nil && !l.ended && (l.Context.Err() != nil || l.left() > 0)
}

func (l *Lazy) left() time.Duration { return l.limit - (time.Since(loaded) - l.begun) }

// await returns the limits that somebody waits for.
func (l *Lazy) await() *Limits {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.limits != nil {
		return l.limits
	}
	_, l.limits = Begin(l.Context, l.model)
	switch left := l.left(); {
	case l.ended:
		l.limits.End()
	case left > 0:
		l.limits.after(failure.LimitTotal, l.limit, left)
	default:
		l.limits.Expire(failure.LimitTotal, l.limit)
	}
	return l.limits
}
