package middleware

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/limits"
	"github.com/strata-go/strata/internal/own"
	"github.com/strata-go/strata/internal/wrap"
	"github.com/strata-go/strata/stream"
)

// Timeout bounds the time of what stands below it: of each attempt below a
// retrying layer, of the whole call above one. Each of its four limits is
// optional; 0 is none. FirstContent, Idle and Silence are limits of streams:
// Generate is bounded by Total alone.
//
//	middleware.Timeout(middleware.FirstContent(8*time.Second), middleware.Idle(30*time.Second))
//
// At a limit the context of the call below is cancelled, with the
// [*TimeoutError] that the caller gets as its cause. The error is never confused
// with the caller's own cancel or deadline, and the layers below see no
// Deadline. The limits bind as far as the model honours its context; a stream
// that goes on all the same is left at its next part. Over a stream that a layer
// below has committed, the error stays inside the [*stream.CommittedError].
func Timeout(opts ...TimeoutOption) strata.Layer {
	mustNotBeNil("Timeout", opts)
	var c timeoutConfig
	for _, opt := range opts {
		opt.timeout(&c)
	}
	return func(next strata.Model) strata.Model {
		mustWrap("Timeout", next)
		if c == (timeoutConfig{}) {
			return next
		}
		return &timeout{Model: wrap.Over(next), timeoutConfig: c}
	}
}

// A TimeoutOption sets a limit of [Timeout].
type TimeoutOption interface{ timeout(*timeoutConfig) }

type timeoutOption func(*timeoutConfig)

func (o timeoutOption) timeout(c *timeoutConfig) { o(c) }

// Total limits the time from the call to its end, the time that the reader of a
// stream spends on its parts included.
func Total(d time.Duration) TimeoutOption {
	mustNotBeNegative("Total", d)
	return timeoutOption(func(c *timeoutConfig) { c.total = d })
}

// FirstContent limits the time from the call to the first part of a stream that
// commits, the time that the reader spends on the parts before it included.
// Start parts, empty deltas and the like do not count. It has no effect on
// Generate: use Total.
func FirstContent(d time.Duration) TimeoutOption {
	mustNotBeNegative("FirstContent", d)
	return timeoutOption(func(c *timeoutConfig) { c.firstContent = d })
}

// Idle limits the gap between two parts of a stream, from its first part on.
// The time that the reader spends on a part does not count. It has no effect on
// Generate: use Total.
func Idle(d time.Duration) TimeoutOption {
	mustNotBeNegative("Idle", d)
	return timeoutOption(func(c *timeoutConfig) { c.idle = d })
}

// Silence limits the time in which a stream's server gives no sign of life, from
// the call on: not a part and, where the adapter sees the bytes that arrive, not a
// byte. A provider that sends keep-alives while its model thinks is not cut, one
// whose connection is dead is. Over an adapter that does not tell of bytes, as
// [strata.Trace] has it, only parts count. The time that the reader spends on a
// part does not. Above a retrying layer the waits between its attempts do. It has no
// effect on Generate: use Total.
func Silence(d time.Duration) TimeoutOption {
	mustNotBeNegative("Silence", d)
	return timeoutOption(func(c *timeoutConfig) { c.silence = d })
}

// A TimeoutError says which limit of a [Timeout] ended a call.
type TimeoutError = failure.TimeoutError

type timeoutConfig struct{ total, firstContent, idle, silence time.Duration }

type timeout struct {
	own.Context
	wrap.Model
	timeoutConfig
}

func (t *timeout) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	if t.total == 0 {
		return stream.Generate(ctx, t.Next, req)
	}
	l := limits.Begin(ctx, t.ID())
	l.Total(t.total)
	defer l.End()
	resp, err := stream.Generate(l, t.Next, req)
	if err != nil {
		return nil, explain(l, err)
	}
	return resp, nil
}

