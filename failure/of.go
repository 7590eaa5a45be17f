package failure

import (
	"iter"
	"reflect"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/strata-go/strata"
)

// Find returns the first error in err's chain that is a T, as errors.As does,
// but of a walk over several attempts it looks at the last attempt alone: an
// error that has a method Last() error is entered there and nowhere else.
// Every decision about a failure reads it this way.
func Find[T error](err error) (T, bool) {
	for link := range chain(err) {
		if t, ok := link.(T); ok {
			return t, true
		}
	}
	var zero T
	return zero, false
}

// Is reports whether target is in err's chain, as errors.Is does, but looking at
// it as Find does.
func Is(err, target error) bool {
	comparable := reflect.TypeOf(target).Comparable()
	for link := range chain(err) {
		if comparable && link == target {
			return true
		}
		if is, ok := link.(interface{ Is(error) bool }); ok {
			if _, walk := link.(interface{ Last() error }); !walk && is.Is(target) {
				return true
			}
		}
	}
	return false
}

// chain is err and all that it wraps, depth first, as Find looks at it.
func chain(err error) iter.Seq[error] {
	return func(yield func(error) bool) { each(err, yield) }
}

func each(err error, yield func(error) bool) bool {
	for err != nil {
		if !yield(err) {
			return false
		}
		switch e := err.(type) {
		case interface{ Last() error }:
			err = e.Last()
		case interface{ Unwrap() error }:
			err = e.Unwrap()
		case interface{ Unwrap() []error }:
			for _, inner := range e.Unwrap() {
				if !each(inner, yield) {
					return false
				}
			}
			return true
		default:
			return true
		}
	}
	return true
}

// kinded is an error that says its own kind.
type kinded interface {
	error
	FailureKind() Kind
}

// Of returns the kind of any error: the one it says itself (a method FailureKind
// anywhere in its chain), else what a context, an SDK's error (by the methods and
// fields that such errors commonly have), the network, TLS or HTTP says in it,
// else what its text says, if that is text that only transports and providers
// write. An error of the caller's own code is Unknown, and so is nil.
//
// Of a walk over several attempts the last attempt alone counts, as in [Find].
func Of(err error) Kind {
	if err == nil {
		return Unknown
	}
	if e, ok := Find[kinded](err); ok {
		if k := e.FailureKind(); k != "" {
			return k
		}
		return Unknown
	}
	if k := ofContext(err); k != "" {
		return k
	}
	if e, ok := fromSDK(err); ok {
		return e.Kind
	}
	if k := ofTransport(err); k != "" {
		return k
	}
	if e, ok := fromText(err); ok {
		return e.Kind
	}
	return Unknown
}

// RetryAfter returns the wait that err asks for, or 0 if it asks for none: what
// the server said, or how long a layer will not ask its model. It is at most 31
// days. An error may say it itself, by a method RetryAfter() time.Duration.
func RetryAfter(err error) time.Duration {
	if err == nil {
		return 0
	}
	for link := range chain(err) {
		switch e := link.(type) {
		case *Error:
			return believed(e.RetryAfter)
		case interface{ RetryAfter() time.Duration }:
			return believed(e.RetryAfter())
		}
	}
	if e, ok := fromSDK(err); ok {
		return e.RetryAfter
	}
	if e, ok := fromText(err); ok {
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

// Owner returns the model that err belongs to: the one that an [*Error] in it
// names, else asked. A layer that gives a model another ID renames it in the
// failure too, by a wrapper with a method Renamed(strata.ModelID) strata.ModelID.
func Owner(err error, asked strata.ModelID) strata.ModelID {
	var renamed []func(strata.ModelID) strata.ModelID // from the outside in
	for link := range chain(err) {
		if r, ok := link.(interface {
			Renamed(strata.ModelID) strata.ModelID
		}); ok {
			renamed = append(renamed, r.Renamed)
		}
		if e, ok := link.(*Error); ok {
			if e.Model.IsZero() {
				break
			}
			id := e.Model
			for _, rename := range slices.Backward(renamed) {
				id = rename(id)
			}
			return id
		}
	}
	return asked
}
