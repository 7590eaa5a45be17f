// Package watch makes one account of a call: its attempts, what became of each,
// and how the call ended. It hears them through the Trace and from the answer,
// whatever layers make the attempts and however they nest. Telemetry and logging
// are two ways to write it down.
package watch

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/retry"
)

// Hooks hear a call, on its goroutine. A nil hook is not called. Those for
// attempts that a layer makes side by side run on the goroutines of the attempts,
// one at a time; an attempt that outlasts its call is heard behind End. Hooks must
// not call the model.
type Hooks struct {
	// AttemptStart is called before an attempt, which runs with the context it
	// returns.
	AttemptStart func(context.Context, *Attempt) context.Context

	// AttemptEnd is called once it is known what became of an attempt: when its
	// layer makes another, or is done. That may be long after it ended.
	AttemptEnd func(*Attempt)

	// Refusal is called when an answer is found to be a refusal.
	Refusal func(context.Context, strata.RefusalInfo)

	// Part is called with each part of a stream, before it is handed on.
	Part func(strata.Part)

	// End is called when the call has ended, however it did.
	End func(*Call)
}

// An Outcome is what became of an attempt or of a call.
type Outcome string

// The outcomes. An attempt is none of the last two.
const (
	Success   Outcome = "success"
	Retry     Outcome = "retry"     // it failed or was rejected, and its layer made another
	Failure   Outcome = "failure"   // it failed, and that was that
	Cancelled Outcome = "cancelled" // the caller cancelled
	Left      Outcome = "left"      // the reader left before the stream's end
)

// An Attempt is one attempt. But for its AttemptInfo it is known at its end.
type Attempt struct {
	strata.AttemptDoneInfo
	Ended   time.Time
	Outcome Outcome
	Kind    failure.Kind // of a failure, or of a rejected answer; else empty

	Next       strata.ModelID // the model that its layer asked next; zero: none
	Wait       time.Duration  // that the layer meant to wait before the next
	FromServer bool           // the server asked for the wait
	Waited     time.Duration  // that it did wait

	Data any // the hooks' own

	outer *scope // that it was made in
	inner scope  // of the attempts made within it
}

// scope is where a layer makes attempts one after the other: a call, or an
// attempt of an outer layer.
type scope struct {
	last      *Attempt // that ended, while it is not known what becomes of it
	waitBegan time.Time
	over      bool
}

// A Call is the account of a call, whole at its end.
type Call struct {
	Asked    strata.ModelID // the model that is wrapped
	Start    strata.ModelID // that was asked first
	Final    strata.ModelID // that answered, else that was asked last by the innermost layer
	Streamed bool

	Outcome   Outcome
	Err       error        // that the caller gets
	Kind      failure.Kind // of Err; empty where there is none
	Attempts  int          // those that hold others aside; 0: no layer below makes any
	Committed bool         // a stream's content was handed on

	FinishReason  strata.FinishReason
	ResponseID    string       // as the provider says
	ResponseModel string       // as the provider says
	Usage         strata.Usage // of all attempts
	Begun         time.Time
	FirstContent  time.Duration // to a stream's first content, if Committed
	Duration      time.Duration

	hooks  Hooks
	caller context.Context
	by     strata.ModelID // that answered; zero: none
	answer strata.Usage   // of the answer alone

	mu      sync.Mutex // attempts may be made side by side
	root    scope
	started bool // an attempt was
}

var errNotReturned = errors.New("the call did not return")

// begin returns a call that is under way and the context to make it with.
func begin(ctx context.Context, asked strata.ModelID, hooks Hooks) (*Call, context.Context) {
	c := &Call{Asked: asked, Start: asked, Final: asked, Err: errNotReturned, Begun: time.Now(), hooks: hooks, caller: ctx}
	return c, strata.WithTrace(ctx, &strata.Trace{
		AttemptStart: c.attemptStart,
		AttemptDone:  c.attemptDone,
		Wait:         c.wait,
		Refusal:      hooks.Refusal,
	})
}

