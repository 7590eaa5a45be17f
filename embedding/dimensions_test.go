package embedding_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/embedding"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/retry"
)

// asks is a request for a dimension.
func asks(dimensions int) *embedding.Request {
	return &embedding.Request{Values: []string{"a"}, Dimensions: dimensions}
}

// failsOn is a model whose nth call fails.
func failsOn(n int, id string, dimensions int) *model {
	m := named(id, dimensions)
	m.fails = map[int]error{n: busy(id)}
	return m
}

// outcome says who answered in which dimension, or why nobody did.
func outcome(resp *embedding.Response, err error) string {
	switch {
	case errors.Is(err, embedding.ErrDimensions):
		return "refused as " + string(failure.Of(err))
	case err != nil:
		return err.Error()
	}
	return fmt.Sprintf("%s:%d", resp.Model.Name, len(resp.Embeddings[0]))
}

func TestDimensions(t *testing.T) {
	stubborn := named("google/b", 4)
	stubborn.stubborn = true
	for name, test := range map[string]struct {
		base, spare *model
		opts        []embedding.FallbackOption
		requests    []*embedding.Request
		want        string
	}{
		"the first answer settles it": {failsOn(2, "openai/a", 3), named("google/b", 4), nil,
			[]*embedding.Request{one(), one(), one()}, "a:3, refused as model, a:3"},
		"the first answer is the spare's": {failsOn(1, "openai/a", 3), named("google/b", 4), nil,
			[]*embedding.Request{one(), one()}, "b:4, b:4"},
		"the same dimension": {failsOn(2, "openai/a", 3), named("google/b", 3), nil,
			[]*embedding.Request{one(), one(), one()}, "a:3, b:3, a:3"},
		"settled beforehand": {failsOn(1, "openai/a", 3), named("google/b", 4), []embedding.FallbackOption{embedding.Dimensions(3)},
			[]*embedding.Request{one(), one()}, "refused as model, a:3"},
		"settled beforehand against the base": {named("openai/a", 3), named("google/b", 4), []embedding.FallbackOption{embedding.Dimensions(4)},
			[]*embedding.Request{one()}, "b:4"},
		"any": {failsOn(2, "openai/a", 3), named("google/b", 4), []embedding.FallbackOption{embedding.AnyDimensions()},
			[]*embedding.Request{one(), one(), one()}, "a:3, b:4, a:3"},
		"what the request asks for": {failsOn(2, "openai/a", 3), named("google/b", 4), nil,
			[]*embedding.Request{asks(2), asks(2), asks(5)}, "a:2, b:2, a:5"},
		"what the request asks for settles nothing": {failsOn(3, "openai/a", 3), named("google/b", 4), nil,
			[]*embedding.Request{asks(2), one(), one(), asks(4)}, "a:2, a:3, refused as model, a:4"},
		"a model that gives its own": {failsOn(1, "openai/a", 3), stubborn, nil,
			[]*embedding.Request{asks(2), asks(2)}, "refused as model, a:2"},
		"a request against the index": {named("openai/a", 3), named("google/b", 4), []embedding.FallbackOption{embedding.Dimensions(3)},
			[]*embedding.Request{asks(2), asks(3)}, "refused as invalid, a:3"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, layer := range []embedding.Layer{
				embedding.FallbackWith([]embedding.Model{test.spare}, test.opts...),
				embedding.RulesWith([]middleware.Rule{test.spare}, test.opts...),
			} {
				test.base.asked = nil
				m := layer(test.base)
				var got []string
				for _, req := range test.requests {
					got = append(got, outcome(m.Embed(t.Context(), req)))
				}
				assert.Equal(t, test.want, strings.Join(got, ", "))
			}
		})
	}
}

