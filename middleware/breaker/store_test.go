package breaker_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware/breaker"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/state"
)

// Two processes with one store share what is open, and of both one call probes.
func TestShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := breaker.Store(new(state.Memory))
		a := modeltest.New("openai/a", append(times(2, fails(failure.Overload)), fails(failure.Overload), slow)...)
		one := breaker.New(store, breaker.Failures(2))(a)
		two := breaker.New(store)(a)
		for range 2 {
			require.Error(t, call(t.Context(), one, false))
		}
		assert.EqualError(t, call(t.Context(), two, true), "openai/a: overload: breaker: not asked for another 30s")
		assert.ErrorIs(t, call(t.Context(), one, true), failure.ErrNotAsked)
		time.Sleep(30*second + 1)

		assert.NotErrorIs(t, call(t.Context(), two, true), failure.ErrNotAsked, "the probe, which fails")
		assert.EqualError(t, call(t.Context(), two, true), "openai/a: overload: breaker: not asked for another 30s")
		assert.EqualError(t, call(t.Context(), one, true), "openai/a: overload: breaker: not asked for another 30s")
		time.Sleep(30*second + 1)

		var answered, refused atomic.Int64
		var wg sync.WaitGroup
		for i := range 100 {
			wg.Go(func() {
				switch err := call(t.Context(), []strata.Model{one, two}[i%2], i%3 == 0); {
				case err == nil:
					answered.Add(1)
				case failure.NotAsked(err):
					refused.Add(1)
				}
			})
		}
		wg.Wait()
		assert.Equal(t, int64(1), answered.Load())
		assert.Equal(t, int64(99), refused.Load())
		assert.NoError(t, call(t.Context(), one, true))
		assert.NoError(t, call(t.Context(), two, true))
	})
}

// down is a store that fails.
type down struct{ state.Store }

var errDown = errors.New("the store is down")

func (down) Get(context.Context, string) (state.Record, bool, error) {
	return state.Record{}, false, errDown
}
func (down) Put(context.Context, string, state.Record) (bool, error)   { return false, errDown }
func (down) Claim(context.Context, string, state.Record) (bool, error) { return false, errDown }
func (down) Swap(context.Context, string, string, state.Record) (bool, error) {
	return false, errDown
}
func (down) Delete(context.Context, string) error { return errDown }

func TestAStoreThatFailsFailsNoCall(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		m := breaker.New(breaker.Store(down{}), breaker.Failures(1))(modeltest.New("openai/a", answers, fails(failure.Overload), answers))
		require.NoError(t, call(t.Context(), m))
		require.Error(t, call(t.Context(), m))
		assert.ErrorIs(t, call(t.Context(), m), failure.ErrNotAsked)
		time.Sleep(30*second + 1)
		assert.NoError(t, call(t.Context(), m))
		assert.NoError(t, call(t.Context(), m))
	})
}
