package bench_test

import (
	"context"
	"iter"
	"time"

	"go.uber.org/zap"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/logging"
	"github.com/strata-go/strata/middleware/telemetry"
	"github.com/strata-go/strata/refusal"
)

var (
	baseID  = strata.ModelID{Provider: "openai", Name: "base"}
	spareID = strata.ModelID{Provider: "anthropic", Name: "spare"}
	prompt  = strata.Prompt("hello")
)

// bare is a model that answers from memory with no work of its own: n times the
// same text, then a finish.
type bare struct {
	n    int
	text strata.Part // nil: "token"
	id   strata.ModelID
}

func (m bare) ID() strata.ModelID {
	if m.id.IsZero() {
		return baseID
	}
	return m.id
}

var answer = []strata.Content{strata.Text{Text: "token"}}

func (m bare) Generate(context.Context, *strata.Request) (*strata.Response, error) {
	return &strata.Response{Model: m.ID(), Content: answer, FinishReason: strata.FinishStop}, nil
}

var token strata.Part = strata.TextDelta{ID: "0", Text: "token"}

func (m bare) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] {
	text := m.text
	if text == nil {
		text = token
	}
	return func(yield func(strata.Part, error) bool) {
		for range m.n {
			if !yield(text, nil) {
				return
			}
		}
		yield(strata.Finish{Reason: strata.FinishStop, Model: m.ID()}, nil)
	}
}

// waiting is a bare model that asks for the end of its context, as whoever waits for
// a network does.
type waiting struct{ bare }

func (m waiting) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	ctx.Done()
	return m.bare.Generate(ctx, req)
}

// failing is a model that fails at once, with something that another model may
// fix and a second attempt may not: a walk moves on, a retry does not.
type failing struct{ id strata.ModelID }

func (m failing) ID() strata.ModelID { return m.id }

var errGone = &failure.Error{Model: baseID, Kind: failure.Model, Status: 404, Message: "no such model"}

func (m failing) Generate(context.Context, *strata.Request) (*strata.Response, error) {
	return nil, errGone
}

func (m failing) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		if yield(strata.StreamStart{}, nil) {
			yield(nil, errGone)
		}
	}
}

// seven are the layers of the measured stack, outermost first: a walk, retries,
// deadlines, callbacks, the refusal of empty answers, the preamble buffer, and
// the detector of refusals.
func seven(limits ...middleware.TimeoutOption) []strata.Layer {
	limits = append(limits, middleware.Total(time.Hour), middleware.FirstContent(time.Hour))
	return []strata.Layer{
		middleware.Fallback(bare{n: 1, id: spareID}),
		middleware.Backoff(),
		middleware.Timeout(limits...),
		middleware.Observe(middleware.OnError(func(context.Context, strata.AttemptDoneInfo) {})),
		middleware.RequireContent(),
		middleware.Preamble(),
		refusal.Detect(),
	}
}

// layers are the first n of the seven.
func layers(n int) strata.Layer { return strata.Chain(seven()[:n]...) }

// silent is telemetry and logging while nobody listens, which the whole stack
// has above its seven layers: OpenTelemetry is not set up, the logger writes nothing.
func silent() strata.Layer {
	return strata.Chain(telemetry.Layer(), logging.Layer(zap.NewNop()))
}

// whole is the whole stack: the seven layers with telemetry and logging above.
func whole() strata.Layer { return strata.Chain(silent(), layers(7)) }

// wholeIdle is the whole stack with an idle deadline.
func wholeIdle() strata.Layer {
	return strata.Chain(silent(), strata.Chain(seven(middleware.Idle(time.Hour))...))
}
