package exchange_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/exchange"
)

var model = strata.ModelID{Provider: "acme", Name: "a"}

const key = "sk-canary-0123456789"

// ask sends one request through a Transport to a server that answers so.
func ask(t *testing.T, ctx context.Context, handler http.HandlerFunc) (*exchange.Exchange, error) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	x := exchange.New(model)
	req, err := http.NewRequestWithContext(x.Context(ctx), http.MethodPost, server.URL+"/v1?key="+key, strings.NewReader("the prompt"))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	_, err = exchange.Client(server.Client()).Do(req)
	return x, err
}

func TestBytesAreReported(t *testing.T) {
	var heard []int
	ctx := strata.WithTrace(t.Context(), &strata.Trace{Bytes: func(_ context.Context, n int) { heard = append(heard, n) }})
	x, err := ask(t, ctx, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })
	require.NoError(t, err)
	assert.Equal(t, []int{0}, heard, "the head")
	body, err := io.ReadAll(x.Response.Body)
	require.NoError(t, err)
	assert.Equal(t, "hello", string(body))
	sum := 0
	for _, n := range heard {
		sum += n
	}
	assert.Equal(t, 5, sum)
}

// Whatever a server says of a request, its credentials do not come out again.
func TestFailuresHoldNoSecret(t *testing.T) {
	x, err := ask(t, t.Context(), func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "session="+key)
		w.Header().Set("X-Seen", r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"error":{"message":"no such key: `+key+`"}}`)
	})
	require.NoError(t, err)
	require.False(t, x.Succeeded())
	req, resp := x.Bare()
	failed := x.Rejected(t.Context(), func(body []byte) error { return fmt.Errorf("said: %s", body) })
	assert.Equal(t, failure.Auth, failure.Of(failed))
	for _, shown := range []string{fmt.Sprintf("%v %+v %#v", failed, failed, failed), fmt.Sprint(x.Headers), fmt.Sprint(req.URL, req.Header, resp.Header)} {
		assert.NotContains(t, shown, key)
	}
	var e *failure.Error
	require.ErrorAs(t, failed, &e)
	assert.Equal(t, model, e.Model)
	assert.Contains(t, e.Body, "no such key")
}

func TestWhatKindAFailureIs(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	x := exchange.New(model)
	for name, tt := range map[string]struct {
		err   error
		kind  failure.Kind
		cause error
	}{
		"broken":                {x.Broken(t.Context(), io.ErrUnexpectedEOF), failure.Network, io.ErrUnexpectedEOF},
		"broken by the caller":  {x.Broken(ended, errors.New("use of closed network connection")), failure.Aborted, context.Canceled},
		"unfinished":            {x.Unfinished(), failure.Network, io.ErrUnexpectedEOF},
		"empty":                 {x.Empty(), failure.Network, io.ErrUnexpectedEOF},
		"refused":               {x.Refused("refusal"), failure.Content, exchange.ErrRefused},
		"reported":              {x.Reported(`{"error":{"type":"overloaded_error","message":"busy"}}`), failure.Overload, exchange.ErrFailed},
		"reported with no word": {x.Reported(""), failure.Unknown, exchange.ErrFailed},
		"a page":                {x.Malformed([]byte("<html>Just a moment"), errors.New("no JSON")), failure.Unknown, exchange.ErrNoAnswer},
		"half an answer":        {x.Malformed([]byte(`{"text":"Paris is nice`), errors.New("no JSON")), failure.Unknown, exchange.ErrNoAnswer},
		"a request built wrong": {exchange.Invalid(model, "messages[%d]: empty", 2), failure.Invalid, nil},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.kind, failure.Of(tt.err), "%v", tt.err)
			if tt.cause != nil {
				assert.ErrorIs(t, tt.err, tt.cause)
			}
			assert.NotContains(t, fmt.Sprintf("%v %#v", tt.err, tt.err), "Paris")
		})
	}
}

func TestFirstByte(t *testing.T) {
	r := bufio.NewReader(strings.NewReader("\r\n\t {x"))
	b, err := exchange.FirstByte(r)
	require.NoError(t, err)
	assert.Equal(t, byte('{'), b)
	rest, _ := io.ReadAll(r)
	assert.Equal(t, "{x", string(rest), "it was not taken")

	r = bufio.NewReader(strings.NewReader("\ufeff\ndata:"))
	b, err = exchange.FirstByte(r)
	require.NoError(t, err)
	assert.Equal(t, byte('d'), b, "behind a byte order mark")
	b, err = exchange.FirstByte(bufio.NewReader(strings.NewReader("\xef{")))
	require.NoError(t, err)
	assert.Equal(t, byte(0xef), b, "no byte order mark")
	_, err = exchange.FirstByte(bufio.NewReader(strings.NewReader(" \n")))
	assert.Equal(t, io.EOF, err)
}
