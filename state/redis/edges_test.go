package redis_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/state"
	"github.com/strata-go/strata/state/redis"
)

// Uses are exact under load of scripts, pipelines and transactions of others.
func TestEdgeUsesUnderLoad(t *testing.T) {
	s := startServer(t)
	c := s.client(t)
	store := redis.New(c)
	_, err := store.Put(t.Context(), "k", state.Record{Value: "v", Left: 1000, Until: time.Now().Add(time.Hour)})
	require.NoError(t, err)
	var taken, claims atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 100 {
				_, ok, err := store.Take(t.Context(), "k")
				assert.NoError(t, err)
				if ok {
					taken.Add(1)
				}
				if ok, err := store.Claim(t.Context(), "probe", state.Record{Until: time.Now().Add(time.Hour)}); assert.NoError(t, err) && ok {
					claims.Add(1)
				}
				_, err = c.TxPipelined(t.Context(), func(p goredis.Pipeliner) error {
					p.Incr(t.Context(), "other")
					p.HGetAll(t.Context(), "strata:k")
					return nil
				})
				assert.NoError(t, err)
			}
		})
	}
	all.Wait()
	assert.EqualValues(t, 1000, taken.Load())
	assert.EqualValues(t, 1, claims.Load())
	n, err := c.Exists(t.Context(), "strata:k").Result()
	require.NoError(t, err)
	assert.Zero(t, n)
}

// One key of another kind is no outage: what is known of all the others stays shared.
func TestEdgeOneForeignKey(t *testing.T) {
	s := startServer(t)
	c := s.client(t)
	require.NoError(t, c.Set(t.Context(), "strata:cooldown/a", "of another program", 0).Err())
	var told atomic.Int64
	store := state.Bounded(redis.New(c), state.Limit(10*time.Second), state.RetryEvery(10*time.Millisecond), state.OnOutage(func(error) { told.Add(1) }))
	for range 20 {
		_, _, err := store.Get(t.Context(), "cooldown/a")
		require.NoError(t, err)
		require.Eventually(t, func() bool { // until the store is asked again
			_, err := store.Put(t.Context(), "b", state.Record{Value: fmt.Sprint(time.Now().UnixNano())})
			n, _ := c.Exists(t.Context(), "strata:b").Result()
			_ = c.Del(t.Context(), "strata:b").Err()
			return err == nil && n == 1
		}, 5*time.Second, time.Millisecond)
	}
	assert.LessOrEqual(t, told.Load(), int64(1), "outages of one key")
}

// Records of odd keys and values come back as they were; ends in the past, far ahead.
func TestEdgeOddRecords(t *testing.T) {
	s := startServer(t)
	c := s.client(t)
	store := redis.New(c)
	for _, key := range []string{"", "a b", "a\nb", "a\x00b", "\xff", "{x}y}", "*", strings.Repeat("k", 100_000), "é", "e\u0301"} {
		for _, want := range []state.Record{{}, {Value: "\x00\xff\n", Left: -5}, {Value: "1", Left: 1 << 60}} {
			require.NoError(t, store.Delete(t.Context(), key))
			wrote, err := store.Put(t.Context(), key, want)
			require.NoError(t, err)
			require.True(t, wrote)
			got, ok, err := store.Get(t.Context(), key)
			require.NoError(t, err)
			assert.True(t, ok)
			assert.Equal(t, want, got)
		}
	}
	far := time.Now().Add(250 * 365 * 24 * time.Hour)
	_, err := store.Put(t.Context(), "far", state.Record{Value: "v", Until: far})
	require.NoError(t, err)
	got, ok, err := store.Get(t.Context(), "far")
	require.NoError(t, err)
	assert.True(t, ok)
	assert.InDelta(t, far.Unix(), got.Until.Unix(), 60)

	_, err = store.Put(t.Context(), "older", state.Record{Value: "v"})
	require.NoError(t, err)
	_, err = store.Put(t.Context(), "older", state.Record{Value: "w", Until: time.Now().Add(-time.Hour)})
	require.NoError(t, err)
	_, ok, err = store.Get(t.Context(), "older")
	require.NoError(t, err)
	assert.False(t, ok, "it is over")
	_, ok, err = store.Take(t.Context(), "big")
	require.NoError(t, err)
	assert.False(t, ok)
}

// Counting down a large number of uses.
func TestEdgeManyUses(t *testing.T) {
	s := startServer(t)
	store := redis.New(s.client(t))
	_, err := store.Put(t.Context(), "k", state.Record{Value: "v", Left: 1 << 60})
	require.NoError(t, err)
	for i := range 3 {
		got, ok, err := store.Take(t.Context(), "k")
		require.NoError(t, err)
		require.True(t, ok)
		assert.Equal(t, 1<<60-i, got.Left)
	}
}

// Garbage in the hash: an error, never a record, and never a claim that stands for good.
func TestEdgeGarbage(t *testing.T) {
	s := startServer(t)
	c := s.client(t)
	store := redis.New(c)
	for name, fields := range map[string][]any{
		"no uses":        {"value", "v"},
		"text for uses":  {"value", "v", "left", "x"},
		"a fraction":     {"value", "v", "left", "1.5"},
		"too many":       {"value", "v", "left", "99999999999999999999"},
		"an empty count": {"value", "v", "left", ""},
	} {
		require.NoError(t, c.HSet(t.Context(), "strata:"+name, fields...).Err())
		_, ok, err := store.Take(t.Context(), name)
		assert.Error(t, err, name)
		assert.False(t, ok, name)
		_, _, err = store.Get(t.Context(), name)
		assert.Error(t, err, name)
		wrote, err := store.Put(t.Context(), name, state.Record{Value: "other", Left: 2})
		assert.NoError(t, err, name)
		assert.True(t, wrote, name)
	}
	// the same value over garbage
	require.NoError(t, c.HSet(t.Context(), "strata:same", "value", "v", "left", "x").Err())
	_, err := store.Put(t.Context(), "same", state.Record{Value: "v", Left: 2})
	require.NoError(t, err)
	_, ok, err := store.Take(t.Context(), "same")
	assert.NoError(t, err, "the record was written over")
	assert.True(t, ok)
}

// A server that comes back with nothing in it: no call fails, what is written then is there.
func TestEdgeRestartEmpty(t *testing.T) {
	s := startServer(t)
	store := state.Bounded(redis.New(s.client(t)), state.RetryEvery(10*time.Millisecond))
	for round := range 3 {
		var all sync.WaitGroup
		stop := make(chan struct{})
		for w := range 10 {
			all.Go(func() {
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					default:
					}
					key := fmt.Sprint("k", w)
					begun := time.Now()
					_, err := store.Put(t.Context(), key, state.Record{Value: fmt.Sprint(i), Left: 3, Until: time.Now().Add(time.Hour)})
					assert.NoError(t, err)
					_, _, err = store.Take(t.Context(), key)
					assert.NoError(t, err)
					assert.Less(t, time.Since(begun), 2*state.DefaultLimit+10*time.Second)
				}
			})
		}
		time.Sleep(50 * time.Millisecond)
		s.kill()
		time.Sleep(100 * time.Millisecond)
		require.True(t, s.start(t))
		c := s.client(t)
		require.Eventually(t, func() bool {
			n, err := c.DBSize(t.Context()).Result()
			return err == nil && n > 0
		}, 10*time.Second, 10*time.Millisecond, "round %d: it is written to again", round)
		close(stop)
		all.Wait()
	}
}
