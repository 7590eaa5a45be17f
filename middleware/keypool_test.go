package middleware_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/state"
)

// key returns a model of an account that plays a script.
func key(account string, attempts ...modeltest.Attempt) *modeltest.Model {
	return modeltest.New("openai/a@"+account, attempts...)
}

// who returns the accounts that answered n calls one after the other, or the
// kind of failure of those that failed.
func who(t *testing.T, m strata.Model, n int, streamed bool) string {
	t.Helper()
	var got []string
	for range n {
		var resp *strata.Response
		var err error
		if streamed {
			var finish strata.Finish
			for p, e := range m.Stream(t.Context(), prompt) {
				finish, _ = p.(strata.Finish)
				err = e
			}
			resp = &strata.Response{Model: finish.Model}
		} else {
			resp, err = m.Generate(t.Context(), prompt)
		}
		if err != nil {
			got = append(got, string(failure.Of(err)))
			continue
		}
		got = append(got, resp.Model.Account)
	}
	return strings.Join(got, " ")
}

func TestKeyPool(t *testing.T) {
	s := time.Second
	tier := middleware.NextTier
	type run struct {
		after time.Duration
		calls int
		want  string
	}
	for name, test := range map[string]struct {
		pool func() strata.Model
		runs []run
	}{
		"keys take turns": {func() strata.Model {
			return middleware.KeyPool(key("1", answers), key("2", answers), key("3", answers))
		}, []run{{0, 7, "1 2 3 1 2 3 1"}}},
		"a key is benched until it said": {func() strata.Model {
			return middleware.KeyPool(key("1", fails(failure.Rate, 5*s), answers), key("2", answers))
		}, []run{{0, 4, "2 2 2 2"}, {5*s - 1, 2, "2 2"}, {1, 4, "1 2 1 2"}}},
		"its load falls on all others": {func() strata.Model {
			return middleware.KeyPool(key("1", answers), key("2", fails(failure.Auth, 0)), key("3", answers))
		}, []run{{0, 7, "1 3 1 3 1 3 1"}}},
		"the defaults are those of a cooldown": {func() strata.Model {
			return middleware.KeyPool(key("1", fails(failure.Quota, 0), answers), key("2", fails(failure.Rate, 0), answers), key("3", answers))
		}, []run{{0, 2, "3 3"}, {time.Minute, 3, "2 3 2"}, {time.Hour, 3, "3 1 2"}}},
		"all are benched": {func() strata.Model {
			return middleware.KeyPool(key("1", fails(failure.Rate, 9*s), answers), key("2", fails(failure.Entitlement, 5*s), answers))
		}, []run{{0, 2, "entitlement entitlement"}, {5 * s, 2, "2 2"}, {4 * s, 2, "1 2"}}},
		"free tiers before paid ones": {func() strata.Model {
			return middleware.KeyPoolWith([]strata.Model{key("free1", fails(failure.Rate, 5*s), answers), key("free2", answers, fails(failure.Quota, 5*s), answers)},
				tier(key("paid1", answers), key("paid2", answers)), tier(key("dear", answers)))
		}, []run{{0, 4, "free2 paid1 paid2 paid1"}, {5 * s, 3, "free1 free2 free1"}}},
		"the only one is never benched": {func() strata.Model {
			return middleware.KeyPool(key("1", fails(failure.Rate, 5*s), fails(failure.Auth, 0), answers))
		}, []run{{0, 3, "rate auth 1"}}},
		"the last one of all is": {func() strata.Model {
			return middleware.KeyPoolWith([]strata.Model{key("1", fails(failure.Rate, 5*s), answers)}, tier(key("2", fails(failure.Rate, 9*s), answers)))
		}, []run{{0, 2, "rate rate"}, {5 * s, 2, "1 1"}}},
		"another key does not mend what is the provider's": {func() strata.Model {
			return middleware.KeyPool(key("1", fails(failure.Overload, 5*s), answers), key("2", answers))
		}, []run{{0, 3, "overload 2 1"}}},
		"unless it is said to": {func() strata.Model {
			return middleware.KeyPoolWith([]strata.Model{key("1", fails(failure.Overload, 5*s), answers), key("2", answers)},
				middleware.CooldownFor(s, failure.Overload))
		}, []run{{0, 3, "2 2 2"}, {5 * s, 2, "1 2"}}},
		"or said not to": {func() strata.Model {
			return middleware.KeyPoolWith([]strata.Model{key("1", fails(failure.Auth, 0), answers), key("2", answers)},
				middleware.CooldownFor(0, failure.Auth))
		}, []run{{0, 3, "auth 2 1"}}},
	} {
		for how, streamed := range map[string]bool{"generate": false, "stream": true} {
			t.Run(name+"/"+how, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := test.pool()
					for i, run := range test.runs {
						time.Sleep(run.after)
						assert.Equal(t, run.want, who(t, m, run.calls, streamed), "run %d", i)
					}
				})
			})
		}
	}
}

func TestKeyPoolTellsTheEarliestTime(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		m := middleware.KeyPool(key("1", fails(failure.Rate, 5*time.Second), answers), key("2", fails(failure.Rate, 9*time.Second), answers))
		require.Error(t, call(t.Context(), m))
		begun := time.Now()
		err := call(t.Context(), m)
		assert.Zero(t, time.Since(begun))
		assert.ErrorIs(t, err, failure.ErrNotAsked)
		assert.Equal(t, 5*time.Second, failure.RetryAfter(err))
		assert.ErrorContains(t, err, "keypool: gave up after 2 attempts (none may be asked for another 5s): openai/a@")
		require.NoError(t, call(t.Context(), middleware.Backoff()(m)))
		assert.Equal(t, 5*time.Second, time.Since(begun))
	})
}

