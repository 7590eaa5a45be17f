package openai

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/dataurl"
	"github.com/strata-go/strata/internal/exchange"
)

// What a content may lack.
var (
	errNoImageData = errors.New("the image has neither data nor a URL")
	errNoFileData  = errors.New("the file has neither data nor a URL nor an ID")
)

func isImage(mediaType string) bool { return strings.HasPrefix(mediaType, "image/") }

func setOpt[T comparable](p *param.Opt[T], v *T) {
	if v != nil {
		*p = param.NewOpt(*v)
	}
}

// messages turns a conversation into the wire's messages. It is never nil: the
// server is to say what it thinks of an empty one.
func (m *Model) messages(messages []strata.Message) ([]sdk.ChatCompletionMessageParamUnion, error) {
	params := []sdk.ChatCompletionMessageParamUnion{}
	for i, msg := range messages {
		var ps []sdk.ChatCompletionMessageParamUnion
		var err error
		switch msg.Role {
		case strata.RoleSystem:
			ps, err = m.system(i, msg)
		case strata.RoleUser:
			ps, err = m.user(i, msg)
		case strata.RoleAssistant:
			ps, err = m.assistant(i, msg)
		case strata.RoleTool:
			ps, err = m.toolResults(i, msg)
		default:
			err = exchange.Invalid(m.id, "messages[%d]: unknown role %q", i, msg.Role)
		}
		if err != nil {
			return nil, err
		}
		params = append(params, ps...)
	}
	return params, nil
}

func (m *Model) system(i int, msg strata.Message) ([]sdk.ChatCompletionMessageParamUnion, error) {
	texts, err := m.texts(fmt.Sprintf("messages[%d].content", i), "a system message", msg.Content)
	if err != nil {
		return nil, err
	}
	p := &sdk.ChatCompletionSystemMessageParam{}
	if s, ok := plain(texts); ok {
		p.Content.OfString = sdk.String(s)
	} else {
		p.Content.OfArrayOfContentParts = texts
	}
	m.extend(p, msg.ProviderOptions)
	return []sdk.ChatCompletionMessageParamUnion{{OfSystem: p}}, nil
}

func (m *Model) user(i int, msg strata.Message) ([]sdk.ChatCompletionMessageParamUnion, error) {
	p := &sdk.ChatCompletionUserMessageParam{}
	parts := []sdk.ChatCompletionContentPartUnionParam{}
	for j, c := range msg.Content {
		var part sdk.ChatCompletionContentPartUnionParam
		var err error
		switch c := c.(type) {
		case strata.Text:
			part.OfText = m.text(c)
		case strata.Image:
			part, err = m.image(c)
		case strata.File:
			part, err = m.file(c)
		default:
			err = fmt.Errorf("a user message cannot hold %T", c)
		}
		if err != nil {
			return nil, exchange.Invalid(m.id, "messages[%d].content[%d]: %v", i, j, err)
		}
		parts = append(parts, part)
	}
	if len(parts) == 1 && parts[0].OfText != nil && len(parts[0].OfText.ExtraFields()) == 0 {
		p.Content.OfString = sdk.String(parts[0].OfText.Text)
	} else {
		p.Content.OfArrayOfContentParts = parts
	}
	m.extend(p, msg.ProviderOptions)
	return []sdk.ChatCompletionMessageParamUnion{{OfUser: p}}, nil
}

func (m *Model) assistant(i int, msg strata.Message) ([]sdk.ChatCompletionMessageParamUnion, error) {
	p := &sdk.ChatCompletionAssistantMessageParam{}
	var text strings.Builder
	var thoughts reasoning
	for j, c := range msg.Content {
		switch c := c.(type) {
		case nil:
			return nil, exchange.Invalid(m.id, "messages[%d].content[%d]: the content is nil", i, j)
		case strata.Text:
			text.WriteString(c.Text)
		case strata.Reasoning:
			thoughts.join(c, m.id.Provider)
		case strata.ToolCall:
			if c.ProviderExecuted {
				continue
			}
			call := &sdk.ChatCompletionMessageFunctionToolCallParam{ID: c.ID}
			call.Function.Name, call.Function.Arguments = c.Name, c.Input
			if c.Input == "" {
				call.Function.Arguments = noInput
			}
			m.extend(call, c.ProviderData)
			p.ToolCalls = append(p.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{OfFunction: call})
		}
	}
	if text.Len() > 0 || p.ToolCalls == nil {
		p.Content.OfString = sdk.String(text.String())
	}
	m.extend(p, strata.ProviderData{m.id.Provider: thoughts.fields()}, msg.ProviderOptions)
	return []sdk.ChatCompletionMessageParamUnion{{OfAssistant: p}}, nil
}

