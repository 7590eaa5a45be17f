package embedding_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/embedding"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
)

// values are n texts of growing length.
func values(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.Repeat("x", i+1)
	}
	return all
}

func TestBatch(t *testing.T) {
	for name, test := range map[string]struct {
		opts  []embedding.BatchOption
		limit int
		n     int
		want  []int // values of each request
	}{
		"below the limit":       {nil, 4, 3, []int{3}},
		"the limit":             {nil, 4, 4, []int{4}},
		"one more":              {nil, 4, 5, []int{4, 1}},
		"a multiple":            {nil, 4, 12, []int{4, 4, 4}},
		"one each":              {nil, 1, 3, []int{1, 1, 1}},
		"a size of one's own":   {[]embedding.BatchOption{embedding.BatchSize(2)}, 4, 3, []int{2, 1}},
		"above what is said":    {[]embedding.BatchOption{embedding.BatchSize(5)}, 4, 5, []int{5}},
		"a model without limit": {nil, 0, 9, []int{9}},
	} {
		t.Run(name, func(t *testing.T) {
			base := named("openai/a", 2)
			base.limit = test.limit
			// The limit is known through whatever layers.
			m := embedding.Wrap(base, embedding.Batch(test.opts...), embedding.Observe(), embedding.Fallback(named("google/b", 2)),
				embedding.Backoff(), embedding.Rules(), embedding.Timeout())
			req := &embedding.Request{
				Values: values(test.n), Dimensions: 3, Headers: http.Header{"A": {"1"}}, Raw: "raw",
				ProviderOptions: strata.ProviderData{"openai": {"user": "ann"}},
			}
			before := req.Clone()
			resp, err := m.Embed(t.Context(), req)
			require.NoError(t, err)
			assert.Equal(t, before, req)
			var sizes []int
			for _, part := range base.asked {
				sizes = append(sizes, len(part.Values))
				whole := before.Clone()
				whole.Values = part.Values
				assert.Equal(t, whole, part, "all else of the request is in each part")
			}
			assert.Equal(t, test.want, sizes)
			require.Len(t, resp.Embeddings, test.n)
			for i, vector := range resp.Embeddings {
				assert.Equal(t, float32(i+1), vector[0], "the order is that of the values")
			}
			assert.EqualValues(t, test.n, resp.Usage.InputTokens)
			assert.Equal(t, base.id, resp.Model)
			assert.Equal(t, "1", resp.Metadata.ID, "that of the first")
			assert.Len(t, resp.Warnings, 1+len(sizes), "each once")
			if len(sizes) > 1 {
				assert.Nil(t, resp.Raw)
			} else {
				assert.Equal(t, 1, resp.Raw)
			}
		})
	}
}

func TestBatchRetriesAPartAlone(t *testing.T) {
	base := named("openai/a", 2)
	base.fails = map[int]error{2: busy("openai/a"), 3: busy("openai/a")}
	resp, err := embedding.Wrap(base, embedding.Batch(embedding.BatchSize(2)), embedding.Backoff(middleware.Base(0))).Embed(t.Context(), one(values(5)...))
	require.NoError(t, err)
	assert.Len(t, resp.Embeddings, 5)
	var asked []int
	for _, part := range base.asked {
		asked = append(asked, len(part.Values[0]))
	}
	assert.Equal(t, []int{1, 3, 3, 3, 5}, asked)
	assert.EqualValues(t, 5, resp.Usage.InputTokens)
}

func TestBatchFails(t *testing.T) {
	base := named("openai/a", 2)
	base.fails = map[int]error{2: busy("openai/a")}
	resp, err := embedding.Batch(embedding.BatchSize(2))(base).Embed(t.Context(), one(values(5)...))
	assert.Nil(t, resp)
	assert.EqualError(t, err, "embedding: values 2 to 3 of 5: openai/a: overload (503): busy")
	assert.Equal(t, failure.Overload, failure.Of(err))
	assert.Len(t, base.asked, 2, "what is behind it is not asked")

	_, err = embedding.Batch(embedding.BatchSize(2))(short{named("openai/a", 2)}).Embed(t.Context(), one(values(3)...))
	assert.EqualError(t, err, "embedding: values 0 to 1 of 3: openai/a: unknown: embedding: the model returned 1 vectors for 2 values")
	_, err = embedding.Batch(embedding.BatchSize(2))(named("openai/a", 2)).Embed(t.Context(), nil)
	assert.Equal(t, failure.Invalid, failure.Of(err))
}

