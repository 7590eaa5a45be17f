package openai_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/embedding"
	"github.com/strata-go/strata/image"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/provider/openai"
)

func TestID(t *testing.T) {
	tests := []struct {
		name string
		opts []openai.Option
		want string
	}{
		{"default", nil, "openai/gpt-5"},
		{"provider", []openai.Option{openai.Provider("groq")}, "groq/gpt-5"},
		{"account", []openai.Option{openai.Account("eu")}, "openai/gpt-5@eu"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, openai.New("gpt-5", test.opts...).ID().String())
		})
	}
}

func TestBadOptionsPanic(t *testing.T) {
	tests := []struct {
		name string
		make func()
		want string
	}{
		{"name", func() { openai.New("") }, "openai.New: the model's name is empty"},
		{"name of another kind", func() { openai.NewResponses("") }, "openai.NewResponses: the model's name is empty"},
		{"option of New alone", func() { openai.NewEmbedding("m", openai.MaxTokensField("f")) }, `openai.NewEmbedding: MaxTokensField("f") is an option of New alone`},
		{"nil option", func() { openai.New("m", openai.Account("a"), nil) }, "openai.New: option 1 is nil"},
		{"key", func() { openai.APIKey("") }, `openai.APIKey: the key is ""`},
		{"relative address", func() { openai.BaseURL("/v1") }, `openai.BaseURL: "/v1" is not an absolute http or https URL`},
		{"address with a password", func() { openai.BaseURL("ftp://u:" + key + "@h/v1?k=" + key) }, `openai.BaseURL: "ftp://h/v1" is not an absolute http or https URL`},
		{"malformed address with a password", func() { openai.BaseURL("http://u:" + key + "@h:x/v1?k=" + key) }, `openai.BaseURL: "h:x/v1" is not an absolute http or https URL`},
		{"client", func() { openai.HTTPClient(nil) }, "openai.HTTPClient: the client is nil"},
		{"empty provider", func() { openai.Provider("") }, `openai.Provider: "" is no provider's name`},
		{"provider with a slash", func() { openai.Provider("a/b") }, `openai.Provider: "a/b" is no provider's name`},
		{"field", func() { openai.MaxTokensField("") }, `openai.MaxTokensField: the name is ""`},
		{"SDK option", func() { openai.RequestOptions(option.WithOrganization("o"), nil) }, "openai.RequestOptions: option 1 is nil"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { assert.PanicsWithValue(t, test.want, test.make) })
	}
}

func TestEnvironment(t *testing.T) {
	s := serve(t, whole(200, "application/json", message(`{"content":"Hello"}`, "stop")))
	t.Setenv("OPENAI_API_KEY", "from-the-environment")
	t.Setenv("OPENAI_BASE_URL", s.URL+"/env")

	_, err := openai.New("gpt-5").Generate(t.Context(), strata.Prompt("Hi"))
	require.NoError(t, err)
	assert.Equal(t, "/env/chat/completions", s.path)
	assert.Equal(t, "Bearer from-the-environment", s.headers.Get("Authorization"))

	_, err = s.model().Generate(t.Context(), strata.Prompt("Hi"))
	require.NoError(t, err)
	assert.Equal(t, "/v1/chat/completions", s.path, "an option wins")
	assert.Equal(t, "Bearer "+key, s.headers.Get("Authorization"))
}

func TestClientOfTheProgram(t *testing.T) {
	s := serve(t, whole(500, "application/json", `{}`))
	client := sdk.NewClient(option.WithBaseURL(s.URL+"/theirs"), option.WithAPIKey(key), option.WithMaxRetries(5))
	m := openai.New("gpt-5", openai.Client(client), openai.RequestOptions(option.WithHeader("X-Ours", "1"), option.WithMaxRetries(5)))
	_, err := m.Generate(t.Context(), strata.Prompt("Hi"))
	require.Error(t, err)
	assert.Equal(t, "/theirs/chat/completions", s.path)
	assert.Equal(t, "Bearer "+key, s.headers.Get("Authorization"))
	assert.Equal(t, "1", s.headers.Get("X-Ours"))
	assert.EqualValues(t, 1, s.requests.Load(), "the SDK retried")

	_, err = openai.New("gpt-5", openai.Client(client), openai.BaseURL(s.URL+"/ours")).Generate(t.Context(), strata.Prompt("Hi"))
	require.Error(t, err)
	assert.Equal(t, "/ours/chat/completions", s.path, "an option wins over the client")
}

