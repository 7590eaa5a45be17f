package openai_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/provider/openai"
)

var errWhy = errors.New("the caller's cause")

// requireFailure returns the failure in err, which must be of the model that was asked.
func requireFailure(t *testing.T, err error) *failure.Error {
	t.Helper()
	e, ok := failure.Find[*failure.Error](err)
	require.True(t, ok, "no failure.Error: %v", err)
	require.Equal(t, "gpt-test", e.Model.Name)
	return e
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
		{"bad key", 401, "", `{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}`, failure.Auth, "Incorrect API key provided"},
		{"throttle", 429, "Retry-After: 3", `{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}`, failure.Rate, "Rate limit reached"},
		{"no messages", 400, "", `{"error":{"message":"[] is too short - 'messages'","type":"invalid_request_error","code":null}}`, failure.Invalid, "[] is too short - 'messages'"},
		{"Azure's filter of the prompt", 400, "", `{"error":{"message":"The response was filtered due to the prompt triggering the content management policy.","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}`, failure.Content, "The response was filtered due to the prompt triggering the content management policy."},
		{"server error", 500, "", `{"error":{"message":"The server had an error","type":"server_error"}}`, failure.Overload, "The server had an error"},
		{"page of a proxy", 502, "Content-Type: text/html", `<html><body>Bad Gateway</body></html>`, failure.Overload, ""},
		{"error that is a string", 503, "", `{"error":"no capacity"}`, failure.Overload, ""},
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
				assert.NotEmpty(t, e.Headers.Get("Content-Type"))
				if test.kind != "" {
					assert.Equal(t, test.kind, failure.Of(err))
				}
				if test.message != "" {
					assert.Equal(t, test.message, e.Message)
				}
				if test.status == 429 {
					assert.EqualValues(t, 3e9, failure.RetryAfter(err))
				}
				var sdkErr *sdk.Error
				require.ErrorAs(t, err, &sdkErr)
				assert.Equal(t, test.status, sdkErr.StatusCode)
				assert.Equal(t, test.message, sdkErr.Message)
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
	{"error event", events(delta(`{"content":"Hi"}`), `{"error":{"message":"Overloaded","type":"overloaded_error","code":529}}`), failure.Overload, nil, "Overloaded", "start meta:c1 text1{ Hi"},
	{"error event before the answer", events(`{"error":{"message":"No capacity","code":"server_error"}}`), failure.Overload, nil, "No capacity", "start"},
	{"error event by its type", whole(200, "text/event-stream", "event: error\ndata: {\"message\":\"No capacity\"}\n\n"), failure.Overload, nil, "No capacity", "start"},
	{"error of a choice", events(delta(`{"content":"Hi"}`), `{"id":"c1","model":"gpt-test-1","choices":[{"delta":{"content":""},"finish_reason":"error","error":{"message":"Upstream broke","code":502}}]}`), failure.Overload, nil, "Upstream broke", "start meta:c1 text1{ Hi"},
	{"finish reason error", events(delta(`{"content":"Hi"}`), finish("error"), done), failure.Overload, nil, "the server ended the answer with an error", "start meta:c1 text1{ Hi"},
	{"error behind the finish reason", events(delta(`{"content":"Hi"}`), finish("stop"), `{"error":{"message":"Late"}}`), failure.Overload, nil, "Late", "start meta:c1 text1{ Hi"},
	{"event that is not JSON", events(delta(`{"content":"Hi"}`), `{"id":`), "", nil, "in place of an answer", "start meta:c1 text1{ Hi"},
	{"event that is text", events(delta(`{"content":"Hi"}`), `upstream connect error`), "", nil, "", "start meta:c1 text1{ Hi"},
	{"tool calls of another form", events(delta(`{"tool_calls":7}`)), "", nil, "in place of an answer", "start meta:c1"},
	{"tool call of another form", events(delta(`{"tool_calls":[{"function":7}]}`)), "", nil, "in place of an answer", "start meta:c1"},
	{"page", whole(200, "text/html", "<html><body>Sign in</body></html>"), "", nil, "", "start"},
	{"no finish reason", events(delta(`{"content":"Hi"}`)), failure.Network, io.ErrUnexpectedEOF, "without a finish reason", "start meta:c1 text1{ Hi"},
	{"no finish reason before [DONE]", events(delta(`{"content":"Hi"}`), usage, done), failure.Network, io.ErrUnexpectedEOF, "without a finish reason", "start meta:c1 text1{ Hi usage:5"},
	{"empty finish reason", events(delta(`{"content":"Hi"}`), finish(""), done), failure.Network, io.ErrUnexpectedEOF, "without a finish reason", "start meta:c1 text1{ Hi"},
	{"half a tool call", events(delta(`{"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":"{}"}}]}`)), failure.Network, io.ErrUnexpectedEOF, "", "start meta:c1 tool:f{ {}"},
	{"empty body", whole(200, "text/event-stream", ""), failure.Network, io.ErrUnexpectedEOF, "", "start"},
	{"cut in mid-stream", cut("data: " + delta(`{"content":"Hi"}`) + "\n\n"), "", io.ErrUnexpectedEOF, "", "start meta:c1 text1{ Hi"},
	{"cut before the first event", cut(" "), "", io.ErrUnexpectedEOF, "", "start"},
	{"cut in a whole answer", cut(`{"id":`), "", io.ErrUnexpectedEOF, "", "start"},
	{"refusal", events(delta(`{"role":"assistant","content":"","refusal":null}`), delta(`{"refusal":"I'm sorry"}`), finish("stop"), done), failure.Content, nil, "refused", "start meta:c1"},
	{"a whole refusal", whole(200, "application/json", message(`{"content":null,"refusal":"I'm sorry"}`, "stop")), failure.Content, nil, "refused", "start"},
	{"content filter", events(finish("content_filter"), usage, done), failure.Content, nil, "refused", "start meta:c1"},
	{"content filter behind reasoning", events(delta(`{"reasoning":"hm"}`), finish("content_filter"), done), failure.Content, nil, "content_filter", "start meta:c1 reasoning1{ hm"},
	{"a whole answer that was filtered", whole(200, "application/json", message(`{"content":""}`, "content_filter")), failure.Content, nil, "content_filter", "start meta:c1"},
	{"a whole error", whole(200, "application/json", `{"error":{"message":"No capacity"}}`), failure.Overload, nil, "No capacity", "start"},
	{"a whole answer without choices", whole(200, "application/json", `{"id":"c1","choices":[]}`), "", nil, "no choices", "start"},
	{"a whole answer that is malformed", whole(200, "application/json", `{"id":"c1","choices":[`), "", nil, "in place of an answer", "start"},
	{"a whole answer without a finish reason", whole(200, "application/json", message(`{"content":"Hi"}`, "")), failure.Network, io.ErrUnexpectedEOF, "", "start meta:c1 text1{ Hi"},
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
			assert.NotContains(t, fmt.Sprintf("%v %+v", err, *e), "sorry", "the answer is in the error")
			assert.EqualValues(t, 1, s.requests.Load())
		})
	}
}

