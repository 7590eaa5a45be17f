package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/embedding"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/exchange"
)

// Embedding is an [embedding.Model] over the embeddings API. Make one with
// [NewEmbedding]; any number of goroutines may use it.
//
// Request.ProviderOptions under the name of the [Provider] are fields of the JSON
// body, over those that the Request's own fields gave; vectors are read in either
// "encoding_format". Request.Raw may be a func(*sdk.EmbeddingNewParams): it edits
// the parameters last. Response.Raw is a *sdk.CreateEmbeddingResponse.
//
// See https://platform.openai.com/docs/api-reference/embeddings.
type Embedding struct {
	endpoint
	service sdk.EmbeddingService
}

var _ embedding.Model = (*Embedding)(nil)

// NewEmbedding returns the embedding model that its provider calls name. It takes
// the options of [New] but for [MaxTokensField], and its defaults are the same. An
// empty name and invalid options panic.
func NewEmbedding(name string, opts ...Option) *Embedding {
	client, at := configure("NewEmbedding", name, opts).connect()
	return &Embedding{at, client.Embeddings}
}

// Embed returns the vectors of the values, with one HTTP request. Its errors are
// *failure.Error. An answer of more or fewer vectors than values is one, and so is a
// request without values, which is not sent.
func (m *Embedding) Embed(ctx context.Context, req *embedding.Request) (*embedding.Response, error) {
	switch {
	case req == nil:
		return nil, exchange.Invalid(m.id, "the request is nil")
	case len(req.Values) == 0:
		return nil, exchange.Invalid(m.id, "there are no values to embed")
	}
	params := sdk.EmbeddingNewParams{Model: m.id.Name}
	params.Input.OfArrayOfStrings = slices.Clone(req.Values)
	if req.Dimensions != 0 {
		params.Dimensions = sdk.Int(int64(req.Dimensions))
	}
	m.extend(&params, req.ProviderOptions)
	if edit, ok := req.Raw.(func(*sdk.EmbeddingNewParams)); ok && edit != nil {
		edit(&params)
	}
	c, err := m.send(ctx, params, req.Headers, func(opts []option.RequestOption) error {
		_, err := m.service.New(ctx, params, opts...)
		return err
	})
	if err != nil {
		return nil, err
	}
	body, err := c.body(ctx)
	if err != nil {
		return nil, err
	}
	raw := &sdk.CreateEmbeddingResponse{}
	if err := json.Unmarshal(body, raw); err != nil {
		return nil, c.Malformed(body, err)
	}
	if failed := raw.JSON.ExtraFields["error"].Raw(); given(failed) {
		return nil, c.reported(failed)
	}
	vectors := vectorsOf(raw)
	if len(vectors) != len(req.Values) {
		return nil, c.Fail(failure.Error{Err: fmt.Errorf("%w: %d vectors for %d values", exchange.ErrNoAnswer, len(vectors), len(req.Values))})
	}
	return &embedding.Response{
		Model:      m.id,
		Embeddings: vectors,
		Usage:      strata.Usage{InputTokens: raw.Usage.PromptTokens, TotalTokens: raw.Usage.TotalTokens},
		Metadata:   strata.ResponseMetadata{Model: raw.Model, Headers: c.Headers},
		Raw:        raw,
	}, nil
}

// BatchLimit is how many values a request takes at most, for [embedding.Batch]:
// 2048, as OpenAI's reference says of "input". Other servers may take fewer, and all
// values together may be too many tokens (300,000 at OpenAI): embedding.BatchSize
// sets fewer.
//
// See https://platform.openai.com/docs/api-reference/embeddings/create.
func (m *Embedding) BatchLimit() int { return batchLimit }

const batchLimit = 2048

// vectorsOf returns the vectors that hold something, in the order of the values.
func vectorsOf(raw *sdk.CreateEmbeddingResponse) (vectors [][]float32) {
	data := slices.Clone(raw.Data)
	slices.SortStableFunc(data, func(a, b sdk.Embedding) int { return cmp.Compare(a.Index, b.Index) })
	for _, d := range data {
		if len(d.Embedding) == 0 {
			continue
		}
		vector := make([]float32, len(d.Embedding))
		for i, f := range d.Embedding {
			vector[i] = float32(f)
		}
		vectors = append(vectors, vector)
	}
	return vectors
}
