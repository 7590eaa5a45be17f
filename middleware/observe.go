package middleware

import (
	"context"
	"errors"
	"iter"
	"sync/atomic"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/wrap"
	"github.com/strata-go/strata/stream"
)

// Observe calls functions of the program's own as the layers below it make
// attempts, wait and are answered, and when each call ends. It installs a
// [strata.Trace] in each call's context, beside any that is there. Put it
// outermost to hear all of a stack.
//
//	middleware.Observe(
//		middleware.OnError(func(ctx context.Context, a strata.AttemptDoneInfo) {
//			log.Printf("attempt %d of %s failed: %v", a.Number, a.Model, a.Err)
//		}),
//		middleware.OnRetry(func(ctx context.Context, r strata.RetryInfo) *strata.Request {
//			return &strata.Request{Headers: freshHeaders(ctx, r.Model)} // for this attempt alone
//		}),
//	)
//
// The functions run on the goroutine of the call, which waits for them; calls on
// other goroutines run them at the same time. A panic in one passes through to
// the caller, with everything released. Attempts of inner layers are reported
// too, inside the attempt of the outer layer that holds them: see
// [strata.AttemptDoneInfo]'s Nested.
func Observe(opts ...ObserveOption) strata.Layer {
	mustNotBeNil("Observe", opts)
	var o observe
	for _, opt := range opts {
		opt.observe(&o)
	}
	return func(next strata.Model) strata.Model {
		mustWrap("Observe", next)
		o := o
		o.Model = wrap.Over(next)
		if o.attemptDone != nil || o.attemptFailed != nil {
			o.trace.AttemptDone = o.tell
		}
		return &o
	}
}

// An ObserveOption gives [Observe] a function to call. The last one given for
// an event is called.
type ObserveOption interface{ observe(*observe) }

type observeOption func(*observe)

func (f observeOption) observe(o *observe) { f(o) }

// OnAttempt calls f before each attempt.
func OnAttempt(f func(context.Context, strata.AttemptInfo)) ObserveOption {
	mustBeFunc("OnAttempt", f == nil)
	return observeOption(func(o *observe) {
		o.trace.AttemptStart = func(ctx context.Context, info strata.AttemptInfo) context.Context {
			f(ctx, info)
			return ctx
		}
	})
}

// OnAttemptDone calls f after each attempt, failed or not.
func OnAttemptDone(f func(context.Context, strata.AttemptDoneInfo)) ObserveOption {
	mustBeFunc("OnAttemptDone", f == nil)
	return observeOption(func(o *observe) { o.attemptDone = f })
}

// OnError calls f after each attempt that failed, whatever comes of it.
func OnError(f func(context.Context, strata.AttemptDoneInfo)) ObserveOption {
	mustBeFunc("OnError", f == nil)
	return observeOption(func(o *observe) { o.attemptFailed = f })
}

// OnWait calls f before each wait between two attempts.
func OnWait(f func(context.Context, strata.WaitInfo)) ObserveOption {
	mustBeFunc("OnWait", f == nil)
	return observeOption(func(o *observe) { o.trace.Wait = f })
}

// OnRetry calls f before each attempt but a layer's first, behind the wait. What
// f returns, unless it is nil, overrides the request of that attempt alone: its
// fields that are not zero replace the request's whole, over what a rule
// overrides. f may block, until ctx ends; it must not change the request it is
// shown.
func OnRetry(f func(context.Context, strata.RetryInfo) *strata.Request) ObserveOption {
	mustBeFunc("OnRetry", f == nil)
	return observeOption(func(o *observe) {
		o.trace.Retry = func(ctx context.Context, info strata.RetryInfo) any {
			if override := f(ctx, info); override != nil {
				return override
			}
			return nil
		}
	})
}

// OnCommit calls f at the commit point of each stream, before its first content
// is handed on.
func OnCommit(f func(context.Context, strata.AttemptInfo)) ObserveOption {
	mustBeFunc("OnCommit", f == nil)
	return observeOption(func(o *observe) { o.trace.Commit = f })
}

// OnServed calls f when a retrying layer accepts an answer, for a stream at its
// commit point, inner layers first.
func OnServed(f func(context.Context, strata.ServedInfo)) ObserveOption {
	mustBeFunc("OnServed", f == nil)
	return observeOption(func(o *observe) { o.trace.Served = f })
}

