package strata

import (
	"fmt"
	"slices"
)

// A Layer wraps a Model in another that adds one concern. It keeps the ID of
// the model it wraps unless its purpose is to change it.
type Layer func(Model) Model

// Chain composes layers into one; the first is the outermost:
//
//	Chain(a, b, c)(m) == a(b(c(m)))
//
// The empty chain is the identity, and Chain is associative. A nil layer
// panics at once; a layer that turns a model into nil panics when it is applied.
func Chain(layers ...Layer) Layer {
	for i, l := range layers {
		if l == nil {
			panic(fmt.Sprintf("strata.Chain: layer %d is nil", i))
		}
	}
	layers = slices.Clone(layers)
	return func(m Model) Model {
		if m == nil {
			panic("strata.Chain: the model is nil")
		}
		for i := len(layers) - 1; i >= 0; i-- {
			if m = layers[i](m); m == nil {
				panic(fmt.Sprintf("strata.Chain: layer %d returned a nil model", i))
			}
		}
		return m
	}
}

// Wrap puts layers around m, the first outermost: Chain(layers...)(m). It
// panics as Chain does.
func Wrap(m Model, layers ...Layer) Model {
	return Chain(layers...)(m)
}
