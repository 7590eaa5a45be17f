package embedding

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
)

// ErrDimensions is the cause of a failure of a model whose vectors have another
// dimension than those that were handed on before.
var ErrDimensions = errors.New("vectors of another dimension would corrupt an index")

// Fallback is [middleware.Fallback] for embedding models, with one thing more:
// vectors of different dimensions cannot be compared, and an index that gets both
// is corrupt. So the first answer that is handed on settles the dimension, unless
// the request or [Dimensions] does, and a model that answers with another one has
// failed, of kind model with the cause [ErrDimensions]: the walk goes on.
// [AnyDimensions] allows it. Vectors of different models do not compare even where
// their dimensions are the same: Response.Model says whose they are.
func Fallback(models ...Model) Layer { return FallbackWith(models) }

// FallbackWith is [Fallback] with options: [Dimensions], [AnyDimensions], [On].
func FallbackWith(models []Model, opts ...FallbackOption) Layer {
	g := newGuard("Fallback", opts)
	guarded := make([]Model, len(models))
	for i, m := range models {
		guarded[i] = g.guard(m)
	}
	layer := Lift(middleware.FallbackWith(family.Models(guarded), g.walk...))
	return func(next Model) Model { return layer(g.guard(next)) }
}

// A FallbackOption sets something of [FallbackWith] and [RulesWith].
type FallbackOption func(*guard)

// Dimensions settles the dimension beforehand, as that of the index.
func Dimensions(n int) FallbackOption {
	if n < 1 {
		panic(fmt.Sprintf("embedding.Dimensions(%d): the count is less than 1", n))
	}
	return func(g *guard) { g.settled.Store(int64(n)) }
}

// AnyDimensions lets answers have whatever dimension they have.
func AnyDimensions() FallbackOption { return func(g *guard) { g.off = true } }

// On is [middleware.On]; it has no effect on rules.
func On(kinds ...failure.Kind) FallbackOption {
	option := middleware.On(kinds...)
	return func(g *guard) { g.walk = append(g.walk, option) }
}

// guard holds the candidates of a walk to one dimension.
type guard struct {
	settled atomic.Int64 // 0: not yet
	off     bool
	walk    []middleware.FallbackOption
}

func newGuard(layer string, opts []FallbackOption) *guard {
	g := &guard{}
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("embedding.%s: option %d is nil", layer, i))
		}
		opt(g)
	}
	return g
}

func (g *guard) guard(m Model) Model {
	if g.off || m == nil {
		return m
	}
	return &guarded{m, g}
}

type guarded struct {
	Model
	guard *guard
}

func (m *guarded) Unwrap() Model { return m.Model }

func (m *guarded) Embed(ctx context.Context, req *Request) (*Response, error) {
	resp, err := embed(ctx, m.Model, req)
	if err != nil || resp == nil {
		return resp, err
	}
	for _, vector := range resp.Embeddings {
		if want := m.guard.want(req, len(vector)); len(vector) != want {
			return nil, &failure.Error{
				Model: resp.Model, Kind: failure.Model, Err: ErrDimensions,
				Message: fmt.Sprintf("embedding: the vectors have %d dimensions, not %d", len(vector), want),
			}
		}
	}
	return resp, nil
}

// want returns the dimension that a vector must have, which this one may settle.
func (g *guard) want(req *Request, has int) int {
	if req.Dimensions > 0 {
		return req.Dimensions
	}
	g.settled.CompareAndSwap(0, int64(has))
	return int(g.settled.Load())
}
