package anthropic

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// side is whose turn a message of the wire is.
type side int

const (
	user side = iota
	assistant
)

// turn is a message of the wire.
type turn struct {
	side   side
	blocks []sdk.ContentBlockParamUnion
}

// messages turns a conversation into the wire's system blocks and messages. The
// latter are never nil: the server is to say what it thinks of none.
func (e *encoder) messages(messages []strata.Message) (system []sdk.TextBlockParam, params []sdk.MessageParam, err error) {
	var turns []turn
	for i, msg := range messages {
		t := turn{side: user}
		switch msg.Role {
		case strata.RoleSystem:
			texts, err := e.system(i, msg)
			if err != nil {
				return nil, nil, err
			}
			system = append(system, texts...)
			continue
		case strata.RoleUser:
			t.blocks, err = e.blocks(i, msg, e.userBlock)
		case strata.RoleTool:
			t.blocks, err = e.blocks(i, msg, e.toolResult)
		case strata.RoleAssistant:
			t.side = assistant
			t.blocks, err = e.blocks(i, msg, e.assistantBlock)
		default:
			err = exchange.Invalid(e.id, "messages[%d]: unknown role %q", i, msg.Role)
		}
		if err != nil {
			return nil, nil, err
		}
		turns = join(turns, t)
	}
	params = []sdk.MessageParam{}
	for _, t := range turns {
		if t.side == assistant {
			params = append(params, sdk.NewAssistantMessage(t.blocks...))
		} else {
			params = append(params, sdk.NewUserMessage(t.blocks...))
		}
	}
	return system, params, nil
}

// join adds a turn, to the last one if it is of the same side: the results of one
// answer's calls must stand together in the message behind it. An answer of which
// nothing can be sent back is no turn.
func join(turns []turn, t turn) []turn {
	if last := len(turns) - 1; last >= 0 && turns[last].side == t.side {
		turns[last].blocks = append(turns[last].blocks, t.blocks...)
		return turns
	}
	if t.side == assistant && len(t.blocks) == 0 {
		return turns
	}
	return append(turns, t)
}

func (e *encoder) system(i int, msg strata.Message) ([]sdk.TextBlockParam, error) {
	blocks, err := e.blocks(i, msg, e.systemBlock)
	var texts []sdk.TextBlockParam
	for _, b := range blocks {
		texts = append(texts, *b.OfText)
	}
	return texts, err
}

// A converter makes the block of a content, with options of its message; nil: the
// content is left out. Its error says what is wrong.
type converter func(c strata.Content, options strata.ProviderData) (*sdk.ContentBlockParamUnion, error)

// blocks converts the contents of a message. The message's options go to the last
// block that takes some; thinking takes none.
func (e *encoder) blocks(i int, msg strata.Message, convert converter) ([]sdk.ContentBlockParamUnion, error) {
	blocks := []sdk.ContentBlockParamUnion{}
	options := msg.ProviderOptions
	for j, c := range slices.Backward(msg.Content) {
		b, err := convert(c, options)
		if err != nil {
			return nil, exchange.Invalid(e.id, "messages[%d].content[%d]%v", i, j, err)
		}
		if b == nil {
			continue
		}
		if _, thinking := c.(strata.Reasoning); !thinking {
			options = nil
		}
		blocks = append(blocks, *b)
	}
	slices.Reverse(blocks)
	return blocks, nil
}

func (e *encoder) systemBlock(c strata.Content, options strata.ProviderData) (*sdk.ContentBlockParamUnion, error) {
	t, ok := c.(strata.Text)
	if !ok {
		return nil, fmt.Errorf(": a system message cannot hold %T", c)
	}
	return e.text(t, options), nil
}

func (e *encoder) userBlock(c strata.Content, options strata.ProviderData) (*sdk.ContentBlockParamUnion, error) {
	var b sdk.ContentBlockParamUnion
	var err error
	switch c := c.(type) {
	case strata.Text:
		return e.text(c, options), nil
	case strata.Image:
		b.OfImage, err = e.image(c, options)
	case strata.File:
		b.OfImage, b.OfDocument, err = e.file(c, options)
	default:
		err = fmt.Errorf(": a user message cannot hold %T", c)
	}
	return &b, err
}

