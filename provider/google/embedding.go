package google

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/embedding"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/exchange"
)

// Embedding is an [embedding.Model] over Google's embedding models. Make one with
// [NewEmbedding]; any number of goroutines may use it.
//
// Request.ProviderOptions under the name of the [Provider] are fields of the
// request that the Gemini API has for each text, such as "taskType"; for Vertex AI
// they are fields of the JSON body. Request.Raw may be a
// func(*genai.EmbedContentConfig): it edits the SDK's parameters last. Response.Raw
// is a *genai.EmbedContentResponse. By Vertex AI the newer models embed one text a
// request; more are a failure of kind invalid.
//
// See https://ai.google.dev/api/embeddings.
type Embedding struct{ *client }

var _ embedding.Model = (*Embedding)(nil)

// NewEmbedding returns the embedding model that Google calls name. It takes the
// options of [New], and its defaults are the same. An empty name and invalid
// options panic.
func NewEmbedding(name string, opts ...Option) *Embedding {
	return &Embedding{newClient("NewEmbedding", name, opts)}
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
	params := &genai.EmbedContentConfig{}
	if req.Dimensions != 0 {
		params.OutputDimensionality = genai.Ptr(int32(req.Dimensions))
	}
	if edit, ok := req.Raw.(func(*genai.EmbedContentConfig)); ok && edit != nil {
		edit(params)
	}
	o := genai.HTTPOptions{}
	if params.HTTPOptions != nil {
		o = *params.HTTPOptions
	}
	params.HTTPOptions = &o
	var contents []*genai.Content
	for _, v := range req.Values {
		contents = append(contents, genai.NewContentFromText(v, ""))
	}
	edit := func(body map[string]any) {
		options := req.ProviderOptions[m.id.Provider]
		if body["requests"] == nil {
			merge(body, options)
			return
		}
		for i := range req.Values {
			if each := at(body["requests"], i); each != nil {
				merge(each, options)
			}
		}
	}
	c, err := m.send(ctx, params, &o, req.Headers, edit, func(ctx context.Context) error {
		_, err := m.models.EmbedContent(ctx, m.id.Name, contents, params)
		return err
	})
	if err != nil {
		return nil, err
	}
	defer c.close()
	return c.embeddings(len(req.Values))
}

// BatchLimit is how many values a request takes at most, for [embedding.Batch]: 100
// by the Gemini API; by Vertex AI 250, and one for a Gemini model. All values together
// may still be too many tokens (20,000 by Vertex AI): embedding.BatchSize sets fewer.
//
// The Gemini API says it in the error for more ("at most 100 requests can be in one
// batch"). For Vertex AI see
// https://cloud.google.com/vertex-ai/generative-ai/docs/embeddings/get-text-embeddings.
func (m *Embedding) BatchLimit() int {
	switch name := m.id.Name; {
	case !m.vertex:
		return 100
	case strings.Contains(name, "gemini"), strings.Contains(name, "maas"): // the SDK sends open models one by one too
		return 1
	}
	return 250
}

// vector is a vector as each of the three endpoints has it.
type vector struct {
	Values     []float32
	Statistics struct {
		TokenCount float64 `json:"token_count"`
		Truncated  bool
	}
}

func (v vector) empty() bool { return len(v.Values) == 0 }

// embeddings reads the answer for n values.
func (c *call) embeddings(n int) (*embedding.Response, error) {
	body, err := c.body()
	if err != nil {
		return nil, err
	}
	var wire struct {
		Embeddings    []vector                      // batchEmbedContents
		Predictions   []struct{ Embeddings vector } // predict
		Embedding     *vector                       // embedContent
		UsageMetadata *usageMetadata
		Metadata      *genai.EmbedContentMetadata
		Error         json.RawMessage
	}
	if err := json.Unmarshal(body, &wire); err != nil {
		return nil, c.Malformed(body, err)
	}
	if given(wire.Error) {
		return nil, c.Reported(string(body))
	}
	vectors := wire.Embeddings
	for _, p := range wire.Predictions {
		vectors = append(vectors, p.Embeddings)
	}
	if wire.Embedding != nil {
		vectors = append(vectors, *wire.Embedding)
	}
	if vectors = slices.DeleteFunc(vectors, vector.empty); len(vectors) != n {
		return nil, c.Fail(failure.Error{Err: fmt.Errorf("%w: %d vectors for %d values", exchange.ErrNoAnswer, len(vectors), n)})
	}
	raw := &genai.EmbedContentResponse{Metadata: wire.Metadata}
	resp := &embedding.Response{Model: c.Model, Metadata: strata.ResponseMetadata{Headers: c.Headers}, Raw: raw}
	for _, v := range vectors {
		resp.Embeddings = append(resp.Embeddings, v.Values)
		resp.Usage.InputTokens += int64(v.Statistics.TokenCount)
		raw.Embeddings = append(raw.Embeddings, &genai.ContentEmbedding{Values: v.Values, Statistics: &genai.ContentEmbeddingStatistics{
			TokenCount: float32(v.Statistics.TokenCount), Truncated: v.Statistics.Truncated,
		}})
	}
	resp.Usage.TotalTokens = resp.Usage.InputTokens
	if wire.UsageMetadata != nil {
		resp.Usage = wire.UsageMetadata.usage()
	}
	return resp, nil
}
