package redis_test

import (
	"context"
	"iter"
	"sync/atomic"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/state"
)

// light is a model that costs next to nothing: it answers, or is overloaded.
type light struct {
	id    strata.ModelID
	down  bool
	asked atomic.Int64
}

func newLight(name string, down bool) *light {
	return &light{id: strata.ModelID{Provider: "test", Name: name}, down: down}
}

func (m *light) ID() strata.ModelID { return m.id }

func (m *light) Generate(context.Context, *strata.Request) (*strata.Response, error) {
	m.asked.Add(1)
	if m.down {
		return nil, &failure.Error{Model: m.id, Kind: failure.Overload, Status: 529}
	}
	return &strata.Response{Model: m.id, FinishReason: strata.FinishStop}, nil
}

func (m *light) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		if _, err := m.Generate(ctx, req); err != nil {
			yield(nil, err)
			return
		}
		_ = yield(strata.TextDelta{ID: "0", Text: "hi"}, nil) && yield(strata.Finish{Model: m.id, Reason: strata.FinishStop}, nil)
	}
}

// stack is what a replica has: a base that is down or not, and what to fall back on.
func stack(base *light, store state.Store, requests int) strata.Model {
	return strata.Wrap(base,
		middleware.Sticky(middleware.ForRequests(requests), middleware.Store(store)),
		middleware.Fallback(newLight("spare", false)))
}
