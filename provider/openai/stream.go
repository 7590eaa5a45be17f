package openai

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// Stream answers the request part by part, with one HTTP request each time it is
// ranged over. Its errors are *failure.Error: an error event, an event that is
// not JSON, a cut, and an end without a finish reason, which is of kind network
// and wraps io.ErrUnexpectedEOF. Once the server has given a finish reason the
// answer is whole: a cut behind it costs only the usage.
//
// Tool calls are handed on when the answer is whole. An event of up to 32 MiB is
// read; a longer one is an error that wraps bufio.ErrTooLong.
func (m *Model) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		attempt, cancel := context.WithCancel(ctx)
		defer cancel()
		c, warnings, err := m.send(attempt, req, true)
		if err != nil {
			yield(nil, err)
			return
		}
		defer c.Response.Body.Close()
		s := &stream{call: c, yield: yield}
		s.emit(strata.StreamStart{Warnings: warnings})
		s.read(ctx, cancel)
	}
}

// stream turns what the server sends into parts. Its first error, or the reader
// leaving, stops it: from then on it hands nothing on.
type stream struct {
	*call
	yield   func(strata.Part, error) bool
	stopped bool

	meta     strata.ResponseMetadata // as last handed on, if named
	named    bool
	usage    strata.Usage
	finish   string // the raw finish reason; empty: none yet
	block    block  // the one that is open
	blocks   int
	thoughts reasoning // of the open block of reasoning
	tools    toolInputs
}

// block is what a block of the answer holds.
type block int

const (
	none block = iota
	text
	thought
)

func (s *stream) emit(p strata.Part) {
	if !s.stopped {
		s.stopped = !s.yield(p, nil)
	}
}

func (s *stream) stop(err error) {
	if !s.stopped {
		s.stopped = true
		s.yield(nil, err)
	}
}

// read reads the response to its end. It looks at its first byte and not at its
// content type: servers that cannot stream send the answer whole, proxies send
// pages, and both may say what they like.
func (s *stream) read(ctx context.Context, cancel context.CancelFunc) {
	if s.stopped {
		return
	}
	body := bufio.NewReader(s.Response.Body)
	first, err := exchange.FirstByte(body)
	switch {
	case err == io.EOF:
		s.stop(s.Unfinished())
	case err != nil:
		s.stop(s.Broken(ctx, err))
	case first == '{' || first == '<' || first == '[':
		s.readWhole(ctx, body)
	default:
		s.Response.Body = struct {
			io.Reader
			io.Closer
		}{body, s.Response.Body}
		s.readEvents(ctx, cancel)
	}
}

func (s *stream) readWhole(ctx context.Context, r io.Reader) {
	body, err := io.ReadAll(r)
	if err != nil {
		s.stop(s.Broken(ctx, err))
		return
	}
	a, err := s.answer(body)
	if err != nil {
		s.stop(err)
		return
	}
	s.metadata(a.completion.ID, a.completion.Model, a.completion.Created)
	s.usage = usageOf(a.completion.Usage)
	s.message(a.message)
	if s.finish = a.finish; s.finish == "" {
		s.stop(s.Unfinished())
	}
	s.end()
}

func (s *stream) readEvents(ctx context.Context, cancel context.CancelFunc) {
	events := ssestream.NewDecoder(s.Response)
	for !s.stopped && events.Next() {
		e := events.Event()
		if bytes.HasPrefix(e.Data, []byte("[DONE]")) {
			s.Drain(cancel)
			break
		}
		s.event(e)
	}
	err := events.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("an event of the stream is too long: %w", err)
	}
	switch {
	case err != nil && (s.finish == "" || ctx.Err() != nil):
		s.stop(s.Broken(ctx, err))
	case s.finish == "":
		s.stop(s.Unfinished())
	}
	s.end()
}

func (s *stream) event(e ssestream.Event) {
	data := bytes.TrimSpace(e.Data)
	if len(data) == 0 {
		return
	}
	var chunk sdk.ChatCompletionChunk
	if err := json.Unmarshal(data, &chunk); err != nil {
		s.stop(s.Malformed(data, err))
		return
	}
	failed := chunk.JSON.ExtraFields["error"].Raw()
	if e.Type == "error" && !given(failed) {
		failed = chunk.RawJSON()
	}
	if given(failed) {
		s.stop(s.reported(failed))
		return
	}
	s.metadata(chunk.ID, chunk.Model, chunk.Created)
	for _, choice := range chunk.Choices {
		if choice.Index == 0 {
			s.choice(&chunk, choice)
		}
	}
	if usage := usageOf(chunk.Usage); usage != s.usage && usage != (strata.Usage{}) {
		s.usage = usage
		if s.finish == "" {
			s.emit(strata.ResponseMetadata{Usage: &usage})
		}
	}
}

