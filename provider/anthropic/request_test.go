package anthropic_test

import (
	"encoding/json"
	"testing"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/provider/anthropic"
)

func ptr[T any](v T) *T { return &v }

func own(fields map[string]any) strata.ProviderData {
	return strata.ProviderData{"anthropic": fields, "other": {"x": 1}}
}

var cached = map[string]any{"cache_control": map[string]any{"type": "ephemeral"}}

const (
	cache = `"cache_control":{"type":"ephemeral"}`
	said  = `{"role":"user","content":[{"type":"text","text":"Hi"}]}`
)

// body is a request of the given messages and further fields.
func body(messages, more string) string {
	return `{"model":"claude-test","max_tokens":16384,"messages":[` + messages + `]` + more + `}`
}

func of(role strata.Role, c ...strata.Content) strata.Message {
	return strata.Message{Role: role, Content: c}
}

func messages(m ...strata.Message) *strata.Request { return &strata.Request{Messages: m} }

func with(edit func(*strata.Request)) *strata.Request {
	req := strata.Prompt("Hi")
	edit(req)
	return req
}

// checkBodies asserts what the server received for each request.
func checkBodies(t *testing.T, tests []bodyTest) {
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, hi)
			before, err := json.Marshal(test.req.Messages)
			require.NoError(t, err)
			resp, err := s.model().Generate(t.Context(), test.req)
			require.NoError(t, err)
			var warned []string
			for _, w := range resp.Warnings {
				warned = append(warned, w.Setting)
			}
			assert.Equal(t, test.warnings, warned)
			assert.JSONEq(t, test.want, string(s.body))
			after, err := json.Marshal(test.req.Messages)
			require.NoError(t, err)
			assert.Equal(t, string(before), string(after), "the request was changed")
		})
	}
}

type bodyTest struct {
	name     string
	req      *strata.Request
	want     string
	warnings []string // their settings
}

