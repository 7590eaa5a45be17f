package middleware_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/state"
)

type named struct {
	strata.Model
	id strata.ModelID
}

func (n named) ID() strata.ModelID { return n.id }

// Models with different IDs have different states.
func TestEdgeKeysThatMeet(t *testing.T) {
	for name, ids := range map[string][2]strata.ModelID{
		"an @ in the name":     {{Provider: "p", Name: "a@b"}, {Provider: "p", Name: "a", Account: "b"}},
		"a / in the provider":  {{Provider: "p/q", Name: "a"}, {Provider: "p", Name: "q/a"}},
		"an @ in the account":  {{Provider: "p", Name: "a@b", Account: "c"}, {Provider: "p", Name: "a", Account: "b@c"}},
		"no provider":          {{Name: "p/a"}, {Provider: "p", Name: "a"}},
		"line ends":            {{Provider: "p", Name: "a\nb"}, {Provider: "p", Name: "a"}},
		"a colon":              {{Provider: "p", Name: "a:probe"}, {Provider: "p", Name: "a"}},
		"a slash and probe":    {{Provider: "p", Name: "a/probe"}, {Provider: "p", Name: "a"}},
		"composed, decomposed": {{Provider: "p", Name: "é"}, {Provider: "p", Name: "e\u0301"}},
	} {
		t.Run(name, func(t *testing.T) {
			cool := middleware.Cooldown(middleware.Store(new(state.Memory)))
			require.Error(t, call(t.Context(), cool(named{modeltest.New("p/a", fails(failure.Rate, 0)), ids[0]}), false))
			assert.NoError(t, call(t.Context(), cool(named{modeltest.New("p/a", answers), ids[1]}), false), "%q is another model than %q", ids[1], ids[0])
		})
	}
}

// A model whose ID holds odd characters is as sticky as any other.
func TestEdgeStickyOddNames(t *testing.T) {
	for _, id := range []strata.ModelID{
		{Provider: "p", Name: "x@y"}, {Provider: "p", Name: "x/y:z"}, {Provider: "p", Name: "モデル"},
		{Provider: "p", Name: "x\ny"}, {Provider: "p\nq", Name: "x"}, {Provider: "p", Name: "x", Account: "a\nb"},
	} {
		base := modeltest.New("openai/a", fails(failure.Overload, 0))
		m := strata.Wrap(base, middleware.Sticky(middleware.ForRequests(3)), middleware.Fallback(named{modeltest.New("p/x", answers), id}))
		for range 4 {
			require.NoError(t, call(t.Context(), m, false))
		}
		assert.Len(t, base.Calls(), 1, "%q", id)
	}
}

// Absurd waits, and garbage in the store.
func TestEdgeGarbageRecords(t *testing.T) {
	for _, value := range []string{"", " ", "overload", "overload x", "overload 99999999999999999999999", "\x00\xff", "overload -1", " 1"} {
		store := new(state.Memory)
		_, err := store.Put(t.Context(), "cooldown/openai/a//", state.Record{Value: value})
		require.NoError(t, err)
		_, err = store.Put(t.Context(), "sticky/openai/a//", state.Record{Value: value, Left: -3})
		require.NoError(t, err)
		m := strata.Wrap(modeltest.New("openai/a", answers), middleware.Sticky(middleware.ForRequests(3), middleware.Store(store)),
			middleware.Fallback(modeltest.New("openai/b", answers)), middleware.Cooldown(middleware.Store(store)))
		for range 3 {
			assert.NoError(t, call(t.Context(), m, true), "%q", value)
		}
	}
}
