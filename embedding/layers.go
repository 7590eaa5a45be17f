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
	Call:      embed,
	With:      (*Request).With,
	Account: func(r *Response) lift.Account {
		return lift.Account{Model: &r.Model, Usage: r.Usage, Metadata: r.Metadata, Warnings: r.Warnings, ProviderData: r.ProviderData}
	},
}

// embed holds a model to its contract.
func embed(ctx context.Context, m Model, req *Request) (*Response, error) {
	resp, err := m.Embed(ctx, req)
	if err == nil && resp != nil && len(resp.Embeddings) != len(req.Values) {
		return nil, &failure.Error{Model: m.ID(), Kind: failure.Unknown, Message: fmt.Sprintf("embedding: the model returned %d vectors for %d values", len(resp.Embeddings), len(req.Values))}
	}
	return resp, err
}

// lifted is a model behind layers.
type lifted struct {
	lift.Down[Model, Request, Response]
}

func (l lifted) Embed(ctx context.Context, req *Request) (*Response, error) { return l.Ask(ctx, req) }

// Lift returns a layer of language models as one of embedding models: Backoff,
// Timeout, Sticky, Cooldown, telemetry, logging, a breaker, one of your own. Of a
// Timeout the Total counts alone, as nothing is streamed. A layer that looks at an
// answer's content has no use here.
//
//	model := embedding.Wrap(openai.NewEmbedding("text-embedding-3-small"),
//		embedding.Lift(telemetry.Layer()),
//		embedding.Lift(middleware.Backoff(), middleware.Timeout(middleware.Total(20*time.Second))),
//	)
//
// Several are chained, the first outermost. Hooks and conditions that see a
// request see the *[Request]; an answer they see is a *strata.Response whose Raw is
// the *[Response].
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

// Rules is [middleware.Rules] for embedding models. A rule is one that retry.Switch
// or retry.Retry makes for them, a Model, middleware.Disabled or
// middleware.RetryBudget; overrides are a [Request]:
//
//	embedding.Rules(
//		retry.Switch[embedding.Model](when.Status(529), large, retry.Set(embedding.Request{Dimensions: 1536})),
//		retry.Retry[embedding.Model](when.Retryable(), retry.Delay(time.Second)),
//	)
//
// The dimension of answers is guarded as in [Fallback].
func Rules(rules ...middleware.Rule) Layer { return RulesWith(rules) }

// RulesWith is [Rules] with options: [Dimensions], [AnyDimensions].
func RulesWith(rules []middleware.Rule, opts ...FallbackOption) Layer {
	g := newGuard("Rules", opts)
	layer := Lift(middleware.Rules(family.Rules(rules, g.guard)...))
	return func(next Model) Model { return layer(g.guard(next)) }
}
