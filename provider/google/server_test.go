package google_test

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/google"
)

// key is the API key of every test. It must show nowhere.
const key = "AIza-canary-0123456789"

// server answers every request with its handler and keeps what was asked.
type server struct {
	*httptest.Server
	requests atomic.Int32
	conns    atomic.Int32
	closed   chan struct{} // a value for each connection that the client closed

	mu      sync.Mutex
	body    []byte
	headers http.Header
	path    string
}

func serve(t *testing.T, handler http.HandlerFunc) *server {
	s := &server{closed: make(chan struct{}, 100)}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.body, s.headers, s.path = body, r.Header.Clone(), r.URL.Path
		s.mu.Unlock()
		handler(w, r)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			s.conns.Add(1)
		case http.StateClosed, http.StateHijacked:
			s.closed <- struct{}{}
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// model returns a model that asks the server.
func (s *server) model(opts ...google.Option) *google.Model {
	opts = append([]google.Option{
		google.BaseURL(s.URL),
		google.APIKey(key),
		google.HTTPClient(&http.Client{Transport: &http.Transport{}}),
	}, opts...)
	return google.New("gemini-test", opts...)
}

// asked returns the body of the last request, as JSON.
func (s *server) asked(t *testing.T) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	var body map[string]any
	require.NoError(t, json.Unmarshal(s.body, &body), "the request's body")
	return body
}

// events answers with an event stream of the given data, without an end of its own.
func events(data ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, d := range data {
			fmt.Fprintf(w, "data: %s\n\n", d)
			w.(http.Flusher).Flush()
		}
	}
}

// whole answers with a body.
func whole(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// chunk is an event with the given parts.
func chunk(parts string) string { return ending(parts, "") }

// ending is an event, or a whole answer, with the given parts and a finish reason.
func ending(parts, finish string) string {
	return candidate(`"content":{"role":"model","parts":[`+parts+`]}`, finish)
}

// candidate is an event of a candidate with the given fields and a finish reason.
func candidate(fields, finish string) string {
	if finish != "" {
		fields += `,"finishReason":"` + finish + `"`
	}
	return `{"candidates":[{"index":0,` + fields + `}],"modelVersion":"gemini-test-1","responseId":"r1"}`
}

// used is the last event, with the usage.
const used = `{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP"}],` + usage + `,"modelVersion":"gemini-test-1","responseId":"r1"}`

const usage = `"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"thoughtsTokenCount":2,"cachedContentTokenCount":4,"totalTokenCount":12}`

// collect ranges over a stream and returns its parts and its error. It fails the
// test where the stream breaks its contract.
func collect(t *testing.T, stream iter.Seq2[strata.Part, error]) ([]strata.Part, error) {
	t.Helper()
	var parts []strata.Part
	var failed error
	ended := false
	for part, err := range stream {
		require.False(t, ended, "a part behind the end: %#v", part)
		if err != nil {
			require.Nil(t, part, "a part beside an error")
			ended, failed = true, err
			continue // to see that nothing follows
		}
		require.NotNil(t, part)
		_, ended = part.(strata.Finish)
		parts = append(parts, part)
	}
	require.True(t, ended, "the stream ended with neither a finish nor an error")
	return parts, failed
}

// short writes parts as a test's table does.
func short(parts []strata.Part) string {
	var words []string
	for _, p := range parts {
		switch p := p.(type) {
		case strata.StreamStart:
			words = append(words, "start")
		case strata.ResponseMetadata:
			if p.Usage != nil {
				words = append(words, fmt.Sprintf("usage:%d", p.Usage.OutputTokens))
			} else {
				words = append(words, "meta:"+p.ID)
			}
		case strata.TextStart:
			words = append(words, "text"+p.ID+"{")
		case strata.TextDelta:
			words = append(words, p.Text)
		case strata.TextEnd:
			words = append(words, "}"+p.ID)
		case strata.ReasoningStart:
			words = append(words, "reasoning"+p.ID+"{")
		case strata.ReasoningDelta:
			words = append(words, p.Text)
		case strata.ReasoningEnd:
			words = append(words, "}"+p.ID)
		case strata.ToolInputStart:
			words = append(words, "tool:"+p.Name+"{")
		case strata.ToolInputDelta:
			words = append(words, p.Delta)
		case strata.ToolInputEnd:
			words = append(words, "}tool")
		case strata.ToolCall:
			if p.ProviderExecuted {
				words = append(words, "ran:"+p.Name+p.Input)
			} else {
				words = append(words, "call:"+p.Name+p.Input)
			}
		case strata.ToolResult:
			words = append(words, fmt.Sprintf("result:%s:%s:%v", p.Name, p.Output, p.IsError))
		case strata.Source:
			words = append(words, "source:"+p.URL)
		case strata.File:
			words = append(words, "file:"+p.MediaType+p.URL)
		case strata.Raw:
			words = append(words, "raw")
		case strata.Finish:
			words = append(words, fmt.Sprintf("finish:%s(%s)", p.Reason, p.RawReason))
		default:
			words = append(words, fmt.Sprintf("%T", p))
		}
	}
	return strings.Join(words, " ")
}
