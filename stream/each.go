// Package stream has what it takes to read a model's stream safely: [Each] holds
// a model to its contract, [Gate] is the commit gate that retrying and holding
// layers are built on, [Open] is the pull form for callers that must know
// whether a stream begins before they answer themselves, and [Collect] and
// [Replay] turn a stream into a Response and back.
package stream

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/wrap"
)

// Each streams m's answer to req into yield and holds m to the contract of
// [strata.Model], so that a layer need not: yield gets parts that are not nil,
// then either a Finish, at which Each leaves the stream, or exactly one error
// beside a nil part. A stream that just stops is an error of kind network that
// wraps io.ErrUnexpectedEOF, or ctx's own where ctx has ended. A model that
// yields again after false is unwound by a panic that goes no further than
// Each: the outcome that yield has seen stands. Other panics pass through.
//
// If yield returns false, Each returns with nothing more said.
func Each(ctx context.Context, m strata.Model, req *strata.Request, yield func(strata.Part, error) bool) {
	if wrap.Keeps(m) {
		m.Stream(ctx, req)(yield)
		return
	}
	r := reading{model: m, yield: yield}
	r.read(ctx, m.Stream(ctx, req))
}

// Each is the function [Each] for a layer with a gate: once the gate is open it
// hands parts on by itself, and yield gets the Finish or the error alone. It is not
// inlined: what it makes would have the caller's variables on the heap.
//
//go:noinline
func (g *Gate) Each(ctx context.Context, m strata.Model, req *strata.Request, yield func(strata.Part, error) bool) {
	Each(ctx, m, req, func(p strata.Part, err error) bool {
		if !g.open || err != nil {
			return yield(p, err)
		}
		if _, finish := p.(strata.Finish); finish {
			return yield(p, nil)
		}
		g.note(p)
		return g.hand(p)
	})
}

// EachHeld is [Gate.Each] for a layer that has nothing to do any more once the gate is
// open: yield gets nothing then, and the Finish or the error goes to the reader. The
// gate takes note of neither, but of a reader who leaves.
//
//go:noinline
func (g *Gate) EachHeld(ctx context.Context, m strata.Model, req *strata.Request, yield func(strata.Part, error) bool) {
	Each(ctx, m, req, func(p strata.Part, err error) bool {
		if !g.open {
			return yield(p, err)
		}
		if g.yield(p, err) && err == nil {
			return true
		}
		g.left = true
		return false
	})
}

// Generate asks m for a whole answer and makes an error of what a model must not
// return: neither an answer nor an error.
func Generate(ctx context.Context, m strata.Model, req *strata.Request) (*strata.Response, error) {
	resp, err := m.Generate(ctx, req)
	if err != nil {
		return nil, err
	}
	if resp == nil {
		r := reading{model: m}
		return nil, r.broken("Generate returned neither an answer nor an error")
	}
	return resp, nil
}

// reading is one pass over a stream.
type reading struct {
	done     bool // yield is not called again
	over     bool // it has seen the end, or wanted no more: it did not panic
	overrun  bool // the model went on behind that
	panicked bool // yield did, and the model has gone on once
	yield    func(strata.Part, error) bool
	model    strata.Model // nil: not known
}

func (r *reading) read(ctx context.Context, parts iter.Seq2[strata.Part, error]) {
	if parts == nil {
		r.yield(nil, r.broken("Stream returned a nil iterator"))
		return
	}
	r.drain(parts)
	if r.over {
		return
	}
	err := ctx.Err()
	if err == nil {
		err = r.stopped() // of its own accord, or as it recovered a panic of yield's
	}
	r.done, r.over = true, true
	r.yield(nil, err)
}

// drain reads the parts, and unwinds a model that goes on when it was told to stop.
func (r *reading) drain(parts iter.Seq2[strata.Part, error]) {
	defer func() {
		if !r.overrun {
			return // and a panic, if there is one, goes on as it is
		}
		if p := recover(); p != nil && p != any(errOverrun) {
			panic(p)
		}
	}()
	parts(r.next)
}

func (r *reading) id() (id strata.ModelID) {
	if r.model != nil {
		id = r.model.ID()
	}
	return id
}

// stopped is the failure of a stream that just stops. It stands apart, as does broken,
// for the stack's sake: see noteUsage.
//
//go:noinline
func (r *reading) stopped() error {
	return &failure.Error{Model: r.id(), Kind: failure.Network, Message: "the stream stopped without a finish", Err: io.ErrUnexpectedEOF}
}

// broken is the failure of a model that does not keep its contract.
//
//go:noinline
func (r *reading) broken(how string) error {
	return &failure.Error{Model: r.id(), Kind: failure.Unknown, Message: how}
}

var errOverrun = errors.New("stream: the model yielded a part after it was told to stop")

func (r *reading) next(p strata.Part, err error) bool {
	switch {
	case r.done && !r.over && !r.panicked:
		r.panicked = true // what panics in yield goes on behind a deferred call, if it is not recovered
		return false
	case r.done:
		r.overrun = true
		panic(errOverrun)
	case err == nil && p != nil:
		if _, finish := p.(strata.Finish); finish {
			break
		}
		if r.yield(p, nil) {
			return true
		}
		r.done, r.over = true, true
		return false
	case err == io.EOF: // an end that is not a finish
		p, err = nil, r.stopped()
	case err != nil:
		p = nil
	default:
		err = r.broken("Stream yielded neither a part nor an error")
	}
	r.done = true
	r.yield(p, err)
	r.over = true
	return false
}
