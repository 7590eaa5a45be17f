package embedding

import (
	"context"
	"fmt"
	"slices"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// Batch splits the values of a request that has more than the model takes in one
// into requests of at most that many, and puts the vectors together in the order
// of the values. The limit is what the model says by a method BatchLimit() int,
// whatever layers it stands behind, unless [BatchSize] gives one; without either
// nothing is split.
//
//	embedding.Wrap(model, embedding.Batch(), embedding.Backoff())
//
// The requests are made one after the other, and each passes the layers below
// Batch by itself: one that fails is retried alone. What fails in the end fails
// the call, with the values it was about, counted from 0; once ctx has ended no
// further one is made. All answers must be those
// of one model, its accounts aside, as vectors of several do not compare: where a
// Fallback below changes the model between them, the call fails with kind model.
// Put Fallback above Batch to have the whole call walk, and give each candidate a
// Batch of its own, as each has a limit of its own:
//
//	each := embedding.Chain(embedding.Batch(), embedding.Backoff())
//	model := embedding.Wrap(each(small), embedding.Fallback(each(other)))
//
// Usage is the sum, and warnings are those of all the requests, each once; metadata
// and provider data are those of the first, and Raw is nil.
func Batch(opts ...BatchOption) Layer {
	var c batchConfig
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("embedding.Batch: option %d is nil", i))
		}
		opt(&c)
	}
	return func(next Model) Model {
		if next == nil {
			panic("embedding.Batch: the model is nil")
		}
		size := c.size
		if size == 0 {
			if m, ok := As[interface{ BatchLimit() int }](next); ok {
				size = m.BatchLimit()
			}
		}
		if size <= 0 {
			return next
		}
		return &batch{next, size}
	}
}

// A BatchOption sets something of [Batch].
type BatchOption func(*batchConfig)

// BatchSize sets how many values a request has at most.
func BatchSize(n int) BatchOption {
	if n < 1 {
		panic(fmt.Sprintf("embedding.BatchSize(%d): the count is less than 1", n))
	}
	return func(c *batchConfig) { c.size = n }
}

type batchConfig struct{ size int }

type batch struct {
	next Model
	size int
}

func (b *batch) ID() strata.ModelID { return b.next.ID() }
func (b *batch) Unwrap() Model      { return b.next }

func (b *batch) Embed(ctx context.Context, req *Request) (*Response, error) {
	if req == nil || len(req.Values) <= b.size {
		return family.Ask(ctx, b.next, req)
	}
	var all *Response
	for from := 0; from < len(req.Values); from += b.size {
		to := min(from+b.size, len(req.Values))
		resp, err := b.part(ctx, req, from, to)
		if err == nil {
			all, err = join(all, resp, len(req.Values))
		}
		if err != nil {
			return nil, fmt.Errorf("embedding: values %d to %d of %d: %w", from, to-1, len(req.Values), err)
		}
	}
	return all, nil
}

// part asks for the values between two.
func (b *batch) part(ctx context.Context, req *Request, from, to int) (*Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err // the model may not look
	}
	part := *req // which nobody changes
	part.Values = req.Values[from:to:to]
	return family.Ask(ctx, b.next, &part)
}

// join adds the answer of a part to those of the parts before it, which are none
// at first. There are count values in all.
func join(all, part *Response, count int) (*Response, error) {
	if all == nil {
		first := *part
		first.Embeddings, first.Warnings, first.Usage = make([][]float32, 0, count), nil, strata.Usage{}
		first.Raw = nil // there are several
		all = &first
	}
	if all.Model != part.Model {
		a, b := all.Model, part.Model
		if a.Account, b.Account = "", ""; a != b {
			return nil, &failure.Error{Model: part.Model, Kind: failure.Model, Message: "another model answered the values before, " + all.Model.String()}
		}
		all.Model = a
	}
	all.Embeddings = append(all.Embeddings, part.Embeddings...)
	all.Usage = all.Usage.Add(part.Usage)
	for _, w := range part.Warnings {
		if !slices.Contains(all.Warnings, w) {
			all.Warnings = append(all.Warnings, w)
		}
	}
	return all, nil
}
