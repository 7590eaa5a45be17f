package anthropic_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/provider/anthropic"
)

// requireFailure returns the failure in err, which must be of the model that was asked.
func requireFailure(t *testing.T, err error) *failure.Error {
	t.Helper()
	e, ok := failure.Find[*failure.Error](err)
	require.True(t, ok, "no failure.Error: %v", err)
	require.Equal(t, strata.ModelID{Provider: "anthropic", Name: "claude-test"}, e.Model)
	return e
}

func problem(kind, words string) string {
	return `{"type":"error","error":{"type":"` + kind + `","message":"` + words + `"},"request_id":"r1"}`
}

// Failures of the response's status are told alike by both ways of asking.
func TestFailedStatus(t *testing.T) {
	tests := []struct {
		name    string
		status  int
		header  string // of the response, "name: value"
		body    string
		kind    failure.Kind
		message string
	}{
		{"bad request", 400, "", problem("invalid_request_error", "max_tokens: must be positive"), failure.Invalid, "max_tokens: must be positive"},
		{"too long", 400, "", problem("invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"), failure.Context, "prompt is too long: 208310 tokens > 200000 maximum"},
		{"no credit", 400, "", problem("invalid_request_error", "Your credit balance is too low to access the Anthropic API."), failure.Quota, "Your credit balance is too low to access the Anthropic API."},
		{"bad key", 401, "", problem("authentication_error", "invalid x-api-key"), failure.Auth, "invalid x-api-key"},
		{"billing", 402, "", problem("billing_error", "no payment"), failure.Quota, "no payment"},
		{"forbidden", 403, "", problem("permission_error", "not allowed"), "", "not allowed"},
		{"no such model", 404, "", problem("not_found_error", "model: claude-test"), failure.Model, "model: claude-test"},
		{"too large", 413, "", problem("request_too_large", "Request exceeds the maximum size"), failure.Context, "Request exceeds the maximum size"},
		{"throttle", 429, "Retry-After: 3", problem("rate_limit_error", "Rate limited"), failure.Rate, "Rate limited"},
		{"server error", 500, "", problem("api_error", "Internal server error"), failure.Overload, "Internal server error"},
		{"timeout", 504, "", problem("timeout_error", "timed out"), failure.Timeout, "timed out"},
		{"overloaded", 529, "X-Should-Retry: true", problem("overloaded_error", "Overloaded"), failure.Overload, "Overloaded"},
		{"page of a proxy", 502, "Content-Type: text/html", `<html><body>Bad Gateway</body></html>`, failure.Overload, ""},
		{"empty body", 500, "", ``, failure.Overload, ""},
		{"body that is no JSON", 500, "", `oops`, failure.Overload, ""},
		{"redirect to nowhere", 302, "", `moved`, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				contentType := "application/json"
				if name, value, ok := strings.Cut(test.header, ": "); ok {
					w.Header().Set(name, value)
					if name == "Content-Type" {
						contentType = value
					}
				}
				w.Header().Set("Request-Id", "r1")
				whole(test.status, contentType, test.body)(w, r)
			})
			_, generated := s.model().Generate(t.Context(), &strata.Request{})
			parts, streamed := collect(t, s.model().Stream(t.Context(), &strata.Request{}))
			assert.Empty(t, parts, "a part before the failure")
			for _, err := range []error{generated, streamed} {
				e := requireFailure(t, err)
				assert.Equal(t, test.status, e.Status)
				assert.False(t, e.InStream)
				assert.Equal(t, test.body, e.Body)
				assert.Equal(t, "r1", e.Headers.Get("Request-Id"))
				if test.kind != "" {
					assert.Equal(t, test.kind, failure.Of(err))
				}
				if test.message != "" {
					assert.Equal(t, test.message, e.Message)
				}
				if test.status == 429 {
					assert.Equal(t, 3*time.Second, failure.RetryAfter(err))
				}
				var sdkErr *sdk.Error
				require.ErrorAs(t, err, &sdkErr)
				assert.Equal(t, test.status, sdkErr.StatusCode)
				assert.Equal(t, test.message, sdkErr.Message)
				assert.Equal(t, "r1", sdkErr.RequestID)
				assert.NotPanics(t, func() { sdkErr.DumpRequest(true); sdkErr.DumpResponse(true) })
			}
			assert.EqualValues(t, 2, s.requests.Load(), "the SDK retried")
		})
	}
}

