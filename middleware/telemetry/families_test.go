package telemetry_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/embedding"
	"github.com/strata-go/strata/image"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/telemetry"
)

// embedder fails at first.
type embedder struct{ calls *int }

func (embedder) ID() strata.ModelID { return strata.ModelID{Provider: "openai", Name: "a"} }

func (e embedder) Embed(context.Context, *embedding.Request) (*embedding.Response, error) {
	if *e.calls++; *e.calls == 1 {
		return nil, errBusy
	}
	return &embedding.Response{
		Model: e.ID(), Embeddings: [][]float32{{1}}, Usage: strata.Usage{InputTokens: 3, TotalTokens: 3},
		Metadata: strata.ResponseMetadata{Model: "a-2026", ID: "r1"},
	}, nil
}

type painter struct{}

func (painter) ID() strata.ModelID { return strata.ModelID{Provider: "google", Name: "p"} }

func (p painter) Generate(context.Context, *image.Request) (*image.Response, error) {
	return &image.Response{Model: p.ID(), Images: make([]strata.Image, 1), Usage: strata.Usage{InputTokens: 3, OutputTokens: 4}}, nil
}

// Calls of other families are named as the conventions do, and no content of theirs
// is recorded.
func TestOtherFamilies(t *testing.T) {
	r := newRecord()
	layer := r.layer(telemetry.Content(1000))
	_, err := embedding.Wrap(embedder{new(int)}, embedding.Lift(layer), embedding.Backoff(middleware.Base(0))).Embed(t.Context(), &embedding.Request{Values: []string{"private"}})
	require.NoError(t, err)
	_, err = image.Lift(layer)(painter{}).Generate(t.Context(), &image.Request{Prompt: "private"})
	require.NoError(t, err)

	var names []string
	for _, s := range r.spans.Ended() {
		names = append(names, s.Name())
		attrs := attributesOf(s.Attributes())
		for key, value := range attrs {
			assert.NotContains(t, value, "private", key)
		}
		assert.NotContains(t, attrs, "gen_ai.input.messages")
		switch s.Name() {
		case "embeddings a":
			assert.Equal(t, []string{"embeddings", "generate", "3", "a-2026", "r1", "2"}, []string{
				attrs["gen_ai.operation.name"], attrs["strata.operation"], attrs["gen_ai.usage.input_tokens"],
				attrs["gen_ai.response.model"], attrs["gen_ai.response.id"], attrs["strata.attempts"],
			})
		case "generate_content p":
			assert.Equal(t, "generate_content", attrs["gen_ai.operation.name"])
			assert.Equal(t, "4", attrs["gen_ai.usage.output_tokens"])
		}
	}
	assert.ElementsMatch(t, []string{"attempt a", "attempt a", "embeddings a", "generate_content p"}, names)
	assert.Len(t, r.points(t, "gen_ai.client.operation.duration"), 2)
}
