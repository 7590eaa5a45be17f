// Package statetest holds an implementation of [state.Store] to its contract.
package statetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/state"
)

// Run tests that store does what [state.Store] says, in real time and in under a
// second, with a subtest for each situation. It writes keys that begin with the
// name of the test, under which there must be nothing.
func Run(t *testing.T, store state.Store) {
	for name, steps := range situations {
		t.Run(name, func(t *testing.T) {
			for i, step := range steps {
				step(t, store, t.Name(), fmt.Sprintf("step %d", i))
			}
		})
	}
	for name, test := range map[string]func(*testing.T, state.Store){
		"keys are apart":                 keysAreApart,
		"a record ends":                  recordEnds,
		"uses are counted exactly":       usesAreExact,
		"one of many claims":             oneClaims,
		"one of many puts the same":      onePuts,
		"takes and puts do not mix":      takesAndPuts,
		"values and keys may be any":     anyBytes,
		"the end stays with the record":  endStays,
		"an end that is over is at once": overAtOnce,
	} {
		t.Run(name, func(t *testing.T) { test(t, store) })
	}
}

// rec is a record that ends that long after it is written; 0: not by itself.
type rec struct {
	value string
	left  int
	ends  time.Duration
}

var none = rec{}

func (r rec) record() state.Record {
	made := state.Record{Value: r.value, Left: r.left}
	if r.ends != 0 {
		made.Until = time.Now().Add(r.ends)
	}
	return made
}

type step func(t *testing.T, s state.Store, key, at string)

func found(t *testing.T, at string, want rec, got state.Record, ok bool, err error) {
	t.Helper()
	require.NoError(t, err, at)
	require.Equal(t, want != none, ok, at)
	if !ok {
		assert.Zero(t, got, at)
		return
	}
	assert.Equal(t, want.value, got.Value, at)
	assert.Equal(t, want.left, got.Left, at)
	if want.ends == 0 {
		assert.Zero(t, got.Until, at)
	} else {
		assert.WithinDuration(t, time.Now().Add(want.ends), got.Until, time.Minute, at)
	}
}

func get(want rec) step {
	return func(t *testing.T, s state.Store, key, at string) {
		t.Helper()
		got, ok, err := s.Get(t.Context(), key)
		found(t, at, want, got, ok, err)
	}
}

func take(want rec) step {
	return func(t *testing.T, s state.Store, key, at string) {
		t.Helper()
		got, ok, err := s.Take(t.Context(), key)
		found(t, at, want, got, ok, err)
	}
}

func put(r rec, want bool) step {
	return func(t *testing.T, s state.Store, key, at string) {
		t.Helper()
		wrote, err := s.Put(t.Context(), key, r.record())
		require.NoError(t, err, at)
		assert.Equal(t, want, wrote, at)
	}
}

func claim(r rec, want bool) step {
	return func(t *testing.T, s state.Store, key, at string) {
		t.Helper()
		claimed, err := s.Claim(t.Context(), key, r.record())
		require.NoError(t, err, at)
		assert.Equal(t, want, claimed, at)
	}
}

func swap(old string, r rec, want bool) step {
	return func(t *testing.T, s state.Store, key, at string) {
		t.Helper()
		swapped, err := s.Swap(t.Context(), key, old, r.record())
		require.NoError(t, err, at)
		assert.Equal(t, want, swapped, at)
	}
}

func remove(t *testing.T, s state.Store, key, at string) {
	t.Helper()
	require.NoError(t, s.Delete(t.Context(), key), at)
}

var (
	a, a1, a2 = rec{value: "a"}, rec{value: "a", left: 1}, rec{value: "a", left: 2}
	b, hours  = rec{value: "b"}, rec{value: "a", left: 2, ends: 3 * time.Hour}
	hours1    = rec{value: "a", left: 1, ends: 3 * time.Hour}
	gone      = rec{value: "a", ends: -time.Hour}
	empty     = rec{left: 1} // a record like any other, but for none
)

var situations = map[string][]step{
	"there is nothing":                  {get(none), take(none), remove, get(none)},
	"a record is there until deleted":   {put(a, true), get(a), get(a), remove, get(none), remove},
	"uses that are not counted":         {put(a, true), take(a), take(a), get(a)},
	"uses that are counted":             {put(a2, true), get(a2), take(a2), get(a1), take(a1), take(none), get(none)},
	"with an end":                       {put(hours, true), get(hours), take(hours), get(hours1), take(hours1), get(none)},
	"the same value stays as it is":     {put(hours, true), take(hours), put(a2, false), get(hours1)},
	"another value takes its place":     {put(hours, true), put(b, true), get(b), put(a1, true), take(a1), put(b, true)},
	"a value is put again once used up": {put(a1, true), take(a1), put(a1, true), take(a1), get(none)},
	"a claim where there is nothing":    {claim(hours, true), get(hours), claim(b, false), claim(a, false), get(hours)},
	"a claim after a delete":            {claim(a, true), remove, claim(b, true), get(b)},
	"a claim after the uses":            {put(a1, true), claim(b, false), take(a1), claim(b, true)},
	"a claim is put over and taken":     {claim(a2, true), take(a2), put(b, true), get(b)},
	"a swap of nothing":                 {swap("a", b, false), swap("", b, false), get(none)},
	"a swap of what is there":           {put(a2, true), swap("a", b, true), get(b), swap("a", hours, false), get(b)},
	"a swap for the same value":         {put(a1, true), swap("a", hours, true), get(hours)},
	"a swap for what is over":           {put(a, true), swap("b", gone, false), get(a), swap("a", gone, true), get(none), claim(b, true)},
	"an empty value":                    {put(empty, true), put(empty, false), swap("", empty, true), take(empty), get(none)},
}

