// Package retry holds the one attempt loop that every retrying layer runs on: a
// [Plan] says what to do next, a [Loop] does it. The loop makes the attempts,
// waits between them, stops the moment its caller does, tells the
// [strata.Trace], and builds the [Error] in which no attempt's failure is lost.
//
// It is generic over the model that is asked and the result that comes back, so
// the same loop serves language models, whole and streamed, and anything else
// that is worth another attempt.
package retry

import (
	"context"
	"errors"
	"time"

	"github.com/strata-go/strata"
)

// A Plan decides what one call does. It is made anew for each call and used by
// one goroutine.
type Plan[M, R any] interface {
	// Next returns the next step of the call given the tries so far, which are
	// none at first, or the reason to make no more. If the last try has no
	// error, stopping makes its result the answer, whatever the reason, and
	// another step rejects it. Next must not keep tries.
	Next(ctx context.Context, tries []Try[M, R]) (Step[M], Reason)
}

// A Step is the next attempt of a call.
type Step[M any] struct {
	Model      M
	Wait       time.Duration // before the attempt
	FromServer bool          // the server asked for the wait
}

// A Try is an attempt that was made.
type Try[M, R any] struct {
	Model  M
	ID     strata.ModelID
	Result R
	Err    error
	Ended  time.Time

	finish strata.FinishReason
}

// Failure returns the try's error; for a result, the [ResultError] that it
// counts as once it is rejected.
func (t *Try[M, R]) Failure() error {
	if t.Err != nil {
		return t.Err
	}
	return &ResultError{Model: t.ID, FinishReason: t.finish}
}

// A Loop runs the attempts of a call.
type Loop[M, R any] struct {
	Layer string                                       // the name that errors and the Trace give
	ID    func(M) strata.ModelID                       // names a model
	Plan  Plan[M, R]                                   // for this call
	Do    func(context.Context, Attempt[M]) Outcome[R] // makes an attempt
}

// An Attempt is what the function that makes it is told.
type Attempt[M any] struct {
	Model  M
	Number int // from 1

	trace *strata.AttemptTrace
}

// Commit tells the Trace that the attempt's stream commits, and that its answer
// is thereby accepted. Whoever calls it makes the attempt's Outcome final.
func (a Attempt[M]) Commit() {
	a.trace.Commit()
	a.trace.Served()
}

// An Outcome is what came of an attempt.
type Outcome[R any] struct {
	Result R
	Err    error

	// Final says that the outcome stands, whatever the plan would make of it:
	// something was handed on, or the reader left.
	Final bool

	// Info is what the Trace is told beside the error: the finish reason, the
	// usage, and whether the stream committed or was left.
	Info strata.AttemptDoneInfo
}

// Run makes attempts until one is accepted or the plan stops, and returns the
// result or what [Error] says. Once ctx has ended it begins neither an attempt
// nor a wait, and a wait that cannot end before ctx's deadline is not begun.
func (l *Loop[M, R]) Run(ctx context.Context) (R, error) {
	var (
		tries []Try[M, R]
		last  Attempt[M]
		trace = strata.ContextTrace(ctx)
	)
	for {
		var none R
		answered := len(tries) > 0 && tries[len(tries)-1].Err == nil
		if ctx.Err() != nil && !answered {
			return none, l.ended(ctx, tries, false)
		}
		step, reason := l.Plan.Next(ctx, tries)
		if reason == "" && (ctx.Err() != nil || !fits(ctx, step.Wait)) {
			reason = ReasonDeadline
		}
		if reason != "" {
			if answered {
				last.trace.Served()
				return tries[len(tries)-1].Result, nil
			}
			return none, l.failed(tries, reason)
		}
		next := strata.AttemptInfo{Layer: l.Layer, Model: l.ID(step.Model), Number: len(tries) + 1}
		if step.Wait > 0 {
			info := strata.WaitInfo{AttemptInfo: next, Duration: step.Wait, FromServer: step.FromServer}
			if len(tries) > 0 {
				info.Err = tries[len(tries)-1].Err
			}
			trace.BeginWait(ctx, info)
			sleep(ctx, step.Wait)
		}
		if ctx.Err() != nil {
			return none, l.ended(ctx, tries, true)
		}
		var out Outcome[R]
		last, out = l.attempt(ctx, trace, step.Model, next)
		tries = append(tries, Try[M, R]{step.Model, next.Model, out.Result, out.Err, time.Now(), out.Info.FinishReason})
		if out.Final {
			if out.Err == nil {
				return out.Result, nil
			}
			if ctx.Err() != nil {
				return none, l.ended(ctx, tries, false)
			}
			return none, l.failed(tries, ReasonCommitted)
		}
	}
}

// attempt makes one attempt and tells the Trace.
func (l *Loop[M, R]) attempt(ctx context.Context, trace *strata.Trace, m M, info strata.AttemptInfo) (Attempt[M], Outcome[R]) {
	ctx, tell := trace.BeginAttempt(ctx, info)
	a := Attempt[M]{Model: m, Number: info.Number, trace: tell}
	out := Outcome[R]{Err: errPanicked} // what the Trace hears if Do does not return
	defer func() {
		out.Info.Err = out.Err
		tell.Done(out.Info)
	}()
	out = l.Do(ctx, a)
	return a, out
}

var errPanicked = errors.New("retry: the attempt panicked")

// failed returns the error of a call whose plan ended it.
func (l *Loop[M, R]) failed(tries []Try[M, R], reason Reason) error {
	if len(tries) == 1 {
		return tries[0].Failure()
	}
	return &Error{Layer: l.Layer, Errs: failures(tries), Reason: reason}
}

// ended returns the error of a call whose caller ended it, which the last
// failure may say itself unless it came before a wait.
func (l *Loop[M, R]) ended(ctx context.Context, tries []Try[M, R], waited bool) error {
	e := &Error{Layer: l.Layer, Errs: failures(tries), Reason: ReasonCancelled, Ended: ended(ctx)}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e.Reason = ReasonDeadline
	}
	if n := len(e.Errs); n > 0 && !waited && errors.Is(e.Errs[n-1], ctx.Err()) {
		if n == 1 {
			return e.Errs[0]
		}
		e.Ended = nil
	}
	return e
}

func failures[M, R any](tries []Try[M, R]) []error {
	errs := make([]error, len(tries))
	for i := range tries {
		errs[i] = tries[i].Failure()
	}
	return errs
}

// fits reports whether a wait can end before ctx's deadline.
func fits(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return wait <= 0 || !ok || time.Now().Add(wait).Before(deadline)
}

// sleep waits for d, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
