package retry_test

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/retry"
)

// allowed returns how many of many retries a budget allows.
func allowed(b *retry.Budget) (n int) {
	for range 10_000 {
		if b.Retry() {
			n++
		}
	}
	return n
}

func TestBudget(t *testing.T) {
	type step struct {
		after    time.Duration
		requests int
		want     int
	}
	s := time.Second
	for name, test := range map[string]struct {
		opts  []retry.BudgetOption
		steps []step
	}{
		"the floor, each second":     {nil, []step{{0, 0, 10}, {s - 1, 0, 0}, {1, 0, 10}, {5 * s, 0, 10}}},
		"the share of many requests": {nil, []step{{0, 1000, 200}, {s, 0, 10}, {s, 1000, 190}}},
		"the floor is no addition":   {nil, []step{{0, 100, 20}}},
		"the floor of few requests":  {nil, []step{{0, 20, 10}}},
		"ten seconds are looked at":  {nil, []step{{0, 1000, 200}, {9 * s, 0, 10}, {s, 100, 10}, {s, 1000, 200}}},
		"and then forgotten":         {nil, []step{{0, 1000, 200}, {10 * s, 0, 10}, {time.Hour, 100, 20}}},
		"no floor":                   {[]retry.BudgetOption{retry.Floor(0)}, []step{{0, 4, 0}, {0, 1, 1}, {s, 5, 1}}},
		"no share":                   {[]retry.BudgetOption{retry.Share(0), retry.Floor(3)}, []step{{0, 1000, 3}, {s, 1000, 3}}},
		"a share of more than one":   {[]retry.BudgetOption{retry.Share(2), retry.Floor(0)}, []step{{0, 100, 200}}},
		"nothing at all":             {[]retry.BudgetOption{retry.Share(0), retry.Floor(0)}, []step{{0, 1000, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := retry.NewBudget(test.opts...)
				for i, step := range test.steps {
					time.Sleep(step.after)
					for range step.requests {
						b.Request()
					}
					assert.Equal(t, step.want, allowed(b), "step %d", i)
				}
			})
		})
	}
	var none *retry.Budget
	none.Request()
	assert.True(t, none.Retry())
}

// In a bad minute, in which every call fails, the load stays within the share.
func TestABadMinuteIsNotMultiplied(t *testing.T) {
	for name, test := range map[string]struct {
		policy   retry.Policy[string]
		min, max int64
	}{
		"with a budget": {retry.Models("openai/a").Budget(retry.NewBudget(retry.Floor(1))), 1150, 1200},
		"without":       {retry.Models("openai/a"), 3000, 3000},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				policy := test.policy
				if name == "with a budget" {
					policy = policy.Budget(retry.NewBudget(retry.Floor(1)))
				}
				policy = policy.Rules(retry.Retry[string](nil, retry.Attempts(3)))
				var asked atomic.Int64
				var wg sync.WaitGroup
				for range 1000 {
					time.Sleep(60 * time.Millisecond)
					wg.Go(func() {
						_, err := retry.Call(t.Context(), policy, func(context.Context, retry.Attempt[string]) (int, error) {
							asked.Add(1)
							return 0, said(failure.Overload)
						})
						assert.Error(t, err)
					})
				}
				wg.Wait()
				assert.GreaterOrEqual(t, asked.Load(), test.min)
				assert.LessOrEqual(t, asked.Load(), test.max)
			})
		})
	}
}

// Asking another model is no retry.
func TestAWalkNeedsNoBudget(t *testing.T) {
	policy := retry.Models("openai/a", "anthropic/b").Rules(retry.Retry[string](nil)).Budget(retry.NewBudget(retry.Floor(0), retry.Share(0)))
	answer, err := retry.Call(t.Context(), policy, func(_ context.Context, a retry.Attempt[string]) (string, error) {
		if a.Model == "openai/a" {
			return "", said(failure.Overload)
		}
		return a.Model, nil
	})
	assert.NoError(t, err)
	assert.Equal(t, "anthropic/b", answer)
}

func TestBudgetOptionsThatMakeNoSense(t *testing.T) {
	for want, make := range map[string]func(){
		"retry.Share(-0.1): the share is not a positive number or 0": func() { retry.Share(-0.1) },
		"retry.Share(NaN): the share is not a positive number or 0":  func() { retry.Share(math.NaN()) },
		"retry.Share(+Inf): the share is not a positive number or 0": func() { retry.Share(math.Inf(1)) },
		"retry.Floor(-1): the count is negative":                     func() { retry.Floor(-1) },
		"retry.NewBudget: option 0 is nil":                           func() { retry.NewBudget(nil) },
		"retry.Policy.Budget(nil): the budget is nil":                func() { retry.Models("a").Budget(nil) },
	} {
		assert.PanicsWithValue(t, want, make)
	}
}

func ExampleBudget() {
	budget := retry.NewBudget(retry.Floor(0)) // 20 % of the requests, and no more
	for range 10 {
		budget.Request()
	}
	fmt.Println(budget.Retry(), budget.Retry(), budget.Retry())
	// Output: true true false
}