func (e *encoder) toolResult(c strata.Content, options strata.ProviderData) (*sdk.ContentBlockParamUnion, error) {
	r, ok := c.(strata.ToolResult)
	if !ok {
		return nil, fmt.Errorf(": a tool message cannot hold %T", c)
	}
	p := &sdk.ToolResultBlockParam{ToolUseID: r.ID}
	if r.IsError {
		p.IsError = sdk.Bool(true)
	}
	contents := r.Content
	if len(contents) == 0 && r.Output != "" {
		contents = []strata.Content{strata.Text{Text: r.Output}}
	}
	for j, c := range contents {
		var b sdk.ToolResultBlockParamContentUnion
		var err error
		switch c := c.(type) {
		case strata.Text:
			b.OfText = e.textParam(c, nil)
		case strata.Image:
			b.OfImage, err = e.image(c, nil)
		case strata.File:
			b.OfImage, b.OfDocument, err = e.file(c, nil)
		default:
			err = fmt.Errorf(": a tool result cannot hold %T", c)
		}
		if err != nil {
			return nil, fmt.Errorf(".content[%d]%w", j, err)
		}
		p.Content = append(p.Content, b)
	}
	e.extend(p, options, r.ProviderData)
	return &sdk.ContentBlockParamUnion{OfToolResult: p}, nil
}

// assistantBlock is what the wire takes back of an answer.
func (e *encoder) assistantBlock(c strata.Content, options strata.ProviderData) (*sdk.ContentBlockParamUnion, error) {
	switch c := c.(type) {
	case nil:
		return nil, fmt.Errorf(": the content is nil")
	case strata.Text:
		return e.text(c, options), nil
	case strata.Reasoning:
		return e.thinking(c), nil
	case strata.ToolCall:
		return e.toolCall(c, options)
	case strata.ToolResult:
		own := e.own(c.ProviderData)
		if !c.ProviderExecuted || own["type"] == nil {
			return nil, nil // of another provider's tool
		}
		object := map[string]any{"tool_use_id": c.ID}
		if c.Output != "" {
			object["content"] = json.RawMessage(c.Output)
		}
		return e.block(object, options, c.ProviderData), nil
	case strata.Raw:
		if b, ok := c.Value.(sdk.ContentBlockUnion); ok {
			p := b.ToParam()
			return &p, nil
		}
	}
	return nil, nil
}

// text is a block of text. The API takes no empty one.
func (e *encoder) text(t strata.Text, options strata.ProviderData) *sdk.ContentBlockParamUnion {
	if t.Text == "" {
		return nil
	}
	return &sdk.ContentBlockParamUnion{OfText: e.textParam(t, options)}
}

func (e *encoder) textParam(t strata.Text, options strata.ProviderData) *sdk.TextBlockParam {
	p := &sdk.TextBlockParam{Text: t.Text}
	e.extend(p, options, t.ProviderData)
	return p
}

// thinking gives reasoning back to the provider that signed or redacted it.
func (e *encoder) thinking(r strata.Reasoning) *sdk.ContentBlockParamUnion {
	own := e.own(r.ProviderData)
	if data, ok := own["data"].(string); ok {
		return &sdk.ContentBlockParamUnion{OfRedactedThinking: &sdk.RedactedThinkingBlockParam{Data: data}}
	}
	signature, _ := own["signature"].(string)
	if signature == "" {
		return nil
	}
	return &sdk.ContentBlockParamUnion{OfThinking: &sdk.ThinkingBlockParam{Signature: signature, Thinking: r.Text}}
}

func (e *encoder) toolCall(c strata.ToolCall, options strata.ProviderData) (*sdk.ContentBlockParamUnion, error) {
	input := json.RawMessage(c.Input)
	if c.Input == "" {
		input = json.RawMessage(noInput)
	}
	if !json.Valid(input) {
		return nil, fmt.Errorf(": the input of the tool call is not JSON")
	}
	if c.ProviderExecuted {
		if e.own(c.ProviderData)["type"] == nil {
			return nil, nil // another provider's tool
		}
		return e.block(map[string]any{"id": c.ID, "name": c.Name, "input": input}, options, c.ProviderData), nil
	}
	p := &sdk.ToolUseBlockParam{ID: c.ID, Name: c.Name, Input: input}
	e.extend(p, options, c.ProviderData)
	return &sdk.ContentBlockParamUnion{OfToolUse: p}, nil
}

// block is a block of the provider's own, which goes back as it came.
func (e *encoder) block(object map[string]any, data ...strata.ProviderData) *sdk.ContentBlockParamUnion {
	for _, d := range data {
		maps.Copy(object, e.own(d))
	}
	p := param.Override[sdk.ContentBlockParamUnion](object)
	return &p
}

// own are the provider's own fields.
func (e *encoder) own(d strata.ProviderData) map[string]any { return d[e.id.Provider] }

// extend puts the provider's own fields into an object of the wire; later ones win.
func (e *encoder) extend(p interface{ SetExtraFields(map[string]any) }, data ...strata.ProviderData) {
	extra := map[string]any{}
	for _, d := range data {
		maps.Copy(extra, e.own(d))
	}
	if len(extra) > 0 {
		p.SetExtraFields(extra)
	}
}
