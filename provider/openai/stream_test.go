package openai_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/openai"
)

func TestStream(t *testing.T) {
	tool := func(d string) string { return delta(`{"tool_calls":[` + d + `]}`) }
	tests := []struct {
		name   string
		events []string
		want   string
	}{
		{"text", []string{delta(`{"role":"assistant","content":""}`), delta(`{"content":"Hel"}`), delta(`{"content":"lo"}`), finish("stop"), usage, done},
			"start meta:c1 text1{ Hel lo }1 finish:stop(stop)"},
		{"no answer", []string{finish("stop"), done}, "start meta:c1 finish:stop(stop)"},
		{"no usage and no [DONE]", []string{delta(`{"content":"Hi"}`), finish("length")}, "start meta:c1 text1{ Hi }1 finish:length(length)"},
		{"content filter behind text", []string{delta(`{"content":"Hi"}`), finish("content_filter"), done}, "start meta:c1 text1{ Hi }1 finish:content-filter(content_filter)"},
		{"content filter in a tool call", []string{delta(`{"tool_calls":[{"index":0,"id":"t1","function":{"name":"f","arguments":"{"}}]}`), finish("content_filter"), done}, "start meta:c1 tool:f{ { finish:content-filter(content_filter)"},
		{"unknown word", []string{finish("eos"), done}, "start meta:c1 finish:other(eos)"},
		{"function_call", []string{finish("function_call"), done}, "start meta:c1 finish:tool-calls(function_call)"},
		{"finish reason twice, with content", []string{`{"id":"c1","model":"gpt-test-1","choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}`, finish("stop"), done},
			"start meta:c1 text1{ Hi }1 finish:stop(stop)"},
		{"null error", []string{`{"id":"c1","error":null,"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop","error":null}]}`, done},
			"start meta:c1 text1{ Hi }1 finish:stop(stop)"},
		{"metadata that comes late", []string{`{"id":"","model":"","choices":[],"prompt_filter_results":[]}`, delta(`{"content":"Hi"}`), finish("stop"), done},
			"start meta: meta:c1 text1{ Hi }1 finish:stop(stop)"},
		{"usage in every chunk", []string{`{"id":"c1","model":"gpt-test-1","choices":[{"delta":{"content":"Hi"}}],"usage":{"completion_tokens":1}}`,
			`{"id":"c1","choices":[{"delta":{"content":"!"}}],"usage":{"completion_tokens":2}}`, finish("stop"), done},
			"start meta:c1 text1{ Hi usage:1 ! usage:2 }1 finish:stop(stop)"},
		{"another choice", []string{delta(`{"content":"Hi"}`), `{"id":"c1","model":"gpt-test-1","choices":[{"index":1,"delta":{"content":"Ho"},"finish_reason":"length"}]}`, finish("stop"), done},
			"start meta:c1 text1{ Hi }1 finish:stop(stop)"},

		{"reasoning_content", []string{delta(`{"reasoning_content":"hm"}`), delta(`{"reasoning_content":"","content":"Hi"}`), finish("stop"), done},
			"start meta:c1 reasoning1{ hm }1 text2{ Hi }2 finish:stop(stop)"},
		{"reasoning", []string{delta(`{"reasoning":"hm"}`), delta(`{"content":"Hi"}`), finish("stop"), done},
			"start meta:c1 reasoning1{ hm }1 text2{ Hi }2 finish:stop(stop)"},
		{"reasoning_text", []string{delta(`{"reasoning_text":"hm"}`), delta(`{"content":"Hi"}`), finish("stop"), done},
			"start meta:c1 reasoning1{ hm }1 text2{ Hi }2 finish:stop(stop)"},
		{"reasoning_details alone", []string{delta(`{"reasoning_details":[{"type":"reasoning.text","text":"h"},{"type":"reasoning.summary","summary":"m"},{"type":"reasoning.encrypted","data":"x"}]}`), delta(`{"content":"Hi"}`), finish("stop"), done},
			"start meta:c1 reasoning1{ hm }1 text2{ Hi }2 finish:stop(stop)"},
		{"reasoning_details that are none", []string{delta(`{"reasoning":"h","reasoning_details":[null]}`), delta(`{"reasoning":"m","reasoning_details":[null,{"type":"reasoning.text","text":"m"},7]}`), finish("stop"), done},
			"start meta:c1 reasoning1{ h m }1 finish:stop(stop)"},
		{"Mistral's lists", []string{delta(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}`), delta(`{"content":[{"type":"text","text":"Hi"}]}`), finish("stop"), done},
			"start meta:c1 reasoning1{ hm }1 text2{ Hi }2 finish:stop(stop)"},
		{"reasoning between texts", []string{delta(`{"content":"a"}`), delta(`{"reasoning":"hm"}`), delta(`{"content":"b"}`), finish("stop"), done},
			"start meta:c1 text1{ a }1 reasoning2{ hm }2 text3{ b }3 finish:stop(stop)"},

		{"tool call", []string{tool(`{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":""}}`), tool(`{"index":0,"function":{"arguments":"{\"a\":"}}`), tool(`{"index":0,"function":{"arguments":"1}"}}`), finish("tool_calls"), usage, done},
			`start meta:c1 tool:f{ {"a": 1} }tool call:f{"a":1} finish:tool-calls(tool_calls)`},
		{"text, then two tool calls", []string{delta(`{"content":"Hi"}`), tool(`{"index":0,"id":"t1","function":{"name":"f","arguments":"{}"}}`), tool(`{"index":1,"id":"t2","function":{"name":"g","arguments":"{}"}}`), finish("tool_calls"), done},
			`start meta:c1 text1{ Hi }1 tool:f{ {} tool:g{ {} }tool call:f{} }tool call:g{} finish:tool-calls(tool_calls)`},
		{"two tool calls in one chunk", []string{tool(`{"index":0,"id":"t1","function":{"name":"f","arguments":"{}"}},{"index":1,"id":"t2","function":{"name":"g","arguments":"{}"}}`), finish("tool_calls"), done},
			`start meta:c1 tool:f{ {} tool:g{ {} }tool call:f{} }tool call:g{} finish:tool-calls(tool_calls)`},
		{"stop beside a tool call", []string{tool(`{"index":0,"id":"t1","function":{"name":"f","arguments":"{}"}}`), finish("stop"), done},
			`start meta:c1 tool:f{ {} }tool call:f{} finish:tool-calls(stop)`},
		{"no arguments", []string{tool(`{"index":0,"id":"t1","function":{"name":"f","arguments":""}}`), finish("tool_calls"), done},
			`start meta:c1 tool:f{ }tool call:f{} finish:tool-calls(tool_calls)`},
		{"null arguments", []string{tool(`{"index":0,"id":"t1","function":{"name":"f","arguments":null}}`), tool(`{"index":0,"function":{"arguments":"null"}}`), finish("tool_calls"), done},
			`start meta:c1 tool:f{ null }tool call:f{} finish:tool-calls(tool_calls)`},
		{"arguments as an object", []string{tool(`{"index":0,"id":"t1","function":{"name":"f","arguments":{"a":1}}}`), finish("tool_calls"), done},
			`start meta:c1 tool:f{ {"a":1} }tool call:f{"a":1} finish:tool-calls(tool_calls)`},
		{"an index that is no whole number of JSON", []string{tool(`{"index":0.0,"id":"t1","function":{"name":"f","arguments":"{"}}`), tool(`{"index":"0","function":{"arguments":"}"}}`), finish("tool_calls"), done},
			`start meta:c1 tool:f{ { } }tool call:f{} finish:tool-calls(tool_calls)`},
		{"no index", []string{tool(`{"id":"t1","function":{"name":"f","arguments":"{"}}`), tool(`{"function":{"arguments":"}"}}`), tool(`{"id":"t2","function":{"name":"g","arguments":"{}"}}`), finish("tool_calls"), done},
			`start meta:c1 tool:f{ { } tool:g{ {} }tool call:f{} }tool call:g{} finish:tool-calls(tool_calls)`},
		{"the same index for all", []string{tool(`{"index":0,"id":"t1","function":{"name":"f","arguments":"{}"}}`), tool(`{"index":0,"id":"t2","function":{"name":"f","arguments":"{}"}}`), finish("tool_calls"), done},
			`start meta:c1 tool:f{ {} tool:f{ {} }tool call:f{} }tool call:f{} finish:tool-calls(tool_calls)`},
		{"name and ID in every piece", []string{tool(`{"index":0,"id":"t1","function":{"name":"f","arguments":"{"}}`), tool(`{"index":0,"id":"t1","function":{"name":"f","arguments":"}"}}`), finish("tool_calls"), done},
			`start meta:c1 tool:f{ { } }tool call:f{} finish:tool-calls(tool_calls)`},
		{"a new ID for every piece", []string{tool(`{"index":0,"id":"t1","function":{"name":"f","arguments":"{"}}`), tool(`{"index":0,"id":"t2","function":{"arguments":"}"}}`), finish("tool_calls"), done},
			`start meta:c1 tool:f{ { } }tool call:f{} finish:tool-calls(tool_calls)`},
		{"name behind the first arguments", []string{tool(`{"index":0,"id":"t1","function":{"arguments":"{"}}`), tool(`{"index":0,"function":{"name":"f","arguments":"}"}}`), finish("tool_calls"), done},
			`start meta:c1 tool:f{ {} }tool call:f{} finish:tool-calls(tool_calls)`},
		{"old function call", []string{delta(`{"function_call":{"name":"f","arguments":"{"}}`), delta(`{"function_call":{"arguments":"}"}}`), finish("function_call"), done},
			`start meta:c1 tool:f{ { } }tool call:f{} finish:tool-calls(function_call)`},
		{"tool call cut by the limit", []string{tool(`{"index":0,"id":"t1","function":{"name":"f","arguments":"{}"}}`), tool(`{"index":1,"id":"t2","function":{"name":"g","arguments":"{\"a\":"}}`), finish("length"), done},
			`start meta:c1 tool:f{ {} tool:g{ {"a": }tool call:f{} finish:length(length)`},
		{"tool call cut before its input", []string{tool(`{"index":0,"id":"t1","function":{"name":"f","arguments":""}}`), finish("length"), done},
			`start meta:c1 tool:f{ finish:length(length)`},
		{"malformed input of a whole call", []string{tool(`{"index":0,"id":"t1","function":{"name":"f","arguments":"{a"}}`), finish("tool_calls"), done},
			`start meta:c1 tool:f{ {a }tool call:f{a finish:tool-calls(tool_calls)`},

		{"citation", []string{delta(`{"content":"Hi"}`), delta(`{"annotations":[{"type":"url_citation","url_citation":{"url":"https://example.com","title":"Example"}}]}`), finish("stop"), done},
			"start meta:c1 text1{ Hi source:https://example.com }1 finish:stop(stop)"},
		{"images", []string{delta(`{"images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}},{"image_url":{"url":"https://example.com/a"}}]}`), finish("stop"), done},
			"start meta:c1 file:image/png file:https://example.com/a finish:stop(stop)"},
		{"log probabilities", []string{`{"id":"c1","choices":[{"delta":{"content":"Hi"},"logprobs":{"content":[{"token":"Hi","logprob":-0.1}]},"finish_reason":"stop"}]}`, done},
			"start meta:c1 text1{ Hi raw }1 finish:stop(stop)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, events(test.events...))
			parts, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
			require.NoError(t, err)
			assert.Equal(t, test.want, short(parts))
		})
	}
}

// What tells an answer that came otherwise than as plain events.
func TestStreamOfAnotherForm(t *testing.T) {
	const want = "start meta:c1 text1{ Hi }1 finish:stop(stop)"
	big := strings.Repeat("x", 4<<20)
	write := func(contentType, body string) http.HandlerFunc { return whole(200, contentType, body) }
	hi := "data: " + delta(`{"content":"Hi"}`) + "\n\n"
	stop := "data: " + finish("stop") + "\n\ndata: [DONE]\n\n"
	tests := []struct {
		name    string
		handler http.HandlerFunc
		want    string
	}{
		{"comments and other fields", write("text/event-stream", "\n\n: ping\n\nretry: 10\nid: 1\n\nevent: message\n"+hi+": ping\n\ndata:\n\n"+stop), want},
		{"no space and carriage returns", write("text/event-stream", strings.ReplaceAll(strings.ReplaceAll(hi+stop, "data: ", "data:"), "\n", "\r\n")), want},
		{"another content type", write("application/octet-stream", hi+stop), want},
		{"events behind [DONE]", write("text/event-stream", hi+stop+hi), want},
		{"a line of 4 MiB", events(delta(`{"content":"`+big+`"}`), finish("stop"), done), "start meta:c1 text1{ " + big + " }1 finish:stop(stop)"},
		{"a whole answer", write("application/json", "\n "+message(`{"content":"Hi"}`, "stop")), want},
		{"cut behind the finish reason", cut(hi + "data: " + finish("stop") + "\n\ndata: {\"id\""), want},
		{"cut behind [DONE]", cut(hi + stop), want},
		{"no JSON behind the finish reason", events(delta(`{"content":"Hi"}`), finish("stop"), `{"id":`), want},
		{"a byte order mark", write("text/event-stream", "\ufeff"+hi+stop), want},
		{"a whole answer behind a byte order mark", write("application/json", "\ufeff"+message(`{"content":"Hi"}`, "stop")), want},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, test.handler)
			parts, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
			require.NoError(t, err)
			assert.True(t, test.want == short(parts), "got %.200s", short(parts))
		})
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

func TestStreamDetails(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "r1")
		w.Header().Set("Set-Cookie", "session=1")
		events(
			delta(`{"reasoning":"h","reasoning_details":[{"type":"reasoning.text","text":"h","index":0}]}`),
			delta(`{"reasoning":"m","reasoning_details":[{"type":"reasoning.text","text":"m","index":0}]}`),
			delta(`{"reasoning_details":[{"type":"reasoning.text","signature":"sig","index":0},{"type":"reasoning.encrypted","data":"x","index":1},{"type":"reasoning.encrypted","data":"y","index":2}]}`),
			delta(`{"content":"Hi"}`),
			delta(`{"tool_calls":[{"index":0,"id":"t1","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]}`),
			finish("tool_calls"), usage, done)(w, r)
	})
	m := s.model(openai.Provider("openrouter"), openai.Account("eu"))
	parts, err := collect(t, m.Stream(t.Context(), strata.Prompt("Hi")))
	require.NoError(t, err)

	meta := parts[1].(strata.ResponseMetadata)
	assert.Equal(t, "gpt-test-1", meta.Model)
	assert.Equal(t, time.Unix(1700000000, 0).UTC(), meta.Timestamp)
	assert.Equal(t, "r1", meta.Headers.Get("X-Request-Id"))
	assert.Empty(t, meta.Headers.Get("Set-Cookie"))
	assert.Contains(t, parts, strata.Part(strata.ReasoningEnd{ID: "1", ProviderData: strata.ProviderData{"openrouter": {
		"reasoning_field": "reasoning",
		"reasoning_details": []any{
			map[string]any{"type": "reasoning.text", "text": "hm", "signature": "sig", "index": 0.0},
			map[string]any{"type": "reasoning.encrypted", "data": "x", "index": 1.0},
			map[string]any{"type": "reasoning.encrypted", "data": "y", "index": 2.0},
		}}}}))
	assert.Contains(t, parts, strata.Part(strata.ToolCall{ID: "t1", Name: "f", Input: "{}", ProviderData: strata.ProviderData{
		"openrouter": {"extra_content": map[string]any{"google": map[string]any{"thought_signature": "s"}}}}}))
	assert.Equal(t, strata.Finish{
		Reason: strata.FinishToolCalls, RawReason: "tool_calls", Model: m.ID(),
		Usage: strata.Usage{InputTokens: 7, OutputTokens: 5, TotalTokens: 12, CachedInputTokens: 4, ReasoningTokens: 2},
	}, parts[len(parts)-1])
}

func TestToolCallWithoutAnIDGetsOne(t *testing.T) {
	s := serve(t, events(delta(`{"tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}`), finish("tool_calls"), done))
	parts, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
	require.NoError(t, err)
	var ids []string
	for _, p := range parts {
		switch p := p.(type) {
		case strata.ToolInputStart:
			ids = append(ids, p.ID)
		case strata.ToolInputDelta:
			ids = append(ids, p.ID)
		case strata.ToolCall:
			ids = append(ids, p.ID)
		}
	}
	require.Len(t, ids, 3)
	assert.NotEmpty(t, ids[0])
	assert.Equal(t, []string{ids[0], ids[0], ids[0]}, ids)
}

func TestGenerate(t *testing.T) {
	answer := `{"role":"assistant","content":"Hi","reasoning":"hm","refusal":null,
		"reasoning_details":[{"type":"reasoning.text","text":"hm","signature":"s"}],
		"annotations":[{"type":"url_citation","url_citation":{"url":"https://example.com","title":"Example"}}],
		"images":[{"image_url":{"url":"data:image/png;base64,cG5n"}}],
		"tool_calls":[{"id":"t1","type":"function","function":{"name":"f","arguments":""},"sig":"s"}]}`
	s := serve(t, whole(200, "application/json", message(answer, "tool_calls")))
	m := s.model()
	resp, err := m.Generate(t.Context(), strata.Prompt("Hi"))
	require.NoError(t, err)
	raw, ok := resp.Raw.(*sdk.ChatCompletion)
	require.True(t, ok)
	assert.Equal(t, "c1", raw.ID)
	assert.NotEmpty(t, resp.Metadata.Headers.Get("Content-Type"))
	resp.Raw, resp.Metadata.Headers = nil, nil
	assert.Equal(t, &strata.Response{
		Model: m.ID(),
		Content: []strata.Content{
			strata.Reasoning{Text: "hm", ProviderData: strata.ProviderData{"openai": {"reasoning_field": "reasoning",
				"reasoning_details": []any{map[string]any{"type": "reasoning.text", "text": "hm", "signature": "s"}}}}},
			strata.Text{Text: "Hi"},
			strata.File{MediaType: "image/png", Data: []byte("png")},
			strata.Source{URL: "https://example.com", Title: "Example"},
			strata.ToolCall{ID: "t1", Name: "f", Input: "{}", ProviderData: strata.ProviderData{"openai": {"sig": "s"}}},
		},
		FinishReason: strata.FinishToolCalls, RawFinishReason: "tool_calls",
		Usage:    strata.Usage{InputTokens: 7, OutputTokens: 5, TotalTokens: 12, CachedInputTokens: 4, ReasoningTokens: 2},
		Metadata: strata.ResponseMetadata{ID: "c1", Model: "gpt-test-1", Timestamp: time.Unix(1700000000, 0).UTC()},
	}, resp)

	// The answer goes back as it came, and the server gets its own fields.
	_, err = m.Generate(t.Context(), &strata.Request{Messages: []strata.Message{resp.Message()}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"model":"gpt-test","messages":[{"role":"assistant","content":"Hi",
		"reasoning_details":[{"type":"reasoning.text","text":"hm","signature":"s"}],
		"tool_calls":[{"id":"t1","type":"function","function":{"name":"f","arguments":"{}"},"sig":"s"}]}]}`, string(s.body))
}

func TestGenerateBehindAByteOrderMark(t *testing.T) {
	s := serve(t, whole(200, "application/json", "\ufeff\n"+message(`{"content":"Hi"}`, "stop")))
	resp, err := s.model().Generate(t.Context(), strata.Prompt("Hi"))
	require.NoError(t, err)
	assert.Equal(t, "Hi", resp.Text())
}

func TestGenerateFinish(t *testing.T) {
	half := `{"tool_calls":[{"id":"t1","function":{"name":"f","arguments":"{\"a\":"}}]}`
	tests := []struct {
		name, message, finish string
		want                  strata.FinishReason
		content               []strata.Content
	}{
		{"the server did not say", `{"content":"Hi"}`, "", strata.FinishUnknown, []strata.Content{strata.Text{Text: "Hi"}}},
		{"length", `{"content":"Hi"}`, "length", strata.FinishLength, []strata.Content{strata.Text{Text: "Hi"}}},
		{"half a tool call", half, "length", strata.FinishLength, []strata.Content{strata.ToolInput{ID: "t1", Name: "f", Input: `{"a":`}}},
		{"content filter", `{"content":"Hi"}`, "content_filter", strata.FinishContentFilter, []strata.Content{strata.Text{Text: "Hi"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", message(test.message, test.finish)))
			resp, err := s.model().Generate(t.Context(), strata.Prompt("Hi"))
			require.NoError(t, err)
			assert.Equal(t, test.want, resp.FinishReason)
			assert.Equal(t, test.finish, resp.RawFinishReason)
			assert.Equal(t, test.content, resp.Content)
		})
	}
}

func TestUsageOfOtherServers(t *testing.T) {
	for name, field := range map[string]string{"Moonshot": `"cached_tokens":3`, "DeepSeek": `"prompt_cache_hit_tokens":3`} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, events(`{"id":"c1","choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,`+field+`}}`, done))
			parts, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
			require.NoError(t, err)
			assert.Equal(t, strata.Usage{InputTokens: 5, CachedInputTokens: 3}, parts[len(parts)-1].(strata.Finish).Usage)
		})
	}
}

func TestStreamIsLazyAndRepeats(t *testing.T) {
	s := serve(t, events(delta(`{"content":"Hi"}`), finish("stop"), done))
	stream := s.model().Stream(t.Context(), strata.Prompt("Hi"))
	assert.Zero(t, s.requests.Load(), "sent before it was ranged over")
	for range 2 {
		var parts []strata.Part
		for part, err := range stream {
			require.NoError(t, err)
			parts = append(parts, part)
		}
		assert.Equal(t, "start meta:c1 text1{ Hi }1 finish:stop(stop)", short(parts))
	}
	assert.EqualValues(t, 2, s.requests.Load())
}

func TestConnectionIsUsedAgain(t *testing.T) {
	s := serve(t, events(delta(`{"content":"Hi"}`), finish("stop"), usage, done))
	m := s.model()
	for range 3 {
		_, err := collect(t, m.Stream(t.Context(), strata.Prompt("Hi")))
		require.NoError(t, err)
	}
	assert.EqualValues(t, 3, s.requests.Load())
	assert.EqualValues(t, 1, s.conns.Load(), "a connection was not given back")
}

// piecewise is a transport whose body comes a piece a read, its end by itself.
type piecewise struct {
	pieces []string
	ended  bool
}

func (p *piecewise) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: p, Request: r}, nil
}

