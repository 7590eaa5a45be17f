package openai_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/openai"
)

// wireRequest is what the recorded requests hold that the adapter sends too.
type wireRequest struct {
	Model               string
	Messages            []map[string]any
	Tools               []any
	ToolChoice          any  `json:"tool_choice"`
	MaxTokens           *int `json:"max_tokens"`
	MaxCompletionTokens *int `json:"max_completion_tokens"`
	Stream              bool
	StreamOptions       any `json:"stream_options"`
}

// TestRecordedRequests builds the Request behind each recorded one and sends it:
// messages and tools must come out as the recording's client sent them.
func TestRecordedRequests(t *testing.T) {
	compared := 0
	for _, r := range recordings(t, "openai-chat") {
		req, ok := r.request()
		if !ok {
			continue // of a form that request does not read
		}
		compared++
		var want wireRequest
		require.NoError(t, json.Unmarshal([]byte(r.Request.Body), &want), r.Name)
		want.MaxTokens = nil // the recordings' client chose between two fields
		s := serve(t, whole(r.Response.Status, r.Response.ContentType, r.Response.Body))
		m := openai.New(want.Model, openai.BaseURL(s.URL), openai.APIKey(key), openai.HTTPClient(s.Client()))
		var err error
		if want.Stream {
			_, err = collect(t, m.Stream(t.Context(), req))
		} else {
			_, err = m.Generate(t.Context(), req)
		}
		require.NoError(t, err, r.Name)
		var got wireRequest
		require.NoError(t, json.Unmarshal(s.body, &got), r.Name)
		assert.Equal(t, want, got, r.Name)
		s.Close()
	}
	require.NotZero(t, compared)
}

// request builds the Request that the recorded body was sent for, if it is of
// the plain form that most are of.
func (r *recording) request() (*strata.Request, bool) {
	var body struct {
		Messages []struct {
			Role       string
			Content    string
			ToolCallID string `json:"tool_call_id"`
			ToolCalls  []struct {
				ID       string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
			ReasoningContent string `json:"reasoning_content"`
			ReasoningDetails []any  `json:"reasoning_details"`
		}
		Tools []struct {
			Function struct {
				Name, Description string
				Parameters        json.RawMessage
				Strict            *bool
			}
		}
		ToolChoice          string `json:"tool_choice"`
		MaxCompletionTokens int    `json:"max_completion_tokens"`
	}
	if json.Unmarshal([]byte(r.Request.Body), &body) != nil {
		return nil, false
	}
	req := &strata.Request{MaxOutputTokens: body.MaxCompletionTokens}
	for _, m := range body.Messages {
		if m.Role == "developer" {
			return nil, false
		}
		msg := strata.Message{Role: strata.Role(m.Role)}
		if m.ReasoningContent != "" {
			msg.Content = append(msg.Content, strata.Reasoning{Text: m.ReasoningContent,
				ProviderData: strata.ProviderData{"openai": {"reasoning_field": "reasoning_content"}}})
		}
		if m.ReasoningDetails != nil {
			msg.Content = append(msg.Content, strata.Reasoning{
				ProviderData: strata.ProviderData{"openai": {"reasoning_details": m.ReasoningDetails}}})
		}
		switch {
		case m.Role == "tool":
			msg.Content = append(msg.Content, strata.ToolResult{ID: m.ToolCallID, Output: m.Content})
		case m.Content != "":
			msg.Content = append(msg.Content, strata.Text{Text: m.Content})
		}
		for _, c := range m.ToolCalls {
			msg.Content = append(msg.Content, strata.ToolCall{ID: c.ID, Name: c.Function.Name, Input: c.Function.Arguments})
		}
		req.Messages = append(req.Messages, msg)
	}
	for _, tool := range body.Tools {
		f := tool.Function
		req.Tools = append(req.Tools, strata.Tool{Name: f.Name, Description: f.Description, InputSchema: f.Parameters, Strict: f.Strict})
	}
	if body.ToolChoice != "" {
		req.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceMode(body.ToolChoice)}
	}
	return req, true
}