// brokenAnswers are faults inside or instead of a response of success.
var brokenAnswers = []struct {
	name    string
	handler http.HandlerFunc
	kind    failure.Kind // empty: as package failure finds
	is      error
	has     string // of the message
	parts   string // that came before, of a stream
}{
	{"error event", events(begin, delta(`{"type":"text_delta","text":"Hi"}`), problem("overloaded_error", "Overloaded")), failure.Overload, nil, "Overloaded", "start meta:m1 text1{ Hi"},
	{"error event before the answer", events(problem("api_error", "No capacity")), failure.Overload, nil, "No capacity", "start"},
	{"throttle in a stream", events(begin, problem("rate_limit_error", "Slow down")), failure.Rate, nil, "Slow down", "start meta:m1"},
	{"error event by its name", whole(200, "text/event-stream", "event: error\ndata: {\"message\":\"No capacity\"}\n\n"), failure.Overload, nil, "No capacity", "start"},
	{"error event without a type", events(`{"error":{"message":"No capacity"}}`), failure.Overload, nil, "No capacity", "start"},
	{"error behind the stop reason", events(begin, finish("end_turn"), problem("api_error", "Late")), failure.Overload, nil, "Late", "start meta:m1"},
	{"event that is not JSON", events(begin, delta(`{"type":"text_delta","text":"Hi"}`), `{"type":`), "", nil, "in place of an answer", "start meta:m1 text1{ Hi"},
	{"event that is text", events(begin, `upstream connect error`), "", nil, "", "start meta:m1"},
	{"block of another form", events(begin, start(`7`)), "", nil, "in place of an answer", "start meta:m1"},
	{"no block", events(begin, `{"type":"content_block_start"}`), "", nil, "in place of an answer", "start meta:m1"},
	{"page", whole(200, "text/html", "<html><body>Sign in</body></html>"), "", nil, "", "start"},
	{"no stop reason", events(append([]string{begin}, text("Hi")...)...), failure.Network, io.ErrUnexpectedEOF, "without a finish reason", "start meta:m1 text1{ Hi }1"},
	{"no stop reason before the end", events(append(append([]string{begin}, text("Hi")...), over)...), failure.Network, io.ErrUnexpectedEOF, "without a finish reason", "start meta:m1 text1{ Hi }1"},
	{"half a tool call", events(append([]string{begin}, tool("t", "f", "{}")...)...), failure.Network, io.ErrUnexpectedEOF, "", "start meta:m1 tool:f{ {}"},
	{"empty body", whole(200, "text/event-stream", ""), failure.Network, io.ErrUnexpectedEOF, "", "start"},
	{"only pings", events(ping, ping), failure.Network, io.ErrUnexpectedEOF, "", "start"},
	{"cut in mid-stream", cut(sse(begin, delta(`{"type":"text_delta","text":"Hi"}`))), "", io.ErrUnexpectedEOF, "", "start meta:m1 text1{ Hi"},
	{"cut before the first event", cut(" "), "", io.ErrUnexpectedEOF, "", "start"},
	{"cut in a whole answer", cut(`{"id":`), "", io.ErrUnexpectedEOF, "", "start"},
	{"refusal", events(answer("refusal")...), failure.Content, nil, "refused", "start meta:m1"},
	{"refusal behind an empty text", events(answer("refusal", text(""))...), failure.Content, nil, "refused", "start meta:m1"},
	{"refusal behind thinking", events(answer("refusal", thinking("hm", "sig"))...), failure.Content, nil, "refused", "start meta:m1 reasoning1{ hm }1"},
	{"a whole refusal", whole(200, "application/json", message(`[{"type":"thinking","thinking":"hm","signature":"s"}]`, "refusal")), failure.Content, nil, "refused", "start"},
	{"a whole error", whole(200, "application/json", problem("overloaded_error", "No capacity")), failure.Overload, nil, "No capacity", "start"},
	{"a whole answer without content", whole(200, "application/json", `{"detail":"try later"}`), "", nil, "", "start"},
	{"a whole answer that is malformed", whole(200, "application/json", `{"id":"m1","content":[`), "", nil, "in place of an answer", "start"},
	{"a whole answer with a block of another form", whole(200, "application/json", message(`[7]`, "end_turn")), "", nil, "in place of an answer", "start"},
	{"a whole answer without a stop reason", whole(200, "application/json", message(`[{"type":"text","text":"Hi"}]`, "")), failure.Network, io.ErrUnexpectedEOF, "", "start meta:m1 text1{ Hi"},
	{"a line of more than the limit", whole(200, "text/event-stream", "data: "+strings.Repeat("x", 33<<20)), "", bufio.ErrTooLong, "too long", "start"},
}

