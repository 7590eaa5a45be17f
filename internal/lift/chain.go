package lift

import (
	"fmt"
	"slices"
)

// Chain composes layers of a family, the first outermost, as strata.Chain does.
func Chain[L ~func(M) M, M any](pkg string, layers []L) L {
	for i, l := range layers {
		if l == nil {
			panic(fmt.Sprintf("%s.Chain: layer %d is nil", pkg, i))
		}
	}
	layers = slices.Clone(layers)
	return func(m M) M {
		if any(m) == nil {
			panic(pkg + ".Chain: the model is nil")
		}
		for i, l := range slices.Backward(layers) {
			if m = l(m); any(m) == nil {
				panic(fmt.Sprintf("%s.Chain: layer %d returned a nil model", pkg, i))
			}
		}
		return m
	}
}

// As returns the first model that is a T, looking at m and then down the models
// it wraps, as strata.As does.
func As[T, M any](m M) (T, bool) {
	for any(m) != nil {
		if t, ok := any(m).(T); ok {
			return t, true
		}
		u, ok := any(m).(interface{ Unwrap() M })
		if !ok {
			break
		}
		m = u.Unwrap()
	}
	var none T
	return none, false
}