func (m *Model) toolResults(i int, msg strata.Message) ([]sdk.ChatCompletionMessageParamUnion, error) {
	var params []sdk.ChatCompletionMessageParamUnion
	for j, c := range msg.Content {
		place := fmt.Sprintf("messages[%d].content[%d]", i, j)
		r, ok := c.(strata.ToolResult)
		if !ok {
			return nil, exchange.Invalid(m.id, "%s: a tool message cannot hold %T", place, c)
		}
		p := &sdk.ChatCompletionToolMessageParam{ToolCallID: r.ID}
		if len(r.Content) > 0 {
			texts, err := m.texts(place+".content", "a tool result", r.Content)
			if err != nil {
				return nil, err
			}
			p.Content.OfArrayOfContentParts = texts
		} else {
			p.Content.OfString = sdk.String(r.Output)
		}
		m.extend(p, msg.ProviderOptions, r.ProviderData)
		params = append(params, sdk.ChatCompletionMessageParamUnion{OfTool: p})
	}
	return params, nil
}

// texts are contents of which all must be text.
func (m *Model) texts(place, holder string, contents []strata.Content) ([]sdk.ChatCompletionContentPartTextParam, error) {
	parts := []sdk.ChatCompletionContentPartTextParam{}
	for j, c := range contents {
		t, ok := c.(strata.Text)
		if !ok {
			return nil, exchange.Invalid(m.id, "%s[%d]: %s cannot hold %T", place, j, holder, c)
		}
		parts = append(parts, *m.text(t))
	}
	return parts, nil
}

// plain returns the text of parts that need no array; every server knows that form.
func plain(parts []sdk.ChatCompletionContentPartTextParam) (string, bool) {
	switch {
	case len(parts) == 0:
		return "", true
	case len(parts) == 1 && len(parts[0].ExtraFields()) == 0:
		return parts[0].Text, true
	}
	return "", false
}

func (m *Model) text(t strata.Text) *sdk.ChatCompletionContentPartTextParam {
	p := &sdk.ChatCompletionContentPartTextParam{Text: t.Text}
	m.extend(p, t.ProviderData)
	return p
}

func (m *Model) image(c strata.Image) (sdk.ChatCompletionContentPartUnionParam, error) {
	p := &sdk.ChatCompletionContentPartImageParam{}
	p.ImageURL.URL, p.ImageURL.Detail = c.URL, c.Detail
	switch {
	case len(c.Data) > 0:
		p.ImageURL.URL = dataurl.Format(c.MediaType, c.Data)
	case c.URL == "":
		return sdk.ChatCompletionContentPartUnionParam{}, errNoImageData
	}
	m.extend(p, c.ProviderData)
	return sdk.ChatCompletionContentPartUnionParam{OfImageURL: p}, nil
}

// audioFormats are the media types that the wire takes as audio.
var audioFormats = map[string]string{
	"audio/wav": "wav", "audio/x-wav": "wav", "audio/wave": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3",
}

func (m *Model) file(c strata.File) (sdk.ChatCompletionContentPartUnionParam, error) {
	var u sdk.ChatCompletionContentPartUnionParam
	if format := audioFormats[c.MediaType]; format != "" && len(c.Data) > 0 {
		u.OfInputAudio = &sdk.ChatCompletionContentPartInputAudioParam{}
		u.OfInputAudio.InputAudio.Data = base64.StdEncoding.EncodeToString(c.Data)
		u.OfInputAudio.InputAudio.Format = format
		m.extend(u.OfInputAudio, c.ProviderData)
		return u, nil
	}
	if isImage(c.MediaType) && c.FileID == "" {
		return m.image(strata.Image{MediaType: c.MediaType, Data: c.Data, URL: c.URL, ProviderData: c.ProviderData})
	}
	p := &sdk.ChatCompletionContentPartFileParam{}
	switch {
	case c.FileID != "":
		p.File.FileID = sdk.String(c.FileID)
	case len(c.Data) > 0:
		p.File.FileData = sdk.String(dataurl.Format(c.MediaType, c.Data))
		p.File.Filename = sdk.String(filename(c))
	case c.URL != "":
		// OpenRouter takes an address here; OpenAI says that it does not.
		p.File.FileData = sdk.String(c.URL)
		p.File.Filename = sdk.String(filename(c))
	default:
		return u, errNoFileData
	}
	m.extend(p, c.ProviderData)
	u.OfFile = p
	return u, nil
}

// filename is the file's name, which the wire requires.
func filename(c strata.File) string {
	if c.Filename != "" {
		return c.Filename
	}
	if c.MediaType == "application/pdf" || c.MediaType == "" {
		return "file.pdf"
	}
	return "file"
}
