package modeltest_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
)

const (
	streamed        = `{"model":"gpt-5","stream":true}`
	streamedUsage   = `{"model":"gpt-5","stream":true,"stream_options":{"include_usage":true}}`
	whole           = `{"model":"gpt-5"}`
	eventStream     = "text/event-stream"
	applicationJSON = "application/json"
)

// newServer starts a server, and closes it when the test ends, with a proof
// that no goroutine of it is left.
func newServer(t *testing.T, opts ...modeltest.ServerOption) *modeltest.Server {
	t.Helper()
	srv := modeltest.NewServer(opts...)
	t.Cleanup(func() {
		srv.Close()
		var left string
		ended := assert.Eventually(t, func() bool { left = serverGoroutines(); return left == "" }, 5*time.Second, time.Millisecond)
		if !ended {
			t.Log(left)
		}
	})
	return srv
}

// serverGoroutines returns the stacks of the goroutines that a server or its
// client started.
func serverGoroutines() string {
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	var left []string
	for _, stack := range strings.Split(string(all), "\n\n") {
		if strings.Contains(stack, "created by net/http.") || strings.Contains(stack, "modeltest.(*Server)") {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

// await is a context for what must happen soon.
func await(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func request(ctx context.Context, t *testing.T, srv *modeltest.Server, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL+"/chat/completions", strings.NewReader(body))
	require.NoError(t, err)
	return r
}

// seen is what a client sees of a reply.
type seen struct {
	status      int
	contentType string
	body        string
	err         error // of the request, or of reading the body
}

var created = regexp.MustCompile(`"created":[1-9][0-9]*`)

func ask(t *testing.T, srv *modeltest.Server, body string) seen {
	t.Helper()
	resp, err := srv.Client().Do(request(await(t), t, srv, body))
	if err != nil {
		return seen{err: err}
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	return seen{
		status:      resp.StatusCode,
		contentType: resp.Header.Get("Content-Type"),
		body:        created.ReplaceAllString(string(got), `"created":0`),
		err:         err,
	}
}

// The bodies that the tests expect, piece by piece.

func event(data string) string { return "data: " + data + "\n\n" }

func chunk(delta string) string { return chunkFinish(delta, "null") }

func chunkFinish(delta, reason string) string {
	return event(`{"id":"chatcmpl-0","object":"chat.completion.chunk","created":0,"model":"gpt-5","choices":[` +
		`{"index":0,"delta":` + delta + `,"logprobs":null,"finish_reason":` + reason + `}]}`)
}

func completion(message, reason string) string {
	return `{"id":"chatcmpl-0","object":"chat.completion","created":0,"model":"gpt-5","choices":[` +
		`{"index":0,"message":` + message + `,"logprobs":null,"finish_reason":` + reason + `}]}`
}

const (
	failed  = `{"error":{"message":"try again","type":"server_error","param":null,"code":"server_error"}}`
	badGate = "<!DOCTYPE html>\n<html>\n<head><title>Bad Gateway</title></head>\n<body><h1>Bad Gateway</h1></body>\n</html>\n"
	html    = "text/html; charset=utf-8"
)

var (
	opened = chunk(`{"content":"","role":"assistant"}`)
	sky    = opened + chunk(`{"content":"The sky"}`)
	stop   = chunkFinish(`{}`, `"stop"`)
	done   = event("[DONE]")
	broken = strings.TrimSpace(strings.TrimPrefix(chunk(`{"content":"malformed"}`), "data: "))
)

func TestStreamedReplies(t *testing.T) {
	const rate = `{"error":{"message":"slow down","type":"rate_limit_exceeded","param":null,"code":"rate_limit_exceeded"}}`
	for _, tt := range []struct {
		name  string
		reply modeltest.Reply
		want  seen
	}{
		{"an answer", modeltest.OK("The sky", " is blue."),
			seen{200, eventStream, sky + chunk(`{"content":" is blue."}`) + stop + done, nil}},
		{"the zero reply", modeltest.Reply{}, seen{200, eventStream, "", nil}},
		{"reasoning", modeltest.Send().Reasoning("Hm.", " So"),
			seen{200, eventStream, opened + chunk(`{"reasoning_content":"Hm."}`) + chunk(`{"reasoning_content":" So"}`), nil}},
		{"a refusal", modeltest.Send().Refusal("I can't", " help").Finish("stop").Done(),
			seen{200, eventStream, opened + chunk(`{"refusal":"I can't"}`) + chunk(`{"refusal":" help"}`) + stop + done, nil}},
		{"tool calls in pieces", modeltest.Send().ToolCall("c1", "f", `{"a":`, `1}`).ToolCall("c2", "g").Finish(strata.FinishToolCalls).Done(),
			seen{200, eventStream, opened +
				chunk(`{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":""}}]}`) +
				chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}}]}`) +
				chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}`) +
				chunk(`{"tool_calls":[{"index":1,"id":"c2","type":"function","function":{"name":"g","arguments":""}}]}`) +
				chunkFinish(`{}`, `"tool_calls"`) + done, nil}},
		{"a finish in the API's word", modeltest.Send().Finish("insufficient_system_resource"),
			seen{200, eventStream, opened + chunkFinish(`{}`, `"insufficient_system_resource"`), nil}},
		{"a finish in ours", modeltest.Send().Finish(strata.FinishContentFilter),
			seen{200, eventStream, opened + chunkFinish(`{}`, `"content_filter"`), nil}},
		{"usage that nobody asked for", modeltest.Send().Usage(strata.Usage{InputTokens: 1}).Done(), seen{200, eventStream, done, nil}},
		{"an opening event alone", modeltest.Send().Open().Open(), seen{200, eventStream, opened, nil}},

		{"an error body", modeltest.Status(429).Error("rate_limit_exceeded", "slow down"), seen{429, applicationJSON, rate, nil}},
		{"a body of choice", modeltest.Status(503).Body("text/plain", "no capacity"), seen{503, "text/plain", "no capacity", nil}},
		{"a page for an error", modeltest.Status(502).HTML("Bad Gateway"), seen{502, html, badGate, nil}},
		{"a page for an answer", modeltest.Send().HTML("Bad Gateway"), seen{200, html, badGate, nil}},
		{"a page is escaped", modeltest.Status(500).HTML("<b>"), seen{500, html, strings.ReplaceAll(badGate, "Bad Gateway", "&lt;b&gt;"), nil}},

		{"comments", modeltest.Send().Comment("ping").Text("The sky").Comment("a\nb"),
			seen{200, eventStream, ": ping\n\n" + sky + ": a\n: b\n\n", nil}},
		{"comments for a time", modeltest.Send().KeepAlive(2*time.Millisecond, 7*time.Millisecond).Done(),
			seen{200, eventStream, strings.Repeat(": ping\n\n", 4) + done, nil}},
		{"an error in the stream", modeltest.Send("The sky").Error("server_error", "try again"),
			seen{200, eventStream, sky + event(failed), nil}},
		{"an error first in the stream", modeltest.Send().Error("server_error", "try again").Done(),
			seen{200, eventStream, event(failed) + done, nil}},
		{"an event of choice", modeltest.Send().Event("{\"error\":\n\"boom\"}"),
			seen{200, eventStream, "data: {\"error\":\ndata: \"boom\"}\n\n", nil}},
		{"malformed JSON", modeltest.Send("The sky").Malformed().Text("!"),
			seen{200, eventStream, sky + event(half(broken)) + chunk(`{"content":"!"}`), nil}},
		{"a huge event", modeltest.Send().Huge(4 << 20),
			seen{200, eventStream, opened + chunk(`{"content":"`+strings.Repeat("x", 4<<20)+`"}`), nil}},
		{"no finish, but an end", modeltest.Send("The sky").Done(), seen{200, eventStream, sky + done, nil}},
		{"a finish, but no end", modeltest.Send("The sky").Finish("stop"), seen{200, eventStream, sky + stop, nil}},
		{"neither", modeltest.Send("The sky"), seen{200, eventStream, sky, nil}},

		{"cut before the headers", modeltest.Send().Cut(), seen{err: io.EOF}},
		{"cut before the first event", modeltest.Send().Head().Cut(), seen{200, eventStream, "", io.ErrUnexpectedEOF}},
		{"cut in the answer", modeltest.Send("The sky").Cut(), seen{200, eventStream, sky, io.ErrUnexpectedEOF}},
		{"cut in an event", modeltest.Send("The sky").Body(eventStream, "data: {").Cut(),
			seen{200, eventStream, sky + "data: {", io.ErrUnexpectedEOF}},
		{"cut after the end", modeltest.OK("The sky").Cut(), seen{200, eventStream, sky + stop + done, io.ErrUnexpectedEOF}},
		{"cut by a length", modeltest.Status(500).Header("Content-Length", "9").Body("text/plain", "oops"),
			seen{500, "text/plain", "oops", io.ErrUnexpectedEOF}},
		{"reset before the headers", modeltest.Send().Reset(), seen{err: syscall.ECONNRESET}},
		{"reset in the answer", modeltest.Send("The sky").Stall(time.Millisecond).Reset(),
			seen{200, eventStream, sky, syscall.ECONNRESET}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := newServer(t, modeltest.Replies(tt.reply))
			got := ask(t, srv, streamed)
			assertSeen(t, tt.want, got)
			r, err := srv.AwaitEnd(await(t), 0)
			require.NoError(t, err)
			assert.False(t, r.Disconnected, "it was the server that ended this")
		})
	}
}

