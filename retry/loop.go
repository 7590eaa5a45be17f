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
	"slices"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/limits"
)

// A Plan decides what one call does. It is made anew for each call and used by
// one goroutine.
type Plan[M, R any] interface {
	// Next returns the next step of the call given the tries so far, which are
	// none at first, or nil and the reason to make no more. If the last try has no
	// error, stopping makes its result the answer, whatever the reason, and
	// another step rejects it. Next must not keep tries. The loop does not change the step,
	// so that all calls may share it.
	Next(ctx context.Context, tries []Try[M, R]) (*Step[M], Reason)
}

// A PastDeadliner is a Plan that may go on where the caller's deadline has ended
// the call.
type PastDeadliner[M, R any] interface {
	// PastDeadline is Next, asked once the caller's deadline is over. The step
	// it returns has a PastDeadline; nil and a reason end the call.
	PastDeadline(ctx context.Context, tries []Try[M, R]) (*Step[M], Reason)
}

// A Starter is a Plan that can begin a call at another model than its first, as
// strata.WithStart asks for.
type Starter interface {
	// Start makes the plan begin at the model with this ID, and reports whether
	// it knows one. It is called before Next, if at all.
	Start(id strata.ModelID) bool
}

// A Step is the next attempt of a call.
type Step[M any] struct {
	Model      M
	Wait       time.Duration // before the attempt
	FromServer bool          // the server asked for the wait
	Accepts    bool          // any result of the attempt is the answer: the plan is not asked
	Timeout    time.Duration // of the whole attempt; 0: none

	// Overrides are laid over the request for this attempt, one after the
	// other, by whoever makes it.
	Overrides []any

	// PastDeadline is the time that the attempt has of its own where it is made
	// past the caller's deadline. 0: it is not.
	PastDeadline time.Duration

	// Err says that the step cannot be made, and ends the call.
	Err error
}

// fits reports whether the step's wait can end before the deadline of ctx, or the
// step goes past that. Else the loop does not take it.
func (s *Step[M]) fits(ctx context.Context) bool {
	return s.Wait <= s.PastDeadline || fits(ctx, s.Wait)
}

// A Try is an attempt that was made.
type Try[M, R any] struct {
	Model  M
	ID     strata.ModelID
	Number int // from 1
	Result R
	Err    error
	Ended  time.Time // when it did

	finish  strata.FinishReason
	request any // of this attempt, where it was not the call's
}

// Failure returns the try's error; for a result, the [ResultError] that it
// counts as once it is rejected.
func (t *Try[M, R]) Failure() error {
	if t.Err != nil {
		return t.Err
	}
	return &ResultError{Model: t.ID, FinishReason: t.finish}
}

// A Loop runs the attempts of calls, any number at once. Both fields must be set.
type Loop[M, R any] struct {
	Layer string                 // the name that errors and the Trace give
	ID    func(M) strata.ModelID // names a model
}

// An AttemptFunc makes an attempt of a call.
type AttemptFunc[M, R any] func(context.Context, Attempt[M]) Outcome[R]

// An Attempt is what the function that makes it is told.
type Attempt[M any] struct {
	Model     M
	Number    int     // from 1
	Errs      []error // of the attempts before, in order; not to be changed
	Overrides []any   // to lay over the request, one after the other

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

	// Request is what this attempt asked, where that is not what the call asks.
	Request any

	// FinishReason, Usage and Left are what the Trace is told beside the error, as
	// strata.AttemptDoneInfo says.
	FinishReason strata.FinishReason
	Usage        strata.Usage
	Left         bool
}

