package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/openai/openai-go/v3/responses"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/recording"
	"github.com/strata-go/strata/provider/openai"
	"github.com/strata-go/strata/stream"
)

// Events of a stream over the Responses API.
var created = `{"type":"response.created","response":` + answer("in_progress", `"output":[]`) + `}`

func added(index int, item string) string {
	return fmt.Sprintf(`{"type":"response.output_item.added","output_index":%d,"item":%s}`, index, item)
}

func itemDone(index int, item string) string {
	return fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":%s}`, index, item)
}

func piece(kind string, index, part int, delta string) string {
	return fmt.Sprintf(`{"type":"response.%s.delta","output_index":%d,"content_index":%d,"summary_index":%d,"delta":%q}`, kind, index, part, part, delta)
}

func ended(status, fields string) string {
	return `{"type":"response.` + status + `","response":` + answer(status, fields) + `}`
}

var completed = ended("completed", `"output":[]`)

const (
	message1 = `{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}`
	call1    = `{"id":"fc_1","type":"function_call","status":"in_progress","call_id":"t1","name":"f","arguments":""}`
)

func textOf(item string) string {
	return `{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"` + item + `"}]}`
}

func callOf(arguments string) string {
	return fmt.Sprintf(`{"id":"fc_1","type":"function_call","status":"completed","call_id":"t1","name":"f","arguments":%q}`, arguments)
}