func TestTheErrorSaysWhatDoesNotFit(t *testing.T) {
	_, err := embedding.FallbackWith([]embedding.Model{named("google/b", 4)}, embedding.Dimensions(3))(failing("openai/a", 3, 1)).Embed(t.Context(), one())
	walk, ok := errors.AsType[*retry.Error](err)
	require.True(t, ok)
	assert.Len(t, walk.Errs, 2)
	assert.EqualError(t, walk.Errs[1], "google/b: model: embedding: vector 0 has 4 dimensions, not 3")
	_, err = embedding.FallbackWith(nil, embedding.Dimensions(3))(named("openai/a", 3)).Embed(t.Context(), asks(2))
	assert.EqualError(t, err, "openai/a: invalid: embedding: the request asks for 2 dimensions, the vectors are to have 3")
}

// A model that fails of its dimension is passed over as any that fails.
func TestTheWalkGoesOnBehindAnotherDimension(t *testing.T) {
	m := embedding.FallbackWith([]embedding.Model{named("google/b", 4), named("cohere/c", 3)}, embedding.Dimensions(3))(failing("openai/a", 3, 1))
	assert.Equal(t, "c:3", outcome(m.Embed(t.Context(), one())))
}

func TestEachModelHasADimensionOfItsOwn(t *testing.T) {
	layer := embedding.Fallback(named("google/b", 4))
	first, second := layer(named("openai/a", 3)), layer(named("openai/c", 5))
	assert.Equal(t, "a:3", outcome(first.Embed(t.Context(), one())))
	assert.Equal(t, "c:5", outcome(second.Embed(t.Context(), one())))
}

// What a rule makes of the request does not change what the caller asked for.
func TestOverridesDoNotSlipPast(t *testing.T) {
	for set, want := range map[int]string{0: "refused as model", 3: "b:3", 2: "refused as model"} {
		m := embedding.Rules(retry.Switch[embedding.Model](nil, named("google/b", 4), retry.Set(embedding.Request{Dimensions: set})))(failsOn(2, "openai/a", 3))
		assert.Equal(t, "a:3", outcome(m.Embed(t.Context(), one())))
		assert.Equal(t, want, outcome(m.Embed(t.Context(), one())), "set to %d", set)
	}
	m := embedding.Rules(retry.Switch[embedding.Model](nil, named("google/b", 4), retry.Set(embedding.Request{Dimensions: 2})))(failing("openai/a", 3, 1))
	assert.Equal(t, "b:2", outcome(m.Embed(t.Context(), one())), "where nothing is settled it settles as the first answer")
	stubborn := named("google/b", 4)
	stubborn.stubborn = true
	m = embedding.Rules(retry.Switch[embedding.Model](nil, stubborn, retry.Set(embedding.Request{Dimensions: 2})))(failing("openai/a", 3, 1))
	assert.Equal(t, "refused as model", outcome(m.Embed(t.Context(), one())), "nor is it what the rule asked for")
}

func TestARejectedAnswerSettlesNothing(t *testing.T) {
	rejected := embedding.Result(func(_ context.Context, r *embedding.Response) bool { return r.Model.Name == "a" })
	m := embedding.Rules(retry.Switch[embedding.Model](rejected, named("google/b", 4)))(named("openai/a", 3))
	assert.Equal(t, "b:4", outcome(m.Embed(t.Context(), one())))
}

// A walk within a walk gives what the outer one wants.
func TestDimensionsOfNestedWalks(t *testing.T) {
	inner := embedding.Fallback(named("cohere/c", 3))(named("google/b", 4))
	m := embedding.Fallback(inner)(failsOn(2, "openai/a", 3))
	assert.Equal(t, "a:3", outcome(m.Embed(t.Context(), one())))
	assert.Equal(t, "c:3", outcome(m.Embed(t.Context(), one())))

	loose := embedding.FallbackWith([]embedding.Model{named("cohere/c", 3)}, embedding.AnyDimensions())(named("google/b", 4))
	m = embedding.FallbackWith([]embedding.Model{loose}, embedding.Dimensions(3))(failing("openai/a", 3, 1))
	assert.Equal(t, "refused as model", outcome(m.Embed(t.Context(), one())))
}

