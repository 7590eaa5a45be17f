package eino

import (
	"maps"
	"reflect"
	"strconv"

	"github.com/cloudwego/eino/schema"

	"github.com/strata-go/strata"
)

// reader makes the parts of an answer of eino's messages: its chunks, or the
// whole one.
type reader struct {
	id    strata.ModelID
	yield func(strata.Part, error) bool

	warnings []strata.Warning
	started  bool // StreamStart was handed on
	stopped  bool // the end was handed on, or nobody reads any more
	whole    bool // the answer is one message

	block  string // what the open block holds, as its entry says; empty: none is open
	length int    // of the open block
	blocks int
	tools  tools
	calls  map[string]map[string]any // the entries of calls, by ID

	given  bool // there was content, or something was said of the answer
	reason string
	usage  strata.Usage
	finish *strata.Finish // as the log has it
	extras []*schema.Message
	name   string
}

func (r *reader) emit(p strata.Part) {
	if !r.started {
		r.started = true
		r.emit(strata.StreamStart{Warnings: r.warnings})
	}
	if !r.stopped {
		r.stopped = !r.yield(p, nil)
	}
}

func (r *reader) stop(err error) {
	if !r.stopped {
		r.stopped = true
		r.yield(nil, err)
	}
}

// read takes a chunk, or the whole message: what its log says and, in the places
// that the log says, what stands in its fields.
func (r *reader) read(m *schema.Message) error {
	rest := *m // what is not yet taken
	log := entries(m.Extra)
	edited := r.edited(&rest, log)
	for _, e := range log {
		if err := r.entry(e, &rest, edited); err != nil {
			return err
		}
	}
	if extra := maps.Clone(own(m.Extra)); extra != nil {
		maps.DeleteFunc(extra, func(_ string, v any) bool { return v == nil }) // ConcatMessages cannot join those
		r.extras = append(r.extras, &schema.Message{Extra: extra})
	}
	if m.Name != "" {
		r.name = m.Name
	}
	if err := r.fields(&rest); err != nil {
		return err
	}
	r.meta(m.ResponseMeta)
	return nil
}

// edited says of what kinds the log of a whole message has another length than
// its fields: the program changed them. Then the fields are the truth, and a
// signature for what they once held would be wrong.
func (r *reader) edited(m *schema.Message, log []map[string]any) map[string]bool {
	if !r.whole {
		return nil
	}
	sums := map[string]int{}
	for _, e := range log {
		kind, _ := e["type"].(string)
		sums[kind] += number(e["n"])
	}
	return map[string]bool{
		"text":      sums["text"] != len(m.Content),
		"reasoning": sums["reasoning"] != len(m.ReasoningContent),
	}
}

// entry follows an entry of the log, which may take something of rest.
func (r *reader) entry(e map[string]any, rest *schema.Message, edited map[string]bool) error {
	kind, _ := e["type"].(string)
	switch kind {
	case "start":
		var start strata.StreamStart
		fill(reflect.ValueOf(&start).Elem(), e)
		r.warnings = append(r.warnings, start.Warnings...)
	case "metadata":
		var meta strata.ResponseMetadata
		fill(reflect.ValueOf(&meta).Elem(), e)
		r.emit(meta)
	case "text":
		r.blockEntry(e, kind, &rest.Content, edited[kind])
	case "reasoning":
		r.blockEntry(e, kind, &rest.ReasoningContent, edited[kind])
	case "part":
		if len(rest.AssistantGenMultiContent) > 0 {
			p := rest.AssistantGenMultiContent[0]
			rest.AssistantGenMultiContent = rest.AssistantGenMultiContent[1:]
			return r.media(fromOutput(p))
		}
	case "call", "input":
		r.callEntry(e, rest)
	case "finish":
		var f strata.Finish
		fill(reflect.ValueOf(&f).Elem(), e)
		r.finish = &f
	default:
		r.content(contentFrom(e))
	}
	return nil
}

// blockEntry ends a block with as much of text as the entry says that it has.
func (r *reader) blockEntry(e map[string]any, kind string, text *string, edited bool) {
	data := dataFrom(e)
	n := number(e["n"])
	if r.block == kind {
		n -= r.length
	}
	if edited || n < 0 || n > len(*text) {
		r.delta(kind, *text)
		*text = ""
		return
	}
	r.delta(kind, (*text)[:n])
	*text = (*text)[n:]
	if r.block != kind && data != nil { // one that has nothing but data
		r.open(kind)
	}
	if r.block == kind {
		r.close(data)
	}
}

