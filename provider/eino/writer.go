package eino

import (
	"maps"
	"strconv"
	"strings"

	"github.com/cloudwego/eino/schema"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/stream"
)

// writer makes eino's messages of the parts of an answer: one message of all of
// them, or a chunk whenever take is called.
//
// What eino has fields for stands in those. Beside it every message has a log
// under its [ExtraKey]: an entry for each piece of the answer, by its place,
// which says of text and reasoning how long it is, of calls and media which come
// next, and holds all that eino has no field for. The entries of a chunk come
// before the rest of it. Since no place is used twice, schema.ConcatMessages
// joins the logs of chunks to that of the whole message.
type writer struct {
	chunks    bool // tool calls need an index to be joined by
	live      bool // the input of a tool call is handed on as it comes
	textParts bool // text stands among the media

	msg    *schema.Message
	places int
	calls  int
	block  openBlock
	inputs map[string]*openInput
	order  []string // of the inputs
}

// openBlock is the block of text or reasoning that is being written.
type openBlock struct {
	kind string // of its entry; empty: none is open
	id   string
	text strings.Builder
	data strata.ProviderData
}

// openInput is a tool call whose input has begun.
type openInput struct {
	strata.ToolInput
	place int
	index int // of the call, if its pieces are handed on
}

func newWriter() *writer {
	return &writer{msg: &schema.Message{Role: schema.Assistant}, inputs: map[string]*openInput{}}
}

// take returns the chunk that has gathered, or nil while there is none for eino
// to see: entries wait for company.
func (w *writer) take() *schema.Message {
	m := w.msg
	if m.Content == "" && m.ReasoningContent == "" && m.AssistantGenMultiContent == nil && m.ToolCalls == nil && m.ResponseMeta == nil {
		return nil
	}
	w.msg = &schema.Message{Role: schema.Assistant}
	return m
}

func (w *writer) part(p strata.Part) {
	switch p := p.(type) {
	case strata.StreamStart:
		if len(p.Warnings) > 0 {
			w.entry(w.place(), typed("start", plain(p)))
		}
	case strata.ResponseMetadata:
		w.entry(w.place(), typed("metadata", plain(p)))
	case strata.TextStart:
		w.open("text", p.ID, p.ProviderData)
	case strata.TextDelta:
		w.delta("text", p.ID, p.Text, p.ProviderData)
	case strata.TextEnd:
		w.end("text", p.ID, p.ProviderData)
	case strata.ReasoningStart:
		w.open("reasoning", p.ID, p.ProviderData)
	case strata.ReasoningDelta:
		w.delta("reasoning", p.ID, p.Text, p.ProviderData)
	case strata.ReasoningEnd:
		w.end("reasoning", p.ID, p.ProviderData)
	case strata.ToolInputStart:
		w.inputStart(p)
	case strata.ToolInputDelta:
		w.inputDelta(p.ID, p.Delta, p.ProviderData)
	case strata.ToolInputEnd:
		w.inputDelta(p.ID, "", p.ProviderData)
	case strata.ToolCall:
		w.call(p)
	case strata.File:
		w.file(p)
	case strata.Finish:
		w.finish(p)
	case strata.Raw:
		w.raw(p)
	case strata.Content:
		w.close()
		w.entry(w.place(), plainContent(p))
	default: // of a type of someone else's
		w.close()
		w.entry(w.place(), plainContent(strata.Raw{Value: p}))
	}
}

func typed(name string, entry map[string]any) map[string]any {
	if entry == nil {
		entry = map[string]any{}
	}
	entry["type"] = name
	return entry
}

func (w *writer) place() int {
	w.places++
	return w.places - 1
}

func (w *writer) entry(place int, entry map[string]any) {
	log := carried(w.msg.Extra)
	if log == nil {
		log = map[string]any{}
		w.msg.Extra = withCarried(w.msg.Extra, map[string]any{strconv.Itoa(place): entry})
		return
	}
	log[strconv.Itoa(place)] = entry
}

