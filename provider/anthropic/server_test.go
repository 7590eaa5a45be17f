package anthropic_test

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
	"github.com/strata-go/strata/provider/anthropic"
)

// key is the API key of every test. It must show nowhere.
const key = "sk-ant-canary-0123456789"

// server answers every request with its handler and keeps what was asked.
type server struct {
	*httptest.Server
	requests atomic.Int32
	conns    atomic.Int32

	mu      sync.Mutex
	bodies  []string
	body    []byte // the last
	headers http.Header
	path    string
}

func serve(t *testing.T, handler http.HandlerFunc) *server {
	s := &server{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.body, s.headers, s.path = body, r.Header.Clone(), r.URL.Path
		s.bodies = append(s.bodies, string(body))
		s.mu.Unlock()
		handler(w, r)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.conns.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// model returns a model that asks the server.
func (s *server) model(opts ...anthropic.Option) *anthropic.Model {
	opts = append([]anthropic.Option{
		anthropic.BaseURL(s.URL),
		anthropic.APIKey(key),
		anthropic.HTTPClient(&http.Client{Transport: &http.Transport{}}),
	}, opts...)
	return anthropic.New("claude-test", opts...)
}

// asked returns the body of the last request, as JSON.
func (s *server) asked(t *testing.T) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	var body map[string]any
	require.NoError(t, json.Unmarshal(s.body, &body), "the request's body")
	return body
}

// sse writes events as the wire has them, each under the name of its type.
func sse(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		var e struct{ Type string }
		_ = json.Unmarshal([]byte(d), &e)
		if e.Type != "" {
			fmt.Fprintf(&b, "event: %s\n", e.Type)
		}
		fmt.Fprintf(&b, "data: %s\n\n", d)
	}
	return b.String()
}

// events answers with an event stream of the given data.
func events(data ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, d := range data {
			_, _ = io.WriteString(w, sse(d))
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

// cut answers with the beginning of a chunked body and closes the connection.
func cut(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte(body))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

// Events of the wire.
const (
	begin = `{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"claude-test-1","content":[],"stop_reason":null,"usage":{"input_tokens":3,"cache_read_input_tokens":4,"cache_creation_input_tokens":1,"output_tokens":1}}}`
	ping  = `{"type": "ping"}`
	over  = `{"type":"message_stop"}`
)

func start(block string) string {
	return `{"type":"content_block_start","index":0,"content_block":` + block + `}`
}

func delta(d string) string {
	return `{"type":"content_block_delta","index":0,"delta":` + d + `}`
}

const shut = `{"type":"content_block_stop","index":0}`

func finish(reason string) string {
	return `{"type":"message_delta","delta":{"stop_reason":"` + reason + `","stop_sequence":null},"usage":{"output_tokens":5,"output_tokens_details":{"thinking_tokens":2}}}`
}

// text is a block of text in one piece.
func text(words string) []string {
	return []string{start(`{"type":"text","text":""}`), delta(`{"type":"text_delta","text":"` + words + `"}`), shut}
}

// tool is a tool call whose input comes in pieces.
func tool(id, name string, pieces ...string) []string {
	es := []string{start(`{"type":"tool_use","id":"` + id + `","name":"` + name + `","input":{}}`)}
	for _, p := range pieces {
		piece, _ := json.Marshal(p)
		es = append(es, delta(`{"type":"input_json_delta","partial_json":`+string(piece)+`}`))
	}
	return append(es, shut)
}

// answer is the events of an answer that ends for a reason.
func answer(reason string, blocks ...[]string) []string {
	es := []string{begin}
	for _, b := range blocks {
		es = append(es, b...)
	}
	return append(es, finish(reason), over)
}

// message is a whole answer with the given blocks and stop reason.
func message(content, reason string) string {
	return `{"id":"m1","type":"message","role":"assistant","model":"claude-test-1","content":` + content + `,"stop_reason":"` + reason + `","stop_sequence":null,` +
		`"usage":{"input_tokens":3,"cache_read_input_tokens":4,"cache_creation_input_tokens":1,"output_tokens":5,"output_tokens_details":{"thinking_tokens":2}}}`
}

var usage = strata.Usage{InputTokens: 8, OutputTokens: 5, TotalTokens: 13, CachedInputTokens: 4, CacheWriteTokens: 1, ReasoningTokens: 2}

// hi is a server's whole answer.
var hi = whole(200, "application/json", message(`[{"type":"text","text":"Hello"}]`, "end_turn"))

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
			words = append(words, "meta:"+p.ID)
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
			words = append(words, "call:"+p.Name+p.Input)
		case strata.ToolResult:
			words = append(words, "result:"+p.Name+p.Output)
		case strata.Source:
			words = append(words, "source:"+p.URL+p.Title)
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
