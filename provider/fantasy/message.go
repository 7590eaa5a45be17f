package fantasy

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	sdk "charm.land/fantasy"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/dataurl"
	"github.com/strata-go/strata/internal/exchange"
)

var (
	errNilContent = errors.New("the content is nil")
	errNoBytes    = errors.New("fantasy takes images and files by their bytes, not by an address or an ID")
	errManyFiles  = errors.New("a tool result of fantasy's holds one image or file")
)

const clientMetadataKey = "client_metadata"

// prompt turns a conversation into fantasy's.
func (m *Model) prompt(messages []strata.Message) (sdk.Prompt, error) {
	prompt := sdk.Prompt{}
	for i, msg := range messages {
		switch msg.Role {
		case strata.RoleSystem, strata.RoleUser, strata.RoleAssistant, strata.RoleTool:
		default:
			return nil, exchange.Invalid(m.id, "messages[%d]: unknown role %q", i, msg.Role)
		}
		to := sdk.Message{Role: sdk.MessageRole(msg.Role), ProviderOptions: write(msg.ProviderOptions, Extra{})}
		for j, c := range msg.Content {
			part, err := partOf(c)
			if err != nil {
				return nil, exchange.Invalid(m.id, "messages[%d].content[%d]: %v", i, j, err)
			}
			if part != nil {
				to.Content = append(to.Content, part)
			}
		}
		prompt = append(prompt, to)
	}
	return prompt, nil
}

// partOf returns a content as a part of a message; nil: fantasy's have no such part.
func partOf(c strata.Content) (sdk.MessagePart, error) {
	switch c := c.(type) {
	case nil:
		return nil, errNilContent
	case strata.Text:
		return sdk.TextPart{Text: c.Text, ProviderOptions: write(c.ProviderData, Extra{})}, nil
	case strata.Reasoning:
		return sdk.ReasoningPart{Text: c.Text, ProviderOptions: write(c.ProviderData, Extra{})}, nil
	case strata.Image:
		f, err := filePart(strata.File{MediaType: c.MediaType, Data: c.Data, URL: c.URL, ProviderData: c.ProviderData})
		if f.ProviderOptions["openai"] == nil && c.Detail != "" {
			setDetail(&f, c.Detail)
		}
		return f, err
	case strata.File:
		f, err := filePart(c)
		return f, err
	case strata.ToolCall:
		input := c.Input
		if input == "" && !c.ProviderExecuted {
			input = noInput
		}
		return sdk.ToolCallPart{
			ToolCallID: c.ID, ToolName: c.Name, Input: input, ProviderExecuted: c.ProviderExecuted,
			ProviderOptions: write(c.ProviderData, Extra{}),
		}, nil
	case strata.ToolResult:
		output, err := outputOf(c)
		clientMetadata, _ := c.ProviderData[Key][clientMetadataKey].(string)
		return sdk.ToolResultPart{
			ToolCallID: c.ID, Output: output, ProviderExecuted: c.ProviderExecuted,
			ClientMetadata: clientMetadata, ProviderOptions: write(c.ProviderData, Extra{}),
		}, err
	case strata.Raw:
		if part, ok := c.Value.(sdk.MessagePart); ok {
			return part, nil
		}
	}
	return nil, nil
}

func filePart(c strata.File) (sdk.FilePart, error) {
	mediaType, data, given := c.MediaType, c.Data, true
	if len(data) == 0 {
		if mediaType, data, given = dataurl.Parse(c.URL); c.MediaType != "" {
			mediaType = c.MediaType
		}
	}
	if !given {
		return sdk.FilePart{}, errNoBytes
	}
	return sdk.FilePart{
		Filename: c.Filename, Data: data, MediaType: dataurl.MediaType(mediaType, data),
		ProviderOptions: write(c.ProviderData, Extra{}),
	}, nil
}

// setDetail says how closely to look at an image, in the one provider that knows
// of it, where that is linked.
func setDetail(f *sdk.FilePart, detail string) {
	options := map[string]any{"type": "openai.file_options", "data": map[string]string{"image_detail": detail}}
	if value, ok := typed("openai", options); ok {
		if f.ProviderOptions == nil {
			f.ProviderOptions = sdk.ProviderOptions{}
		}
		f.ProviderOptions["openai"] = value
	}
}

