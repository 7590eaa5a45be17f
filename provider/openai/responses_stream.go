package openai

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/exchange"
)

// responsesStream turns what the server sends into parts. It goes by the places of
// items in the output, since some servers give an item another ID in each event;
// where the place is not given it goes by the ID.
type responsesStream struct {
	parts
	stored bool
	usage  strata.Usage
	finish string // the raw finish reason; empty: none yet

	place    place                   // of the open block
	seen     map[place]bool          // what pieces came of
	done     map[exchange.Count]bool // items that are whole
	messages map[exchange.Count]strata.ProviderData
	calls    map[exchange.Count]*toolInput
	tools    toolInputs                // the calls in their order
	places   map[string]exchange.Count // of items, by their IDs
	last     exchange.Count            // the place that was told of last
}

func (c *call) responsesStream(yield func(strata.Part, error) bool) *responsesStream {
	return &responsesStream{
		parts: parts{call: c, yield: yield},
		seen:  map[place]bool{}, done: map[exchange.Count]bool{}, messages: map[exchange.Count]strata.ProviderData{}, calls: map[exchange.Count]*toolInput{},
		places: map[string]exchange.Count{},
	}
}

// place is where in the output a block stands.
type place struct {
	item, part exchange.Count
	summary    bool
}

// responsesEvent is an event, as far as parts are made of it.
type responsesEvent struct {
	Type         string
	OutputIndex  *exchange.Count `json:"output_index"`
	ItemID       string          `json:"item_id"`
	ContentIndex exchange.Count  `json:"content_index"`
	SummaryIndex exchange.Count  `json:"summary_index"`
	Delta        json.RawMessage
	Item         json.RawMessage
	Part         json.RawMessage
	Response     json.RawMessage
	Error        json.RawMessage
	Logprobs     []json.RawMessage
}

func (s *responsesStream) finished() bool { return s.finish != "" }

func (s *responsesStream) whole(body []byte) {
	b, err := s.responsesBody(body)
	switch {
	case err != nil:
		s.stop(err)
	case b.Output == nil && b.Status == "":
		s.stop(s.Fail(failure.Error{Body: string(body[:min(len(body), exchange.MaxErrorBody)]), Err: errNoOutput}))
	default:
		s.begun(b)
		s.answer(b)
	}
}

func (s *responsesStream) event(e ssestream.Event) (last bool) {
	var event responsesEvent
	if err := json.Unmarshal(e.Data, &event); err != nil {
		s.stop(s.Malformed(e.Data, err))
		return false
	}
	event.Type = cmp.Or(event.Type, e.Type)
	switch failed := string(event.Error); {
	case given(failed):
		s.stop(s.reported(failed))
		return false
	case event.Type == "error" || e.Type == "error":
		s.stop(s.reported(string(e.Data)))
		return false
	}
	if given(string(event.Response)) {
		return s.response(event)
	}
	index := s.index(event)
	switch event.Type {
	case "response.output_item.added":
		s.added(index, event.Item)
	case "response.output_item.done":
		s.item(index, event.Item)
	case "response.content_part.added":
		var part itemContent
		if json.Unmarshal(event.Part, &part) == nil && part.Type == "refusal" {
			s.stop(s.Refused(part.Type))
		}
	case "response.refusal.delta", "response.refusal.done":
		s.stop(s.Refused("refusal"))
	case "response.output_text.delta":
		s.piece(text, place{item: index, part: event.ContentIndex}, str(event.Delta))
		s.logprobs(event, e.Data)
	case "response.reasoning_summary_text.delta":
		s.piece(thought, place{index, event.SummaryIndex, true}, str(event.Delta))
	case "response.reasoning_text.delta":
		s.piece(thought, place{item: index, part: event.ContentIndex}, str(event.Delta))
	case "response.function_call_arguments.delta":
		if t := s.calls[index]; t != nil {
			t.input.WriteString(str(event.Delta))
			s.input(t)
		}
	}
	return false
}

// index is the place in the output of the item that the event is about. llama.cpp
// says none of it: its items are in the order in which they are first told of.
// Calls have only their call_id there, which goes as the item's ID. An event that
// says nothing at all is about the item of the one before.
func (s *responsesStream) index(event responsesEvent) exchange.Count {
	id := event.ItemID
	if id == "" && len(event.Item) > 0 {
		var item struct {
			ID     string
			CallID string `json:"call_id"`
		}
		_ = json.Unmarshal(event.Item, &item) // whoever reads the item tells
		id = cmp.Or(item.ID, item.CallID)
	}
	index, known := s.places[id]
	switch {
	case event.OutputIndex != nil:
		index = *event.OutputIndex
	case id == "":
		index = s.last
	case !known:
		index = exchange.Count(len(s.places))
	}
	s.last = index
	if id != "" {
		s.places[id] = index
	}
	return index
}

// response reads an event about the answer as a whole, and reports whether the
// answer ends with it.
func (s *responsesStream) response(event responsesEvent) (last bool) {
	b, err := s.responsesBody(event.Response)
	if err != nil {
		s.stop(err)
		return false
	}
	s.begun(b)
	switch event.Type {
	case "response.completed", "response.incomplete", "response.cancelled", "response.done":
		if b.Status == "" {
			b.Status = strings.TrimPrefix(event.Type, "response.")
		}
		s.answer(b)
		return true
	case "response.failed":
		s.stop(s.reported(string(b.Error)))
	}
	return false
}