func TestResponsesStream(t *testing.T) {
	citation := `{"id":"msg_1","type":"message","content":[{"type":"output_text","text":"Hi","annotations":[{"type":"url_citation","url":"https://example.com","title":"Example"}]}]}`
	tests := []struct {
		name   string
		events []string
		want   string
	}{
		{"text", []string{created, added(0, message1), piece("output_text", 0, 0, "Hel"), piece("output_text", 0, 0, "lo"), itemDone(0, textOf("Hello")), completed},
			"start meta:resp_1 text1{ Hel lo }1 finish:stop(completed)"},
		{"no answer", []string{created, completed}, "start meta:resp_1 finish:stop(completed)"},
		{"an end without a status", []string{`{"type":"response.completed","response":{"id":"resp_1"}}`}, "start meta:resp_1 finish:stop(completed)"},
		{"events behind the end", []string{created, completed, piece("output_text", 0, 0, "Hi"), done}, "start meta:resp_1 finish:stop(completed)"},
		{"items without pieces", []string{created, itemDone(0, textOf("Hello")), itemDone(1, callOf(`{"a":1}`)), completed},
			`start meta:resp_1 text1{ Hello }1 tool:f{ {"a":1} }tool call:f{"a":1} finish:tool-calls(completed)`},
		{"items at the end alone", []string{created, ended("completed", `"output":[`+textOf("Hello")+`,`+callOf(`{}`)+`]`)},
			`start meta:resp_1 text1{ Hello }1 tool:f{ {} }tool call:f{} finish:tool-calls(completed)`},
		{"items that come again at the end", []string{created, piece("output_text", 0, 0, "Hello"), itemDone(0, textOf("Hello")), ended("completed", `"output":[`+textOf("Hello")+`]`)},
			"start meta:resp_1 text1{ Hello }1 finish:stop(completed)"},
		{"events that are not known", []string{created, `{"type":"keepalive","sequence_number":2}`, `{"type":"response.new.delta","delta":{"x":1},"part":7}`, piece("output_text", 0, 0, "Hi"), completed},
			"start meta:resp_1 text1{ Hi }1 finish:stop(completed)"},
		{"numbers of another form", []string{created, `{"type":"response.output_text.delta","output_index":0.0,"content_index":"0","delta":"Hi"}`, ended("completed", `"output":[],"created_at":1.7e9,"usage":{"input_tokens":7.0,"output_tokens":"5"}`)},
			"start meta:resp_1 text1{ Hi }1 finish:stop(completed)"},
		{"the type in the event's line alone", []string{created, "\nevent: response.output_text.delta\ndata: {\"delta\":\"Hi\"}", completed},
			"start meta:resp_1 text1{ Hi }1 finish:stop(completed)"},
		{"pieces that do not say of what", []string{created, itemDone(0, `{"id":"rs_1","type":"reasoning","summary":[{"text":"hm"}]}`), added(1, message1), `{"type":"response.output_text.delta","delta":"Hi"}`, itemDone(1, textOf("Hi")), completed},
			"start meta:resp_1 reasoning1{ hm }1 text2{ Hi }2 finish:stop(completed)"},
		{"two messages", []string{created, piece("output_text", 0, 0, "a"), itemDone(0, textOf("a")), piece("output_text", 1, 0, "b"), itemDone(1, textOf("b")), completed},
			"start meta:resp_1 text1{ a }1 text2{ b }2 finish:stop(completed)"},
		{"citation", []string{created, piece("output_text", 0, 0, "Hi"), itemDone(0, citation), completed},
			"start meta:resp_1 text1{ Hi source:https://example.com }1 finish:stop(completed)"},
		{"log probabilities", []string{created, `{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Hi","logprobs":[{"token":"Hi","logprob":-0.1}]}`, completed},
			"start meta:resp_1 text1{ Hi raw }1 finish:stop(completed)"},

		{"summary of two parts", []string{created, added(0, `{"id":"rs_1","type":"reasoning","summary":[]}`), piece("reasoning_summary_text", 0, 0, "h"), piece("reasoning_summary_text", 0, 1, "m"),
			itemDone(0, `{"id":"rs_1","type":"reasoning","summary":[{"text":"h"},{"text":"m"}]}`), piece("output_text", 1, 0, "Hi"), completed},
			"start meta:resp_1 reasoning1{ h }1 reasoning2{ m }2 text3{ Hi }3 finish:stop(completed)"},
		{"reasoning of open models", []string{created, piece("reasoning_text", 0, 0, "hm"), itemDone(0, `{"id":"rs_1","type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"hm"}]}`), completed},
			"start meta:resp_1 reasoning1{ hm }1 finish:stop(completed)"},
		{"reasoning that nothing is known of", []string{created, itemDone(0, `{"id":"rs_1","type":"reasoning","summary":[]}`), completed}, "start meta:resp_1 finish:stop(completed)"},
		{"reasoning that is encrypted", []string{created, itemDone(0, `{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"x"}`), completed},
			"start meta:resp_1 reasoning1{ }1 finish:stop(completed)"},

		{"tool call", []string{created, added(0, call1), piece("function_call_arguments", 0, 0, `{"a":`), piece("function_call_arguments", 0, 0, `1}`), itemDone(0, callOf(`{"a":1}`)), completed},
			`start meta:resp_1 tool:f{ {"a": 1} }tool call:f{"a":1} finish:tool-calls(completed)`},
		{"text, then two tool calls", []string{created, piece("output_text", 0, 0, "Hi"), itemDone(0, textOf("Hi")), added(1, call1), added(2, strings.ReplaceAll(call1, `"f"`, `"g"`)),
			piece("function_call_arguments", 2, 0, `{}`), piece("function_call_arguments", 1, 0, `{}`), completed},
			`start meta:resp_1 text1{ Hi }1 tool:f{ tool:g{ {} {} }tool call:f{} }tool call:g{} finish:tool-calls(completed)`},
		{"no arguments", []string{created, added(0, call1), itemDone(0, callOf("")), completed}, `start meta:resp_1 tool:f{ }tool call:f{} finish:tool-calls(completed)`},
		{"a call whose input was cut", []string{created, added(0, call1), piece("function_call_arguments", 0, 0, `{"a":`), ended("incomplete", `"incomplete_details":{"reason":"max_output_tokens"}`)},
			`start meta:resp_1 tool:f{ {"a": finish:length(max_output_tokens)`},
		{"a call that is incomplete", []string{created, added(0, call1), itemDone(0, strings.Replace(callOf(`{"a":`), `"completed"`, `"incomplete"`, 1)), completed},
			`start meta:resp_1 tool:f{ {"a": finish:stop(completed)`},

		{"length", []string{created, piece("output_text", 0, 0, "Hi"), ended("incomplete", `"incomplete_details":{"reason":"max_output_tokens"}`)},
			"start meta:resp_1 text1{ Hi }1 finish:length(max_output_tokens)"},
		{"content filter behind text", []string{created, piece("output_text", 0, 0, "Hi"), ended("incomplete", `"incomplete_details":{"reason":"content_filter"}`)},
			"start meta:resp_1 text1{ Hi }1 finish:content-filter(content_filter)"},
		{"incomplete for another reason", []string{created, ended("incomplete", `"incomplete_details":{"reason":"patience"}`)}, "start meta:resp_1 finish:other(patience)"},
		{"incomplete for no reason", []string{created, ended("incomplete", `"output":[]`)}, "start meta:resp_1 finish:other(incomplete)"},
		{"cancelled", []string{created, ended("cancelled", `"output":[]`)}, "start meta:resp_1 finish:other(cancelled)"},

		{"search on the web", []string{created, itemDone(0, `{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"sky"}}`), piece("output_text", 1, 0, "Hi"), completed},
			`start meta:resp_1 call:web_search{"action":{"query":"sky","type":"search"}} text1{ Hi }1 finish:stop(completed)`},
		{"an image that was drawn", []string{created, itemDone(0, `{"id":"ig_1","type":"image_generation_call","status":"completed","result":"cG5n","output_format":"png"}`), completed},
			`start meta:resp_1 call:image_generation{} file:image/png finish:stop(completed)`},
		{"another item", []string{created, itemDone(0, `{"id":"m_1","type":"mcp_list_tools","server_label":"s","tools":[]}`), completed}, "start meta:resp_1 raw finish:stop(completed)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, events(test.events...))
			parts, err := collect(t, s.responses().Stream(t.Context(), strata.Prompt("Hi")))
			require.NoError(t, err)
			assert.Equal(t, test.want, short(parts))
		})
	}
}