func TestWholeReplies(t *testing.T) {
	blue := completion(`{"content":"The sky is blue.","refusal":null,"role":"assistant"}`, `"stop"`)
	noFinish := completion(`{"content":"The sky","refusal":null,"role":"assistant"}`, "null")
	for _, tt := range []struct {
		name  string
		reply modeltest.Reply
		want  seen
	}{
		{"text", modeltest.Send("The sky", " is blue.").Finish("stop").Done(), seen{200, applicationJSON, blue, nil}},
		{"usage", modeltest.Send("The sky", " is blue.").Finish("stop").Usage(strata.Usage{
			InputTokens: 5, OutputTokens: 3, CachedInputTokens: 2, CacheWriteTokens: 1, ReasoningTokens: 1}),
			seen{200, applicationJSON, strings.TrimSuffix(blue, "}") + `,"usage":{"completion_tokens":3,"completion_tokens_details":{"reasoning_tokens":1},` +
				`"prompt_tokens":5,"prompt_tokens_details":{"cache_write_tokens":1,"cached_tokens":2},"total_tokens":8}}`, nil}},
		{"reasoning and tools", modeltest.Send().Reasoning("H", "m").ToolCall("c1", "f", `{"a":`, `1}`).ToolCall("c2", "g", `{}`).Finish(strata.FinishToolCalls),
			seen{200, applicationJSON, completion(`{"content":null,"reasoning_content":"Hm","refusal":null,"role":"assistant","tool_calls":[`+
				`{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},`+
				`{"id":"c2","type":"function","function":{"name":"g","arguments":"{}"}}]}`, `"tool_calls"`), nil}},
		{"a refusal", modeltest.Send().Refusal("I can't", " help").Finish("stop"),
			seen{200, applicationJSON, completion(`{"content":null,"refusal":"I can't help","role":"assistant"}`, `"stop"`), nil}},
		{"no finish", modeltest.Send("The sky").Open(), seen{200, applicationJSON, noFinish, nil}},
		{"an odd status", modeltest.Status(201).Text("The sky"), seen{201, applicationJSON, noFinish, nil}},
		{"comments", modeltest.Send("The sky").Comment("ping").Comment("ping"), seen{200, applicationJSON, "\n\n" + noFinish, nil}},
		{"an error under 200", modeltest.Send("The sky").Error("server_error", "try again").Done(), seen{200, applicationJSON, failed, nil}},
		{"an event", modeltest.Send("The sky").Event("null"), seen{200, applicationJSON, "null", nil}},
		{"a body", modeltest.Send("The sky").Body("text/plain", "a").Body("text/plain", "b"), seen{200, "text/plain", "ab", nil}},
		{"a page", modeltest.Status(502).HTML("Bad Gateway"), seen{502, html, badGate, nil}},
		{"malformed JSON", modeltest.Send("The sky").Malformed(), seen{200, applicationJSON, half(noFinish), nil}},
		{"cut before the headers", modeltest.Send().Cut(), seen{err: io.EOF}},
		{"cut before the body", modeltest.Send().Head().Cut(), seen{200, applicationJSON, "", io.ErrUnexpectedEOF}},
		{"cut in the body", modeltest.Send("The sky").Cut(), seen{200, applicationJSON, half(noFinish), io.ErrUnexpectedEOF}},
		{"cut in an error", modeltest.Status(500).Error("server_error", "try again").Cut(), seen{500, applicationJSON, failed, io.ErrUnexpectedEOF}},
		{"reset in the body", modeltest.Send("The sky").Reset(), seen{200, applicationJSON, half(noFinish), syscall.ECONNRESET}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := newServer(t, modeltest.Replies(tt.reply))
			assertSeen(t, tt.want, ask(t, srv, whole))
		})
	}
}

