package openai

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// parts hands on the parts of one streamed answer. Its first error, or the reader
// leaving, stops it: from then on it hands nothing on.
type parts struct {
	*call
	yield   func(strata.Part, error) bool
	stopped bool

	meta   strata.ResponseMetadata // as last handed on, if named
	named  bool
	said   bool  // more than thought was handed on
	block  block // the one that is open
	blocks int
}

// block is what a block of the answer holds.
type block int

const (
	none block = iota
	text
	thought
)

// A decoder reads what the server sends on one wire and hands it on.
type decoder interface {
	whole(body []byte)                   // an answer that came whole
	event(e ssestream.Event) (last bool) // or an event; nothing counts behind the last
	finished() bool                      // whether the finish reason is known
	end()                                // what ends a whole answer
}

// read reads the response to its end. It looks at its first byte and not at its
// content type: servers that cannot stream send the answer whole, proxies send
// pages, and both may say what they like.
func (p *parts) read(ctx context.Context, cancel context.CancelFunc, d decoder) {
	if p.stopped {
		return
	}
	body := bufio.NewReader(p.Response.Body)
	first, err := exchange.FirstByte(body)
	switch {
	case err == io.EOF: // of no bytes at all
	case err != nil:
		p.stop(p.Broken(ctx, err))
	case first == '{' || first == '<' || first == '[':
		p.readWhole(ctx, body, d)
	default:
		p.readEvents(ctx, cancel, body, d)
	}
	if !d.finished() {
		p.stop(p.Unfinished())
	}
	d.end()
}

func (p *parts) readWhole(ctx context.Context, r io.Reader, d decoder) {
	body, err := io.ReadAll(r)
	if err != nil {
		p.stop(p.Broken(ctx, err))
		return
	}
	d.whole(body)
}

func (p *parts) readEvents(ctx context.Context, cancel context.CancelFunc, r io.Reader, d decoder) {
	p.Response.Body = struct {
		io.Reader
		io.Closer
	}{r, p.Response.Body}
	events := ssestream.NewDecoder(p.Response)
	for !p.stopped && events.Next() {
		e := events.Event()
		e.Data = bytes.TrimSpace(e.Data)
		if len(e.Data) == 0 {
			continue
		}
		if bytes.HasPrefix(e.Data, []byte("[DONE]")) || d.event(e) {
			p.Drain(cancel)
			break
		}
	}
	err := events.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("an event of the stream is too long: %w", err)
	}
	if err != nil && (!d.finished() || ctx.Err() != nil) {
		p.stop(p.Broken(ctx, err))
	}
}

func (p *parts) emit(part strata.Part) {
	switch part.(type) {
	case strata.TextDelta, strata.ToolInputStart, strata.ToolCall, strata.ToolResult, strata.File, strata.Source, strata.Raw:
		p.said = true
	}
	if !p.stopped {
		p.stopped = !p.yield(part, nil)
	}
}

func (p *parts) stop(err error) {
	if !p.stopped {
		p.stopped = true
		p.yield(nil, err)
	}
}

// metadata hands on what is new of the metadata; the headers come with the first.
func (p *parts) metadata(id, model string, created int64) {
	meta := metadataOf(cmp.Or(id, p.meta.ID), cmp.Or(model, p.meta.Model), created, nil)
	if p.named && meta.ID == p.meta.ID && meta.Model == p.meta.Model {
		return
	}
	if !p.named {
		meta.Headers = p.Headers
	}
	p.meta, p.named = meta, true
	p.emit(meta)
}

func (p *parts) blockID() string { return strconv.Itoa(p.blocks) }

// begin opens a block of the kind; none may be open.
func (p *parts) begin(kind block) {
	p.block = kind
	p.blocks++
	switch kind {
	case text:
		p.emit(strata.TextStart{ID: p.blockID()})
	case thought:
		p.emit(strata.ReasoningStart{ID: p.blockID()})
	}
}

// delta hands on a piece of the open block.
func (p *parts) delta(piece string) {
	switch {
	case piece == "":
	case p.block == text:
		p.emit(strata.TextDelta{ID: p.blockID(), Text: piece})
	case p.block == thought:
		p.emit(strata.ReasoningDelta{ID: p.blockID(), Text: piece})
	}
}

// close closes the block that is open, if one is. What the provider wants back
// with it is known only now.
func (p *parts) close(data strata.ProviderData) {
	switch p.block {
	case text:
		p.emit(strata.TextEnd{ID: p.blockID(), ProviderData: data})
	case thought:
		p.emit(strata.ReasoningEnd{ID: p.blockID(), ProviderData: data})
	}
	p.block = none
}

// input hands on what is new of a tool call's input. No block may be open.
func (p *parts) input(t *toolInput) {
	if !t.started {
		t.started = true
		p.emit(strata.ToolInputStart{ID: t.id, Name: t.name})
	}
	if delta := t.input.String()[t.sent:]; delta != "" {
		t.sent += len(delta)
		p.emit(strata.ToolInputDelta{ID: t.id, Delta: delta})
	}
}

// finishCalls hands on the tool calls of a whole answer and reports whether it has any.
func (p *parts) finishCalls(ts toolInputs, cut bool) (called bool) {
	for _, t := range ts {
		if call, ok := t.call(cut || t.cut, p.Model.Provider); ok {
			called = true
			p.emit(strata.ToolInputEnd{ID: t.id})
			p.emit(call)
		}
	}
	return called
}
