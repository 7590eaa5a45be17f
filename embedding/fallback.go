package embedding

import (
	"fmt"

	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
)

// Fallback is [middleware.Fallback] for embedding models, with one thing more:
// vectors of different dimensions cannot be compared, and an index that gets both
// is corrupt. So all vectors that it hands on have one dimension:
//
//   - the one that the request asks for;
//   - if it asks for none, that of [Dimensions];
//   - without that, that of the first answer to such a request that was handed on,
//     for each model that Fallback makes.
//
// A candidate that answers with another one has failed, of kind model with the
// cause [ErrDimensions], and the walk goes on. [AnyDimensions] allows it. A walk
// within another, where nothing of these settles its own, is held to what the outer
// one wants: if a layer between the two cuts vectors down, give the inner one
// [Dimensions]. Vectors of different models do not compare even where their
// dimensions are the same: Response.Model says whose they are.
func Fallback(models ...Model) Layer { return FallbackWith(models) }

// FallbackWith is [Fallback] with options: [Dimensions], [AnyDimensions], [On].
func FallbackWith(models []Model, opts ...FallbackOption) Layer {
	c := newWalk("Fallback", opts)
	return c.layer(middleware.FallbackWith(family.Models("Fallback", models, c.candidate), c.fallback...))
}

// Rules is [middleware.Rules] for embedding models. A rule is a Model, one that
// retry.Switch or retry.Retry makes for them, one of package when that names no
// model, middleware.Disabled or middleware.RetryBudget; overrides are a [Request]:
//
//	embedding.Rules(
//		retry.Switch[embedding.Model](when.Status(529), large, retry.Set(embedding.Request{Dimensions: 1536})),
//		when.Retryable().Retry(retry.Delay(time.Second)),
//		other, // else
//	)
//
// The dimension of answers is guarded as in [Fallback], by what the caller's
// request asks for, whatever the overrides do. An answer that a rule rejects
// settles nothing. Values that an override gives must be as many as the caller's,
// or the call fails.
func Rules(rules ...middleware.Rule) Layer { return RulesWith(rules) }

// RulesWith is [Rules] with options: [Dimensions], [AnyDimensions].
func RulesWith(rules []middleware.Rule, opts ...FallbackOption) Layer {
	c := newWalk("Rules", opts)
	if len(c.fallback) > 0 {
		panic("embedding.RulesWith: On is an option of FallbackWith alone")
	}
	return c.layer(middleware.Rules(family.Rules(rules, c.candidate)...))
}

// A FallbackOption sets something of [FallbackWith] and [RulesWith].
type FallbackOption func(*walkConfig)

// Dimensions settles the dimension beforehand, as that of the index. A request that
// asks for another one fails at once, of kind invalid. By default the first answer
// settles it.
func Dimensions(n int) FallbackOption {
	if n < 1 {
		panic(fmt.Sprintf("embedding.Dimensions(%d): the count is less than 1", n))
	}
	return func(c *walkConfig) { c.dimensions = n }
}

// AnyDimensions lets answers have whatever dimension they have. By default they are
// held to one.
func AnyDimensions() FallbackOption { return func(c *walkConfig) { c.any = true } }

// On is [middleware.On]. It is an option of [FallbackWith] alone.
func On(kinds ...failure.Kind) FallbackOption {
	option := middleware.On(kinds...)
	return func(c *walkConfig) { c.fallback = append(c.fallback, option) }
}

type walkConfig struct {
	dimensions int // 0: the first answer's
	any        bool
	fallback   []middleware.FallbackOption
}

func newWalk(by string, opts []FallbackOption) *walkConfig {
	c := &walkConfig{}
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("embedding.%s: option %d is nil", by, i))
		}
		opt(c)
	}
	if c.any && c.dimensions != 0 {
		panic(fmt.Sprintf("embedding.%s: Dimensions(%d) and AnyDimensions contradict each other", by, c.dimensions))
	}
	return c
}
