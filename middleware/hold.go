package middleware

import (
	"context"
	"iter"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/own"
	"github.com/strata-go/strata/internal/wrap"
	"github.com/strata-go/strata/stream"
)

// Preamble hands a stream on only once there is content: the parts before it
// are held, and a failure among them reaches the caller with no part before it.
// Retrying layers do that by themselves; Preamble alone is for a program that
// needs no more than that, and, with [HoldReasoning] or [HoldToolInput], for
// holding longer than they do. Generate passes through.
func Preamble(opts ...HoldOption) strata.Layer {
	c := newHoldConfig("Preamble", opts)
	return func(next strata.Model) strata.Model {
		mustWrap("Preamble", next)
		return &holding{Model: wrap.Over(next), holdConfig: c}
	}
}

// RequireContent makes a failure of an answer with nothing in it, which a
// provider bills as success: kind overload, so that the layers above try again
// or walk on. An answer that follows a tool result may be empty if it stopped
// of its own accord.
//
// Reasoning alone is nothing in Generate. A stream's reasoning has been handed on
// by the time it ends, and stands, unless [HoldReasoning] holds it.
func RequireContent(opts ...HoldOption) strata.Layer {
	c := newHoldConfig("RequireContent", opts)
	return func(next strata.Model) strata.Model {
		mustWrap("RequireContent", next)
		return &holding{Model: wrap.Over(next), holdConfig: c, check: checkContent}
	}
}

// A HoldOption sets something of [Preamble] or [RequireContent].
type HoldOption interface{ hold(*holdConfig) }

type holdOption func(*holdConfig)

func (o holdOption) hold(c *holdConfig) { o(c) }

// HoldReasoning holds reasoning too, so that a stream that fails while the model
// thinks has handed nothing on. It does so for the given time, counted from the
// first part of the stream: a stream that is still not at its content then is
// handed on with the next part that arrives.
func HoldReasoning(window time.Duration) HoldOption {
	mustNotBeNegative("HoldReasoning", window)
	return holdOption(func(c *holdConfig) { c.reasoning = window })
}

// HoldToolInput holds the pieces of a tool call's input too, until the call is
// whole, for the given time counted as for [HoldReasoning].
func HoldToolInput(window time.Duration) HoldOption {
	mustNotBeNegative("HoldToolInput", window)
	return holdOption(func(c *holdConfig) { c.toolInput = window })
}

type holdConfig struct {
	maxParts             int
	reasoning, toolInput time.Duration // 0: not held
}

func newHoldConfig(layer string, opts []HoldOption) holdConfig {
	c := holdConfig{maxParts: stream.DefaultMaxParts}
	mustNotBeNil(layer, opts)
	for _, opt := range opts {
		opt.hold(&c)
	}
	return c
}

// window returns for how long p is held though it commits, or 0.
func (c *holdConfig) window(p strata.Part) time.Duration {
	switch p := p.(type) {
	case strata.ReasoningDelta:
		if p.Text != "" {
			return c.reasoning
		}
	case strata.ToolInputDelta:
		if p.Delta != "" {
			return c.toolInput
		}
	}
	return 0
}

// holding is the model behind the layers that hold parts and make no attempts.
type holding struct {
	own.Context
	wrap.Model
	holdConfig
	check func(strata.Model, *strata.Request, *strata.Response) error // of the answer; nil: none
}

func (h *holding) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	resp, err := stream.Generate(ctx, h.Next, req)
	if err == nil && h.check != nil {
		err = h.check(h, req, resp)
	}
	if err != nil {
		return nil, err
	}
	return resp, nil
}

func (h *holding) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		ctx, cancel := own.Of(ctx, h.Next)
		defer cancel()
		gate := stream.NewGate(yield, h.maxParts)
		var held window
		gate.EachHeld(ctx, h.Next, req, func(p strata.Part, err error) bool {
			if err != nil {
				gate.Fail(err)
				return false
			}
			limit := h.window(p)
			switch {
			case held.over(h.holdConfig, limit):
				return gate.Flush() && gate.Push(p)
			case limit > 0:
				return gate.Hold(p)
			}
			return gate.Push(p)
		})
		if !gate.Finished() || gate.Opened() {
			return
		}
		if h.check != nil {
			if err := h.check(h, req, gate.Response()); err != nil {
				gate.Fail(err)
				return
			}
		}
		gate.Flush()
	}
}

// window is the time in which a stream's content may be held.
type window struct {
	begun time.Time // when the first part came
	end   time.Time // the earliest of the kinds that are held; zero: none is
}

// over takes note of a part that may be held for limit, if that is not 0, and
// reports whether the window is over.
func (w *window) over(c holdConfig, limit time.Duration) bool {
	if c.reasoning == 0 && c.toolInput == 0 {
		return false
	}
	now := time.Now()
	if w.begun.IsZero() {
		w.begun = now
	}
	if end := w.begun.Add(limit); limit > 0 && (w.end.IsZero() || end.Before(w.end)) {
		w.end = end
	}
	return !w.end.IsZero() && !now.Before(w.end)
}

// checkContent returns the failure of an answer with nothing in it.
func checkContent(m strata.Model, req *strata.Request, resp *strata.Response) error {
	for _, c := range resp.Content {
		switch c := c.(type) {
		case strata.Text:
			if c.Text != "" {
				return nil
			}
		case strata.Reasoning, strata.ToolInput:
		case strata.Raw:
			if p, ok := c.Value.(strata.Part); !ok || p.Commits() {
				return nil
			}
		default:
			return nil
		}
	}
	if resp.FinishReason == strata.FinishStop && followsToolResult(req) {
		return nil
	}
	id := resp.Model
	if id.IsZero() {
		id = m.ID()
	}
	return &failure.Error{
		Model: id, Kind: failure.Overload,
		Message: "the answer has nothing in it (finish " + string(resp.FinishReason) + ")",
	}
}

// followsToolResult reports whether the conversation's last word is a tool's.
func followsToolResult(req *strata.Request) bool {
	if len(req.Messages) == 0 {
		return false
	}
	last := req.Messages[len(req.Messages)-1].Content
	if len(last) == 0 {
		return false
	}
	_, ok := last[len(last)-1].(strata.ToolResult)
	return ok
}
