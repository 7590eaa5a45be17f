package embedding_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/embedding"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/when"
)

// model gives vectors of a dimension, whose first number is the value's length.
// What a request asks for it gives, unless it is stubborn.
type model struct {
	id         strata.ModelID
	dimensions int
	stubborn   bool
	limit      int
	fails      map[int]error // by call, from 1

	mu    sync.Mutex
	asked []*embedding.Request
}

func (m *model) ID() strata.ModelID { return m.id }
func (m *model) BatchLimit() int    { return m.limit }

func (m *model) Embed(_ context.Context, req *embedding.Request) (*embedding.Response, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, req.Clone())
	call := len(m.asked)
	if err := m.fails[call]; err != nil {
		return nil, err
	}
	n := m.dimensions
	if req.Dimensions > 0 && !m.stubborn {
		n = req.Dimensions
	}
	resp := &embedding.Response{
		Model: m.id, Usage: strata.Usage{InputTokens: int64(len(req.Values)), TotalTokens: int64(len(req.Values))},
		Warnings: []strata.Warning{{Setting: "Every"}, {Setting: fmt.Sprintf("Call %d", call)}},
		Metadata: strata.ResponseMetadata{ID: fmt.Sprint(call)}, Raw: call,
	}
	for _, v := range req.Values {
		vector := make([]float32, n)
		if n > 0 {
			vector[0] = float32(len(v))
		}
		resp.Embeddings = append(resp.Embeddings, vector)
	}
	return resp, nil
}

func named(id string, dimensions int) *model {
	parsed, err := strata.ParseModelID(id)
	if err != nil {
		panic(err)
	}
	return &model{id: parsed, dimensions: dimensions}
}

// failing returns a model whose first n calls fail.
func failing(id string, dimensions, n int) *model {
	m := named(id, dimensions)
	m.fails = map[int]error{}
	for i := range n {
		m.fails[i+1] = busy(id)
	}
	return m
}

func busy(id string) error {
	return failure.Classify(failure.Error{Model: named(id, 0).id, Status: 503, Message: "busy"})
}

func one(values ...string) *embedding.Request {
	if values == nil {
		values = []string{"a"}
	}
	return &embedding.Request{Values: values}
}

func TestWithReplacesTheFieldsThatAreSet(t *testing.T) {
	full := &embedding.Request{
		Values: []string{"a"}, Dimensions: 3, Headers: http.Header{"A": {"1"}},
		ProviderOptions: strata.ProviderData{"openai": {"user": "ann"}}, Raw: 1,
	}
	other := &embedding.Request{
		Values: []string{"b", "c"}, Dimensions: 4, Headers: http.Header{"B": {"2"}},
		ProviderOptions: strata.ProviderData{"google": {"x": 1}}, Raw: 2,
	}
	before := full.Clone()
	assert.Equal(t, full, full.With(&embedding.Request{}))
	assert.Equal(t, other, full.With(other))
	assert.Equal(t, other, (&embedding.Request{}).With(other))

	c := full.With(&embedding.Request{Dimensions: 5})
	c.Values[0], c.ProviderOptions["openai"]["user"] = "changed", "bob"
	c.Headers.Set("A", "changed")
	assert.Equal(t, before, full, "it shares nothing with the copy")
}

func TestAnEmptyVectorIsNone(t *testing.T) {
	_, err := embedding.Backoff()(named("openai/a", 0)).Embed(t.Context(), one("a", "b"))
	assert.EqualError(t, err, "openai/a: unknown: embedding: the model returned an empty vector for value 0")
	resp, err := embedding.Fallback(named("google/b", 2))(named("openai/a", 0)).Embed(t.Context(), one("a", "b"))
	require.NoError(t, err)
	assert.Equal(t, "google/b", resp.Model.String())
}

func TestTheNumberOfVectors(t *testing.T) {
	m := embedding.Lift()(short{named("openai/a", 2)})
	_, err := m.Embed(t.Context(), one("a", "b"))
	assert.EqualError(t, err, "openai/a: unknown: embedding: the model returned 1 vectors for 2 values")
}

// A vector too many or too few would go to the wrong text.
func TestTheNumberOfVectorsIsThatOfTheCallersValues(t *testing.T) {
	for name, values := range map[string][]string{"more": {"a", "b", "c"}, "fewer": {"a"}} {
		other := retry.Set(embedding.Request{Values: values})
		m := embedding.Rules(when.Retryable().Retry(other))(failing("openai/a", 2, 1))
		_, err := m.Embed(t.Context(), one("a", "b"))
		assert.EqualError(t, err, fmt.Sprintf("openai/a: unknown: embedding: the model returned %d vectors for 2 values", len(values)), name)
	}
}

func TestRequestsThatMakeNoSense(t *testing.T) {
	for name, layer := range map[string]embedding.Layer{
		"batch": embedding.Batch(embedding.BatchSize(1)), "backoff": embedding.Backoff(), "fallback": embedding.Fallback(named("google/b", 2)),
		"rules": embedding.Rules(named("google/b", 2)), "key pool": func(m embedding.Model) embedding.Model { return embedding.KeyPool(m) },
	} {
		for _, bad := range []struct {
			req  *embedding.Request
			says string
		}{
			{&embedding.Request{}, "there are no values to embed"},
			{&embedding.Request{Values: []string{}}, "there are no values to embed"},
			{&embedding.Request{Values: []string{"a"}, Dimensions: -1}, "a vector has no -1 dimensions"},
		} {
			base := named("openai/a", 2)
			_, err := layer(base).Embed(t.Context(), bad.req)
			assert.ErrorContains(t, err, "embedding: "+bad.says, name)
			assert.Equal(t, failure.Invalid, failure.Of(err), name)
			assert.Empty(t, base.asked, name)
		}
	}
}

// short forgets the last value.
type short struct{ *model }

func (s short) Embed(ctx context.Context, req *embedding.Request) (*embedding.Response, error) {
	req = req.Clone()
	req.Values = req.Values[:max(len(req.Values)-1, 0)]
	return s.model.Embed(ctx, req)
}

func ExampleWrap() {
	small, other := failing("openai/text-embedding-3-small", 3, 1), named("google/gemini-embedding-001", 3)
	model := embedding.Wrap(small,
		embedding.Fallback(other),
		embedding.Backoff(middleware.Attempts(2), middleware.Base(0)),
	)
	resp, err := model.Embed(context.Background(), &embedding.Request{Values: []string{"The sky", "is blue."}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Model, len(resp.Embeddings), len(resp.Embeddings[0]))
	// Output: openai/text-embedding-3-small 2 3
}
