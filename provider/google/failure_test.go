package google_test

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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/provider/google"
)

var errWhy = errors.New("the caller's cause")

// requireFailure returns the failure in err, which must be of the model that was asked.
func requireFailure(t *testing.T, err error) *failure.Error {
	t.Helper()
	e, ok := failure.Find[*failure.Error](err)
	require.True(t, ok, "no failure.Error: %v", err)
	require.Equal(t, "gemini-test", e.Model.Name)
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
		{"bad key", 400, "", `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}`, failure.Auth, "API key not valid. Please pass a valid API key."},
		{"throttle", 429, "Retry-After: 3", `{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED"}}`, "", "Resource has been exhausted (e.g. check quota)."},
		{"no contents", 400, "", `{"error":{"code":400,"message":"* GenerateContentRequest.contents: contents is not specified","status":"INVALID_ARGUMENT"}}`, failure.Invalid, "* GenerateContentRequest.contents: contents is not specified"},
		{"overload in a list", 503, "", `[{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}]`, failure.Overload, "The model is overloaded. Please try again later."},
		{"no such model", 404, "", `{"error":{"code":404,"message":"models/nope is not found for API version v1beta","status":"NOT_FOUND"}}`, failure.Model, "models/nope is not found for API version v1beta"},
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
				var sdkErr genai.APIError
				require.ErrorAs(t, err, &sdkErr)
				assert.Equal(t, test.status, sdkErr.Code)
				assert.Equal(t, test.message, sdkErr.Message)
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
	{"error event", events(chunk(hi), `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`), failure.Overload, nil, "overloaded", "start meta:r1 text1{ Hi"},
	{"error event before the answer", events(`{"error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED"}}`), "", nil, "exhausted", "start"},
	{"error event by its name", whole(200, "text/event-stream", "event: error\ndata: {\"message\":\"No capacity\"}\n\n"), failure.Overload, nil, "No capacity", "start"},
	{"error between the events", whole(200, "text/event-stream", "data: "+chunk(hi)+"\n\n{\n \"error\": {\"code\": 503,\n \"message\": \"No capacity\"\n}}\n"), failure.Overload, nil, "No capacity", "start meta:r1 text1{ Hi"},
	{"error behind the finish reason", events(ending(hi, "STOP"), `{"error":{"message":"Late"}}`), failure.Overload, nil, "Late", "start meta:r1 text1{ Hi"},
	{"a whole error in a list", whole(200, "application/json", `[{"error":{"code":503,"message":"No capacity"}}]`), failure.Overload, nil, "No capacity", "start"},
	{"event that is not JSON", events(chunk(hi), `{"candidates":`), "", nil, "in place of an answer", "start meta:r1 text1{ Hi"},
	{"event that is text", events(chunk(hi), `upstream connect error`), "", nil, "", "start meta:r1 text1{ Hi"},
	{"candidates of another form", events(`{"candidates":7}`), "", nil, "in place of an answer", "start"},
	{"part of another form", events(candidate(`"content":{"parts":[{"functionCall":7}]}`, "")), "", nil, "in place of an answer", "start"},
	{"page", whole(200, "text/html", "<html><body>Sign in</body></html>"), "", nil, "", "start"},
	{"page between the events", whole(200, "text/event-stream", "data: "+chunk(hi)+"\n\n<html>Bye</html>"), "", nil, "", "start meta:r1 text1{ Hi"},
	{"no finish reason", events(chunk(hi)), failure.Network, io.ErrUnexpectedEOF, "without a finish reason", "start meta:r1 text1{ Hi"},
	{"no finish reason before [DONE]", events(chunk(hi), "[DONE]"), failure.Network, io.ErrUnexpectedEOF, "without a finish reason", "start meta:r1 text1{ Hi"},
	{"unspecified finish reason", events(ending(hi, "FINISH_REASON_UNSPECIFIED")), failure.Network, io.ErrUnexpectedEOF, "without a finish reason", "start meta:r1 text1{ Hi"},
	{"a tool call alone", events(chunk(callF)), failure.Network, io.ErrUnexpectedEOF, "", `start meta:r1 tool:f{ {"b":1,"a":2}`},
	{"end within an event", whole(200, "text/event-stream", "data: "+chunk(hi)+"\n\ndata: {\"candi"), failure.Network, io.ErrUnexpectedEOF, "", "start meta:r1 text1{ Hi"},
	{"empty body", whole(200, "text/event-stream", ""), failure.Network, io.ErrUnexpectedEOF, "", "start"},
	{"only keep-alives", whole(200, "text/event-stream", ": keep-alive\n\n: keep-alive\n\n"), failure.Network, io.ErrUnexpectedEOF, "", "start"},
	{"cut in mid-stream", cut("data: " + chunk(hi) + "\n\n"), "", io.ErrUnexpectedEOF, "", "start meta:r1 text1{ Hi"},
	{"cut within an event", cut("data: " + chunk(hi) + "\n\ndata: {\"candi"), failure.Network, io.ErrUnexpectedEOF, "", "start meta:r1 text1{ Hi"},
	{"cut before the first event", cut(" "), "", io.ErrUnexpectedEOF, "", "start"},
	{"cut in a whole answer", cut(`{"candidates":`), "", io.ErrUnexpectedEOF, "", "start"},
	{"blocked prompt", events(`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT","blockReasonMessage":"I'm sorry"},` + usage + `}`), failure.Content, nil, "PROHIBITED_CONTENT", "start meta: "},
	{"blocked prompt, whole", whole(200, "application/json", `{"promptFeedback":{"blockReason":"SAFETY","safetyRatings":[]},"responseId":"r1"}`), failure.Content, nil, "SAFETY", "start meta:r1"},
	{"safety", events(ending(``, "SAFETY")), failure.Content, nil, "SAFETY", "start meta:r1"},
	{"safety behind thoughts", events(chunk(hm), candidate(`"safetyRatings":[{"category":"x","blocked":true}]`, "SAFETY")), failure.Content, nil, "SAFETY", "start meta:r1 reasoning1{ hm }1"},
	{"recitation", events(ending(``, "RECITATION")), failure.Content, nil, "RECITATION", "start meta:r1"},
	{"prohibited content", events(ending(``, "PROHIBITED_CONTENT")), failure.Content, nil, "PROHIBITED_CONTENT", "start meta:r1"},
	{"blocklist", events(ending(``, "BLOCKLIST")), failure.Content, nil, "BLOCKLIST", "start meta:r1"},
	{"personal data", events(ending(``, "SPII")), failure.Content, nil, "SPII", "start meta:r1"},
	{"image safety", events(ending(``, "IMAGE_SAFETY")), failure.Content, nil, "IMAGE_SAFETY", "start meta:r1"},
	{"prohibited image", events(ending(``, "IMAGE_PROHIBITED_CONTENT")), failure.Content, nil, "IMAGE_PROHIBITED_CONTENT", "start meta:r1"},
	{"a whole answer without candidates", whole(200, "application/json", `{"responseId":"r1"}`), "", nil, "no candidates", "start meta:r1"},
	{"a whole answer that is malformed", whole(200, "application/json", `{"candidates":[`), "", nil, "in place of an answer", "start"},
	{"a list that is malformed", whole(200, "application/json", `[{"candidates":[`), "", nil, "in place of an answer", "start"},
	{"a whole answer without a finish reason", whole(200, "application/json", ending(hi, "")), failure.Network, io.ErrUnexpectedEOF, "", "start meta:r1 text1{ Hi }1"},
	{"a line of more than the limit", whole(200, "text/event-stream", "data: "+strings.Repeat("x", 33<<20)), "", bufio.ErrTooLong, "too long", "start"},
	{"an event of more than the limit", whole(200, "text/event-stream", strings.Repeat("data: "+strings.Repeat("x", 1<<20)+"\n", 33)), "", bufio.ErrTooLong, "too long", "start"},
}