func (t *timeout) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		s := t.begin(ctx)
		defer s.end()
		stream.Each(s.ctx, t.Next, req, func(p strata.Part, err error) bool {
			if s.settled && err == nil && !s.limits.Expired() {
				return yield(p, nil)
			}
			s.idle.close()
			s.silence.close()
			if err == nil && s.firstContent != nil && p.Commits() {
				if !s.firstContent.Stop() { // at the very moment of the limit
					s.limits.Expire(failure.LimitFirstContent, t.firstContent)
				}
				s.firstContent = nil
			}
			s.settled = s.firstContent == nil && s.idle == nil && s.silence == nil
			if err != nil || s.limits.Expired() && s.limits.Reached() {
				yield(nil, explain(s.limits, err))
				return false
			}
			more := yield(p, nil)
			s.idle.open()
			s.silence.open()
			return more
		})
	}
}

// timed is a stream within its limits.
type timed struct {
	ctx           context.Context
	limits        *limits.Limits
	firstContent  *time.Timer // nil: there is no such limit, or content
	idle, silence *gap
	settled       bool // a part needs nothing but that no limit has expired
}

func (t *timeout) begin(ctx context.Context) *timed {
	l := limits.Begin(ctx, t.ID())
	s := &timed{ctx: l, limits: l}
	l.After(failure.LimitTotal, t.total)
	s.firstContent = l.After(failure.LimitFirstContent, t.firstContent)
	s.idle = newGap(l, failure.LimitIdle, t.idle)
	if s.silence = newGap(l, failure.LimitSilence, t.silence); s.silence != nil {
		s.ctx = strata.WithTrace(l, &strata.Trace{Bytes: func(context.Context, int) { s.silence.touch() }})
		s.silence.open()
	}
	return s
}

func (s *timed) end() {
	s.silence.end()
	s.idle.end()
	s.limits.End()
}

// explain returns the error of a call that failed below with err, or, at a limit
// that it went past, without.
func explain(l *limits.Limits, err error) error {
	timeout := l.Explain(err)
	if timeout == nil {
		return err
	}
	var committed *stream.CommittedError
	if errors.As(err, &committed) {
		return &stream.CommittedError{Err: timeout, Usage: committed.Usage}
	}
	return timeout
}

// gap is a limit of the time since something was last heard of the model: since
// the last part was handed on, or a byte arrived. It costs one look at the clock
// each time; its timer looks whether a gap has become too long and otherwise
// sleeps on until that could be.
type gap struct {
	limits *limits.Limits
	name   failure.Limit
	limit  time.Duration
	begun  time.Time    // what since counts from
	since  atomic.Int64 // when the gap began, or gapClosed, or gapEnded

	mu    sync.Mutex // look may run before open knows the timer
	timer *time.Timer
}

const (
	gapClosed = 0  // the model is not waited for
	gapEnded  = -1 // the stream has ended
)

// newGap returns a limit of a call; nil is none.
func newGap(l *limits.Limits, name failure.Limit, d time.Duration) *gap {
	if d == 0 {
		return nil
	}
	return &gap{limits: l, name: name, limit: d, begun: time.Now()}
}

// open begins a gap.
func (g *gap) open() {
	if g != nil {
		g.begin()
	}
}

func (g *gap) begin() {
	g.since.Store(g.now())
	if g.timer == nil {
		g.mu.Lock()
		g.timer = time.AfterFunc(g.limit, g.look)
		g.mu.Unlock()
	}
}

// touch begins the gap anew, if it is open. Any goroutine may call it.
func (g *gap) touch() {
	if since := g.since.Load(); since > gapClosed {
		g.since.CompareAndSwap(since, g.now())
	}
}

// close ends a gap in time.
func (g *gap) close() {
	if g != nil {
		g.since.Store(gapClosed)
	}
}

func (g *gap) end() {
	if g != nil && g.timer != nil {
		g.since.Store(gapEnded)
		g.timer.Stop()
	}
}

// now is the time since begun; it is never one of the constants.
func (g *gap) now() int64 { return int64(time.Since(g.begun)) + 1 }

func (g *gap) look() {
	g.mu.Lock()
	defer g.mu.Unlock()
	left := g.limit
	switch since := g.since.Load(); since {
	case gapEnded:
		return
	case gapClosed:
	default:
		left -= time.Duration(g.now() - since)
		if left <= 0 && g.since.CompareAndSwap(since, gapClosed) {
			g.limits.Expire(g.name, g.limit)
			return
		}
	}
	g.timer.Reset(max(left, 1))
}
