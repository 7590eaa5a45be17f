package fantasy_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	sdk "charm.land/fantasy"
	"charm.land/fantasy/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/fantasy"
)

// asked returns the call that a request becomes, and the warnings of the answer.
func asked(t *testing.T, req *strata.Request) (sdk.Call, []strata.Warning) {
	t.Helper()
	m := lm()
	m.resp = &sdk.Response{Content: sdk.ResponseContent{sdk.TextContent{Text: "ok"}}, FinishReason: "stop"}
	before, err := json.Marshal(req.Messages)
	require.NoError(t, err)
	resp, err := fantasy.New(m).Generate(t.Context(), req)
	require.NoError(t, err)
	after, err := json.Marshal(req.Messages)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "the request is not changed")
	return m.call, resp.Warnings
}

// A conversation of every content goes out as fantasy has it.
func TestConversation(t *testing.T) {
	call, warnings := asked(t, &strata.Request{Messages: []strata.Message{
		{Role: strata.RoleSystem, Content: []strata.Content{strata.Text{Text: "Be brief."}}, ProviderOptions: strata.ProviderData{fantasy.Key: {"acme": &note{"cache"}}}},
		{Role: strata.RoleUser, Content: []strata.Content{
			strata.Text{Text: "look"},
			strata.Image{Data: []byte("\x89PNG\r\n\x1a\n")},
			strata.Image{URL: "data:image/jpeg;base64,aGVsbG8="},
			strata.File{MediaType: "application/pdf", Filename: "a.pdf", Data: []byte("%PDF")},
		}},
		{Role: strata.RoleAssistant, Content: []strata.Content{
			strata.Reasoning{Text: "hm", ProviderData: strata.ProviderData{fantasy.Key: {"acme": &note{"signature"}}}},
			strata.Text{Text: "so"},
			strata.Source{URL: "https://example.com"}, strata.Raw{Value: 1}, strata.ToolInput{ID: "x"}, // left out
			strata.ToolCall{ID: "c1", Name: "weather"},
			strata.ToolCall{ID: "c2", Name: "search", ProviderExecuted: true},
			strata.ToolResult{ID: "c2", Name: "search", ProviderExecuted: true, ProviderData: strata.ProviderData{fantasy.Key: {"acme": &note{"found"}}}},
		}},
		strata.ToolMessage(
			strata.ToolResult{ID: "c1", Output: "sunny"},
			strata.ToolResult{ID: "c3", Output: "no such place", IsError: true},
			strata.ToolResult{ID: "c4", Content: []strata.Content{strata.Text{Text: "a"}, strata.Text{Text: "b"}, strata.Image{MediaType: "image/png", Data: []byte("hello")}}},
			strata.ToolResult{ID: "c5", Content: []strata.Content{strata.Text{Text: "a"}, strata.Text{Text: "b"}}},
		),
	}})
	assert.Empty(t, warnings)
	assert.Equal(t, sdk.Prompt{
		{Role: "system", Content: []sdk.MessagePart{sdk.TextPart{Text: "Be brief."}}, ProviderOptions: sdk.ProviderOptions{"acme": &note{"cache"}}},
		{Role: "user", Content: []sdk.MessagePart{
			sdk.TextPart{Text: "look"},
			sdk.FilePart{MediaType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n")},
			sdk.FilePart{MediaType: "image/jpeg", Data: []byte("hello")},
			sdk.FilePart{MediaType: "application/pdf", Filename: "a.pdf", Data: []byte("%PDF")},
		}},
		{Role: "assistant", Content: []sdk.MessagePart{
			sdk.ReasoningPart{Text: "hm", ProviderOptions: sdk.ProviderOptions{"acme": &note{"signature"}}},
			sdk.TextPart{Text: "so"},
			sdk.ToolCallPart{ToolCallID: "c1", ToolName: "weather", Input: "{}"},
			sdk.ToolCallPart{ToolCallID: "c2", ToolName: "search", ProviderExecuted: true},
			sdk.ToolResultPart{ToolCallID: "c2", ProviderExecuted: true, ProviderOptions: sdk.ProviderOptions{"acme": &note{"found"}}},
		}},
		{Role: "tool", Content: []sdk.MessagePart{
			sdk.ToolResultPart{ToolCallID: "c1", Output: sdk.ToolResultOutputContentText{Text: "sunny"}},
			sdk.ToolResultPart{ToolCallID: "c3", Output: sdk.ToolResultOutputContentError{Error: errors.New("no such place")}},
			sdk.ToolResultPart{ToolCallID: "c4", Output: sdk.ToolResultOutputContentMedia{Text: "a\nb", MediaType: "image/png", Data: "aGVsbG8="}},
			sdk.ToolResultPart{ToolCallID: "c5", Output: sdk.ToolResultOutputContentText{Text: "a\nb"}},
		}},
	}, call.Prompt)
}

// Settings, tools and headers go where fantasy has a place for them; the others are
// told.
func TestSettings(t *testing.T) {
	strict := true
	call, warnings := asked(t, &strata.Request{
		Messages:        []strata.Message{strata.UserMessage("go")},
		MaxOutputTokens: 9, Temperature: ptr(0.5), TopP: ptr(0.9), TopK: ptr(3), PresencePenalty: ptr(0.1), FrequencyPenalty: ptr(0.2),
		StopSequences: []string{"."}, Seed: ptr(int64(7)), ReasoningEffort: strata.ReasoningLow,
		Headers: map[string][]string{"User-Agent": {"me"}, "X-Trace": {"a", "b"}},
		Tools: []strata.Tool{
			{Name: "weather", Description: "tells it", InputSchema: json.RawMessage(`{"type":"object","required":["city"],"properties":{"city":{"type":"object","required":["name"]}}}`), Strict: &strict,
				ProviderOptions: strata.ProviderData{fantasy.Key: {"acme": &note{"cache"}}}},
			{Name: "now"},
		},
		ToolChoice: &strata.ToolChoice{Mode: strata.ToolChoiceTool, Name: "weather"},
		ProviderOptions: strata.ProviderData{
			"acme":      {"effort": "low", "colour": "red"}, // plain, for a registered type
			"nobody":    {"x": 1},                           // another adapter's
			fantasy.Key: {"tools": []sdk.Tool{sdk.ProviderDefinedTool{ID: "acme.search", Name: "search"}}},
		},
		Raw: func(c *sdk.Call) { c.Prompt = append(c.Prompt, sdk.NewUserMessage("last")) },
	})
	assert.Equal(t, sdk.Call{
		Prompt:          sdk.Prompt{sdk.NewUserMessage("go"), sdk.NewUserMessage("last")},
		MaxOutputTokens: ptr(int64(9)), Temperature: ptr(0.5), TopP: ptr(0.9), TopK: ptr(int64(3)), PresencePenalty: ptr(0.1), FrequencyPenalty: ptr(0.2),
		UserAgent: "me", Headers: map[string]string{"X-Trace": "a, b"},
		Tools: []sdk.Tool{
			sdk.FunctionTool{Name: "weather", Description: "tells it", ProviderOptions: sdk.ProviderOptions{"acme": &note{"cache"}}, InputSchema: map[string]any{
				"type": "object", "required": []string{"city"}, "properties": map[string]any{"city": map[string]any{"type": "object", "required": []string{"name"}}},
			}},
			sdk.FunctionTool{Name: "now", InputSchema: map[string]any{"type": "object", "properties": map[string]any{}}},
			sdk.ProviderDefinedTool{ID: "acme.search", Name: "search"},
		},
		ToolChoice: ptr(sdk.SpecificToolChoice("weather")),
		ProviderOptions: sdk.ProviderOptions{
			"acme":           &acmeOptions{Effort: "low"},
			fantasy.ExtraKey: &fantasy.Extra{ProviderData: strata.ProviderData{"nobody": {"x": 1}}},
		},
	}, call)
	var settings []string
	for _, w := range warnings {
		settings = append(settings, w.Setting)
	}
	assert.Equal(t, []string{"Tools.weather.Strict", "StopSequences", "Seed", "ReasoningEffort", "ProviderOptions.acme.colour"}, settings)
}

// Options are fantasy's values, their JSON, or plain fields of a registered type.
func TestProviderOptions(t *testing.T) {
	want := sdk.ProviderOptions{"acme": &acmeOptions{Effort: "low"}}
	for name, options := range map[string]strata.ProviderData{
		"a value":      {fantasy.Key: {"acme": &acmeOptions{Effort: "low"}}},
		"its JSON":     {fantasy.Key: {"acme": map[string]any{"type": "acme.options", "data": map[string]any{"effort": "low"}}}},
		"raw JSON":     {fantasy.Key: {"acme": json.RawMessage(`{"type":"acme.options","data":{"effort":"low"}}`)}},
		"plain fields": {"acme": {"effort": "low"}},
	} {
		call, warnings := asked(t, &strata.Request{ProviderOptions: options})
		assert.Equal(t, want, call.ProviderOptions, name)
		assert.Empty(t, warnings, name)
	}
	_, warnings := asked(t, &strata.Request{ProviderOptions: strata.ProviderData{"acme": {"effort": 7}}})
	assert.Len(t, warnings, 1, "fields of another type")
	_, warnings = asked(t, &strata.Request{ProviderOptions: strata.ProviderData{fantasy.Key: {"acme": map[string]any{"type": "acme.unlinked"}}}})
	assert.Len(t, warnings, 1, "a type that is not linked")
}

// What no message of fantasy's can hold is invalid, and names its place.
func TestInvalidRequests(t *testing.T) {
	user := func(c strata.Content) *strata.Request {
		return &strata.Request{Messages: []strata.Message{{Role: strata.RoleUser, Content: []strata.Content{c}}}}
	}
	file := strata.File{MediaType: "application/pdf", Data: []byte("x")}
	for name, req := range map[string]*strata.Request{
		"nil":                  nil,
		"nil content":          user(nil),
		"an address":           user(strata.Image{URL: "https://example.com/secret.png"}),
		"an ID":                user(strata.File{FileID: "file_1"}),
		"an odd role":          {Messages: []strata.Message{{Role: "judge"}}},
		"two files":            user(strata.ToolResult{Content: []strata.Content{file, file}}),
		"a call in a result":   user(strata.ToolResult{Content: []strata.Content{strata.ToolCall{}}}),
		"a schema that is not": {Tools: []strata.Tool{{Name: "x", InputSchema: json.RawMessage(`[]`)}}},
		"an odd choice":        {ToolChoice: &strata.ToolChoice{Mode: "maybe"}},
		"a choice of nothing":  {ToolChoice: &strata.ToolChoice{Mode: strata.ToolChoiceTool}},
	} {
		m := lm()
		_, err := fantasy.New(m).Generate(t.Context(), req)
		assert.Equal(t, failure.Invalid, failure.Of(err), "%s: %v", name, err)
		assert.NotContains(t, err.Error(), "secret")
		_, err = collect(t, fantasy.New(m).Stream(t.Context(), req))
		assert.Equal(t, failure.Invalid, failure.Of(err), name)
		assert.Zero(t, m.calls, "nothing is asked")
	}
}

// A format with a schema asks for an object; whatever comes is the answer.
func TestResponseFormat(t *testing.T) {
	format := func(s string) *strata.ResponseFormat {
		return &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: json.RawMessage(s), Name: "thing", Description: "a thing"}
	}
	req := &strata.Request{
		Messages: []strata.Message{strata.UserMessage("go")}, MaxOutputTokens: 9,
		ResponseFormat: format(`{"type":"object","additionalProperties":false,"required":["n"],"properties":{"n":{"type":["integer","null"],"minimum":1},"l":{"type":"array","items":{"type":"string","pattern":"a"}}}}`),
		Raw:            func(c *sdk.ObjectCall) { c.UserAgent = "me" },
	}
	m := lm()
	m.object = &sdk.ObjectResponse{Object: map[string]any{"n": 1.0}, RawText: `{"n": 1}`, FinishReason: "tool-calls", Usage: sdk.Usage{InputTokens: 1}}
	m.objects = []sdk.ObjectStreamPart{
		{Type: sdk.ObjectStreamPartTypeObject, Warnings: []sdk.CallWarning{{Message: "hm"}}},
		{Type: sdk.ObjectStreamPartTypeObject, Object: map[string]any{"n": 1.0}},
		{Type: sdk.ObjectStreamPartTypeFinish, FinishReason: "stop"},
	}
	resp, err := fantasy.New(m).Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, `{"n": 1}`, resp.Text())
	assert.Equal(t, strata.FinishStop, resp.FinishReason, "there is no call to run")
	assert.Equal(t, []strata.Warning{{Setting: "ResponseFormat", Message: `fantasy's schemas do not have all keywords; left out: ["additionalProperties" "pattern" "type"]`}}, resp.Warnings)
	assert.Equal(t, "me", m.objectCall.UserAgent)
	assert.Equal(t, schema.Schema{Type: "object", Required: []string{"n"}, Properties: map[string]*schema.Schema{
		"n": {Type: "integer", Minimum: ptr(1.0)}, "l": {Type: "array", Items: &schema.Schema{Type: "string"}},
	}}, m.objectCall.Schema)
	assert.Equal(t, "thing", m.objectCall.SchemaName)
	assert.Equal(t, ptr(int64(9)), m.objectCall.MaxOutputTokens)

	parts, err := collect(t, fantasy.New(m).Stream(t.Context(), req))
	require.NoError(t, err)
	assert.Equal(t, `start2 fantasy.Object text{ {"n":1} } finish:stop(stop)`, short(parts))

	none := &sdk.NoObjectGeneratedError{RawText: `{"n":`, FinishReason: "length", Usage: sdk.Usage{OutputTokens: 7}}
	m.err = none
	resp, err = fantasy.New(m).Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, `{"n":`, resp.Text(), "what was said is the answer")
	assert.Equal(t, strata.FinishLength, resp.FinishReason)
	m.err, m.objects = nil, []sdk.ObjectStreamPart{{Type: sdk.ObjectStreamPartTypeError, Error: none}}
	parts, err = collect(t, fantasy.New(m).Stream(t.Context(), req))
	require.NoError(t, err)
	assert.Equal(t, `start1 text{ {"n": } finish:length(length)`, short(parts))

	m.objects = []sdk.ObjectStreamPart{{Type: sdk.ObjectStreamPartTypeError, Error: &sdk.ProviderError{StatusCode: 503}}}
	_, err = collect(t, fantasy.New(m).Stream(t.Context(), req))
	assert.Equal(t, failure.Overload, failure.Of(err))
	m.objects = nil
	_, err = collect(t, fantasy.New(m).Stream(t.Context(), req))
	assert.Equal(t, failure.Network, failure.Of(err))

	for name, f := range map[string]struct {
		format *strata.ResponseFormat
		tools  []strata.Tool
		warned int
	}{
		"text":          {&strata.ResponseFormat{Type: strata.ResponseText}, nil, 0},
		"any JSON":      {&strata.ResponseFormat{Type: strata.ResponseJSON}, nil, 1},
		"beside tools":  {format(`{"type":"object"}`), []strata.Tool{{Name: "x"}}, 1},
		"odd":           {&strata.ResponseFormat{Type: "xml"}, nil, 1},
		"schema is bad": {format(`7`), nil, 1},
	} {
		_, warnings := asked(t, &strata.Request{ResponseFormat: f.format, Tools: f.tools})
		assert.Len(t, warnings, f.warned, name)
	}
}

