package state_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/state"
	"github.com/strata-go/strata/state/statetest"
)

func TestWithPrefix(t *testing.T) {
	var store state.Memory
	one, two := state.WithPrefix(&store, "one:"), state.WithPrefix(&store, "two:")
	statetest.Run(t, one)
	statetest.Run(t, two) // under the same names, where it finds nothing of the first

	_, err := one.Put(t.Context(), "key", state.Record{Value: "a"})
	require.NoError(t, err)
	_, ok, _ := store.Get(t.Context(), "one:key")
	assert.True(t, ok)
	assert.PanicsWithValue(t, "state.WithPrefix: the store is nil", func() { state.WithPrefix(nil, "one:") })
}
