package failure

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/strata-go/strata"
)

// Find returns the first error in err's chain that is a T, as errors.As does,
// but of a walk over several attempts it looks at the last attempt alone: an
// error that has a method Last() error is entered there and nowhere else.
// Every decision about a failure reads it this way.
func Find[T error](err error) (T, bool) {
	for err != nil {
		if t, ok := err.(T); ok {
			return t, true
		}
		switch e := err.(type) {
		case interface{ Last() error }:
			err = e.Last()
		case interface{ Unwrap() error }:
			err = e.Unwrap()
		case interface{ Unwrap() []error }:
			for _, inner := range e.Unwrap() {
				if t, ok := Find[T](inner); ok {
					return t, true
				}
			}
			err = nil
		default:
			err = nil
		}
	}
	var zero T
	return zero, false
}

// kinded is an error that says its own kind.
type kinded interface {
	error
	FailureKind() Kind
}

// Of returns the kind of any error. Of(nil) is Unknown.
func Of(err error) Kind {
	if e, ok := Find[kinded](err); ok {
		return e.FailureKind()
	}
	if errors.Is(err, context.Canceled) {
		return Aborted
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return Timeout
	}
	return Unknown
}

// RetryAfter returns the wait that the server asked for in err, or 0 if it asked
// for none.
func RetryAfter(err error) time.Duration {
	if e, ok := Find[*Error](err); ok {
		return e.RetryAfter
	}
	return 0
}

// Transient reports whether the same model is worth another attempt after err:
// what the server says in x-should-retry, else what the kind says. An error
// marked with backoff.Permanent is not.
func Transient(err error) bool {
	if Permanent(err) {
		return false
	}
	if e, ok := Find[*Error](err); ok {
		switch e.Headers.Get("x-should-retry") {
		case "true":
			return true
		case "false":
			return false
		}
	}
	return Of(err).Transient()
}

// Permanent reports whether err is marked with backoff.Permanent.
func Permanent(err error) bool {
	_, ok := Find[*backoff.PermanentError](err)
	return ok
}

// Owner returns the model that err belongs to: the one it names, else asked.
func Owner(err error, asked strata.ModelID) strata.ModelID {
	if e, ok := Find[*Error](err); ok && !e.Model.IsZero() {
		return e.Model
	}
	return asked
}