// A strata Model gives objects by its response format.
func TestObjectsOfAStrataModel(t *testing.T) {
	shape := schema.Schema{Type: "object", Properties: map[string]*schema.Schema{"n": {Type: "integer"}}, Required: []string{"n"}}
	m := modeltest.New("acme/one", modeltest.Attempt{
		modeltest.Start(), modeltest.TextStart("0"), modeltest.Text(`{"n"`), modeltest.Text(`: 1`), modeltest.Text(`2}`), modeltest.TextEnd("0"), modeltest.Finish(strata.FinishStop),
	})
	call := sdk.ObjectCall{Prompt: sdk.Prompt{sdk.NewUserMessage("go")}, Schema: shape, SchemaName: "thing", UserAgent: "me"}
	resp, err := fantasy.Wrap(m).GenerateObject(t.Context(), call)
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"n": 12.0}, resp.Object)
	assert.Equal(t, sdk.FinishReasonStop, resp.FinishReason)
	f := m.Calls()[0].Request.ResponseFormat
	require.NotNil(t, f)
	assert.JSONEq(t, `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`, string(f.Schema))
	assert.Equal(t, "thing", f.Name)
	assert.Equal(t, "me", m.Calls()[0].Request.Headers.Get("User-Agent"))

	s, err := fantasy.Wrap(m).StreamObject(t.Context(), call)
	require.NoError(t, err)
	var objects []any
	for p := range s {
		if p.Type == sdk.ObjectStreamPartTypeObject {
			objects = append(objects, p.Object)
		}
	}
	assert.Equal(t, []any{map[string]any{"n": 1.0}, map[string]any{"n": 12.0}}, objects)

	bad := modeltest.New("acme/one", modeltest.Answer("Sorry, no."))
	_, err = fantasy.Wrap(bad).GenerateObject(t.Context(), call)
	assert.True(t, sdk.IsNoObjectGeneratedError(err), "%v", err)
	call.RepairText = func(context.Context, string, error) (string, error) { return `{"n": 3}`, nil }
	resp, err = fantasy.Wrap(bad).GenerateObject(t.Context(), call)
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"n": 3.0}, resp.Object)
	s, err = fantasy.Wrap(bad).StreamObject(t.Context(), call)
	require.NoError(t, err)
	got, err := sdk.NewStreamObjectResult[map[string]any](t.Context(), s).Object()
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"n": 3.0}, got.Object)
	call.RepairText = nil
	s, err = fantasy.Wrap(bad).StreamObject(t.Context(), call)
	require.NoError(t, err)
	_, err = sdk.NewStreamObjectResult[map[string]any](t.Context(), s).Object()
	assert.True(t, sdk.IsNoObjectGeneratedError(err), "%v", err)
}

