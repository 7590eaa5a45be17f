package openai

import (
	"encoding/json"
	"fmt"
	"reflect"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/dataurl"
	"github.com/strata-go/strata/internal/exchange"
)

// input turns a conversation into the wire's items. It is never nil: the server is
// to say what it thinks of an empty one.
func (m *Responses) input(messages []strata.Message) (responses.ResponseInputParam, error) {
	items := responses.ResponseInputParam{}
	for i, msg := range messages {
		var more []responses.ResponseInputItemUnionParam
		var err error
		switch msg.Role {
		case strata.RoleSystem, strata.RoleUser:
			more, err = m.prompt(i, msg)
		case strata.RoleAssistant:
			more, err = m.assistant(i, msg)
		case strata.RoleTool:
			more, err = m.toolResults(i, msg)
		default:
			err = exchange.Invalid(m.id, "messages[%d]: unknown role %q", i, msg.Role)
		}
		if err != nil {
			return nil, err
		}
		items = append(items, more...)
	}
	return items, nil
}

// prompt is a message of the system or the user.
func (m *Responses) prompt(i int, msg strata.Message) ([]responses.ResponseInputItemUnionParam, error) {
	parts := responses.ResponseInputMessageContentListParam{}
	for j, c := range msg.Content {
		_, isText := c.(strata.Text)
		if msg.Role == strata.RoleSystem && !isText {
			return nil, exchange.Invalid(m.id, "messages[%d].content[%d]: a system message cannot hold %T", i, j, c)
		}
		part, err := m.part(c, "a user message")
		if err != nil {
			return nil, exchange.Invalid(m.id, "messages[%d].content[%d]: %v", i, j, err)
		}
		parts = append(parts, part)
	}
	p := &responses.EasyInputMessageParam{Role: responses.EasyInputMessageRole(msg.Role)}
	if msg.Role == strata.RoleSystem && len(parts) == 1 && len(parts[0].OfInputText.ExtraFields()) == 0 {
		p.Content.OfString = sdk.String(parts[0].OfInputText.Text)
	} else {
		p.Content.OfInputItemContentList = parts
	}
	m.extend(p, msg.ProviderOptions)
	return []responses.ResponseInputItemUnionParam{{OfMessage: p}}, nil
}

func (m *Responses) assistant(i int, msg strata.Message) ([]responses.ResponseInputItemUnionParam, error) {
	var items []responses.ResponseInputItemUnionParam
	for j := 0; j < len(msg.Content); j++ {
		switch c := msg.Content[j].(type) {
		case nil:
			return nil, exchange.Invalid(m.id, "messages[%d].content[%d]: the content is nil", i, j)
		case strata.Text:
			texts := m.sameMessage(msg.Content[j:])
			items = append(items, m.said(texts, msg.ProviderOptions))
			j += len(texts) - 1
		case strata.Reasoning:
			items = append(items, m.kept(c.ProviderData)...)
		case strata.ToolCall:
			if c.ProviderExecuted {
				items = append(items, m.kept(c.ProviderData)...)
				continue
			}
			call := &responses.ResponseFunctionToolCallParam{CallID: c.ID, Name: c.Name, Arguments: c.Input}
			if c.Input == "" {
				call.Arguments = noInput
			}
			m.extend(call, m.itemFields(c.ProviderData), c.ProviderData)
			items = append(items, responses.ResponseInputItemUnionParam{OfFunctionCall: call})
		case strata.Raw:
			if item, ok := rawItem(c.Value); ok {
				items = append(items, item)
			}
		}
	}
	return items, nil
}

// kept is the item that the provider data holds, if any: reasoning that the server
// has not given, and that it cannot take up again, is left out, and so is what was
// encrypted for another account.
func (m *Responses) kept(data strata.ProviderData) []responses.ResponseInputItemUnionParam {
	item := m.itemFields(data)[m.id.Provider]
	account, _ := data[m.id.Provider][accountKey].(string)
	if item == nil || item["encrypted_content"] != nil && account != m.id.Account {
		return nil
	}
	return []responses.ResponseInputItemUnionParam{param.Override[responses.ResponseInputItemUnionParam](item)}
}

// itemFields are the fields of the item that a content came in.
func (m *Responses) itemFields(data strata.ProviderData) strata.ProviderData {
	fields, _ := data[m.id.Provider][itemKey].(map[string]any)
	return strata.ProviderData{m.id.Provider: fields}
}

// rawItem is an item of the SDK's own.
func rawItem(v any) (responses.ResponseInputItemUnionParam, bool) {
	switch v := v.(type) {
	case responses.ResponseInputItemUnionParam:
		return v, true
	case responses.ResponseOutputItemUnion:
		return param.Override[responses.ResponseInputItemUnionParam](json.RawMessage(v.RawJSON())), true
	}
	return responses.ResponseInputItemUnionParam{}, false
}

