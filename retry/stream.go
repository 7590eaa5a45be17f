package retry

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/limits"
)

// DefaultMaxElements is how many elements [Stream] holds unless told otherwise.
const DefaultMaxElements = 1024

// A StreamOption sets something of [Stream].
type StreamOption[P any] func(*streamConfig[P])

type streamConfig[P any] struct {
	commits func(P) bool
	max     int
	first   time.Duration
}

// Commits says which elements commit a stream: the leading ones that do not are
// held, so that an attempt that fails among them leaves nothing behind. By
// default every element commits.
func Commits[P any](f func(P) bool) StreamOption[P] {
	if f == nil {
		panic("retry.Commits(nil): the function is nil")
	}
	return func(c *streamConfig[P]) { c.commits = f }
}

// MaxElements bounds the elements that are held, 1,024 by default. A stream that
// outgrows the bound is handed on as it is, which commits it.
func MaxElements[P any](n int) StreamOption[P] {
	if n < 1 {
		panic(fmt.Sprintf("retry.MaxElements(%d): the count is less than 1", n))
	}
	return func(c *streamConfig[P]) { c.max = n }
}

// FirstElement limits the time from the start of an attempt to its first element
// that commits, so that a stream that stalls is followed by the next attempt and
// one that goes on is not cut. None by default.
func FirstElement[P any](d time.Duration) StreamOption[P] {
	mustNotBeNegative("FirstElement", d)
	return func(c *streamConfig[P]) { c.first = d }
}

// Stream is [Call] for code whose SDK streams: f returns the stream of one
// attempt, which ends with its first error. An attempt that fails before an
// element that commits (see [Commits]) was handed on is followed by the next,
// and leaves nothing behind; after that point the error is the reader's, as an
// [*Error] with [ReasonCommitted] even after one attempt, unless the caller ended
// the call. A stream that ends without an error is whole.
//
// The sequence is lazy, and ranging again makes a new call. Each attempt has a
// context of its own that ends when its stream does, at the latest when the
// reader leaves. A timeout of the policy limits the whole of an attempt's stream.
func Stream[M, P any](ctx context.Context, p Policy[M], f func(ctx context.Context, try Attempt[M]) iter.Seq2[P, error], opts ...StreamOption[P]) iter.Seq2[P, error] {
	p.check("Stream", f == nil)
	c := streamConfig[P]{commits: func(P) bool { return true }, max: DefaultMaxElements}
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("retry.Stream: option %d is nil", i))
		}
		opt(&c)
	}
	return func(yield func(P, error) bool) {
		g := &gate[P]{streamConfig: c, yield: yield}
		loop := Loop[M, []P]{Layer: "retry", ID: p.id}
		_, err := loop.Run(ctx, planOf[M, []P](p), nil, func(ctx context.Context, a Attempt[M]) Outcome[[]P] {
			id := p.id(a.Model)
			g.asked = append(g.asked, id)
			l := limits.Begin(ctx, id)
			defer l.End()
			ctx = l
			first := l.After(failure.LimitFirstContent, c.first)
			err := g.attempt(f(ctx, a), func() error {
				if first != nil && !first.Stop() {
					l.Expire(failure.LimitFirstContent, c.first) // at the very moment of the limit
				}
				if l.Reached() {
					return ctx.Err()
				}
				a.Commit()
				return nil
			})
			if err == nil && !g.left {
				err = ctx.Err() // a stream that just ends with its context was cut
			}
			if timeout := l.Explain(err); err != nil && timeout != nil {
				err = timeout
			}
			return Outcome[[]P]{Result: g.held, Err: err, Final: g.open, Left: g.left}
		})
		switch {
		case err == nil:
			g.flush()
		case !g.left:
			var none P
			if g.open && len(g.asked) == 1 && ctx.Err() == nil {
				err = &Error{Layer: loop.Layer, Errs: []error{err}, Models: g.asked, Reason: ReasonCommitted}
			}
			yield(none, err)
		}
	}
}

// gate holds the leading elements of a stream until one commits.
type gate[P any] struct {
	streamConfig[P]
	yield func(P, error) bool
	held  []P
	asked []strata.ModelID // one an attempt
	open  bool             // something was handed on
	left  bool             // the reader wants no more
}

// attempt reads one stream and returns its error, or that of commit, which is
// called when the gate is about to open.
func (g *gate[P]) attempt(stream iter.Seq2[P, error], commit func() error) error {
	g.held = nil
	if stream == nil {
		return errNoStream
	}
	for p, err := range stream {
		if err != nil {
			return err
		}
		if !g.open && !g.commits(p) && len(g.held) < g.max {
			g.held = append(g.held, p)
			continue
		}
		if !g.open {
			if err := commit(); err != nil {
				return err
			}
		}
		if !g.flush() || !g.hand(p) {
			return nil
		}
	}
	return nil
}

// flush hands on what is held.
func (g *gate[P]) flush() bool {
	g.open = true
	held := g.held
	g.held = nil
	for _, p := range held {
		if !g.hand(p) {
			return false
		}
	}
	return !g.left
}

func (g *gate[P]) hand(p P) bool {
	if !g.left && !g.yield(p, nil) {
		g.left = true
	}
	return !g.left
}
