package retry_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata/retry"
)

// As many retries as the share of the requests: n of 100 at n %.
func TestEdgeTheShareIsExact(t *testing.T) {
	for percent := range 101 {
		b := retry.NewBudget(retry.Floor(0), retry.Share(float64(percent)/100))
		for range 100 {
			b.Request()
		}
		made := 0
		for b.Retry() {
			made++
		}
		assert.Equal(t, percent, made, "%d %% of 100 requests", percent)
	}
}

// Exact under load.
func TestEdgeBudgetUnderLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := retry.NewBudget(retry.Floor(7), retry.Share(0.25))
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				for range 100 {
					b.Request()
				}
			})
		}
		all.Wait()
		var made atomic.Int64
		for range 100 {
			all.Go(func() {
				for range 100 {
					if b.Retry() {
						made.Add(1)
					}
				}
			})
		}
		all.Wait()
		assert.EqualValues(t, 2500, made.Load())
	})
}
