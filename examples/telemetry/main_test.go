package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheTreeIsAsShown(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "")
	var out bytes.Buffer
	require.NoError(t, rehearse(t.Context(), &out))
	assert.Contains(t, out.String(), "Blue light scatters the most.")
	assert.Contains(t, out.String(), "attempt gpt-5-mini layer=fallback outcome=success")
}

// Where the environment names a collector, it gets the spans.
func TestSpansAreExported(t *testing.T) {
	posted := make(chan string, 10)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if assert.NoError(t, err) && bytes.Contains(body, []byte("attempt gpt-5-mini")) {
			posted <- req.URL.Path
		}
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	require.NoError(t, rehearse(t.Context(), io.Discard))
	require.NotEmpty(t, posted)
	assert.Equal(t, "/v1/traces", <-posted)
}