func TestMaxTokensField(t *testing.T) {
	s := serve(t, whole(200, "application/json", message(`{"content":"Hello"}`, "stop")))
	req := strata.Prompt("Hi")
	req.MaxOutputTokens = 9
	_, err := s.model(openai.MaxTokensField("max_tokens")).Generate(t.Context(), req)
	require.NoError(t, err)
	assert.JSONEq(t, hello+`,"max_tokens":9}`, string(s.body))
}

func TestOptionsOfTheProvider(t *testing.T) {
	s := serve(t, whole(200, "application/json", message(`{"content":"Hello"}`, "stop")))
	req := strata.Prompt("Hi")
	req.ProviderOptions = strata.ProviderData{"groq": {"reasoning_format": "parsed"}, "openai": {"store": true}}
	_, err := s.model(openai.Provider("groq")).Generate(t.Context(), req)
	require.NoError(t, err)
	assert.JSONEq(t, hello+`,"reasoning_format":"parsed"}`, string(s.body))
}

// All kinds of models take the same options, and a program's own client.
func TestOptionsAreShared(t *testing.T) {
	s := serve(t, whole(500, "application/json", `{}`))
	client := openai.Client(sdk.NewClient(option.WithBaseURL(s.URL+"/theirs"), option.WithAPIKey(key), option.WithMaxRetries(5)))
	opts := []openai.Option{client, openai.Provider("azure"), openai.Account("eu"), openai.Headers(http.Header{"X-Ours": {"1"}})}
	responses, embedder, painter := openai.NewResponses("m", opts...), openai.NewEmbedding("m", opts...), openai.NewImage("m", opts...)
	calls := map[string]func() error{
		"/theirs/responses": func() error { _, err := responses.Generate(t.Context(), strata.Prompt("Hi")); return err },
		"/theirs/embeddings": func() error {
			_, err := embedder.Embed(t.Context(), &embedding.Request{Values: []string{"a"}})
			return err
		},
		"/theirs/images/generations": func() error { _, err := painter.Generate(t.Context(), &image.Request{}); return err },
	}
	for path, call := range calls {
		require.Error(t, call())
		assert.Equal(t, path, s.path)
		assert.Equal(t, "Bearer "+key, s.headers.Get("Authorization"))
		assert.Equal(t, "1", s.headers.Get("X-Ours"))
	}
	assert.EqualValues(t, len(calls), s.requests.Load(), "the SDK retried")
	for _, id := range []strata.ModelID{responses.ID(), embedder.ID(), painter.ID()} {
		assert.Equal(t, "azure/m@eu", id.String())
	}
}

// A conversation that one API began goes on over the other.
func TestChatAndResponsesTakeOverFromOneAnother(t *testing.T) {
	items := `{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"x"},` + said +
		`,{"id":"fc_1","type":"function_call","call_id":"t1","name":"f","arguments":"{}","namespace":"n"}`
	s := serve(t, whole(200, "application/json", strings.Replace(output(items), `"store":false`, `"store":true`, 1)))
	resp, err := s.responses().Generate(t.Context(), strata.Prompt("Hi"))
	require.NoError(t, err)
	s = serve(t, whole(200, "application/json", message(`{"content":"Hi","reasoning_content":"hm","tool_calls":[{"id":"t1","function":{"name":"f","arguments":"{}"}}]}`, "tool_calls")))
	chat, err := s.model().Generate(t.Context(), &strata.Request{Messages: []strata.Message{resp.Message()}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"model":"gpt-test","messages":[{"role":"assistant","content":"Hi","tool_calls":[{"id":"t1","type":"function","function":{"name":"f","arguments":"{}"}}]}]}`, string(s.body))

	s = serve(t, whole(200, "application/json", output(said)))
	_, err = s.responses().Generate(t.Context(), &strata.Request{Messages: []strata.Message{chat.Message()}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"model":"gpt-test","store":false,"input":[{"role":"assistant","content":"Hi"},{"type":"function_call","call_id":"t1","name":"f","arguments":"{}"}]}`, string(s.body))
}

// Every attempt of a retrying layer sends the whole body.
func TestBodyIsSentAgainWhole(t *testing.T) {
	for wire := range wires {
		var bodies []string
		s := serve(t, nil)
		s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			bodies = append(bodies, string(body))
			whole(503, "application/json", `{}`)(w, r)
		})
		m := wires[wire].at("gpt-test", openai.BaseURL(s.URL), openai.APIKey(key))
		retrying := middleware.Backoff(middleware.Attempts(3), middleware.Base(time.Millisecond))(m)
		_, err := retrying.Generate(t.Context(), strata.Prompt(strings.Repeat("the prompt ", 1000)))
		require.Error(t, err)
		require.Len(t, bodies, 3)
		assert.Equal(t, []string{bodies[0], bodies[0]}, bodies[1:])
		assert.Contains(t, bodies[0], "the prompt the prompt")
	}
}
