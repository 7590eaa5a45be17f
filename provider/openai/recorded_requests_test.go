package openai_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/recording"
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
	for _, r := range recording.Load(t, "openai-chat") {
		req, ok := requestOf(&r)
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
func requestOf(r *recording.Recording) (*strata.Request, bool) {
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

// TestRecordedResponsesRequests does so for the Responses API.
func TestRecordedResponsesRequests(t *testing.T) {
	for _, r := range recording.Load(t, "openai-responses") {
		var want struct {
			Model  string
			Stream bool
			Store  bool
			Input  []map[string]any
			Tools  []struct {
				Name, Description string
				Parameters        json.RawMessage
				Strict            *bool
			}
			ToolChoice      string `json:"tool_choice"`
			MaxOutputTokens int    `json:"max_output_tokens"`
			Include         []string
			Reasoning       map[string]any
		}
		require.NoError(t, json.Unmarshal([]byte(r.Request.Body), &want), r.Name)
		req := &strata.Request{MaxOutputTokens: want.MaxOutputTokens, ProviderOptions: strata.ProviderData{"openai": {"include": want.Include}}}
		for _, tool := range want.Tools {
			req.Tools = append(req.Tools, strata.Tool{Name: tool.Name, Description: tool.Description, InputSchema: tool.Parameters, Strict: tool.Strict})
		}
		if want.ToolChoice != "" {
			req.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceMode(want.ToolChoice)}
		}
		if want.Include == nil {
			delete(req.ProviderOptions, "openai")
			want.Model = "a-" + want.Model // of a name that says nothing
		}
		if effort, ok := want.Reasoning["effort"].(string); ok {
			req.ReasoningEffort = strata.ReasoningEffort(effort)
			req.ProviderOptions["openai"]["reasoning"] = map[string]any{"summary": want.Reasoning["summary"]}
		}
		for _, item := range want.Input {
			req.Messages = append(req.Messages, messageOf(item))
		}
		s := serve(t, whole(r.Response.Status, r.Response.ContentType, r.Response.Body))
		m := openai.NewResponses(want.Model, openai.BaseURL(s.URL), openai.APIKey(key), openai.HTTPClient(s.Client()))
		var err error
		if want.Stream {
			_, err = collect(t, m.Stream(t.Context(), req))
		} else {
			_, err = m.Generate(t.Context(), req)
		}
		require.NoError(t, err, r.Name)
		var body map[string]any
		require.NoError(t, json.Unmarshal([]byte(r.Request.Body), &body))
		body["model"] = want.Model
		assert.Equal(t, body, s.asked(t), r.Name)
		s.Close()
	}
}

// messageOf is the message that an item of the input was sent for.
func messageOf(item map[string]any) strata.Message {
	str := func(name string) string { s, _ := item[name].(string); return s }
	switch {
	case str("type") == "function_call":
		return strata.Message{Role: strata.RoleAssistant, Content: []strata.Content{strata.ToolCall{ID: str("call_id"), Name: str("name"), Input: str("arguments")}}}
	case str("type") == "function_call_output":
		return strata.ToolMessage(strata.ToolResult{ID: str("call_id"), Output: str("output")})
	case str("role") == "user":
		return strata.UserMessage(item["content"].([]any)[0].(map[string]any)["text"].(string))
	}
	msg := strata.SystemMessage(str("content"))
	msg.ProviderOptions = strata.ProviderData{"openai": {"role": str("role")}}
	return msg
}
