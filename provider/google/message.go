package google

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/url"
	"path"
	"strings"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/dataurl"
	"github.com/strata-go/strata/internal/exchange"
)

// object is an object of the wire. Contents are built as such and not as the SDK's
// types, which change the arguments of calls and have no place for options.
type object = map[string]any

// conversation is the messages of a request as they become the wire's contents.
type conversation struct {
	*Model
	contents []object
	system   []object
	options  object            // of system messages
	calls    map[string]string // the names of the tool calls so far, by ID
	warnings []strata.Warning
	results  bool // the last content holds tool results
}

// contents turns a conversation into the wire's contents and system instruction.
// The contents are never nil: the server is to say what it thinks of none.
func (m *Model) contents(messages []strata.Message) ([]object, object, []strata.Warning, error) {
	c := &conversation{Model: m, contents: []object{}, calls: map[string]string{}}
	for i, msg := range messages {
		if err := c.add(i, msg); err != nil {
			return nil, nil, nil, err
		}
	}
	if c.system == nil {
		return c.contents, nil, c.warnings, nil
	}
	system := object{"role": "user", "parts": c.system}
	maps.Copy(system, c.options)
	return c.contents, system, c.warnings, nil
}

func (c *conversation) add(i int, msg strata.Message) error {
	role, part := "user", c.userPart
	switch msg.Role {
	case strata.RoleSystem:
		part = c.systemPart
	case strata.RoleUser:
	case strata.RoleAssistant:
		role, part = "model", c.modelPart
	case strata.RoleTool:
		part = c.resultPart
	default:
		return exchange.Invalid(c.id, "messages[%d]: unknown role %q", i, msg.Role)
	}
	parts := []object{}
	for j, content := range msg.Content {
		p, err := part(content)
		if err != nil {
			return exchange.Invalid(c.id, "messages[%d].content[%d]: %v", i, j, err)
		}
		if p != nil {
			parts = append(parts, p)
		}
	}
	options := msg.ProviderOptions[c.id.Provider]
	switch {
	case msg.Role == strata.RoleSystem:
		c.system = append(c.system, parts...)
		if c.options == nil {
			c.options = object{}
		}
		maps.Copy(c.options, options)
		return nil
	case msg.Role == strata.RoleAssistant && len(parts) == 0:
		return nil // the wire has no empty answer
	case msg.Role == strata.RoleAssistant:
		c.sign(parts)
	case msg.Role == strata.RoleTool && c.results:
		// All results of a turn go in one content.
		last := c.contents[len(c.contents)-1]
		last["parts"] = append(last["parts"].([]object), parts...)
		maps.Copy(last, options)
		return nil
	}
	c.results = msg.Role == strata.RoleTool
	content := object{"role": role, "parts": parts}
	maps.Copy(content, options)
	c.contents = append(c.contents, content)
	return nil
}

// noSignature is what Google gives for a function call that has no signature,
// since another model made it:
// https://ai.google.dev/gemini-api/docs/thought-signatures
const noSignature = "skip_thought_signature_validator"

// sign sees to the signature of the first function call of an answer, where the
// model asks for one; those beside it have none.
func (c *conversation) sign(parts []object) {
	for _, p := range parts {
		if p["functionCall"] == nil {
			continue
		}
		if p[signatureKey] == nil && mustSign(c.id.Name) {
			p[signatureKey] = noSignature
		}
		return
	}
}

func (c *conversation) systemPart(content strata.Content) (object, error) {
	t, ok := content.(strata.Text)
	if !ok {
		return nil, fmt.Errorf("a system message cannot hold %T", content)
	}
	return c.part(t.ProviderData, "text", t.Text), nil
}

func (c *conversation) userPart(content strata.Content) (object, error) {
	switch content := content.(type) {
	case strata.Text:
		return c.part(content.ProviderData, "text", content.Text), nil
	case strata.Image:
		return c.image(content)
	case strata.File:
		return c.file(content)
	}
	return nil, fmt.Errorf("a user message cannot hold %T", content)
}

// modelPart is a part of an answer, or nil for what is not sent back.
func (c *conversation) modelPart(content strata.Content) (object, error) {
	switch content := content.(type) {
	case nil:
		return nil, errors.New("the content is nil")
	case strata.Text:
		if content.Text == "" && len(content.ProviderData[c.id.Provider]) == 0 {
			return nil, nil
		}
		return c.part(content.ProviderData, "text", content.Text), nil
	case strata.Reasoning:
		if len(content.ProviderData[c.id.Provider]) == 0 {
			return nil, nil
		}
		p := c.part(content.ProviderData, "text", content.Text)
		p["thought"] = true
		return p, nil
	case strata.Image:
		return c.image(content)
	case strata.File:
		return c.file(content)
	case strata.ToolCall:
		if content.ProviderExecuted {
			return c.executed(content.ProviderData), nil
		}
		return c.call(content)
	case strata.ToolResult:
		if content.ProviderExecuted {
			return c.executed(content.ProviderData), nil
		}
	}
	return nil, nil
}

