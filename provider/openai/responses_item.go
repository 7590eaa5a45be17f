package openai

import (
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"

	"github.com/openai/openai-go/v3/responses"

	"github.com/strata-go/strata"
)

// outputItem is an item of the output, or what is known of it when it begins.
type outputItem struct {
	Type             string
	ID               string
	Status           string
	CallID           string `json:"call_id"`
	Name             string
	Arguments        json.RawMessage
	Content          json.RawMessage // of a message or of reasoning: a list of itemContent
	Summary          []itemContent
	EncryptedContent string `json:"encrypted_content"`
	Result           string // of an image that was drawn
	OutputFormat     string `json:"output_format"`

	raw json.RawMessage
}

type itemContent struct {
	Type        string
	Text        string
	Refusal     string
	Annotations []annotation
}

type annotation struct {
	URL         string
	Title       string
	FileID      string `json:"file_id"`
	Filename    string
	ContainerID string `json:"container_id"`
}

func readItem(raw json.RawMessage) (*outputItem, error) {
	item := &outputItem{raw: raw}
	return item, json.Unmarshal(raw, item)
}

// contents are those of a message, or the text of reasoning where the server
// shows it.
func (item *outputItem) contents() (contents []itemContent) {
	_ = json.Unmarshal(item.Content, &contents) // what is no list of objects says nothing
	return contents
}

// fields are the fields of the item but for those that are null and the named ones.
func (item *outputItem) fields(without ...string) map[string]any {
	fields := map[string]any{}
	_ = json.Unmarshal(item.raw, &fields) // it was read before
	maps.DeleteFunc(fields, func(name string, v any) bool { return v == nil || slices.Contains(without, name) })
	return fields
}

// rest is what of a message or a call no content carries. An ID means something
// only to a server that stores the item.
func (item *outputItem) rest(provider string, stored bool) strata.ProviderData {
	without := []string{"type", "role", "status", "content", "call_id", "name", "arguments"}
	if !stored {
		without = append(without, "id")
	}
	return itemData(provider, item.fields(without...))
}

// reasoning is the item of a reasoning that the server can take up again: one that
// it stores, or one that holds what was thought.
func (item *outputItem) reasoning(by strata.ModelID, stored bool) strata.ProviderData {
	if !stored && item.EncryptedContent == "" && len(item.contents()) == 0 {
		return nil
	}
	data := itemData(by.Provider, item.fields("status"))
	if by.Account != "" && item.EncryptedContent != "" {
		data[by.Provider][accountKey] = by.Account
	}
	return data
}

func itemData(provider string, fields map[string]any) strata.ProviderData {
	if len(fields) == 0 {
		return nil
	}
	return strata.ProviderData{provider: {itemKey: fields}}
}

// toolInput is the call that a function_call begins.
func (item *outputItem) toolInput() *toolInput {
	return &toolInput{id: cmp.Or(item.CallID, item.ID, "call_"+rand.Text()), name: item.Name}
}

func (a annotation) source(provider string) strata.Source {
	s := strata.Source{ID: a.FileID, URL: a.URL, Title: a.Title, Filename: a.Filename}
	if a.ContainerID != "" {
		s.ProviderData = strata.ProviderData{provider: {"container_id": a.ContainerID}}
	}
	return s
}

// hostedTools are the tools that the provider runs itself, by the types of their
// items: the fields that hold what went in and what came out.
var hostedTools = map[string]struct {
	name   string
	input  []string
	output string
}{
	"web_search_call":       {"web_search", []string{"action"}, ""},
	"file_search_call":      {"file_search", []string{"queries"}, "results"},
	"code_interpreter_call": {"code_interpreter", []string{"code", "container_id"}, "outputs"},
	"image_generation_call": {"image_generation", []string{"action", "revised_prompt"}, ""},
	"mcp_call":              {"mcp", []string{"server_label"}, "output"},
}

// hosted are the parts of an item other than messages, reasoning and calls of the
// program's functions.
func (item *outputItem) hosted(provider string, stored bool) []strata.Part {
	tool, ok := hostedTools[item.Type]
	if !ok {
		var raw responses.ResponseOutputItemUnion
		_ = json.Unmarshal(item.raw, &raw) // it was read before
		return []strata.Part{strata.Raw{Value: raw}}
	}
	fields := item.fields()
	input := map[string]any{}
	for _, name := range tool.input {
		if v, ok := fields[name]; ok {
			input[name] = v
		}
	}
	call := strata.ToolCall{ID: item.ID, Name: cmp.Or(item.Name, tool.name), Input: asJSON(input), ProviderExecuted: true}
	if arguments := str(item.Arguments); arguments != "" {
		call.Input = arguments
	}
	if stored {
		call.ProviderData = itemData(provider, item.fields("result")) // the server has the image
	}
	parts := []strata.Part{call}
	result := strata.ToolResult{ID: call.ID, Name: call.Name, ProviderExecuted: true}
	failed, isError := fields["error"]
	switch output, ok := fields[tool.output]; {
	case isError:
		result.Output, result.IsError = asText(failed), true
		parts = append(parts, result)
	case ok:
		result.Output = asText(output)
		parts = append(parts, result)
	}
	if data, err := base64.StdEncoding.DecodeString(item.Result); err == nil && len(data) > 0 {
		parts = append(parts, strata.File{MediaType: imageType(item.OutputFormat, data), Data: data})
	}
	return parts
}

// asText is a value of JSON as text, which it may already be.
func asText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return asJSON(v)
}

func asJSON(v any) string {
	b, _ := json.Marshal(v) // it was read from JSON
	return string(b)
}
