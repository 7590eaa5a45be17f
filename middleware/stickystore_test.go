package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/state"
)

// counting is a store that notes what is asked of it.
type counting struct {
	state.Memory
	takes, others atomic.Int64
	wrote         atomic.Int64 // puts that wrote
	mu            sync.Mutex
	log           []string // operations and keys, where it is not nil
}

func (c *counting) note(format string, args ...any) {
	if c.log == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log = append(c.log, fmt.Sprintf(format, args...))
}

func (c *counting) Take(ctx context.Context, key string) (state.Record, bool, error) {
	c.takes.Add(1)
	c.note("take %s", key)
	return c.Memory.Take(ctx, key)
}

func (c *counting) Put(ctx context.Context, key string, r state.Record) (bool, error) {
	c.others.Add(1)
	wrote, err := c.Memory.Put(ctx, key, r)
	if wrote {
		c.wrote.Add(1)
	}
	c.note("put %s %q", key, r.Value)
	return wrote, err
}

func (c *counting) Delete(ctx context.Context, key string) error {
	c.others.Add(1)
	c.note("delete %s", key)
	return c.Memory.Delete(ctx, key)
}

// light is a model that costs next to nothing: it fails busy or answers.
type light struct {
	id    strata.ModelID
	err   error
	asked *atomic.Int64
}

func newLight(name string, err error) light {
	return light{strata.ModelID{Provider: "anthropic", Name: name}, err, new(atomic.Int64)}
}

func (m light) ID() strata.ModelID { return m.id }

func (m light) Generate(context.Context, *strata.Request) (*strata.Response, error) {
	m.asked.Add(1)
	if m.err != nil {
		return nil, m.err
	}
	return &strata.Response{Model: m.id, FinishReason: strata.FinishStop}, nil
}

func (m light) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		m.asked.Add(1)
		if m.err != nil {
			yield(nil, m.err)
			return
		}
		_ = yield(strata.TextDelta{ID: "0", Text: "hi"}, nil) && yield(strata.Finish{Model: m.id, Reason: strata.FinishStop}, nil)
	}
}