// llama.cpp does not say where in the output an item stands, and gives calls no ID
// but that of the call (https://github.com/ggml-org/llama.cpp/issues/20607).
func TestResponsesItemsWithoutAPlace(t *testing.T) {
	item := func(kind, fields string) string {
		return `{"type":"response.output_item.` + kind + `","item":{` + fields + `}}`
	}
	piece := func(kind, id, delta string) string {
		return fmt.Sprintf(`{"type":"response.%s.delta","item_id":%q,"delta":%q}`, kind, id, delta)
	}
	thoughts := `"id":"rs_1","type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"hm"}]`
	text := `"id":"msg_1","type":"message","content":[{"type":"output_text","text":"Hi"}]`
	f := `"type":"function_call","call_id":"fc_1","name":"f","arguments":"{\"a\":1}"`
	g := `"type":"function_call","call_id":"fc_2","name":"g","arguments":"{\"b\":2}"`
	s := serve(t, events(created,
		item("added", `"id":"rs_1","type":"reasoning","summary":[]`), piece("reasoning_text", "rs_1", "hm"),
		item("added", `"id":"msg_1","type":"message","content":[]`), piece("output_text", "msg_1", "Hi"),
		item("added", `"type":"function_call","call_id":"fc_1","name":"f","arguments":""`), piece("function_call_arguments", "fc_1", `{"a":1}`),
		item("added", `"type":"function_call","call_id":"fc_2","name":"g","arguments":""`), piece("function_call_arguments", "fc_2", `{"b":2}`),
		item("done", thoughts), item("done", text), item("done", f), item("done", g),
		ended("completed", `"output":[{`+strings.Join([]string{thoughts, text, f, g}, "},{")+`}]`)))
	resp, err := stream.Collect(s.responses().Stream(t.Context(), strata.Prompt("Hi")))
	require.NoError(t, err)
	assert.Equal(t, "hm", resp.Reasoning())
	assert.Equal(t, "Hi", resp.Text())
	assert.Equal(t, []strata.ToolCall{{ID: "fc_1", Name: "f", Input: `{"a":1}`}, {ID: "fc_2", Name: "g", Input: `{"b":2}`}}, resp.ToolCalls())
}

