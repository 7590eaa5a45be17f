package telemetry

import (
	"encoding/json"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"

	"github.com/strata-go/strata"
)

// A message is one of the conventions' messages.
type message struct {
	Role   strata.Role         `json:"role"`
	Parts  []*piece            `json:"parts"`
	Finish strata.FinishReason `json:"finish_reason,omitempty"`
}

// A piece is a part of a message, in the form of its type.
type piece struct {
	Type      string `json:"type"`
	Content   string `json:"content,omitempty"`
	ID        string `json:"id,omitempty"`
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments,omitempty"`
	Response  string `json:"response,omitempty"`

	text strings.Builder // what Content will be
}

// transcript is what is written down of a message, within a bound.
type transcript struct {
	pieces []*piece
	left   int // bytes
}

// take returns as much of s as there is room for.
func (t *transcript) take(s string) string {
	if len(s) > t.left {
		s = strings.ToValidUTF8(s[:t.left], "")
		t.left = 0
		return s
	}
	t.left -= len(s)
	return s
}

// addText writes text down, which goes on with the last piece if that is of its
// type.
func (t *transcript) addText(kind, text string) {
	if text == "" || t.left == 0 {
		return
	}
	if n := len(t.pieces); n == 0 || t.pieces[n-1].Type != kind {
		t.add(piece{Type: kind})
	}
	t.pieces[len(t.pieces)-1].text.WriteString(t.take(text))
}

// add writes a piece down, if there is room.
func (t *transcript) add(p piece) {
	if t.left == 0 {
		return
	}
	t.pieces = append(t.pieces, &piece{Type: p.Type, ID: t.take(p.ID), Name: t.take(p.Name), Arguments: t.take(p.Arguments), Response: t.take(p.Response)})
}

func (t *transcript) addContents(contents []strata.Content) {
	for _, content := range contents {
		switch c := content.(type) {
		case strata.Text:
			t.addText("text", c.Text)
		case strata.Reasoning:
			t.addText("reasoning", c.Text)
		case strata.ToolCall:
			t.add(piece{Type: "tool_call", ID: c.ID, Name: c.Name, Arguments: c.Input})
		case strata.ToolResult:
			t.add(piece{Type: "tool_call_response", ID: c.ID, Response: c.Output})
		case strata.File, strata.Image:
			t.add(piece{Type: "file"})
		}
	}
}

func (t *transcript) addPart(part strata.Part) {
	switch p := part.(type) {
	case strata.TextDelta:
		t.addText("text", p.Text)
	case strata.ReasoningDelta:
		t.addText("reasoning", p.Text)
	case strata.ToolCall:
		t.addContents([]strata.Content{p})
	case strata.ToolResult:
		t.addContents([]strata.Content{p})
	case strata.File:
		t.addContents([]strata.Content{p})
	}
}

// cut returns what was written down since the last cut.
func (t *transcript) cut() []*piece {
	pieces := t.pieces
	t.pieces = nil
	for _, p := range pieces {
		p.Content = p.text.String()
	}
	return pieces
}

func (c *call) recordPrompt(req *strata.Request) {
	if req == nil {
		return
	}
	t := transcript{left: c.content}
	var messages []message
	for _, m := range req.Messages {
		t.addContents(m.Content)
		if pieces := t.cut(); len(pieces) > 0 {
			messages = append(messages, message{Role: m.Role, Parts: pieces})
		}
	}
	if len(messages) > 0 {
		c.recordMessages(semconv.GenAIInputMessagesKey, messages)
	}
}

func (c *call) recordAnswer(reason strata.FinishReason) {
	if pieces := c.answer.cut(); len(pieces) > 0 {
		c.recordMessages(semconv.GenAIOutputMessagesKey, []message{{strata.RoleAssistant, pieces, reason}})
	}
}

func (c *call) recordMessages(key attribute.Key, messages []message) {
	if text, err := json.Marshal(messages); err == nil { // strings always can be
		c.span.SetAttributes(key.String(string(text)))
	}
}
