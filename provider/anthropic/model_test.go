package anthropic_test

import (
	"net/http"
	"testing"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/anthropic"
)

func TestID(t *testing.T) {
	tests := []struct {
		name string
		opts []anthropic.Option
		want string
	}{
		{"default", nil, "anthropic/claude-sonnet-5"},
		{"provider", []anthropic.Option{anthropic.Provider("moonshot")}, "moonshot/claude-sonnet-5"},
		{"account", []anthropic.Option{anthropic.Account("eu")}, "anthropic/claude-sonnet-5@eu"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, anthropic.New("claude-sonnet-5", test.opts...).ID().String())
		})
	}
}

func TestBadOptionsPanic(t *testing.T) {
	tests := []struct {
		name string
		make func()
		want string
	}{
		{"name", func() { anthropic.New("") }, "anthropic.New: the model's name is empty"},
		{"nil option", func() { anthropic.New("m", anthropic.Account("a"), nil) }, "anthropic.New: option 1 is nil"},
		{"key", func() { anthropic.APIKey("") }, `anthropic.APIKey: the key is ""`},
		{"relative address", func() { anthropic.BaseURL("/v1") }, `anthropic.BaseURL: "/v1" is not an absolute http or https URL`},
		{"address with a password", func() { anthropic.BaseURL("ftp://u:" + key + "@h/v1?k=" + key) }, `anthropic.BaseURL: "ftp://h/v1" is not an absolute http or https URL`},
		{"client", func() { anthropic.HTTPClient(nil) }, "anthropic.HTTPClient: the client is nil"},
		{"empty provider", func() { anthropic.Provider("") }, `anthropic.Provider: "" is no provider's name`},
		{"provider with a slash", func() { anthropic.Provider("a/b") }, `anthropic.Provider: "a/b" is no provider's name`},
		{"SDK option", func() { anthropic.RequestOptions(option.WithMaxRetries(1), nil) }, "anthropic.RequestOptions: option 1 is nil"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { assert.PanicsWithValue(t, test.want, test.make) })
	}
}

func TestEnvironment(t *testing.T) {
	s := serve(t, hi)
	t.Setenv("ANTHROPIC_API_KEY", "from-the-environment")
	t.Setenv("ANTHROPIC_BASE_URL", s.URL+"/env")

	_, err := anthropic.New("claude-test").Generate(t.Context(), strata.Prompt("Hi"))
	require.NoError(t, err)
	assert.Equal(t, "/env/v1/messages", s.path)
	assert.Equal(t, "Bearer from-the-environment", s.headers.Get("Authorization"))

	_, err = s.model().Generate(t.Context(), strata.Prompt("Hi"))
	require.NoError(t, err)
	assert.Equal(t, "/v1/messages", s.path, "an option wins")
	assert.Equal(t, "Bearer "+key, s.headers.Get("Authorization"))
}

func TestClientOfTheProgram(t *testing.T) {
	s := serve(t, whole(500, "application/json", `{}`))
	client := sdk.NewClient(option.WithBaseURL(s.URL+"/theirs"), option.WithAPIKey(key), option.WithMaxRetries(5))
	m := anthropic.New("claude-test", anthropic.Client(client), anthropic.RequestOptions(option.WithHeader("X-Ours", "1"), option.WithMaxRetries(5)))
	_, err := m.Generate(t.Context(), strata.Prompt("Hi"))
	require.Error(t, err)
	assert.Equal(t, "/theirs/v1/messages", s.path)
	assert.Equal(t, "Bearer "+key, s.headers.Get("Authorization"))
	assert.Equal(t, "1", s.headers.Get("X-Ours"))
	assert.EqualValues(t, 1, s.requests.Load(), "the SDK retried")

	other := anthropic.New("claude-test", anthropic.Client(client), anthropic.BaseURL(s.URL+"/ours"), anthropic.APIKey("another-key"))
	_, err = other.Generate(t.Context(), strata.Prompt("Hi"))
	require.Error(t, err)
	assert.Equal(t, "/ours/v1/messages", s.path, "an option wins over the client")
	assert.Equal(t, "Bearer another-key", s.headers.Get("Authorization"))
}

func TestHeaders(t *testing.T) {
	s := serve(t, hi)
	req := strata.Prompt("Hi")
	req.Headers = http.Header{"X-Call": {"1", "2"}, "X-Both": {"call"}}
	req.Raw = func(p *sdk.MessageNewParams) { p.WorkspaceID, p.UserProfileID = sdk.String("w1"), sdk.String("u1") }
	m := s.model(anthropic.Headers(http.Header{"X-Model": {"m"}, "X-Both": {"model"}, "Anthropic-Version": {"2023-06-01"}}))
	_, err := m.Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, []string{"1", "2"}, s.headers["X-Call"])
	assert.Equal(t, []string{"m"}, s.headers["X-Model"])
	assert.Equal(t, []string{"call"}, s.headers["X-Both"])
	assert.Equal(t, []string{"2023-06-01"}, s.headers["Anthropic-Version"])
	assert.Equal(t, []string{"w1"}, s.headers["Anthropic-Workspace-Id"])
	assert.Equal(t, []string{"u1"}, s.headers["Anthropic-User-Profile-Id"])
	assert.Equal(t, "Bearer "+key, s.headers.Get("Authorization"))
}

// A limit of tokens for which the SDK demands a stream is the server's to judge.
func TestManyTokensAreAskedForWhole(t *testing.T) {
	s := serve(t, hi)
	req := strata.Prompt("Hi")
	req.MaxOutputTokens = 128000
	_, err := s.model().Generate(t.Context(), req)
	require.NoError(t, err)
	assert.EqualValues(t, 128000, s.asked(t)["max_tokens"])
	assert.Empty(t, s.headers.Get("X-Stainless-Timeout"), "the SDK limits the time")
}
