package middleware

import (
	"fmt"
	"slices"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/stream"
)

// Fallback walks from the wrapped model through the given ones, each asked once
// and at once, until one answers. It moves on when another model may fix the
// failure, as [failure.Kind.FixedBy] says, passing over every candidate that
// one of the call's failures rules out: a refused key is nothing to another
// provider but everything to a sister model on the same account.
//
//	model = middleware.Fallback(claude, mini)(gpt)
//
// A stream is walked only while nothing of it was handed on; the caller sees
// one preamble, that of the model that answered. When all fail the caller gets
// a [*retry.Error] with every attempt's failure, or the single failure if there
// was only one. With no models Fallback is the identity.
func Fallback(models ...strata.Model) strata.Layer {
	return FallbackWith(models)
}

// FallbackWith is [Fallback] with options: [On] and [MaxParts].
func FallbackWith(models []strata.Model, opts ...FallbackOption) strata.Layer {
	for i, m := range models {
		if m == nil {
			panic(fmt.Sprintf("middleware.Fallback: model %d is nil", i))
		}
	}
	models = slices.Clone(models)
	c := fallbackConfig{maxParts: stream.DefaultMaxParts}
	mustNotBeNil("Fallback", opts)
	for _, opt := range opts {
		opt.fallback(&c)
	}
	return func(next strata.Model) strata.Model {
		mustWrap("Fallback", next)
		if len(models) == 0 {
			return next
		}
		walk := &retry.Walk[strata.Model, *strata.Response]{Steps: append(retry.Steps(next), retry.Steps(models...)...), ID: strata.Model.ID, On: c.on}
		return newRetrying("fallback", next, c.maxParts, func(*strata.Request) plan { return walk.Plan() })
	}
}

// A FallbackOption sets something of [FallbackWith].
type FallbackOption interface{ fallback(*fallbackConfig) }

type fallbackOption func(*fallbackConfig)

func (o fallbackOption) fallback(c *fallbackConfig) { o(c) }

// On makes Fallback move on to the next model, whichever it is, after a failure
// of one of these kinds and no other, in place of the rule it has.
func On(kinds ...failure.Kind) FallbackOption {
	known := failure.Kinds()
	for _, k := range kinds {
		if !slices.Contains(known, k) {
			panic(fmt.Sprintf("middleware.On(%q): there is no such kind", string(k)))
		}
	}
	return fallbackOption(func(c *fallbackConfig) { c.on = append([]failure.Kind{}, kinds...) })
}

type fallbackConfig struct {
	on       []failure.Kind // nil: the rule
	maxParts int
}
