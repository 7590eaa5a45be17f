package image

import (
	"context"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/lift"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/when"
)

var family = lift.Family[Model, Request, Response]{
	Name:      "image",
	Operation: "generate_content",
	ID:        Model.ID,
	Call:      generate,
	With:      (*Request).With,
	Account: func(r *Response) lift.Account {
		return lift.Account{Model: &r.Model, Usage: r.Usage, Metadata: r.Metadata, Warnings: r.Warnings, ProviderData: r.ProviderData}
	},
}

// generate holds a model to its contract.
func generate(ctx context.Context, m Model, req *Request) (*Response, error) {
	resp, err := m.Generate(ctx, req)
	if err == nil && resp != nil && len(resp.Images) == 0 {
		return nil, &failure.Error{Model: m.ID(), Kind: failure.Unknown, Err: failure.ErrNoImage}
	}
	return resp, err
}

// lifted is a model behind layers.
type lifted struct {
	lift.Down[Model, Request, Response]
}

func (l lifted) Generate(ctx context.Context, req *Request) (*Response, error) {
	return l.Ask(ctx, req)
}

// Lift returns a layer of language models as one of image models: Backoff,
// Timeout, Sticky, Cooldown, telemetry, logging, a breaker, one of your own. Of a
// Timeout the Total counts alone, as nothing is streamed. A layer that looks at an
// answer's content has no use here. Several are chained, the first outermost.
//
// Hooks and conditions that see a request see the *[Request]; an answer they see
// is a *strata.Response whose Raw is the *[Response].
func Lift(layers ...strata.Layer) Layer {
	layer := strata.Chain(layers...)
	return func(next Model) Model {
		if next == nil {
			panic("image.Lift: the model is nil")
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
func Chain(layers ...Layer) Layer { return lift.Chain("image", layers) }

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

// Fallback is [middleware.Fallback] for image models.
func Fallback(models ...Model) Layer { return FallbackWith(models) }

// FallbackWith is [Fallback] with options: [middleware.On].
func FallbackWith(models []Model, opts ...middleware.FallbackOption) Layer {
	return Lift(middleware.FallbackWith(family.Models(models), opts...))
}

// OnRetry is [middleware.OnRetry] for image models: what f returns, unless it is
// nil, overrides the request of that attempt alone.
func OnRetry(f func(context.Context, strata.RetryInfo) *Request) middleware.ObserveOption {
	return family.OnRetry(f)
}

// Result holds for answers that the predicate is true of, as [when.Result] does.
func Result(predicate func(ctx context.Context, resp *Response) bool) when.Condition {
	return family.Result(predicate)
}

// Rules is [middleware.Rules] for image models. A rule is one that retry.Switch or
// retry.Retry makes for them, a Model, middleware.Disabled or
// middleware.RetryBudget; overrides are a [Request]:
//
//	image.Rules(
//		retry.Switch[image.Model](when.NoImage(), other, retry.Set(image.Request{Size: "1024x1024"})),
//		retry.Retry[image.Model](when.Retryable(), retry.Delay(time.Second)),
//	)
func Rules(rules ...middleware.Rule) Layer {
	return Lift(middleware.Rules(family.Rules(rules, func(m Model) Model { return m })...))
}
