package google_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/provider/google"
)

// clearEnv takes the variables that the SDK reads away from the test.
func clearEnv(t *testing.T) {
	for _, name := range []string{"GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE", "GOOGLE_CLOUD_PROJECT",
		"GOOGLE_CLOUD_LOCATION", "GOOGLE_CLOUD_REGION", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL"} {
		t.Setenv(name, "")
	}
}

func TestID(t *testing.T) {
	tests := []struct {
		name string
		opts []google.Option
		want string
	}{
		{"default", nil, "google/gemini-3-flash"},
		{"provider", []google.Option{google.Provider("vertex")}, "vertex/gemini-3-flash"},
		{"account", []google.Option{google.Account("eu")}, "google/gemini-3-flash@eu"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, google.New("gemini-3-flash", test.opts...).ID().String())
		})
	}
}

func TestBadOptionsPanic(t *testing.T) {
	tests := []struct {
		name string
		make func()
		want string
	}{
		{"name", func() { google.New("") }, "google.New: the model's name is empty"},
		{"nil option", func() { google.New("m", google.Account("a"), nil) }, "google.New: option 1 is nil"},
		{"key", func() { google.APIKey("") }, `google.APIKey: the key is ""`},
		{"relative address", func() { google.BaseURL("/v1") }, `google.BaseURL: "/v1" is not an absolute http or https URL`},
		{"address with a password", func() { google.BaseURL("ftp://u:" + key + "@h/v1?k=" + key) }, `google.BaseURL: "ftp://h/v1" is not an absolute http or https URL`},
		{"HTTP client", func() { google.HTTPClient(nil) }, "google.HTTPClient: the client is nil"},
		{"client", func() { google.Client(nil) }, "google.Client: the client is nil"},
		{"empty provider", func() { google.Provider("") }, `google.Provider: "" is no provider's name`},
		{"provider with a slash", func() { google.Provider("a/b") }, `google.Provider: "a/b" is no provider's name`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { assert.PanicsWithValue(t, test.want, test.make) })
	}
}

func TestEnvironment(t *testing.T) {
	s := serve(t, whole(200, "application/json", ending(hi, "STOP")))
	clearEnv(t)
	t.Setenv("GOOGLE_GEMINI_BASE_URL", s.URL+"/env")
	for _, name := range []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"} {
		t.Setenv("GEMINI_API_KEY", "")
		t.Setenv(name, "from-"+name)
		_, err := google.New("gemini-3-flash").Generate(t.Context(), strata.Prompt("Hi"))
		require.NoError(t, err)
		assert.Equal(t, "/env/v1beta/models/gemini-3-flash:generateContent", s.path)
		assert.Equal(t, "from-"+name, s.headers.Get("X-Goog-Api-Key"))
	}
	_, err := s.model().Generate(t.Context(), strata.Prompt("Hi"))
	require.NoError(t, err)
	assert.Equal(t, "/v1beta/models/gemini-test:generateContent", s.path, "an option wins")
	assert.Equal(t, key, s.headers.Get("X-Goog-Api-Key"))
}

// A client that the SDK does not make is the failure of each call.
func TestNoClient(t *testing.T) {
	clearEnv(t)
	secret := http.Header{"Authorization": {"Bearer " + key}}
	tests := []struct {
		name string
		opts []google.Option
		want string
	}{
		{"no key", nil, "neither GOOGLE_API_KEY nor GEMINI_API_KEY is set"},
		{"no key, but headers", []google.Option{google.Config(genai.ClientConfig{HTTPOptions: genai.HTTPOptions{Headers: secret}})}, "neither GOOGLE_API_KEY"},
		{"a project of the wrong API", []google.Option{google.APIKey(key), google.Config(genai.ClientConfig{Backend: genai.BackendGeminiAPI, Project: "p"})}, "project and location are not supported"},
		{"no project", []google.Option{google.Config(genai.ClientConfig{Backend: genai.BackendVertexAI})}, "project/location or API key must be set"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := google.New("gemini-test", test.opts...)
			_, generated := m.Generate(t.Context(), strata.Prompt("the prompt"))
			parts, streamed := collect(t, m.Stream(t.Context(), strata.Prompt("the prompt")))
			assert.Empty(t, parts)
			for _, err := range []error{generated, streamed} {
				requireFailure(t, err)
				assert.Equal(t, failure.Auth, failure.Of(err))
				assert.ErrorContains(t, err, test.want)
				requireNoSecret(t, err)
			}
		})
	}
}

