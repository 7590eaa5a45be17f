package eino

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/cloudwego/eino/schema"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/stream"
)

// conversation turns eino's messages into a conversation. The results of tools
// that follow each other are one turn.
func conversation(messages []*schema.Message) ([]strata.Message, error) {
	var list []strata.Message
	for i, m := range messages {
		if m == nil {
			return nil, fmt.Errorf("messages[%d] is nil", i)
		}
		msg := strata.Message{Role: strata.Role(m.Role)}
		var err error
		switch m.Role {
		case schema.System:
			msg.Content = systemTexts(m)
			if len(m.UserInputMultiContent)+len(m.MultiContent) > 0 {
				msg.Content, err = inputs(m)
			}
		case schema.User:
			msg.Content, err = inputs(m)
		case schema.Assistant:
			msg.Content, err = contentsOf(m)
		case schema.Tool:
			var r strata.ToolResult
			r, err = toolResult(m)
			if begins, _ := carried(m.Extra)["begins"].(bool); len(list) > 0 && list[len(list)-1].Role == strata.RoleTool && !begins && err == nil {
				last := &list[len(list)-1]
				last.Content = append(last.Content, r)
				continue
			}
			msg.Content = []strata.Content{r}
		default:
			err = fmt.Errorf("unknown role %q", m.Role)
		}
		if err != nil {
			return nil, fmt.Errorf("messages[%d]: %w", i, err)
		}
		msg.ProviderOptions = options(m)
		list = append(list, msg)
	}
	return list, nil
}

// options are what a message has besides its content.
func options(m *schema.Message) strata.ProviderData {
	var data strata.ProviderData
	fill(reflect.ValueOf(&data).Elem(), carried(m.Extra)["options"])
	if len(data) == 0 {
		data = nil
	}
	if m.Role != schema.Tool { // there the Extra is the result's
		data = with(data.Clone(), DataKey, own(m.Extra))
	}
	if m.Name != "" {
		data = with(data, MessageKey, map[string]any{"name": m.Name})
	}
	return data
}

// systemTexts are the texts of a system message, cut as its Extra says if that
// fits.
func systemTexts(m *schema.Message) []strata.Content {
	entries, _ := carried(m.Extra)["texts"].([]any)
	rest := m.Content
	var contents []strata.Content
	for i, e := range entries {
		entry, _ := e.(map[string]any)
		n := number(entry["n"])
		if i > 0 {
			var ok bool
			if rest, ok = strings.CutPrefix(rest, between); !ok {
				return []strata.Content{strata.Text{Text: m.Content}}
			}
		}
		if n < 0 || n > len(rest) {
			return []strata.Content{strata.Text{Text: m.Content}}
		}
		contents = append(contents, strata.Text{Text: rest[:n], ProviderData: dataFrom(entry)})
		rest = rest[n:]
	}
	if rest != "" || entries == nil {
		return []strata.Content{strata.Text{Text: m.Content}}
	}
	return contents
}

// inputs are the contents of a user's message. Parts stand in place of Content.
func inputs(m *schema.Message) ([]strata.Content, error) {
	var parts []part
	for _, p := range m.UserInputMultiContent {
		parts = append(parts, fromInput(p))
	}
	for _, p := range m.MultiContent {
		parts = append(parts, fromOlder(p))
	}
	if parts == nil && (m.Content != "" || m.Role == schema.User) {
		return []strata.Content{strata.Text{Text: m.Content}}, nil
	}
	var contents []strata.Content
	for i, p := range parts {
		c, err := p.content(false)
		if err != nil {
			return nil, fmt.Errorf("part %d: %w", i, err)
		}
		contents = append(contents, c)
	}
	return contents, nil
}

// contentsOf are the contents of a message of the model's.
func contentsOf(m *schema.Message) ([]strata.Content, error) {
	var c stream.Collector
	r := &reader{whole: true, yield: func(p strata.Part, _ error) bool {
		c.Add(p)
		return true
	}}
	message := *m
	message.Extra, message.Name, message.ResponseMeta = withCarried(nil, carried(m.Extra)), "", nil
	if err := r.read(&message); err != nil {
		return nil, err
	}
	r.endContent(strata.FinishToolCalls)
	return c.Response().Content, nil
}

func toolResult(m *schema.Message) (strata.ToolResult, error) {
	var r strata.ToolResult
	fill(reflect.ValueOf(&r).Elem(), carried(m.Extra)["result"])
	r.ID, r.Name = m.ToolCallID, m.ToolName
	r.ProviderData = with(r.ProviderData.Clone(), DataKey, own(m.Extra))
	if len(m.UserInputMultiContent)+len(m.MultiContent) == 0 {
		if text, only := onlyText(r.Content); len(r.Content) == 0 || !only || text != m.Content { // or the program changed it
			r.Output, r.Content = m.Content, nil
		}
		return r, nil
	}
	var err error
	r.Content, err = inputs(m)
	return r, err
}
