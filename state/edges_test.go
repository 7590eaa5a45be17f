package state_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/state"
)

// poisoned fails for one key, as Redis does where that holds something else.
type poisoned struct {
	state.Memory
	healthy int
}

func (p *poisoned) Get(ctx context.Context, key string) (state.Record, bool, error) {
	if key == "poisoned" {
		return state.Record{}, false, fmt.Errorf("%w: WRONGTYPE", state.ErrNoRecord)
	}
	p.healthy++
	return p.Memory.Get(ctx, key)
}

// An outage is told once: a store that answers for every key but one is up.
func TestEdgeOneKeyIsNoOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := 0
		store := new(poisoned)
		b := state.Bounded(store, state.OnOutage(func(error) { told++ }))
		for range 600 { // a minute at 10 a second
			_, _, err := b.Get(t.Context(), "poisoned")
			require.NoError(t, err)
			_, _, err = b.Get(t.Context(), "healthy")
			require.NoError(t, err)
			time.Sleep(100 * time.Millisecond)
		}
		assert.LessOrEqual(t, told, 1, "it says so once")
		assert.Greater(t, store.healthy, 300, "of 600 operations on a key that the store answers for")
	})
}

// The use that is taken while the store is slow is counted once.
func TestEdgeALateTakeIsCountedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &remote{}
		b := state.Bounded(r)
		_, _ = b.Put(t.Context(), "k", state.Record{Value: "v", Left: 2})
		r.set(func(r *remote) { r.latency, r.deaf = 100*time.Millisecond, true })
		_, ok, _ := b.Take(t.Context(), "k")
		require.True(t, ok)
		r.set(func(r *remote) { r.latency = 0 })
		time.Sleep(2 * time.Second)
		_, ok, _ = b.Take(t.Context(), "k")
		assert.True(t, ok, "the second of two uses")
		_, ok, _ = b.Take(t.Context(), "k")
		assert.False(t, ok, "a third of two uses")
	})
}

// A write that is late does not come over one that was made behind it.
func TestEdgeALateWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &remote{}
		b := state.Bounded(r)
		r.set(func(r *remote) { r.latency, r.deaf = 5*time.Second, true })
		_, _ = b.Put(t.Context(), "k", state.Record{Value: "old"})
		r.set(func(r *remote) { r.latency = 0 })
		time.Sleep(2 * time.Second)
		_, _ = b.Put(t.Context(), "k", state.Record{Value: "new"})
		time.Sleep(10 * time.Second)
		got, _, _ := b.Get(t.Context(), "k")
		assert.Equal(t, "new", got.Value)
	})
}

// A claim that came too late for its caller is nobody's: it must not keep all others
// away once the store is back.
func TestEdgeALateClaim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &remote{}
		b := state.Bounded(r)
		r.set(func(r *remote) { r.latency, r.deaf = 100*time.Millisecond, true })
		claimed, _ := b.Claim(t.Context(), "probe", state.Record{Until: time.Now().Add(time.Minute)})
		require.True(t, claimed)
		_ = b.Delete(t.Context(), "probe") // in the outage
		r.set(func(r *remote) { r.latency = 0 })
		time.Sleep(2 * time.Second)
		claimed, _ = b.Claim(t.Context(), "probe", state.Record{Until: time.Now().Add(time.Minute)})
		assert.True(t, claimed, "who claimed it has freed it")
	})
}

// A late delete removes nothing that was written behind it, and a late swap does not
// come over it.
func TestEdgeALateDeleteAndSwap(t *testing.T) {
	for name, late := range map[string]func(context.Context, state.Store){
		"delete": func(ctx context.Context, b state.Store) { _ = b.Delete(ctx, "k") },
		"swap":   func(ctx context.Context, b state.Store) { _, _ = b.Swap(ctx, "k", "new", state.Record{Value: "other"}) },
		"claim":  func(ctx context.Context, b state.Store) { _, _ = b.Claim(ctx, "k", state.Record{Value: "other"}) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &remote{}
				b := state.Bounded(r)
				r.set(func(r *remote) { r.latency, r.deaf = 5*time.Second, true })
				late(t.Context(), b)
				r.set(func(r *remote) { r.latency = 0 })
				time.Sleep(2 * time.Second)
				_ = b.Delete(t.Context(), "k")
				_, _ = b.Put(t.Context(), "k", state.Record{Value: "new", Left: 2})
				time.Sleep(10 * time.Second)
				got, ok, _ := r.Memory.Get(t.Context(), "k")
				assert.True(t, ok)
				assert.Equal(t, state.Record{Value: "new", Left: 2}, got)
			})
		})
	}
}

// A store that panics over the correction of what came late harms nobody.
func TestEdgeAPanicBehindALateWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &remote{}
		b := state.Bounded(r)
		r.set(func(r *remote) { r.latency, r.deaf = time.Second, true })
		_, _ = b.Put(t.Context(), "k", state.Record{Value: "old"})
		_, _ = b.Put(t.Context(), "k", state.Record{Value: "new"}) // in memory
		r.set(func(r *remote) { r.latency, r.panics = 0, true })
		time.Sleep(2 * time.Second)
		got, ok, err := b.Get(t.Context(), "k")
		require.NoError(t, err)
		assert.True(t, ok)
		assert.Equal(t, "new", got.Value)
	})
}

// The bound holds under load whatever the store does, and goroutines stay bounded.
func TestEdgeHangingUnderLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := &remote{hang: release, deaf: true}
		var told atomic.Int64
		b := state.Bounded(r, state.MaxAsking(20), state.OnOutage(func(error) { told.Add(1) }))
		before := runtime.NumGoroutine()
		var all sync.WaitGroup
		for range 200 {
			all.Go(func() {
				begun := time.Now()
				_, _, err := b.Take(t.Context(), "k")
				assert.NoError(t, err)
				assert.LessOrEqual(t, time.Since(begun), state.DefaultLimit)
			})
		}
		all.Wait()
		assert.EqualValues(t, 1, told.Load())
		// Without the bound there are 200. The count is of the process, and some
		// that are done may not have ended.
		assert.Less(t, runtime.NumGoroutine()-before, 100)
		close(release)
	})
}
