package eino_test

import (
	"context"
	"testing"

	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/eino"
)

// asked is the Request that a ChatModel makes.
func asked(t *testing.T, in []*schema.Message, opts ...model.Option) *strata.Request {
	t.Helper()
	m := modeltest.New("acme/m", modeltest.Answer("ok"))
	_, err := eino.Wrap(m).Generate(t.Context(), in, opts...)
	require.NoError(t, err)
	return m.Calls()[0].Request
}

var hi = []*schema.Message{schema.UserMessage("hi")}

func TestCommonOptions(t *testing.T) {
	req := asked(t, hi,
		model.WithTemperature(0.7), model.WithTopP(0.9), model.WithMaxTokens(100), model.WithStop([]string{"END"}),
		model.WithTools([]*schema.ToolInfo{
			{Name: "f", Desc: "does f", Extra: map[string]any{"k": "v"}, ParamsOneOf: schema.NewParamsOneOfByParams(map[string]*schema.ParameterInfo{
				"a": {Type: schema.String, Desc: "an a", Required: true},
			})},
			{Name: "g", ParamsOneOf: schema.NewParamsOneOfByJSONSchema(&jsonschema.Schema{Type: "object", AdditionalProperties: jsonschema.FalseSchema})},
			{Name: "h"},
		}),
		withTopK(3),
		eino.WithRequest(func(r *strata.Request) { r.Seed, r.TopK = ptr(int64(1)), ptr(5) }),
		eino.WithRequest(func(r *strata.Request) { r.TopK = ptr(*r.TopK + 1) }),
	)
	assert.Equal(t, number(0.7), req.Temperature, "as it was written")
	assert.Equal(t, number(0.9), req.TopP)
	assert.Equal(t, 100, req.MaxOutputTokens)
	assert.Equal(t, []string{"END"}, req.StopSequences)
	assert.Equal(t, ptr(int64(1)), req.Seed)
	assert.Equal(t, ptr(6), req.TopK)
	require.Len(t, req.Tools, 3)
	assert.JSONEq(t, `{"type":"object","properties":{"a":{"type":"string","description":"an a"}},"required":["a"]}`, string(req.Tools[0].InputSchema))
	assert.Equal(t, strata.ProviderData{"eino": {"k": "v"}}, req.Tools[0].ProviderOptions)
	assert.JSONEq(t, `{"type":"object","additionalProperties":false}`, string(req.Tools[1].InputSchema))
	assert.Nil(t, req.Tools[2].InputSchema)

	down, ok := req.Raw.([]model.Option)
	require.True(t, ok, "another chat model's own options are handed down")
	assert.Len(t, down, 1)
	assert.Equal(t, 3, model.GetImplSpecificOptions(&its{}, down...).topK)
}

// An option of a chat model's own reaches it through all layers, and what layers
// change stands.
func TestOptionsReachTheChatModelBelow(t *testing.T) {
	chat := &recorder{chunks: []*schema.Message{says("ok")}}
	cooler := strata.Funcs{Request: func(_ context.Context, req *strata.Request) (*strata.Request, error) {
		return req.With(&strata.Request{Temperature: number(*req.Temperature / 2)}), nil
	}}.Layer()
	_, err := eino.Wrap(eino.New("m", chat), cooler).Generate(t.Context(), hi, model.WithTemperature(1), withTopK(3))
	require.NoError(t, err)
	assert.Equal(t, 3, model.GetImplSpecificOptions(&its{}, chat.options...).topK)
	assert.Equal(t, ptr(float32(0.5)), model.GetCommonOptions(nil, chat.options...).Temperature)
}

