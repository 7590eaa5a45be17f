package retry

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/strata-go/strata"
)

// A Policy says which models a call of code that talks to an SDK itself may ask,
// and when it moves on. A model is whatever the code tells its models apart by:
// a name, a client, a struct of both. [Models] makes one; its methods return a
// changed copy.
type Policy[M any] struct {
	models  []M
	rules   []Rule[M]
	timeout time.Duration
	budget  *Budget
	id      func(M) strata.ModelID
}

// Models returns the Policy that asks the first model, then the others in turn,
// each once and at once, while another may fix the failure, as Fallback does.
//
// Models are named by a method ID() strata.ModelID, where they have one, or by
// their text, where they are strings ("openai/gpt-5", or just "gpt-5", whose
// provider is not known: of one provider, network, auth and quota failures do
// not move on); others need [Policy.ID]. No models, or a nil one, panic.
func Models[M any](models ...M) Policy[M] {
	if len(models) == 0 {
		panic("retry.Models(): there is no model")
	}
	for i, m := range models {
		if any(m) == nil {
			panic(fmt.Sprintf("retry.Models: model %d is nil", i))
		}
	}
	return Policy[M]{models: append([]M{}, models...), id: nameOf[M]()}
}

// Rules returns the policy with rules in place of the walk: after each attempt
// they are tried from the top, as middleware.Rules says, and behind them each
// model but the first stands for the rule that switches to it after any error.
func (p Policy[M]) Rules(rules ...Rule[M]) Policy[M] {
	p.rules = append([]Rule[M]{}, rules...)
	return p
}

// Timeout returns the policy with a limit for the whole of each attempt, unless
// a rule says otherwise.
func (p Policy[M]) Timeout(d time.Duration) Policy[M] {
	mustNotBeNegative("Policy.Timeout", d)
	p.timeout = d
	return p
}

// Budget returns the policy with a budget that its retries share with those of
// others: a rule that would retry beyond it is passed over.
func (p Policy[M]) Budget(b *Budget) Policy[M] {
	if b == nil {
		panic("retry.Policy.Budget(nil): the budget is nil")
	}
	p.budget = b
	return p
}

// ID returns the policy with a function that names models.
func (p Policy[M]) ID(id func(M) strata.ModelID) Policy[M] {
	if id == nil {
		panic("retry.Policy.ID(nil): the function is nil")
	}
	p.id = id
	return p
}

// nameOf returns what names models of a type, or nil if they cannot name
// themselves. What a struct holds is no name: it may be a key.
func nameOf[M any]() func(M) strata.ModelID {
	t := reflect.TypeFor[M]()
	switch {
	case t.Implements(reflect.TypeFor[interface{ ID() strata.ModelID }]()):
		return func(m M) strata.ModelID { return any(m).(interface{ ID() strata.ModelID }).ID() }
	case t.Kind() == reflect.String:
		return func(m M) strata.ModelID {
			name := reflect.ValueOf(m).String()
			if id, err := strata.ParseModelID(name); err == nil {
				return id
			}
			return strata.ModelID{Name: name}
		}
	}
	return nil
}

// Call makes attempts with f until one succeeds or the policy stops, and returns
// the result or an error as [Error] says. Each attempt has a context of its own,
// with a fresh timeout where the policy has one, which ends when f returns: for
// a result that is still to be read, use [Stream].
//
//	answer, err := retry.Call(ctx, retry.Models("gpt-5", "gpt-5-mini"),
//		func(ctx context.Context, try retry.Attempt[string]) (*sdk.Answer, error) {
//			return client.Ask(ctx, try.Model, question)
//		})
//
// Failures are classified by package failure, which knows the errors of common
// SDKs. Once ctx has ended, nothing more is asked. A strata.Trace in ctx hears
// the attempts. A policy whose models have no names panics.
func Call[M, R any](ctx context.Context, p Policy[M], f func(ctx context.Context, try Attempt[M]) (R, error)) (R, error) {
	p.check("Call", f == nil)
	loop := Loop[M, R]{Layer: "retry", ID: p.id}
	return loop.Run(ctx, planOf[M, R](p), nil, func(ctx context.Context, a Attempt[M]) Outcome[R] {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		result, err := f(ctx, a)
		return Outcome[R]{Result: result, Err: err}
	})
}

func (p Policy[M]) check(function string, noFunc bool) {
	switch {
	case len(p.models) == 0:
		panic("retry." + function + ": the policy has no models: Models makes one")
	case p.id == nil:
		panic(fmt.Sprintf("retry.%s: a %v does not name itself: give the policy an ID function", function, reflect.TypeFor[M]()))
	case noFunc:
		panic("retry." + function + ": the function is nil")
	}
}

// planOf returns the plan of one call.
func planOf[M, R any](p Policy[M]) Plan[M, R] {
	plan := (&Walk[M, R]{Steps: Steps(p.models...), ID: p.id}).Plan()
	if p.rules != nil {
		rules := p.rules
		for _, m := range p.models[1:] {
			rules = append(rules[:len(rules):len(rules)], Switch(nil, m))
		}
		plan = &Rules[M, R]{Base: p.models[0], ID: p.id, Rules: rules, Retries: p.budget}
	}
	if p.timeout > 0 {
		plan = &timed[M, R]{plan, p.timeout}
	}
	return plan
}

// timed gives each step of a plan a timeout, unless it has one.
type timed[M, R any] struct {
	Plan[M, R]
	timeout time.Duration
}

func (t *timed[M, R]) Next(ctx context.Context, tries []Try[M, R]) (*Step[M], Reason) {
	return t.step(t.Plan.Next(ctx, tries))
}

func (t *timed[M, R]) Start(id strata.ModelID) bool {
	plan, ok := t.Plan.(Starter)
	return ok && plan.Start(id)
}

func (t *timed[M, R]) PastDeadline(ctx context.Context, tries []Try[M, R]) (*Step[M], Reason) {
	if plan, ok := t.Plan.(PastDeadliner[M, R]); ok {
		return t.step(plan.PastDeadline(ctx, tries))
	}
	return nil, ReasonDeadline
}

func (t *timed[M, R]) step(step *Step[M], reason Reason) (*Step[M], Reason) {
	if step == nil || step.Timeout != 0 || step.PastDeadline != 0 {
		return step, reason
	}
	limited := *step // which is the plan's
	limited.Timeout = t.timeout
	return &limited, reason
}
