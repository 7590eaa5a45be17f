package middleware_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/when"
)

// A retry that is not made, as its wait does not end before the caller's deadline, is
// none: it takes nothing of the budget.
func TestEdgeBudgetOfRetriesThatAreNotMade(t *testing.T) {
	for name, layer := range map[string]func(*retry.Budget) strata.Layer{
		"backoff": func(b *retry.Budget) strata.Layer {
			return middleware.Backoff(middleware.RetryBudget(b), middleware.NoJitter())
		},
		"rules": func(b *retry.Budget) strata.Layer {
			return middleware.Rules(middleware.RetryBudget(b), when.Retryable().Retry(retry.Delay(time.Second)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := layer(retry.NewBudget(retry.Share(0), retry.Floor(1)))
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
				defer cancel()
				hurried := modeltest.New("openai/a", fails(failure.Overload, 0))
				require.Error(t, call(ctx, b(hurried), false))
				require.Len(t, hurried.Calls(), 1)
				other := modeltest.New("openai/a", fails(failure.Overload, 0), answers)
				assert.NoError(t, call(t.Context(), b(other), false), "no retry was made in this second")
			})
		})
	}
}

// One budget for two Backoffs, one above the other: each counts what it is asked as
// a request, so the retries are at most the share of what both are asked.
func TestEdgeBudgetOfNestedBackoffs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		budget := retry.NewBudget(retry.Share(0.2), retry.Floor(0))
		b := middleware.Backoff(middleware.RetryBudget(budget), middleware.Attempts(2), middleware.Base(time.Nanosecond))
		base := modeltest.New("openai/a", fails(failure.Overload, 0))
		m := strata.Wrap(base, b, b)
		for range 100 {
			_ = call(t.Context(), m, false)
		}
		retries := len(base.Calls()) - 100
		assert.LessOrEqual(t, retries*10, 2*(100+100+retries), "of 100 requests to the outer one and the outer one's to the inner")
		assert.Positive(t, retries)
	})
}