// The model does not look at its context, so Batch has to.
func TestBatchStopsWithItsCaller(t *testing.T) {
	base := named("openai/a", 2)
	for name, stack := range map[string]embedding.Layer{
		"alone":         embedding.Chain(),
		"over backoff":  embedding.Backoff(),
		"over fallback": embedding.Fallback(named("google/b", 2)),
	} {
		base.asked = nil
		ctx, cancel := context.WithCancel(t.Context())
		_, err := embedding.Batch(embedding.BatchSize(1))(stack(calling{base, cancel})).Embed(ctx, one(values(4)...))
		assert.ErrorIs(t, err, context.Canceled, name)
		assert.Equal(t, failure.Aborted, failure.Of(err), name)
		assert.Len(t, base.asked, 1, name)
	}
	synctest.Test(t, func(t *testing.T) {
		base.asked = nil
		slow := calling{base, func() { time.Sleep(time.Second) }}
		m := embedding.Wrap(slow, embedding.Timeout(middleware.Total(1500*time.Millisecond)), embedding.Batch(embedding.BatchSize(1)))
		_, err := m.Embed(t.Context(), one(values(4)...))
		_, ok := errors.AsType[*middleware.TimeoutError](err)
		assert.True(t, ok, "%v", err)
		assert.Len(t, base.asked, 2)
	})
}

// calling calls a function with each answer.
type calling struct {
	*model
	also func()
}

func (c calling) Embed(ctx context.Context, req *embedding.Request) (*embedding.Response, error) {
	defer c.also()
	return c.model.Embed(ctx, req)
}

func TestBatchIsOfOneModel(t *testing.T) {
	base := named("openai/a", 2)
	base.fails = map[int]error{2: busy("openai/a")}
	spare := named("google/b", 2)
	_, err := embedding.Wrap(base, embedding.Batch(embedding.BatchSize(2)), embedding.Fallback(spare)).Embed(t.Context(), one(values(5)...))
	assert.EqualError(t, err, "embedding: values 2 to 3 of 5: google/b: model: another model answered the values before, openai/a")
	assert.Equal(t, failure.Model, failure.Of(err))

	base.asked = nil
	each := embedding.Batch(embedding.BatchSize(2))
	resp, err := embedding.Wrap(each(base), embedding.Fallback(each(spare))).Embed(t.Context(), one(values(5)...))
	require.NoError(t, err)
	assert.Equal(t, spare.id, resp.Model, "the whole call walks")
}

// Accounts of one model give the same vectors.
func TestBatchOverAccounts(t *testing.T) {
	pool := embedding.KeyPool(named("openai/a@one", 2), named("openai/a@two", 2))
	resp, err := embedding.Batch(embedding.BatchSize(1))(pool).Embed(t.Context(), one(values(5)...))
	require.NoError(t, err)
	assert.Len(t, resp.Embeddings, 5)
	assert.Equal(t, "openai/a", resp.Model.String())
	resp, err = embedding.Batch(embedding.BatchSize(1))(named("openai/a@one", 2)).Embed(t.Context(), one(values(5)...))
	require.NoError(t, err)
	assert.Equal(t, "openai/a@one", resp.Model.String())
}

func TestBatchGivesWarningsOnce(t *testing.T) {
	base := named("openai/a", 2)
	resp, err := embedding.Batch(embedding.BatchSize(1))(wordy{base}).Embed(t.Context(), one("a", "b"))
	require.NoError(t, err)
	assert.Equal(t, []strata.Warning{{Setting: "Dimensions"}}, resp.Warnings)
}

// wordy warns of each value.
type wordy struct{ *model }

func (w wordy) Embed(ctx context.Context, req *embedding.Request) (*embedding.Response, error) {
	resp, err := w.model.Embed(ctx, req)
	resp.Warnings = []strata.Warning{{Setting: "Dimensions"}, {Setting: "Dimensions"}}
	return resp, err
}

func TestBatchKeepsTheModel(t *testing.T) {
	base := named("openai/a", 2)
	m := embedding.Batch(embedding.BatchSize(2))(base)
	assert.Equal(t, base.ID(), m.ID())
	found, ok := embedding.As[*model](m)
	assert.True(t, ok)
	assert.Same(t, base, found)
	assert.Same(t, base, embedding.Batch()(base), "nothing to split")
}

func TestBatchOptionsThatMakeNoSense(t *testing.T) {
	for want, make := range map[string]func(){
		"embedding.BatchSize(0): the count is less than 1": func() { embedding.BatchSize(0) },
		"embedding.Batch: option 0 is nil":                 func() { embedding.Batch(nil) },
		"embedding.Batch: the model is nil":                func() { embedding.Batch()(nil) },
	} {
		assert.PanicsWithValue(t, want, make)
	}
}

func ExampleBatch() {
	base := failing("openai/text-embedding-3-small", 2, 1)
	base.limit = 2048 // what it says by BatchLimit
	model := embedding.Wrap(base, embedding.Batch(), embedding.Backoff(middleware.Base(0)))
	resp, err := model.Embed(context.Background(), &embedding.Request{Values: make([]string, 5000)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(resp.Embeddings), "vectors by", len(base.asked), "requests")
	// Output: 5000 vectors by 4 requests
}