func TestMessages(t *testing.T) {
	user := func(c ...strata.Content) *strata.Request { return messages(of(strata.RoleUser, c...)) }
	asked := func(blocks string) string { return body(`{"role":"user","content":[`+blocks+`]}`, "") }
	call := func(id string) strata.ToolCall { return strata.ToolCall{ID: id, Name: "f", Input: `{"b":1,"a":2}`} }
	checkBodies(t, []bodyTest{
		{"text", strata.Prompt("Hi"), body(said, ""), nil},
		{"no messages", &strata.Request{}, body("", ""), nil},
		{"system", messages(strata.SystemMessage("Be brief"), strata.SystemMessage(""), strata.UserMessage("Hi"), strata.SystemMessage("Be kind")),
			body(said, `,"system":[{"type":"text","text":"Be brief"},{"type":"text","text":"Be kind"}]`), nil},
		{"image by bytes", user(strata.Text{Text: "What?"}, strata.Image{MediaType: "image/webp", Data: []byte("webp")}, strata.Image{Data: []byte("\x89PNG\r\n\x1a\n")}),
			asked(`{"type":"text","text":"What?"},{"type":"image","source":{"type":"base64","media_type":"image/webp","data":"d2VicA=="}},
				{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}`), nil},
		{"image by address", user(strata.Image{URL: "https://e.com/a.png"}, strata.Image{URL: "data:image/png;base64,cG5n"}),
			asked(`{"type":"image","source":{"type":"url","url":"https://e.com/a.png"}},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"cG5n"}}`), nil},
		{"file that is an image", user(strata.File{MediaType: "image/png", Data: []byte("png")}, strata.File{MediaType: "image/png", FileID: "f1", ProviderData: own(cached)}),
			asked(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"cG5n"}},{"type":"image","source":{"type":"file","file_id":"f1"},` + cache + `}`), nil},
		{"image detail", user(strata.Image{URL: "https://e.com/a.png", Detail: "low"}, strata.Image{URL: "https://e.com/b.png", Detail: "low"}),
			asked(`{"type":"image","source":{"type":"url","url":"https://e.com/a.png"}},{"type":"image","source":{"type":"url","url":"https://e.com/b.png"}}`), []string{"Image.Detail"}},
		{"PDF by bytes", user(strata.File{MediaType: "application/pdf", Filename: "a.pdf", Data: []byte("pdf"), ProviderData: own(map[string]any{"citations": map[string]any{"enabled": true}})}, strata.File{Data: []byte("%PDF-1.7")}),
			asked(`{"type":"document","title":"a.pdf","source":{"type":"base64","media_type":"application/pdf","data":"cGRm"},"citations":{"enabled":true}},
				{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjc="}}`), nil},
		{"PDF by address", user(strata.File{MediaType: "application/pdf", URL: "https://e.com/a.pdf"}, strata.File{URL: "data:application/pdf;base64,cGRm"}),
			asked(`{"type":"document","source":{"type":"url","url":"https://e.com/a.pdf"}},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"cGRm"}}`), nil},
		{"file by ID", user(strata.File{FileID: "f1"}), asked(`{"type":"document","source":{"type":"file","file_id":"f1"}}`), nil},
		{"text file", user(strata.File{MediaType: "text/markdown", Data: []byte("# Hi")}, strata.File{MediaType: "application/json", Data: []byte("{}")}),
			asked(`{"type":"document","source":{"type":"text","media_type":"text/plain","data":"# Hi"}},{"type":"document","source":{"type":"text","media_type":"text/plain","data":"{}"}}`), nil},

		{"tool round trip", messages(
			strata.UserMessage("Hi"),
			of(strata.RoleAssistant, strata.Text{Text: "Let me "}, strata.Text{}, strata.Text{Text: "look."}, call("t1"), strata.ToolCall{ID: "t2", Name: "g", ProviderData: own(map[string]any{"caller": "c"})},
				strata.Source{URL: "https://e.com"}, strata.ToolInput{Name: "half"}, strata.Raw{Value: 1}, strata.File{}, strata.Image{}),
			strata.ToolMessage(strata.ToolResult{ID: "t1", Name: "f", Output: "40 C"}),
			strata.ToolMessage(strata.ToolResult{ID: "t2", IsError: true, Content: []strata.Content{
				strata.Text{Text: "broken", ProviderData: own(cached)}, strata.Image{URL: "https://e.com/a.png"}, strata.File{URL: "https://e.com/a.pdf"}, strata.File{MediaType: "image/png", FileID: "f1"}}}),
			strata.UserMessage("And?")),
			body(said+`,{"role":"assistant","content":[{"type":"text","text":"Let me "},{"type":"text","text":"look."},
					{"type":"tool_use","id":"t1","name":"f","input":{"b":1,"a":2}},{"type":"tool_use","id":"t2","name":"g","input":{},"caller":"c"}]},
				{"role":"user","content":[
					{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"40 C"}]},
					{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":[{"type":"text","text":"broken",`+cache+`},
						{"type":"image","source":{"type":"url","url":"https://e.com/a.png"}},{"type":"document","source":{"type":"url","url":"https://e.com/a.pdf"}},
						{"type":"image","source":{"type":"file","file_id":"f1"}}]},
					{"type":"text","text":"And?"}]}`, ""), nil},
		{"result of nothing", messages(strata.ToolMessage(strata.ToolResult{ID: "t1"})), asked(`{"type":"tool_result","tool_use_id":"t1"}`), nil},
		{"turns of one side", messages(strata.UserMessage("a"), strata.UserMessage("b"), strata.AssistantMessage("c"), strata.AssistantMessage("d")),
			body(`{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},{"role":"assistant","content":[{"type":"text","text":"c"},{"type":"text","text":"d"}]}`, ""), nil},
		{"answer of which nothing can go back", messages(strata.UserMessage("Hi"),
			of(strata.RoleAssistant, strata.Reasoning{Text: "hm", ProviderData: strata.ProviderData{"openai": {"signature": "s"}}}, strata.Reasoning{Text: "bare"},
				strata.ToolCall{ID: "x", ProviderExecuted: true}, strata.ToolResult{ID: "x", Output: "1", ProviderExecuted: true}, strata.Text{}),
			strata.UserMessage("Well?")), body(`{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"text","text":"Well?"}]}`, ""), nil},
		{"thinking", messages(of(strata.RoleAssistant,
			strata.Reasoning{Text: "hm", ProviderData: own(map[string]any{"signature": "s"})}, strata.Reasoning{ProviderData: own(map[string]any{"signature": "t"})},
			strata.Reasoning{ProviderData: own(map[string]any{"data": "blob"})}, strata.Text{Text: "Hi"})),
			body(`{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"thinking","thinking":"","signature":"t"},
				{"type":"redacted_thinking","data":"blob"},{"type":"text","text":"Hi"}]}`, ""), nil},

		{"cache control of contents", messages(
			of(strata.RoleSystem, strata.Text{Text: "s", ProviderData: own(cached)}), of(strata.RoleUser, strata.Text{Text: "u", ProviderData: own(cached)}, strata.Text{Text: "v"}),
			of(strata.RoleAssistant, strata.ToolCall{ID: "t1", Name: "f", ProviderData: own(cached)}), strata.ToolMessage(strata.ToolResult{ID: "t1", ProviderData: own(cached)})),
			body(`{"role":"user","content":[{"type":"text","text":"u",`+cache+`},{"type":"text","text":"v"}]},
				{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{},`+cache+`}]},
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",`+cache+`}]}`, `,"system":[{"type":"text","text":"s",`+cache+`}]`), nil},
		{"cache control of messages", messages(
			strata.Message{Role: strata.RoleSystem, Content: []strata.Content{strata.Text{Text: "r"}, strata.Text{Text: "s"}}, ProviderOptions: own(cached)},
			strata.Message{Role: strata.RoleUser, Content: []strata.Content{strata.Text{Text: "u"}, strata.File{FileID: "f1"}}, ProviderOptions: own(cached)},
			strata.Message{Role: strata.RoleAssistant, Content: []strata.Content{strata.Text{Text: "a"}, strata.Reasoning{Text: "hm", ProviderData: own(map[string]any{"signature": "s"})}, strata.Source{}}, ProviderOptions: own(cached)},
			strata.Message{Role: strata.RoleTool, Content: []strata.Content{strata.ToolResult{ID: "t1"}, strata.ToolResult{ID: "t2"}}, ProviderOptions: own(cached)}),
			body(`{"role":"user","content":[{"type":"text","text":"u"},{"type":"document","source":{"type":"file","file_id":"f1"},`+cache+`}]},
				{"role":"assistant","content":[{"type":"text","text":"a",`+cache+`},{"type":"thinking","thinking":"hm","signature":"s"}]},
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1"},{"type":"tool_result","tool_use_id":"t2",`+cache+`}]}`,
				`,"system":[{"type":"text","text":"r"},{"type":"text","text":"s",`+cache+`}]`), nil},
	})
}

func TestSettings(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"z":{},"a":{}}}`)
	format := func(f strata.ResponseFormat) *strata.Request {
		return with(func(r *strata.Request) { r.ResponseFormat = &f })
	}
	choice := func(mode strata.ToolChoiceMode, name string) *strata.Request {
		return with(func(r *strata.Request) { r.ToolChoice = &strata.ToolChoice{Mode: mode, Name: name} })
	}
	effort := func(e strata.ReasoningEffort) *strata.Request {
		return with(func(r *strata.Request) { r.ReasoningEffort = e })
	}
	checkBodies(t, []bodyTest{
		{"tools", with(func(r *strata.Request) {
			r.Tools = []strata.Tool{
				{Name: "weather", Description: "The weather", Strict: ptr(true), InputSchema: schema, ProviderOptions: own(cached)},
				{Name: "time"},
				{Name: "custom", ProviderOptions: own(map[string]any{"type": "custom"})},
				{Name: "web_search", ProviderOptions: own(map[string]any{"type": "web_search_20260318", "max_uses": 5})},
				{ProviderOptions: own(map[string]any{"type": "mcp_toolset", "mcp_server_name": "s"})},
			}
		}), body(said, `,"tools":[
			{"name":"weather","description":"The weather","strict":true,"input_schema":{"type":"object","properties":{"z":{},"a":{}}},`+cache+`},
			{"name":"time","input_schema":{"type":"object","properties":{}}},
			{"name":"custom","type":"custom","input_schema":{"type":"object","properties":{}}},
			{"name":"web_search","type":"web_search_20260318","max_uses":5},
			{"type":"mcp_toolset","mcp_server_name":"s"}]`), nil},
		{"auto", choice(strata.ToolChoiceAuto, ""), body(said, `,"tool_choice":{"type":"auto"}`), nil},
		{"none", choice(strata.ToolChoiceNone, ""), body(said, `,"tool_choice":{"type":"none"}`), nil},
		{"required", choice(strata.ToolChoiceRequired, ""), body(said, `,"tool_choice":{"type":"any"}`), nil},
		{"one tool", choice(strata.ToolChoiceTool, "time"), body(said, `,"tool_choice":{"type":"tool","name":"time"}`), nil},

		{"text format", format(strata.ResponseFormat{Type: strata.ResponseText}), body(said, ""), nil},
		{"JSON", format(strata.ResponseFormat{Type: strata.ResponseJSON}), body(said, ""), []string{"ResponseFormat"}},
		{"JSON of a schema", format(strata.ResponseFormat{Type: strata.ResponseJSON, Schema: schema, Name: "city", Description: "A city", Strict: ptr(true)}),
			body(said, `,"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"z":{},"a":{}}}}}`), nil},

		{"effort", effort(strata.ReasoningHigh), body(said, `,"output_config":{"effort":"high"}`), nil},
		{"effort of its own", effort("max"), body(said, `,"output_config":{"effort":"max"}`), nil},
		{"least effort", effort(strata.ReasoningMinimal), body(said, `,"output_config":{"effort":"low"}`), []string{"ReasoningEffort"}},
		{"no effort", effort(strata.ReasoningNone), body(said, `,"thinking":{"type":"disabled"}`), nil},
		{"effort and schema", with(func(r *strata.Request) {
			r.ReasoningEffort, r.ResponseFormat = strata.ReasoningLow, &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: schema}
		}), body(said, `,"output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object","properties":{"z":{},"a":{}}}}}`), nil},

		{"limits", with(func(r *strata.Request) { r.MaxOutputTokens, r.StopSequences = 100, []string{"END"} }),
			`{"model":"claude-test","max_tokens":100,"messages":[` + said + `],"stop_sequences":["END"]}`, nil},
		{"settings without a place", with(func(r *strata.Request) {
			r.Temperature, r.TopP, r.TopK, r.PresencePenalty, r.FrequencyPenalty, r.Seed = ptr(0.0), ptr(0.9), ptr(3), ptr(-1.5), ptr(0.5), ptr(int64(7))
		}), body(said, ""), []string{"Temperature", "TopP", "TopK", "PresencePenalty", "FrequencyPenalty", "Seed"}},
		{"provider options win", with(func(r *strata.Request) {
			r.Temperature, r.ReasoningEffort = ptr(0.5), strata.ReasoningNone
			r.ProviderOptions = own(map[string]any{"temperature": 1, "thinking": map[string]any{"type": "adaptive"}, "max_tokens": 7, "a.b": true})
		}), `{"model":"claude-test","max_tokens":7,"messages":[` + said + `],"temperature":1,"thinking":{"type":"adaptive"},"a.b":true}`, nil},
		{"raw edits last", with(func(r *strata.Request) {
			r.MaxOutputTokens = 5
			r.Raw = func(p *sdk.MessageNewParams) { p.MaxTokens, p.InferenceGeo = 16384, sdk.String("eu") }
		}), body(said, `,"inference_geo":"eu"`), nil},
		{"raw of another adapter", with(func(r *strata.Request) { r.Raw = 42 }), body(said, ""), nil},
	})
	assert.Equal(t, 16384, anthropic.DefaultMaxTokens)
}

