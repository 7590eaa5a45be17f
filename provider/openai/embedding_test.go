package openai_test

import (
	"fmt"
	"net/http"
	"testing"

	sdk "github.com/openai/openai-go/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/embedding"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/provider/openai"
)

func (s *server) embedding(opts ...openai.Option) *openai.Embedding {
	return openai.NewEmbedding("gpt-test", append([]openai.Option{openai.BaseURL(s.URL + "/v1"), openai.APIKey(key)}, opts...)...)
}

func TestEmbed(t *testing.T) {
	vectors := [][]float32{{0.5, 1}, {2, 3}}
	tests := []struct {
		name string
		req  embedding.Request
		body string // the answer's data
		want string // of the request, beside model and input
	}{
		{"vectors", embedding.Request{}, `[{"index":0,"embedding":[0.5,1]},{"index":1,"embedding":[2,3]}]`, ``},
		{"another order", embedding.Request{}, `[{"index":1,"embedding":[2,3]},{"index":0,"embedding":[0.5,1]}]`, ``},
		{"no indexes", embedding.Request{}, `[{"embedding":[0.5,1]},{"embedding":[2,3]}]`, ``},
		{"base64", embedding.Request{ProviderOptions: strata.ProviderData{"openai": {"encoding_format": "base64"}, "other": {"x": 1}}},
			`[{"index":0,"embedding":"AAAAPwAAgD8="},{"index":1,"embedding":"AAAAQAAAQEA="}]`, `,"encoding_format":"base64"`},
		{"dimensions", embedding.Request{Dimensions: 2}, `[{"index":0,"embedding":[0.5,1]},{"index":1,"embedding":[2,3]}]`, `,"dimensions":2`},
		{"raw", embedding.Request{Raw: func(p *sdk.EmbeddingNewParams) { p.User = sdk.String("ann") }},
			`[{"index":0,"embedding":[0.5,1]},{"index":1,"embedding":[2,3]}]`, `,"user":"ann"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", `{"object":"list","model":"gpt-test-1","data":`+test.body+`,"usage":{"prompt_tokens":7,"total_tokens":7}}`))
			m := s.embedding(openai.Account("eu"))
			test.req.Values = []string{"a", "b"}
			test.req.Headers = http.Header{"X-Call": {"1"}}
			resp, err := m.Embed(t.Context(), &test.req)
			require.NoError(t, err)
			assert.Equal(t, m.ID(), resp.Model)
			assert.Equal(t, vectors, resp.Embeddings)
			assert.Equal(t, strata.Usage{InputTokens: 7, TotalTokens: 7}, resp.Usage)
			assert.Equal(t, "gpt-test-1", resp.Metadata.Model)
			assert.NotEmpty(t, resp.Metadata.Headers)
			assert.IsType(t, &sdk.CreateEmbeddingResponse{}, resp.Raw)
			assert.JSONEq(t, `{"model":"gpt-test","input":["a","b"]`+test.want+`}`, string(s.body))
			assert.Equal(t, "/v1/embeddings", s.path)
			assert.Equal(t, "1", s.headers.Get("X-Call"))
		})
	}
}

// wrongAnswers are failures that all models tell alike.
var wrongAnswers = []struct {
	name    string
	handler http.HandlerFunc
	kind    failure.Kind // empty: as package failure finds
	has     string
}{
	{"throttle", whole(429, "application/json", `{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}`), failure.Rate, "Rate limit reached"},
	{"bad key", whole(401, "application/json", `{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}`), failure.Auth, "Incorrect API key provided"},
	{"blocked", whole(400, "application/json", `{"error":{"message":"Your request was rejected by the safety system.","code":"moderation_blocked"}}`), failure.Content, "safety system"},
	{"error with status 200", whole(200, "application/json", `{"error":{"message":"No capacity","code":"server_error"}}`), failure.Overload, "No capacity"},
	{"page", whole(200, "text/html", "<html>Sign in</html>"), "", ""},
	{"nothing", whole(200, "application/json", ""), failure.Network, ""},
	{"cut", cut(`{"data":[`), failure.Network, ""},
	{"reset", reset, failure.Network, ""},
	{"something else", whole(200, "application/json", `{"data":[]}`), "", ""},
}

func TestEmbedFailures(t *testing.T) {
	for _, test := range wrongAnswers {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, test.handler)
			m := s.embedding(openai.HTTPClient(&http.Client{Transport: &http.Transport{}}))
			resp, err := m.Embed(t.Context(), &embedding.Request{Values: []string{"the prompt"}})
			assert.Nil(t, resp)
			requireFailure(t, err)
			requireNoSecret(t, err)
			if test.kind != "" {
				assert.Equal(t, test.kind, failure.Of(err))
			}
			assert.ErrorContains(t, err, test.has)
			assert.EqualValues(t, 1, s.requests.Load())
		})
	}
}

func TestEmbedBadRequest(t *testing.T) {
	s := serve(t, whole(200, "application/json", `{}`))
	for name, req := range map[string]*embedding.Request{
		"nil":                    nil,
		"no values":              {},
		"option that is no JSON": {Values: []string{"a"}, ProviderOptions: strata.ProviderData{"openai": {"f": func() {}}}},
	} {
		_, err := s.embedding().Embed(t.Context(), req)
		assert.Equal(t, failure.Invalid, failure.Of(err), name)
	}
	assert.Zero(t, s.requests.Load())
}

func ExampleNewEmbedding() {
	model := openai.NewEmbedding("text-embedding-3-small", openai.APIKey("not needed here"))
	fmt.Println(model.ID())
	// Output: openai/text-embedding-3-small
}

func TestBatchLimit(t *testing.T) {
	m := openai.NewEmbedding("text-embedding-3-small", openai.APIKey(key))
	assert.Equal(t, 2048, m.BatchLimit())
}