func TestClientOfTheProgram(t *testing.T) {
	clearEnv(t)
	t.Setenv("GOOGLE_CLOUD_PROJECT", "of-something-else")
	s := serve(t, whole(500, "application/json", `{}`))
	theirs := &http.Client{}
	five := int32(5)
	client, err := genai.NewClient(t.Context(), &genai.ClientConfig{APIKey: key, HTTPClient: theirs,
		HTTPOptions: genai.HTTPOptions{BaseURL: s.URL + "/theirs", Headers: http.Header{"X-Theirs": {"1"}}, RetryOptions: &genai.HTTPRetryOptions{Attempts: &five},
			ExtrasRequestProvider: func(body map[string]any) map[string]any { body["theirs"] = true; return body }}})
	require.NoError(t, err)
	m := google.New("gemini-test", google.Client(client), google.Headers(http.Header{"X-Ours": {"1"}}))
	_, err = m.Generate(t.Context(), strata.Prompt("Hi"))
	requireFailure(t, err)
	assert.Equal(t, "/theirs/v1beta/models/gemini-test:generateContent", s.path)
	assert.Equal(t, key, s.headers.Get("X-Goog-Api-Key"))
	assert.Equal(t, "1", s.headers.Get("X-Ours"))
	assert.Equal(t, "1", s.headers.Get("X-Theirs"))
	assert.JSONEq(t, hello+`,"theirs":true}`, string(s.body))
	assert.EqualValues(t, 1, s.requests.Load(), "the SDK retried")
	assert.Nil(t, theirs.Transport, "the program's client was changed")

	_, err = google.New("gemini-test", google.BaseURL(s.URL+"/ours"), google.Client(client)).Generate(t.Context(), strata.Prompt("Hi"))
	requireFailure(t, err)
	assert.Equal(t, "/ours/v1beta/models/gemini-test:generateContent", s.path, "an option wins over the client, in whichever order")
}

// Vertex AI has the same wire at another address.
func TestVertex(t *testing.T) {
	clearEnv(t)
	answer := `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]},"finishReason":"STOP","citationMetadata":{"citations":[{"uri":"https://a"}]}}],
		"usageMetadata":{"promptTokenCount":7,"toolUsePromptTokenCount":3,"candidatesTokenCount":5,"trafficType":"ON_DEMAND"},"modelVersion":"gemini-test-1","createTime":"2026-11-30T10:00:00Z","responseId":"r1"}`
	s := serve(t, whole(200, "application/json", answer))
	m := google.New("gemini-test", google.Provider("vertex"), google.BaseURL(s.URL), google.HTTPClient(&http.Client{}),
		google.Config(genai.ClientConfig{Backend: genai.BackendVertexAI, Project: "acme", Location: "europe-west4"}))
	req := with(func(r *strata.Request) {
		r.ProviderOptions = strata.ProviderData{"vertex": {"labels": map[string]any{"team": "a"}}, "google": {"x": 1}}
	})
	resp, err := m.Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, "/v1beta1/projects/acme/locations/europe-west4/publishers/google/models/gemini-test:generateContent", s.path)
	assert.JSONEq(t, hello+`,"labels":{"team":"a"}}`, string(s.body))
	assert.Equal(t, "vertex/gemini-test", resp.Model.String())
	assert.Equal(t, []strata.Content{strata.Text{Text: "Hi"}, strata.Source{URL: "https://a"}}, resp.Content)
	assert.Equal(t, strata.Usage{InputTokens: 10, OutputTokens: 5, TotalTokens: 15}, resp.Usage)
	assert.Equal(t, "2026-11-30 10:00:00 +0000 UTC", resp.Metadata.Timestamp.String())
	assert.Contains(t, resp.ProviderData["vertex"], "citationMetadata")
}
