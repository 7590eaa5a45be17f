package redis_test

import (
	"context"
	"errors"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/state"
	"github.com/strata-go/strata/state/redis"
	"github.com/strata-go/strata/state/statetest"
)

func TestContract(t *testing.T) {
	s := startServer(t)
	for name, store := range map[string]state.Store{
		"redis":         redis.New(s.client(t)),
		"another place": redis.New(s.client(t), redis.Prefix("")),
		"bounded":       state.Bounded(redis.New(s.client(t)), state.Limit(10*time.Second)), // of a busy machine
	} {
		t.Run(name, func(t *testing.T) { statetest.Run(t, store) })
	}
}

// Each script keeps to one key, as a cluster demands.
func TestContractOnACluster(t *testing.T) {
	s := startServer(t, "--cluster-enabled", "yes")
	require.NoError(t, s.client(t).(*goredis.Client).ClusterAddSlotsRange(t.Context(), 0, 16383).Err())
	c := goredis.NewClusterClient(&goredis.ClusterOptions{Addrs: []string{s.addr}})
	t.Cleanup(func() { _ = c.Close() })
	require.Eventually(t, func() bool {
		return c.Set(t.Context(), "up", "", 0).Err() == nil
	}, 10*time.Second, 10*time.Millisecond)
	statetest.Run(t, redis.New(c))
}

// What is in the server: a namespace, and a time to live for every record that ends.
func TestKeys(t *testing.T) {
	s := startServer(t)
	c := s.client(t)
	store := redis.New(c)
	_, err := store.Put(t.Context(), "k", state.Record{Value: "a", Left: 9, Until: time.Now().Add(time.Minute)})
	require.NoError(t, err)
	_, err = redis.New(c, redis.Prefix("app:")).Claim(t.Context(), "k", state.Record{Value: "b", Until: time.Now().Add(time.Minute)})
	require.NoError(t, err)
	_, err = redis.New(c, redis.Prefix("app:")).Put(t.Context(), "for good", state.Record{Value: "c"})
	require.NoError(t, err)
	for range 3 { // what is written over an old record does not keep that one's end
		_, _, err = store.Take(t.Context(), "k")
		require.NoError(t, err)
	}
	keys, err := c.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"strata:k", "app:k", "app:for good"}, keys)
	for key, want := range map[string]time.Duration{"strata:k": time.Minute, "app:k": time.Minute, "app:for good": -1} {
		ttl, err := c.PTTL(t.Context(), key).Result()
		require.NoError(t, err)
		assert.InDelta(t, want, ttl, float64(20*time.Second), key)
	}
}

// A server that has lost its scripts, as one that was started again has, is told
// them again.
func TestScriptsAreToldAgain(t *testing.T) {
	s := startServer(t)
	c := s.client(t)
	store := redis.New(c)
	for range 2 {
		require.NoError(t, c.ScriptFlush(t.Context()).Err())
		_, err := store.Put(t.Context(), "k", state.Record{Value: "a", Left: 5})
		require.NoError(t, err)
		_, ok, err := store.Take(t.Context(), "k")
		require.NoError(t, err)
		assert.True(t, ok)
	}
}

func TestErrors(t *testing.T) {
	ctx := t.Context()
	s := startServer(t)
	c := s.client(t)
	store := redis.New(c)
	require.NoError(t, c.Set(ctx, "strata:text", "not a record", 0).Err())
	require.NoError(t, c.HSet(ctx, "strata:odd", "value", "a", "left", "many").Err())
	ended, cancel := context.WithCancel(ctx)
	cancel()
	secret := state.Record{Value: "hunter2"}
	read := func(do func(context.Context, string) (state.Record, bool, error), ctx context.Context, key string) error {
		r, ok, err := do(ctx, key)
		assert.Zero(t, r)
		assert.False(t, ok)
		return err
	}
	write := func(do func(context.Context, string, state.Record) (bool, error), ctx context.Context, key string) error {
		wrote, err := do(ctx, key, secret)
		assert.False(t, wrote)
		return err
	}
	for want, err := range map[string]error{
		`redis: get "strata:text": what is there is no record: WRONGTYPE`:       read(store.Get, ctx, "text"),
		`redis: take "strata:text": what is there is no record: WRONGTYPE`:      read(store.Take, ctx, "text"),
		`redis: put "strata:text": what is there is no record: WRONGTYPE`:       write(store.Put, ctx, "text"),
		`redis: get "strata:odd": what is there is no record: the uses are not`: read(store.Get, ctx, "odd"),
		`redis: claim "strata:ended": context canceled`:                         write(store.Claim, ended, "ended"),
		`redis: delete "strata:deleted": context canceled`:                      store.Delete(ended, "deleted"),
	} {
		if assert.ErrorContains(t, err, want) {
			assert.Equal(t, !errors.Is(err, context.Canceled), errors.Is(err, state.ErrNoRecord), want)
			assert.NotContains(t, err.Error(), "hunter2")
		}
	}
	assert.ErrorIs(t, store.Delete(ended, "deleted"), context.Canceled)
}

func TestOptionsThatMakeNoSense(t *testing.T) {
	assert.PanicsWithValue(t, "redis.New: the client is nil", func() { redis.New(nil) })
	c := goredis.NewClient(&goredis.Options{})
	defer c.Close()
	assert.PanicsWithValue(t, "redis.New: option 0 is nil", func() { redis.New(c, nil) })
}
