package embedding

import (
	"context"
	"fmt"

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
// the call, with the values it was about. All answers must be those of one model,
// as vectors of several do not compare: where a Fallback below changes the model
// between them, the call fails with kind model. Put Fallback above Batch to have
// the whole call walk.
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
		return embed(ctx, b.next, req)
	}
	var all Response
	for from := 0; from < len(req.Values); from += b.size {
		to := min(from+b.size, len(req.Values))
		part := req.Clone()
		part.Values = part.Values[from:to]
		resp, err := embed(ctx, b.next, part)
		if err != nil {
			return nil, fmt.Errorf("embedding: values %d to %d of %d: %w", from, to-1, len(req.Values), err)
		}
		if from == 0 {
			all = *resp
			all.Embeddings = append(make([][]float32, 0, len(req.Values)), resp.Embeddings...)
			continue
		}
		if resp.Model != all.Model {
			return nil, &failure.Error{Model: resp.Model, Kind: failure.Model, Message: fmt.Sprintf("embedding: values %d to %d were answered by another model than those before, %s", from, to-1, all.Model)}
		}
		all.Embeddings = append(all.Embeddings, resp.Embeddings...)
		all.Usage = all.Usage.Add(resp.Usage)
		all.Warnings = append(all.Warnings[:len(all.Warnings):len(all.Warnings)], resp.Warnings...)
	}
	all.Raw = nil // there are several
	return &all, nil
}
