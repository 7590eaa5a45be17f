package anthropic

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/anthropics/anthropic-sdk-go/v2/packages/ssestream"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// Stream answers the request part by part, with one HTTP request each time it is
// ranged over. Its errors are *failure.Error: an error event, an event that is
// not JSON, a cut, and an end without a stop reason, which is of kind network and
// wraps io.ErrUnexpectedEOF. Once the server has given a stop reason the answer is
// whole, whatever is cut behind it. Pings and events of unknown kinds are skipped.
//
// Calls of the program's tools are handed on when the answer is whole, those of
// Anthropic's own as they come. An event of up to 32 MiB is read; a longer one is
// an error that wraps bufio.ErrTooLong.
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
		s := &stream{call: c, yield: yield, names: callNames{}}
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

	begun bool   // more than reasoning was handed on
	block *block // the one that is open
	last  *block // the one that began last
	count int    // of the blocks of text and reasoning
	calls []*block
	names callNames
	usage usage
	stop  stop
}

func (s *stream) emit(p strata.Part) {
	if s.stopped {
		return
	}
	if _, reasoning := p.(strata.ReasoningDelta); !reasoning && p.Commits() {
		s.begun = true
	}
	s.stopped = !s.yield(p, nil)
}

func (s *stream) fail(err error) {
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
		s.fail(s.Unfinished())
	case err != nil:
		s.fail(s.Broken(ctx, err))
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
		s.fail(s.Broken(ctx, err))
		return
	}
	a, err := s.answer(body)
	if err != nil {
		s.fail(err)
		return
	}
	s.emit(a.metadata(s.Headers))
	for _, b := range a.blocks {
		s.start(b)
	}
	s.usage = a.usage
	s.halt(a.stop)
	if s.stop.Reason == "" {
		s.fail(s.Unfinished())
	}
	s.end()
}

func (s *stream) readEvents(ctx context.Context, cancel context.CancelFunc) {
	events := ssestream.NewDecoder(s.Response)
	for !s.stopped && events.Next() {
		if s.event(events.Event()) {
			s.Drain(cancel)
			break
		}
	}
	err := events.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("an event of the stream is too long: %w", err)
	}
	switch {
	case err != nil && (s.stop.Reason == "" || ctx.Err() != nil):
		s.fail(s.Broken(ctx, err))
	case s.stop.Reason == "":
		s.fail(s.Unfinished())
	}
	s.end()
}

// halt takes why the answer ends. A refusal before anything but reasoning is a
// failure.
func (s *stream) halt(why stop) {
	if s.stop.Reason != "" || why.Reason == "" {
		return
	}
	s.stop = why
	if why.Reason == refusal && !s.begun {
		s.fail(s.Refused(refusal))
	}
}

// start begins a block. All of it may be there at once: the results of Anthropic's
// tools come so, and every block of a whole answer.
func (s *stream) start(b *block) {
	s.close()
	s.block, s.last = b, b
	switch {
	case b.reasoning():
		s.thinking(b, b.Thinking)
	case b.Type == "text":
		s.text(b, b.Text)
	case b.calls():
		s.emit(strata.ToolInputStart{ID: b.ID, Name: b.Name})
		if !b.runs() {
			s.calls = append(s.calls, b)
		}
	case b.results():
		s.emit(b.result(s.Model.Provider, s.names.of(b)))
	default:
		s.emit(b.unknown())
	}
}

func (s *stream) blockID() string { return strconv.Itoa(s.count) }

func (s *stream) text(b *block, text string) {
	if text == "" {
		return
	}
	if s.open(b) {
		s.emit(strata.TextStart{ID: s.blockID()})
	}
	s.emit(strata.TextDelta{ID: s.blockID(), Text: text})
}

func (s *stream) thinking(b *block, text string) {
	if text == "" {
		return
	}
	if s.open(b) {
		s.emit(strata.ReasoningStart{ID: s.blockID()})
	}
	s.emit(strata.ReasoningDelta{ID: s.blockID(), Text: text})
}

// open counts a block of text or reasoning and reports whether it is new.
func (s *stream) open(b *block) bool {
	if b.opened {
		return false
	}
	b.opened = true
	s.count++
	return true
}

// close closes the open block. What the provider wants back with it is known only
// now.
func (s *stream) close() {
	b := s.block
	s.block = nil
	if b == nil {
		return
	}
	provider := s.Model.Provider
	switch {
	case b.reasoning():
		data := b.providerData(provider)
		if data != nil && s.open(b) { // thoughts that are kept from the reader
			s.emit(strata.ReasoningStart{ID: s.blockID()})
		}
		if b.opened {
			s.emit(strata.ReasoningEnd{ID: s.blockID(), ProviderData: data})
		}
	case b.Type == "text":
		if b.opened {
			s.emit(strata.TextEnd{ID: s.blockID(), ProviderData: b.providerData(provider)})
		}
		for _, source := range b.sources(provider) {
			s.emit(source)
		}
	case b.calls():
		s.closeCall(b)
	}
}

// closeCall ends the input of a tool call. A call that the provider runs itself is
// handed on at once, as its result may follow.
func (s *stream) closeCall(b *block) {
	if input := b.arguments(); b.input.Len() == 0 && input != "" {
		s.emit(strata.ToolInputDelta{ID: b.ID, Delta: input})
	}
	if !b.runs() {
		return
	}
	if call := b.call(s.Model.Provider); json.Valid([]byte(call.Input)) {
		s.names.note(b)
		s.emit(strata.ToolInputEnd{ID: b.ID})
		s.emit(call)
	}
}

// end hands on what ends a whole answer.
func (s *stream) end() {
	s.close()
	called := false
	for _, b := range s.calls {
		if b.whole(s.stop.cut(), b == s.last) {
			called = true
			s.emit(strata.ToolInputEnd{ID: b.ID})
			s.emit(b.call(s.Model.Provider))
		}
	}
	s.emit(strata.Finish{
		Reason:       s.stop.finish(called),
		RawReason:    s.stop.Reason,
		Usage:        s.usage.counts(),
		Model:        s.Model,
		ProviderData: s.stop.providerData(s.Model.Provider),
	})
}