func TestBrokenStream(t *testing.T) {
	for _, test := range brokenAnswers {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, test.handler)
			parts, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
			e := requireFailure(t, err)
			assert.Equal(t, 200, e.Status)
			assert.True(t, e.InStream)
			if test.kind != "" {
				assert.Equal(t, test.kind, failure.Of(err))
			}
			if test.is != nil {
				assert.ErrorIs(t, err, test.is)
			}
			assert.ErrorContains(t, err, test.has)
			assert.Equal(t, test.parts, short(parts))
			assert.EqualValues(t, 1, s.requests.Load())
		})
	}
}

func TestBrokenAnswer(t *testing.T) {
	half := `{"id":"m1","content":[{"type":"text","text":"the answer`
	tests := []struct {
		name    string
		handler http.HandlerFunc
		kind    failure.Kind
		is      error
		has     string
	}{
		{"refusal", whole(200, "application/json", message(`[]`, "refusal")), failure.Content, nil, "refused"},
		{"error", whole(200, "application/json", problem("overloaded_error", "No capacity")), failure.Overload, nil, "No capacity"},
		{"no content", whole(200, "application/json", `{"detail":"try later"}`), "", nil, ""},
		{"page", whole(200, "text/html", "<html>Sign in</html>"), "", nil, ""},
		{"list", whole(200, "application/json", "[]"), "", nil, ""},
		{"malformed", whole(200, "application/json", half), "", nil, "in place of an answer"},
		{"empty", whole(200, "application/json", ""), failure.Network, io.ErrUnexpectedEOF, ""},
		{"cut", cut(half), "", io.ErrUnexpectedEOF, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, test.handler)
			resp, err := s.model().Generate(t.Context(), strata.Prompt("Hi"))
			assert.Nil(t, resp)
			e := requireFailure(t, err)
			assert.Equal(t, 200, e.Status)
			if test.kind != "" {
				assert.Equal(t, test.kind, failure.Of(err))
			}
			if test.is != nil {
				assert.ErrorIs(t, err, test.is)
			}
			assert.ErrorContains(t, err, test.has)
			assert.NotContains(t, fmt.Sprintf("%+v", *e), "the answer\"", "the answer is in the error")
			assert.EqualValues(t, 1, s.requests.Load())
		})
	}
}