func TestBrokenAnswer(t *testing.T) {
	body := `{"id":"c1","choices":[{"finish_reason":"stop","message":{"content":"the answer`
	tests := []struct {
		name    string
		handler http.HandlerFunc
		kind    failure.Kind
		is      error
		has     string
	}{
		{"refusal", whole(200, "application/json", message(`{"content":null,"refusal":"I'm sorry"}`, "stop")), failure.Content, nil, "refused"},
		{"content filter", whole(200, "application/json", message(`{"content":null,"reasoning":"hm"}`, "content_filter")), failure.Content, nil, "content_filter"},
		{"error", whole(200, "application/json", `{"error":{"message":"No capacity"}}`), failure.Overload, nil, "No capacity"},
		{"error of the choice", whole(200, "application/json", `{"id":"c1","choices":[{"message":{},"error":{"message":"Upstream broke"}}]}`), failure.Overload, nil, "Upstream broke"},
		{"finish reason error", whole(200, "application/json", message(`{"content":""}`, "error")), failure.Overload, nil, "ended the answer with an error"},
		{"no choices", whole(200, "application/json", `{"detail":"try later"}`), "", nil, ""},
		{"page", whole(200, "text/html", "<html>Sign in</html>"), "", nil, ""},
		{"list", whole(200, "application/json", "[]"), "", nil, ""},
		{"malformed", whole(200, "application/json", body), "", nil, "in place of an answer"},
		{"empty", whole(200, "application/json", ""), failure.Network, io.ErrUnexpectedEOF, ""},
		{"keep-alives and no more", whole(200, "application/json", "\n\n \n"), failure.Network, io.ErrUnexpectedEOF, ""},
		{"cut", cut(body), "", io.ErrUnexpectedEOF, ""},
		{"cut against its length", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			cut(body)(w, r)
		}, "", io.ErrUnexpectedEOF, ""},
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
			for _, words := range []string{"sorry", "the answer\""} {
				assert.NotContains(t, fmt.Sprintf("%+v", *e), words, "the answer is in the error")
			}
			assert.EqualValues(t, 1, s.requests.Load())
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
	refused := openai.BaseURL("http://127.0.0.1:1/v1")
	noCredential := openai.RequestOptions(option.WithMiddleware(func(*http.Request, option.MiddlewareNext) (*http.Response, error) {
		return nil, errWhy
	}))
	tests := []struct {
		name  string
		opts  []openai.Option
		check func(t *testing.T, err error)
	}{
		{"credential that cannot be fetched", []openai.Option{noCredential}, func(t *testing.T, err error) {
			assert.ErrorIs(t, err, errWhy)
			assert.NotEqual(t, failure.Invalid, failure.Of(err))
		}},
		{"reset", nil, func(t *testing.T, err error) {
			assert.True(t, errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF), "%v", err)
			var u *url.Error
			assert.ErrorAs(t, err, &u)
		}},
		{"refused", []openai.Option{refused, openai.RequestOptions(option.WithQuery("user", "ann"))}, func(t *testing.T, err error) {
			assert.NotContains(t, err.Error(), "ann", "the query is in the error")
			assert.ErrorIs(t, err, syscall.ECONNREFUSED)
			var op *net.OpError
			assert.ErrorAs(t, err, &op)
		}},
		{"no such host", []openai.Option{openai.BaseURL("http://nowhere.invalid/v1"), openai.HTTPClient(&http.Client{Transport: &http.Transport{
			DialContext: func(_ context.Context, _, addr string) (net.Conn, error) {
				return nil, &net.DNSError{Err: "no such host", Name: addr, IsNotFound: true}
			}}})}, func(t *testing.T, err error) {
			var dns *net.DNSError
			assert.ErrorAs(t, err, &dns)
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

// The key shows nowhere, whatever fails and whatever the server echoes.
func TestKeyNeverShows(t *testing.T) {
	echo := func(status int, stream bool) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Echo", r.Header.Get("Authorization"))
			w.Header().Set("Authorization", r.Header.Get("Authorization"))
			w.Header().Set("Set-Cookie", "k="+key)
			body := fmt.Sprintf(`{"error":{"message":"bad key %s in %s","code":"%s"}}`, key, r.URL.String(), key)
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
		opts    []openai.Option
	}
	query := openai.RequestOptions(option.WithQuery("api_key", key))
	custom := openai.Headers(http.Header{"Api-Key": {key}})
	faults := []fault{
		{"401", echo(401, false), nil},
		{"429", echo(429, false), nil},
		{"500 with the key in the query", echo(500, false), []openai.Option{query}},
		{"key in another header", echo(403, false), []openai.Option{custom}},
		{"HTML", whole(502, "text/html", "<p>"+key+"</p>"), nil},
		{"in-stream error", echo(200, true), nil},
		{"page with 200", whole(200, "text/html", "<p>"+key+"</p>"), nil},
		{"text event", events("bad key " + key), nil},
		{"reset", reset, []openai.Option{query}},
		{"refused", nil, []openai.Option{openai.BaseURL("http://user:" + key + "@127.0.0.1:1/v1"), query}},
		{"cut", cut(" "), []openai.Option{query}},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/?key="+key, http.StatusTemporaryRedirect)
		}, nil},
		{"transport that tells", nil, []openai.Option{openai.HTTPClient(&http.Client{Transport: tellTale{}})}},
		{"option that is no JSON", nil, []openai.Option{openai.RequestOptions(option.WithJSONSet("x", func() {}))}},
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
			for _, m := range []strata.Model{s.model(test.opts...), s.responses(test.opts...)} {
				_, generated := m.Generate(t.Context(), strata.Prompt("the prompt"))
				_, streamed := collect(t, m.Stream(t.Context(), strata.Prompt("the prompt")))
				require.Error(t, streamed)
				for _, err := range []error{generated, streamed} {
					if err != nil {
						requireFailure(t, err)
						requireNoSecret(t, err)
					}
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

func TestErrorOfATransportThatTellsKeepsWhatItIs(t *testing.T) {
	s := serve(t, reset)
	_, err := s.model(openai.HTTPClient(&http.Client{Transport: tellTale{}})).Generate(t.Context(), strata.Prompt("Hi"))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.ErrorContains(t, err, "[redacted]")
}

func TestEchoedKeyIsNotInTheMetadata(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		whole(200, "application/json", message(`{"content":"Hi"}`, "stop"))(w, r)
	})
	resp, err := s.model().Generate(t.Context(), strata.Prompt("Hi"))
	require.NoError(t, err)
	assert.Equal(t, "[redacted]", resp.Metadata.Headers.Get("X-Echo"))
}