// Run makes attempts with do until one is accepted or the plan, which is this
// call's, stops, and returns the result or what [Error] says. The request is what the
// call asks, for the Trace; nil where that means nothing. Once ctx has ended it begins
// neither an attempt nor a wait, unless its plan goes past a deadline, and a wait that
// cannot end before ctx's deadline is not begun.
func (l *Loop[M, R]) Run(ctx context.Context, plan Plan[M, R], request any, do AttemptFunc[M, R]) (R, error) {
	var c call[M, R] // not a literal, which would be made beside it on the stack
	c.Loop, c.ctx, c.plan, c.request = l, ctx, plan, request
	c.start()
	for c.next() && c.attempt(do) {
		switch out := &c.out; {
		case out.Err == nil && c.step.Accepts && !out.Final:
			c.last.Served()
			return out.Result, nil
		case out.Final && out.Err == nil:
			return out.Result, nil
		case out.Final && c.ctx.Err() != nil && c.step.PastDeadline == 0:
			return out.Result, c.ended(false)
		case out.Final:
			return out.Result, c.failed(ReasonCommitted)
		}
	}
	return c.result, c.err
}

// call is one call on its way through a Loop. Its attempt and what came of that
// are here, and handed to nobody by value: while a stream is open the frames of
// its loops are what most of the goroutine's stack is.
type call[M, R any] struct {
	*Loop[M, R]
	ctx     context.Context // the caller's
	plan    Plan[M, R]
	request any
	trace   *strata.Trace
	tries   []Try[M, R]
	last    *strata.AttemptTrace // of the last try
	errs    []error              // of the tries that failed or were rejected; see failures

	step *Step[M]   // of the attempt that is made
	out  Outcome[R] // of the last one

	result R // what the call ends with
	err    error
}

// start finds out who listens, and where the call is to begin.
func (c *call[M, R]) start() {
	trace, start := strata.ContextTraceStart(c.ctx)
	c.trace = trace
	if start.IsZero() {
		return
	}
	if plan, ok := c.plan.(Starter); ok && plan.Start(start) {
		c.ctx = strata.WithStart(c.ctx, strata.ModelID{})
	}
}

// next finds the next step and makes its wait, or ends the call.
func (c *call[M, R]) next() bool {
	var last *Try[M, R]
	if n := len(c.tries); n > 0 {
		last = &c.tries[n-1]
	}
	reason := c.ask(last)
	switch step := c.step; {
	case reason != "" && last != nil && last.Err == nil:
		c.last.Served()
		c.result = last.Result
	case reason != "" && c.ctx.Err() != nil:
		c.err = c.ended(false)
	case reason != "":
		c.err = c.failed(reason)
	case step.Err != nil && c.ctx.Err() != nil && step.PastDeadline == 0:
		c.err = c.ended(true)
	case step.Err != nil:
		c.errs = append(c.failures(), step.Err)
		c.err = c.failed(ReasonRules, c.ID(step.Model))
	case c.wait(last) != nil:
		c.err = c.ended(true)
	default:
		return true
	}
	return false
}

// ask asks the plan, unless the caller has ended the call, and holds it to the
// caller's deadline.
func (c *call[M, R]) ask(last *Try[M, R]) (reason Reason) {
	switch err := c.ctx.Err(); {
	case err == nil:
		c.step, reason = c.plan.Next(c.ctx, c.tries)
	case last != nil && last.Err == nil:
		return ReasonAccepted
	case errors.Is(err, context.DeadlineExceeded):
		reason = ReasonDeadline
		if plan, ok := c.plan.(PastDeadliner[M, R]); ok {
			c.step, reason = plan.PastDeadline(context.WithoutCancel(c.ctx), c.tries)
		}
	default:
		return ReasonCancelled
	}
	switch {
	case reason != "":
		return reason
	case c.step == nil:
		panic("retry: a plan of " + c.Layer + " returned neither a step nor a reason")
	case !c.step.fits(c.ctx):
		return ReasonDeadline
	}
	return ""
}

// wait makes the step's wait, or until the call ends, and says whether it has.
func (c *call[M, R]) wait(last *Try[M, R]) error {
	if c.step.Wait <= 0 && c.step.PastDeadline == 0 {
		return c.ctx.Err()
	}
	ctx, release := c.context()
	defer release()
	c.pause(ctx, last)
	return ctx.Err()
}

