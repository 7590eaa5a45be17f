// Package wires_test asks over fantasy's own providers. It is a module of its own,
// outside the workspace: they need older versions of the SDKs than strata's
// adapters.
package wires_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "charm.land/fantasy"
	"charm.land/fantasy/providers/anthropic"
	"charm.land/fantasy/providers/google"
	"charm.land/fantasy/providers/openai"
	"charm.land/fantasy/providers/openaicompat"
	"charm.land/fantasy/providers/openrouter"
	"charm.land/fantasy/providers/vercel"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/provider/fantasy"
)

// key is the API key of every test. It must show nowhere.
const key = "sk-canary-0123456789abcdef"

// wire makes fantasy models that ask a server at an address, over a client.
type wire func(base string, client *http.Client) (sdk.Provider, error)

var wires = map[string]wire{
	"openai-chat": func(base string, client *http.Client) (sdk.Provider, error) {
		return openaicompat.New(openaicompat.WithBaseURL(base), openaicompat.WithAPIKey(key), openaicompat.WithHTTPClient(client))
	},
	"openai": func(base string, client *http.Client) (sdk.Provider, error) {
		return openai.New(openai.WithBaseURL(base), openai.WithAPIKey(key), openai.WithHTTPClient(client))
	},
	"openai-responses": func(base string, client *http.Client) (sdk.Provider, error) {
		return openai.New(openai.WithBaseURL(base), openai.WithAPIKey(key), openai.WithHTTPClient(client), openai.WithUseResponsesAPI())
	},
	"openrouter": func(base string, client *http.Client) (sdk.Provider, error) {
		return openrouter.New(openrouter.WithAPIKey(key), openrouter.WithHTTPClient(to(base, client)))
	},
	"vercel": func(base string, client *http.Client) (sdk.Provider, error) {
		return vercel.New(vercel.WithBaseURL(base), vercel.WithAPIKey(key), vercel.WithHTTPClient(client))
	},
	"anthropic": func(base string, client *http.Client) (sdk.Provider, error) {
		return anthropic.New(anthropic.WithBaseURL(base), anthropic.WithAPIKey(key), anthropic.WithHTTPClient(client))
	},
	"gemini": func(base string, client *http.Client) (sdk.Provider, error) {
		return google.New(google.WithBaseURL(base), google.WithGeminiAPIKey(key), google.WithHTTPClient(client))
	},
}

// to returns a client that sends every request to the server at base, for a
// provider whose address is fixed.
func to(base string, client *http.Client) *http.Client {
	c := *client
	next := c.Transport
	c.Transport = roundTrip(func(req *http.Request) (*http.Response, error) {
		req = req.Clone(req.Context())
		req.URL.Scheme, req.URL.Host = "http", strings.TrimPrefix(strings.SplitN(base, "/v", 2)[0], "http://")
		return next.RoundTrip(req)
	})
	return &c
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// languageModel returns fantasy's model of the wire.
func languageModel(t *testing.T, wireName, base, model string, client *http.Client) sdk.LanguageModel {
	t.Helper()
	if client == nil {
		client = &http.Client{Transport: &http.Transport{}}
		t.Cleanup(client.CloseIdleConnections)
	}
	provider, err := wires[wireName](base, fantasy.HTTPClient(client))
	require.NoError(t, err)
	lm, err := provider.LanguageModel(context.Background(), model)
	require.NoError(t, err)
	return lm
}

// serve answers every request with the handler.
func serve(t *testing.T, handler http.HandlerFunc) string {
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL
}
