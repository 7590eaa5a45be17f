package state_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/state"
	"github.com/strata-go/strata/state/statetest"
)

func TestMemory(t *testing.T) {
	statetest.Run(t, &state.Memory{})
}

// A record is there up to its end and not at it.
func TestMemoryEndsRecordsExactly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m state.Memory
		_, err := m.Put(t.Context(), "key", state.Record{Value: "a", Left: 9, Until: time.Now().Add(time.Minute)})
		require.NoError(t, err)
		time.Sleep(time.Minute - 1)
		_, ok, _ := m.Take(t.Context(), "key")
		assert.True(t, ok, "a nanosecond before")
		time.Sleep(1)
		_, ok, _ = m.Take(t.Context(), "key")
		assert.False(t, ok, "at the end")
	})
}

func TestMemoryAsksNoContext(t *testing.T) {
	var m state.Memory
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wrote, err := m.Put(ctx, "key", state.Record{Value: "a"})
	require.NoError(t, err)
	assert.True(t, wrote)
}

// What is kept is bounded, and a record that was just written is kept.
func TestMemoryForgetsSomeOfVeryMany(t *testing.T) {
	var m state.Memory
	const written = 1<<16 + 1000
	for i := range written {
		m.Put(t.Context(), fmt.Sprint(i), state.Record{Value: "a"})
		_, ok, _ := m.Get(t.Context(), fmt.Sprint(i))
		require.True(t, ok)
	}
	kept := 0
	for i := range written {
		if _, ok, _ := m.Get(t.Context(), fmt.Sprint(i)); ok {
			kept++
		}
	}
	assert.Equal(t, 1<<16, kept)
}
