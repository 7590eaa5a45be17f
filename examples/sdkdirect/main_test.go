package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/retry"
)

func TestTheScenesAreAsShown(t *testing.T) {
	var out strings.Builder
	require.NoError(t, rehearse(t.Context(), &out))
	for _, shown := range []string{
		"asks gpt-5, attempt 2", "asks gpt-5-mini, attempt 3", "fails (rate)", "waits 1s (as the server asks: true)",
		"fails (timeout)", "gpt-5-mini: Blue light scatters the most. (error: <nil>)",
	} {
		assert.Contains(t, out.String(), shown)
	}
}

// A scene that does not go as it should is told.
func TestASceneThatGoesWrong(t *testing.T) {
	wrong := scenes[0]
	wrong.primary = modeltest.OK("The sky is green.")
	err := wrong.play(t.Context(), io.Discard)
	for _, what := range []string{"the requests", "who answered", "the answer", "the time"} {
		assert.ErrorContains(t, err, what)
	}
}

// With its retries off the SDK sends one request an attempt.
func TestTheSDKDoesNotRetry(t *testing.T) {
	server := modeltest.NewServer(modeltest.Replies(modeltest.Status(503).Error("unavailable", "busy")))
	defer server.Close()
	_, err := ask(t.Context(), newClient(server), retry.Models(primary))
	var failed *openai.Error
	require.ErrorAs(t, err, &failed, "the SDK's own error")
	assert.Equal(t, http.StatusServiceUnavailable, failed.StatusCode)
	assert.Len(t, server.Requests(), 1)
}

func TestChunks(t *testing.T) {
	for name, test := range map[string]struct {
		body   string
		chunks int
		err    string
	}{
		"whole":      {`data: {"choices":[{"delta":{"content":"hi"}}]}` + "\n\n" + `data: {"choices":[{"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n", 2, ""},
		"just stops": {`data: {"choices":[{"delta":{"content":"hi"}}]}` + "\n\n", 1, io.ErrUnexpectedEOF.Error()},
		"an error":   {`data: {"error":{"message":"overloaded"}}` + "\n\n", 0, "overloaded"},
	} {
		t.Run(name, func(t *testing.T) {
			body := &closing{Reader: strings.NewReader(test.body)}
			n := 0
			var failed error
			for _, err := range chunks(func() *ssestream.Stream[openai.ChatCompletionChunk] {
				return ssestream.NewStream[openai.ChatCompletionChunk](ssestream.NewDecoder(&http.Response{Body: body}), nil)
			}) {
				if failed = err; err == nil {
					n++
				}
			}
			assert.Equal(t, test.chunks, n)
			assert.True(t, body.closed)
			if test.err == "" {
				assert.NoError(t, failed)
			} else {
				assert.ErrorContains(t, failed, test.err)
			}
		})
	}
}

type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }
