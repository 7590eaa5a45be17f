// Package middleware has the layers that make calls to language models survive,
// a file each: Backoff asks the same model again, Fallback walks to others,
// Timeout bounds the time, Preamble and RequireContent hold a stream until there
// is content, Observe listens.
//
// Each layer is useful alone and each pair composes in either order with the
// meaning one would guess: a layer governs what stands below it. Below a
// retrying layer a Timeout bounds each attempt; above, the whole call.
//
// Options that make no sense (negative durations, fewer than one attempt, nil)
// panic when the layer is made, with a message that names the option and the
// value. Layers are safe for use by any number of goroutines.
package middleware

import (
	"fmt"
	"time"

	"github.com/strata-go/strata"
)

// mustWrap panics if there is no model to wrap.
func mustWrap(layer string, next strata.Model) {
	if next == nil {
		panic("middleware." + layer + ": the model is nil")
	}
}

// mustNotBeNil panics if an option of the layer is nil.
func mustNotBeNil[O comparable](layer string, opts []O) {
	var none O
	for i, opt := range opts {
		if opt == none {
			panic(fmt.Sprintf("middleware.%s: option %d is nil", layer, i))
		}
	}
}

// mustNotBeNegative panics if a duration given to an option is negative.
func mustNotBeNegative(option string, d time.Duration) {
	if d < 0 {
		panic(fmt.Sprintf("middleware.%s(%v): the duration is negative", option, d))
	}
}

// mustBePositive panics if a count given to an option is not positive.
func mustBePositive(option string, n int) {
	if n < 1 {
		panic(fmt.Sprintf("middleware.%s(%d): the count is less than 1", option, n))
	}
}

// MaxParts bounds the parts that a layer holds of a stream before its content,
// 1,024 by default. A stream that outgrows the bound is handed on as it is,
// which commits it.
func MaxParts(n int) MaxPartsOption {
	mustBePositive("MaxParts", n)
	return maxParts(n)
}

// A MaxPartsOption is an option of every layer that holds parts; see [MaxParts].
type MaxPartsOption interface {
	BackoffOption
	FallbackOption
	HoldOption
	KeyPoolOption
}

type maxParts int

func (n maxParts) backoff(c *backoffConfig)   { c.maxParts = int(n) }
func (n maxParts) fallback(c *fallbackConfig) { c.maxParts = int(n) }
func (n maxParts) hold(c *holdConfig)         { c.maxParts = int(n) }
func (n maxParts) keyPool(c *keyPoolConfig)   { c.maxParts = int(n) }
