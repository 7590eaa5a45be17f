package openai_test

import (
	"encoding/json"
	"net/http"
	"testing"

	sdk "github.com/openai/openai-go/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/provider/openai"
)

func ptr[T any](v T) *T { return &v }

const hello = `{"messages":[{"role":"user","content":"Hi"}],"model":"gpt-test"`

func TestRequestBody(t *testing.T) {
	user := func(content ...strata.Content) *strata.Request {
		return &strata.Request{Messages: []strata.Message{{Role: strata.RoleUser, Content: content}}}
	}
	with := func(edit func(*strata.Request)) *strata.Request {
		req := strata.Prompt("Hi")
		edit(req)
		return req
	}
	messages := func(m ...strata.Message) *strata.Request { return &strata.Request{Messages: m} }

	tests := []struct {
		name string
		req  *strata.Request
		want string // the body
	}{
		{"text", strata.Prompt("Hi"), hello + `}`},
		{"no messages", &strata.Request{}, `{"messages":[],"model":"gpt-test"}`},
		{"system", messages(strata.SystemMessage("Be brief"), strata.UserMessage("Hi")),
			`{"messages":[{"role":"system","content":"Be brief"},{"role":"user","content":"Hi"}],"model":"gpt-test"}`},
		{"texts", user(strata.Text{Text: "a"}, strata.Text{Text: "b"}),
			`{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}],"model":"gpt-test"}`},
		{"image by bytes", user(strata.Text{Text: "What?"}, strata.Image{MediaType: "image/png", Data: []byte("png"), Detail: "low"}),
			`{"messages":[{"role":"user","content":[{"type":"text","text":"What?"},
				{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n","detail":"low"}}]}],"model":"gpt-test"}`},
		{"image of an unknown type", user(strata.Image{Data: []byte("\x89PNG\r\n\x1a\n")}),
			`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}],"model":"gpt-test"}`},
		{"image by address", user(strata.Image{URL: "https://example.com/a.png"}),
			`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}],"model":"gpt-test"}`},
		{"file by bytes", user(strata.File{MediaType: "application/pdf", Filename: "a.pdf", Data: []byte("pdf")}),
			`{"messages":[{"role":"user","content":[{"type":"file","file":{"file_data":"data:application/pdf;base64,cGRm","filename":"a.pdf"}}]}],"model":"gpt-test"}`},
		{"file by ID", user(strata.File{FileID: "file-1"}),
			`{"messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"file-1"}}]}],"model":"gpt-test"}`},
		{"file by address", user(strata.File{MediaType: "application/pdf", URL: "https://example.com/a.pdf"}),
			`{"messages":[{"role":"user","content":[{"type":"file","file":{"file_data":"https://example.com/a.pdf","filename":"file.pdf"}}]}],"model":"gpt-test"}`},
		{"file that is an image", user(strata.File{MediaType: "image/png", Data: []byte("png")}),
			`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}}]}],"model":"gpt-test"}`},
		{"audio", user(strata.File{MediaType: "audio/mpeg", Data: []byte("mp3")}),
			`{"messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"bXAz","format":"mp3"}}]}],"model":"gpt-test"}`},
		{"tool round trip", messages(
			strata.UserMessage("Weather?"),
			strata.Message{Role: strata.RoleAssistant, Content: []strata.Content{
				strata.Text{Text: "Let me "}, strata.Text{Text: "look."},
				strata.ToolCall{ID: "c1", Name: "weather", Input: `{"city":"Rome"}`},
				strata.ToolCall{ID: "c2", Name: "time", ProviderData: strata.ProviderData{"openai": {"extra_content": "sig"}, "other": {"x": 1}}},
				strata.ToolCall{ID: "c3", Name: "search", ProviderExecuted: true},
				strata.Source{URL: "https://example.com"}, strata.ToolInput{Name: "half"}, strata.Raw{Value: 1},
			}},
			strata.ToolMessage(
				strata.ToolResult{ID: "c1", Name: "weather", Output: "40 C"},
				strata.ToolResult{ID: "c2", Content: []strata.Content{strata.Text{Text: "noon"}, strata.Text{Text: "UTC"}}, IsError: true},
			)),
			`{"messages":[{"role":"user","content":"Weather?"},
				{"role":"assistant","content":"Let me look.","tool_calls":[
					{"id":"c1","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Rome\"}"}},
					{"id":"c2","type":"function","function":{"name":"time","arguments":"{}"},"extra_content":"sig"}]},
				{"role":"tool","tool_call_id":"c1","content":"40 C"},
				{"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"noon"},{"type":"text","text":"UTC"}]}],"model":"gpt-test"}`},
		{"tool calls alone", messages(strata.Message{Role: strata.RoleAssistant, Content: []strata.Content{strata.ToolCall{ID: "c", Name: "f", Input: "{}"}}}),
			`{"messages":[{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}],"model":"gpt-test"}`},
		{"empty answer", messages(strata.Message{Role: strata.RoleAssistant}),
			`{"messages":[{"role":"assistant","content":""}],"model":"gpt-test"}`},
		{"reasoning of this provider", messages(strata.Message{Role: strata.RoleAssistant, Content: []strata.Content{
			strata.Reasoning{Text: "hm", ProviderData: strata.ProviderData{"openai": {"reasoning_field": "reasoning_content"}}}, strata.Text{Text: "Hi"}}}),
			`{"messages":[{"role":"assistant","content":"Hi","reasoning_content":"hm"}],"model":"gpt-test"}`},
		{"reasoning details", messages(strata.Message{Role: strata.RoleAssistant, Content: []strata.Content{
			strata.Reasoning{Text: "hm", ProviderData: strata.ProviderData{"openai": {"reasoning_field": "reasoning", "reasoning_details": []any{map[string]any{"type": "reasoning.text", "text": "hm", "signature": "s"}}}}},
			strata.Text{Text: "Hi"}}}),
			`{"messages":[{"role":"assistant","content":"Hi","reasoning_details":[{"type":"reasoning.text","text":"hm","signature":"s"}]}],"model":"gpt-test"}`},
		{"reasoning of another provider", messages(strata.Message{Role: strata.RoleAssistant, Content: []strata.Content{
			strata.Reasoning{Text: "hm", ProviderData: strata.ProviderData{"anthropic": {"signature": "s"}}}, strata.Reasoning{Text: "bare"}, strata.Text{Text: "Hi"}}}),
			`{"messages":[{"role":"assistant","content":"Hi"}],"model":"gpt-test"}`},
		{"tools", with(func(r *strata.Request) {
			r.Tools = []strata.Tool{
				{Name: "weather", Description: "The weather", Strict: ptr(true),
					InputSchema:     json.RawMessage(`{"type":"object","properties":{"z":{},"a":{}}}`),
					ProviderOptions: strata.ProviderData{"openai": {"cache_control": map[string]any{"type": "ephemeral"}}}},
				{Name: "time"},
			}
			r.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceTool, Name: "time"}
		}), hello + `,"tools":[
			{"type":"function","function":{"name":"weather","description":"The weather","strict":true,"parameters":{"type":"object","properties":{"z":{},"a":{}}}},"cache_control":{"type":"ephemeral"}},
			{"type":"function","function":{"name":"time","parameters":{"type":"object","properties":{}}}}],
			"tool_choice":{"type":"function","function":{"name":"time"}}}`},
		{"tool choice", with(func(r *strata.Request) { r.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceRequired} }),
			hello + `,"tool_choice":"required"}`},
		{"JSON", with(func(r *strata.Request) { r.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON} }),
			hello + `,"response_format":{"type":"json_object"}}`},
		{"JSON of a schema", with(func(r *strata.Request) {
			r.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: json.RawMessage(`{"type":"object"}`), Name: "city", Description: "A city", Strict: ptr(true)}
		}), hello + `,"response_format":{"type":"json_schema","json_schema":{"name":"city","description":"A city","strict":true,"schema":{"type":"object"}}}}`},
		{"JSON of a schema without a name", with(func(r *strata.Request) {
			r.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: json.RawMessage(`{}`)}
		}), hello + `,"response_format":{"type":"json_schema","json_schema":{"name":"response","schema":{}}}}`},
		{"text format", with(func(r *strata.Request) { r.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseText} }),
			hello + `,"response_format":{"type":"text"}}`},
		{"settings", with(func(r *strata.Request) {
			r.MaxOutputTokens, r.Temperature, r.TopP = 100, ptr(0.0), ptr(0.9)
			r.PresencePenalty, r.FrequencyPenalty = ptr(-1.5), ptr(0.5)
			r.StopSequences, r.Seed, r.ReasoningEffort = []string{"END"}, ptr(int64(7)), strata.ReasoningLow
		}), hello + `,"max_completion_tokens":100,"temperature":0,"top_p":0.9,"presence_penalty":-1.5,"frequency_penalty":0.5,"stop":["END"],"seed":7,"reasoning_effort":"low"}`},
		{"provider options win", with(func(r *strata.Request) {
			r.Temperature, r.TopK = ptr(0.5), ptr(3)
			r.ProviderOptions = strata.ProviderData{"openai": {"temperature": 1, "top_k": 40, "a.b": true}, "other": {"x": 1}}
		}), hello + `,"temperature":1,"top_k":40,"a.b":true}`},
		{"message options", messages(strata.Message{Role: strata.RoleUser, Content: []strata.Content{
			strata.Text{Text: "Hi", ProviderData: strata.ProviderData{"openai": {"cache_control": 1}}}},
			ProviderOptions: strata.ProviderData{"openai": {"name": "Ann"}, "other": {"x": 1}}}),
			`{"messages":[{"role":"user","name":"Ann","content":[{"type":"text","text":"Hi","cache_control":1}]}],"model":"gpt-test"}`},
		{"raw edits last", with(func(r *strata.Request) {
			r.Temperature = ptr(0.5)
			r.Raw = func(p *sdk.ChatCompletionNewParams) { p.Temperature, p.User = sdk.Float(0.7), sdk.String("ann") }
		}), hello + `,"temperature":0.7,"user":"ann"}`},
		{"raw of another adapter", with(func(r *strata.Request) { r.Raw = 42 }), hello + `}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", message(`{"content":"Hello"}`, "stop")))
			before, err := json.Marshal(test.req.Messages)
			require.NoError(t, err)
			resp, err := s.model().Generate(t.Context(), test.req)
			require.NoError(t, err)
			assert.Empty(t, resp.Warnings)
			assert.JSONEq(t, test.want, string(s.body))
			after, err := json.Marshal(test.req.Messages)
			require.NoError(t, err)
			assert.Equal(t, string(before), string(after), "the request was changed")
		})
	}
}

func TestSchemaKeepsItsOrder(t *testing.T) {
	s := serve(t, whole(200, "application/json", message(`{"content":"Hello"}`, "stop")))
	schema := json.RawMessage(`{"type":"object","properties":{"reason":{},"answer":{}}}`)
	req := strata.Prompt("Hi")
	req.Tools = []strata.Tool{{Name: "f", InputSchema: schema}}
	req.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: schema}
	_, err := s.model().Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Contains(t, string(s.body), `"parameters":`+string(schema))
	assert.Contains(t, string(s.body), `"schema":`+string(schema))
}

func TestStreamingRequest(t *testing.T) {
	s := serve(t, events(finish("stop"), done))
	_, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
	require.NoError(t, err)
	assert.JSONEq(t, hello+`,"stream":true,"stream_options":{"include_usage":true}}`, string(s.body))
}

func TestHeaders(t *testing.T) {
	s := serve(t, whole(200, "application/json", message(`{"content":"Hello"}`, "stop")))
	req := strata.Prompt("Hi")
	req.Headers = http.Header{"X-Call": {"1", "2"}, "X-Both": {"call"}}
	m := s.model(openai.Headers(http.Header{"X-Model": {"m"}, "X-Both": {"model"}}))
	_, err := m.Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, []string{"1", "2"}, s.headers["X-Call"])
	assert.Equal(t, []string{"m"}, s.headers["X-Model"])
	assert.Equal(t, []string{"call"}, s.headers["X-Both"])
	assert.Equal(t, "Bearer "+key, s.headers.Get("Authorization"))
	assert.Equal(t, "/v1/chat/completions", s.path)
}

func TestTopKIsAWarning(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Whole") != "" {
			whole(200, "application/json", message(`{"content":"Hello"}`, "stop"))(w, r)
			return
		}
		events(finish("stop"), done)(w, r)
	})
	req := strata.Prompt("Hi")
	req.TopK = ptr(40)
	parts, err := collect(t, s.model().Stream(t.Context(), req))
	require.NoError(t, err)
	warnings := parts[0].(strata.StreamStart).Warnings
	require.Len(t, warnings, 1)
	assert.Equal(t, "TopK", warnings[0].Setting)
	assert.NotContains(t, s.asked(t), "top_k")

	req.Headers = http.Header{"X-Whole": {"1"}}
	resp, err := s.model().Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, warnings, resp.Warnings)
}

func TestBadRequest(t *testing.T) {
	messages := func(m ...strata.Message) *strata.Request { return &strata.Request{Messages: m} }
	with := func(edit func(*strata.Request)) *strata.Request {
		req := strata.Prompt("Hi")
		edit(req)
		return req
	}
	of := func(role strata.Role, c ...strata.Content) strata.Message {
		return strata.Message{Role: role, Content: c}
	}
	tests := []struct {
		name string
		req  *strata.Request
		want string
	}{
		{"nil request", nil, "the request is nil"},
		{"unknown role", messages(strata.UserMessage("Hi"), of("robot")), `messages[1]: unknown role "robot"`},
		{"image in a system message", messages(of(strata.RoleSystem, strata.Text{}, strata.Image{})), "messages[0].content[1]: a system message cannot hold strata.Image"},
		{"tool result in a user message", messages(of(strata.RoleUser, strata.ToolResult{})), "messages[0].content[0]: a user message cannot hold strata.ToolResult"},
		{"nothing in an image", messages(of(strata.RoleUser, strata.Image{})), "messages[0].content[0]: the image has neither data nor a URL"},
		{"nothing in a file", messages(of(strata.RoleUser, strata.File{})), "messages[0].content[0]: the file has neither data nor a URL nor an ID"},
		{"nil content", messages(of(strata.RoleUser, nil)), "messages[0].content[0]: a user message cannot hold <nil>"},
		{"nil content of an answer", messages(of(strata.RoleAssistant, strata.Text{}, nil)), "messages[0].content[1]: the content is nil"},
		{"text in a tool message", messages(of(strata.RoleTool, strata.Text{})), "messages[0].content[0]: a tool message cannot hold strata.Text"},
		{"image in a tool result", messages(strata.ToolMessage(strata.ToolResult{Content: []strata.Content{strata.Text{}, strata.Image{}}})),
			"messages[0].content[0].content[1]: a tool result cannot hold strata.Image"},
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
			s := serve(t, whole(200, "application/json", message(`{"content":"Hello"}`, "stop")))
			_, generated := s.model().Generate(t.Context(), test.req)
			parts, streamed := collect(t, s.model().Stream(t.Context(), test.req))
			assert.Empty(t, parts)
			for _, err := range []error{generated, streamed} {
				e, ok := failure.Find[*failure.Error](err)
				require.True(t, ok, "%v", err)
				assert.Equal(t, failure.Invalid, e.Kind)
				assert.Equal(t, s.model().ID(), e.Model)
				assert.ErrorContains(t, err, test.want)
			}
			assert.Zero(t, s.requests.Load(), "a request was sent")
		})
	}
}
