package retry

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// Reason says why a call made no further attempt.
type Reason string

// The reasons to make no further attempt.
const (
	ReasonAccepted  Reason = "accepted"  // there is an answer
	ReasonAttempts  Reason = "attempts"  // the model's attempts are used up
	ReasonKind      Reason = "kind"      // nothing is left that may fix the last failure
	ReasonBudget    Reason = "budget"    // the next attempt would begin outside the time for retries, or there are too many in all
	ReasonWait      Reason = "wait"      // the server asked for too long a wait
	ReasonDeadline  Reason = "deadline"  // the caller's deadline ended the call, or would end the wait
	ReasonCancelled Reason = "cancelled" // the caller cancelled
	ReasonRules     Reason = "rules"     // no rule is left
	ReasonCommitted Reason = "committed" // output was handed on
)

// text says the reason to people.
func (r Reason) text() string {
	switch r {
	case ReasonAttempts:
		return "its attempts are used up"
	case ReasonKind:
		return "nothing is left that may fix it"
	case ReasonBudget:
		return "its budget for retries is used up"
	case ReasonWait:
		return "the server asks for too long a wait"
	case ReasonDeadline:
		return "the caller's deadline"
	case ReasonCancelled:
		return "the caller cancelled"
	case ReasonRules:
		return "no rule is left"
	case ReasonCommitted:
		return "output was handed on"
	}
	return string(r)
}

// Error is the failure of a call that made more than one attempt, or that its
// caller ended. It is classified by the last of its errors, and errors.Is and
// errors.As look from the last to the first.
type Error struct {
	Layer  string           // the layer that made the attempts
	Errs   []error          // each attempt's failure, in order
	Models []strata.ModelID // that were asked, one for each of Errs
	Reason Reason           // why there was no further attempt

	// Ended is the caller's context error, with its cause, where that ended the
	// call and the last of Errs does not say so itself; else nil.
	Ended error
}

// Error names the layer, the number of attempts, the reason and the last error.
func (e *Error) Error() string {
	layer := e.Layer
	if layer == "" {
		layer = "retry"
	}
	attempts := fmt.Sprintf("%d attempts", len(e.Errs))
	if len(e.Errs) == 1 {
		attempts = "1 attempt"
	}
	last := e.Last()
	if last == nil {
		return fmt.Sprintf("%s: gave up after %s (%s)", layer, attempts, e.Reason.text())
	}
	reason := e.Reason.text()
	switch {
	case e.Ended != nil && len(e.Errs) > 0:
		return fmt.Sprintf("%s: gave up after %s (%s): %v; last failure: %v", layer, attempts, reason, last, e.Errs[len(e.Errs)-1])
	case e.NotAsked():
		reason = fmt.Sprintf("none may be asked for another %v", e.RetryAfter())
	}
	return fmt.Sprintf("%s: gave up after %s (%s): %v", layer, attempts, reason, last)
}

// Last returns Ended if it is not nil, else the last attempt's failure. It is
// what package failure reads.
func (e *Error) Last() error {
	if e.Ended != nil || len(e.Errs) == 0 {
		return e.Ended
	}
	return e.Errs[len(e.Errs)-1]
}

// NotAsked reports whether no attempt was sent to anybody, as package failure
// says.
func (e *Error) NotAsked() bool {
	return e.Ended == nil && len(e.Errs) > 0 && !slices.ContainsFunc(e.Errs, func(err error) bool { return !failure.NotAsked(err) })
}

// RetryAfter returns the wait that the last attempt's failure asks for; 0 is none.
// Where a model was not asked, that is cut to the shortest that any of them asks
// for, after which there is one that may be asked.
func (e *Error) RetryAfter() time.Duration {
	wait := failure.RetryAfter(e.Last())
	if e.Ended != nil || !slices.ContainsFunc(e.Errs, failure.NotAsked) {
		return wait
	}
	for _, err := range e.Errs {
		if asked := failure.RetryAfter(err); asked > 0 {
			wait = min(wait, asked)
		}
	}
	return wait
}

// Unwrap returns each attempt's failure in order, and Ended behind them.
func (e *Error) Unwrap() []error {
	if e.Ended == nil {
		return e.Errs
	}
	return append(slices.Clip(e.Errs), e.Ended)
}

// Is reports whether one of the errors is target, from the last to the first.
func (e *Error) Is(target error) bool {
	comparable := reflect.TypeOf(target).Comparable()
	return e.find(func(err error) bool {
		if comparable && err == target {
			return true
		}
		is, ok := err.(interface{ Is(error) bool })
		return ok && is.Is(target)
	})
}

// As finds the error that target points to the type of, from the last to the
// first.
func (e *Error) As(target any) bool {
	to := reflect.ValueOf(target).Elem()
	return e.find(func(err error) bool {
		if reflect.TypeOf(err).AssignableTo(to.Type()) {
			to.Set(reflect.ValueOf(err))
			return true
		}
		as, ok := err.(interface{ As(any) bool })
		return ok && as.As(target)
	})
}

// find looks for an error that is true of is, in the errors and all that they
// wrap, from the last to the first. It enters the walks inside itself: their own
// Is and As, which errors.Is and errors.As try before they go on to what they
// unwrap, would double the work with each walk inside another.
func (e *Error) find(is func(error) bool) bool {
	for _, err := range slices.Backward(e.Unwrap()) {
		if search(err, is) {
			return true
		}
	}
	return false
}

func search(err error, is func(error) bool) bool {
	for err != nil {
		if walk, ok := err.(*Error); ok {
			return walk.find(is)
		}
		if is(err) {
			return true
		}
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			err = e.Unwrap()
		case interface{ Unwrap() []error }:
			return slices.ContainsFunc(e.Unwrap(), func(err error) bool { return search(err, is) })
		default:
			return false
		}
	}
	return false
}

// A ResultError stands for an answer that a layer did not accept.
type ResultError struct {
	Model        strata.ModelID
	FinishReason strata.FinishReason
}

// Error names the model and why its answer ended.
func (e *ResultError) Error() string {
	return fmt.Sprintf("%s: answer rejected (finish %s)", e.Model, e.FinishReason)
}

// FailureKind returns Content where a filter ended the answer, else Unknown.
func (e *ResultError) FailureKind() failure.Kind {
	if e.FinishReason == strata.FinishContentFilter {
		return failure.Content
	}
	return failure.Unknown
}

// ended returns ctx's error and, where that is another, its cause.
func ended(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return &endedError{err, cause}
}

var errNoStream = errors.New("retry: the attempt's stream is nil")

// says reports whether a failure says by itself that its caller ended the call.
func says(err, ended error) bool {
	if failure.Of(err) != failure.Of(ended) {
		return false
	}
	if e, ok := ended.(*endedError); ok {
		return failure.Is(err, e.err) && failure.Is(err, e.cause)
	}
	return failure.Is(err, ended)
}

// endedError is a context's error with its cause beside it. The first gives the
// kind, unless a Timeout layer above ended the context.
type endedError struct{ err, cause error }

func (e *endedError) Error() string   { return e.err.Error() + ": " + e.cause.Error() }
func (e *endedError) Unwrap() []error { return []error{e.err, e.cause} }

func (e *endedError) FailureKind() failure.Kind {
	if _, ok := failure.Find[*failure.TimeoutError](e.cause); ok {
		return failure.Timeout
	}
	return failure.Of(e.err)
}
