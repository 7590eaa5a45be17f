package eino

import (
	"maps"
	"reflect"
	"strings"

	"github.com/cloudwego/eino/schema"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// between stands between the texts of a system message, which eino has one of.
const between = "\n\n"

// history turns a conversation into eino's messages.
func (m *Model) history(messages []strata.Message) ([]*schema.Message, error) {
	var list []*schema.Message
	for i, msg := range messages {
		var ms []*schema.Message
		var err error
		switch msg.Role {
		case strata.RoleSystem:
			ms, err = m.system(i, msg)
		case strata.RoleUser:
			ms, err = m.user(i, msg)
		case strata.RoleAssistant:
			ms, err = m.assistant(i, msg)
		case strata.RoleTool:
			ms, err = m.toolResults(i, msg)
			if len(ms) > 0 && len(list) > 0 && list[len(list)-1].Role == schema.Tool {
				say(ms[0], "begins", true)
			}
		default:
			err = exchange.Invalid(m.id, "messages[%d]: unknown role %q", i, msg.Role)
		}
		if err != nil {
			return nil, err
		}
		if len(ms) > 0 {
			addOptions(ms[0], msg.ProviderOptions)
		}
		list = append(list, ms...)
	}
	return list, nil
}

// say puts something of a message that eino has no field for under the ExtraKey.
func say(msg *schema.Message, key string, value any) {
	rest := maps.Clone(carried(msg.Extra))
	if rest == nil {
		rest = map[string]any{}
	}
	rest[key] = value
	msg.Extra = withCarried(msg.Extra, rest)
}

// addOptions adds the options of a message: its Extra and its name, and those of
// other providers.
func addOptions(msg *schema.Message, options strata.ProviderData) {
	if fields := options[DataKey]; len(fields) > 0 {
		if msg.Extra == nil {
			msg.Extra = map[string]any{}
		}
		maps.Copy(msg.Extra, fields)
	}
	if name, ok := options[MessageKey]["name"].(string); ok {
		msg.Name = name
	}
	if others := foreign(options); others != nil {
		say(msg, "options", plainData(others))
	}
}

func plainData(data strata.ProviderData) any { return plainValue(reflect.ValueOf(data)) }

// system is a system message: its texts joined, as eino has no parts for one.
func (m *Model) system(i int, msg strata.Message) ([]*schema.Message, error) {
	var texts []string
	var contents []any
	for j, c := range msg.Content {
		t, ok := c.(strata.Text)
		if !ok {
			return nil, exchange.Invalid(m.id, "messages[%d].content[%d]: a system message cannot hold %T", i, j, c)
		}
		texts = append(texts, t.Text)
		entry := plain(strata.Text{ProviderData: t.ProviderData})
		entry["n"] = len(t.Text)
		contents = append(contents, entry)
	}
	s := &schema.Message{Role: schema.System, Content: strings.Join(texts, between)}
	if !reflect.DeepEqual(msg.Content, systemTexts(s)) {
		say(s, "texts", contents)
	}
	return []*schema.Message{s}, nil
}

func (m *Model) user(i int, msg strata.Message) ([]*schema.Message, error) {
	u := &schema.Message{Role: schema.User}
	if len(msg.Content) == 1 {
		if t, ok := msg.Content[0].(strata.Text); ok && t.ProviderData == nil {
			u.Content = t.Text
			return []*schema.Message{u}, nil
		}
	}
	for j, c := range msg.Content {
		p, ok := partOf(c, false)
		if !ok {
			return nil, exchange.Invalid(m.id, "messages[%d].content[%d]: a user message cannot hold %T", i, j, c)
		}
		u.UserInputMultiContent = append(u.UserInputMultiContent, p.input())
	}
	return []*schema.Message{u}, nil
}

// assistant is a message of the model's. Where media is in it, its text stands
// among the media, for eino's models then read the parts alone.
func (m *Model) assistant(i int, msg strata.Message) ([]*schema.Message, error) {
	w := newWriter()
	for j, c := range msg.Content {
		switch c := c.(type) {
		case nil:
			return nil, exchange.Invalid(m.id, "messages[%d].content[%d]: the content is nil", i, j)
		case strata.Image:
			w.textParts = true
		case strata.File:
			p, _ := partOf(c, true)
			_, ok := p.output()
			w.textParts = w.textParts || ok
		case strata.Text:
			w.textParts = w.textParts || c.ProviderData[PartKey] != nil
		}
	}
	w.contents(msg.Content)
	if log := carried(w.msg.Extra); log != nil { // only where it says more than the fields do
		bare := *w.msg
		bare.Extra = own(w.msg.Extra)
		logged, err := contentsOf(w.msg)
		if unlogged, err2 := contentsOf(&bare); err == nil && err2 == nil && reflect.DeepEqual(logged, unlogged) {
			w.msg.Extra = bare.Extra
		}
	}
	return []*schema.Message{w.msg}, nil
}

// toolResults are the results of tool calls, a message each.
func (m *Model) toolResults(i int, msg strata.Message) ([]*schema.Message, error) {
	var list []*schema.Message
	for j, c := range msg.Content {
		r, ok := c.(strata.ToolResult)
		if !ok {
			return nil, exchange.Invalid(m.id, "messages[%d].content[%d]: a tool message cannot hold %T", i, j, c)
		}
		t := &schema.Message{Role: schema.Tool, ToolCallID: r.ID, ToolName: r.Name}
		for k, c := range r.Content {
			p, ok := partOf(c, false)
			if !ok {
				return nil, exchange.Invalid(m.id, "messages[%d].content[%d].content[%d]: a tool result cannot hold %T", i, j, k, c)
			}
			t.UserInputMultiContent = append(t.UserInputMultiContent, p.input())
		}
		t.Extra = maps.Clone(r.ProviderData[DataKey])
		rest := strata.ToolResult{IsError: r.IsError, ProviderExecuted: r.ProviderExecuted, ProviderData: foreign(r.ProviderData)}
		switch text, only := onlyText(r.Content); {
		case len(r.Content) == 0:
			t.Content = r.Output
		case only: // some models read no parts of a tool's message
			t.Content, t.UserInputMultiContent = text, nil
			rest.Output, rest.Content = r.Output, r.Content
		default:
			rest.Output = r.Output
		}
		if fields := plain(rest); len(fields) > 0 {
			say(t, "result", fields)
		}
		list = append(list, t)
	}
	return list, nil
}

// onlyText is the text of contents that are nothing else.
func onlyText(contents []strata.Content) (string, bool) {
	var texts []string
	for _, c := range contents {
		t, ok := c.(strata.Text)
		if !ok {
			return "", false
		}
		texts = append(texts, t.Text)
	}
	return strings.Join(texts, "\n"), true
}
