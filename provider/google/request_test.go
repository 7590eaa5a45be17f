package google_test

import (
	"encoding/json"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/provider/google"
	"github.com/strata-go/strata/stream"
)

func ptr[T any](v T) *T { return &v }

func data(fields map[string]any) strata.ProviderData {
	return strata.ProviderData{"google": fields, "other": {"x": 1}}
}

const hello = `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]`

func with(edit func(*strata.Request)) *strata.Request {
	req := strata.Prompt("Hi")
	edit(req)
	return req
}

func messages(m ...strata.Message) *strata.Request { return &strata.Request{Messages: m} }

func of(role strata.Role, c ...strata.Content) strata.Message {
	return strata.Message{Role: role, Content: c}
}

func user(c ...strata.Content) *strata.Request { return messages(of(strata.RoleUser, c...)) }

func parts(p string) string { return `{"contents":[{"role":"user","parts":[` + p + `]}]}` }

func TestRequestBody(t *testing.T) {
	tests := []struct {
		name string
		req  *strata.Request
		want string // the body
	}{
		{"text", strata.Prompt("Hi"), hello + `}`},
		{"no messages", &strata.Request{}, `{"contents":[]}`},
		{"system", messages(strata.SystemMessage("Be brief"), strata.UserMessage("Hi"), strata.SystemMessage("and kind")),
			hello + `,"systemInstruction":{"role":"user","parts":[{"text":"Be brief"},{"text":"and kind"}]}}`},
		{"texts", user(strata.Text{Text: "a"}, strata.Text{}), parts(`{"text":"a"},{"text":""}`)},
		{"image by bytes", user(strata.Text{Text: "What?"}, strata.Image{MediaType: "image/png", Data: []byte("png"), Detail: "MEDIA_RESOLUTION_LOW"}),
			parts(`{"text":"What?"},{"inlineData":{"mimeType":"image/png","data":"cG5n"},"mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"}}`)},
		{"image of an unknown type", user(strata.Image{Data: []byte("\x89PNG\r\n\x1a\n")}), parts(`{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}`)},
		{"image by address", user(strata.Image{URL: "https://example.com/a.png?x=1"}), parts(`{"fileData":{"mimeType":"image/png","fileUri":"https://example.com/a.png?x=1"}}`)},
		{"image by data URL", user(strata.Image{URL: "data:image/webp;base64,cG5n"}), parts(`{"inlineData":{"mimeType":"image/webp","data":"cG5n"}}`)},
		{"file by bytes", user(strata.File{MediaType: "application/pdf", Filename: "a.pdf", Data: []byte("pdf")}), parts(`{"inlineData":{"mimeType":"application/pdf","data":"cGRm"}}`)},
		{"file by address", user(strata.File{MediaType: "video/mp4", URL: "gs://bucket/a"}), parts(`{"fileData":{"mimeType":"video/mp4","fileUri":"gs://bucket/a"}}`)},
		{"file by address alone", user(strata.File{URL: "https://www.youtube.com/watch?v=1"}), parts(`{"fileData":{"fileUri":"https://www.youtube.com/watch?v=1"}}`)},
		{"file by ID", user(strata.File{MediaType: "text/plain", FileID: "files/abc"}), parts(`{"fileData":{"mimeType":"text/plain","fileUri":"https://generativelanguage.googleapis.com/v1beta/files/abc"}}`)},
		{"file by a whole ID", user(strata.File{FileID: "https://host/v1beta/files/abc"}), parts(`{"fileData":{"fileUri":"https://host/v1beta/files/abc"}}`)},
		{"video with options", user(strata.File{URL: "gs://b/v", MediaType: "video/mp4", ProviderData: data(map[string]any{"videoMetadata": map[string]any{"fps": 5}})}),
			parts(`{"fileData":{"mimeType":"video/mp4","fileUri":"gs://b/v"},"videoMetadata":{"fps":5}}`)},
		{"tool round trip", messages(
			strata.UserMessage("Weather?"),
			of(strata.RoleAssistant,
				strata.Text{Text: "Let me "}, strata.Text{}, strata.Text{Text: "look."},
				strata.ToolCall{ID: "c1", Name: "weather", Input: `{"z":1,"city":"Rome"}`, ProviderData: data(map[string]any{"thoughtSignature": "c2ln"})},
				strata.ToolCall{ID: "c2", Name: "time"}, strata.ToolCall{Name: "date", Input: " {} "},
				strata.ToolCall{ID: "c3", Name: "search", ProviderExecuted: true}, strata.ToolResult{ID: "c3", ProviderExecuted: true},
				strata.Source{URL: "https://example.com"}, strata.ToolInput{Name: "half"}, strata.Raw{Value: 1}),
			strata.ToolMessage(
				strata.ToolResult{ID: "c1", Output: "40 C"},
				strata.ToolResult{ID: "c2", Name: "time", IsError: true, Content: []strata.Content{strata.Text{Text: "no "}, strata.Text{Text: "clock"}}}),
			strata.ToolMessage(strata.ToolResult{Name: "date", Output: ` {"day": 7}`}),
		), `{"contents":[{"role":"user","parts":[{"text":"Weather?"}]},
				{"role":"model","parts":[{"text":"Let me "},{"text":"look."},
					{"functionCall":{"id":"c1","name":"weather","args":{"z":1,"city":"Rome"}},"thoughtSignature":"c2ln"},
					{"functionCall":{"id":"c2","name":"time","args":{}}},{"functionCall":{"name":"date","args":{}}}]},
				{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"weather","response":{"output":"40 C"}}},
					{"functionResponse":{"id":"c2","name":"time","response":{"error":"no clock"}}},
					{"functionResponse":{"name":"date","response":{"day":7}}}]}]}`},
		{"tool result with an image", messages(strata.ToolMessage(strata.ToolResult{ID: "c1", Name: "draw", Content: []strata.Content{strata.Text{Text: "done"}, strata.Image{MediaType: "image/png", Data: []byte("png")}}})),
			parts(`{"functionResponse":{"id":"c1","name":"draw","response":{"output":"done"},"parts":[{"inlineData":{"mimeType":"image/png","data":"cG5n"}}]}}`)},
		{"reasoning", messages(of(strata.RoleAssistant,
			strata.Reasoning{Text: "hm", ProviderData: data(map[string]any{"thoughtSignature": "c2ln"})}, strata.Reasoning{Text: "bare"},
			strata.Reasoning{Text: "theirs", ProviderData: strata.ProviderData{"anthropic": {"signature": "s"}}},
			strata.Text{Text: "Hi", ProviderData: data(map[string]any{"thoughtSignature": "czI="})}, strata.Text{ProviderData: data(map[string]any{"thoughtSignature": "czM="})})),
			`{"contents":[{"role":"model","parts":[{"text":"hm","thought":true,"thoughtSignature":"c2ln"},{"text":"Hi","thoughtSignature":"czI="},{"text":"","thoughtSignature":"czM="}]}]}`},
		{"answer of nothing that is sent", messages(strata.UserMessage("Hi"), of(strata.RoleAssistant, strata.Reasoning{Text: "bare"})), hello + `}`},
		{"image of an answer", messages(of(strata.RoleAssistant, strata.File{MediaType: "image/png", Data: []byte("png"), ProviderData: data(map[string]any{"thoughtSignature": "c2ln"})}, strata.Image{URL: "gs://b/i"})),
			`{"contents":[{"role":"model","parts":[{"inlineData":{"mimeType":"image/png","data":"cG5n"},"thoughtSignature":"c2ln"},{"fileData":{"fileUri":"gs://b/i"}}]}]}`},
		{"tools", with(func(r *strata.Request) {
			r.Tools = []strata.Tool{
				{Name: "weather", Description: "The weather", InputSchema: json.RawMessage(`{"type":"object","properties":{"z":{},"a":{}}}`), ProviderOptions: data(map[string]any{"behavior": "BLOCKING"})},
				{Name: "time"},
			}
			r.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceTool, Name: "time"}
		}), hello + `,"tools":[{"functionDeclarations":[
			{"name":"weather","description":"The weather","parametersJsonSchema":{"type":"object","properties":{"z":{},"a":{}}},"behavior":"BLOCKING"},{"name":"time"}]}],
			"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["time"]}}}`},
		{"tool choice auto", with(func(r *strata.Request) { r.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceAuto} }), hello + `,"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}}`},
		{"tool choice required", with(func(r *strata.Request) { r.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceRequired} }), hello + `,"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}}`},
		{"tool choice none", with(func(r *strata.Request) { r.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceNone} }), hello + `,"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}}`},
		{"JSON", with(func(r *strata.Request) { r.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON} }), hello + `,"generationConfig":{"responseMimeType":"application/json"}}`},
		{"JSON of a schema", with(func(r *strata.Request) {
			r.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: json.RawMessage(`{"type":"object"}`), Name: "city", Strict: ptr(true)}
		}), hello + `,"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"type":"object"}}}`},
		{"text format", with(func(r *strata.Request) { r.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseText} }), hello + `}`},
		{"settings", with(func(r *strata.Request) {
			r.MaxOutputTokens, r.Temperature, r.TopP, r.TopK = 100, ptr(0.0), ptr(0.9), ptr(40)
			r.PresencePenalty, r.FrequencyPenalty = ptr(-1.5), ptr(0.1)
			r.StopSequences, r.Seed = []string{"END"}, ptr(int64(-7))
		}), hello + `,"generationConfig":{"maxOutputTokens":100,"temperature":0,"topP":0.9,"topK":40,"presencePenalty":-1.5,"frequencyPenalty":0.1,"stopSequences":["END"],"seed":-7}}`},
		{"provider options win, and merge", with(func(r *strata.Request) {
			r.Temperature, r.MaxOutputTokens = ptr(0.5), 9
			r.ProviderOptions = data(map[string]any{
				"cachedContent": "cachedContents/1", "safetySettings": []any{map[string]any{"category": "c", "threshold": "OFF"}},
				"generationConfig": map[string]any{"temperature": 1, "thinkingConfig": map[string]any{"includeThoughts": true}}})
		}), hello + `,"cachedContent":"cachedContents/1","safetySettings":[{"category":"c","threshold":"OFF"}],
			"generationConfig":{"temperature":1,"maxOutputTokens":9,"thinkingConfig":{"includeThoughts":true}}}`},
		{"message options", messages(strata.Message{Role: strata.RoleSystem, Content: []strata.Content{strata.Text{Text: "s"}}, ProviderOptions: data(map[string]any{"role": "system"})},
			strata.Message{Role: strata.RoleUser, Content: []strata.Content{strata.Text{Text: "Hi", ProviderData: data(map[string]any{"partMetadata": map[string]any{"a": 1}})}}, ProviderOptions: data(map[string]any{"label": "x"})}),
			`{"systemInstruction":{"role":"system","parts":[{"text":"s"}]},"contents":[{"role":"user","label":"x","parts":[{"text":"Hi","partMetadata":{"a":1}}]}]}`},
		{"raw edits last", with(func(r *strata.Request) {
			r.Temperature = ptr(0.5)
			r.Tools = []strata.Tool{{Name: "f", InputSchema: json.RawMessage(`{}`)}}
			r.Raw = func(c *genai.GenerateContentConfig) {
				c.Temperature = ptr(float32(0.7))
				c.Tools = append([]*genai.Tool{nil, {GoogleSearch: &genai.GoogleSearch{}}}[1:], c.Tools...)
			}
		}), hello + `,"generationConfig":{"temperature":0.7},"tools":[{"googleSearch":{}},{"functionDeclarations":[{"name":"f","parametersJsonSchema":{}}]}]}`},
		{"raw of another adapter", with(func(r *strata.Request) { r.Raw = 42 }), hello + `}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", ending(hi, "STOP")))
			before, err := json.Marshal(test.req.Messages)
			require.NoError(t, err)
			for range 2 { // the request is as it was
				resp, err := s.model(google.Client(oldClient(t))).Generate(t.Context(), test.req)
				require.NoError(t, err)
				assert.Empty(t, resp.Warnings)
				assert.JSONEq(t, test.want, string(s.body))
			}
			after, err := json.Marshal(test.req.Messages)
			require.NoError(t, err)
			assert.Equal(t, string(before), string(after), "the request was changed")
		})
	}
}

// oldClient is an SDK client; what the options say wins over it.
func oldClient(t *testing.T) *genai.Client {
	client, err := genai.NewClient(t.Context(), &genai.ClientConfig{APIKey: "theirs"})
	require.NoError(t, err)
	return client
}

func TestReasoningEffort(t *testing.T) {
	tests := []struct {
		model   string
		effort  strata.ReasoningEffort
		want    string
		warning bool
	}{
		{"gemini-3-flash", strata.ReasoningHigh, `{"thinkingLevel":"HIGH","includeThoughts":true}`, false},
		{"gemini-3-flash", strata.ReasoningMinimal, `{"thinkingLevel":"MINIMAL","includeThoughts":true}`, false},
		{"gemini-3-flash", strata.ReasoningNone, `{"thinkingLevel":"MINIMAL"}`, true},
		{"gemini-3-flash", "extreme", `{"thinkingLevel":"EXTREME","includeThoughts":true}`, false},
		{"gemini-3-pro-preview", strata.ReasoningMinimal, `{"thinkingLevel":"LOW","includeThoughts":true}`, false},
		{"gemini-3-pro-preview", strata.ReasoningNone, `{"thinkingLevel":"LOW"}`, true},
		{"gemini-2.5-flash", strata.ReasoningNone, `{"thinkingBudget":0}`, false},
		{"gemini-2.5-flash", strata.ReasoningMinimal, `{"thinkingBudget":1024,"includeThoughts":true}`, false},
		{"gemini-2.5-flash", strata.ReasoningLow, `{"thinkingBudget":1024,"includeThoughts":true}`, false},
		{"gemini-2.5-flash", strata.ReasoningMedium, `{"thinkingBudget":8192,"includeThoughts":true}`, false},
		{"gemini-2.5-pro", strata.ReasoningHigh, `{"thinkingBudget":24576,"includeThoughts":true}`, false},
		{"gemini-2.5-pro", strata.ReasoningNone, `{"thinkingBudget":128}`, true},
	}
	for _, test := range tests {
		t.Run(test.model+" "+string(test.effort), func(t *testing.T) {
			s := serve(t, whole(200, "application/json", ending(hi, "STOP")))
			m := google.New(test.model, google.BaseURL(s.URL), google.APIKey(key))
			resp, err := m.Generate(t.Context(), with(func(r *strata.Request) { r.ReasoningEffort = test.effort }))
			require.NoError(t, err)
			assert.JSONEq(t, hello+`,"generationConfig":{"thinkingConfig":`+test.want+`}}`, string(s.body))
			assert.Equal(t, test.warning, len(resp.Warnings) == 1)
		})
	}
}

func TestWarnings(t *testing.T) {
	req := with(func(r *strata.Request) {
		r.Messages[0].Content = append(r.Messages[0].Content, strata.Image{URL: "gs://b/i", Detail: "high"})
		r.Seed = ptr(int64(1) << 40)
		r.Tools = []strata.Tool{{Name: "f", Strict: ptr(true)}, {Name: "g", Strict: ptr(true)}}
		r.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: json.RawMessage(`{}`), Description: "A city"}
	})
	s := serve(t, whole(200, "application/json", ending(hi, "STOP")))
	resp, err := s.model().Generate(t.Context(), req)
	require.NoError(t, err)
	streamed, err := collect(t, s.model().Stream(t.Context(), req))
	require.NoError(t, err)
	assert.Equal(t, resp.Warnings, streamed[0].(strata.StreamStart).Warnings)
	var settings []string
	for _, w := range resp.Warnings {
		settings = append(settings, w.Setting)
	}
	assert.Equal(t, []string{"Image.Detail", "Seed", "Tool.Strict", "ResponseFormat.Description"}, settings)
}

// What an answer held goes back as it came: the same parts, signatures intact.
func TestSecondTurn(t *testing.T) {
	const first = `{"text":"hm","thought":true,"thoughtSignature":"czE="},
		{"text":"Let me look.","thoughtSignature":"czI="},
		{"executableCode":{"id":"e1","language":"PYTHON","code":"1+1"},"thoughtSignature":"czM="},
		{"codeExecutionResult":{"id":"e1","outcome":"OUTCOME_DEADLINE_EXCEEDED","output":""}},
		{"inlineData":{"mimeType":"image/png","data":"cG5n"},"thoughtSignature":"czQ="},
		{"functionCall":{"id":"t1","name":"f","args":{"b":1,"a":12345678901234567890}},"thoughtSignature":"czU="},
		{"functionCall":{"id":"t2","name":"g","args":{}}},
		{"text":"","thoughtSignature":"czY="}`
	want := `{"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[` + first + `]},
		{"role":"user","parts":[{"functionResponse":{"id":"t1","name":"f","response":{"output":"one"}}},{"functionResponse":{"id":"t2","name":"g","response":{"output":"two"}}}]}]}`
	for name, handler := range map[string]http.HandlerFunc{
		"whole":    whole(200, "application/json", ending(first, "STOP")),
		"streamed": events(strings.ReplaceAll(ending(first, "STOP"), "\n", "")),
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, handler)
			m := s.model()
			ask := func(req *strata.Request) (*strata.Response, error) {
				if name == "whole" {
					return m.Generate(t.Context(), req)
				}
				return stream.Collect(m.Stream(t.Context(), req))
			}
			req := strata.Prompt("Hi")
			resp, err := ask(req)
			require.NoError(t, err)
			assert.Equal(t, strata.FinishToolCalls, resp.FinishReason)
			req.Messages = append(req.Messages, resp.Message(), strata.ToolMessage(
				strata.ToolResult{ID: resp.ToolCalls()[1].ID, Output: "one"}, strata.ToolResult{ID: resp.ToolCalls()[2].ID, Output: "two"}))
			_, err = ask(req)
			require.NoError(t, err)
			assert.JSONEq(t, want, string(s.body))
			assert.Contains(t, string(s.body), `{"b":1,"a":12345678901234567890}`)
		})
	}
}

// A call that another model made has no signature, which Gemini 3 refuses.
func TestCallsOfAnotherModel(t *testing.T) {
	turn := of(strata.RoleAssistant, strata.ToolCall{ID: "c1", Name: "f", Input: "{}"}, strata.ToolCall{ID: "c2", Name: "g", Input: "{}"})
	signed := of(strata.RoleAssistant, strata.ToolCall{ID: "c1", Name: "f", ProviderData: data(map[string]any{"thoughtSignature": "c2ln"})}, strata.ToolCall{ID: "c2", Name: "g"})
	for _, test := range []struct {
		model string
		turn  strata.Message
		want  []any // the signatures of both
	}{
		{"gemini-3-pro-preview", turn, []any{"skip_thought_signature_validator", nil}},
		{"gemini-flash-latest", turn, []any{"skip_thought_signature_validator", nil}},
		{"gemini-3-pro-preview", signed, []any{"c2ln", nil}},
		{"gemini-2.5-pro", turn, []any{nil, nil}},
		{"gemma-4", turn, []any{nil, nil}},
	} {
		t.Run(test.model, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", ending(hi, "STOP")))
			_, err := google.New(test.model, google.BaseURL(s.URL), google.APIKey(key)).Generate(t.Context(), messages(test.turn))
			require.NoError(t, err)
			var body struct {
				Contents []struct{ Parts []map[string]any }
			}
			require.NoError(t, json.Unmarshal(s.body, &body))
			sent := body.Contents[0].Parts
			assert.Equal(t, test.want, []any{sent[0]["thoughtSignature"], sent[1]["thoughtSignature"]})
		})
	}
}

func TestSchemaKeepsItsOrder(t *testing.T) {
	s := serve(t, whole(200, "application/json", ending(hi, "STOP")))
	schema := json.RawMessage(`{"type":"object","properties":{"reason":{},"answer":{}}}`)
	req := strata.Prompt("Hi")
	req.Tools = []strata.Tool{{Name: "f", InputSchema: schema}}
	req.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: schema}
	_, err := s.model().Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Contains(t, string(s.body), `"parametersJsonSchema":`+string(schema))
	assert.Contains(t, string(s.body), `"responseJsonSchema":`+string(schema))
}

func TestHeaders(t *testing.T) {
	s := serve(t, whole(200, "application/json", ending(hi, "STOP")))
	req := strata.Prompt("Hi")
	req.Headers = http.Header{"X-Call": {"1", "2"}, "X-Both": {"call"}}
	m := s.model(google.Headers(http.Header{"X-Model": {"m"}, "x-both": {"model"}}))
	for range 2 {
		_, err := m.Generate(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, []string{"1", "2"}, s.headers["X-Call"])
		assert.Equal(t, []string{"m"}, s.headers["X-Model"])
		assert.Equal(t, []string{"call"}, s.headers["X-Both"])
		assert.Equal(t, key, s.headers.Get("X-Goog-Api-Key"))
	}
}

func TestBadRequest(t *testing.T) {
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
		{"nil content", user(nil), "messages[0].content[0]: a user message cannot hold <nil>"},
		{"nil content of an answer", messages(of(strata.RoleAssistant, strata.Text{}, nil)), "messages[0].content[1]: the content is nil"},
		{"text in a tool message", messages(of(strata.RoleTool, strata.Text{})), "messages[0].content[0]: a tool message cannot hold strata.Text"},
		{"result of nothing", messages(strata.ToolMessage(strata.ToolResult{ID: "c1"})), "messages[0].content[0]: the result names no tool, and no call before it has its ID"},
		{"call in a tool result", messages(strata.ToolMessage(strata.ToolResult{Name: "f", Content: []strata.Content{strata.Text{}, strata.ToolCall{}}})), "messages[0].content[0]: content[1]: a tool result cannot hold strata.ToolCall"},
		{"empty image in a tool result", messages(strata.ToolMessage(strata.ToolResult{Name: "f", Content: []strata.Content{strata.Image{}}})), "messages[0].content[0]: content[0]: the image has neither data nor a URL"},
		{"input that is no JSON", messages(of(strata.RoleAssistant, strata.ToolCall{Name: "f", Input: "{a"})), `messages[0].content[0]: the input of the call of "f" is not a JSON object`},
		{"input that is no object", messages(of(strata.RoleAssistant, strata.ToolCall{Name: "f", Input: "[1]"})), `messages[0].content[0]: the input of the call of "f" is not a JSON object`},
		{"schema of a tool", with(func(r *strata.Request) { r.Tools = []strata.Tool{{Name: "f", InputSchema: json.RawMessage(`{`)}} }), `tools[0] "f": the input schema is not JSON`},
		{"tool choice", with(func(r *strata.Request) { r.ToolChoice = &strata.ToolChoice{Mode: "maybe"} }), `unknown tool choice "maybe"`},
		{"tool choice of no tool", with(func(r *strata.Request) { r.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceTool} }), `tool choice "tool" names no tool`},
		{"response format", with(func(r *strata.Request) { r.ResponseFormat = &strata.ResponseFormat{Type: "xml"} }), `unknown response format "xml"`},
		{"schema of the answer", with(func(r *strata.Request) {
			r.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Name: "n", Schema: json.RawMessage(`}`)}
		}), `response format "n": the schema is not JSON`},
		{"option that is no JSON", with(func(r *strata.Request) { r.ProviderOptions = strata.ProviderData{"google": {"f": func() {}}} }), "unsupported type: func()"},
		{"option of a part that is no JSON", user(strata.Text{Text: "the prompt", ProviderData: strata.ProviderData{"google": {"f": make(chan int)}}}), "unsupported type: chan int"},
		{"number that is no JSON", with(func(r *strata.Request) { r.Temperature = ptr(math.NaN()) }), "unsupported value: NaN"},
		{"option that is a number but no JSON", with(func(r *strata.Request) { r.ProviderOptions = data(map[string]any{"x": math.Inf(1)}) }), "unsupported value: +Inf"},
		{"option that fails to be JSON", with(func(r *strata.Request) { r.ProviderOptions = data(map[string]any{"x": json.RawMessage("{")}) }), "unexpected end of JSON input"},
		{"parameter that is no JSON", with(func(r *strata.Request) {
			r.Raw = func(c *genai.GenerateContentConfig) { c.ResponseJsonSchema = func() {} }
		}), "unsupported type: func()"},
		{"what the Gemini API has not", with(func(r *strata.Request) { r.Raw = func(c *genai.GenerateContentConfig) { c.AudioTimestamp = true } }), "audioTimestamp parameter is only supported"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", ending(hi, "STOP")))
			_, generated := s.model().Generate(t.Context(), test.req)
			parts, streamed := collect(t, s.model().Stream(t.Context(), test.req))
			assert.Empty(t, parts)
			for _, err := range []error{generated, streamed} {
				e, ok := failure.Find[*failure.Error](err)
				require.True(t, ok, "%v", err)
				assert.Equal(t, failure.Invalid, e.Kind)
				assert.Equal(t, s.model().ID(), e.Model)
				assert.ErrorContains(t, err, test.want)
				requireNoSecret(t, err)
			}
			assert.Zero(t, s.requests.Load(), "a request was sent")
		})
	}
}