// outputOf returns the output of a tool result. A result of the provider's own
// tool may have none: it is in the metadata.
func outputOf(r strata.ToolResult) (sdk.ToolResultOutputContent, error) {
	var texts []string
	var media *sdk.ToolResultOutputContentMedia
	for _, c := range r.Content {
		part, err := partOf(c)
		if err != nil {
			return nil, err
		}
		switch p := part.(type) {
		case sdk.TextPart:
			texts = append(texts, p.Text)
		case sdk.FilePart:
			if media != nil {
				return nil, errManyFiles
			}
			media = &sdk.ToolResultOutputContentMedia{Data: base64.StdEncoding.EncodeToString(p.Data), MediaType: p.MediaType}
		default:
			return nil, fmt.Errorf("a tool result cannot hold %T", c)
		}
	}
	text := r.Output
	if len(r.Content) > 0 {
		text = strings.Join(texts, "\n")
	}
	switch {
	case media != nil:
		media.Text = text
		return *media, nil
	case r.IsError:
		return sdk.ToolResultOutputContentError{Error: errors.New(text)}, nil
	case text == "" && r.ProviderExecuted:
		return nil, nil
	}
	return sdk.ToolResultOutputContentText{Text: text}, nil
}

// messages turns fantasy's conversation into strata's.
func messages(prompt sdk.Prompt) ([]strata.Message, error) {
	names := map[string]string{} // of the tools, by the ID of the call
	var ms []strata.Message
	for i, msg := range prompt {
		to := strata.Message{Role: strata.Role(msg.Role), ProviderOptions: read(msg.ProviderOptions)}
		for j, part := range msg.Content {
			c, err := contentOf(part, names)
			if err != nil {
				return nil, fmt.Errorf("prompt[%d].content[%d]: %w", i, j, err)
			}
			if call, ok := c.(strata.ToolCall); ok {
				names[call.ID] = call.Name
			}
			to.Content = append(to.Content, c)
		}
		ms = append(ms, to)
	}
	return ms, nil
}

// contentOf returns a part of a message as a content.
func contentOf(part sdk.MessagePart, names map[string]string) (strata.Content, error) {
	if part == nil {
		return nil, errNilContent
	}
	if x := extraOf(part.Options()); x.Content != nil {
		return x.Content, nil
	}
	data := read(part.Options())
	if p, ok := sdk.AsMessagePart[sdk.TextPart](part); ok {
		return strata.Text{Text: p.Text, ProviderData: data}, nil
	}
	if p, ok := sdk.AsMessagePart[sdk.ReasoningPart](part); ok {
		return strata.Reasoning{Text: p.Text, ProviderData: data}, nil
	}
	if p, ok := sdk.AsMessagePart[sdk.FilePart](part); ok {
		return fileOf(p.MediaType, p.Filename, p.Data, data), nil
	}
	if p, ok := sdk.AsMessagePart[sdk.ToolCallPart](part); ok {
		return strata.ToolCall{ID: p.ToolCallID, Name: p.ToolName, Input: p.Input, ProviderExecuted: p.ProviderExecuted, ProviderData: data}, nil
	}
	if p, ok := sdk.AsMessagePart[sdk.ToolResultPart](part); ok {
		return resultOf(sdk.ToolResultContent{
			ToolCallID: p.ToolCallID, ToolName: names[p.ToolCallID], Result: p.Output,
			ProviderExecuted: p.ProviderExecuted, ClientMetadata: p.ClientMetadata,
		}, data)
	}
	return strata.Raw{Value: part}, nil
}

// fileOf returns a file, or an image where that is all it is.
func fileOf(mediaType, filename string, data []byte, pd strata.ProviderData) strata.Content {
	if filename == "" && strings.HasPrefix(mediaType, "image/") {
		return strata.Image{MediaType: mediaType, Data: data, ProviderData: pd}
	}
	return strata.File{MediaType: mediaType, Filename: filename, Data: data, ProviderData: pd}
}

// resultOf returns the result of a tool.
func resultOf(r sdk.ToolResultContent, data strata.ProviderData) (strata.ToolResult, error) {
	to := strata.ToolResult{ID: r.ToolCallID, Name: r.ToolName, ProviderExecuted: r.ProviderExecuted, ProviderData: data}
	if r.ClientMetadata != "" {
		to.ProviderData = with(to.ProviderData, clientMetadataKey, r.ClientMetadata)
	}
	if r.StopTurn {
		to.ProviderData = with(to.ProviderData, stopTurnKey, true)
	}
	if t, ok := sdk.AsToolResultOutputType[sdk.ToolResultOutputContentText](r.Result); ok {
		to.Output = t.Text
	}
	if e, ok := sdk.AsToolResultOutputType[sdk.ToolResultOutputContentError](r.Result); ok {
		to.IsError = true
		if e.Error != nil {
			to.Output = e.Error.Error()
		}
	}
	if m, ok := sdk.AsToolResultOutputType[sdk.ToolResultOutputContentMedia](r.Result); ok {
		bytes, err := base64.StdEncoding.DecodeString(m.Data)
		if err != nil {
			return to, errors.New("the tool's media are not base64")
		}
		if m.Text != "" {
			to.Content = append(to.Content, strata.Text{Text: m.Text})
		}
		to.Content = append(to.Content, fileOf(m.MediaType, "", bytes, nil))
	}
	return to, nil
}