// callEntry says that a call is whole, or that it never was, and what eino has no
// field for. The call is in rest or was before, unless eino saw nothing of it: one
// that the provider ran, and half a one.
func (r *reader) callEntry(e map[string]any, rest *schema.Message) {
	id, _ := e["ID"].(string)
	t := r.pieces(id, rest)
	switch c := contentFrom(e).(type) {
	case strata.ToolInput:
		if t == nil {
			r.content(c)
			return
		}
		t.done = true
		r.emit(strata.ToolInputDelta{ID: id, ProviderData: c.ProviderData})
	case strata.ToolCall:
		if r.calls == nil {
			r.calls = map[string]map[string]any{}
		}
		r.calls[id] = e
		switch {
		case t != nil:
			r.call(t, nil)
		case c.ProviderExecuted:
			r.content(c)
		}
	}
}

// pieces takes the pieces of a call out of rest and returns the call, if there
// was ever one.
func (r *reader) pieces(id string, rest *schema.Message) *tool {
	var others []schema.ToolCall
	for _, c := range rest.ToolCalls {
		if t := r.tools.find(c); c.ID == id || t != nil && t.id == id {
			r.toolPiece(c)
		} else {
			others = append(others, c)
		}
	}
	rest.ToolCalls = others
	return r.tools.byID(id)
}

// content hands on a piece that stands in the log whole.
func (r *reader) content(c strata.Content) {
	switch c := c.(type) {
	case nil:
		return
	case strata.ToolInput:
		r.close(nil)
		r.emit(strata.ToolInputStart{ID: c.ID, Name: c.Name, ProviderData: c.ProviderData})
		if c.Input != "" {
			r.emit(strata.ToolInputDelta{ID: c.ID, Delta: c.Input})
		}
	case strata.ToolCall:
		r.close(nil)
		r.emit(strata.ToolInputStart{ID: c.ID, Name: c.Name})
		r.emit(strata.ToolInputDelta{ID: c.ID, Delta: c.Input})
		r.emit(strata.ToolInputEnd{ID: c.ID})
		r.emit(c)
	case strata.Raw:
		r.close(nil)
		if p, ok := c.Value.(strata.Part); ok { // of a type of someone else's
			r.emit(p)
		} else {
			r.emit(c)
		}
	case strata.Part:
		r.close(nil)
		r.emit(c)
	}
	r.given = true
}

// fields hands on what stands in the fields of m, in the order of eino's own.
func (r *reader) fields(m *schema.Message) error {
	r.delta("reasoning", m.ReasoningContent)
	parts := make([]part, 0, len(m.AssistantGenMultiContent)+len(m.MultiContent))
	spoken := ""
	for _, p := range m.AssistantGenMultiContent {
		parts = append(parts, fromOutput(p))
	}
	for _, p := range m.MultiContent {
		parts = append(parts, fromOlder(p))
	}
	for _, p := range parts {
		spoken += p.text
	}
	if m.Content != spoken { // some models say it in both places
		r.delta("text", m.Content)
	}
	for _, p := range parts {
		if err := r.media(p); err != nil {
			return err
		}
	}
	for _, c := range m.ToolCalls {
		r.toolPiece(c)
	}
	return nil
}

// media hands on a part of a message.
func (r *reader) media(p part) error {
	c, err := p.content(true)
	if err != nil {
		return err
	}
	switch c := c.(type) {
	case strata.Text:
		if c.ProviderData == nil {
			r.delta("text", c.Text)
			return nil
		}
		r.close(nil)
		r.delta("text", c.Text)
		if r.block == "" {
			r.open("text")
		}
		r.close(c.ProviderData)
	case strata.File:
		r.close(nil)
		r.emit(c)
		r.given = true
	}
	return nil
}

func (r *reader) delta(kind, text string) {
	if text == "" {
		return
	}
	if r.block != kind {
		r.open(kind)
	}
	r.given = true
	r.length += len(text)
	if kind == "reasoning" {
		r.emit(strata.ReasoningDelta{ID: r.blockID(), Text: text})
	} else {
		r.emit(strata.TextDelta{ID: r.blockID(), Text: text})
	}
}

func (r *reader) blockID() string { return strconv.Itoa(r.blocks) }

func (r *reader) open(kind string) {
	r.close(nil)
	r.block, r.length = kind, 0
	r.blocks++
	if kind == "reasoning" {
		r.emit(strata.ReasoningStart{ID: r.blockID()})
	} else {
		r.emit(strata.TextStart{ID: r.blockID()})
	}
}

// close closes the open block, if one is.
func (r *reader) close(data strata.ProviderData) {
	switch r.block {
	case "reasoning":
		r.emit(strata.ReasoningEnd{ID: r.blockID(), ProviderData: data})
	case "text":
		r.emit(strata.TextEnd{ID: r.blockID(), ProviderData: data})
	}
	r.block = ""
}