// What goes wrong inside or instead of an answer is told alike by both ways of asking.
func TestResponsesFailures(t *testing.T) {
	hi := piece("output_text", 0, 0, "Hi")
	refusal := `{"type":"message","content":[{"type":"refusal","refusal":"I'm sorry"}]}`
	page := whole(200, "text/html", "<html>Sign in</html>")
	json200 := func(body string) http.HandlerFunc { return whole(200, "application/json", body) }
	tests := []struct {
		name    string
		handler http.HandlerFunc
		streams bool
		kind    failure.Kind // empty: as package failure finds
		is      error
		has     string
		parts   string // that came before, of a stream
	}{
		{"error event", events(created, hi, `{"type":"error","error":{"type":"server_error","code":"server_error","message":"No capacity"}}`), true, failure.Overload, nil, "No capacity", "start meta:resp_1 text1{ Hi"},
		{"flat error event", events(created, `{"type":"error","code":"rate_limit_exceeded","message":"Rate limit reached","param":null}`), true, failure.Rate, nil, "Rate limit reached", "start meta:resp_1"},
		{"context too long", events(`{"type":"error","error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"Too long"}}`), true, failure.Context, nil, "Too long", "start"},
		{"error event by its type", whole(200, "text/event-stream", "event: error\ndata: {\"message\":\"No capacity\"}\n\n"), true, failure.Overload, nil, "No capacity", "start"},
		{"failed", events(created, hi, ended("failed", `"output":[],"error":{"code":"insufficient_quota","message":"You exceeded your quota"}`)), true, failure.Quota, nil, "You exceeded your quota", "start meta:resp_1 text1{ Hi"},
		{"failed for no reason", events(created, ended("failed", `"output":[]`)), true, failure.Overload, nil, "ended the answer with an error", "start meta:resp_1"},
		{"no end", events(created, hi), true, failure.Network, io.ErrUnexpectedEOF, "without a finish reason", "start meta:resp_1 text1{ Hi"},
		{"half a tool call", events(created, added(0, call1), itemDone(0, callOf("{}"))), true, failure.Network, io.ErrUnexpectedEOF, "", "start meta:resp_1 tool:f{ {}"},
		{"cut", cut("data: " + hi + "\n\n"), true, failure.Network, io.ErrUnexpectedEOF, "", "start text1{ Hi"},
		{"event that is no JSON", events(created, `{"type":`), true, "", nil, "in place of an answer", "start meta:resp_1"},
		{"item of another form", events(created, itemDone(0, `{"type":7}`)), true, "", nil, "in place of an answer", "start meta:resp_1"},
		{"beginning of an item of another form", events(created, added(0, `{"type":7}`)), true, "", nil, "in place of an answer", "start meta:resp_1"},
		{"answer of another form", events(`{"type":"response.created","response":{"id":7}}`), true, "", nil, "in place of an answer", "start"},
		{"refusal", events(created, added(0, message1), `{"type":"response.refusal.delta","delta":"I'm sorry"}`), true, failure.Content, nil, "refused", "start meta:resp_1"},
		{"refusal by its part", events(created, `{"type":"response.content_part.added","part":{"type":"refusal","refusal":""}}`), true, failure.Content, nil, "refused", "start meta:resp_1"},
		{"refusal behind text", events(created, hi, itemDone(0, refusal)), true, failure.Content, nil, "refused", "start meta:resp_1 text1{ Hi"},
		{"content filter", events(created, ended("incomplete", `"incomplete_details":{"reason":"content_filter"}`)), true, failure.Content, nil, "content_filter", "start meta:resp_1"},
		{"content filter behind reasoning", events(created, piece("reasoning_summary_text", 0, 0, "hm"), ended("incomplete", `"incomplete_details":{"reason":"content_filter"}`)), true, failure.Content, nil, "content_filter", "start meta:resp_1 reasoning1{ hm"},

		{"page", page, false, "", nil, "", "start"},
		{"whole error", json200(`{"error":{"message":"No capacity","code":"server_error"}}`), false, failure.Overload, nil, "No capacity", "start"},
		{"whole failure", json200(answer("failed", `"output":[]`)), false, failure.Overload, nil, "ended the answer with an error", "start"},
		{"whole refusal", json200(output(refusal)), false, failure.Content, nil, "refused", "start meta:resp_1"},
		{"whole answer that was filtered", json200(answer("incomplete", `"output":[],"incomplete_details":{"reason":"content_filter"}`)), false, failure.Content, nil, "content_filter", "start meta:resp_1"},
		{"whole answer of something else", json200(`{"detail":"try later"}`), false, "", nil, "try later", "start"},
		{"whole answer that is cut", cut(`{"id":`), false, failure.Network, io.ErrUnexpectedEOF, "", "start"},
		{"whole answer of another form", json200(`{"output":7}`), false, "", nil, "in place of an answer", "start"},
		{"nothing", json200(""), false, failure.Network, io.ErrUnexpectedEOF, "", "start"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, test.handler)
			parts, err := collect(t, s.responses().Stream(t.Context(), strata.Prompt("the prompt")))
			assert.Equal(t, test.parts, short(parts))
			errs := []error{err}
			if !test.streams {
				_, err := s.responses().Generate(t.Context(), strata.Prompt("the prompt"))
				errs = append(errs, err)
			}
			for _, err := range errs {
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
				assert.NotContains(t, fmt.Sprintf("%v %+v", err, *e), "sorry", "the answer is in the error")
				requireNoSecret(t, err)
			}
			assert.EqualValues(t, len(errs), s.requests.Load())
		})
	}
}

