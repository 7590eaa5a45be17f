package eino_test

import (
	"encoding/json"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/provider/eino"
	"github.com/strata-go/strata/stream"
)

// its are options of one chat model's own.
type its struct{ topK int }

func withTopK(k int) model.Option {
	return model.WrapImplSpecificOptFn(func(o *its) { o.topK = k })
}

func sent(t *testing.T, req *strata.Request, opts ...eino.Option) (*recorder, *strata.Response) {
	t.Helper()
	chat := &recorder{chunks: []*schema.Message{says("ok")}}
	resp, err := eino.New("m", chat, opts...).Generate(t.Context(), req)
	require.NoError(t, err)
	return chat, resp
}

func TestSettings(t *testing.T) {
	req := everything.Clone()
	req.ProviderOptions = strata.ProviderData{"eino": {"x": 1}, "acme": {"y": 1}}
	req.Raw = []model.Option{withTopK(7), model.WithMaxTokens(99)}
	chat, resp := sent(t, req)

	o := model.GetCommonOptions(nil, chat.options...)
	assert.Nil(t, o.Model)
	assert.Equal(t, ptr(float32(0.7)), o.Temperature)
	assert.Equal(t, ptr(float32(0.123456789)), o.TopP)
	assert.Equal(t, ptr(99), o.MaxTokens, "Raw comes last")
	assert.Equal(t, []string{"END"}, o.Stop)
	assert.Equal(t, ptr(schema.ToolChoiceForced), o.ToolChoice)
	assert.Equal(t, []string{"f"}, o.AllowedToolNames)
	assert.Equal(t, 7, model.GetImplSpecificOptions(&its{}, chat.options...).topK)

	require.Len(t, o.Tools, 2)
	assert.Equal(t, "does f", o.Tools[0].Desc)
	s, err := o.Tools[0].ToJSONSchema()
	require.NoError(t, err)
	properties, ok := s.Properties.Get("a")
	require.True(t, ok)
	assert.Equal(t, []string{"string", "null"}, properties.TypeEnhanced)
	text, err := json.Marshal(s)
	require.NoError(t, err)
	assert.JSONEq(t, string(req.Tools[0].InputSchema), string(text), "keywords that eino does not know are kept")
	assert.Nil(t, o.Tools[1].ParamsOneOf)

	var settings []string
	for _, w := range resp.Warnings {
		settings = append(settings, w.Setting)
		assert.NotEmpty(t, w.Message)
	}
	assert.Equal(t, []string{"TopK", "PresencePenalty", "FrequencyPenalty", "Seed", "ReasoningEffort", "ResponseFormat", "Headers", "ProviderOptions", "Tool.Strict"}, settings)

	for part := range eino.New("m", chat).Stream(t.Context(), req) {
		start, ok := part.(strata.StreamStart)
		require.True(t, ok)
		assert.Equal(t, resp.Warnings, start.Warnings)
		break
	}
}

func TestNothingSetIsNothingSent(t *testing.T) {
	chat, resp := sent(t, strata.Prompt("hi"))
	assert.Equal(t, &model.Options{}, model.GetCommonOptions(nil, chat.options...))
	assert.Empty(t, resp.Warnings)
	chat, _ = sent(t, strata.Prompt("hi"), eino.SendName())
	assert.Equal(t, &model.Options{Model: ptr("m")}, model.GetCommonOptions(nil, chat.options...))
}

func TestToolChoices(t *testing.T) {
	for mode, want := range map[strata.ToolChoiceMode]schema.ToolChoice{
		strata.ToolChoiceAuto: schema.ToolChoiceAllowed, strata.ToolChoiceNone: schema.ToolChoiceForbidden, strata.ToolChoiceRequired: schema.ToolChoiceForced,
	} {
		req := strata.Prompt("hi")
		req.ToolChoice = &strata.ToolChoice{Mode: mode}
		chat, _ := sent(t, req)
		assert.Equal(t, &want, model.GetCommonOptions(nil, chat.options...).ToolChoice)
	}
}

