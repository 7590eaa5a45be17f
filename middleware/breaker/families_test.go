package breaker_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/embedding"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/image"
	"github.com/strata-go/strata/middleware/breaker"
)

// flaky is a model of both families, which fails while it is down.
type flaky struct {
	down  bool
	calls int
}

func (*flaky) ID() strata.ModelID { return strata.ModelID{Provider: "openai", Name: "a"} }

func (f *flaky) call() error {
	if f.calls++; f.down {
		return &failure.Error{Model: f.ID(), Kind: failure.Overload}
	}
	return nil
}

type embedder struct{ *flaky }

func (e embedder) Embed(context.Context, *embedding.Request) (*embedding.Response, error) {
	return &embedding.Response{Model: e.ID(), Embeddings: [][]float32{{1}}}, e.call()
}

type painter struct{ *flaky }

func (p painter) Generate(context.Context, *image.Request) (*image.Response, error) {
	return &image.Response{Model: p.ID(), Images: make([]strata.Image, 1)}, p.call()
}

func TestOtherFamilies(t *testing.T) {
	for family, wrap := range map[string]func(*flaky) func(context.Context) error{
		"embedding": func(f *flaky) func(context.Context) error {
			m := embedding.Lift(breaker.New(breaker.Failures(2)))(embedder{f})
			return func(ctx context.Context) error {
				_, err := m.Embed(ctx, &embedding.Request{Values: []string{"a"}})
				return err
			}
		},
		"image": func(f *flaky) func(context.Context) error {
			m := image.Lift(breaker.New(breaker.Failures(2)))(painter{f})
			return func(ctx context.Context) error { _, err := m.Generate(ctx, &image.Request{}); return err }
		},
	} {
		t.Run(family, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &flaky{down: true}
				ask := wrap(f)
				for range 3 {
					assert.Equal(t, failure.Overload, failure.Of(ask(t.Context())))
				}
				assert.Equal(t, 2, f.calls, "the third is not asked")
				assert.ErrorIs(t, ask(t.Context()), failure.ErrNotAsked)
				f.down = false
				time.Sleep(breaker.DefaultOpenFor + time.Nanosecond)
				assert.NoError(t, ask(t.Context()))
				assert.NoError(t, ask(t.Context()))
			})
		})
	}
}