func (c *call[M, R]) pause(ctx context.Context, last *Try[M, R]) {
	if c.step.Wait <= 0 {
		return
	}
	info := strata.WaitInfo{AttemptInfo: c.info(), Duration: c.step.Wait, FromServer: c.step.FromServer}
	if last != nil {
		info.Err = last.Err
	}
	c.trace.BeginWait(c.ctx, info)
	timer := time.NewTimer(c.step.Wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (c *call[M, R]) info() strata.AttemptInfo {
	return strata.AttemptInfo{Layer: c.Layer, Model: c.ID(c.step.Model), Number: len(c.tries) + 1}
}

// context returns the context of a step: the caller's, unless the step may go
// past the caller's deadline.
func (c *call[M, R]) context() (context.Context, func()) {
	if c.step.PastDeadline == 0 {
		return c.ctx, func() {}
	}
	return limits.Detach(c.ctx)
}

// attempt makes one attempt. It is not made, and the call is over, if the caller ends
// the call before it is.
func (c *call[M, R]) attempt(do AttemptFunc[M, R]) (made bool) {
	if c.step.Timeout != 0 || c.step.PastDeadline != 0 {
		return c.limited(do)
	}
	return c.try(c.ctx, nil, do)
}

// limited makes an attempt within the limits of its step.
func (c *call[M, R]) limited(do AttemptFunc[M, R]) (made bool) {
	ctx, release := c.context()
	defer release()
	l := limits.Begin(ctx, c.ID(c.step.Model))
	defer l.End()
	l.After(failure.LimitTotal, c.step.Timeout)
	l.After(failure.LimitTotal, c.step.PastDeadline)
	return c.try(l, l, do)
}

// try makes one attempt in ctx, tells the Trace, and takes note of it.
func (c *call[M, R]) try(ctx context.Context, l *limits.Limits, do AttemptFunc[M, R]) (made bool) {
	step, out := c.step, &c.out
	attempt := Attempt[M]{Model: step.Model, Number: len(c.tries) + 1, Overrides: step.Overrides}
	if len(c.tries) > 0 {
		attempt.Errs, attempt.Overrides = c.again(ctx)
	}
	if ctx.Err() != nil && !l.Reached() {
		c.err = c.ended(true)
		return false
	}
	if c.trace != nil {
		ctx = c.begin(ctx)
		defer c.done()
		attempt.trace = c.last
	}
	*out = do(ctx, attempt)
	if out.Err != nil {
		if timeout := l.Explain(out.Err); timeout != nil {
			out.Err = timeout
		}
	}
	if out.Err != nil || !step.Accepts {
		c.note()
	}
	return true
}

// begin tells the Trace that the attempt begins. It stands apart, as others do, since
// while a stream is open the frames of its loops are most of its stack.
//
//go:noinline
func (c *call[M, R]) begin(ctx context.Context) context.Context {
	ctx, c.last = c.trace.BeginAttempt(ctx, c.info())
	c.out = Outcome[R]{Err: errPanicked} // what the Trace hears if do does not return
	return ctx
}

// done tells the Trace that the attempt has ended.
func (c *call[M, R]) done() {
	out := &c.out
	c.last.Done(strata.AttemptDoneInfo{Err: out.Err, FinishReason: out.FinishReason, Usage: out.Usage, Left: out.Left})
}

// note takes note of a try that the plan is to judge.
//
//go:noinline
func (c *call[M, R]) note() {
	info, out := c.info(), &c.out
	c.tries = append(c.tries, Try[M, R]{c.step.Model, info.Model, info.Number, out.Result, out.Err, time.Now(), out.FinishReason, out.Request})
}

// again tells the Trace of an attempt that is not the first, and returns the errors
// of those before it and the overrides of its request.
//
//go:noinline
func (c *call[M, R]) again(ctx context.Context) (errs []error, overrides []any) {
	last := &c.tries[len(c.tries)-1]
	retry := strata.RetryInfo{AttemptInfo: c.info(), After: last.ID, Err: last.Err, Request: c.request}
	overrides = append(slices.Clip(c.step.Overrides), c.trace.BeginRetry(ctx, retry)...)
	return slices.Clip(c.failures()), overrides
}