// A conversation goes out as eino's own programs write one.
func TestHistory(t *testing.T) {
	chat, _ := sent(t, &strata.Request{Messages: []strata.Message{
		{Role: strata.RoleSystem, Content: []strata.Content{strata.Text{Text: "Be brief."}, strata.Text{Text: "Be kind."}}},
		strata.UserMessage("hi"),
		{Role: strata.RoleUser, Content: []strata.Content{
			strata.Text{Text: "look"},
			strata.Image{Data: []byte("\x89PNG\r\n\x1a\n"), Detail: "high"},
			strata.Image{URL: "https://example.org/a.png"},
			strata.File{MediaType: "application/pdf", Data: []byte("pdf"), Filename: "a.pdf"},
		}},
		{Role: strata.RoleAssistant, Content: []strata.Content{
			strata.Reasoning{Text: "hm"}, strata.Text{Text: "Let me see."},
			strata.ToolCall{ID: "c1", Name: "f", Input: `{"a":1}`}, strata.ToolCall{ID: "c2", Name: "g"},
			strata.Source{URL: "https://example.org"}, strata.ToolCall{ID: "s", Name: "search", Input: "{}", ProviderExecuted: true},
		}},
		strata.ToolMessage(
			strata.ToolResult{ID: "c1", Name: "f", Output: "1"},
			strata.ToolResult{ID: "c2", Name: "g", Content: []strata.Content{strata.Text{Text: "t"}, strata.Image{MediaType: "image/png", Data: []byte("png")}}},
			strata.ToolResult{ID: "c3", Name: "h", Output: "o", Content: []strata.Content{strata.Text{Text: "t"}, strata.Text{Text: "u"}}},
		),
		{Role: strata.RoleAssistant, Content: []strata.Content{
			strata.Text{Text: "this"}, strata.File{MediaType: "image/png", Data: []byte("png")}, strata.Text{Text: "?"},
		}},
	}})
	var got []*schema.Message
	for _, m := range chat.messages {
		got = append(got, strip(m))
	}
	none := map[string]any{}
	image := media("iVBORw0KGgo=", "image/png", nil)
	pdf := media("cGRm", "application/pdf", nil)
	png := media("cG5n", "image/png", nil)
	// what is besides a part's fields is strata's own
	got[2].UserInputMultiContent[1].Extra = nil
	assert.Equal(t, []*schema.Message{
		{Role: schema.System, Content: "Be brief.\n\nBe kind.", Extra: none},
		{Role: schema.User, Content: "hi", Extra: none},
		{Role: schema.User, Extra: none, UserInputMultiContent: []schema.MessageInputPart{
			{Type: schema.ChatMessagePartTypeText, Text: "look"},
			{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{MessagePartCommon: image, Detail: "high"}},
			{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{MessagePartCommon: schema.MessagePartCommon{URL: ptr("https://example.org/a.png")}}},
			{Type: schema.ChatMessagePartTypeFileURL, File: &schema.MessageInputFile{MessagePartCommon: pdf, Name: "a.pdf"}},
		}},
		{Role: schema.Assistant, ReasoningContent: "hm", Content: "Let me see.", Extra: none, ToolCalls: []schema.ToolCall{
			{ID: "c1", Type: "function", Function: schema.FunctionCall{Name: "f", Arguments: `{"a":1}`}},
			{ID: "c2", Type: "function", Function: schema.FunctionCall{Name: "g", Arguments: `{}`}},
		}},
		{Role: schema.Tool, ToolCallID: "c1", ToolName: "f", Content: "1", Extra: none},
		{Role: schema.Tool, ToolCallID: "c2", ToolName: "g", Extra: none, UserInputMultiContent: []schema.MessageInputPart{
			{Type: schema.ChatMessagePartTypeText, Text: "t"},
			{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{MessagePartCommon: png}},
		}},
		{Role: schema.Tool, ToolCallID: "c3", ToolName: "h", Content: "t\nu", Extra: none},
		{Role: schema.Assistant, Extra: none, AssistantGenMultiContent: []schema.MessageOutputPart{
			{Type: schema.ChatMessagePartTypeText, Text: "this"},
			{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageOutputImage{MessagePartCommon: png}},
			{Type: schema.ChatMessagePartTypeText, Text: "?"},
		}},
	}, got)
	for _, i := range []int{1, 4, 7} {
		assert.Nil(t, chat.messages[i].Extra, "nothing is added where the fields say all: %d", i)
	}
}

