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
	Call:      Model.Generate,
	Lacks:     lacks,
	With:      (*Request).With,
	Account: func(r *Response) lift.Account {
		return lift.Account{Model: &r.Model, Usage: &r.Usage, Metadata: &r.Metadata, Warnings: &r.Warnings, ProviderData: &r.ProviderData}
	},
}

// lacks says what keeps an answer from being one: an image.
func lacks(_ *Request, resp *Response) error {
	if len(resp.Images) == 0 {
		return failure.ErrNoImage
	}
	return nil
}

// lifted is a model behind layers.
type lifted struct {
	lift.Down[Model, Request, Response]
}

func (l lifted) Generate(ctx context.Context, req *Request) (*Response, error) {
	return l.Ask(ctx, req)
}

// Lift returns a layer of language models as one of image models: Backoff,
// Timeout, Sticky, Cooldown, telemetry, logging, a breaker, one of your own.
//
//	model := image.Wrap(openai.NewImage("gpt-image-1"),
//		image.Lift(telemetry.Layer()),
//		image.Lift(middleware.Backoff(), middleware.Timeout(middleware.Total(2*time.Minute))),
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
//     call by req.With(&strata.Request{Raw: &image.Request{…}}), whose fields
//     that are not zero replace the call's.
//   - Of a Timeout the Total alone binds, as nothing is streamed. A layer that looks
//     at an answer's content has no use here: RequireContent would reject them all.
//   - Models that a layer was given, as middleware.Fallback is, must be of the family:
//     use the constructors of this package.
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
	return Lift(middleware.FallbackWith(family.Models("Fallback", models, nil), opts...))
}

// KeyPool is [middleware.KeyPool]: one model of several keys or accounts.
func KeyPool(keys ...Model) Model { return KeyPoolWith(keys) }

// KeyPoolWith is [KeyPool] with the options of [middleware.KeyPoolWith]. For
// NextTier use that of this package.
func KeyPoolWith(keys []Model, opts ...middleware.KeyPoolOption) Model {
	return lifted{family.KeyPool(keys, opts, nil)}
}

// NextTier is [middleware.NextTier] for image models.
func NextTier(keys ...Model) middleware.KeyPoolOption {
	return middleware.NextTier(family.Models("NextTier", keys, nil)...)
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

// Rules is [middleware.Rules] for image models. A rule is a Model, one that
// retry.Switch or retry.Retry makes for them, one of package when that names no
// model, middleware.Disabled or middleware.RetryBudget; overrides are a [Request]:
//
//	image.Rules(
//		retry.Switch[image.Model](when.NoImage(), other, retry.Set(image.Request{Size: "1024x1024"})),
//		when.Retryable().Retry(retry.Delay(time.Second)),
//	)
func Rules(rules ...middleware.Rule) Layer {
	return Lift(middleware.Rules(family.Rules(rules, nil)...))
}
