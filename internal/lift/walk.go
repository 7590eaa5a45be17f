package lift

import (
	"context"
	"fmt"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/when"
)

// Models are the models that the constructor by is given as language models; each
// passes through with, unless it is nil.
func (f *Family[M, Req, Resp]) Models(by string, models []M, with func(M) M) []strata.Model {
	up := make([]strata.Model, len(models))
	for i, m := range models {
		if any(m) == nil {
			panic(fmt.Sprintf("%s.%s: model %d is nil", f.Name, by, i))
		}
		if with != nil {
			m = with(m)
		}
		up[i] = f.Up(m)
	}
	return up
}

// KeyPool is middleware.KeyPoolWith for the family; each key passes through with,
// unless it is nil.
func (f *Family[M, Req, Resp]) KeyPool(keys []M, opts []middleware.KeyPoolOption, with func(M) M) Down[M, Req, Resp] {
	pool := middleware.KeyPoolWith(f.Models("KeyPool", keys, with), opts...)
	return Down[M, Req, Resp]{f, keys[0], pool}
}

// Rules are rules for models of the family as rules for language models; each of
// their models passes through with, unless it is nil.
func (f *Family[M, Req, Resp]) Rules(rules []middleware.Rule, with func(M) M) []middleware.Rule {
	up := func(m M) strata.Model {
		if with != nil {
			m = with(m)
		}
		return f.Up(m)
	}
	table := make([]middleware.Rule, len(rules))
	for i, rule := range rules {
		wrong := func(strata.Model) strata.Model {
			panic(fmt.Sprintf("%s.Rules: rule %d is one for language models", f.Name, i))
		}
		switch r := any(rule).(type) {
		case retry.Rule[M]:
			table[i] = ruleOver(f, i, r, up)
		case retry.Rule[strata.Model]: // one that names no model, as when.Status(503).Retry() does
			table[i] = ruleOver(f, i, r, wrong)
		case M:
			table[i] = up(r)
		case strata.Model:
			wrong(r)
		default:
			table[i] = rule // for middleware.Rules to judge
		}
	}
	return table
}

// ruleOver is rule i over models N as one for language models.
func ruleOver[M, Req, Resp, N any](f *Family[M, Req, Resp], i int, r retry.Rule[N], up func(N) strata.Model) retry.Rule[strata.Model] {
	if !retry.Overrides[Req](r) {
		panic(fmt.Sprintf("%s.Rules: rule %d overrides something other than an %[1]s.Request", f.Name, i))
	}
	return retry.Over(r, up)
}

// OnRetry is middleware.OnRetry for the family.
func (f *Family[M, Req, Resp]) OnRetry(override func(context.Context, strata.RetryInfo) *Req) middleware.ObserveOption {
	if override == nil {
		panic(f.Name + ".OnRetry(nil): the function is nil")
	}
	return middleware.OnRetry(func(ctx context.Context, info strata.RetryInfo) *strata.Request {
		by := override(ctx, info)
		if _, ours := info.Request.(*Req); by == nil || !ours {
			return nil
		}
		return &strata.Request{Raw: by} // which the call takes: see Override
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