// A layer between two walks may change what the inner one gives.
func TestDimensionsOfACutBetweenWalks(t *testing.T) {
	for want, opts := range map[string][]embedding.FallbackOption{"a:2": {embedding.Dimensions(4)}, "c:2": nil} {
		inner := embedding.FallbackWith([]embedding.Model{named("google/b", 4)}, opts...)(named("openai/a", 4))
		m := embedding.FallbackWith([]embedding.Model{named("cohere/c", 2)}, embedding.Dimensions(2))(cutting{inner})
		assert.Equal(t, want, outcome(m.Embed(t.Context(), one())))
	}
}

// cutting leaves two numbers of each vector.
type cutting struct{ embedding.Model }

func (c cutting) Embed(ctx context.Context, req *embedding.Request) (*embedding.Response, error) {
	resp, err := c.Model.Embed(ctx, req)
	if err != nil {
		return nil, err
	}
	cut := *resp
	cut.Embeddings = nil
	for _, vector := range resp.Embeddings {
		cut.Embeddings = append(cut.Embeddings, vector[:2])
	}
	return &cut, nil
}

// Keys that a pool has a name of its own for may be different models.
func TestDimensionsOfAKeyPool(t *testing.T) {
	id := middleware.PoolID(strata.ModelID{Provider: "openai", Name: "pool"})
	m := embedding.KeyPoolWith([]embedding.Model{named("openai/a", 3), named("openai/b", 4)}, id)
	assert.Equal(t, "a:3", outcome(m.Embed(t.Context(), one())))
	assert.Equal(t, "refused as model", outcome(m.Embed(t.Context(), one())))
	assert.Equal(t, "a:2", outcome(m.Embed(t.Context(), asks(2))))
	assert.Equal(t, "b:2", outcome(m.Embed(t.Context(), asks(2))))

	throttled := named("openai/a", 3)
	throttled.fails = map[int]error{2: &failure.Error{Model: throttled.id, Kind: failure.Rate}}
	m = embedding.KeyPoolWith([]embedding.Model{throttled}, id, embedding.NextTier(named("openai/b", 4)))
	assert.Equal(t, "a:3", outcome(m.Embed(t.Context(), one())))
	assert.Equal(t, "refused as model", outcome(m.Embed(t.Context(), one())))
}

func TestVectorsOfOneAnswer(t *testing.T) {
	m := embedding.Fallback(named("google/b", 2))(ragged{named("openai/a", 3)})
	resp, err := m.Embed(t.Context(), one("a", "b"))
	assert.Equal(t, "b:2", outcome(resp, err), "those of one answer are of one dimension too")
}

// ragged gives the last vector one number more.
type ragged struct{ *model }

func (r ragged) Embed(ctx context.Context, req *embedding.Request) (*embedding.Response, error) {
	resp, err := r.model.Embed(ctx, req)
	last := len(resp.Embeddings) - 1
	resp.Embeddings[last] = append(resp.Embeddings[last], 1)
	return resp, err
}

// Calls that run at the same time before anything is settled: whoever is first
// settles it, and the others ask again where they must.
func TestFirstCallsAtTheSameTime(t *testing.T) {
	for range 20 {
		base := failing("openai/a", 3, 10)
		m := embedding.Fallback(named("google/b", 4))(base)
		var (
			calls sync.WaitGroup
			mu    sync.Mutex
			got   = map[string]int{}
		)
		for range 40 {
			calls.Go(func() {
				resp, err := m.Embed(t.Context(), one())
				mu.Lock()
				defer mu.Unlock()
				got[outcome(resp, err)]++
			})
		}
		calls.Wait()
		assert.False(t, got["a:3"] > 0 && got["b:4"] > 0, "%v", got)
		assert.Equal(t, 40, got["a:3"]+got["b:4"]+got["refused as model"], "%v", got)
	}
}

// late is a model whose first answer takes a second.
type late struct{ *model }