// data is the provider data for an entry. What the message that an answer of
// eino's came in had besides goes back into the message.
func (w *writer) data(data strata.ProviderData) strata.ProviderData {
	fields, ok := data[MessageKey]
	if !ok {
		return data
	}
	extra, _ := fields["extra"].(map[string]any)
	if w.msg.Extra == nil {
		w.msg.Extra = map[string]any{}
	}
	maps.Copy(w.msg.Extra, extra)
	if name, ok := fields["name"].(string); ok {
		w.msg.Name = name
	}
	return without(data, MessageKey)
}

// without returns data without key.
func without(data strata.ProviderData, key string) strata.ProviderData {
	if _, ok := data[key]; ok {
		data = maps.Clone(data)
		delete(data, key)
	}
	if len(data) == 0 {
		return nil
	}
	return data
}

func (w *writer) open(kind, id string, data strata.ProviderData) {
	w.close()
	w.block = openBlock{kind: kind, id: id, data: data.Clone()}
}

func (w *writer) delta(kind, id, text string, data strata.ProviderData) {
	if w.block.kind != kind || w.block.id != id {
		w.open(kind, id, nil)
	}
	w.block.data = joined(w.block.data, data)
	w.block.text.WriteString(text)
	switch {
	case kind == "reasoning":
		w.msg.ReasoningContent += text
	case !w.textParts:
		w.msg.Content += text
	}
}

func (w *writer) end(kind, id string, data strata.ProviderData) {
	if w.block.kind == kind && w.block.id == id {
		w.block.data = joined(w.block.data, data)
		w.close()
	}
}

// close ends the block that is open, if one is.
func (w *writer) close() {
	b := &w.block
	text := b.text.String()
	data := w.data(b.data)
	switch {
	case b.kind == "" || text == "" && data == nil:
	case b.kind == "text" && w.textParts:
		w.media(strata.Text{Text: text, ProviderData: data})
	default:
		entry := typed(b.kind, plain(strata.Text{ProviderData: data}))
		entry["n"] = len(text)
		w.entry(w.place(), entry)
	}
	w.block = openBlock{}
}

// joined is data with the fields of more; a later field replaces an earlier.
func joined(data, more strata.ProviderData) strata.ProviderData {
	for provider, fields := range more {
		if data == nil {
			data = strata.ProviderData{}
		}
		if data[provider] == nil {
			data[provider] = map[string]any{}
		}
		maps.Copy(data[provider], fields)
	}
	return data
}

func (w *writer) inputStart(p strata.ToolInputStart) {
	w.close()
	in := &openInput{place: w.place()}
	in.ID, in.Name, in.ProviderData = p.ID, p.Name, p.ProviderData.Clone()
	w.inputs[p.ID], w.order = in, append(w.order, p.ID)
	if w.live {
		in.index = w.calls
		w.native(strata.ToolCall{ID: p.ID, Name: p.Name, ProviderData: p.ProviderData})
	}
}

func (w *writer) inputDelta(id, delta string, data strata.ProviderData) {
	in, ok := w.inputs[id]
	if !ok {
		return
	}
	in.Input += delta
	in.ProviderData = joined(in.ProviderData, data)
	if w.live && delta != "" {
		w.piece(in.index, delta)
	}
}

// native hands on a call, whole or its beginning.
func (w *writer) native(c strata.ToolCall) {
	call := schema.ToolCall{
		ID: c.ID, Type: "function", Function: schema.FunctionCall{Name: c.Name, Arguments: c.Input},
		Extra: maps.Clone(c.ProviderData[DataKey]),
	}
	if w.chunks {
		index := w.calls
		call.Index = &index
	}
	w.calls++
	w.msg.ToolCalls = append(w.msg.ToolCalls, call)
}

func (w *writer) piece(index int, delta string) {
	w.msg.ToolCalls = append(w.msg.ToolCalls, schema.ToolCall{Index: &index, Function: schema.FunctionCall{Arguments: delta}})
}

