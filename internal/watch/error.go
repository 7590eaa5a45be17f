package watch

import (
	"errors"
	"fmt"

	"github.com/strata-go/strata/failure"
)

// Problem is what may be written down of an error: no prompt, no answer and no
// key is in it.
type Problem struct {
	Type    string // of the error in Go that Message is of
	Message string
	Status  int    // of the HTTP response; 0: none
	Code    string // the provider's own
	Timeout *failure.TimeoutError
}

// Describe returns the problem that err is. Of a walk it is that of the last
// attempt. The message of an error that package failure knows is the error's own,
// cleared of keys and quotations; others may say anything, so theirs is the kind
// alone.
func Describe(err error) Problem {
	if e, ok := failure.Find[*failure.Error](err); ok {
		return Problem{Type: typeName(e), Message: message(e), Status: e.Status, Code: e.Code}
	}
	if e, ok := failure.Find[*failure.TimeoutError](err); ok {
		return Problem{Type: typeName(e), Message: e.Error(), Timeout: e}
	}
	for {
		walk, ok := err.(interface{ Last() error })
		if !ok || walk.Last() == nil {
			break
		}
		err = walk.Last()
	}
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			break
		}
		err = inner
	}
	return Problem{Type: typeName(err), Message: string(failure.Of(err))}
}

func typeName(err error) string { return fmt.Sprintf("%T", err) }

// message is the error's own, made as if its text came from a server: that is
// what package failure clears.
func message(e *failure.Error) string {
	c := *e
	if c.Message != "" {
		c.Message, c.Err = "", errors.New(e.Message)
	}
	return c.Error()
}
