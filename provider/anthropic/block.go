package anthropic

import (
	"encoding/json"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"

	"github.com/strata-go/strata"
)

// noInput is the input of a call that came without one.
const noInput = "{}"

// block is a block of an answer: whole, or in a stream while its pieces arrive.
type block struct {
	Type      string
	Text      string
	Citations []citation
	Thinking  string
	Signature string
	Data      string // of redacted thinking
	ID        string
	Name      string
	Input     json.RawMessage
	ToolUseID string `json:"tool_use_id"`
	Content   json.RawMessage
	IsError   bool `json:"is_error"`

	raw    []byte
	input  strings.Builder // of a tool call, the pieces
	opened bool            // its start was handed on
}

type citation = map[string]any

func readBlock(raw []byte) (*block, error) {
	b := &block{raw: raw}
	return b, json.Unmarshal(raw, b)
}

// A block's kind is told by its type. Anthropic's own tools have a type each, all
// named alike.
func (b *block) calls() bool     { return strings.HasSuffix(b.Type, "tool_use") }
func (b *block) runs() bool      { return b.calls() && b.Type != "tool_use" } // by the provider itself
func (b *block) results() bool   { return strings.HasSuffix(b.Type, "tool_result") }
func (b *block) reasoning() bool { return b.Type == "thinking" || b.Type == "redacted_thinking" }

// answers reports whether the block is more than reasoning.
func (b *block) answers() bool { return !b.reasoning() && (b.Type != "text" || b.Text != "") }

// providerData are what the provider wants back with the content that was made of
// the block.
func (b *block) providerData(provider string) strata.ProviderData {
	var own map[string]any
	switch {
	case b.Type == "text" && len(b.Citations) > 0:
		own = map[string]any{"citations": b.Citations}
	case b.Type == "thinking" && b.Signature != "":
		own = map[string]any{"signature": b.Signature}
	case b.Type == "redacted_thinking":
		own = map[string]any{"data": b.Data}
	case b.runs():
		own = b.fields("id", "name", "input")
	case b.calls():
		own = b.fields("type", "id", "name", "input")
	case b.results():
		own = b.fields("tool_use_id", "content")
	}
	if len(own) == 0 {
		return nil
	}
	return strata.ProviderData{provider: own}
}

// fields are those of the block but for the known ones.
func (b *block) fields(known ...string) map[string]any {
	var fields map[string]any
	_ = json.Unmarshal(b.raw, &fields) // it was read before
	for _, k := range known {
		delete(fields, k)
	}
	return fields
}

// arguments is the input of a tool call, as far as it came: in pieces, or whole
// with the block.
func (b *block) arguments() string {
	if b.input.Len() > 0 {
		return b.input.String()
	}
	if s := string(b.Input); s != "null" && s != noInput {
		return s
	}
	return ""
}

// whole reports whether the input of a tool call is all there, in an answer that
// the server cut if cut is set. Only its last block can then be half. What came of
// that in pieces may be whole nonetheless; what came as JSON was made so by the
// server.
func (b *block) whole(cut, last bool) bool {
	if !cut || !last {
		return true
	}
	input := strings.TrimSpace(b.input.String())
	return strings.HasPrefix(input, "{") && json.Valid([]byte(input))
}

// call is the whole tool call.
func (b *block) call(provider string) strata.ToolCall {
	c := strata.ToolCall{ID: b.ID, Name: b.Name, Input: b.arguments(), ProviderExecuted: b.runs(), ProviderData: b.providerData(provider)}
	if strings.TrimSpace(c.Input) == "" {
		c.Input = noInput
	}
	return c
}

// result is the result of a call that the provider ran. Its error is told by its
// content, or in the block itself.
func (b *block) result(provider, name string) strata.ToolResult {
	var content struct{ Type string }
	_ = json.Unmarshal(b.Content, &content) // a list: no error
	return strata.ToolResult{
		ID: b.ToolUseID, Name: name, Output: string(b.Content),
		IsError:          b.IsError || strings.HasSuffix(content.Type, "_error"),
		ProviderExecuted: true, ProviderData: b.providerData(provider),
	}
}

// sources are what the text of the block cites.
func (b *block) sources(provider string) []strata.Source {
	var sources []strata.Source
	for _, c := range b.Citations {
		str := func(key string) string { s, _ := c[key].(string); return s }
		s := strata.Source{URL: str("url"), Title: str("title"), ProviderData: strata.ProviderData{provider: c}}
		if s.Title == "" {
			s.Title = str("document_title")
		}
		if s.URL == "" {
			s.URL = str("source") // of a search result of the program's own
		}
		sources = append(sources, s)
	}
	return sources
}

// unknown is a block that has no part.
func (b *block) unknown() strata.Raw {
	var u sdk.ContentBlockUnion
	_ = json.Unmarshal(b.raw, &u) // it was read before
	return strata.Raw{Value: u}
}

// callNames are the names of tools by the IDs of the calls that the provider ran:
// their results do not repeat them.
type callNames map[string]string

func (n callNames) note(b *block) { n[b.ID] = b.Name }

// of is the name of the tool that the block is a result of. The call may be in an
// earlier answer; then the type of the block says.
func (n callNames) of(b *block) string {
	if name, ok := n[b.ToolUseID]; ok {
		return name
	}
	return strings.TrimSuffix(b.Type, "_tool_result")
}
