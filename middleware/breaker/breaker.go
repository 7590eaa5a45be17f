// Package breaker is a circuit breaker for models, over
// github.com/sony/gobreaker/v2: a model that keeps failing is left alone for a
// while, and then tried with one call.
//
//	each := strata.Chain(breaker.New(), middleware.Backoff(), middleware.Timeout(middleware.FirstContent(8*time.Second)))
//	model := strata.Wrap(each(gpt), middleware.Fallback(each(claude)))
//
// It is a module of its own, so that programs without one do not need gobreaker.
package breaker

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/bench"
	"github.com/strata-go/strata/internal/wrap"
	"github.com/strata-go/strata/state"
	"github.com/strata-go/strata/stream"
)

// The defaults of a breaker.
const (
	DefaultFailures = 5
	DefaultOpenFor  = 30 * time.Second
)

// trendBuckets are the steps in which the window of [Trip] moves on.
const trendBuckets = 10

// New returns a layer that gives each model a circuit breaker. After a number of
// failures in a row it is open for a while: calls fail at once, with a
// [*failure.Error] of kind overload whose RetryAfter is the time left and whose
// cause is [failure.ErrNotAsked], so that a walk passes the model over. Then it
// is half-open: one call is let through, and the others are told to come back in
// a second until it is judged.
//
// What counts is the health of the provider:
//
//	failures       timeout, network, overload, rate
//	successes      an answer; a refusal, which is one (content)
//	neither        all else: invalid and context are the request's; quota, auth,
//	               entitlement and model are the account's, which another
//	               call does not heal and middleware.Cooldown knows how to leave
//	               alone; nobody knows whose unknown is
//
// Neither is what the caller's own cancel or deadline ended, whichever layer above
// it came from, nor a reader who leaves, nor a panic: they free the half-open
// breaker for another call. So put Timeout below the breaker. Put Backoff below it
// too, where a walk stands above: one that is above waits until the breaker is
// half-open.
//
// A stream is judged when it ends; one that fails behind its commit point is a
// failure. The one that a half-open breaker let through is judged at its commit
// point, so that others need not wait for its end, and once more if it fails
// behind that.
//
// Each model that the layer makes has a breaker of its own. With a [Store] they
// share what is open.
func New(opts ...Option) strata.Layer {
	c := config{open: DefaultOpenFor, kinds: []failure.Kind{failure.Timeout, failure.Network, failure.Overload, failure.Rate}}
	Failures(DefaultFailures)(&c)
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("breaker.New: option %d is nil", i))
		}
		opt(&c)
	}
	return func(next strata.Model) strata.Model {
		if next == nil {
			panic("breaker.New: the model is nil")
		}
		return newBreaker(next, c)
	}
}

// An Option sets something of [New].
type Option func(*config)

// Failures opens the breaker after n failures in a row, 5 by default.
func Failures(n int) Option {
	if n < 1 {
		panic(fmt.Sprintf("breaker.Failures(%d): the count is less than 1", n))
	}
	return Trip(0, func(c gobreaker.Counts) bool { return int64(c.ConsecutiveFailures) >= int64(n) })
}

// Trip opens the breaker by a rule of the caller's own in place of [Failures]. It
// is asked after each failure while the breaker is closed, with the counts of the
// last window, which moves on in tenths; 0 counts all since the breaker was
// closed. The outcome of a call that takes longer than the window does not count.
// The rule must not call the model.
func Trip(window time.Duration, rule func(gobreaker.Counts) bool) Option {
	if window < 0 {
		panic(fmt.Sprintf("breaker.Trip(%v): the window is negative", window))
	}
	if rule == nil {
		panic("breaker.Trip: the rule is nil")
	}
	return func(c *config) { c.window, c.trip = window, rule }
}

// OpenFor is how long an open breaker stays so, 30 s by default.
func OpenFor(d time.Duration) Option {
	if d <= 0 {
		panic(fmt.Sprintf("breaker.OpenFor(%v): the duration is not positive", d))
	}
	return func(c *config) { c.open = d }
}

// On makes these kinds failures, and no others.
func On(kinds ...failure.Kind) Option {
	for _, k := range kinds {
		if !slices.Contains(failure.Kinds(), k) {
			panic(fmt.Sprintf("breaker.On(%q): there is no such kind", string(k)))
		}
	}
	kinds = slices.Clone(kinds)
	return func(c *config) { c.kinds = kinds }
}

// Store shares open breakers with all that are given the same store, by the ID of
// the model: what one opens is open for all, and when its time is over one call of
// them all is let through, and another beside it if it is not judged within five
// minutes. Failures are counted by each for itself. A call reads the store once, and
// not at all while it knows the breaker to be open; one that opens or closes it
// writes it. A store that fails never fails a call: each breaker then goes by what
// it knows itself.
func Store(s state.Store) Option {
	if s == nil {
		panic("breaker.Store(nil): the store is nil")
	}
	return func(c *config) { c.store = s }
}