func TestResponsesFailedStatus(t *testing.T) {
	body := `{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}`
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "3")
		whole(429, "application/json", body)(w, r)
	})
	_, generated := s.responses().Generate(t.Context(), strata.Prompt("the prompt"))
	_, streamed := collect(t, s.responses().Stream(t.Context(), strata.Prompt("the prompt")))
	for _, err := range []error{generated, streamed} {
		e := requireFailure(t, err)
		assert.Equal(t, failure.Rate, e.Kind)
		assert.Equal(t, 3*time.Second, failure.RetryAfter(err))
		requireNoSecret(t, err)
	}
	assert.EqualValues(t, 2, s.requests.Load(), "the SDK retried")
}

// A whole answer holds everything, and goes back as it came.
func TestResponsesRoundTrip(t *testing.T) {
	reasoning := `{"id":"rs_1","type":"reasoning","status":null,"summary":[{"type":"summary_text","text":"h"},{"type":"summary_text","text":"m"}],"encrypted_content":"x"}`
	message := `{"id":"msg_1","type":"message","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"Hi","annotations":[{"type":"container_file_citation","container_id":"c","file_id":"f","filename":"a.csv"}]}]}`
	search := `{"id":"fs_1","type":"file_search_call","status":"completed","queries":["sky"],"results":[{"file_id":"f"}]}`
	mcp := `{"id":"mcp_1","type":"mcp_call","server_label":"s","name":"roll","arguments":"{\"n\":1}","output":null,"error":"no dice"}`
	approval := `{"id":"mcpr_1","type":"mcp_approval_request","server_label":"s","name":"roll","arguments":"{}"}`
	call := `{"id":"fc_1","type":"function_call","status":"completed","call_id":"t1","name":"f","arguments":"","namespace":"n"}`
	items := strings.Join([]string{reasoning, message, search, mcp, approval, call}, ",")
	without := func(item, id string) string { return strings.Replace(item, `"id":"`+id+`",`, "", 1) }
	request := func(items ...string) string { return "[" + strings.Join(items, ",") + "]" }
	message1 := `{"id":"msg_1","type":"message","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"Hi","annotations":[]}]}`
	reasoning1 := strings.Replace(reasoning, `"status":null,`, "", 1)
	call1 := strings.NewReplacer(`"status":"completed",`, "", `"arguments":""`, `"arguments":"{}"`).Replace(call)
	mcp1 := strings.Replace(mcp, `"output":null,`, "", 1)

	for _, stored := range []bool{false, true} {
		t.Run(fmt.Sprintf("stored %v", stored), func(t *testing.T) {
			body := output(items)
			want := request(reasoning1, `{"role":"assistant","content":"Hi","phase":"commentary"}`, approval, without(call1, "fc_1"))
			if stored {
				body = strings.Replace(body, `"store":false`, `"store":true`, 1)
				want = request(reasoning1, message1, search, mcp1, approval, call1)
			}
			s := serve(t, whole(200, "application/json", body))
			m := s.responses(openai.Account("eu"))
			resp, err := m.Generate(t.Context(), strata.Prompt("Hi"))
			require.NoError(t, err)
			require.IsType(t, &responses.Response{}, resp.Raw)
			assert.Equal(t, m.ID(), resp.Model)
			assert.Equal(t, strata.FinishToolCalls, resp.FinishReason)
			assert.Equal(t, "completed", resp.RawFinishReason)
			assert.Equal(t, strata.Usage{InputTokens: 7, OutputTokens: 5, TotalTokens: 12, CachedInputTokens: 4, ReasoningTokens: 2}, resp.Usage)
			assert.Equal(t, "resp_1", resp.Metadata.ID)
			assert.Equal(t, "gpt-test-1", resp.Metadata.Model)
			assert.Equal(t, time.Unix(1700000000, 0).UTC(), resp.Metadata.Timestamp)
			assert.NotEmpty(t, resp.Metadata.Headers.Get("Content-Type"))
			var kinds []string
			for i, c := range resp.Content {
				kinds = append(kinds, strings.TrimPrefix(fmt.Sprintf("%T", c), "strata."))
				switch c := c.(type) {
				case strata.ToolResult:
					assert.True(t, c.ProviderExecuted)
					assert.Equal(t, c.Name == "roll", c.IsError)
				case strata.Source:
					assert.Equal(t, strata.Source{ID: "f", Filename: "a.csv", ProviderData: strata.ProviderData{"openai": {"container_id": "c"}}}, resp.Content[i])
				}
			}
			assert.Equal(t, "Reasoning Reasoning Text Source ToolCall ToolResult ToolCall ToolResult Raw ToolCall", strings.Join(kinds, " "))

			_, err = m.Generate(t.Context(), &strata.Request{Messages: []strata.Message{resp.Message()}})
			require.NoError(t, err)
			sent, err := json.Marshal(s.asked(t)["input"])
			require.NoError(t, err)
			assert.JSONEq(t, want, string(sent))
		})
	}
}

