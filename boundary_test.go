package strata_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
)

func ptr[T any](v T) *T { return &v }

func fullRequest() *strata.Request {
	return &strata.Request{
		Messages: []strata.Message{
			strata.SystemMessage("be brief"),
			{
				Role: strata.RoleUser, Content: []strata.Content{strata.Text{Text: "hi"}},
				ProviderOptions: strata.ProviderData{"openai": {"a": 1}},
			},
		},
		Tools:            []strata.Tool{{Name: "f", InputSchema: json.RawMessage(`{}`), Strict: ptr(true), ProviderOptions: strata.ProviderData{"openai": {"b": 1}}}},
		ToolChoice:       &strata.ToolChoice{Mode: strata.ToolChoiceAuto},
		ResponseFormat:   &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: json.RawMessage(`{}`), Strict: ptr(true)},
		MaxOutputTokens:  10,
		Temperature:      ptr(0.5),
		TopP:             ptr(0.5),
		TopK:             ptr(5),
		PresencePenalty:  ptr(0.5),
		FrequencyPenalty: ptr(0.5),
		StopSequences:    []string{"."},
		Seed:             ptr(int64(1)),
		ReasoningEffort:  strata.ReasoningLow,
		Headers:          http.Header{"X-A": {"1"}},
		ProviderOptions:  strata.ProviderData{"openai": {"c": 1}},
		Raw:              "raw",
	}
}

func TestCloneSharesNothingThatChanges(t *testing.T) {
	req := fullRequest()
	c := req.Clone()
	assert.Equal(t, req, c)

	c.Messages[0].Content[0] = strata.Text{Text: "changed"}
	c.Messages[1].ProviderOptions["openai"]["a"] = 2
	c.Messages = append(c.Messages, strata.UserMessage("more"))
	c.Tools[0].InputSchema[0] = '['
	*c.Tools[0].Strict = false
	c.Tools[0].ProviderOptions["openai"]["b"] = 2
	c.ToolChoice.Mode = strata.ToolChoiceNone
	c.ResponseFormat.Schema[0] = '['
	*c.ResponseFormat.Strict = false
	*c.Temperature, *c.TopP, *c.TopK, *c.PresencePenalty, *c.FrequencyPenalty, *c.Seed = 1, 1, 1, 1, 1, 2
	c.StopSequences[0] = "!"
	c.Headers.Set("X-A", "2")
	c.ProviderOptions["openai"]["c"] = 2
	assert.Equal(t, fullRequest(), req)
}

func TestCloneOfAnEmptyRequest(t *testing.T) {
	assert.Equal(t, &strata.Request{}, (&strata.Request{}).Clone())
}

func TestWhichPartsCommit(t *testing.T) {
	for _, p := range []strata.Part{
		strata.TextDelta{Text: "x"}, strata.ReasoningDelta{Text: "x"}, strata.ToolInputDelta{Delta: "x"},
		strata.ToolCall{}, strata.ToolResult{}, strata.Source{}, strata.File{}, strata.Raw{},
	} {
		assert.True(t, p.Commits(), "%T", p)
	}
	for _, p := range []strata.Part{
		strata.StreamStart{}, strata.ResponseMetadata{}, strata.Finish{},
		strata.TextStart{}, strata.TextDelta{}, strata.TextEnd{},
		strata.ReasoningStart{}, strata.ReasoningDelta{}, strata.ReasoningEnd{},
		strata.ToolInputStart{}, strata.ToolInputDelta{}, strata.ToolInputEnd{},
	} {
		assert.False(t, p.Commits(), "%T", p)
	}
}

func TestResponseAccessors(t *testing.T) {
	r := &strata.Response{Content: []strata.Content{
		strata.Reasoning{Text: "hm"}, strata.Text{Text: "a"}, strata.ToolCall{ID: "1"}, strata.Text{Text: "b"}, strata.ToolCall{ID: "2"},
	}}
	assert.Equal(t, "ab", r.Text())
	assert.Equal(t, "hm", r.Reasoning())
	assert.Equal(t, []strata.ToolCall{{ID: "1"}, {ID: "2"}}, r.ToolCalls())
	assert.Equal(t, strata.Message{Role: strata.RoleAssistant, Content: r.Content}, r.Message())
}

func TestMessageConstructors(t *testing.T) {
	assert.Equal(t, strata.RoleSystem, strata.SystemMessage("x").Role)
	assert.Equal(t, strata.RoleUser, strata.UserMessage("x").Role)
	assert.Equal(t, strata.RoleAssistant, strata.AssistantMessage("x").Role)
	m := strata.ToolMessage(strata.ToolResult{ID: "1"}, strata.ToolResult{ID: "2"})
	assert.Equal(t, strata.RoleTool, m.Role)
	assert.Equal(t, []strata.Content{strata.ToolResult{ID: "1"}, strata.ToolResult{ID: "2"}}, m.Content)
	assert.Equal(t, []strata.Message{strata.UserMessage("x")}, strata.Prompt("x").Messages)
}

func TestUsageAdds(t *testing.T) {
	u := strata.Usage{InputTokens: 1, OutputTokens: 2, TotalTokens: 3, CachedInputTokens: 4, CacheWriteTokens: 5, ReasoningTokens: 6}
	assert.Equal(t, strata.Usage{InputTokens: 2, OutputTokens: 4, TotalTokens: 6, CachedInputTokens: 8, CacheWriteTokens: 10, ReasoningTokens: 12}, u.Add(u))
}