// cut sends the head and the beginning of a body, and breaks off.
func cut(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
		_, _ = io.WriteString(w, body)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
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
			assert.Equal(t, strings.TrimSpace(test.parts), strings.TrimSpace(short(parts)))
			assert.NotContains(t, fmt.Sprintf("%v %+v", err, *e), "sorry", "the answer is in the error")
			assert.EqualValues(t, 1, s.requests.Load())
		})
	}
}

func TestBrokenAnswer(t *testing.T) {
	body := `{"candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"the answer`
	tests := []struct {
		name    string
		handler http.HandlerFunc
		kind    failure.Kind
		is      error
		has     string
	}{
		{"blocked prompt", whole(200, "application/json", `{"promptFeedback":{"blockReason":"SAFETY","blockReasonMessage":"I'm sorry"}}`), failure.Content, nil, "SAFETY"},
		{"safety", whole(200, "application/json", ending(``, "SAFETY")), failure.Content, nil, "SAFETY"},
		{"error", whole(200, "application/json", `{"error":{"message":"No capacity"}}`), failure.Overload, nil, "No capacity"},
		{"no candidates", whole(200, "application/json", `{"detail":"try later"}`), "", nil, ""},
		{"page", whole(200, "text/html", "<html>Sign in</html>"), "", nil, ""},
		{"empty list", whole(200, "application/json", "[]"), "", nil, ""},
		{"malformed", whole(200, "application/json", body), "", nil, "in place of an answer"},
		{"empty", whole(200, "application/json", ""), failure.Network, io.ErrUnexpectedEOF, ""},
		{"cut", cut(body), failure.Network, io.ErrUnexpectedEOF, ""},
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
	refused := google.BaseURL("http://127.0.0.1:1")
	noCredential := google.HTTPClient(&http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) { return nil, errWhy })})
	tests := []struct {
		name  string
		opts  []google.Option
		check func(t *testing.T, err error)
	}{
		{"credential that cannot be fetched", []google.Option{noCredential}, func(t *testing.T, err error) {
			assert.ErrorIs(t, err, errWhy)
			assert.NotEqual(t, failure.Invalid, failure.Of(err))
		}},
		{"reset", nil, func(t *testing.T, err error) {
			assert.True(t, errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF), "%v", err)
			var u *url.Error
			assert.ErrorAs(t, err, &u)
		}},
		{"refused", []google.Option{refused}, func(t *testing.T, err error) {
			assert.ErrorIs(t, err, syscall.ECONNREFUSED)
			var op *net.OpError
			assert.ErrorAs(t, err, &op)
		}},
		{"no such host", []google.Option{google.BaseURL("http://nowhere.invalid"), google.HTTPClient(&http.Client{Transport: &http.Transport{
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
			w.Header().Set("X-Echo", r.Header.Get("X-Goog-Api-Key"))
			w.Header().Set("X-Api-Key", r.Header.Get("X-Goog-Api-Key"))
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
		opts    []google.Option
	}
	custom := google.Headers(http.Header{"Authorization": {"Bearer " + key}})
	address := google.BaseURL("http://user:" + key + "@127.0.0.1:1")
	faults := []fault{
		{"401", echo(401, false), nil},
		{"429", echo(429, false), nil},
		{"500", echo(500, false), nil},
		{"key in another header", echo(403, false), []google.Option{custom}},
		{"HTML", whole(502, "text/html", "<p>"+key+"</p>"), nil},
		{"in-stream error", echo(200, true), nil},
		{"page with 200", whole(200, "text/html", "<p>"+key+"</p>"), nil},
		{"text event", events("bad key " + key), nil},
		{"reset", reset, nil},
		{"refused", nil, []google.Option{address}},
		{"cut", cut(" "), nil},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/?key="+key, http.StatusTemporaryRedirect)
		}, nil},
		{"transport that tells", nil, []google.Option{google.HTTPClient(&http.Client{Transport: tellTale{}})}},
	}
	for _, test := range brokenAnswers[:len(brokenAnswers)-2] {
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

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

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
	case genai.APIError:
		fmt.Fprintf(&shown, "%+v\n%#v\n", e, e)
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
	_, err := s.model(google.HTTPClient(&http.Client{Transport: tellTale{}})).Generate(t.Context(), strata.Prompt("Hi"))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.ErrorContains(t, err, "[redacted]")
}

func TestEchoedKeyIsNotInTheMetadata(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Echo", r.Header.Get("X-Goog-Api-Key"))
		whole(200, "application/json", ending(hi, "STOP"))(w, r)
	})
	resp, err := s.model().Generate(t.Context(), strata.Prompt("Hi"))
	require.NoError(t, err)
	assert.Equal(t, "[redacted]", resp.Metadata.Headers.Get("X-Echo"))
}
