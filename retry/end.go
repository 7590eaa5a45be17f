package retry

// How a call ends that has no answer: the errors of its attempts, and who or what
// stopped it.

import (
	"context"
	"errors"
	"time"

	"github.com/strata-go/strata"
)

var errPanicked = errors.New("retry: the attempt did not return")

// failures returns the failure of each try, in order.
func (c *call[M, R]) failures() []error {
	for i := len(c.errs); i < len(c.tries); i++ {
		c.errs = append(c.errs, c.tries[i].Failure())
	}
	return c.errs
}

// failed returns the error of a call whose plan ended it, perhaps with a model
// that could not be asked.
func (c *call[M, R]) failed(reason Reason, unasked ...strata.ModelID) error {
	errs := c.failures()
	if len(errs) == 1 {
		return errs[0]
	}
	return &Error{Layer: c.Layer, Errs: errs, Models: append(c.models(), unasked...), Reason: reason}
}

// models returns the model of each try, in order.
func (c *call[M, R]) models() []strata.ModelID {
	ids := make([]strata.ModelID, len(c.tries))
	for i := range c.tries {
		ids[i] = c.tries[i].ID
	}
	return ids
}

// ended returns the error of a call whose caller ended it, which the last
// failure may say itself unless it came before a wait.
func (c *call[M, R]) ended(waited bool) error {
	e := &Error{Layer: c.Layer, Errs: c.failures(), Models: c.models(), Reason: ReasonCancelled, Ended: ended(c.ctx)}
	if errors.Is(c.ctx.Err(), context.DeadlineExceeded) {
		e.Reason = ReasonDeadline
	}
	if n := len(e.Errs); n > 0 && !waited && says(e.Errs[n-1], e.Ended) {
		if n == 1 {
			return e.Errs[0]
		}
		e.Ended = nil
	}
	return e
}

// fits reports whether a wait can end before ctx's deadline.
func fits(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return wait <= 0 || !ok || time.Now().Add(wait).Before(deadline)
}