func TestToolsOfAChatModel(t *testing.T) {
	m := modeltest.New("acme/m", modeltest.Answer("ok"))
	bare := eino.Wrap(m)
	bound, err := bare.WithTools([]*schema.ToolInfo{{Name: "f"}, {Name: "g"}})
	require.NoError(t, err)
	names := func(chat model.BaseChatModel, opts ...model.Option) (names []string, choice *strata.ToolChoice) {
		_, err := chat.Generate(t.Context(), hi, opts...)
		require.NoError(t, err)
		calls := m.Calls()
		for _, tool := range calls[len(calls)-1].Request.Tools {
			names = append(names, tool.Name)
		}
		return names, calls[len(calls)-1].Request.ToolChoice
	}
	for name, test := range map[string]struct {
		opts   []model.Option
		tools  []string
		choice *strata.ToolChoice
	}{
		"bound":              {nil, []string{"f", "g"}, nil},
		"others":             {[]model.Option{model.WithTools([]*schema.ToolInfo{{Name: "h"}})}, []string{"h"}, nil},
		"none":               {[]model.Option{model.WithTools(nil)}, nil, nil},
		"allowed":            {[]model.Option{model.WithToolChoice(schema.ToolChoiceAllowed)}, []string{"f", "g"}, &strata.ToolChoice{Mode: strata.ToolChoiceAuto}},
		"some allowed":       {[]model.Option{model.WithToolChoice(schema.ToolChoiceAllowed, "g")}, []string{"g"}, &strata.ToolChoice{Mode: strata.ToolChoiceAuto}},
		"forbidden":          {[]model.Option{model.WithToolChoice(schema.ToolChoiceForbidden)}, []string{"f", "g"}, &strata.ToolChoice{Mode: strata.ToolChoiceNone}},
		"forced":             {[]model.Option{model.WithToolChoice(schema.ToolChoiceForced)}, []string{"f", "g"}, &strata.ToolChoice{Mode: strata.ToolChoiceRequired}},
		"forced, one name":   {[]model.Option{model.WithToolChoice(schema.ToolChoiceForced, "f")}, []string{"f", "g"}, &strata.ToolChoice{Mode: strata.ToolChoiceTool, Name: "f"}},
		"forced, some names": {[]model.Option{model.WithToolChoice(schema.ToolChoiceForced, "f", "g")}, []string{"f", "g"}, &strata.ToolChoice{Mode: strata.ToolChoiceRequired}},
	} {
		t.Run(name, func(t *testing.T) {
			tools, choice := names(bound, test.opts...)
			assert.Equal(t, test.tools, tools)
			assert.Equal(t, test.choice, choice)
		})
	}
	tools, _ := names(bare)
	assert.Empty(t, tools, "WithTools leaves the one it was called on as it is")
}

func TestAnotherModelsNameIsAWarning(t *testing.T) {
	chat := eino.Wrap(modeltest.New("acme/m", modeltest.Answer("ok")))
	for name, want := range map[string]int{"m": 0, "gpt-5": 1} {
		msg, err := chat.Generate(t.Context(), hi, model.WithModel(name))
		require.NoError(t, err)
		resp, err := eino.ResponseOf(msg)
		require.NoError(t, err)
		assert.Len(t, resp.Warnings, want)

		r, err := chat.Stream(t.Context(), hi, model.WithModel(name))
		require.NoError(t, err)
		msg, err = schema.ConcatMessageStream(r)
		require.NoError(t, err)
		resp, err = eino.ResponseOf(msg)
		require.NoError(t, err)
		assert.Len(t, resp.Warnings, want)
	}
}