// What providers are known to have sent is of the kind it should be.
func TestKnownErrors(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "cases", "errors.jsonl"))
	if os.IsNotExist(err) {
		t.Skipf("no cases: %v", err)
	}
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		var c struct {
			ID, Provider, Body string
			Status             int
			Headers            map[string]string
			InStream           bool   `json:"in_stream"`
			Kind               string `json:"want_kind"`
			RetryAfter         int64  `json:"want_retry_after_ms"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &c))
		if c.Provider != "anthropic" || c.Status == 0 && !c.InStream {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				for k, v := range c.Headers {
					w.Header().Set(k, v)
				}
				if c.InStream {
					events(begin, c.Body)(w, r)
					return
				}
				whole(c.Status, "application/json", c.Body)(w, r)
			})
			_, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
			assert.Equal(t, failure.Kind(c.Kind), failure.Of(err), "%v", err)
			if c.RetryAfter > 0 {
				assert.Equal(t, time.Duration(c.RetryAfter)*time.Millisecond, failure.RetryAfter(err))
			}
		})
	}
}

// reset closes the connection so that the client gets a reset.
func reset(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
}

func TestBrokenTransport(t *testing.T) {
	errWhy := errors.New("no token today")
	tests := []struct {
		name  string
		opts  []anthropic.Option
		check func(t *testing.T, err error)
	}{
		{"credential that cannot be fetched", []anthropic.Option{anthropic.RequestOptions(option.WithMiddleware(
			func(*http.Request, option.MiddlewareNext) (*http.Response, error) { return nil, errWhy }))}, func(t *testing.T, err error) {
			assert.ErrorIs(t, err, errWhy)
			assert.NotEqual(t, failure.Invalid, failure.Of(err))
		}},
		{"reset", nil, func(t *testing.T, err error) {
			assert.True(t, errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF), "%v", err)
			assert.Equal(t, failure.Network, failure.Of(err))
		}},
		{"refused", []anthropic.Option{anthropic.BaseURL("http://127.0.0.1:1"), anthropic.RequestOptions(option.WithQuery("user", "ann"))}, func(t *testing.T, err error) {
			assert.NotContains(t, err.Error(), "ann", "the query is in the error")
			assert.ErrorIs(t, err, syscall.ECONNREFUSED)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, reset)
			m := s.model(test.opts...)
			_, generated := m.Generate(t.Context(), strata.Prompt("Hi"))
			parts, streamed := collect(t, m.Stream(t.Context(), strata.Prompt("Hi")))
			assert.Empty(t, parts)
			for _, err := range []error{generated, streamed} {
				e := requireFailure(t, err)
				assert.Zero(t, e.Status)
				assert.False(t, e.InStream)
				test.check(t, err)
			}
			assert.LessOrEqual(t, s.requests.Load(), int32(2), "the SDK retried")
		})
	}
}

// A second try sends the body whole again.
func TestSecondTryIsSentWhole(t *testing.T) {
	var s *server
	s = serve(t, func(w http.ResponseWriter, r *http.Request) {
		if s.requests.Load()%2 == 1 {
			w.Header().Set("Retry-After-Ms", "1")
			whole(529, "application/json", problem("overloaded_error", "Overloaded"))(w, r)
			return
		}
		if strings.Contains(string(s.body), `"stream":true`) {
			events(answer("end_turn", text("Hi"))...)(w, r)
			return
		}
		hi(w, r)
	})
	m := middleware.Backoff(middleware.Attempts(2))(s.model())
	req := messages(of(strata.RoleUser, strata.Image{MediaType: "image/png", Data: make([]byte, 1<<20)}))
	_, err := m.Generate(t.Context(), req)
	require.NoError(t, err)
	_, err = collect(t, m.Stream(t.Context(), req))
	require.NoError(t, err)
	require.Len(t, s.bodies, 4)
	assert.Equal(t, s.bodies[0], s.bodies[1])
	assert.Equal(t, s.bodies[2], s.bodies[3])
	assert.Greater(t, len(s.bodies[0]), 1<<20)
}

// The key shows nowhere, whatever fails and whatever the server echoes.
func TestKeyNeverShows(t *testing.T) {
	echo := func(status int, stream bool) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Echo", r.Header.Get("Authorization"))
			w.Header().Set("X-Api-Key", key)
			w.Header().Set("Set-Cookie", "k="+key)
			body := problem("authentication_error", "bad key "+key+" in "+r.URL.String())
			if stream {
				events(body)(w, r)
				return
			}
			whole(status, "application/json", body)(w, r)
		}
	}
	type fault struct {
		name    string
		handler http.HandlerFunc
		opts    []anthropic.Option
	}
	query := anthropic.RequestOptions(option.WithQuery("api_key", key))
	faults := []fault{
		{"401", echo(401, false), nil},
		{"429", echo(429, false), nil},
		{"500 with the key in the query", echo(500, false), []anthropic.Option{query}},
		{"key in the older header", echo(403, false), []anthropic.Option{anthropic.Headers(http.Header{"X-Api-Key": {key}})}},
		{"HTML", whole(502, "text/html", "<p>"+key+"</p>"), nil},
		{"in-stream error", echo(200, true), nil},
		{"page with 200", whole(200, "text/html", "<p>"+key+"</p>"), nil},
		{"text event", events("bad key " + key), nil},
		{"reset", reset, []anthropic.Option{query}},
		{"refused", nil, []anthropic.Option{anthropic.BaseURL("http://user:" + key + "@127.0.0.1:1/"), query}},
		{"transport that tells", nil, []anthropic.Option{anthropic.HTTPClient(&http.Client{Transport: tellTale{}})}},
		{"option that is no JSON", nil, []anthropic.Option{anthropic.RequestOptions(option.WithJSONSet("x", func() {}))}},
	}
	for _, test := range brokenAnswers[:len(brokenAnswers)-1] {
		faults = append(faults, fault{"stream: " + test.name, test.handler, nil})
	}
	for _, test := range faults {
		t.Run(test.name, func(t *testing.T) {
			handler := test.handler
			if handler == nil {
				handler = reset
			}
			s := serve(t, handler)
			m := s.model(test.opts...)
			_, generated := m.Generate(t.Context(), strata.Prompt("the prompt"))
			_, streamed := collect(t, m.Stream(t.Context(), strata.Prompt("the prompt")))
			require.Error(t, streamed)
			for _, err := range []error{generated, streamed} {
				if err != nil {
					requireFailure(t, err)
					requireNoSecret(t, err)
				}
			}
		})
	}
}

// tellTale is a transport whose error holds what it was given.
type tellTale struct{}

func (tellTale) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("cannot send %v: %w", r.Header, io.ErrUnexpectedEOF)
}

// requireNoSecret looks for the key and the prompt in all that an error shows.
func requireNoSecret(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var shown strings.Builder
	fmt.Fprintf(&shown, "%v\n%+v\n%#v\n%s\n%q\n", err, err, err, err, err)
	switch e := err.(type) {
	case *failure.Error:
		fmt.Fprintf(&shown, "%+v\n%#v\n%v\n", *e, *e, e.Headers)
	case *sdk.Error:
		fmt.Fprintf(&shown, "%+v\n%#v\n%s\n", *e, *e, e.RawJSON())
		fmt.Fprintf(&shown, "%+v\n%+v\n", *e.Request, *e.Response)
		shown.Write(e.DumpRequest(true))
		shown.Write(e.DumpResponse(true))
	case *url.Error:
		fmt.Fprintf(&shown, "%+v\n", *e)
	}
	if b, err := json.Marshal(err); err == nil {
		shown.Write(b)
	}
	require.NotContains(t, shown.String(), key)
	require.NotContains(t, shown.String(), "the prompt")
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		requireNoSecret(t, e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			requireNoSecret(t, inner)
		}
	}
}

func TestEchoedKeyIsNotInTheMetadata(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		hi(w, r)
	})
	resp, err := s.model().Generate(t.Context(), strata.Prompt("Hi"))
	require.NoError(t, err)
	assert.Equal(t, "[redacted]", resp.Metadata.Headers.Get("X-Echo"))
}
