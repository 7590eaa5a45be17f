package embedding

import (
	"context"
	"fmt"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/lift"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/when"
)

var family = lift.Family[Model, Request, Response]{
	Name:      "embedding",
	Operation: "embeddings",
	ID:        Model.ID,
	Call:      call,
	Lacks:     lacks,
	With:      (*Request).With,
	Account: func(r *Response) lift.Account {
		return lift.Account{Model: &r.Model, Usage: &r.Usage, Metadata: &r.Metadata, Warnings: &r.Warnings, ProviderData: &r.ProviderData}
	},
}

// call makes one call of m, unless there is nothing to ask.
func call(m Model, ctx context.Context, req *Request) (*Response, error) {
	switch {
	case len(req.Values) == 0:
		return nil, &failure.Error{Model: m.ID(), Kind: failure.Invalid, Message: "embedding: there are no values to embed"}
	case req.Dimensions < 0:
		return nil, &failure.Error{Model: m.ID(), Kind: failure.Invalid, Message: fmt.Sprintf("embedding: a vector has no %d dimensions", req.Dimensions)}
	}
	return m.Embed(ctx, req)
}

// lacks says what keeps an answer from being one: each value has a vector.
func lacks(req *Request, resp *Response) error {
	if len(resp.Embeddings) != len(req.Values) {
		return fmt.Errorf("the model returned %d vectors for %d values", len(resp.Embeddings), len(req.Values))
	}
	for i, vector := range resp.Embeddings {
		if len(vector) == 0 {
			return fmt.Errorf("the model returned an empty vector for value %d", i)
		}
	}
	return nil
}

// lifted is a model behind layers.
type lifted struct {
	lift.Down[Model, Request, Response]
}

func (l lifted) Embed(ctx context.Context, req *Request) (*Response, error) { return l.Ask(ctx, req) }

// Lift returns a layer of language models as one of embedding models: Backoff,
// Timeout, Sticky, Cooldown, telemetry, logging, a breaker, one of your own.
//
//	model := embedding.Wrap(openai.NewEmbedding("text-embedding-3-small"),
//		embedding.Lift(telemetry.Layer()),
//		embedding.Lift(middleware.Backoff(), middleware.Timeout(middleware.Total(20*time.Second))),
//	)
//
// Several are chained, the first outermost. The layer sees a strata.Request that
// carries the call in its Raw, and an answer without content whose Raw is the
// *[Response]:
//
//   - Hooks and conditions that see a request see the *[Request].
//   - What a layer makes of an answer's model, usage, metadata, warnings and provider
//     data arrives.
//   - A layer that edits fields of the strata.Request changes nothing. It changes the
//     call by req.With(&strata.Request{Raw: &embedding.Request{…}}), whose fields
//     that are not zero replace the call's.
//   - Of a Timeout the Total alone binds, as nothing is streamed. A layer that looks
//     at an answer's content has no use here: RequireContent would reject them all.
//   - Models that a layer was given, as middleware.Fallback is, must be of the family:
//     use the constructors of this package.
func Lift(layers ...strata.Layer) Layer {
	layer := strata.Chain(layers...)
	return func(next Model) Model {
		if next == nil {
			panic("embedding.Lift: the model is nil")
		}
		return lifted{family.Down(layer, next)}
	}
}

// Chain composes layers into one; the first is the outermost:
//
//	Chain(a, b, c)(m) == a(b(c(m)))
//
// The empty chain is the identity. A nil layer panics at once, one that turns a
// model into nil when it is applied.
func Chain(layers ...Layer) Layer { return lift.Chain("embedding", layers) }

// Wrap puts layers around m, the first outermost: Chain(layers...)(m).
func Wrap(m Model, layers ...Layer) Model { return Chain(layers...)(m) }

// As returns the first model that is a T, looking at m and then down the models
// it wraps, as [strata.As] does.
func As[T any](m Model) (T, bool) { return lift.As[T](m) }

// Backoff is [middleware.Backoff].
func Backoff(opts ...middleware.BackoffOption) Layer { return Lift(middleware.Backoff(opts...)) }

// Timeout is [middleware.Timeout]; [middleware.Total] is the limit that binds.
func Timeout(opts ...middleware.TimeoutOption) Layer { return Lift(middleware.Timeout(opts...)) }

// Sticky is [middleware.Sticky].
func Sticky(opts ...middleware.StickyOption) Layer { return Lift(middleware.Sticky(opts...)) }

// Cooldown is [middleware.Cooldown].
func Cooldown(opts ...middleware.CooldownOption) Layer { return Lift(middleware.Cooldown(opts...)) }

// Observe is [middleware.Observe]. For OnRetry use that of this package.
func Observe(opts ...middleware.ObserveOption) Layer { return Lift(middleware.Observe(opts...)) }

// OnRetry is [middleware.OnRetry] for embedding models: what f returns, unless it
// is nil, overrides the request of that attempt alone.
func OnRetry(f func(context.Context, strata.RetryInfo) *Request) middleware.ObserveOption {
	return family.OnRetry(f)
}

// Result holds for answers that the predicate is true of, as [when.Result] does.
func Result(predicate func(ctx context.Context, resp *Response) bool) when.Condition {
	return family.Result(predicate)
}

// KeyPool is [middleware.KeyPool]: one model of several keys or accounts. The
// dimension of answers is guarded as in [Fallback].
func KeyPool(keys ...Model) Model { return KeyPoolWith(keys) }

// KeyPoolWith is [KeyPool] with the options of [middleware.KeyPoolWith]. For
// NextTier use that of this package.
func KeyPoolWith(keys []Model, opts ...middleware.KeyPoolOption) Model {
	var c walkConfig
	return c.guard(lifted{family.KeyPool(keys, opts, c.candidate)})
}

// NextTier is [middleware.NextTier] for embedding models.
func NextTier(keys ...Model) middleware.KeyPoolOption {
	return middleware.NextTier(family.Models("NextTier", keys, new(walkConfig).candidate)...)
}
