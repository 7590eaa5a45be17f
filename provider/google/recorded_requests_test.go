package google_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
)

// wireRequest is what the recorded requests hold that the adapter sends too.
type wireRequest struct {
	Contents          []any
	SystemInstruction any
	ToolConfig        any
	GenerationConfig  struct {
		MaxOutputTokens    int
		ResponseMimeType   string
		ResponseJSONSchema any `json:"responseJsonSchema"`
		ThinkingConfig     any
	}
	Tools []struct {
		FunctionDeclarations []struct{ Name, Description string }
	}
}

// TestRecordedRequests builds the Request behind each recorded one and sends it:
// the conversation must come out as the recording's client sent it. That client
// called a tool's output "result" and wrote schemas in Google's own form.
func TestRecordedRequests(t *testing.T) {
	compared := 0
	for _, r := range recordings(t) {
		req, ok := r.request(t)
		if !ok {
			continue // of a form that request does not read
		}
		compared++
		var want, got wireRequest
		require.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(r.Request.Body, `"response":{"result":`, `"response":{"output":`)), &want), r.Name)
		s := serve(t, whole(r.Response.Status, r.Response.ContentType, r.Response.Body))
		m, _ := r.model(s)
		var err error
		if strings.Contains(r.Request.Path, ":stream") {
			_, err = collect(t, m.Stream(t.Context(), req))
		} else {
			_, err = m.Generate(t.Context(), req)
		}
		require.NoError(t, err, r.Name)
		require.NoError(t, json.Unmarshal(s.body, &got), r.Name)
		assert.Equal(t, want, got, r.Name)
		s.Close()
	}
	require.NotZero(t, compared)
}

// request builds the Request that the recorded body was sent for, if it is of
// the plain form that most are of.
func (r *recording) request(t *testing.T) (*strata.Request, bool) {
	type part struct {
		Text             *string
		Thought          bool
		ThoughtSignature string
		FunctionCall     *struct {
			ID, Name string
			Args     json.RawMessage
		}
		FunctionResponse *struct {
			ID, Name string
			Response struct{ Result *string }
		}
	}
	var body struct {
		Contents []struct {
			Role  string
			Parts []part
		}
		SystemInstruction struct{ Parts []part }
		GenerationConfig  struct {
			MaxOutputTokens    int
			ResponseMimeType   string
			ResponseJSONSchema json.RawMessage `json:"responseJsonSchema"`
			ThinkingConfig     map[string]any
		}
		ToolConfig struct {
			FunctionCallingConfig struct{ Mode string }
		}
		Tools []struct {
			FunctionDeclarations []struct {
				Name, Description string
				Parameters        json.RawMessage
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(r.Request.Body), &body), r.Name)
	req := &strata.Request{MaxOutputTokens: body.GenerationConfig.MaxOutputTokens}
	for _, p := range body.SystemInstruction.Parts {
		req.Messages = append(req.Messages, strata.SystemMessage(*p.Text))
	}
	for _, c := range body.Contents {
		msg := strata.Message{Role: strata.RoleUser}
		if c.Role == "model" {
			msg.Role = strata.RoleAssistant
		}
		for _, p := range c.Parts {
			var data strata.ProviderData
			if p.ThoughtSignature != "" {
				data = strata.ProviderData{"google": {"thoughtSignature": p.ThoughtSignature}}
			}
			switch {
			case p.Text != nil && !p.Thought:
				msg.Content = append(msg.Content, strata.Text{Text: *p.Text, ProviderData: data})
			case p.FunctionCall != nil:
				msg.Content = append(msg.Content, strata.ToolCall{ID: p.FunctionCall.ID, Name: p.FunctionCall.Name, Input: string(p.FunctionCall.Args), ProviderData: data})
			case p.FunctionResponse != nil && p.FunctionResponse.Response.Result != nil:
				msg.Role = strata.RoleTool
				msg.Content = append(msg.Content, strata.ToolResult{ID: p.FunctionResponse.ID, Output: *p.FunctionResponse.Response.Result})
			default:
				return nil, false
			}
		}
		req.Messages = append(req.Messages, msg)
	}
	for _, tool := range body.Tools {
		for _, f := range tool.FunctionDeclarations {
			req.Tools = append(req.Tools, strata.Tool{Name: f.Name, Description: f.Description, InputSchema: f.Parameters})
		}
	}
	if mode := body.ToolConfig.FunctionCallingConfig.Mode; mode != "" {
		req.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceMode(strings.ToLower(mode))}
	}
	if body.GenerationConfig.ResponseMimeType != "" {
		req.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: body.GenerationConfig.ResponseJSONSchema}
	}
	if thinking := body.GenerationConfig.ThinkingConfig; thinking != nil {
		req.ProviderOptions = strata.ProviderData{"google": {"generationConfig": map[string]any{"thinkingConfig": thinking}}}
	}
	return req, true
}
