package google_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/embedding"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/provider/google"
)

func vertexAI(s *server) []google.Option {
	return []google.Option{google.BaseURL(s.URL), google.HTTPClient(&http.Client{}),
		google.Config(genai.ClientConfig{Backend: genai.BackendVertexAI, Project: "acme", Location: "us"})}
}

func geminiAPI(s *server) []google.Option {
	return []google.Option{google.BaseURL(s.URL), google.APIKey(key)}
}

func TestEmbed(t *testing.T) {
	clearEnv(t)
	const vertexPath = "/v1beta1/projects/acme/locations/us/publishers/google/models/"
	two := &embedding.Request{Values: []string{"a", "b"}, Dimensions: 2, ProviderOptions: data(map[string]any{"taskType": "RETRIEVAL_QUERY"}), Headers: http.Header{"X-Call": {"1"}}}
	tests := []struct {
		name, model                string
		at                         func(*server) []google.Option
		req                        *embedding.Request
		answer, wantPath, wantBody string
		want                       [][]float32
		tokens                     int64
	}{
		{"Gemini API", "gemini-embedding-001", geminiAPI, two,
			`{"embeddings":[{"values":[0.5,1]},{"values":[2,3]}],"usageMetadata":{"promptTokenCount":4}}`,
			"/v1beta/models/gemini-embedding-001:batchEmbedContents",
			`{"requests":[{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"a"}],"role":"user"},"outputDimensionality":2,"taskType":"RETRIEVAL_QUERY"},
				{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"b"}],"role":"user"},"outputDimensionality":2,"taskType":"RETRIEVAL_QUERY"}]}`,
			[][]float32{{0.5, 1}, {2, 3}}, 4},
		{"Vertex AI, predict", "text-embedding-005", vertexAI,
			&embedding.Request{Values: []string{"a", "b"}, Dimensions: 2, ProviderOptions: data(map[string]any{"parameters": map[string]any{"autoTruncate": false}}),
				Raw: func(c *genai.EmbedContentConfig) { c.TaskType = "CLUSTERING" }},
			`{"predictions":[{"embeddings":{"values":[0.5,1],"statistics":{"token_count":3,"truncated":true}}},{"embeddings":{"values":[2,3],"statistics":{"token_count":2}}}],"metadata":{"billableCharacterCount":2}}`,
			vertexPath + "text-embedding-005:predict",
			`{"instances":[{"content":"a","task_type":"CLUSTERING"},{"content":"b","task_type":"CLUSTERING"}],"parameters":{"outputDimensionality":2,"autoTruncate":false}}`,
			[][]float32{{0.5, 1}, {2, 3}}, 5},
		{"Vertex AI, embedContent", "gemini-embedding-2", vertexAI, &embedding.Request{Values: []string{"a"}},
			`{"embedding":{"values":[0.5,1]},"usageMetadata":{"promptTokenCount":3}}`, vertexPath + "gemini-embedding-2:embedContent",
			`{"content":{"parts":[{"text":"a"}],"role":"user"}}`, [][]float32{{0.5, 1}}, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", test.answer))
			m := google.NewEmbedding(test.model, test.at(s)...)
			resp, err := m.Embed(t.Context(), test.req)
			require.NoError(t, err)
			assert.Equal(t, test.wantPath, s.path)
			assert.JSONEq(t, test.wantBody, string(s.body))
			assert.Equal(t, test.want, resp.Embeddings)
			assert.Equal(t, strata.Usage{InputTokens: test.tokens, TotalTokens: test.tokens}, resp.Usage)
			assert.Equal(t, m.ID(), resp.Model)
			assert.NotEmpty(t, resp.Metadata.Headers)
			assert.Len(t, resp.Raw.(*genai.EmbedContentResponse).Embeddings, len(test.want))
			assert.Equal(t, test.req.Headers.Get("X-Call"), s.headers.Get("X-Call"))
		})
	}
}

func TestEmbedFailures(t *testing.T) {
	clearEnv(t)
	one := &embedding.Request{Values: []string{"the prompt"}}
	tests := []struct {
		name    string
		at      func(*server) []google.Option
		req     *embedding.Request
		handler http.HandlerFunc
		kind    failure.Kind
		has     string
	}{
		{"nil request", geminiAPI, nil, nil, failure.Invalid, "the request is nil"},
		{"no values", geminiAPI, &embedding.Request{}, nil, failure.Invalid, "there are no values to embed"},
		{"two of one", vertexAI, &embedding.Request{Values: []string{"a", "b"}}, nil, failure.Invalid, "one content at a time"},
		{"no key", func(*server) []google.Option { return nil }, one, nil, failure.Auth, "GEMINI_API_KEY"},
		{"status", geminiAPI, one, whole(503, "application/json", `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`), failure.Overload, "overloaded"},
		{"error with 200", geminiAPI, one, whole(200, "application/json", `{"error":{"message":"No capacity"}}`), failure.Overload, "No capacity"},
		{"too few", geminiAPI, one, whole(200, "application/json", `{"embeddings":[]}`), "", "0 vectors for 1 values"},
		{"vector of nothing", geminiAPI, one, whole(200, "application/json", `{"embeddings":[{"values":[]}]}`), "", "0 vectors for 1 values"},
		{"page", geminiAPI, one, whole(200, "text/html", `<html>`), "", ""},
		{"empty", geminiAPI, one, whole(200, "application/json", ``), failure.Network, ""},
		{"cut", geminiAPI, one, cut(`{"embeddings":`), failure.Network, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, test.handler)
			resp, err := google.NewEmbedding("gemini-test", test.at(s)...).Embed(t.Context(), test.req)
			assert.Nil(t, resp)
			requireFailure(t, err)
			if test.kind != "" {
				assert.Equal(t, test.kind, failure.Of(err))
			}
			assert.ErrorContains(t, err, test.has)
			requireNoSecret(t, err)
		})
	}
}

func TestBatchLimit(t *testing.T) {
	clearEnv(t)
	s := serve(t, nil)
	for _, test := range []struct {
		at    func(*server) []google.Option
		model string
		want  int
	}{
		{geminiAPI, "gemini-embedding-001", 100},
		{geminiAPI, "gemini-embedding-2", 100},
		{vertexAI, "gemini-embedding-001", 1},
		{vertexAI, "gemini-embedding-2", 1},
		{vertexAI, "multilingual-e5-large-instruct-maas", 1},
		{vertexAI, "text-embedding-005", 250},
		{vertexAI, "text-multilingual-embedding-002", 250},
	} {
		assert.Equal(t, test.want, google.NewEmbedding(test.model, test.at(s)...).BatchLimit(), test.model)
	}
}