func keysAreApart(t *testing.T, s state.Store) {
	one, two := t.Name()+":1", t.Name()+":2"
	put(a, true)(t, s, one, "one")
	get(none)(t, s, two, "two")
	put(b, true)(t, s, two, "two")
	remove(t, s, one, "one")
	get(none)(t, s, one, "one")
	get(b)(t, s, two, "two")
}

// slack is what a server may count by another clock than ours.
const slack = 20 * time.Millisecond

func recordEnds(t *testing.T, s state.Store) {
	until := time.Now().Add(100 * time.Millisecond)
	for _, key := range []string{t.Name() + ":get", t.Name() + ":take"} {
		_, err := s.Put(t.Context(), key, state.Record{Value: "a", Until: until})
		require.NoError(t, err)
	}
	for key, read := range map[string]step{":get": get(none), ":take": take(none)} {
		require.Eventually(t, func() bool {
			_, ok, err := s.Get(t.Context(), t.Name()+key)
			return err == nil && !ok
		}, 5*time.Second, 5*time.Millisecond)
		assert.False(t, time.Now().Add(slack).Before(until), "it ended before its time")
		read(t, s, t.Name()+key, key)
	}
	claim(b, true)(t, s, t.Name()+":get", "claim")
	put(a, true)(t, s, t.Name()+":take", "put")
}

func endStays(t *testing.T, s state.Store) {
	until := time.Now().Add(time.Hour)
	_, err := s.Put(t.Context(), t.Name(), state.Record{Value: "a", Left: 9, Until: until})
	require.NoError(t, err)
	for i := range 8 {
		r, ok, err := s.Take(t.Context(), t.Name())
		require.NoError(t, err)
		require.True(t, ok)
		assert.Equal(t, 9-i, r.Left)
		assert.WithinDuration(t, until, r.Until, 5*time.Second)
	}
}

func overAtOnce(t *testing.T, s state.Store) {
	for _, ends := range []time.Duration{-time.Hour, -1} {
		over := rec{value: "a", left: 1, ends: ends}
		put(over, true)(t, s, t.Name(), "put")
		get(none)(t, s, t.Name(), "get")
		claim(over, true)(t, s, t.Name(), "claim")
		take(none)(t, s, t.Name(), "take")
		put(b, true)(t, s, t.Name(), "put over it")
		put(over, true)(t, s, t.Name(), "in its place")
		get(none)(t, s, t.Name(), "get")
	}
}

// together runs n at the same time.
func together(n int, do func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}

func usesAreExact(t *testing.T, s state.Store) {
	const uses, goroutines, takes = 100, 20, 10
	put(rec{value: "a", left: uses, ends: time.Hour}, true)(t, s, t.Name(), "put")
	var seen [uses + 1]atomic.Int64
	together(goroutines, func(int) {
		for range takes {
			if r, ok, err := s.Take(t.Context(), t.Name()); assert.NoError(t, err) && ok {
				seen[r.Left].Add(1)
			}
		}
	})
	assert.Zero(t, seen[0].Load())
	for left := 1; left <= uses; left++ {
		assert.EqualValues(t, 1, seen[left].Load(), "uses that found %d", left)
	}
}

func oneClaims(t *testing.T, s state.Store) {
	var claimed atomic.Int64
	together(50, func(i int) {
		if ok, err := s.Claim(t.Context(), t.Name(), state.Record{Value: fmt.Sprint(i)}); assert.NoError(t, err) && ok {
			claimed.Add(1)
		}
	})
	assert.EqualValues(t, 1, claimed.Load())
}

func onePuts(t *testing.T, s state.Store) {
	var wrote atomic.Int64
	together(50, func(int) {
		if ok, err := s.Put(t.Context(), t.Name(), state.Record{Value: "a", Left: 3}); assert.NoError(t, err) && ok {
			wrote.Add(1)
		}
	})
	assert.EqualValues(t, 1, wrote.Load())
	get(rec{value: "a", left: 3})(t, s, t.Name(), "get")
}

func takesAndPuts(t *testing.T, s state.Store) {
	const uses, goroutines, rounds = 3, 20, 20
	var wrote, taken atomic.Int64
	together(goroutines, func(int) {
		for range rounds {
			if ok, err := s.Put(t.Context(), t.Name(), state.Record{Value: "a", Left: uses}); assert.NoError(t, err) && ok {
				wrote.Add(1)
			}
			if _, ok, err := s.Take(t.Context(), t.Name()); assert.NoError(t, err) && ok {
				taken.Add(1)
			}
		}
	})
	r, _, err := s.Get(t.Context(), t.Name())
	require.NoError(t, err)
	assert.Equal(t, uses*wrote.Load(), taken.Load()+int64(r.Left), "uses put, and uses taken or left")
}

func anyBytes(t *testing.T, s state.Store) {
	for _, odd := range []string{" ", "a b", "{x}:y", "a\r\nb\x00\xff", "é世界", string(make([]byte, 10_000))} {
		key := t.Name() + odd
		put(rec{value: odd, left: 2}, true)(t, s, key, "put")
		put(rec{value: odd}, false)(t, s, key, "put again")
		take(rec{value: odd, left: 2})(t, s, key, "take")
	}
}