func (p *piecewise) Read(b []byte) (int, error) {
	if len(p.pieces) == 0 {
		p.ended = true
		return 0, io.EOF
	}
	n := copy(b, p.pieces[0])
	p.pieces = p.pieces[1:]
	return n, nil
}

func (p *piecewise) Close() error { return nil }

func TestBodyIsReadToItsEndBeforeTheFinish(t *testing.T) {
	body := &piecewise{pieces: []string{"data: " + finish("stop") + "\n\n", "data: [DONE]\n\n"}}
	m := openai.New("gpt-test", openai.APIKey(key), openai.HTTPClient(&http.Client{Transport: body}))
	for part, err := range m.Stream(t.Context(), strata.Prompt("Hi")) {
		require.NoError(t, err)
		if _, ok := part.(strata.Finish); ok {
			assert.True(t, body.ended)
			return
		}
	}
	t.Fatal("no finish")
}

// A server that keeps the connection open behind [DONE] holds nobody up for long.
func TestServerThatDoesNotClose(t *testing.T) {
	release := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		events(delta(`{"content":"Hi"}`), finish("stop"), done)(w, r)
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	parts, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
	require.NoError(t, err)
	assert.Equal(t, "start meta:c1 text1{ Hi }1 finish:stop(stop)", short(parts))
}

