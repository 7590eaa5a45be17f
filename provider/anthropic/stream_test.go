package anthropic_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/anthropic"
	"github.com/strata-go/strata/stream"
)

// thinking is a block of thinking; empty text is what the API sends where it
// keeps the thoughts from the reader.
func thinking(text, signature string) []string {
	es := []string{start(`{"type":"thinking","thinking":"","signature":""}`)}
	if text != "" {
		es = append(es, delta(`{"type":"thinking_delta","thinking":"`+text+`"}`))
	}
	if signature != "" {
		es = append(es, delta(`{"type":"signature_delta","signature":"`+signature+`"}`))
	}
	return append(es, shut)
}

var redacted = []string{start(`{"type":"redacted_thinking","data":"blob"}`), shut}

// search is a search that Anthropic ran and an answer that cites what it found.
var search = [][]string{
	{
		start(`{"type":"server_tool_use","id":"s1","name":"web_search","input":{},"caller":{"type":"direct"}}`),
		delta(`{"type":"input_json_delta","partial_json":"{\"query\":"}`), delta(`{"type":"input_json_delta","partial_json":"\"sky\"}"}`), shut,
	},
	{start(`{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","url":"https://e.com","title":"E","encrypted_content":"x"}]}`), shut},
	{
		start(`{"type":"text","text":"","citations":[]}`), delta(`{"type":"text_delta","text":"Blue."}`),
		delta(`{"type":"citations_delta","citation":{"type":"web_search_result_location","url":"https://e.com","title":"E","cited_text":"blue","encrypted_index":"i"}}`), shut,
	},
}

