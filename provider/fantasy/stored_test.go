package fantasy_test

import (
	"encoding/json"
	"testing"

	sdk "charm.land/fantasy"
	"charm.land/fantasy/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/fantasy"
)

// A conversation that a fantasy program stored as JSON and read again goes back to
// the provider with all that came with it.
func TestStoredConversationKeepsItsData(t *testing.T) {
	answer := &strata.Response{
		Content: []strata.Content{
			strata.Reasoning{Text: "hm", ProviderData: strata.ProviderData{"acme": {"signature": "s1"}, fantasy.Key: {"acme": &note{"n"}}}},
			strata.Text{Text: "look", ProviderData: strata.ProviderData{"acme": {"item": "i1"}}},
			strata.File{URL: "https://example.com/a.pdf"},
			strata.ToolResult{ID: "c0", Name: "search", ProviderExecuted: true, Content: []strata.Content{
				strata.Text{Text: "a"}, strata.Image{URL: "https://example.com/b.png"},
			}},
			strata.ToolCall{ID: "c1", Name: "weather", Input: `{}`, ProviderData: strata.ProviderData{"acme": {"thought": "t1"}}},
		},
		FinishReason: strata.FinishToolCalls, RawFinishReason: "tool_use", Metadata: answered, Model: strata.ModelID{Provider: "spare", Name: "two"},
	}
	m := modeltest.New("acme/one", modeltest.Answer("ok"))
	first, err := fantasy.Wrap(fixed{m, answer}).Generate(t.Context(), sdk.Call{})
	require.NoError(t, err)

	stored, err := json.Marshal(first)
	require.NoError(t, err)
	var again sdk.Response
	require.NoError(t, json.Unmarshal(stored, &again))
	assert.Equal(t, first.ProviderMetadata, again.ProviderMetadata)
	x := fantasy.ExtraOf(again.ProviderMetadata)
	assert.Equal(t, "tool_use", x.RawFinishReason)
	assert.Equal(t, answer.Model, x.Model)
	assert.Equal(t, answered, x.Metadata)

	var parts []sdk.MessagePart // as fantasy's agent makes them
	for _, c := range again.Content {
		switch c := c.(type) {
		case sdk.TextContent:
			parts = append(parts, sdk.TextPart{Text: c.Text, ProviderOptions: sdk.ProviderOptions(c.ProviderMetadata)})
		case sdk.ReasoningContent:
			parts = append(parts, sdk.ReasoningPart{Text: c.Text, ProviderOptions: sdk.ProviderOptions(c.ProviderMetadata)})
		case sdk.ToolCallContent:
			parts = append(parts, sdk.ToolCallPart{ToolCallID: c.ToolCallID, ToolName: c.ToolName, Input: c.Input, ProviderOptions: sdk.ProviderOptions(c.ProviderMetadata)})
		case sdk.ToolResultContent:
			parts = append(parts, sdk.ToolResultPart{ToolCallID: c.ToolCallID, Output: c.Result, ProviderExecuted: c.ProviderExecuted, ProviderOptions: sdk.ProviderOptions(c.ProviderMetadata)})
		}
	}
	_, err = fantasy.Wrap(m).Generate(t.Context(), sdk.Call{Prompt: sdk.Prompt{{Role: sdk.MessageRoleAssistant, Content: parts}}})
	require.NoError(t, err)
	assert.Equal(t, answer.Content, m.Calls()[0].Request.Messages[0].Content)
}

// A strata conversation that was stored as JSON still has fantasy's typed values.
func TestStoredProviderDataIsTypedAgain(t *testing.T) {
	bare := lm()
	bare.resp = &sdk.Response{Content: sdk.ResponseContent{sdk.TextContent{Text: "ok"}}}
	stored, err := json.Marshal(strata.ProviderData{fantasy.Key: {"acme": &note{"signature"}}})
	require.NoError(t, err)
	var again strata.ProviderData
	require.NoError(t, json.Unmarshal(stored, &again))
	_, err = fantasy.New(bare).Generate(t.Context(), &strata.Request{Messages: []strata.Message{
		{Role: strata.RoleAssistant, Content: []strata.Content{strata.Reasoning{Text: "hm", ProviderData: again}}},
	}})
	require.NoError(t, err)
	assert.Equal(t, sdk.ProviderOptions{"acme": &note{"signature"}}, bare.call.Prompt[0].Content[0].Options())
}

// Objects come out as the bare model gives them, streamed or whole.
func TestWrapOfNewGivesTheSameObjects(t *testing.T) {
	shape := schema.Schema{Type: "object", Properties: map[string]*schema.Schema{"n": {Type: "integer"}, "s": {Type: "string"}}}
	call := sdk.ObjectCall{Prompt: sdk.Prompt{sdk.NewUserMessage("go")}, Schema: shape, SchemaName: "thing", SchemaDescription: "a thing"}
	bare := lm()
	bare.object = &sdk.ObjectResponse{
		Object: map[string]any{"n": 1.0}, RawText: `{"n":1}`, FinishReason: sdk.FinishReasonToolCalls,
		Usage: sdk.Usage{InputTokens: 3, OutputTokens: 2, TotalTokens: 5, CacheReadTokens: 9}, ProviderMetadata: sdk.ProviderMetadata{"acme": &note{"x"}},
	}
	bare.objects = []sdk.ObjectStreamPart{
		{Type: sdk.ObjectStreamPartTypeObject, Object: map[string]any{"n": 1.0}},
		{Type: sdk.ObjectStreamPartTypeObject, Object: map[string]any{"n": 1.0, "s": "a"}},
		{Type: sdk.ObjectStreamPartTypeFinish, FinishReason: sdk.FinishReasonStop, Usage: bare.object.Usage, ProviderMetadata: sdk.ProviderMetadata{"acme": &note{"x"}}},
	}
	layered := fantasy.Wrap(fantasy.New(bare), identity)
	got, err := layered.GenerateObject(t.Context(), call)
	require.NoError(t, err)
	assert.Equal(t, bare.object, got)
	assert.Equal(t, call, bare.objectCall)

	stream, err := layered.StreamObject(t.Context(), call)
	require.NoError(t, err)
	var parts []sdk.ObjectStreamPart
	for p := range stream {
		parts = append(parts, p)
	}
	assert.Equal(t, bare.objects, parts)
	assert.Equal(t, call, bare.objectCall)
}
