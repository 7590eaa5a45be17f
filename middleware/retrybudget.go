package middleware

import (
	"github.com/strata-go/strata"
	"github.com/strata-go/strata/retry"
)

// RetryBudget bounds the retries of a layer by a budget that it shares with
// others, commonly all of a process, so that the bad minute of a provider is not
// multiplied.
//
//	budget := retry.NewBudget() // at most 20 % of the requests, or 10 a second
//	each := middleware.Backoff(middleware.RetryBudget(budget))
//
// A retry beyond the budget is not made: [Backoff] ends with reason budget, for
// an outer layer to move on; [Rules] passes the rule over. Asking another model
// is no retry, so [Fallback] and [KeyPool] need no budget.
func RetryBudget(b *retry.Budget) RetryBudgetOption {
	if b == nil {
		panic("middleware.RetryBudget(nil): the budget is nil")
	}
	return retryBudget{b}
}

// A RetryBudgetOption is an option of [Backoff], and stands among the rules of
// [Rules]; see [RetryBudget].
type RetryBudgetOption interface {
	BackoffOption
	Rule
}

type retryBudget struct{ budget *retry.Budget }

func (o retryBudget) backoff(c *backoffConfig) { c.retries = o.budget }
func (retryBudget) ID() strata.ModelID         { return strata.ModelID{} }