// Tools that a provider defines reach a fantasy model through layers, and are told as
// not supported where there is none.
func TestProviderDefinedTools(t *testing.T) {
	m := modeltest.New("acme/one", modeltest.Answer("hi"))
	search := sdk.ProviderDefinedTool{ID: "acme.search", Name: "search"}
	auto := sdk.ToolChoiceAuto
	call := sdk.Call{Tools: []sdk.Tool{search}, ToolChoice: &auto}
	resp, err := fantasy.Wrap(m).Generate(t.Context(), call)
	require.NoError(t, err)
	want := []sdk.CallWarning{{Type: sdk.CallWarningTypeUnsupportedTool, Tool: search, Message: "a model that is not fantasy's has no such tool"}}
	assert.Equal(t, want, resp.Warnings)
	assert.Equal(t, want, received(t, fantasy.Wrap(m), call)[0].Warnings)
	assert.Empty(t, m.Calls()[0].Request.Tools, "no other adapter takes it for a function")
	assert.Nil(t, m.Calls()[0].Request.ToolChoice, "a choice goes with tools")
}

// What fantasy's programs set for fantasy's providers is out of the way of strata's
// own adapters, which put what stands under their name into the request they send.
func TestOptionsOfFantasyStayApart(t *testing.T) {
	cache := sdk.ProviderOptions{
		"acme":           &acmeOptions{Effort: "low"},
		fantasy.ExtraKey: &fantasy.Extra{ProviderData: strata.ProviderData{"acme": {"effort": "high"}}},
	}
	m := modeltest.New("acme/one", modeltest.Answer("ok"), modeltest.Answer("ok"))
	call := sdk.Call{
		Prompt: sdk.Prompt{{
			Role: sdk.MessageRoleUser, ProviderOptions: cache,
			Content: []sdk.MessagePart{sdk.TextPart{Text: "go", ProviderOptions: cache}},
		}},
		Tools:           []sdk.Tool{sdk.FunctionTool{Name: "weather", ProviderOptions: cache}},
		ProviderOptions: cache,
	}
	resp, err := fantasy.Wrap(m).Generate(t.Context(), call)
	require.NoError(t, err)
	warnings := []sdk.CallWarning{{
		Type: sdk.CallWarningTypeUnsupportedSetting, Setting: "ProviderOptions.acme",
		Details: "a model that is not fantasy's takes no options of fantasy's; those in an Extra reach it",
	}}
	assert.Equal(t, warnings, resp.Warnings)
	assert.Equal(t, warnings, received(t, fantasy.Wrap(m), call)[0].Warnings)

	own := map[string]any{"effort": "high"}
	req := m.Calls()[0].Request
	assert.Equal(t, own, req.ProviderOptions["acme"])
	assert.Equal(t, own, req.Messages[0].ProviderOptions["acme"])
	assert.Equal(t, own, req.Messages[0].Content[0].(strata.Text).ProviderData["acme"])
	assert.Equal(t, own, req.Tools[0].ProviderOptions["acme"])
}
