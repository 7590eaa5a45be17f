package embedding

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// ErrDimensions is the cause of a failure of a model whose vectors have another
// dimension than those that were handed on before.
var ErrDimensions = errors.New("vectors of another dimension would corrupt an index")

// layer is a layer of language models that walks, as one that hands on vectors of
// one dimension.
func (c *walkConfig) layer(walks strata.Layer) Layer {
	lifted := Lift(walks)
	return func(next Model) Model {
		return c.guard(lifted(c.candidate(next)))
	}
}

// guard makes a walk of walks, a layer's model over candidates.
func (c *walkConfig) guard(walks Model) Model {
	if c.any {
		return walks
	}
	w := &walk{Model: walks, fixed: c.dimensions}
	w.settled.Store(int64(c.dimensions))
	return w
}

// candidate makes a candidate of the walk of m.
func (c *walkConfig) candidate(m Model) Model {
	if c.any || m == nil {
		return m
	}
	return candidate{m}
}

// wantedKey is the context's key of the dimension that a walk wants of its
// candidates: an int, 0 if it is open.
type wantedKey struct{}

func wanted(ctx context.Context) int {
	n, _ := ctx.Value(wantedKey{}).(int)
	return n
}

// walk is a walk over candidates.
type walk struct {
	Model
	fixed   int          // by an option; 0: not
	settled atomic.Int64 // 0: not yet
}

func (w *walk) Unwrap() Model { return w.Model }

func (w *walk) Embed(ctx context.Context, req *Request) (*Response, error) {
	switch {
	case req == nil:
		return w.Model.Embed(ctx, nil) // which knows what to say
	case w.fixed > 0 && req.Dimensions > 0 && req.Dimensions != w.fixed:
		return nil, mismatch(w.ID(), failure.Invalid, "the request asks for %d dimensions, the vectors are to have %d", req.Dimensions, w.fixed)
	}
	var has int
	for range 2 {
		want := cmp.Or(req.Dimensions, int(w.settled.Load()), wanted(ctx))
		resp, err := w.Model.Embed(context.WithValue(ctx, wantedKey{}, want), req)
		if err != nil || w.settle(req, resp) {
			return resp, err
		}
		// A call that ran at the same time settled another dimension, so this
		// one asks again, of whoever has that.
		has = len(resp.Embeddings[0])
	}
	return nil, mismatch(w.ID(), failure.Model, "the vectors have %d dimensions, not %d", has, w.settled.Load())
}

// mismatch is the failure of a model or a request that does not fit.
func mismatch(id strata.ModelID, kind failure.Kind, format string, args ...any) error {
	return &failure.Error{Model: id, Kind: kind, Err: ErrDimensions, Message: "embedding: " + fmt.Sprintf(format, args...)}
}

// settle reports whether an answer may be handed on. The first one may.
func (w *walk) settle(req *Request, resp *Response) bool {
	if req.Dimensions > 0 {
		return true
	}
	has := int64(len(resp.Embeddings[0]))
	w.settled.CompareAndSwap(0, has)
	return w.settled.Load() == has
}

// candidate is a model that a walk asks.
type candidate struct{ Model }

func (c candidate) Unwrap() Model { return c.Model }

func (c candidate) Embed(ctx context.Context, req *Request) (*Response, error) {
	resp, err := family.Ask(ctx, c.Model, req)
	if err != nil {
		return resp, err
	}
	want := cmp.Or(wanted(ctx), req.Dimensions, len(resp.Embeddings[0]))
	for i, vector := range resp.Embeddings {
		if len(vector) != want {
			return nil, mismatch(resp.Model, failure.Model, "vector %d has %d dimensions, not %d", i, len(vector), want)
		}
	}
	return resp, nil
}