// A second turn sends back what the first gave, Extras and all.
func TestSecondTurn(t *testing.T) {
	for name, chunks := range einoKinds {
		t.Run(name, func(t *testing.T) {
			chat := &recorder{chunks: chunks}
			m := eino.New("m", chat)
			want, err := schema.ConcatMessages(chunks)
			require.NoError(t, err)
			resp, err := m.Generate(t.Context(), strata.Prompt("hi"))
			require.NoError(t, err)
			streamed, err := stream.Collect(m.Stream(t.Context(), strata.Prompt("hi")))
			require.NoError(t, err)
			for _, answer := range []*strata.Response{resp, streamed} {
				_, err = m.Generate(t.Context(), &strata.Request{Messages: []strata.Message{strata.UserMessage("hi"), answer.Message()}})
				require.NoError(t, err)
				back := strip(chat.messages[1])
				want := strip(want)
				want.ResponseMeta, back.ResponseMeta = nil, nil
				assert.Equal(t, want, back)
			}
		})
	}
}

func TestBadRequests(t *testing.T) {
	m := eino.New("m", &recorder{chunks: []*schema.Message{says("ok")}})
	for name, test := range map[string]struct {
		req  *strata.Request
		says string
	}{
		"nil":             {nil, "the request is nil"},
		"role":            {&strata.Request{Messages: []strata.Message{{Role: "judge"}}}, `messages[0]: unknown role "judge"`},
		"system":          {&strata.Request{Messages: []strata.Message{{Role: strata.RoleSystem, Content: []strata.Content{strata.Image{}}}}}, "messages[0].content[0]: a system message cannot hold strata.Image"},
		"user":            {&strata.Request{Messages: []strata.Message{{Role: strata.RoleUser, Content: []strata.Content{strata.ToolCall{}}}}}, "messages[0].content[0]: a user message cannot hold strata.ToolCall"},
		"assistant":       {&strata.Request{Messages: []strata.Message{{Role: strata.RoleAssistant, Content: []strata.Content{nil}}}}, "messages[0].content[0]: the content is nil"},
		"tool":            {&strata.Request{Messages: []strata.Message{{Role: strata.RoleTool, Content: []strata.Content{strata.Text{}}}}}, "messages[0].content[0]: a tool message cannot hold strata.Text"},
		"tool result":     {&strata.Request{Messages: []strata.Message{strata.ToolMessage(strata.ToolResult{Content: []strata.Content{strata.Source{}}})}}, "messages[0].content[0].content[0]: a tool result cannot hold strata.Source"},
		"schema":          {&strata.Request{Tools: []strata.Tool{{Name: "f", InputSchema: json.RawMessage(`{`)}}}, `tools[0] "f": the input schema`},
		"tool choice":     {&strata.Request{ToolChoice: &strata.ToolChoice{Mode: "maybe"}}, `unknown tool choice "maybe"`},
		"nameless choice": {&strata.Request{ToolChoice: &strata.ToolChoice{Mode: strata.ToolChoiceTool}}, "names no tool"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := m.Generate(t.Context(), test.req)
			assert.ErrorContains(t, err, test.says)
			assert.Equal(t, failure.Invalid, failure.Of(err))
		})
	}
}
