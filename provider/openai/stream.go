package openai

import (
	"context"
	"encoding/json"
	"iter"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/strata-go/strata"
)

// Stream answers the request part by part, with one HTTP request each time it is
// ranged over. Its errors are *failure.Error: an error event, an event that is
// not JSON, a cut, and an end without a finish reason, which is of kind network
// and wraps io.ErrUnexpectedEOF. Once the server has given a finish reason the
// answer is whole: a cut behind it, or what is no JSON, costs only the usage.
//
// Tool calls are handed on when the answer is whole. An event of up to 32 MiB is
// read; a longer one is an error that wraps bufio.ErrTooLong.
func (m *Model) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		attempt, cancel := context.WithCancel(ctx)
		defer cancel()
		c, warnings, err := m.ask(attempt, req, true)
		if err != nil {
			yield(nil, err)
			return
		}
		defer c.Response.Body.Close()
		s := &stream{parts: parts{call: c, yield: yield}}
		s.emit(strata.StreamStart{Warnings: warnings})
		s.read(ctx, cancel, s)
	}
}

// stream turns what the server sends into parts.
type stream struct {
	parts
	usage    strata.Usage
	finish   string    // the raw finish reason; empty: none yet
	thoughts reasoning // of the open block of reasoning
	tools    toolInputs
}

func (s *stream) finished() bool { return s.finish != "" }

func (s *stream) whole(body []byte) {
	a, err := s.answer(body)
	if err != nil {
		s.stop(err)
		return
	}
	s.metadata(a.completion.ID, a.completion.Model, a.completion.Created)
	s.usage = usageOf(a.completion.Usage)
	s.message(a.message)
	s.finish = a.finish
}

func (s *stream) event(e ssestream.Event) (last bool) {
	var chunk sdk.ChatCompletionChunk
	if err := json.Unmarshal(e.Data, &chunk); err != nil {
		if s.finished() {
			return true
		}
		s.stop(s.Malformed(e.Data, err))
		return false
	}
	failed := chunk.JSON.ExtraFields["error"].Raw()
	if e.Type == "error" && !given(failed) {
		failed = chunk.RawJSON()
	}
	if given(failed) {
		s.stop(s.reported(failed))
		return false
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
	return false
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
		s.delta(m.reasoning)
	}
	if m.text != "" {
		s.open(text)
		s.delta(m.text)
	}
	for _, f := range m.files {
		s.emit(f)
	}
	for _, source := range m.sources {
		s.emit(source)
	}
	for _, piece := range m.tools {
		if t := s.tools.add(piece); t.name != "" { // it may come with a later piece
			if !t.started {
				s.close()
			}
			s.input(t)
		}
	}
}

// open opens a block of the kind, unless the open one is of it.
func (s *stream) open(kind block) {
	if s.block != kind {
		s.close()
		s.begin(kind)
	}
}

// close closes the open block.
func (s *stream) close() {
	var data strata.ProviderData
	if s.block == thought {
		data, s.thoughts = s.thoughts.providerData(s.Model.Provider), reasoning{}
	}
	s.parts.close(data)
}

func (s *stream) end() {
	if s.finish == contentFilter && !s.said {
		s.stop(s.Refused(contentFilter))
	}
	s.close()
	called := s.finishCalls(s.tools, cut(s.finish))
	s.emit(strata.Finish{
		Reason:    finishReason(s.finish, called),
		RawReason: s.finish,
		Usage:     s.usage,
		Model:     s.Model,
	})
}
