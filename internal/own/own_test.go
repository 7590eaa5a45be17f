package own_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/own"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
)

func TestOf(t *testing.T) {
	model := modeltest.New("openai/a", modeltest.Answer("hi"))
	for name, test := range map[string]struct {
		next strata.Model
		owns bool
	}{
		"a model":                     {model, false},
		"a layer that hands ctx on":   {middleware.Observe()(model), false},
		"a layer that makes attempts": {middleware.Backoff()(model), true},
		"a layer that holds parts":    {middleware.Preamble()(model), true},
		"a detector":                  {refusal.Detect()(model), true},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := own.Of(t.Context(), test.next)
			assert.Equal(t, test.owns, ctx == t.Context())
			cancel()
			assert.Equal(t, test.owns, ctx.Err() == nil)
		})
	}
}

// However many layers stand above a model, its context ends before the range does.
func TestTheInnermostContextEnds(t *testing.T) {
	layers := map[string]strata.Layer{
		"fallback":        middleware.Fallback(modeltest.New("anthropic/b", modeltest.Answer("hi"))),
		"backoff":         middleware.Backoff(),
		"timeout":         middleware.Timeout(middleware.Total(1 << 40)),
		"preamble":        middleware.Preamble(),
		"require content": middleware.RequireContent(),
		"refusal":         refusal.Detect(),
	}
	for outer, above := range layers {
		for inner, below := range layers {
			t.Run(outer+" over "+inner, func(t *testing.T) {
				for _, leave := range []bool{false, true} {
					m := modeltest.New("openai/a", modeltest.Answer("hello"))
					for part := range strata.Wrap(m, above, below).Stream(t.Context(), strata.Prompt("hi")) {
						if leave && part.Commits() {
							break
						}
					}
					assert.ErrorIs(t, m.Calls()[0].Context.Err(), context.Canceled)
				}
			})
		}
	}
}
