package middleware

import (
	"context"
	"iter"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/stream"
)

// Observe calls functions of the program's own as the layers below it make
// attempts, wait and are answered. It installs a [strata.Trace] in each call's
// context, beside any that is there.
//
//	middleware.Observe(middleware.OnWait(func(ctx context.Context, w strata.WaitInfo) {
//		log.Printf("%s in %v: %v", w.Model, w.Duration, w.Err)
//	}))
//
// The functions run on the goroutine of the call, which waits for them; calls on
// other goroutines run them at the same time. A panic in one passes through to
// the caller. Attempts of inner layers are reported too, inside the attempt of
// the outer layer that holds them: see [strata.AttemptDoneInfo]'s Nested.
func Observe(opts ...ObserveOption) strata.Layer {
	mustNotBeNil("Observe", opts)
	var t strata.Trace
	for _, opt := range opts {
		opt.observe(&t)
	}
	return func(next strata.Model) strata.Model {
		mustWrap("Observe", next)
		return &observe{next: next, trace: &t}
	}
}

// An ObserveOption gives [Observe] a function to call. The last one given for
// an event is called.
type ObserveOption interface{ observe(*strata.Trace) }

type observeOption func(*strata.Trace)

func (o observeOption) observe(t *strata.Trace) { o(t) }

// OnAttempt calls f before each attempt.
func OnAttempt(f func(context.Context, strata.AttemptInfo)) ObserveOption {
	mustBeFunc("OnAttempt", f == nil)
	return observeOption(func(t *strata.Trace) {
		t.AttemptStart = func(ctx context.Context, info strata.AttemptInfo) context.Context {
			f(ctx, info)
			return ctx
		}
	})
}

// OnAttemptDone calls f after each attempt, failed or not.
func OnAttemptDone(f func(context.Context, strata.AttemptDoneInfo)) ObserveOption {
	mustBeFunc("OnAttemptDone", f == nil)
	return observeOption(func(t *strata.Trace) { t.AttemptDone = f })
}

// OnWait calls f before each wait between two attempts.
func OnWait(f func(context.Context, strata.WaitInfo)) ObserveOption {
	mustBeFunc("OnWait", f == nil)
	return observeOption(func(t *strata.Trace) { t.Wait = f })
}

// OnCommit calls f at the commit point of each stream, before its first content
// is handed on.
func OnCommit(f func(context.Context, strata.AttemptInfo)) ObserveOption {
	mustBeFunc("OnCommit", f == nil)
	return observeOption(func(t *strata.Trace) { t.Commit = f })
}

// OnServed calls f when a retrying layer accepts an answer, for a stream at its
// commit point, inner layers first.
func OnServed(f func(context.Context, strata.ServedInfo)) ObserveOption {
	mustBeFunc("OnServed", f == nil)
	return observeOption(func(t *strata.Trace) { t.Served = f })
}

func mustBeFunc(option string, isNil bool) {
	if isNil {
		panic("middleware." + option + "(nil): the function is nil")
	}
}

type observe struct {
	next  strata.Model
	trace *strata.Trace
}

func (o *observe) ID() strata.ModelID   { return o.next.ID() }
func (o *observe) Unwrap() strata.Model { return o.next }

func (o *observe) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	return stream.Generate(strata.WithTrace(ctx, o.trace), o.next, req)
}

func (o *observe) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return o.next.Stream(strata.WithTrace(ctx, o.trace), req)
}
