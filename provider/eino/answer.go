package eino

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"

	"github.com/cloudwego/eino/schema"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/stream"
)

// Causes of failures that have none of their own.
var errNothing = errors.New("the chat model returned neither an answer nor an error")

// Generate answers the request whole, with one call of the chat model's Generate.
// Response.Raw is its *schema.Message.
func (m *Model) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	q, err := m.request(req)
	if err != nil {
		return nil, err
	}
	msg, err := m.chat.Generate(ctx, q.messages, q.options...)
	if err != nil {
		return nil, m.failed(ctx, err)
	}
	if msg == nil {
		return nil, m.failed(ctx, errNothing)
	}
	return m.response(ctx, msg, q.warnings)
}

func (m *Model) response(ctx context.Context, msg *schema.Message, warnings []strata.Warning) (*strata.Response, error) {
	resp, err := stream.Collect(func(yield func(strata.Part, error) bool) {
		r := &reader{id: m.id, yield: yield, warnings: warnings, whole: true}
		if err := r.read(msg); err != nil {
			r.stop(m.failed(ctx, err))
		}
		r.end()
	})
	if err != nil {
		return nil, err
	}
	resp.Raw = msg
	return resp, nil
}

// Stream answers the request part by part, with one call of the chat model's
// Stream each time it is ranged over. The chat model's stream is closed and its
// context cancelled before the range statement returns, however it ends; how soon
// the chat model then lets go of its connection is its own affair, as is how soon
// it returns when ctx ends.
func (m *Model) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		q, err := m.request(req)
		if err != nil {
			yield(nil, err)
			return
		}
		attempt, cancel := context.WithCancel(ctx)
		defer cancel()
		chunks, err := m.chat.Stream(attempt, q.messages, q.options...)
		if err == nil && chunks == nil {
			err = errNothing
		}
		if err != nil {
			yield(nil, m.failed(ctx, err))
			return
		}
		defer chunks.Close()
		defer cancel() // first, for a chat model that is waiting
		m.read(ctx, chunks, &reader{id: m.id, yield: yield, warnings: q.warnings})
	}
}

// read reads the chunks to their end.
func (m *Model) read(ctx context.Context, chunks *schema.StreamReader[*schema.Message], r *reader) {
	trace := strata.ContextTrace(ctx)
	for !r.stopped {
		chunk, err := chunks.Recv()
		if trace != nil && trace.Bytes != nil && err == nil {
			trace.ReceivedBytes(ctx, 0) // a chunk may hold nothing, and be a sign of life
		}
		ended := r.reason != "" || r.finish != nil
		switch {
		case err == io.EOF && (ended || ctx.Err() == nil), err != nil && ended:
			r.end()
			return
		case err == io.EOF: // some models just stop when their context ends
			r.stop(m.failed(ctx, ctx.Err()))
		case err != nil:
			r.stop(m.failed(ctx, err))
		case chunk != nil:
			if err := r.read(chunk); err != nil {
				r.stop(m.failed(ctx, err))
			}
		}
	}
}

// kinded is an error that says its kind itself.
type kinded interface {
	error
	FailureKind() failure.Kind
}

// failed is the failure that an error of the chat model's is.
func (m *Model) failed(ctx context.Context, err error) error {
	if _, ok := failure.Find[kinded](err); ok {
		return err
	}
	e, ok := failure.FromSDK(err)
	if !ok {
		if ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
			err = fmt.Errorf("%w: %w", ctx.Err(), err)
		}
		e = &failure.Error{RetryAfter: failure.RetryAfter(err)}
	}
	e.Kind, e.Model, e.Err = failure.Of(err), m.id, err
	return e
}

// ResponseOf reads an answer that a [ChatModel] gave, whole or joined of its
// chunks: who answered, what the provider said of the answer, warnings, and the
// contents in their order with all that eino has no field for. Of any other chat
// model's message it tells what the message holds; nothing says who answered
// then. The error is that of a message that holds what is no content.
func ResponseOf(msg *schema.Message) (*strata.Response, error) {
	if msg == nil {
		return nil, errors.New("eino.ResponseOf: the message is nil")
	}
	resp, err := new(Model).response(context.Background(), msg, nil)
	if err != nil {
		return nil, fmt.Errorf("eino.ResponseOf: %w", err)
	}
	for _, e := range entries(msg.Extra) {
		if e["type"] == "finish" {
			var f strata.Finish
			fill(reflect.ValueOf(&f).Elem(), e)
			resp.Model = f.Model
		}
	}
	return resp, nil
}