func TestStream(t *testing.T) {
	tests := []struct {
		name   string
		events []string
		want   string
	}{
		{"text", answer("end_turn", text("Hi")), "start meta:m1 text1{ Hi }1 finish:stop(end_turn)"},
		{"two texts", answer("end_turn", text("a"), text("b")), "start meta:m1 text1{ a }1 text2{ b }2 finish:stop(end_turn)"},
		{"empty text", answer("end_turn", text("")), "start meta:m1 finish:stop(end_turn)"},
		{"no answer", answer("end_turn"), "start meta:m1 finish:stop(end_turn)"},
		{"pings and unknown events", []string{ping, begin, ping, `{"type":"new_event","x":1}`, start(`{"type":"text","text":"H"}`), ping, delta(`{"type":"text_delta","text":"i"}`), delta(`{"type":"new_delta","x":1}`), shut, finish("end_turn"), ping, over},
			"start meta:m1 text1{ H i }1 finish:stop(end_turn)"},
		{"no end", []string{begin, start(`{"type":"text","text":"Hi"}`), finish("end_turn")}, "start meta:m1 text1{ Hi }1 finish:stop(end_turn)"},
		{"[DONE]", []string{begin, delta(`{"type":"text_delta","text":"Hi"}`), finish("end_turn"), "[DONE]"}, "start meta:m1 text1{ Hi }1 finish:stop(end_turn)"},
		{"blocks that are not opened", []string{delta(`{"type":"thinking_delta","thinking":"hm"}`), delta(`{"type":"text_delta","text":"Hi"}`), delta(`{"type":"text_delta","text":"!"}`), finish("end_turn"), over},
			"start reasoning1{ hm }1 text2{ Hi ! }2 finish:stop(end_turn)"},
		{"two messages' deltas", []string{begin, start(`{"type":"text","text":"Hi"}`), `{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":2}}`, finish("end_turn"), finish("max_tokens"), over},
			"start meta:m1 text1{ Hi }1 finish:stop(end_turn)"},

		{"thinking", answer("end_turn", thinking("hm", "sig"), text("Hi")), "start meta:m1 reasoning1{ hm }1 text2{ Hi }2 finish:stop(end_turn)"},
		{"thinking that is not shown", answer("end_turn", thinking("", "sig"), text("Hi")), "start meta:m1 reasoning1{ }1 text2{ Hi }2 finish:stop(end_turn)"},
		{"thinking of nothing", answer("end_turn", thinking("", ""), text("Hi")), "start meta:m1 text1{ Hi }1 finish:stop(end_turn)"},
		{"redacted thinking", answer("end_turn", redacted, text("Hi")), "start meta:m1 reasoning1{ }1 text2{ Hi }2 finish:stop(end_turn)"},

		{"tool call", answer("tool_use", text("Hi"), tool("t1", "f", "", `{"a":`, "1}")), `start meta:m1 text1{ Hi }1 tool:f{ {"a": 1} }tool call:f{"a":1} finish:tool-calls(tool_use)`},
		{"two tool calls", answer("tool_use", tool("t1", "f", "{}"), tool("t2", "g", "{}")), `start meta:m1 tool:f{ {} tool:g{ {} }tool call:f{} }tool call:g{} finish:tool-calls(tool_use)`},
		{"no input", answer("tool_use", tool("t1", "f")), `start meta:m1 tool:f{ }tool call:f{} finish:tool-calls(tool_use)`},
		{"input with the block", answer("tool_use", []string{start(`{"type":"tool_use","id":"t1","name":"f","input":{"a":1}}`), shut}), `start meta:m1 tool:f{ {"a":1} }tool call:f{"a":1} finish:tool-calls(tool_use)`},
		{"end_turn beside a tool call", answer("end_turn", tool("t1", "f", "{}")), `start meta:m1 tool:f{ {} }tool call:f{} finish:tool-calls(end_turn)`},
		{"call cut by the limit", answer("max_tokens", tool("t1", "f"), tool("t2", "g", `{"a":`)), `start meta:m1 tool:f{ tool:g{ {"a": }tool call:f{} finish:length(max_tokens)`},
		{"call cut before its input", answer("max_tokens", tool("t1", "f")), `start meta:m1 tool:f{ finish:length(max_tokens)`},
		{"limit behind a call", answer("max_tokens", tool("t1", "f", `{"a":1}`)), `start meta:m1 tool:f{ {"a":1} }tool call:f{"a":1} finish:length(max_tokens)`},
		{"call cut by a refusal", answer("refusal", text("Hi"), tool("t1", "f", `{"a":`)), `start meta:m1 text1{ Hi }1 tool:f{ {"a": finish:content-filter(refusal)`},

		{"search", answer("end_turn", search...),
			`start meta:m1 tool:web_search{ {"query": "sky"} }tool call:web_search{"query":"sky"}` +
				` result:web_search[{"type":"web_search_result","url":"https://e.com","title":"E","encrypted_content":"x"}]` +
				` text1{ Blue. }1 source:https://e.comE finish:stop(end_turn)`},
		{"result of an earlier call", answer("end_turn", []string{start(`{"type":"code_execution_tool_result","tool_use_id":"s0","content":{"type":"code_execution_tool_result_error","error_code":"unavailable"}}`)}),
			`start meta:m1 result:code_execution{"type":"code_execution_tool_result_error","error_code":"unavailable"} finish:stop(end_turn)`},
		{"half a call of a server's tool", answer("max_tokens", [][]string{search[0][:2]}...), `start meta:m1 tool:web_search{ {"query": finish:length(max_tokens)`},
		{"citation of a document", answer("end_turn", []string{start(`{"type":"text","text":"Blue."}`), delta(`{"type":"citations_delta","citation":{"type":"page_location","document_title":"Sky.pdf","start_page_number":1}}`), shut}),
			"start meta:m1 text1{ Blue. }1 source:Sky.pdf finish:stop(end_turn)"},
		{"block of another kind", answer("end_turn", []string{start(`{"type":"container_upload","file_id":"f1"}`), shut}), "start meta:m1 raw finish:stop(end_turn)"},

		{"max_tokens", answer("max_tokens", text("Hi")), "start meta:m1 text1{ Hi }1 finish:length(max_tokens)"},
		{"context window", answer("model_context_window_exceeded", text("Hi")), "start meta:m1 text1{ Hi }1 finish:length(model_context_window_exceeded)"},
		{"stop sequence", answer("stop_sequence", text("Hi")), "start meta:m1 text1{ Hi }1 finish:stop(stop_sequence)"},
		{"pause", answer("pause_turn", text("Hi")), "start meta:m1 text1{ Hi }1 finish:other(pause_turn)"},
		{"refusal in mid-answer", answer("refusal", text("Hi")), "start meta:m1 text1{ Hi }1 finish:content-filter(refusal)"},
		{"unknown word", answer("bored", text("Hi")), "start meta:m1 text1{ Hi }1 finish:other(bored)"},
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
	const want = "start meta:m1 text1{ Hi }1 finish:stop(end_turn)"
	big := strings.Repeat("x", 4<<20)
	write := func(contentType, body string) http.HandlerFunc { return whole(200, contentType, body) }
	body := sse(answer("end_turn", text("Hi"))...)
	tests := []struct {
		name    string
		handler http.HandlerFunc
		want    string
	}{
		{"comments and other fields", write("text/event-stream", "\n\n: ping\n\nretry: 10\nid: 1\n\n"+body+"data:\n\n"), want},
		{"no names, no space, carriage returns", write("text/event-stream", strings.NewReplacer("data: ", "data:", "event: message_start\n", "", "\n", "\r\n").Replace(body)), want},
		{"another content type", write("application/octet-stream", body), want},
		{"events behind the end", write("text/event-stream", body+body), want},
		{"a line of 4 MiB", events(answer("end_turn", text(big))...), "start meta:m1 text1{ " + big + " }1 finish:stop(end_turn)"},
		{"a whole answer", write("application/json", "\n "+message(`[{"type":"text","text":"Hi"}]`, "end_turn")), want},
		{"a whole answer of all kinds", write("application/json", message(`[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"Hi"},{"type":"tool_use","id":"t","name":"f","input":{"a":1}}]`, "tool_use")),
			`start meta:m1 reasoning1{ hm }1 text2{ Hi }2 tool:f{ {"a":1} }tool call:f{"a":1} finish:tool-calls(tool_use)`},
		{"a whole answer that was cut", write("application/json", message(`[{"type":"tool_use","id":"t","name":"f","input":{"a":1}}]`, "max_tokens")),
			`start meta:m1 tool:f{ {"a":1} finish:length(max_tokens)`},
		{"cut behind the stop reason", cut(strings.TrimSuffix(body, sse(over)) + "data: {\"ty"), want},
		{"cut behind the end", cut(body), want},
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

// everything is an answer with all that has to go back.
var everything = answer("tool_use", append(append([][]string{thinking("hm", "sig"), redacted}, search...),
	[]string{start(`{"type":"container_upload","file_id":"f1"}`), shut},
	[]string{start(`{"type":"tool_use","id":"t1","name":"f","input":{},"caller":{"type":"direct"}}`), delta(`{"type":"input_json_delta","partial_json":"{\"a\":1}"}`), shut})...)

// wholeEverything is the same answer in one piece.
const wholeEverything = `[
	{"type":"thinking","thinking":"hm","signature":"sig"},
	{"type":"redacted_thinking","data":"blob"},
	{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"sky"},"caller":{"type":"direct"}},
	{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","url":"https://e.com","title":"E","encrypted_content":"x"}]},
	{"type":"text","text":"Blue.","citations":[{"type":"web_search_result_location","url":"https://e.com","title":"E","cited_text":"blue","encrypted_index":"i"}]},
	{"type":"container_upload","file_id":"f1"},
	{"type":"tool_use","id":"t1","name":"f","input":{"a":1},"caller":{"type":"direct"}}]`

// An answer is the same in one piece and in parts, and goes back as it came.
func TestAnswerGoesBackAsItCame(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Request-Id", "r1")
		w.Header().Set("Set-Cookie", "session=1")
		if strings.Contains(r.Header.Get("X-Form"), "whole") {
			whole(200, "application/json", message(wholeEverything, "tool_use"))(w, r)
			return
		}
		events(everything...)(w, r)
	})
	m := s.model(anthropic.Account("eu"))
	req := strata.Prompt("Hi")
	streamed, err := stream.Collect(m.Stream(t.Context(), req))
	require.NoError(t, err)
	req.Headers = http.Header{"X-Form": {"whole"}}
	generated, err := m.Generate(t.Context(), req)
	require.NoError(t, err)

	raw, ok := generated.Raw.(*sdk.Message)
	require.True(t, ok)
	assert.Equal(t, "m1", raw.ID)
	for _, resp := range []*strata.Response{streamed, generated} {
		require.Len(t, resp.Content, 8)
		upload, ok := resp.Content[6].(strata.Raw)
		require.True(t, ok)
		assert.JSONEq(t, `{"type":"container_upload","file_id":"f1"}`, upload.Value.(sdk.ContentBlockUnion).RawJSON())
		assert.Equal(t, "r1", resp.Metadata.Headers.Get("Request-Id"))
		assert.Empty(t, resp.Metadata.Headers.Get("Set-Cookie"))

		own := func(fields map[string]any) strata.ProviderData { return strata.ProviderData{"anthropic": fields} }
		citation := map[string]any{"type": "web_search_result_location", "url": "https://e.com", "title": "E", "cited_text": "blue", "encrypted_index": "i"}
		direct := map[string]any{"type": "direct"}
		assert.Equal(t, []strata.Content{
			strata.Reasoning{Text: "hm", ProviderData: own(map[string]any{"signature": "sig"})},
			strata.Reasoning{ProviderData: own(map[string]any{"data": "blob"})},
			strata.ToolCall{ID: "s1", Name: "web_search", Input: `{"query":"sky"}`, ProviderExecuted: true, ProviderData: own(map[string]any{"type": "server_tool_use", "caller": direct})},
			strata.ToolResult{ID: "s1", Name: "web_search", Output: `[{"type":"web_search_result","url":"https://e.com","title":"E","encrypted_content":"x"}]`,
				ProviderExecuted: true, ProviderData: own(map[string]any{"type": "web_search_tool_result"})},
			strata.Text{Text: "Blue.", ProviderData: own(map[string]any{"citations": []map[string]any{citation}})},
			strata.Source{URL: "https://e.com", Title: "E", ProviderData: own(citation)},
			upload,
			strata.ToolCall{ID: "t1", Name: "f", Input: `{"a":1}`, ProviderData: own(map[string]any{"caller": direct})},
		}, resp.Content)
		assert.Equal(t, m.ID(), resp.Model)
		assert.Equal(t, strata.FinishToolCalls, resp.FinishReason)
		assert.Equal(t, "tool_use", resp.RawFinishReason)
		assert.Equal(t, usage, resp.Usage)
		assert.Equal(t, "m1", resp.Metadata.ID)
		assert.Equal(t, "claude-test-1", resp.Metadata.Model)

		_, err = m.Generate(t.Context(), &strata.Request{Headers: req.Headers, Messages: []strata.Message{
			strata.UserMessage("Hi"), resp.Message(), strata.ToolMessage(strata.ToolResult{ID: "t1", Output: "2"})}})
		require.NoError(t, err)
		assert.JSONEq(t, body(`{"role":"user","content":[{"type":"text","text":"Hi"}]},{"role":"assistant","content":`+wholeEverything+`},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"2"}]}]}`, ""), string(s.body))
	}
}

func TestUsageSoFar(t *testing.T) {
	s := serve(t, events(answer("end_turn", text("Hi"))...))
	parts, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
	require.NoError(t, err)
	assert.Equal(t, &strata.Usage{InputTokens: 8, OutputTokens: 1, TotalTokens: 9, CachedInputTokens: 4, CacheWriteTokens: 1}, parts[1].(strata.ResponseMetadata).Usage)
	assert.Equal(t, usage, parts[len(parts)-1].(strata.Finish).Usage)
}

// Servers differ in which event has which count.
func TestUsageOfOtherServers(t *testing.T) {
	for name, es := range map[string][]string{
		"all at the end": {`{"type":"message_start","message":{"id":"m1","usage":{"input_tokens":0,"output_tokens":0}}}`,
			`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":5,"cache_read_input_tokens":2,"output_tokens":3}}`},
		"zeros at the end": {`{"type":"message_start","message":{"id":"m1","usage":{"input_tokens":5,"cache_read_input_tokens":2,"output_tokens":1}}}`,
			`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":0,"cache_read_input_tokens":0,"output_tokens":3}}`},
		"no start": {`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":5,"cache_read_input_tokens":2,"cache_creation_input_tokens":null,"output_tokens":3}}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, events(es...))
			parts, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
			require.NoError(t, err)
			assert.Equal(t, strata.Usage{InputTokens: 7, OutputTokens: 3, TotalTokens: 10, CachedInputTokens: 2}, parts[len(parts)-1].(strata.Finish).Usage)
		})
	}
}

func TestFinishTellsMore(t *testing.T) {
	want := strata.ProviderData{"anthropic": {"stop_sequence": "END", "container": map[string]any{"id": "c1"}}}
	s := serve(t, events(begin, `{"type":"message_delta","delta":{"stop_reason":"stop_sequence","stop_sequence":"END","stop_details":null,"container":{"id":"c1"}},"usage":{"output_tokens":5}}`, over))
	parts, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
	require.NoError(t, err)
	assert.Equal(t, want, parts[len(parts)-1].(strata.Finish).ProviderData)

	s = serve(t, whole(200, "application/json", `{"id":"m1","type":"message","content":[],"stop_reason":"stop_sequence","stop_sequence":"END","container":{"id":"c1"}}`))
	resp, err := s.model().Generate(t.Context(), strata.Prompt("Hi"))
	require.NoError(t, err)
	assert.Equal(t, want, resp.ProviderData)
}

func TestGenerateFinish(t *testing.T) {
	const hello = `[{"type":"text","text":"Hi"}]`
	calls := `[{"type":"tool_use","id":"t1","name":"f","input":{}},{"type":"tool_use","id":"t2","name":"g","input":{"a":1}}]`
	said := []strata.Content{strata.Text{Text: "Hi"}}
	f := strata.ToolCall{ID: "t1", Name: "f", Input: "{}"}
	tests := []struct {
		content, reason string
		want            strata.FinishReason
		contents        []strata.Content
	}{
		{hello, "end_turn", strata.FinishStop, said},
		{hello, "stop_sequence", strata.FinishStop, said},
		{hello, "max_tokens", strata.FinishLength, said},
		{hello, "model_context_window_exceeded", strata.FinishLength, said},
		{hello, "pause_turn", strata.FinishOther, said},
		{hello, "refusal", strata.FinishContentFilter, said},
		{hello, "", strata.FinishUnknown, said},
		{`[{"type":"text","text":""}]`, "end_turn", strata.FinishStop, nil},
		{`[{"type":"text","text":"Hi","citations":null}]`, "end_turn", strata.FinishStop, said},
		{calls, "tool_use", strata.FinishToolCalls, []strata.Content{f, strata.ToolCall{ID: "t2", Name: "g", Input: `{"a":1}`}}},
		{calls, "end_turn", strata.FinishToolCalls, []strata.Content{f, strata.ToolCall{ID: "t2", Name: "g", Input: `{"a":1}`}}},
		// The server makes JSON of half an input too.
		{calls, "max_tokens", strata.FinishLength, []strata.Content{f, strata.ToolInput{ID: "t2", Name: "g", Input: `{"a":1}`}}},
	}
	for _, test := range tests {
		t.Run(test.reason, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", message(test.content, test.reason)))
			resp, err := s.model().Generate(t.Context(), strata.Prompt("Hi"))
			require.NoError(t, err)
			assert.Equal(t, test.want, resp.FinishReason)
			assert.Equal(t, test.reason, resp.RawFinishReason)
			assert.Equal(t, test.contents, resp.Content)
		})
	}
}

func TestStreamIsLazyAndRepeats(t *testing.T) {
	s := serve(t, events(answer("end_turn", text("Hi"))...))
	stream := s.model().Stream(t.Context(), strata.Prompt("Hi"))
	assert.Zero(t, s.requests.Load(), "sent before it was ranged over")
	for range 2 {
		parts, err := collect(t, stream)
		require.NoError(t, err)
		assert.Equal(t, "start meta:m1 text1{ Hi }1 finish:stop(end_turn)", short(parts))
	}
	assert.EqualValues(t, 2, s.requests.Load())
}

func TestConnectionIsUsedAgain(t *testing.T) {
	s := serve(t, events(answer("end_turn", text("Hi"))...))
	m := s.model()
	for range 3 {
		_, err := collect(t, m.Stream(t.Context(), strata.Prompt("Hi")))
		require.NoError(t, err)
	}
	assert.EqualValues(t, 3, s.requests.Load())
	assert.EqualValues(t, 1, s.conns.Load(), "a connection was not given back")
}

// A server that keeps the connection open behind the end holds nobody up for long.
func TestServerThatDoesNotClose(t *testing.T) {
	release := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		events(answer("end_turn", text("Hi"))...)(w, r)
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	parts, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
	require.NoError(t, err)
	assert.Equal(t, "start meta:m1 text1{ Hi }1 finish:stop(end_turn)", short(parts))
}

func TestBreakClosesTheConnection(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, stopAt := range []string{"start", "meta:m1", "text1{", "Hi"} {
		t.Run(stopAt, func(t *testing.T) {
			gone := make(chan struct{})
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				events(begin, start(`{"type":"text","text":"Hi"}`))(w, r)
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
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+2 }, 10*time.Second, 10*time.Millisecond, "goroutines are left")
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
	begun := answer("end_turn", text("Hi"))
	tests := []struct {
		name     string
		handler  http.HandlerFunc
		deadline bool
	}{
		{"cancel before the headers", hang(), false},
		{"cancel in mid-stream", hang(begun[:3]...), false},
		{"cancel behind the stop reason", hang(begun[:5]...), false},
		{"deadline", hang(), true},
		{"deadline in mid-stream", hang(begun[:3]...), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, stream := range []bool{true, false} {
				s := serve(t, test.handler)
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
				want := context.DeadlineExceeded
				if !test.deadline {
					ctx, cancel = context.WithCancel(t.Context())
					time.AfterFunc(30*time.Millisecond, cancel)
					want = context.Canceled
				}
				defer cancel()
				var err error
				if stream {
					_, err = collect(t, s.model().Stream(ctx, strata.Prompt("Hi")))
				} else {
					_, err = s.model().Generate(ctx, strata.Prompt("Hi"))
				}
				requireFailure(t, err)
				assert.ErrorIs(t, err, want)
			}
		})
	}
}

// piecewise is a transport whose body comes a piece a read.
type piecewise struct{ pieces [][]byte }

func (p *piecewise) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: p, Request: r}, nil
}

func (p *piecewise) Read(b []byte) (int, error) {
	if len(p.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.pieces[0])
	if p.pieces[0] = p.pieces[0][n:]; len(p.pieces[0]) == 0 {
		p.pieces = p.pieces[1:]
	}
	return n, nil
}

func (p *piecewise) Close() error { return nil }

// Wherever the bytes are split, the parts are the same.
func TestSplitAnywhere(t *testing.T) {
	body := []byte(sse(everything...))
	parts := func(pieces ...[]byte) string {
		m := anthropic.New("claude-test", anthropic.APIKey(key), anthropic.HTTPClient(&http.Client{Transport: &piecewise{slices.DeleteFunc(pieces, func(p []byte) bool { return len(p) == 0 })}}))
		ps, err := collect(t, m.Stream(t.Context(), strata.Prompt("Hi")))
		require.NoError(t, err)
		return short(ps)
	}
	want := parts(body)
	for i := range body {
		require.Equal(t, want, parts(body[:i], body[i:]), "split at %d", i)
	}
	assert.Equal(t, want, parts(bytes.SplitAfter(body, nil)...), "byte by byte")
}

// Nothing that a server sends makes a stream break its contract.
func FuzzStream(f *testing.F) {
	f.Add([]byte(sse(everything...)))
	f.Add([]byte(sse(answer("refusal", text("Hi"))...)))
	f.Add([]byte(sse(begin, `{"type":"content_block_start","content_block":null}`, `{"type":"content_block_delta","delta":{"type":"citations_delta","citation":null}}`, shut, shut, finish("max_tokens"))))
	f.Add([]byte(message(wholeEverything, "tool_use")))
	f.Fuzz(func(t *testing.T, body []byte) {
		m := anthropic.New("claude-test", anthropic.APIKey(key), anthropic.HTTPClient(&http.Client{Transport: &piecewise{[][]byte{body}}}))
		_, _ = collect(t, m.Stream(t.Context(), strata.Prompt("Hi")))
	})
}