// half is the half of a body whose "created" has ten digits.
func half(body string) string { return body[:(len(body)+9)/2-9] }

func assertSeen(t *testing.T, want, got seen) {
	t.Helper()
	assert.Equal(t, want.status, got.status)
	assert.Equal(t, want.contentType, got.contentType)
	if want.body != got.body { // not assert.Equal: it would print megabytes
		t.Errorf("body:\nwant %.2000q\ngot  %.2000q", want.body, got.body)
	}
	if !errors.Is(got.err, want.err) {
		t.Errorf("error: want %v, got %v", want.err, got.err)
	}
}

func TestUsageInStreams(t *testing.T) {
	srv := newServer(t, modeltest.Replies(modeltest.OK("Hi")))
	got := ask(t, srv, streamedUsage)
	events := strings.Split(strings.TrimSpace(got.body), "\n\n")
	require.Len(t, events, 5)
	for _, e := range events[:3] {
		assert.Contains(t, e, `"usage":null`)
	}
	assert.Equal(t, `data: {"id":"chatcmpl-0","object":"chat.completion.chunk","created":0,"model":"gpt-5","choices":[],`+
		`"usage":{"completion_tokens":1,"completion_tokens_details":{"reasoning_tokens":0},"prompt_tokens":1,`+
		`"prompt_tokens_details":{"cached_tokens":0},"total_tokens":2}}`, events[3])
	assert.Equal(t, "data: [DONE]", events[4])
}

