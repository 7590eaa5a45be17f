package anthropic_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/anthropic"
)

// TestRecordedRequests builds the Request behind each recorded one and sends it:
// the body must come out as the recording's client sent it.
func TestRecordedRequests(t *testing.T) {
	compared := 0
	for _, r := range recordings(t) {
		req, ok := r.request()
		if !ok {
			continue // of a form that request does not read
		}
		compared++
		var want, got map[string]any
		require.NoError(t, json.Unmarshal([]byte(r.Request.Body), &want), r.Name)
		s := serve(t, whole(r.Response.Status, r.Response.ContentType, r.Response.Body))
		m := anthropic.New(want["model"].(string), anthropic.BaseURL(s.URL), anthropic.APIKey(key), anthropic.HTTPClient(s.Client()))
		var err error
		if want["stream"] != nil {
			_, err = collect(t, m.Stream(t.Context(), req))
		} else {
			_, err = m.Generate(t.Context(), req)
		}
		require.NoError(t, err, r.Name)
		require.NoError(t, json.Unmarshal(s.body, &got), r.Name)
		assert.Equal(t, want, got, r.Name)
		s.Close()
	}
	t.Logf("%d requests", compared)
	require.NotZero(t, compared)
}

// object is a block or a tool of a recorded request. Its own fields are taken out
// as they are read; what is left are the provider's options.
type object map[string]any

func (o object) str(field string) string {
	s, _ := o[field].(string)
	delete(o, field)
	return s
}

func (o object) list(field string) (objects []object) {
	list, _ := o[field].([]any)
	delete(o, field)
	for _, e := range list {
		objects = append(objects, e.(map[string]any))
	}
	return objects
}

func (o object) json(field string) json.RawMessage {
	raw, _ := json.Marshal(o[field])
	delete(o, field)
	return raw
}

func (o object) rest() strata.ProviderData {
	if len(o) == 0 {
		return nil
	}
	return strata.ProviderData{"anthropic": maps.Clone(o)}
}

// request builds the Request that the recorded body was sent for.
func (r *recording) request() (*strata.Request, bool) {
	var body object
	if json.Unmarshal([]byte(r.Request.Body), &body) != nil {
		return nil, false
	}
	body.str("model")
	delete(body, "stream")
	req := &strata.Request{}
	limit, _ := body["max_tokens"].(float64)
	req.MaxOutputTokens = int(limit)
	delete(body, "max_tokens")
	ok := true
	add := func(role strata.Role, blocks []object) {
		for _, b := range blocks {
			kind := b.str("type")
			c := b.content(kind)
			ok = ok && c != nil
			if kind == "tool_result" {
				role = strata.RoleTool
			}
			req.Messages = append(req.Messages, strata.Message{Role: role, Content: []strata.Content{c}})
		}
	}
	add(strata.RoleSystem, body.list("system"))
	for _, m := range body.list("messages") {
		add(strata.Role(m.str("role")), m.list("content"))
	}
	for _, o := range body.list("tools") {
		tool := strata.Tool{Name: o.str("name"), Description: o.str("description")}
		if o["input_schema"] != nil {
			tool.InputSchema = o.json("input_schema")
		}
		tool.ProviderOptions = o.rest()
		req.Tools = append(req.Tools, tool)
	}
	req.ProviderOptions = body.rest()
	return req, ok
}

func (o object) content(kind string) strata.Content {
	switch kind {
	case "text":
		return strata.Text{Text: o.str("text"), ProviderData: o.rest()}
	case "thinking":
		return strata.Reasoning{Text: o.str("thinking"), ProviderData: o.rest()}
	case "redacted_thinking":
		return strata.Reasoning{ProviderData: o.rest()}
	case "tool_use":
		return strata.ToolCall{ID: o.str("id"), Name: o.str("name"), Input: string(o.json("input")), ProviderData: o.rest()}
	case "tool_result":
		r := strata.ToolResult{ID: o.str("tool_use_id")}
		r.IsError, _ = o["is_error"].(bool)
		delete(o, "is_error")
		for _, c := range o.list("content") {
			r.Content = append(r.Content, c.content(c.str("type")))
		}
		r.ProviderData = o.rest()
		return r
	case "image", "document":
		source := object(o["source"].(map[string]any))
		delete(o, "source")
		data, err := base64.StdEncoding.DecodeString(source.str("data"))
		if err != nil || len(data) == 0 {
			return nil
		}
		return strata.File{MediaType: source.str("media_type"), Data: data, ProviderData: o.rest()}
	case "server_tool_use":
		call := strata.ToolCall{ID: o.str("id"), Name: o.str("name"), Input: string(o.json("input")), ProviderExecuted: true}
		o["type"] = kind
		call.ProviderData = o.rest()
		return call
	case "web_search_tool_result", "web_fetch_tool_result", "code_execution_tool_result":
		result := strata.ToolResult{ID: o.str("tool_use_id"), Output: string(o.json("content")), ProviderExecuted: true}
		o["type"] = kind
		result.ProviderData = o.rest()
		return result
	}
	return nil
}
