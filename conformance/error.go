package conformance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/stream"
)

// errorTypes finds a type of error anywhere in a chain.
var errorTypes = map[string]func(error) bool{
	"retry":     has[*retry.Error],
	"timeout":   has[*middleware.TimeoutError],
	"refusal":   has[*refusal.Error],
	"committed": has[*stream.CommittedError],
	"cancelled": func(err error) bool { return errors.Is(err, context.Canceled) },
	"deadline":  func(err error) bool { return errors.Is(err, context.DeadlineExceeded) },
}

func has[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func errorTypeNames() []string { return slices.Collect(maps.Keys(errorTypes)) }

// reasons are the words of the format for why a call made no further attempt.
var reasons = []string{"attempts", "kind", "budget", "wait", "deadline", "cancelled", "rules", "committed"}

// match returns what is not as wanted about an error.
func (w *errorWant) match(err error) (problems []string) {
	problem := func(field string, got, want any) {
		problems = append(problems, fmt.Sprintf("error %s: got %v, want %v (%v)", field, got, want, err))
	}
	if w.Kind != nil {
		if got := failure.Of(err); string(got) != *w.Kind {
			problem("kind", got, *w.Kind)
		}
	}
	if w.Status != nil {
		if got := status(err); got != *w.Status {
			problem("status", got, *w.Status)
		}
	}
	if w.Type != nil && !errorTypes[*w.Type](err) {
		problem("type", "none", *w.Type)
	}
	if w.Attempts != nil {
		if got := attempts(err, w.Type != nil && *w.Type == "retry"); got != *w.Attempts {
			problem("attempts", got, *w.Attempts)
		}
	}
	if w.Has != nil && !strings.Contains(last(err).Error(), *w.Has) {
		problem("has", last(err), *w.Has)
	}
	if w.Timeout != nil {
		if got := limit(err); got != *w.Timeout {
			problem("timeout", got, *w.Timeout)
		}
	}
	if w.Committed != nil && has[*stream.CommittedError](err) != *w.Committed {
		problem("committed", !*w.Committed, *w.Committed)
	}
	if w.Reason != nil {
		if got := reason(err); got != *w.Reason {
			problem("reason", got, *w.Reason)
		}
	}
	return problems
}

// last returns the last error of a RetryError, whose own last may be another.
func last(err error) error {
	for {
		e, ok := failure.Find[*retry.Error](err)
		if !ok || e.Last() == nil {
			return err
		}
		err = e.Last()
	}
}

// status returns the status of the last error, or 0.
func status(err error) int {
	if e, ok := failure.Find[*failure.Error](err); ok {
		return e.Status
	}
	return 0
}

// attempts counts the errors of the outermost RetryError. Where there is none it
// is 1, and a RetryError of one is only that where that type is wanted: -1 stands
// for it elsewhere.
func attempts(err error, retryWanted bool) int {
	e, ok := errors.AsType[*retry.Error](err)
	switch {
	case !ok:
		return 1
	case len(e.Errs) == 1 && !retryWanted:
		return -1
	}
	return len(e.Errs)
}

// limit returns the limit that a TimeoutError in the chain is about, or nothing.
func limit(err error) string {
	if e, ok := errors.AsType[*middleware.TimeoutError](err); ok {
		return string(e.Limit)
	}
	return ""
}

// reason returns why the outermost RetryError stopped, or nothing.
func reason(err error) string {
	if e, ok := errors.AsType[*retry.Error](err); ok {
		return string(e.Reason)
	}
	return ""
}