// OnRefusal calls f when an answer is found to be a refusal, by refusal.Detect
// say.
func OnRefusal(f func(context.Context, strata.RefusalInfo)) ObserveOption {
	mustBeFunc("OnRefusal", f == nil)
	return observeOption(func(o *observe) { o.trace.Refusal = f })
}

// OnSuccess calls f when a call has ended without an error, for a stream when it
// has ended or its reader has left. For each call either f or that of
// [OnFailure] is called, once.
func OnSuccess(f func(context.Context, CallInfo)) ObserveOption {
	mustBeFunc("OnSuccess", f == nil)
	return observeOption(func(o *observe) { o.success = f })
}

// OnFailure calls f when a call has ended with an error, which is the one that
// the caller gets. A call that panics has ended so too, with an error that says
// that.
func OnFailure(f func(context.Context, CallInfo)) ObserveOption {
	mustBeFunc("OnFailure", f == nil)
	return observeOption(func(o *observe) { o.failure = f })
}

// CallInfo says how a call ended.
type CallInfo struct {
	Asked    strata.ModelID // the model that Observe wraps
	Model    strata.ModelID // the model that answered; zero where none did, or the reader left before it was said
	Err      error          // that the caller gets
	Left     bool           // the reader left before the stream's end
	Attempts int            // that the layers below made, nested ones aside; 0: no layer there makes any

	FinishReason strata.FinishReason
	Usage        strata.Usage // of the answer; what failed attempts used, their own reports say
	Duration     time.Duration
}

func mustBeFunc(option string, isNil bool) {
	if isNil {
		panic("middleware." + option + "(nil): the function is nil")
	}
}

type observe struct {
	wrap.Model
	trace strata.Trace

	attemptDone, attemptFailed func(context.Context, strata.AttemptDoneInfo)
	success, failure           func(context.Context, CallInfo)
}

func (o *observe) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	if !o.reports() {
		return stream.Generate(strata.WithTrace(ctx, &o.trace), o.Next, req)
	}
	c := o.begin(ctx)
	defer c.end()
	resp, err := stream.Generate(c.ctx, o.Next, req)
	if c.info.Err = err; err == nil {
		c.info.Model, c.info.FinishReason, c.info.Usage = resp.Model, resp.FinishReason, resp.Usage
	}
	return resp, err
}

func (o *observe) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		if !o.reports() {
			stream.Each(strata.WithTrace(ctx, &o.trace), o.Next, req, yield)
			return
		}
		c := o.begin(ctx)
		defer c.end()
		var failed error
		c.info.Left = true // unless the stream is seen to end
		stream.Each(c.ctx, o.Next, req, func(p strata.Part, err error) bool {
			if finish, ok := p.(strata.Finish); ok {
				c.info.Left = false
				c.info.Model, c.info.FinishReason, c.info.Usage = finish.Model, finish.Reason, finish.Usage
			}
			if err != nil {
				c.info.Left, failed = false, err
			}
			return yield(p, err)
		})
		c.info.Err = failed
	}
}

// reports reports whether anybody wants to know how a call ended. If not, all
// calls share one Trace.
func (o *observe) reports() bool { return o.success != nil || o.failure != nil }

// tell tells of an attempt.
func (o *observe) tell(ctx context.Context, info strata.AttemptDoneInfo) {
	if o.attemptDone != nil {
		o.attemptDone(ctx, info)
	}
	if info.Err != nil && o.attemptFailed != nil {
		o.attemptFailed(ctx, info)
	}
}

// observed is one call that is watched.
type observed struct {
	*observe
	caller context.Context
	ctx    context.Context // with the Trace
	info   CallInfo
	begun  time.Time
	count  atomic.Int64 // of attempts
}

var errNotReturned = errors.New("middleware.Observe: the call did not return")

func (o *observe) begin(ctx context.Context) *observed {
	c := &observed{observe: o, caller: ctx, begun: time.Now()}
	c.info = CallInfo{Asked: o.ID(), Err: errNotReturned}
	trace := o.trace
	trace.AttemptDone = c.attemptDone
	c.ctx = strata.WithTrace(ctx, &trace)
	return c
}

func (c *observed) attemptDone(ctx context.Context, info strata.AttemptDoneInfo) {
	if !info.Nested {
		c.count.Add(1)
	}
	c.tell(ctx, info)
}

// end reports the call, however it ended.
func (c *observed) end() {
	c.info.Attempts = int(c.count.Load())
	c.info.Duration = time.Since(c.begun)
	report := c.success
	if c.info.Err != nil {
		report = c.failure
	}
	if report != nil {
		report(c.caller, c.info)
	}
}
