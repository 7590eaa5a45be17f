package middleware_test

import (
	"testing"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/retry"
)

// BenchmarkState measures a whole call through each layer that learns for the
// calls to come, and one that it refuses. The bare model stands beside as the
// baseline.
func BenchmarkState(b *testing.B) {
	cooling := func(id string) strata.Model {
		m := middleware.Cooldown()(modeltest.New(id, fails(failure.Rate, time.Hour)))
		m.Generate(b.Context(), prompt)
		return m
	}
	account := func(name string) strata.Layer {
		return strata.Funcs{ID: func(id strata.ModelID) strata.ModelID {
			id.Account = name
			return id
		}}.Layer()
	}
	one, two := account("1")(nothing{}), account("2")(nothing{})
	for _, test := range []struct {
		name  string
		model strata.Model
	}{
		{"bare", nothing{}},
		{"cooldown", middleware.Cooldown()(nothing{})},
		{"cooldown, passed over", cooling("openai/a")},
		{"cooldown, passed over by a walk", middleware.Fallback(nothing{})(cooling("openai/a"))},
		{"bare key", one},
		{"key pool of 2", middleware.KeyPool(one, two)},
		{"backoff", middleware.Backoff()(nothing{})},
		{"backoff with a budget", middleware.Backoff(middleware.RetryBudget(retry.NewBudget()))(nothing{})},
	} {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				test.model.Generate(b.Context(), prompt)
			}
		})
	}
}