// begun reads what is known of an answer from its beginning.
func (s *responsesStream) begun(b *responsesBody) {
	s.stored = b.Store
	s.metadata(b.ID, b.Model, int64(b.CreatedAt))
}

// answer reads an answer that is whole. Of its items, those are handed on whose own
// events did not come.
func (s *responsesStream) answer(b *responsesBody) {
	for i, raw := range b.Output {
		s.item(exchange.Count(i), raw)
	}
	s.usage, s.finish = b.Usage.usage(), b.finish()
}

// added reads the beginning of an item.
func (s *responsesStream) added(index exchange.Count, raw json.RawMessage) {
	item, err := readItem(raw)
	switch {
	case err != nil:
		s.stop(s.Malformed(raw, err))
	case item.Type == "message":
		s.messages[index] = item.rest(s.Model.Provider, s.stored)
	case item.Type == "function_call":
		s.call(index, item)
	}
}

// call begins a call of one of the program's functions.
func (s *responsesStream) call(index exchange.Count, item *outputItem) *toolInput {
	t := s.calls[index]
	if t == nil {
		t = item.toolInput()
		s.calls[index], s.tools = t, append(s.tools, t)
		s.shut()
		s.input(t)
	}
	return t
}

// item reads an item that is whole and hands on what was not.
func (s *responsesStream) item(index exchange.Count, raw json.RawMessage) {
	if s.done[index] {
		return
	}
	s.done[index] = true
	item, err := readItem(raw)
	if err != nil {
		s.stop(s.Malformed(raw, err))
		return
	}
	switch item.Type {
	case "message":
		s.message(index, item)
	case "reasoning":
		s.reasoning(index, item)
	case "function_call":
		t := s.call(index, item)
		if rest, ok := strings.CutPrefix(functionPiece{Arguments: item.Arguments}.arguments(), t.input.String()); ok {
			t.input.WriteString(rest)
			s.input(t)
		}
		t.cut = item.Status == "incomplete"
		t.data = item.rest(s.Model.Provider, s.stored)
	default:
		s.shut()
		for _, p := range item.hosted(s.Model.Provider, s.stored) {
			s.emit(p)
		}
	}
}

func (s *responsesStream) message(index exchange.Count, item *outputItem) {
	s.messages[index] = item.rest(s.Model.Provider, s.stored)
	for i, c := range item.contents() {
		if c.Type == "refusal" {
			s.stop(s.Refused(c.Type))
			return
		}
		s.rest(text, place{item: index, part: exchange.Count(i)}, c.Text)
		for _, a := range c.Annotations {
			s.emit(a.source(s.Model.Provider))
		}
	}
	s.shut()
}

// reasoning hands on what is left of a reasoning. The block that is last holds the
// item; an item of no text that is to go back has an empty block.
func (s *responsesStream) reasoning(index exchange.Count, item *outputItem) {
	for i, c := range item.Summary {
		s.rest(thought, place{index, exchange.Count(i), true}, c.Text)
	}
	for i, c := range item.contents() {
		s.rest(thought, place{item: index, part: exchange.Count(i)}, c.Text)
	}
	data := item.reasoning(s.Model, s.stored)
	if own := s.block == thought && s.place.item == index; data != nil && !own {
		s.open(thought, place{item: index})
	}
	if s.block == thought {
		s.close(data)
	}
}

// open opens a block for what stands at the place, unless the open one is.
func (s *responsesStream) open(kind block, at place) {
	if s.block == kind && s.place == at {
		return
	}
	s.shut()
	s.begin(kind)
	s.place = at
}

// shut closes the block that is open.
func (s *responsesStream) shut() {
	if s.block == text {
		s.close(s.messages[s.place.item])
	}
	s.close(nil)
}

// piece hands on a piece of a block.
func (s *responsesStream) piece(kind block, at place, piece string) {
	if piece == "" {
		return
	}
	s.seen[at] = true
	s.open(kind, at)
	s.delta(piece)
}

// rest hands a block on that is whole, unless its pieces came.
func (s *responsesStream) rest(kind block, at place, whole string) {
	if !s.seen[at] {
		s.piece(kind, at, whole)
	}
}

// logprobs hands on an event that has log probabilities, which no part carries.
func (s *responsesStream) logprobs(event responsesEvent, data []byte) {
	if len(event.Logprobs) == 0 {
		return
	}
	var raw responses.ResponseStreamEventUnion
	if json.Unmarshal(data, &raw) == nil {
		s.emit(strata.Raw{Value: raw})
	}
}

func (s *responsesStream) end() {
	if s.finish == contentFilter && !s.said {
		s.stop(s.Refused(contentFilter))
	}
	s.shut()
	called := s.finishCalls(s.tools, s.finish != "completed")
	s.emit(strata.Finish{
		Reason:    responsesFinish(s.finish, called),
		RawReason: s.finish,
		Usage:     s.usage,
		Model:     s.Model,
	})
}
