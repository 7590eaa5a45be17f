package middleware

import (
	"fmt"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/stream"
)

// A Rule is what [Rules] takes: a rule of packages when and retry, a
// strata.Model, [Disabled], or [RetryBudget].
type Rule interface{ ID() strata.ModelID }

// Rules walks by rules. After each attempt of a call that failed, or whose answer
// a rule may reject, they are tried from the top, like a chain of if and else:
// the first that holds says which model is asked next. A model stands for the
// rule that switches to it after any error.
//
//	middleware.Rules(
//		when.Status(529).Or(when.Message("overloaded")).Switch(claude),
//		when.FinishReason(strata.FinishContentFilter).Switch(mini),
//		when.Retryable().Retry(retry.Delay(time.Second), retry.Factor(2)),
//		claude, // else
//	)
//
// Attempts are counted per ModelID over the whole call, those of the first model
// included; a rule whose model has had its attempts is passed over. A switch to
// the wrapped model's own ID asks it as it is wrapped. When no rule is left an
// error is the call's, as a [*retry.Error] if there was more than one attempt,
// and an answer that a rule would have rejected is the answer.
//
// A stream's answer is judged at its finish, and only while nothing of it was
// handed on. The caller's own cancel or deadline never reaches a rule, but for
// those with [retry.PastDeadline]. Rules of other types, nil ones, and overrides
// that are no strata.Request panic.
func Rules(rules ...Rule) strata.Layer {
	var (
		table    []retry.Rule[strata.Model]
		disabled func() bool
		budget   *retry.Budget
	)
	for i, rule := range rules {
		switch r := rule.(type) {
		case nil:
			panic(fmt.Sprintf("middleware.Rules: rule %d is nil", i))
		case retry.Rule[strata.Model]:
			if !retry.Overrides[strata.Request](r) {
				panic(fmt.Sprintf("middleware.Rules: rule %d overrides something other than a strata.Request", i))
			}
			table = append(table, r)
		case strata.Model:
			table = append(table, retry.Switch(nil, r))
		case disabledRule:
			disabled = r.disabled
		case retryBudget:
			budget = r.budget
		default:
			panic(fmt.Sprintf("middleware.Rules: rule %d is a %T, not a rule or a model", i, rule))
		}
	}
	return func(next strata.Model) strata.Model {
		mustWrap("Rules", next)
		return newRetrying("rules", next, stream.DefaultMaxParts, func(req *strata.Request) plan {
			p := &retry.Rules[strata.Model, *strata.Response]{Base: next, ID: strata.Model.ID, Rules: table, Request: bare(req), Retries: budget}
			if disabled != nil && disabled() {
				p.Rules = nil
			}
			return p
		})
	}
}

// Disabled switches all rules off while f returns true: the wrapped model is
// asked once, and its answer or error is the call's. f is asked once a call.
func Disabled(f func() bool) Rule {
	mustBeFunc("Disabled", f == nil)
	return disabledRule{f}
}

type disabledRule struct{ disabled func() bool }

func (disabledRule) ID() strata.ModelID { return strata.ModelID{} }