func (s *stream) choice(chunk *sdk.ChatCompletionChunk, choice sdk.ChatCompletionChunkChoice) {
	if failed := choice.JSON.ExtraFields["error"].Raw(); given(failed) || choice.FinishReason == "error" {
		s.stop(s.reported(failed))
		return
	}
	m, err := readMessage(choice.Delta.RawJSON())
	if err != nil {
		s.stop(s.Malformed([]byte(chunk.RawJSON()), err))
		return
	}
	s.message(m)
	if choice.JSON.Logprobs.Valid() {
		s.emit(strata.Raw{Value: *chunk})
	}
	if s.finish == "" {
		s.finish = choice.FinishReason
	}
}

// metadata hands on what is new of the metadata; the headers come with the first.
func (s *stream) metadata(id, model string, created int64) {
	meta := metadataOf(cmp.Or(id, s.meta.ID), cmp.Or(model, s.meta.Model), created, nil)
	if s.named && meta.ID == s.meta.ID && meta.Model == s.meta.Model {
		return
	}
	if !s.named {
		meta.Headers = s.Headers
	}
	s.meta, s.named = meta, true
	s.emit(meta)
}

// message hands on a delta, or a whole message.
func (s *stream) message(m message) {
	if m.refusal != "" {
		s.stop(s.Refused("refusal"))
		return
	}
	if m.reasoning != "" || len(m.details) > 0 {
		s.open(thought)
		if m.field != "" {
			s.thoughts.field = m.field
		}
		for _, d := range m.details {
			s.thoughts.merge(d)
		}
		if m.reasoning != "" {
			s.emit(strata.ReasoningDelta{ID: s.blockID(), Text: m.reasoning})
		}
	}
	if m.text != "" {
		s.open(text)
		s.emit(strata.TextDelta{ID: s.blockID(), Text: m.text})
	}
	for _, f := range m.files {
		s.emit(f)
	}
	for _, source := range m.sources {
		s.emit(source)
	}
	for _, piece := range m.tools {
		s.tool(s.tools.add(piece))
	}
}

func (s *stream) blockID() string { return strconv.Itoa(s.blocks) }

// open opens a block of the kind, unless the open one is of it.
func (s *stream) open(kind block) {
	if s.block == kind {
		return
	}
	s.close()
	s.block = kind
	s.blocks++
	switch kind {
	case text:
		s.emit(strata.TextStart{ID: s.blockID()})
	case thought:
		s.emit(strata.ReasoningStart{ID: s.blockID()})
	}
}

// close closes the open block. What the provider wants back with a block of
// reasoning is known only now.
func (s *stream) close() {
	switch s.block {
	case text:
		s.emit(strata.TextEnd{ID: s.blockID()})
	case thought:
		s.emit(strata.ReasoningEnd{ID: s.blockID(), ProviderData: s.thoughts.providerData(s.Model.Provider)})
		s.thoughts = reasoning{}
	}
	s.block = none
}

// tool hands on what is new of a tool call's input, once its name is known.
func (s *stream) tool(t *toolInput) {
	if t.name == "" {
		return
	}
	if !t.started {
		t.started = true
		s.close()
		s.emit(strata.ToolInputStart{ID: t.id, Name: t.name})
	}
	if delta := t.input.String()[t.sent:]; delta != "" {
		t.sent += len(delta)
		s.emit(strata.ToolInputDelta{ID: t.id, Delta: delta})
	}
}

// end hands on what ends a whole answer.
func (s *stream) end() {
	s.close()
	called := false
	for _, t := range s.tools {
		if call, ok := t.call(s.finish, s.Model.Provider); ok {
			called = true
			s.emit(strata.ToolInputEnd{ID: t.id})
			s.emit(call)
		}
	}
	s.emit(strata.Finish{
		Reason:    finishReason(s.finish, called),
		RawReason: s.finish,
		Usage:     s.usage,
		Model:     s.Model,
	})
}
