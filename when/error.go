package when

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/retry"
)

// Error holds for errors that the predicate is true of. It may block, until ctx
// ends.
func Error(predicate func(ctx context.Context, err error) bool) Condition {
	if predicate == nil {
		panic("when: Error(nil): the predicate is nil")
	}
	return Condition{failed: func(ctx context.Context, h *retry.History) bool {
		return predicate(ctx, h.Last().Err)
	}}
}

// Status holds for failures whose HTTP status is one of the codes, or matches
// one of the patterns, as in `^5\d\d$`.
func Status[P int | *regexp.Regexp](patterns ...P) Condition {
	return matching("Status", patterns, func(p any, status int, _ string) bool {
		switch p := p.(type) {
		case int:
			return p == status
		case *regexp.Regexp:
			return status != 0 && p.MatchString(strconv.Itoa(status))
		}
		return false
	})
}

// Message holds for failures whose message has one of the texts in it, whatever
// its case, or matches one of the patterns. The message is the provider's, where
// there is one; else the error's own.
func Message[P string | *regexp.Regexp](patterns ...P) Condition {
	return matching("Message", patterns, func(p any, _ int, message string) bool {
		switch p := p.(type) {
		case string:
			return containsFold(message, p)
		case *regexp.Regexp:
			return p.MatchString(message)
		}
		return false
	})
}

// HTTPStatus holds for failures whose status is one of the codes, whose message
// has one of the texts in it, whatever its case, or that match one of the
// patterns either way. For a mixture, use Or.
func HTTPStatus[P int | string | *regexp.Regexp](patterns ...P) Condition {
	return matching("HTTPStatus", patterns, func(p any, status int, message string) bool {
		switch p := p.(type) {
		case int:
			return p == status
		case string:
			return containsFold(message, p)
		case *regexp.Regexp:
			return status != 0 && p.MatchString(strconv.Itoa(status)) || p.MatchString(message)
		}
		return false
	})
}

// Kind holds for failures of one of the kinds.
func Kind(kinds ...failure.Kind) Condition {
	known := failure.Kinds()
	for _, k := range kinds {
		if !slices.Contains(known, k) {
			panic("when: Kind(" + strconv.Quote(string(k)) + "): there is no such kind")
		}
	}
	kinds = slices.Clone(kinds)
	return errorIs(func(err error) bool { return slices.Contains(kinds, failure.Of(err)) })
}

// Retryable holds for failures that are worth the same model again, as
// [failure.Transient] says.
func Retryable() Condition { return errorIs(failure.Transient) }

// Timeout holds for failures of kind timeout.
func Timeout() Condition { return Kind(failure.Timeout) }

// Aborted holds for failures of kind aborted. The caller's own cancel is never
// one of them: it ends the call.
func Aborted() Condition { return Kind(failure.Aborted) }

// Is holds for errors that are target, as errors.Is says.
func Is(target error) Condition {
	if target == nil {
		panic("when: Is(nil): the error is nil")
	}
	return errorIs(func(err error) bool { return errors.Is(last(err), target) })
}

// As holds for errors with an E in their chain, as errors.As says.
func As[E error]() Condition {
	return errorIs(func(err error) bool {
		_, ok := failure.Find[E](err)
		return ok
	})
}

// Refused holds for refusals that refusal.Detect found.
func Refused() Condition { return As[*refusal.Error]() }

// NoImage holds for image models that answered with no image.
func NoImage() Condition { return Is(failure.ErrNoImage) }

func errorIs(is func(error) bool) Condition {
	return Error(func(_ context.Context, err error) bool { return is(err) })
}

// matching is a condition over the status and the message of a failure.
func matching[P any](name string, patterns []P, is func(pattern any, status int, message string) bool) Condition {
	if len(patterns) == 0 {
		panic("when: " + name + "(): there is nothing to match")
	}
	all := make([]any, len(patterns))
	for i, p := range patterns {
		if re, ok := any(p).(*regexp.Regexp); ok && re == nil {
			panic("when: " + name + "(nil): the pattern is nil")
		}
		all[i] = p
	}
	return errorIs(func(err error) bool {
		status, message := read(err)
		return slices.ContainsFunc(all, func(p any) bool { return is(p, status, message) })
	})
}

// read returns the status and the message of a failure.
func read(err error) (status int, message string) {
	err = last(err)
	message = err.Error()
	if e, ok := failure.Find[*failure.Error](err); ok {
		status = e.Status
		switch {
		case e.Message != "":
			message = e.Message
		case e.Err != nil:
			message = e.Err.Error()
		}
	}
	return status, message
}

// last returns the last failure of a walk, or err itself.
func last(err error) error {
	for {
		walk, ok := failure.Find[*retry.Error](err)
		if !ok || walk.Last() == nil {
			return err
		}
		err = walk.Last()
	}
}

func containsFold(s, part string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}