func TestSchemaKeepsItsOrder(t *testing.T) {
	s := serve(t, hi)
	schema := json.RawMessage(`{"type":"object","properties":{"reason":{},"answer":{}}}`)
	req := strata.Prompt("Hi")
	req.Tools = []strata.Tool{{Name: "f", InputSchema: schema}}
	req.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: schema}
	req.Messages = append(req.Messages, of(strata.RoleAssistant, strata.ToolCall{ID: "t", Name: "f", Input: `{"z":1,"a":12345678901234567890}`}))
	_, err := s.model().Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Contains(t, string(s.body), `"input_schema":`+string(schema))
	assert.Contains(t, string(s.body), `"schema":`+string(schema))
	assert.Contains(t, string(s.body), `"input":{"z":1,"a":12345678901234567890}`)
}

func TestStreamingRequest(t *testing.T) {
	s := serve(t, events(answer("end_turn", text("Hi"))...))
	req := strata.Prompt("Hi")
	req.Temperature = ptr(1.0)
	parts, err := collect(t, s.model().Stream(t.Context(), req))
	require.NoError(t, err)
	assert.JSONEq(t, body(said, `,"stream":true`), string(s.body))
	assert.Equal(t, "Temperature", parts[0].(strata.StreamStart).Warnings[0].Setting)
	assert.Equal(t, "2026-10-21", s.headers.Get("Anthropic-Version"))
}