// A stream that has handed something on is not begun again with another key, and
// the key that failed is benched all the same.
func TestKeyPoolAndTheCommitPoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		half := append(modeltest.Attempt{modeltest.Start(), modeltest.Text("half")}, fails(failure.Rate, 0)...)
		m := middleware.KeyPool(key("1", half), key("2", answers))
		got, err := read(t.Context(), m)
		assert.Equal(t, []string{"StreamStart", "half"}, got)
		assert.EqualError(t, err, "stream broke off after output: openai/a: rate: from the provider")
		assert.Equal(t, "2 2 2", who(t, m, 3, true))

		held := append(modeltest.Attempt{modeltest.Start(), modeltest.TextStart("0")}, fails(failure.Rate, 0)...)
		got, err = read(t.Context(), middleware.KeyPool(key("1", held), key("2", answers)))
		require.NoError(t, err)
		assert.Equal(t, []string{"StreamStart", "TextStart", "hi", "TextEnd", "finish openai/a@2"}, got, "one preamble")
	})
}

func TestKeyPoolIsOneModel(t *testing.T) {
	one, two := key("1", answers), key("2", answers)
	m := middleware.KeyPool(one, two)
	assert.Equal(t, "openai/a", m.ID().String())
	found, ok := strata.As[*modeltest.Model](m)
	assert.True(t, ok)
	assert.Same(t, one, found)

	id := strata.ModelID{Provider: "openai", Name: "pool"}
	m = middleware.KeyPoolWith([]strata.Model{one, modeltest.New("openai/b@2", answers)}, middleware.PoolID(id))
	assert.Equal(t, id, m.ID())
}

// A pool stands among the candidates of a walk like any other model.
func TestKeyPoolInAWalk(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		b := modeltest.New("anthropic/b", answers)
		pool := func() strata.Model {
			return middleware.KeyPool(key("1", fails(failure.Auth, 0)), key("2", fails(failure.Quota, 0)))
		}
		require.NoError(t, call(t.Context(), strata.Wrap(pool(), middleware.Fallback(b))))
		base := modeltest.New("anthropic/c", modeltest.Failure(busy("anthropic/c")))
		assert.EqualError(t, call(t.Context(), strata.Wrap(base, middleware.Fallback(pool()))),
			"fallback: gave up after 2 attempts (nothing is left that may fix it): keypool: gave up after 2 attempts (nothing is left that may fix it): openai/a: quota: from the provider")
	})
}

// Whoever knows one store knows which keys are benched.
func TestKeyPoolShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := middleware.Store(new(state.Memory))
		pool := func(keys ...strata.Model) strata.Model { return middleware.KeyPoolWith(keys, store) }
		bad := key("1", fails(failure.Auth, 0))
		assert.Equal(t, "2 2", who(t, pool(bad, key("2", answers)), 2, false))
		assert.Equal(t, "2 2", who(t, pool(bad, key("2", answers)), 2, false))
		assert.Len(t, bad.Calls(), 1)
	})
}

func TestKeyPoolUnderLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys := []*modeltest.Model{key("1", answers), key("2", fails(failure.Auth, 0)), key("3", answers)}
		m := middleware.KeyPool(keys[0], keys[1], keys[2])
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				for range 30 {
					assert.NoError(t, call(t.Context(), m, false))
				}
			})
		}
		wg.Wait()
		assert.Equal(t, 3000, len(keys[0].Calls())+len(keys[2].Calls()))
		assert.InDelta(t, 1500, len(keys[0].Calls()), 300)
		assert.LessOrEqual(t, len(keys[1].Calls()), 100, "by no more than were under way at first")
	})
}

func TestKeyPoolsThatMakeNoSense(t *testing.T) {
	pool := func(keys ...strata.Model) func() { return func() { middleware.KeyPool(keys...) } }
	for want, make := range map[string]func(){
		"middleware.KeyPool: there is no key":                                                       pool(),
		"middleware.KeyPool: key 1 is nil":                                                          pool(key("1", answers), nil),
		`middleware.KeyPool: there are two keys "openai/a@1": they need different accounts`:         pool(key("1", answers), key("1", answers)),
		"middleware.KeyPool: openai/a@1 and anthropic/a are of different providers":                 pool(key("1", answers), modeltest.New("anthropic/a", answers)),
		"middleware.KeyPool: openai/a@1 and openai/b are different models: the pool needs a PoolID": pool(key("1", answers), modeltest.New("openai/b", answers)),
		"middleware.KeyPool: option 0 is nil":                                                       func() { middleware.KeyPoolWith(nil, nil) },
		"middleware.NextTier(): there is no key":                                                    func() { middleware.NextTier() },
		"middleware.PoolID: the ID is empty":                                                        func() { middleware.PoolID(strata.ModelID{}) },
	} {
		assert.PanicsWithValue(t, want, make)
	}
}

func ExampleKeyPool() {
	spent := &failure.Error{Kind: failure.Quota, Message: "you have used up your plan"}
	model := middleware.KeyPool(
		modeltest.New("openai/gpt-5@eu", modeltest.Failure(spent)),
		modeltest.New("openai/gpt-5@us", modeltest.Answer("Hello")),
	)
	resp, err := model.Generate(context.Background(), strata.Prompt("Say hello."))
	fmt.Println(model.ID(), "is", resp.Model, err)
	// Output: openai/gpt-5 is openai/gpt-5@us <nil>
}
