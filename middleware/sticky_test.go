package middleware_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/when"
)

func served(t *testing.T, m strata.Model, ctx context.Context) string {
	t.Helper()
	resp, err := m.Generate(ctx, prompt)
	require.NoError(t, err)
	return resp.Model.Name
}

func TestSticky(t *testing.T) {
	b := func() strata.Model { return broken("anthropic/b", 0) }
	for name, test := range map[string]struct {
		sticky strata.Layer
		walk   strata.Layer
		fails  int // of the base, before it answers
		gap    time.Duration
		want   string // who served each call
	}{
		"without an option nothing sticks": {middleware.Sticky(), middleware.Fallback(b()), 2, 0, "b b a a"},
		"for two requests":                 {middleware.Sticky(middleware.ForRequests(2)), middleware.Fallback(b()), 1, 0, "b b b a a"},
		"for a time":                       {middleware.Sticky(middleware.ForDuration(5 * second)), middleware.Fallback(b()), 1, 2 * second, "b b b a a"},
		"the base fails again":             {middleware.Sticky(middleware.ForRequests(1)), middleware.Fallback(b()), 2, 0, "b b b b a a"},
		"over rules":                       {middleware.Sticky(middleware.ForRequests(1)), middleware.Rules(when.Retryable().Switch(b())), 1, 0, "b b a"},
		"over a layer that does not walk":  {middleware.Sticky(middleware.ForRequests(1)), middleware.Backoff(middleware.Base(0)), 1, 0, "a a"},
		"over nothing":                     {middleware.Sticky(middleware.ForRequests(1)), strata.Chain(), 0, 0, "a a"},
		"the last option counts":           {middleware.Sticky(middleware.ForDuration(time.Hour), middleware.ForRequests(1)), middleware.Fallback(b()), 1, 0, "b b a"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := strata.Wrap(broken("openai/a", test.fails), test.sticky, test.walk)
				for i, want := range []byte(test.want) {
					if want == ' ' {
						continue
					}
					assert.Equal(t, string(want), served(t, m, t.Context()), "call %d", i/2)
					time.Sleep(test.gap)
				}
			})
		})
	}
}

// A pool of keys goes by the ID without an account.
func TestStickyAndPoolsOfKeys(t *testing.T) {
	pool := func(provider string) strata.Model {
		return middleware.KeyPool(broken(provider+"/m@1", 0), broken(provider+"/m@2", 0))
	}
	m := strata.Wrap(broken("openai/a", 1), middleware.Sticky(middleware.ForRequests(2)), middleware.Fallback(pool("anthropic")))
	var got []string
	for range 4 {
		got = append(got, served(t, m, t.Context()))
	}
	assert.Equal(t, []string{"m", "m", "m", "a"}, got)

	a := broken("google/c", 0)
	m = strata.Wrap(pool("openai"), middleware.Sticky(middleware.ForRequests(2)), middleware.Fallback(a))
	for range 3 {
		assert.Equal(t, "m", served(t, m, t.Context()))
	}
	assert.Empty(t, a.Calls())
}

func TestStickyPerKey(t *testing.T) {
	m := strata.Wrap(broken("openai/a", 1), middleware.Sticky(middleware.ForRequests(9)), middleware.Fallback(broken("anthropic/b", 0)))
	one, two := middleware.WithStickyKey(t.Context(), "one"), middleware.WithStickyKey(t.Context(), "two")
	assert.Equal(t, "b", served(t, m, one))
	assert.Equal(t, "a", served(t, m, two))
	assert.Equal(t, "a", served(t, m, t.Context()))
	assert.Equal(t, "b", served(t, m, one))
}

// Each model that Sticky makes has a state of its own.
func TestStickyStatesAreApart(t *testing.T) {
	layer := middleware.Sticky(middleware.ForRequests(9))
	first := strata.Wrap(broken("openai/a", 1), layer, middleware.Fallback(broken("anthropic/b", 0)))
	second := strata.Wrap(broken("openai/a", 0), layer, middleware.Fallback(broken("anthropic/b", 0)))
	assert.Equal(t, "b", served(t, first, t.Context()))
	assert.Equal(t, "a", served(t, second, t.Context()))
}

func TestStickyForgetsSomeOfVeryManyKeys(t *testing.T) {
	m := strata.Wrap(modeltest.New("openai/a", modeltest.Failure(busy("openai/a"))), middleware.Sticky(middleware.ForRequests(1)), middleware.Fallback(nothing{}))
	for i := range 70_000 {
		_, err := m.Generate(middleware.WithStickyKey(context.Background(), fmt.Sprint(i)), prompt)
		require.NoError(t, err)
	}
}

// nothing is a model that answers at once and keeps no record.
type nothing struct{ strata.Model }

func (nothing) ID() strata.ModelID { return strata.ModelID{Provider: "anthropic", Name: "b"} }

func (nothing) Generate(context.Context, *strata.Request) (*strata.Response, error) {
	return &strata.Response{Model: nothing{}.ID(), FinishReason: strata.FinishStop}, nil
}

func TestStickyOptionsThatMakeNoSense(t *testing.T) {
	for want, make := range map[string]func(){
		"middleware.ForRequests(0): the count is less than 1":   func() { middleware.ForRequests(0) },
		"middleware.ForDuration(-1s): the duration is negative": func() { middleware.ForDuration(-time.Second) },
		"middleware.Sticky: option 0 is nil":                    func() { middleware.Sticky(nil) },
		"middleware.Sticky: the model is nil":                   func() { middleware.Sticky(middleware.ForRequests(1))(nil) },
	} {
		assert.PanicsWithValue(t, want, make)
	}
}

func ExampleSticky() {
	gpt, claude := broken("openai/gpt-5", 1), broken("anthropic/claude", 0)
	model := strata.Wrap(gpt, middleware.Sticky(middleware.ForRequests(1)), middleware.Fallback(claude))
	for range 3 {
		resp, _ := model.Generate(context.Background(), strata.Prompt("Say hello."))
		fmt.Println(resp.Model)
	}
	// Output:
	// anthropic/claude
	// anthropic/claude
	// openai/gpt-5
}
