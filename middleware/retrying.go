package middleware

import (
	"context"
	"errors"
	"iter"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/own"
	"github.com/strata-go/strata/internal/wrap"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/stream"
)

type (
	plan    = retry.Plan[strata.Model, *strata.Response]
	attempt = retry.Attempt[strata.Model]
	outcome = retry.Outcome[*strata.Response]
)

// retrying is the one wrapper behind every layer that makes attempts. The layers
// differ in their plans.
type retrying struct {
	own.Context
	wrap.Model
	loop     retry.Loop[strata.Model, *strata.Response]
	maxParts int
	plan     func(*strata.Request) plan // anew for each call
}

func newRetrying(layer string, next strata.Model, maxParts int, plan func(*strata.Request) plan) *retrying {
	loop := retry.Loop[strata.Model, *strata.Response]{Layer: layer, ID: strata.Model.ID}
	return &retrying{Model: wrap.Over(next), loop: loop, maxParts: maxParts, plan: plan}
}

func (r *retrying) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	return r.loop.Run(ctx, r.plan(req), bare(req), func(ctx context.Context, a attempt) outcome {
		req := override(req, a.Overrides)
		resp, err := stream.Generate(ctx, a.Model, req)
		if err != nil {
			return outcome{Err: stream.Cause(err), Request: bare(req)}
		}
		return outcome{Result: resp, Request: bare(req), FinishReason: resp.FinishReason, Usage: resp.Usage}
	})
}

func (r *retrying) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		gate := stream.NewGate(yield, r.maxParts)
		_, err := r.loop.Run(ctx, r.plan(req), bare(req), func(ctx context.Context, a attempt) (out outcome) {
			streamAttempt(ctx, &a, override(req, a.Overrides), gate, &out)
			return out
		})
		end(gate, err)
	}
}

// end hands on what the gate holds of an accepted answer, or the error of the call.
func end(gate *stream.Gate, err error) {
	switch {
	case err == nil:
		gate.Flush()
	case gate.Opened():
		gate.Fail(committed(err, gate.Usage()))
	default:
		gate.Fail(err)
	}
}

// override lays the overrides of an attempt over the request. What is no
// *strata.Request is that of another family of models, whose call the request may
// carry: see package embedding.
func override(req *strata.Request, overrides []any) *strata.Request {
	for _, o := range overrides {
		by, ok := o.(*strata.Request)
		if !ok && carried(req) != nil {
			by = &strata.Request{Raw: o}
		}
		if by != nil {
			req = req.With(by)
		}
	}
	return req
}

// carried returns the call of another family that the request carries, or nil.
func carried(req *strata.Request) interface{ Bare() any } {
	if req == nil {
		return nil
	}
	c, _ := req.Raw.(interface{ Bare() any })
	return c
}

// bare is the request as hooks and conditions see it.
func bare(req *strata.Request) any {
	if c := carried(req); c != nil {
		return c.Bare()
	}
	return req
}

// streamAttempt streams one attempt into the gate. It is final once the gate is
// open; before, what the gate holds of a finished stream is a Response that the
// plan may judge.
func streamAttempt(ctx context.Context, a *attempt, req *strata.Request, gate *stream.Gate, out *outcome) {
	ctx, cancel := own.Of(ctx, a.Model)
	defer cancel()
	gate.Begin(a.Commit)
	var failed error
	gate.Each(ctx, a.Model, req, func(p strata.Part, err error) bool {
		if err != nil {
			failed = err
			return false
		}
		return gate.Push(p)
	})
	out.Err, out.Request = failed, req
	concluded(a, gate, out)
}

// concluded finds what came of an attempt whose stream has ended.
func concluded(a *attempt, gate *stream.Gate, out *outcome) {
	out.Final, out.Left = gate.Opened(), gate.Left()
	if finish := gate.Finish(); finish != nil {
		out.FinishReason, out.Usage = finish.Reason, finish.Usage
		out.Left = false // a reader who leaves at the Finish has the whole answer
	} else if usage := gate.Usage(); usage != nil {
		out.Usage = *usage
	}
	switch {
	case out.Err != nil && a.Number == 1 && out.Final:
		// The error goes to the caller as it is, marked already or yet to be.
	case out.Err != nil:
		out.Err = stream.Cause(out.Err)
	case !out.Final:
		out.Result = gate.Response()
	}
}

// committed marks err, unless a layer below has. The mark is outside a walk.
func committed(err error, usage *strata.Usage) error {
	if walk, ok := err.(*retry.Error); ok {
		bare := *walk
		bare.Errs = make([]error, len(walk.Errs))
		for i, e := range walk.Errs {
			bare.Errs[i] = stream.Cause(e)
		}
		return &stream.CommittedError{Err: &bare, Usage: usage}
	}
	if _, ok := errors.AsType[*stream.CommittedError](err); ok {
		return err
	}
	return &stream.CommittedError{Err: err, Usage: usage}
}