// A stream and a whole answer say the same, wherever the bytes are split.
func TestResponsesStreamIsTheWholeAnswer(t *testing.T) {
	compared := 0
	for _, r := range recording.Load(t, "openai-responses") {
		_, last, streamed := strings.Cut(r.Response.Body, "event: response.completed\ndata: ")
		if !streamed {
			continue
		}
		compared++
		var event struct{ Response json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(last), &event))
		s := serve(t, whole(200, "application/json", string(event.Response)))
		want, err := s.responses().Generate(t.Context(), strata.Prompt("Hi"))
		require.NoError(t, err)
		for _, size := range []int{1, 7, 4096} {
			body := &piecewise{}
			for rest := r.Response.Body; rest != ""; {
				n := min(size, len(rest))
				body.pieces, rest = append(body.pieces, rest[:n]), rest[n:]
			}
			m := openai.NewResponses("gpt-test", openai.APIKey(key), openai.HTTPClient(&http.Client{Transport: body}))
			got, err := stream.Collect(m.Stream(t.Context(), strata.Prompt("Hi")))
			require.NoError(t, err)
			assert.Equal(t, withoutCiphers(want), withoutCiphers(got), "%s in pieces of %d", r.Name, size)
			assert.Equal(t, want.Usage, got.Usage)
			assert.Equal(t, want.FinishReason, got.FinishReason)
		}
	}
	require.NotZero(t, compared)
}

// withoutCiphers returns the contents as JSON without what the server encrypts anew
// each time it says it.
func withoutCiphers(r *strata.Response) string {
	for _, c := range r.Content {
		if c, ok := c.(strata.Reasoning); ok {
			delete(c.ProviderData["openai"]["item"].(map[string]any), "encrypted_content")
		}
	}
	b, _ := json.Marshal(r.Content)
	return string(b)
}

func TestResponsesConnections(t *testing.T) {
	s := serve(t, events(created, piece("output_text", 0, 0, "Hi"), completed))
	m := s.responses()
	for range 3 {
		_, err := collect(t, m.Stream(t.Context(), strata.Prompt("Hi")))
		require.NoError(t, err)
	}
	assert.EqualValues(t, 1, s.conns.Load(), "a connection was not given back")

	gone := make(chan struct{})
	s = serve(t, func(w http.ResponseWriter, r *http.Request) {
		events(created, piece("output_text", 0, 0, "Hi"))(w, r)
		<-r.Context().Done()
		close(gone)
	})
	for part, err := range s.responses().Stream(t.Context(), strata.Prompt("Hi")) {
		require.NoError(t, err)
		if part.Commits() {
			break
		}
	}
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
		t.Fatal("the server still has the connection")
	}
}