func TestReplySettings(t *testing.T) {
	t.Run("headers", func(t *testing.T) {
		srv := newServer(t, modeltest.Replies(modeltest.OK("Hi").Header("retry-after", "2").Header("Content-Type", "text/x")))
		resp, err := srv.Client().Do(request(await(t), t, srv, whole))
		require.NoError(t, err)
		resp.Body.Close()
		assert.Equal(t, "2", resp.Header.Get("Retry-After"))
		assert.Equal(t, "text/x", resp.Header.Get("Content-Type"))
	})
	t.Run("the model's name", func(t *testing.T) {
		srv := newServer(t, modeltest.Replies(modeltest.OK("Hi").Model("gpt-5-2025-08-07")))
		assert.Contains(t, ask(t, srv, whole).body, `"model":"gpt-5-2025-08-07"`)
		assert.Equal(t, "gpt-5", srv.Requests()[0].Model)
	})
	t.Run("the reasoning field", func(t *testing.T) {
		srv := newServer(t, modeltest.ReasoningField("reasoning"), modeltest.Replies(modeltest.Send().Reasoning("Hm")))
		assert.Contains(t, ask(t, srv, whole).body, `"reasoning":"Hm"`)
		assert.Contains(t, ask(t, srv, streamed).body, `{"reasoning":"Hm"}`)
	})
	t.Run("a reply never changes", func(t *testing.T) {
		base := modeltest.Send("a").Header("X-A", "1")
		b, c := base.Text("b").Header("X-A", "2"), base.Text("c")
		srv := newServer(t, modeltest.Replies(base, b, c, base))
		for _, want := range []string{`"a"`, `"ab"`, `"ac"`, `"a"`} {
			assert.Contains(t, ask(t, srv, whole).body, `"content":`+want)
		}
	})
}