type config struct {
	window time.Duration
	trip   func(gobreaker.Counts) bool
	open   time.Duration
	kinds  []failure.Kind
	store  state.Store // nil: not shared
}

const layer = "breaker"

type breaker struct {
	wrap.Model
	config

	local  *gobreaker.TwoStepCircuitBreaker[struct{}]
	until  atomic.Pointer[time.Time] // when the local one was or will be half-open
	opened atomic.Bool               // which the others are yet to be told
	shared *bench.Bench              // nil: not
}

func newBreaker(next strata.Model, c config) *breaker {
	b := &breaker{Model: wrap.Over(next), config: c}
	b.local = gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Name:         next.ID().String(),
		MaxRequests:  1,
		Interval:     c.window,
		BucketPeriod: c.window / trendBuckets,
		Timeout:      c.open,
		ReadyToTrip:  c.trip,
		IsExcluded:   func(err error) bool { return err == errNoVerdict },
		OnStateChange: func(_ string, _, to gobreaker.State) {
			if to == gobreaker.StateOpen {
				until := time.Now().Add(c.open)
				b.until.Store(&until)
				b.opened.Store(true)
			}
		},
	})
	if c.store != nil {
		b.shared = bench.New(layer, next.ID(), c.store)
	}
	return b
}

func (b *breaker) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	c, err := b.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer c.end()
	resp, err := stream.Generate(c.turn.Context(ctx), b.Next, req)
	c.ended(err)
	return resp, err
}

func (b *breaker) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		c, err := b.enter(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		defer c.end()
		stream.Each(c.turn.Context(ctx), b.Next, req, func(p strata.Part, err error) bool {
			if err != nil {
				c.ended(err)
			} else if _, finish := p.(strata.Finish); finish || c.probing && p.Commits() {
				c.ended(nil)
			}
			return yield(p, err)
		})
	}
}

// enter returns the call that may be made, or the failure of one that may not.
func (b *breaker) enter(ctx context.Context) (*call, error) {
	done, err := b.local.Allow()
	if err != nil {
		return nil, b.refuse(err)
	}
	turn, err := b.shared.Enter(ctx)
	if err != nil {
		done(errNoVerdict)
		return nil, err
	}
	probing := turn.Probing() || b.local.State() == gobreaker.StateHalfOpen
	return &call{breaker: b, ctx: ctx, done: done, turn: turn, probing: probing}, nil
}

// refuse returns the failure of a call that the breaker here does not allow.
func (b *breaker) refuse(err error) error {
	var e *failure.Error
	if until := b.until.Load(); err == gobreaker.ErrOpenState && until != nil {
		left := max(time.Until(*until), 0) + 1 // it is open up to and including that moment
		e = bench.Failure(layer, b.ID(), failure.Overload, left)
	} else {
		e = bench.ProbeFailure(layer, b.ID(), failure.Overload)
	}
	e.Err = errors.Join(e.Err, err)
	return e
}

// errNoVerdict is an outcome that says nothing of the provider.
var errNoVerdict = errors.New("breaker: no verdict")

// call is one call that the breaker let through.
type call struct {
	*breaker
	ctx     context.Context
	done    func(error) // tells the breaker here the outcome; nil: it was told
	turn    bench.Turn
	probing bool // it is the one that a half-open breaker let through
}

// ended judges the call by the error that it ended with, or nil. A stream that is
// a probe comes here at its commit point, and perhaps again at its end.
func (c *call) ended(err error) {
	verdict := c.verdict(err)
	if c.done == nil && verdict != nil && verdict != errNoVerdict {
		c.done, _ = c.local.Allow() // nil if it was opened again meanwhile
	}
	c.probing = false
	if c.done != nil {
		c.done(verdict)
		c.done = nil
	}
	switch {
	case verdict == nil:
		c.turn.Answered(c.ctx)
	case c.opened.CompareAndSwap(true, false), c.turn.Probing() && verdict != errNoVerdict:
		c.turn.Failed(c.ctx, failure.Overload, c.open)
	}
}

// verdict returns nil for a success, errNoVerdict, or err for a failure.
func (c *call) verdict(err error) error {
	if err == nil {
		return nil
	}
	if c.ctx.Err() != nil || failure.NotAsked(err) {
		return errNoVerdict
	}
	switch kind := failure.Of(err); {
	case slices.Contains(c.kinds, kind):
		return err
	case kind == failure.Content:
		return nil
	}
	return errNoVerdict
}

// end frees the breaker where the call was not judged.
func (c *call) end() {
	if c.done != nil {
		c.done(errNoVerdict)
	}
	c.turn.End(c.ctx)
}