// call hands on a whole call. One that the provider runs itself is no call of
// eino's: the program would run it.
func (w *writer) call(c strata.ToolCall) {
	w.close()
	if c.Input == "" {
		c.Input = noInput
	}
	in, begun := w.inputs[c.ID]
	if !begun {
		in = &openInput{place: w.place()}
	}
	delete(w.inputs, c.ID)
	c.ProviderData = joined(in.ProviderData, c.ProviderData)
	data := w.data(c.ProviderData)
	if c.ProviderExecuted {
		c.ProviderData = data
		w.entry(in.place, plainContent(c))
		return
	}
	entry := typed("call", map[string]any{"ID": c.ID})
	switch rest, ok := strings.CutPrefix(c.Input, in.Input); {
	case !w.live || !begun:
		data = without(data, DataKey)
		w.native(c)
	case !ok: // it was mended
		entry["Input"] = c.Input
	case rest != "":
		w.piece(in.index, rest)
	}
	if data != nil {
		entry["ProviderData"] = plain(strata.Text{ProviderData: data})["ProviderData"]
	}
	w.entry(in.place, entry)
}

// file hands on something that the model made: as media, where eino has it.
func (w *writer) file(f strata.File) {
	w.close()
	f.ProviderData = w.data(f.ProviderData)
	w.media(f)
}

func (w *writer) media(c strata.Content) {
	p, _ := partOf(c, true)
	out, ok := p.output()
	if !ok {
		w.entry(w.place(), plainContent(c))
		return
	}
	w.msg.AssistantGenMultiContent = append(w.msg.AssistantGenMultiContent, out)
	w.entry(w.place(), typed("part", nil))
}

// raw hands on a Raw; log probabilities have a field of eino's.
func (w *writer) raw(r strata.Raw) {
	if probs, ok := r.Value.(*schema.LogProbs); ok && probs != nil {
		meta := w.meta()
		if meta.LogProbs == nil {
			meta.LogProbs = &schema.LogProbs{}
		}
		meta.LogProbs.Content = append(meta.LogProbs.Content, probs.Content...)
		return
	}
	w.close()
	w.entry(w.place(), plainContent(r))
}

func (w *writer) meta() *schema.ResponseMeta {
	if w.msg.ResponseMeta == nil {
		w.msg.ResponseMeta = &schema.ResponseMeta{}
	}
	return w.msg.ResponseMeta
}

// finish ends the answer. Input whose call never came stays in the log alone.
func (w *writer) finish(f strata.Finish) {
	w.unfinished()
	w.entry(w.place(), typed("finish", plain(f)))
	meta := w.meta()
	meta.FinishReason = wordOf(f)
	if f.Usage != (strata.Usage{}) {
		meta.Usage = tokenUsage(f.Usage)
	}
}

func (w *writer) unfinished() {
	w.close()
	for _, id := range w.order {
		if in, ok := w.inputs[id]; ok {
			in.ProviderData = w.data(in.ProviderData)
			w.entry(in.place, plainContent(in.ToolInput))
			delete(w.inputs, id)
		}
	}
}

// contents writes the contents of an assistant's message.
func (w *writer) contents(contents []strata.Content) {
	for p := range stream.Replay(&strata.Response{Content: contents}) {
		switch p.(type) {
		case strata.StreamStart, strata.Finish:
		default:
			w.part(p)
		}
	}
	w.unfinished()
}

// wordOf is the finish reason in the provider's own word, or in the one that eino's
// models commonly use.
func wordOf(f strata.Finish) string {
	if f.RawReason != "" {
		return f.RawReason
	}
	switch f.Reason {
	case strata.FinishToolCalls:
		return "tool_calls"
	case strata.FinishContentFilter:
		return "content_filter"
	case strata.FinishUnknown:
		return ""
	}
	return string(f.Reason)
}

func tokenUsage(u strata.Usage) *schema.TokenUsage {
	return &schema.TokenUsage{
		PromptTokens:            int(u.InputTokens),
		PromptTokenDetails:      schema.PromptTokenDetails{CachedTokens: int(u.CachedInputTokens)},
		CompletionTokens:        int(u.OutputTokens),
		TotalTokens:             int(u.TotalTokens),
		CompletionTokensDetails: schema.CompletionTokensDetails{ReasoningTokens: int(u.ReasoningTokens)},
	}
}