// Each takeover is followed by exactly its number of requests that begin at the
// model that took over, however many calls there are at once.
func TestStickyCountsAreExact(t *testing.T) {
	const n, goroutines = 7, 200
	calls := 1_000_000
	if testing.Short() {
		calls /= 20
	}
	a, b := newLight("a", busy("anthropic/a")), newLight("b", nil)
	store := &counting{}
	m := strata.Wrap(a, middleware.Sticky(middleware.ForRequests(n), middleware.Store(store)), middleware.Fallback(b))
	var wg sync.WaitGroup
	for i := range goroutines {
		wg.Go(func() {
			for range calls / goroutines {
				if err := ask(m, i%2 == 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	begunAtB := int64(calls) - a.asked.Load()
	left, _, _ := store.Get(t.Context(), "sticky/anthropic/a//")
	assert.EqualValues(t, calls, b.asked.Load(), "b answered every call")
	assert.Positive(t, store.wrote.Load())
	assert.Equal(t, n*store.wrote.Load(), begunAtB+int64(left.Left), "requests that takeovers gave, and those that began at b or are left")
	assert.EqualValues(t, calls, store.takes.Load())
}

func ask(m strata.Model, streamed bool) error {
	if !streamed {
		_, err := m.Generate(context.Background(), prompt)
		return err
	}
	for _, err := range m.Stream(context.Background(), prompt) {
		if err != nil {
			return err
		}
	}
	return nil
}

// A call asks the store once, and a second time when something changes.
func TestStickyRoundTrips(t *testing.T) {
	store := &counting{log: []string{}}
	store.Memory.Put(t.Context(), "sticky/openai/a//s/1", state.Record{Value: "mistral/c//"}) // which no model here knows
	m := strata.Wrap(broken("openai/a", 1), middleware.Sticky(middleware.ForRequests(2), middleware.Store(state.WithPrefix(store, "chat:"))),
		middleware.Fallback(broken("anthropic/b@x", 0)))
	for i, want := range [][]string{
		{"take chat:sticky/openai/a//", `put chat:sticky/openai/a// "anthropic/b/x/"`}, // it takes over
		{"take chat:sticky/openai/a//"}, // it goes on
		{"take chat:sticky/openai/a//"},
		{"take chat:sticky/openai/a//"}, // the base, as before
		{"take chat:sticky/openai/a//"},
	} {
		store.log = []string{}
		require.NoError(t, ask(m, i%2 == 0))
		assert.Equal(t, want, store.log, "call %d", i)
	}
	store.log = []string{}
	served(t, m, middleware.WithStickyKey(t.Context(), "s/1"))
	assert.Equal(t, []string{"take chat:sticky/openai/a//s/1"}, store.log, "keys are apart")
}

// What a store says of a model that this process does not know is forgotten: its
// stack may be another version's.
func TestStickyModelOfAnotherVersion(t *testing.T) {
	for _, value := range []string{"mistral/c//", "rubbish"} {
		store := &counting{log: []string{}}
		store.Memory.Put(t.Context(), "sticky/openai/a//", state.Record{Value: value})
		m := strata.Wrap(broken("openai/a", 0), middleware.Sticky(middleware.ForRequests(2), middleware.Store(store)), middleware.Fallback(broken("anthropic/b", 0)))
		assert.Equal(t, "a", served(t, m, t.Context()))
		assert.Equal(t, []string{"take sticky/openai/a//", "delete sticky/openai/a//"}, store.log)
	}
}

// Models with the same ID share what is in one store.
func TestStickyShares(t *testing.T) {
	var store state.Memory
	made := func(fails int, id string) strata.Model {
		return strata.Wrap(broken(id, fails), middleware.Sticky(middleware.ForRequests(2), middleware.Store(&store)), middleware.Fallback(broken("anthropic/claude@20240620", 0)))
	}
	first, second, other := made(1, "openai/a"), made(0, "openai/a"), made(0, "openai/a2")
	var who []string
	for _, m := range []strata.Model{first, other, second, first, second} {
		who = append(who, served(t, m, t.Context()))
	}
	assert.Equal(t, "claude a2 claude claude a", strings.Join(who, " "))
}

// A store that fails fails no call: it is as if nothing had ever taken over.
func TestStickyStoreThatFails(t *testing.T) {
	m := strata.Wrap(broken("openai/a", 2), middleware.Sticky(middleware.ForRequests(9), middleware.Store(failing{})), middleware.Fallback(broken("anthropic/b", 0)))
	for _, want := range []string{"b", "b", "a"} {
		assert.Equal(t, want, served(t, m, t.Context()))
	}
}

// A caller who leaves at the first content has been answered all the same.
func TestStickyCallerLeavesAtTheFirstContent(t *testing.T) {
	a, b := newLight("a", busy("anthropic/a")), newLight("b", nil)
	m := strata.Wrap(a, middleware.Sticky(middleware.ForRequests(9), middleware.Store(state.Bounded(&state.Memory{}))), middleware.Fallback(b))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range m.Stream(ctx, prompt) {
		cancel()
		break
	}
	require.NoError(t, ask(m, true))
	assert.EqualValues(t, 1, a.asked.Load())
}

// failing is a store whose answers are worth nothing, as its errors say.
type failing struct{}

var errStore = errors.New("store: down")

func (failing) Get(context.Context, string) (state.Record, bool, error) {
	return state.Record{Value: "openai/x//"}, true, errStore
}

func (failing) Take(context.Context, string) (state.Record, bool, error) {
	return state.Record{Value: "anthropic/b//"}, true, errStore
}
func (failing) Put(context.Context, string, state.Record) (bool, error)   { return true, errStore }
func (failing) Claim(context.Context, string, state.Record) (bool, error) { return true, errStore }
func (failing) Swap(context.Context, string, string, state.Record) (bool, error) {
	return true, errStore
}
func (failing) Delete(context.Context, string) error { return errStore }

func TestStoreNil(t *testing.T) {
	assert.PanicsWithValue(t, "middleware.Store(nil): the store is nil", func() { middleware.Store(nil) })
}

func ExampleStore() {
	shared := state.Bounded(&state.Memory{}) // in a fleet: state.Bounded(redis.New(client))
	replica := func(gpt strata.Model) strata.Model {
		return strata.Wrap(gpt,
			middleware.Sticky(middleware.ForRequests(20), middleware.Store(state.WithPrefix(shared, "chat:"))),
			middleware.Fallback(broken("anthropic/claude", 0)))
	}
	for _, model := range []strata.Model{replica(broken("openai/gpt-5", 1)), replica(broken("openai/gpt-5", 0))} {
		resp, _ := model.Generate(context.Background(), strata.Prompt("Say hello."))
		fmt.Println(resp.Model)
	}
	// Output:
	// anthropic/claude
	// anthropic/claude
}