func TestOptionsOfTheProvider(t *testing.T) {
	s := serve(t, hi)
	req := strata.Prompt("Hi")
	req.ProviderOptions = strata.ProviderData{"moonshot": {"top_k": 4}, "anthropic": {"service_tier": "auto"}}
	_, err := s.model(anthropic.Provider("moonshot")).Generate(t.Context(), req)
	require.NoError(t, err)
	assert.JSONEq(t, body(said, `,"top_k":4`), string(s.body))
}

func TestBadRequest(t *testing.T) {
	user := func(c ...strata.Content) *strata.Request { return messages(of(strata.RoleUser, c...)) }
	tests := []struct {
		name string
		req  *strata.Request
		want string
	}{
		{"nil request", nil, "the request is nil"},
		{"unknown role", messages(strata.UserMessage("Hi"), of("robot")), `messages[1]: unknown role "robot"`},
		{"image in a system message", messages(of(strata.RoleSystem, strata.Text{}, strata.Image{})), "messages[0].content[1]: a system message cannot hold strata.Image"},
		{"tool result in a user message", user(strata.ToolResult{}), "messages[0].content[0]: a user message cannot hold strata.ToolResult"},
		{"nothing in an image", user(strata.Image{}), "messages[0].content[0]: the image has neither data nor a URL"},
		{"nothing in a file", user(strata.File{}), "messages[0].content[0]: the file has neither data nor a URL nor an ID"},
		{"file of another type", user(strata.File{MediaType: "audio/mpeg", Data: []byte("mp3")}), `messages[0].content[0]: the Messages API takes no file of the type "audio/mpeg"`},
		{"nil content", user(nil), "messages[0].content[0]: a user message cannot hold <nil>"},
		{"nil content of an answer", messages(of(strata.RoleAssistant, strata.Text{}, nil)), "messages[0].content[1]: the content is nil"},
		{"input that is no JSON", messages(of(strata.RoleAssistant, strata.ToolCall{ID: "t", Input: "{a"})), "messages[0].content[0]: the input of the tool call is not JSON"},
		{"text in a tool message", messages(of(strata.RoleTool, strata.Text{})), "messages[0].content[0]: a tool message cannot hold strata.Text"},
		{"call in a tool result", messages(strata.ToolMessage(strata.ToolResult{Content: []strata.Content{strata.Text{}, strata.ToolCall{}}})),
			"messages[0].content[0].content[1]: a tool result cannot hold strata.ToolCall"},
		{"schema of a tool", with(func(r *strata.Request) { r.Tools = []strata.Tool{{Name: "f", InputSchema: json.RawMessage(`{`)}} }), `tools[0] "f": the input schema is not JSON`},
		{"tool choice", with(func(r *strata.Request) { r.ToolChoice = &strata.ToolChoice{Mode: "maybe"} }), `unknown tool choice "maybe"`},
		{"tool choice of no tool", with(func(r *strata.Request) { r.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceTool} }), `tool choice "tool" names no tool`},
		{"response format", with(func(r *strata.Request) { r.ResponseFormat = &strata.ResponseFormat{Type: "xml"} }), `unknown response format "xml"`},
		{"schema of the answer", with(func(r *strata.Request) {
			r.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Name: "n", Schema: json.RawMessage(`}`)}
		}), `response format "n": the schema is not JSON`},
		{"option that is no JSON", with(func(r *strata.Request) { r.ProviderOptions = own(map[string]any{"f": func() {}}) }), "unsupported type: func()"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, hi)
			_, generated := s.model().Generate(t.Context(), test.req)
			parts, streamed := collect(t, s.model().Stream(t.Context(), test.req))
			assert.Empty(t, parts)
			for _, err := range []error{generated, streamed} {
				e := requireFailure(t, err)
				assert.Equal(t, failure.Invalid, e.Kind)
				assert.ErrorContains(t, err, test.want)
			}
			assert.Zero(t, s.requests.Load(), "a request was sent")
		})
	}
}
