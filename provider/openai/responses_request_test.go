package openai_test

import (
	"encoding/json"
	"net/http"
	"testing"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/provider/openai"
)

// responses returns a model that asks the server over the Responses API.
func (s *server) responses(opts ...openai.Option) *openai.Responses {
	return openai.NewResponses("gpt-test", append([]openai.Option{
		openai.BaseURL(s.URL + "/v1"), openai.APIKey(key), openai.HTTPClient(&http.Client{Transport: &http.Transport{}}),
	}, opts...)...)
}

// output is a whole answer with the given items.
func output(items string) string { return answer("completed", `"output":[`+items+`]`) }

// answer is a response of the status with the given further fields.
func answer(status, fields string) string {
	return `{"id":"resp_1","object":"response","created_at":1700000000,"model":"gpt-test-1","status":"` + status + `","error":null,"store":false,` + fields +
		`,"usage":{"input_tokens":7,"input_tokens_details":{"cached_tokens":4},"output_tokens":5,"output_tokens_details":{"reasoning_tokens":2},"total_tokens":12}}`
}

const said = `{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hi","annotations":[]}]}`

func TestResponsesRequestBody(t *testing.T) {
	const head = `{"model":"gpt-test","store":false,"input":[`
	const hello = head + `{"role":"user","content":[{"type":"input_text","text":"Hi"}]}]`
	user := func(content ...strata.Content) *strata.Request {
		return &strata.Request{Messages: []strata.Message{{Role: strata.RoleUser, Content: content}}}
	}
	with := func(edit func(*strata.Request)) *strata.Request {
		req := strata.Prompt("Hi")
		edit(req)
		return req
	}
	messages := func(m ...strata.Message) *strata.Request { return &strata.Request{Messages: m} }
	item := func(fields map[string]any) strata.ProviderData {
		return strata.ProviderData{"openai": {"item": fields}, "other": {"x": 1}}
	}
	ofAssistant := func(content ...strata.Content) *strata.Request {
		return messages(strata.Message{Role: strata.RoleAssistant, Content: content})
	}

	tests := []struct {
		name string
		req  *strata.Request
		want string // the body
	}{
		{"text", strata.Prompt("Hi"), hello + `}`},
		{"no messages", &strata.Request{}, head + `]}`},
		{"system", messages(strata.SystemMessage("Be brief"), strata.UserMessage("Hi")),
			head + `{"role":"system","content":"Be brief"},{"role":"user","content":[{"type":"input_text","text":"Hi"}]}]}`},
		{"developer", messages(strata.Message{Role: strata.RoleSystem, Content: []strata.Content{strata.Text{Text: "a"}, strata.Text{Text: "b"}},
			ProviderOptions: strata.ProviderData{"openai": {"role": "developer"}}}),
			head + `{"role":"developer","content":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]}]}`},
		{"images", user(strata.Image{MediaType: "image/png", Data: []byte("png"), Detail: "low"}, strata.Image{URL: "https://example.com/a.png"},
			strata.File{MediaType: "image/png", FileID: "file-1"}, strata.File{MediaType: "image/png", Data: []byte("png")}),
			head + `{"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,cG5n","detail":"low"},
				{"type":"input_image","image_url":"https://example.com/a.png"},{"type":"input_image","file_id":"file-1"},
				{"type":"input_image","image_url":"data:image/png;base64,cG5n"}]}]}`},
		{"files", user(strata.File{MediaType: "application/pdf", Data: []byte("pdf")}, strata.File{URL: "https://example.com/a.pdf"}, strata.File{FileID: "file-1"}),
			head + `{"role":"user","content":[{"type":"input_file","file_data":"data:application/pdf;base64,cGRm","filename":"file.pdf"},
				{"type":"input_file","file_url":"https://example.com/a.pdf"},{"type":"input_file","file_id":"file-1"}]}]}`},
		{"option of a content", user(strata.Text{Text: "Hi", ProviderData: strata.ProviderData{"openai": {"prompt_cache_breakpoint": 1}}}),
			head + `{"role":"user","content":[{"type":"input_text","text":"Hi","prompt_cache_breakpoint":1}]}]}`},
		{"tool round trip", messages(
			strata.UserMessage("Weather?"),
			strata.Message{Role: strata.RoleAssistant, Content: []strata.Content{
				strata.Reasoning{Text: "foreign"},
				strata.Text{Text: "Let me "}, strata.Text{Text: "look."},
				strata.ToolCall{ID: "c1", Name: "weather", Input: `{"city":"Rome"}`},
				strata.ToolCall{ID: "c2", Name: "time", ProviderData: item(map[string]any{"namespace": "clock"})},
				strata.ToolCall{ID: "c3", Name: "search", ProviderExecuted: true},
				strata.Source{URL: "https://example.com"}, strata.ToolInput{Name: "half"}, strata.Raw{Value: 1},
			}},
			strata.ToolMessage(
				strata.ToolResult{ID: "c1", Name: "weather", Output: "40 C"},
				strata.ToolResult{ID: "c2", Content: []strata.Content{strata.Text{Text: "noon"}, strata.Image{URL: "https://example.com/clock.png"}, strata.File{FileID: "f"}}, IsError: true},
			)),
			head + `{"role":"user","content":[{"type":"input_text","text":"Weather?"}]},
				{"role":"assistant","content":"Let me look."},
				{"type":"function_call","call_id":"c1","name":"weather","arguments":"{\"city\":\"Rome\"}"},
				{"type":"function_call","call_id":"c2","name":"time","arguments":"{}","namespace":"clock"},
				{"type":"function_call_output","call_id":"c1","output":"40 C"},
				{"type":"function_call_output","call_id":"c2","output":[{"type":"input_text","text":"noon"},
					{"type":"input_image","image_url":"https://example.com/clock.png"},{"type":"input_file","file_id":"f"}]}]}`},
		{"reasoning and a message that the server keeps", ofAssistant(
			strata.Reasoning{Text: "h"},
			strata.Reasoning{Text: "m", ProviderData: item(map[string]any{"type": "reasoning", "id": "rs_1", "summary": []any{}, "encrypted_content": "x"})},
			strata.Text{Text: "a", ProviderData: item(map[string]any{"id": "msg_1", "phase": "commentary"})},
			strata.Text{Text: "b", ProviderData: item(map[string]any{"id": "msg_1", "phase": "commentary"})},
			strata.Text{Text: "c", ProviderData: item(map[string]any{"phase": "final_answer"})},
			strata.ToolCall{ID: "ws_1", Name: "web_search", ProviderExecuted: true, ProviderData: item(map[string]any{"type": "web_search_call", "id": "ws_1"})},
		), head + `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"x"},
			{"type":"message","role":"assistant","id":"msg_1","status":"completed","phase":"commentary",
				"content":[{"type":"output_text","text":"a","annotations":[]},{"type":"output_text","text":"b","annotations":[]}]},
			{"role":"assistant","content":"c","phase":"final_answer"},
			{"type":"web_search_call","id":"ws_1"}]}`},
		{"items of the SDK", messages(
			strata.Message{Role: strata.RoleAssistant, Content: []strata.Content{strata.Raw{Value: responses.ResponseInputItemParamOfItemReference("x")}}},
			strata.Message{Role: strata.RoleTool, Content: []strata.Content{strata.Raw{Value: responses.ResponseInputItemParamOfMcpApprovalResponse("a", true)}}}),
			head + `{"id":"x"},{"type":"mcp_approval_response","approval_request_id":"a","approve":true}]}`},
		{"tools", with(func(r *strata.Request) {
			r.Tools = []strata.Tool{
				{Name: "weather", Description: "The weather", Strict: ptr(true),
					InputSchema:     json.RawMessage(`{"type":"object","properties":{"z":{},"a":{}}}`),
					ProviderOptions: strata.ProviderData{"openai": {"defer_loading": true}}},
				{Name: "time"},
			}
			r.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceTool, Name: "time"}
		}), hello + `,"tools":[
			{"type":"function","name":"weather","description":"The weather","strict":true,"parameters":{"type":"object","properties":{"z":{},"a":{}}},"defer_loading":true},
			{"type":"function","name":"time","parameters":{"type":"object","properties":{}}}],
			"tool_choice":{"type":"function","name":"time"}}`},
		{"tool choice", with(func(r *strata.Request) { r.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceRequired} }),
			hello + `,"tool_choice":"required"}`},
		{"JSON", with(func(r *strata.Request) { r.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON} }),
			hello + `,"text":{"format":{"type":"json_object"}}}`},
		{"JSON of a schema", with(func(r *strata.Request) {
			r.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: json.RawMessage(`{"type":"object"}`), Description: "A city", Strict: ptr(true)}
			r.ProviderOptions = strata.ProviderData{"openai": {"text": map[string]any{"verbosity": "low"}}}
		}), hello + `,"text":{"verbosity":"low","format":{"type":"json_schema","name":"response","description":"A city","strict":true,"schema":{"type":"object"}}}}`},
		{"text format", with(func(r *strata.Request) { r.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseText} }),
			hello + `,"text":{"format":{"type":"text"}}}`},
		{"settings", with(func(r *strata.Request) { r.MaxOutputTokens, r.Temperature, r.TopP = 100, ptr(0.0), ptr(0.9) }),
			hello + `,"max_output_tokens":100,"temperature":0,"top_p":0.9}`},
		{"reasoning", with(func(r *strata.Request) {
			r.ReasoningEffort = strata.ReasoningLow
			r.ProviderOptions = strata.ProviderData{"openai": {"reasoning": map[string]any{"summary": "auto"}}}
		}), hello + `,"reasoning":{"effort":"low","summary":"auto"},"include":["reasoning.encrypted_content"]}`},
		{"no reasoning", with(func(r *strata.Request) { r.ReasoningEffort = strata.ReasoningNone }), hello + `,"reasoning":{"effort":"none"}}`},
		{"provider options win", with(func(r *strata.Request) {
			r.Temperature, r.TopK, r.ReasoningEffort = ptr(0.5), ptr(3), strata.ReasoningHigh
			r.ProviderOptions = strata.ProviderData{"openai": {"temperature": 1, "top_k": 40, "store": true}, "other": {"x": 1}}
		}), `{"model":"gpt-test","input":[{"role":"user","content":[{"type":"input_text","text":"Hi"}]}],"temperature":1,"top_k":40,"store":true,"reasoning":{"effort":"high"}}`},
		{"raw edits last", with(func(r *strata.Request) {
			r.Raw = func(p *responses.ResponseNewParams) {
				p.Truncation = "auto"
				p.Tools = append(p.Tools, responses.ToolParamOfWebSearch(responses.WebSearchToolTypeWebSearch))
			}
		}), hello + `,"truncation":"auto","tools":[{"type":"web_search"}]}`},
		{"raw of another adapter", with(func(r *strata.Request) { r.Raw = func(*sdk.ChatCompletionNewParams) {} }), hello + `}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", output(said)))
			before, err := json.Marshal(test.req.ProviderOptions)
			require.NoError(t, err)
			resp, err := s.responses().Generate(t.Context(), test.req)
			require.NoError(t, err)
			assert.Empty(t, resp.Warnings)
			assert.JSONEq(t, test.want, string(s.body))
			assert.Equal(t, "/v1/responses", s.path)
			after, err := json.Marshal(test.req.ProviderOptions)
			require.NoError(t, err)
			assert.Equal(t, string(before), string(after), "the request was changed")
		})
	}
}

// Only models that reason are asked for their reasoning: others refuse to be.
func TestResponsesEncryptedReasoningIsAskedOfReasoningModels(t *testing.T) {
	for name, want := range map[string]bool{
		"gpt-5": true, "gpt-5.1-codex": true, "gpt-6-astra": true, "o4-mini": true, "openai/o3": true, "ft:o4-mini:acme": true,
		"gpt-4o": false, "gpt-35-turbo": false, "gpt-4.1": false, "gpt-5-chat-latest": false, "gpt-oss-120b": false, "my-deployment": false,
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", output(said)))
			_, err := openai.NewResponses(name, openai.BaseURL(s.URL), openai.APIKey(key)).Generate(t.Context(), strata.Prompt("Hi"))
			require.NoError(t, err)
			assert.Equal(t, want, s.asked(t)["include"] != nil)
			assert.Equal(t, false, s.asked(t)["store"])
		})
	}
}

func TestResponsesSchemaKeepsItsOrder(t *testing.T) {
	s := serve(t, whole(200, "application/json", output(said)))
	schema := json.RawMessage(`{"type":"object","properties":{"reason":{},"answer":{}}}`)
	req := strata.Prompt("Hi")
	req.Tools = []strata.Tool{{Name: "f", InputSchema: schema}}
	req.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: schema}
	_, err := s.responses().Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Contains(t, string(s.body), `"parameters":`+string(schema))
	assert.Contains(t, string(s.body), `"schema":`+string(schema))
}

func TestResponsesSettingsWithoutAPlaceAreWarnings(t *testing.T) {
	req := strata.Prompt("Hi")
	req.TopK, req.PresencePenalty, req.FrequencyPenalty = ptr(1), ptr(1.0), ptr(1.0)
	req.StopSequences, req.Seed = []string{"END"}, ptr(int64(1))
	req.ProviderOptions = strata.ProviderData{"openai": {"seed": 2}}
	s := serve(t, events(`{"type":"response.completed","response":`+output(said)+`}`))
	parts, err := collect(t, s.responses().Stream(t.Context(), req))
	require.NoError(t, err)
	var settings []string
	for _, w := range parts[0].(strata.StreamStart).Warnings {
		settings = append(settings, w.Setting)
	}
	assert.Equal(t, []string{"TopK", "PresencePenalty", "FrequencyPenalty", "StopSequences"}, settings)
	assert.JSONEq(t, `{"model":"gpt-test","store":false,"stream":true,"seed":2,"input":[{"role":"user","content":[{"type":"input_text","text":"Hi"}]}]}`, string(s.body))
}

func TestResponsesBadRequest(t *testing.T) {
	messages := func(role strata.Role, c ...strata.Content) *strata.Request {
		return &strata.Request{Messages: []strata.Message{{Role: role, Content: c}}}
	}
	with := func(edit func(*strata.Request)) *strata.Request {
		req := strata.Prompt("Hi")
		edit(req)
		return req
	}
	tests := []struct {
		name string
		req  *strata.Request
		want string
	}{
		{"nil request", nil, "the request is nil"},
		{"unknown role", messages("robot"), `messages[0]: unknown role "robot"`},
		{"image in a system message", messages(strata.RoleSystem, strata.Text{}, strata.Image{}), "messages[0].content[1]: a system message cannot hold strata.Image"},
		{"tool result in a user message", messages(strata.RoleUser, strata.ToolResult{}), "messages[0].content[0]: a user message cannot hold strata.ToolResult"},
		{"nothing in an image", messages(strata.RoleUser, strata.Image{}), "messages[0].content[0]: the image has neither data nor a URL"},
		{"nothing in a file", messages(strata.RoleUser, strata.File{}), "messages[0].content[0]: the file has neither data nor a URL nor an ID"},
		{"nil content", messages(strata.RoleUser, nil), "messages[0].content[0]: a user message cannot hold <nil>"},
		{"nil content of an answer", messages(strata.RoleAssistant, nil), "messages[0].content[0]: the content is nil"},
		{"text in a tool message", messages(strata.RoleTool, strata.Text{}), "messages[0].content[0]: a tool message cannot hold strata.Text"},
		{"reasoning in a tool result", messages(strata.RoleTool, strata.ToolResult{Content: []strata.Content{strata.Text{}, strata.Reasoning{}}}),
			"messages[0].content[0].content[1]: a tool result cannot hold strata.Reasoning"},
		{"schema of a tool", with(func(r *strata.Request) { r.Tools = []strata.Tool{{Name: "f", InputSchema: json.RawMessage(`{`)}} }),
			`tools[0] "f": the input schema is not JSON`},
		{"tool choice", with(func(r *strata.Request) { r.ToolChoice = &strata.ToolChoice{Mode: "maybe"} }), `unknown tool choice "maybe"`},
		{"tool choice of no tool", with(func(r *strata.Request) { r.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceTool} }), `tool choice "tool" names no tool`},
		{"response format", with(func(r *strata.Request) { r.ResponseFormat = &strata.ResponseFormat{Type: "xml"} }), `unknown response format "xml"`},
		{"schema of the answer", with(func(r *strata.Request) {
			r.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Name: "n", Schema: json.RawMessage(`}`)}
		}), `response format "n": the schema is not JSON`},
		{"option that is no JSON", with(func(r *strata.Request) { r.ProviderOptions = strata.ProviderData{"openai": {"f": func() {}}} }), "unsupported type: func()"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", output(said)))
			_, generated := s.responses().Generate(t.Context(), test.req)
			parts, streamed := collect(t, s.responses().Stream(t.Context(), test.req))
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