func (l late) Embed(ctx context.Context, req *embedding.Request) (*embedding.Response, error) {
	resp, err := l.model.Embed(ctx, req)
	if err == nil && resp.Raw == 1 {
		time.Sleep(time.Second)
	}
	return resp, err
}

func TestTheLoserOfARaceAsksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := failsOn(2, "openai/a", 3)
		m := embedding.Fallback(named("google/b", 4))(late{base})
		first := make(chan string)
		go func() { first <- outcome(m.Embed(t.Context(), one())) }()
		synctest.Wait()
		assert.Equal(t, "b:4", outcome(m.Embed(t.Context(), one())))
		assert.Equal(t, "b:4", <-first)
		assert.Len(t, base.asked, 3, "its first answer, its failure, and once again")
	})
}

// A hook that gives the attempts another context costs the guard its word to them,
// but nothing is asked without end.
func TestAHookThatLosesTheContext(t *testing.T) {
	base := failsOn(2, "openai/a", 3)
	m := embedding.Fallback(named("google/b", 4))(base)
	assert.Equal(t, "a:3", outcome(m.Embed(t.Context(), one())))
	ctx := strata.WithTrace(t.Context(), &strata.Trace{AttemptStart: func(context.Context, strata.AttemptInfo) context.Context { return context.Background() }})
	base.fails[3] = busy("openai/a")
	assert.Equal(t, "refused as model", outcome(m.Embed(ctx, one())))
	assert.Len(t, base.asked, 3)
}

func TestWalkOptionsThatMakeNoSense(t *testing.T) {
	for want, make := range map[string]func(){
		"embedding.Dimensions(0): the count is less than 1":                         func() { embedding.Dimensions(0) },
		"embedding.Fallback: option 0 is nil":                                       func() { embedding.FallbackWith(nil, nil) },
		"embedding.Rules: option 1 is nil":                                          func() { embedding.RulesWith(nil, embedding.AnyDimensions(), nil) },
		"embedding.RulesWith: On is an option of FallbackWith alone":                func() { embedding.RulesWith(nil, embedding.On(failure.Rate)) },
		"embedding.Fallback: Dimensions(3) and AnyDimensions contradict each other": func() { embedding.FallbackWith(nil, embedding.Dimensions(3), embedding.AnyDimensions()) },
		`middleware.On("lost"): there is no such kind`:                              func() { embedding.On("lost") },
		"embedding.Lift: the model is nil":                                          func() { embedding.Fallback(named("a/b", 1))(nil) },
	} {
		assert.PanicsWithValue(t, want, make)
	}
}

func TestOn(t *testing.T) {
	layer := embedding.FallbackWith([]embedding.Model{named("google/b", 3)}, embedding.On(failure.Rate))
	_, err := layer(failing("openai/a", 3, 1)).Embed(t.Context(), one())
	assert.Equal(t, failure.Overload, failure.Of(err))
}

func ExampleFallback() {
	// The index has vectors of three numbers; so a model of four does not serve it.
	model := embedding.Wrap(failing("openai/text-embedding-3-small", 3, 1),
		embedding.FallbackWith([]embedding.Model{named("google/gemini-embedding-001", 4)}, embedding.Dimensions(3)))
	_, err := model.Embed(context.Background(), &embedding.Request{Values: []string{"The sky is blue."}})
	fmt.Println(errors.Is(err, embedding.ErrDimensions))
	// Output: true
}

func ExampleRules() {
	// A model that can give vectors of the index's dimension is asked for them.
	large := named("openai/text-embedding-3-large", 4)
	model := embedding.Wrap(failing("openai/text-embedding-3-small", 3, 1), embedding.Rules(
		retry.Switch[embedding.Model](nil, large, retry.Set(embedding.Request{Dimensions: 3})),
	))
	resp, err := model.Embed(context.Background(), &embedding.Request{Values: []string{"The sky is blue."}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Model, len(resp.Embeddings[0]))
	// Output: openai/text-embedding-3-large 3
}