func TestBreakClosesTheConnection(t *testing.T) {
	for _, stopAt := range []string{"start", "meta:c1", "text1{", "Hi"} {
		t.Run(stopAt, func(t *testing.T) {
			gone := make(chan struct{})
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				events(delta(`{"content":"Hi"}`))(w, r)
				<-r.Context().Done()
				close(gone)
			})
			for part, err := range s.model().Stream(t.Context(), strata.Prompt("Hi")) {
				require.NoError(t, err)
				if short([]strata.Part{part}) == stopAt {
					break
				}
			}
			select {
			case <-gone:
			case <-time.After(10 * time.Second):
				t.Fatal("the server still has the connection")
			}
		})
	}
}

func TestCallerGivesUp(t *testing.T) {
	hang := func(first ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if first != nil {
				events(first...)(w, r)
			}
			<-r.Context().Done()
		}
	}
	tests := []struct {
		name    string
		handler http.HandlerFunc
		end     func(context.Context) (context.Context, context.CancelFunc)
		want    error
	}{
		{"cancel before the headers", hang(), nil, context.Canceled},
		{"cancel in mid-stream", hang(delta(`{"content":"Hi"}`)), nil, context.Canceled},
		{"cancel behind the finish reason", hang(delta(`{"content":"Hi"}`), finish("stop")), nil, context.Canceled},
		{"deadline", hang(), func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 30*time.Millisecond)
		}, context.DeadlineExceeded},
		{"deadline in mid-stream", hang(delta(`{"content":"Hi"}`)), func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 30*time.Millisecond)
		}, context.DeadlineExceeded},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, stream := range []bool{true, false} {
				s := serve(t, test.handler)
				end := test.end
				if end == nil {
					end = func(ctx context.Context) (context.Context, context.CancelFunc) {
						ctx, cancel := context.WithCancelCause(ctx)
						time.AfterFunc(30*time.Millisecond, func() { cancel(errWhy) })
						return ctx, func() { cancel(nil) }
					}
				}
				ctx, cancel := end(t.Context())
				defer cancel()
				var err error
				if stream {
					_, err = collect(t, s.model().Stream(ctx, strata.Prompt("Hi")))
				} else {
					_, err = s.model().Generate(ctx, strata.Prompt("Hi"))
				}
				requireFailure(t, err)
				assert.ErrorIs(t, err, test.want)
			}
		})
	}
}
