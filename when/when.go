// Package when has conditions over an attempt that failed, or whose answer may
// still be rejected, for the rules of middleware.Rules and of package retry. They
// compose with And, Or and Not, and end in Switch or Retry, which make a rule:
//
//	when.Status(529).Or(when.Message("overloaded")).Switch(claude)
//	when.FinishReason(strata.FinishContentFilter).Switch(mini, retry.Attempts(2))
//	when.Retryable().Retry(retry.Delay(time.Second), retry.Factor(2))
//
// A condition asks about errors, about answers, or about both. What it does not
// ask about it never matches, under Not too: Not(Status(429)) is about errors
// other than 429, not about answers. Of a walk over several attempts conditions
// look at its last failure. They are safe for use by any number of goroutines.
package when

import (
	"context"
	"fmt"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/retry"
)

// A Condition says whether a rule is for an attempt. The zero Condition is for
// none. It implements retry.Matcher.
type Condition struct {
	failed   test // of an attempt with an error; nil: not asked about
	answered test // of an attempt with an answer; nil: not asked about
}

type test func(ctx context.Context, h *retry.History) bool

// Match reports whether the condition holds for the last attempt of a call.
func (c Condition) Match(ctx context.Context, h *retry.History) bool {
	t := c.answered
	if h.Last().Err != nil {
		t = c.failed
	}
	return t != nil && t(ctx, h)
}

// Switch returns the rule that asks m next when the condition holds, once a call
// unless told otherwise; see [retry.Switch].
func (c Condition) Switch(m strata.Model, opts ...retry.RuleOption) retry.Rule[strata.Model] {
	if m == nil {
		panic("when: Switch(nil): the model is nil")
	}
	return retry.Switch(c, m, opts...)
}

// Retry returns the rule that asks the same model again when the condition
// holds, which gives it two attempts unless told otherwise; see [retry.Retry].
func (c Condition) Retry(opts ...retry.RuleOption) retry.Rule[strata.Model] {
	return retry.Retry[strata.Model](c, opts...)
}

// And holds where c and all others do; see [All].
func (c Condition) And(others ...Condition) Condition {
	return All(append([]Condition{c}, others...)...)
}

// Or holds where c or one of the others does; see [Any].
func (c Condition) Or(others ...Condition) Condition {
	return Any(append([]Condition{c}, others...)...)
}

// Not holds where c does not, of what c asks about; see [Not].
func (c Condition) Not() Condition { return Not(c) }

// All holds where all conditions do. It asks about what all of them ask about;
// no conditions, or some with nothing in common, panic: they could never hold.
func All(conditions ...Condition) Condition {
	all, ok := Common(conditions...)
	if !ok {
		panic(fmt.Sprintf("when: All of %d conditions: they have nothing in common that they ask about", len(conditions)))
	}
	return all
}

// Common is [All] for conditions that may have nothing in common: then it
// returns false.
func Common(conditions ...Condition) (Condition, bool) {
	var failed, answered []test
	for _, c := range conditions {
		failed, answered = add(failed, c.failed), add(answered, c.answered)
	}
	var all Condition
	if len(conditions) > 0 && len(failed) == len(conditions) {
		all.failed = every(failed)
	}
	if len(conditions) > 0 && len(answered) == len(conditions) {
		all.answered = every(answered)
	}
	return all, all.failed != nil || all.answered != nil
}

// Any holds where one of the conditions does. It asks about whatever one of them
// asks about. No conditions panic.
func Any(conditions ...Condition) Condition {
	if len(conditions) == 0 {
		panic("when: Any(): there is no condition")
	}
	var failed, answered []test
	for _, c := range conditions {
		failed, answered = add(failed, c.failed), add(answered, c.answered)
	}
	return Condition{failed: some(failed), answered: some(answered)}
}

// Not holds where c does not, of what c asks about.
func Not(c Condition) Condition {
	return Condition{failed: not(c.failed), answered: not(c.answered)}
}

func add(tests []test, t test) []test {
	if t == nil {
		return tests
	}
	return append(tests, t)
}

func every(tests []test) test {
	return func(ctx context.Context, h *retry.History) bool {
		for _, t := range tests {
			if !t(ctx, h) {
				return false
			}
		}
		return true
	}
}

func some(tests []test) test {
	if len(tests) == 0 {
		return nil
	}
	return func(ctx context.Context, h *retry.History) bool {
		for _, t := range tests {
			if t(ctx, h) {
				return true
			}
		}
		return false
	}
}

func not(t test) test {
	if t == nil {
		return nil
	}
	return func(ctx context.Context, h *retry.History) bool { return !t(ctx, h) }
}
