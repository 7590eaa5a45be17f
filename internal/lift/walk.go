package lift

import (
	"context"
	"fmt"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/when"
)

// Models are the candidates of a Fallback as language models.
func (f *Family[M, Req, Resp]) Models(models []M) []strata.Model {
	up := make([]strata.Model, len(models))
	for i, m := range models {
		if any(m) == nil {
			panic(fmt.Sprintf("%s.Fallback: model %d is nil", f.Name, i))
		}
		up[i] = f.Up(m)
	}
	return up
}

// Rules are rules for models of the family as rules for language models; each of
// their models passes through with.
func (f *Family[M, Req, Resp]) Rules(rules []middleware.Rule, with func(M) M) []middleware.Rule {
	up := func(m M) strata.Model { return f.Up(with(m)) }
	table := make([]middleware.Rule, len(rules))
	for i, rule := range rules {
		switch r := any(rule).(type) {
		case retry.Rule[M]:
			if !retry.Overrides[Req](r) {
				panic(fmt.Sprintf("%s.Rules: rule %d overrides something other than an %[1]s.Request", f.Name, i))
			}
			table[i] = retry.Over(r, up, func(o any) *strata.Request { return over(o.(*Req)) })
		case M:
			table[i] = up(r)
		case strata.Model, retry.Rule[strata.Model]:
			panic(fmt.Sprintf("%s.Rules: rule %d is one for language models", f.Name, i))
		default:
			table[i] = rule // for middleware.Rules to judge
		}
	}
	return table
}

// OnRetry is middleware.OnRetry for the family.
func (f *Family[M, Req, Resp]) OnRetry(override func(context.Context, strata.RetryInfo) *Req) middleware.ObserveOption {
	if override == nil {
		panic(f.Name + ".OnRetry(nil): the function is nil")
	}
	return middleware.OnRetry(func(ctx context.Context, info strata.RetryInfo) *strata.Request {
		return over(override(ctx, info))
	})
}

// Result is when.Result for the family.
func (f *Family[M, Req, Resp]) Result(predicate func(context.Context, *Resp) bool) when.Condition {
	if predicate == nil {
		panic(f.Name + ".Result(nil): the predicate is nil")
	}
	return when.Result(func(ctx context.Context, account *strata.Response) bool {
		resp, ok := account.Raw.(*Resp)
		return ok && predicate(ctx, resp)
	})
}

// over is an override as a language model's.
func over[Req any](override *Req) *strata.Request {
	if override == nil {
		return nil
	}
	return &strata.Request{Raw: override}
}