// A conversation of eino's, as its programs write one.
func TestConversation(t *testing.T) {
	req := asked(t, []*schema.Message{
		schema.SystemMessage("Be brief."),
		{Role: schema.User, Name: "ann", Content: "hi", Extra: map[string]any{"k": "v"}},
		{Role: schema.User, Content: "read by no model of eino's", UserInputMultiContent: []schema.MessageInputPart{
			{Type: schema.ChatMessagePartTypeText, Text: "look", Extra: map[string]any{"part": 1}},
			{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{MessagePartCommon: media("cG5n", "image/png", map[string]any{"image": 1}), Detail: "low"}},
			{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{MessagePartCommon: schema.MessagePartCommon{URL: ptr("https://example.org/a.png")}}},
			{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{MessagePartCommon: schema.MessagePartCommon{URL: ptr("data:image/png;base64,cG5n")}}},
			{Type: schema.ChatMessagePartTypeAudioURL, Audio: &schema.MessageInputAudio{MessagePartCommon: media("d2F2", "audio/wav", nil)}},
			{Type: schema.ChatMessagePartTypeVideoURL, Video: &schema.MessageInputVideo{MessagePartCommon: schema.MessagePartCommon{URL: ptr("gs://b/a.mp4"), MIMEType: "video/mp4"}}},
			{Type: schema.ChatMessagePartTypeFileURL, File: &schema.MessageInputFile{MessagePartCommon: media("cGRm", "application/pdf", nil), Name: "a.pdf"}},
		}},
		{Role: schema.User, MultiContent: []schema.ChatMessagePart{
			{Type: schema.ChatMessagePartTypeText, Text: "older"},
			{Type: schema.ChatMessagePartTypeImageURL, ImageURL: &schema.ChatMessageImageURL{URL: "https://example.org/a.png", Detail: "high"}},
			{Type: schema.ChatMessagePartTypeAudioURL, AudioURL: &schema.ChatMessageAudioURL{URL: "d2F2", MIMEType: "audio/wav"}},
			{Type: schema.ChatMessagePartTypeVideoURL, VideoURL: &schema.ChatMessageVideoURL{URI: "gs://b/a.mp4", MIMEType: "video/mp4"}},
			{Type: schema.ChatMessagePartTypeFileURL, FileURL: &schema.ChatMessageFileURL{URL: "data:application/pdf;base64,cGRm", Name: "a.pdf"}},
		}},
		{Role: schema.Assistant, ReasoningContent: "hm", Content: "Let me see.", ToolCalls: []schema.ToolCall{
			{ID: "c1", Function: schema.FunctionCall{Name: "f", Arguments: `{"a":1}`}, Extra: map[string]any{"signature": "s"}},
			{ID: "c2", Function: schema.FunctionCall{Name: "g"}},
		}},
		schema.ToolMessage("1", "c1", schema.WithToolName("f")),
		{Role: schema.Tool, ToolCallID: "c2", UserInputMultiContent: []schema.MessageInputPart{
			{Type: schema.ChatMessagePartTypeText, Text: "t"},
			{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{MessagePartCommon: media("cG5n", "image/png", nil)}},
		}},
		schema.AssistantMessage("Done.", nil),
	})
	png, pdf := strata.Image{MediaType: "image/png", Data: []byte("png")}, strata.File{MediaType: "application/pdf", Filename: "a.pdf", Data: []byte("pdf")}
	assert.Equal(t, []strata.Message{
		strata.SystemMessage("Be brief."),
		{Role: strata.RoleUser, Content: []strata.Content{strata.Text{Text: "hi"}}, ProviderOptions: strata.ProviderData{"eino": {"k": "v"}, "eino.message": {"name": "ann"}}},
		{Role: strata.RoleUser, Content: []strata.Content{
			strata.Text{Text: "look", ProviderData: strata.ProviderData{"eino.part": {"extra": map[string]any{"part": 1}}}},
			strata.Image{MediaType: "image/png", Data: []byte("png"), Detail: "low", ProviderData: strata.ProviderData{"eino": {"image": 1}}},
			strata.Image{URL: "https://example.org/a.png"},
			png,
			strata.File{MediaType: "audio/wav", Data: []byte("wav")},
			strata.File{MediaType: "video/mp4", URL: "gs://b/a.mp4"},
			pdf,
		}},
		{Role: strata.RoleUser, Content: []strata.Content{
			strata.Text{Text: "older"},
			strata.Image{URL: "https://example.org/a.png", Detail: "high"},
			strata.File{MediaType: "audio/wav", Data: []byte("wav")},
			strata.File{MediaType: "video/mp4", URL: "gs://b/a.mp4"},
			pdf,
		}},
		{Role: strata.RoleAssistant, Content: []strata.Content{
			strata.Reasoning{Text: "hm"}, strata.Text{Text: "Let me see."},
			strata.ToolCall{ID: "c1", Name: "f", Input: `{"a":1}`, ProviderData: strata.ProviderData{"eino": {"signature": "s"}}},
			strata.ToolCall{ID: "c2", Name: "g", Input: "{}"},
		}},
		strata.ToolMessage(
			strata.ToolResult{ID: "c1", Name: "f", Output: "1"},
			strata.ToolResult{ID: "c2", Content: []strata.Content{strata.Text{Text: "t"}, png}},
		),
		strata.AssistantMessage("Done."),
	}, req.Messages)
}

// What a program changes in an answer stands, and no signature for what it
// changed goes back.
func TestChangedAnswers(t *testing.T) {
	chat := eino.Wrap(script(kinds["signed reasoning, text and two calls"]))
	signed := func(c strata.Content) bool {
		switch c := c.(type) {
		case strata.Reasoning:
			return c.ProviderData != nil
		case strata.Text:
			return c.ProviderData != nil
		}
		return false
	}
	for name, test := range map[string]struct {
		change func(*schema.Message)
		check  func(t *testing.T, resp *strata.Response)
	}{
		"reasoning taken out": {func(m *schema.Message) { m.ReasoningContent = "" }, func(t *testing.T, resp *strata.Response) {
			assert.Equal(t, "Let me see.", resp.Text())
			assert.Len(t, resp.ToolCalls(), 2)
			assert.NotNil(t, resp.ToolCalls()[0].ProviderData)
			for _, c := range resp.Content {
				assert.False(t, signed(c) && resp.Reasoning() != "")
			}
		}},
		"reasoning changed": {func(m *schema.Message) { m.ReasoningContent += "!" }, func(t *testing.T, resp *strata.Response) {
			assert.Equal(t, "hm!", resp.Reasoning())
			assert.False(t, signed(resp.Content[0]))
		}},
		"text changed": {func(m *schema.Message) { m.Content = "redacted" }, func(t *testing.T, resp *strata.Response) {
			assert.Equal(t, "redacted", resp.Text())
			assert.Equal(t, "hm", resp.Reasoning())
			assert.True(t, signed(resp.Content[0]))
		}},
		"a call taken out": {func(m *schema.Message) { m.ToolCalls = m.ToolCalls[1:] }, func(t *testing.T, resp *strata.Response) {
			assert.Equal(t, []strata.ToolCall{{ID: "c2", Name: "g", Input: "{}"}}, resp.ToolCalls())
		}},
		"a call added": {func(m *schema.Message) {
			m.ToolCalls = append(m.ToolCalls, schema.ToolCall{ID: "c3", Function: schema.FunctionCall{Name: "h"}})
		}, func(t *testing.T, resp *strata.Response) { assert.Len(t, resp.ToolCalls(), 3) }},
		"the Extra lost": {func(m *schema.Message) { m.Extra = nil }, func(t *testing.T, resp *strata.Response) {
			assert.Equal(t, "Let me see.", resp.Text())
			assert.Equal(t, "hm", resp.Reasoning())
			assert.Len(t, resp.ToolCalls(), 2)
			assert.Equal(t, strata.FinishToolCalls, resp.FinishReason)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			msg, err := chat.Generate(t.Context(), hi)
			require.NoError(t, err)
			test.change(msg)
			resp, err := eino.ResponseOf(msg)
			require.NoError(t, err)
			test.check(t, resp)
		})
	}
}

