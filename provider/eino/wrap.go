package eino

import (
	"context"
	"fmt"
	"slices"

	"github.com/cloudwego/eino/callbacks"
	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/stream"
)

// ChatModel is a chat model of eino's that asks a [strata.Model]. Make one with
// [Wrap]; any number of goroutines may use it.
//
// Eino's common options become fields of the Request: "forced" with one allowed
// tool name is the choice of that tool, and with other allowed names the request
// has those tools alone. A model.WithModel of another name than the model's own
// cannot be honoured, a stack of layers knows itself whom it asks: it becomes a
// warning. Options of another chat model's own are handed down in Request.Raw, for
// a [Model] below. [WithRequest] sets what eino has no option for.
//
// The finish reason of an answer is the provider's own word; [ResponseOf] gives
// its meaning, who answered, and all else that eino has no field for.
//
// Errors are those of the strata.Model, unchanged: failure.Of and errors.As work
// on them, also through the errors that eino's graphs put around them. A request
// that cannot be expressed is a *failure.Error of kind invalid.
//
// # Callbacks
//
// Like the chat models of eino-ext, a ChatModel runs the callbacks itself: its
// IsCallbacksEnabled reports true, so handlers hear of tools, settings and tokens,
// and its type is "Strata". One run is told for a call of the ChatModel, whatever
// attempts layers make of it. A chat model of eino's at the bottom of the stack
// that runs callbacks tells a run of its own, inside that one, for each attempt.
type ChatModel struct {
	model strata.Model
	live  bool
	tools []strata.Tool
	infos []*schema.ToolInfo // the same tools
}

var (
	_ model.ToolCallingChatModel = (*ChatModel)(nil)
	_ components.Typer           = (*ChatModel)(nil)
	_ components.Checker         = (*ChatModel)(nil)
)

// Wrap returns m in the layers, as strata.Wrap puts it in them, as a chat model of
// eino's. A nil model and a nil layer panic.
func Wrap(m strata.Model, layers ...strata.Layer) *ChatModel {
	if m == nil {
		panic("eino.Wrap: the model is nil")
	}
	for i, layer := range layers {
		if layer == nil {
			panic(fmt.Sprintf("eino.Wrap: layer %d is nil", i))
		}
	}
	return &ChatModel{model: strata.Wrap(m, layers...)}
}

// WithLiveToolInput returns a copy whose streams hand on the pieces of a tool
// call's input as they come. Without it a call is handed on once it is whole, for
// eino cannot tell half a call, whose input a limit of tokens cut, from a whole one,
// nor a call that the provider runs itself from one that the program is to run.
func (c *ChatModel) WithLiveToolInput() *ChatModel {
	live := *c
	live.live = true
	return &live
}

// Model returns the model that is asked, in its layers.
func (c *ChatModel) Model() strata.Model { return c.model }

// GetType returns "Strata".
func (*ChatModel) GetType() string { return "Strata" }

// IsCallbacksEnabled returns true: a ChatModel runs the callbacks itself.
func (*ChatModel) IsCallbacksEnabled() bool { return true }

// WithTools returns a copy that asks with these tools, in place of earlier ones,
// where model.WithTools gives no others. A tool whose parameters are no JSON Schema
// is an error.
func (c *ChatModel) WithTools(infos []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	tools, err := toolsFrom(infos)
	if err != nil {
		return nil, err
	}
	bound := *c
	bound.tools, bound.infos = tools, slices.Clone(infos)
	return &bound, nil
}

// Generate answers whole.
func (c *ChatModel) Generate(ctx context.Context, in []*schema.Message, opts ...model.Option) (_ *schema.Message, err error) {
	ctx = callbacks.EnsureRunInfo(ctx, c.GetType(), components.ComponentOfChatModel)
	q, err := c.ask(in, opts)
	ctx = callbacks.OnStart(ctx, q.told)
	defer func() {
		if err != nil {
			callbacks.OnError(ctx, err)
		}
	}()
	if err != nil {
		return nil, err
	}
	resp, err := stream.Generate(ctx, c.model, q.request)
	if err != nil {
		return nil, err
	}
	msg := messageOf(resp, q.warnings)
	callbacks.OnEnd(ctx, q.output(msg))
	return msg, nil
}

// Stream answers in chunks. A failure before the first content is returned as the
// error, one behind it by Recv. As with every stream of eino's the caller must read
// it to its end or Close it: that abandons the request. The stream is also let go
// when ctx ends, and Recv then returns ctx's error; it never returns io.EOF for an
// answer that did not finish.
//
// The model is read by whoever calls Recv. The one goroutine waits for the Close.
func (c *ChatModel) Stream(ctx context.Context, in []*schema.Message, opts ...model.Option) (_ *schema.StreamReader[*schema.Message], err error) {
	ctx = callbacks.EnsureRunInfo(ctx, c.GetType(), components.ComponentOfChatModel)
	q, err := c.ask(in, opts)
	ctx = callbacks.OnStart(ctx, q.told)
	defer func() {
		if err != nil {
			callbacks.OnError(ctx, err)
		}
	}()
	if err != nil {
		return nil, err
	}
	chunks, err := c.open(ctx, q)
	if err != nil {
		return nil, err
	}
	outputs := schema.StreamReaderWithConvert(chunks, func(msg *schema.Message) (*model.CallbackOutput, error) {
		return q.output(msg), nil
	})
	_, outputs = callbacks.OnEndWithStreamOutput(ctx, outputs)
	return schema.StreamReaderWithConvert(outputs, func(o *model.CallbackOutput) (*schema.Message, error) {
		return o.Message, nil
	}), nil
}

// messageOf is a whole answer as eino's message.
func messageOf(resp *strata.Response, warnings []strata.Warning) *schema.Message {
	r := *resp
	r.Warnings = append(slices.Clip(resp.Warnings), warnings...)
	w := newWriter()
	for p := range stream.Replay(&r) {
		w.part(p)
	}
	if m, ok := resp.Raw.(*schema.Message); ok && m != nil && m.ResponseMeta != nil && m.ResponseMeta.LogProbs != nil {
		w.raw(strata.Raw{Value: m.ResponseMeta.LogProbs})
	}
	return w.msg
}
