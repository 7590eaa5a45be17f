package strata_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
)

// opened is a model that only has a name.
type opened struct{ id strata.ModelID }

func (m opened) ID() strata.ModelID { return m.id }

func (m opened) Generate(context.Context, *strata.Request) (*strata.Response, error) {
	return nil, errors.New("not asked")
}

func (m opened) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) { yield(nil, errors.New("not asked")) }
}

var errNoKey = errors.New("there is no key")

func init() {
	strata.Register("test-opens", func(id strata.ModelID) (strata.Model, error) { return opened{id}, nil })
	strata.Register("test-fails", func(strata.ModelID) (strata.Model, error) { return nil, errNoKey })
	strata.Register("test-loses", func(strata.ModelID) (strata.Model, error) { return nil, nil })
}

func TestOpen(t *testing.T) {
	for _, tt := range []struct {
		name string
		want strata.ModelID
		err  string
	}{
		{name: "test-opens/m", want: strata.ModelID{Provider: "test-opens", Name: "m"}},
		{name: "test-opens/meta/llama-4", want: strata.ModelID{Provider: "test-opens", Name: "meta/llama-4"}},
		{name: "test-opens/m@team", want: strata.ModelID{Provider: "test-opens", Name: "m", Account: "team"}},
		{name: "test-opens/a/b@c@d", want: strata.ModelID{Provider: "test-opens", Name: "a/b@c", Account: "d"}},
		{name: "", err: `strata: model ID "" is not of the form provider/name`},
		{name: "m", err: `strata: model ID "m" is not of the form provider/name`},
		{name: "test-opens/", err: `strata: model ID "test-opens/" is not of the form provider/name`},
		{name: "test-opens/m@", err: `strata: model ID "test-opens/m@" is not of the form provider/name@account`},
		{name: "Test-Opens/m", err: `strata: open "Test-Opens/m": unknown provider "Test-Opens" (registered: ` +
			`test-fails, test-loses, test-opens); a program imports the package of its adapter`},
		{name: "test-fails/m", err: `strata: open "test-fails/m": there is no key`},
		{name: "test-loses/m", err: `strata: open "test-loses/m": the factory returned neither a model nor an error`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := strata.Open(tt.name)
			if tt.err != "" {
				require.EqualError(t, err, tt.err)
				assert.Nil(t, m)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, m.ID())
		})
	}
	_, err := strata.Open("test-fails/m")
	assert.ErrorIs(t, err, errNoKey)
}

func TestRegisterPanics(t *testing.T) {
	factory := func(id strata.ModelID) (strata.Model, error) { return opened{id}, nil }
	for _, tt := range []struct {
		provider string
		factory  func(strata.ModelID) (strata.Model, error)
		want     string
	}{
		{"", factory, `strata.Register: "" is no provider's name`},
		{"a/b", factory, `strata.Register: "a/b" is no provider's name`},
		{"test-nil", nil, `strata.Register("test-nil"): the factory is nil`},
		{"test-opens", factory, `strata.Register("test-opens"): the provider is registered already`},
	} {
		assert.PanicsWithValue(t, tt.want, func() { strata.Register(tt.provider, tt.factory) })
	}
	assert.NotContains(t, strata.Providers(), "test-nil", "what panicked is not registered")
	assert.NotContains(t, strata.Providers(), "a/b")
}

func TestRegistryServesManyGoroutines(t *testing.T) {
	saved := strata.SaveRegistry()
	defer saved()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			strata.Register(fmt.Sprintf("test-many-%d", i), func(id strata.ModelID) (strata.Model, error) { return opened{id}, nil })
			m, err := strata.Open(fmt.Sprintf("test-many-%d/m", i))
			assert.NoError(t, err)
			assert.Equal(t, "m", m.ID().Name)
			assert.True(t, slices.IsSorted(strata.Providers()))
		})
	}
	wg.Wait()
	assert.Len(t, strata.Providers(), 19)
}

func ExampleOpen() {
	// An adapter registers itself: a program imports its package, be it for that
	// alone (import _ "github.com/strata-go/strata/provider/openai").
	model, err := strata.Open("test-opens/gpt-5@team")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(model.ID().Name, model.ID().Account)
	// Output: gpt-5 team
}