func TestBadConversations(t *testing.T) {
	m := modeltest.New("acme/m", modeltest.Answer("ok"))
	chat := eino.Wrap(m)
	for name, test := range map[string]struct {
		in   []*schema.Message
		opts []model.Option
		says string
	}{
		"nil":          {[]*schema.Message{nil}, nil, "messages[0] is nil"},
		"role":         {[]*schema.Message{{Role: "judge"}}, nil, `messages[0]: unknown role "judge"`},
		"empty media":  {[]*schema.Message{{Role: schema.User, UserInputMultiContent: []schema.MessageInputPart{{Type: schema.ChatMessagePartTypeImageURL}}}}, nil, "messages[0]: part 0: the part of type \"image_url\" has neither data nor a URL"},
		"not base64":   {[]*schema.Message{{Role: schema.User, UserInputMultiContent: []schema.MessageInputPart{{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{MessagePartCommon: media("§", "image/png", nil)}}}}}, nil, "not in base64"},
		"unknown part": {[]*schema.Message{{Role: schema.User, UserInputMultiContent: []schema.MessageInputPart{{Type: "smell", Image: &schema.MessageInputImage{MessagePartCommon: media("cG5n", "image/png", nil)}}}}}, nil, `unknown type "smell"`},
		"nil tool":     {hi, []model.Option{model.WithTools([]*schema.ToolInfo{nil})}, "tools[0]: the tool is nil"},
		"tool choice":  {hi, []model.Option{model.WithToolChoice("maybe")}, `unknown tool choice "maybe"`},
		"no such tool": {hi, []model.Option{model.WithToolChoice(schema.ToolChoiceForced, "f")}, `the allowed tool "f" is none of the tools`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := chat.Generate(t.Context(), test.in, test.opts...)
			assert.ErrorContains(t, err, test.says)
			assert.Equal(t, failure.Invalid, failure.Of(err))
			_, err = chat.Stream(t.Context(), test.in, test.opts...)
			assert.ErrorContains(t, err, test.says)
		})
	}
	assert.Empty(t, m.Calls())
	_, err := chat.WithTools([]*schema.ToolInfo{nil})
	assert.Error(t, err)
	_, err = eino.ResponseOf(nil)
	assert.Error(t, err)
}

func TestFinishReasonsInEinosWords(t *testing.T) {
	for reason, want := range map[strata.FinishReason]string{
		strata.FinishStop: "stop", strata.FinishLength: "length", strata.FinishToolCalls: "tool_calls",
		strata.FinishContentFilter: "content_filter", strata.FinishUnknown: "", strata.FinishOther: "other",
	} {
		msg, err := eino.Wrap(script([]strata.Part{strata.TextDelta{Text: "a"}, strata.Finish{Reason: reason}})).Generate(t.Context(), hi)
		require.NoError(t, err)
		assert.Equal(t, want, msg.ResponseMeta.FinishReason)
	}
}

func TestTypeOfAChatModel(t *testing.T) {
	m := modeltest.New("acme/m", modeltest.Answer("ok"))
	chat := eino.Wrap(m)
	kind, ok := components.GetType(chat)
	assert.True(t, ok)
	assert.Equal(t, "Strata", kind)
	assert.True(t, components.IsCallbacksEnabled(chat))
	assert.Same(t, m, chat.Model())
	inner := &recorder{}
	assert.Same(t, inner, eino.New("m", inner).ChatModel())
}