// attemptKey is under which a context carries the attempt of a call.
type attemptKey struct{ *Call }

func (c *Call) attempt(ctx context.Context) *Attempt {
	a, _ := ctx.Value(attemptKey{c}).(*Attempt)
	return a
}

func (c *Call) scope(ctx context.Context) *scope {
	if a := c.attempt(ctx); a != nil {
		return &a.inner
	}
	return &c.root
}

func (c *Call) attemptStart(ctx context.Context, info strata.AttemptInfo) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := &Attempt{outer: c.scope(ctx)}
	a.AttemptInfo = info
	if last := a.outer.last; last != nil && last.Layer == info.Layer && info.Number == last.Number+1 {
		last.Next = info.Model
	}
	c.settle(a.outer)
	if !c.root.over {
		if !c.started {
			c.started, c.Start = true, info.Model
		}
		c.Final = info.Model
	}
	if c.hooks.AttemptStart != nil {
		ctx = c.hooks.AttemptStart(ctx, a)
	}
	return context.WithValue(ctx, attemptKey{c}, a)
}

func (c *Call) attemptDone(ctx context.Context, info strata.AttemptDoneInfo) {
	a := c.attempt(ctx)
	if a == nil {
		return // of a context that the layer did not take on
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.close(&a.inner)
	a.AttemptDoneInfo, a.Ended = info, time.Now()
	if !a.Nested && !c.root.over {
		c.Attempts++
		c.Usage = c.Usage.Add(a.Usage)
	}
	c.settle(a.outer)
	a.outer.last = a
	if a.outer.over {
		c.settle(a.outer)
	}
}

func (c *Call) wait(ctx context.Context, info strata.WaitInfo) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.scope(ctx)
	if s.last != nil {
		s.last.Wait, s.last.FromServer = info.Duration, info.FromServer
		s.waitBegan = time.Now()
	}
}

// close settles a scope in which no further attempt will be made.
func (c *Call) close(s *scope) {
	c.settle(s)
	s.over = true
}

// settle tells what became of the last attempt of a scope.
func (c *Call) settle(s *scope) {
	a := s.last
	if a == nil {
		return
	}
	s.last = nil
	if !s.waitBegan.IsZero() {
		a.Waited = time.Since(s.waitBegan)
		s.waitBegan = time.Time{}
	}
	switch {
	case !a.Next.IsZero():
		a.Outcome = Retry
	case a.Err != nil:
		a.Outcome = Failure
	default:
		a.Outcome = Success
	}
	switch {
	case a.Err != nil:
		a.Kind = failure.Of(a.Err)
	case a.Outcome != Success:
		a.Kind = (&retry.ResultError{FinishReason: a.FinishReason}).FailureKind()
	}
	if c.hooks.AttemptEnd != nil {
		c.hooks.AttemptEnd(a)
	}
}

// end tells how the call ended.
func (c *Call) end() {
	c.attemptsOver()
	c.Duration = time.Since(c.Begun)
	if !c.started {
		c.Usage = c.answer
	}
	if !c.by.IsZero() {
		c.Final = c.by
	}
	switch {
	case c.Err == nil && c.Outcome == "":
		c.Outcome = Success
	case c.Err == nil:
	case cancelled(c.caller):
		c.Outcome, c.Kind = Cancelled, failure.Aborted
	default:
		c.Outcome, c.Kind = Failure, failure.Of(c.Err)
	}
	if c.hooks.End != nil {
		c.hooks.End(c)
	}
}

func (c *Call) attemptsOver() {
	c.mu.Lock()
	defer c.mu.Unlock() // a hook may panic
	c.close(&c.root)
}

// cancelled reports whether the caller gave the call up. A Timeout layer above
// ends its context with a cancel too.
func cancelled(ctx context.Context) bool {
	if !errors.Is(ctx.Err(), context.Canceled) {
		return false
	}
	_, timeout := failure.Find[*failure.TimeoutError](context.Cause(ctx))
	return !timeout
}