// executed is the part of a tool that Google ran: its provider data are the part.
func (c *conversation) executed(data strata.ProviderData) object {
	if len(data[c.id.Provider]) == 0 {
		return nil
	}
	return maps.Clone(data[c.id.Provider])
}

func (c *conversation) call(t strata.ToolCall) (object, error) {
	call := object{"name": t.Name}
	if t.ID != "" {
		call["id"] = t.ID
		c.calls[t.ID] = t.Name
	}
	args := strings.TrimSpace(t.Input)
	if args == "" {
		args = noInput
	}
	if !json.Valid([]byte(args)) || args[0] != '{' {
		return nil, fmt.Errorf("the input of the call of %q is not a JSON object", t.Name)
	}
	call["args"] = json.RawMessage(args)
	return c.part(t.ProviderData, "functionCall", call), nil
}

func (c *conversation) resultPart(content strata.Content) (object, error) {
	r, ok := content.(strata.ToolResult)
	if !ok {
		return nil, fmt.Errorf("a tool message cannot hold %T", content)
	}
	name := r.Name
	if name == "" {
		name = c.calls[r.ID]
	}
	if name == "" {
		return nil, errors.New("the result names no tool, and no call before it has its ID")
	}
	response := object{"name": name}
	if r.ID != "" {
		response["id"] = r.ID
	}
	output := r.Output
	if len(r.Content) > 0 {
		var err error
		if output, response["parts"], err = c.outputs(r.Content); err != nil {
			return nil, err
		}
		if len(response["parts"].([]object)) == 0 {
			delete(response, "parts")
		}
	}
	trimmed := strings.TrimSpace(output)
	switch {
	case r.IsError:
		response["response"] = object{"error": output}
	case strings.HasPrefix(trimmed, "{") && json.Valid([]byte(trimmed)):
		response["response"] = json.RawMessage(trimmed)
	default:
		response["response"] = object{"output": output}
	}
	return c.part(r.ProviderData, "functionResponse", response), nil
}

// outputs are the contents of a tool result: their text, and what is no text.
func (c *conversation) outputs(contents []strata.Content) (text string, parts []object, err error) {
	for i, content := range contents {
		if t, ok := content.(strata.Text); ok {
			text += t.Text
			continue
		}
		var p object
		switch content := content.(type) {
		case strata.Image:
			p, err = c.image(content)
		case strata.File:
			p, err = c.file(content)
		default:
			err = fmt.Errorf("a tool result cannot hold %T", content)
		}
		if err != nil {
			return "", nil, fmt.Errorf("content[%d]: %w", i, err)
		}
		parts = append(parts, p)
	}
	return text, parts, nil
}

func (c *conversation) image(i strata.Image) (object, error) {
	p, err := c.file(strata.File{MediaType: i.MediaType, Data: i.Data, URL: i.URL, ProviderData: i.ProviderData})
	switch {
	case err != nil:
		return nil, errors.New("the image has neither data nor a URL")
	case strings.HasPrefix(i.Detail, "MEDIA_RESOLUTION_"):
		p["mediaResolution"] = object{"level": i.Detail}
	case i.Detail != "":
		c.warnings = append(c.warnings, strata.Warning{Setting: "Image.Detail", Message: fmt.Sprintf("%q is not one of Google's media resolutions; it was left out", i.Detail)})
	}
	return p, nil
}

// filesAddress is where the Files API has the files that go by a bare ID.
const filesAddress = "https://generativelanguage.googleapis.com/v1beta/"

func (c *conversation) file(f strata.File) (object, error) {
	address := f.URL
	if f.FileID != "" {
		if address = f.FileID; strings.HasPrefix(address, "files/") {
			address = filesAddress + address
		}
	}
	mediaType, data := f.MediaType, f.Data
	if len(data) == 0 {
		if t, decoded, ok := dataurl.Parse(address); ok {
			data = decoded
			if mediaType == "" {
				mediaType = t
			}
		}
	}
	switch {
	case len(data) > 0:
		return c.part(f.ProviderData, "inlineData", object{
			"mimeType": dataurl.MediaType(mediaType, data),
			"data":     base64.StdEncoding.EncodeToString(data),
		}), nil
	case address == "":
		return nil, errors.New("the file has neither data nor a URL nor an ID")
	}
	file := object{"fileUri": address}
	if mediaType == "" {
		mediaType = typeOf(address)
	}
	if mediaType != "" {
		file["mimeType"] = mediaType
	}
	return c.part(f.ProviderData, "fileData", file), nil
}

// typeOf is the media type that the end of an address tells, if any.
func typeOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	t, _, _ := strings.Cut(mime.TypeByExtension(path.Ext(u.Path)), ";")
	return t
}

// part is a part of the wire with one field, and the provider's own beside it.
func (c *conversation) part(data strata.ProviderData, field string, value any) object {
	p := object{field: value}
	merge(p, data[c.id.Provider])
	return p
}