// sameMessage returns the texts at the head of contents that stood in one message.
func (m *Responses) sameMessage(contents []strata.Content) (texts []strata.Text) {
	for _, c := range contents {
		t, ok := c.(strata.Text)
		if !ok || texts != nil && !reflect.DeepEqual(m.itemFields(t.ProviderData), m.itemFields(texts[0].ProviderData)) {
			break
		}
		texts = append(texts, t)
	}
	return texts
}

// said is a message of the assistant. One that the server keeps goes back under
// its ID, in the form it came; any server knows the other form.
func (m *Responses) said(texts []strata.Text, options strata.ProviderData) responses.ResponseInputItemUnionParam {
	fields := m.itemFields(texts[0].ProviderData)
	if id, _ := fields[m.id.Provider]["id"].(string); id != "" {
		p := &responses.ResponseOutputMessageParam{ID: id, Status: responses.ResponseOutputMessageStatusCompleted}
		for _, t := range texts {
			p.Content = append(p.Content, responses.ResponseOutputMessageContentUnionParam{OfOutputText: &responses.ResponseOutputTextParam{
				Text: t.Text, Annotations: []responses.ResponseOutputTextAnnotationUnionParam{},
			}})
		}
		m.extend(p, fields, options)
		return responses.ResponseInputItemUnionParam{OfOutputMessage: p}
	}
	p := &responses.EasyInputMessageParam{Role: responses.EasyInputMessageRoleAssistant}
	joined := ""
	for _, t := range texts {
		joined += t.Text
	}
	p.Content.OfString = sdk.String(joined)
	m.extend(p, fields, options)
	return responses.ResponseInputItemUnionParam{OfMessage: p}
}

func (m *Responses) toolResults(i int, msg strata.Message) ([]responses.ResponseInputItemUnionParam, error) {
	var items []responses.ResponseInputItemUnionParam
	for j, c := range msg.Content {
		place := fmt.Sprintf("messages[%d].content[%d]", i, j)
		if raw, ok := c.(strata.Raw); ok {
			if item, ok := rawItem(raw.Value); ok {
				items = append(items, item)
				continue
			}
		}
		r, ok := c.(strata.ToolResult)
		if !ok {
			return nil, exchange.Invalid(m.id, "%s: a tool message cannot hold %T", place, c)
		}
		p := &responses.ResponseInputItemFunctionCallOutputParam{CallID: sdk.String(r.ID)}
		if len(r.Content) == 0 {
			p.Output.OfString = sdk.String(r.Output)
		}
		for k, c := range r.Content {
			part, err := m.part(c, "a tool result")
			if err != nil {
				return nil, exchange.Invalid(m.id, "%s.content[%d]: %v", place, k, err)
			}
			p.Output.OfResponseFunctionCallOutputItemArray = append(p.Output.OfResponseFunctionCallOutputItemArray,
				param.Override[responses.ResponseFunctionCallOutputItemUnionParam](part))
		}
		m.extend(p, msg.ProviderOptions, r.ProviderData)
		items = append(items, responses.ResponseInputItemUnionParam{OfFunctionCallOutput: p})
	}
	return items, nil
}

// part is a content that goes in.
func (m *Responses) part(c strata.Content, holder string) (responses.ResponseInputContentUnionParam, error) {
	var u responses.ResponseInputContentUnionParam
	switch c := c.(type) {
	case strata.Text:
		u.OfInputText = &responses.ResponseInputTextParam{Text: c.Text}
		m.extend(u.OfInputText, c.ProviderData)
	case strata.Image:
		return m.image(strata.File{MediaType: c.MediaType, Data: c.Data, URL: c.URL, ProviderData: c.ProviderData}, c.Detail)
	case strata.File:
		return m.file(c)
	default:
		return u, fmt.Errorf("%s cannot hold %T", holder, c)
	}
	return u, nil
}

func (m *Responses) image(c strata.File, detail string) (u responses.ResponseInputContentUnionParam, err error) {
	p := &responses.ResponseInputImageParam{Detail: responses.ResponseInputImageDetail(detail)}
	switch {
	case c.FileID != "":
		p.FileID = sdk.String(c.FileID)
	case len(c.Data) > 0:
		p.ImageURL = sdk.String(dataurl.Format(c.MediaType, c.Data))
	case c.URL != "":
		p.ImageURL = sdk.String(c.URL)
	default:
		return u, errNoImageData
	}
	m.extend(p, c.ProviderData)
	u.OfInputImage = p
	return u, nil
}

func (m *Responses) file(c strata.File) (u responses.ResponseInputContentUnionParam, err error) {
	if isImage(c.MediaType) {
		return m.image(c, "")
	}
	p := &responses.ResponseInputFileParam{}
	switch {
	case c.FileID != "":
		p.FileID = sdk.String(c.FileID)
	case len(c.Data) > 0:
		p.FileData = sdk.String(dataurl.Format(c.MediaType, c.Data))
		p.Filename = sdk.String(filename(c))
	case c.URL != "":
		p.FileURL = sdk.String(c.URL)
	default:
		return u, errNoFileData
	}
	m.extend(p, c.ProviderData)
	u.OfInputFile = p
	return u, nil
}
