package middleware

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/bench"
	"github.com/strata-go/strata/internal/wrap"
	"github.com/strata-go/strata/state"
	"github.com/strata-go/strata/stream"
)

// The waits of a cooldown after a failure that does not say when the model will
// be back.
const (
	DefaultRateCooldown   = time.Minute
	DefaultOutageCooldown = 30 * time.Second // overload, timeout, network
	DefaultDenialCooldown = time.Hour        // quota, auth, entitlement, model
)

// Cooldown leaves a model alone that has failed, until the time it said it would
// be back, and for a time that depends on the kind of failure if it did not say:
//
//	rate                               1 min
//	overload, timeout, network         30 s
//	quota, auth, entitlement, model    1 h
//
// Other kinds are about the request, not the model, and do not count; nor does
// what a cancel or deadline of the caller's ended, whichever layer above it came
// from: put Timeout below.
//
// Until then calls fail at once, with a [*failure.Error] of the kind that began
// it, whose RetryAfter is the time left and whose cause is [failure.ErrNotAsked].
// So a walk passes the model over by the same rule as it left it, and when all
// its candidates cool down the call fails at once, with the earliest time:
// failure.RetryAfter tells it.
//
//	each := strata.Chain(middleware.Cooldown(), middleware.Backoff(), middleware.Timeout(middleware.Idle(30*time.Second)))
//	model := strata.Wrap(each(gpt), middleware.Fallback(each(claude)))
//
// When the time is over one call is let through; the others are told to come
// back in a second until that one is judged, a stream at its commit point. If it
// fails, the model cools down again; if its caller leaves, or it fails of
// something that says nothing of the model, another one is let through; so it is
// beside one that is not judged within five minutes, whose process may have died.
//
// Cooldown is for one model: put it on each candidate of a walk, above what
// retries that candidate. State is held in memory, in each model that Cooldown
// makes, unless [Store] says otherwise. A longer cooldown is never cut short by
// a later failure with a shorter one.
func Cooldown(opts ...CooldownOption) strata.Layer {
	mustNotBeNil("Cooldown", opts)
	c := cooldownConfig{waits: defaultCooldowns()}
	for _, opt := range opts {
		opt.cooldown(&c)
	}
	return c.layer("Cooldown")
}

// A CooldownOption sets something of [Cooldown].
type CooldownOption interface{ cooldown(*cooldownConfig) }

// CooldownFor sets the time for failures of these kinds that do not say when the
// model will be back. 0 turns cooldowns after them off, said or not.
func CooldownFor(d time.Duration, kinds ...failure.Kind) CooldownForOption {
	mustNotBeNegative("CooldownFor", d)
	for _, k := range kinds {
		if !slices.Contains(failure.Kinds(), k) {
			panic(fmt.Sprintf("middleware.CooldownFor(%v, %q): there is no such kind", d, string(k)))
		}
	}
	return cooldownFor{d, slices.Clone(kinds)}
}

// A CooldownForOption is an option of [Cooldown] and [KeyPoolWith]; see
// [CooldownFor].
type CooldownForOption interface {
	CooldownOption
	KeyPoolOption
}

type cooldownFor struct {
	wait  time.Duration
	kinds []failure.Kind
}

func (o cooldownFor) cooldown(c *cooldownConfig) {
	for _, k := range o.kinds {
		c.waits[k] = o.wait
	}
}

func (o cooldownFor) keyPool(c *keyPoolConfig) { o.cooldown(&c.cooldownConfig) }

type cooldownConfig struct {
	waits map[failure.Kind]time.Duration
	store state.Store // nil: in memory, of each model its own
}

func defaultCooldowns() map[failure.Kind]time.Duration {
	return map[failure.Kind]time.Duration{
		failure.Rate:     DefaultRateCooldown,
		failure.Overload: DefaultOutageCooldown, failure.Timeout: DefaultOutageCooldown, failure.Network: DefaultOutageCooldown,
		failure.Quota: DefaultDenialCooldown, failure.Auth: DefaultDenialCooldown,
		failure.Entitlement: DefaultDenialCooldown, failure.Model: DefaultDenialCooldown,
	}
}

func (c cooldownConfig) layer(name string) strata.Layer {
	waits := maps.Clone(c.waits)
	return func(next strata.Model) strata.Model {
		mustWrap(name, next)
		store := c.store
		if store == nil {
			store = new(state.Memory)
		}
		return &cooldown{Model: wrap.Over(next), waits: waits, bench: bench.New(strings.ToLower(name), next.ID(), store)}
	}
}

type cooldown struct {
	wrap.Model
	waits map[failure.Kind]time.Duration
	bench *bench.Bench
}

func (c *cooldown) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	turn, err := c.bench.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer turn.End(ctx)
	resp, err := stream.Generate(turn.Context(ctx), c.Next, req)
	if err != nil {
		c.failed(ctx, &turn, err)
		return nil, err
	}
	turn.Answered(ctx)
	return resp, nil
}

func (c *cooldown) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		turn, err := c.bench.Enter(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		defer turn.End(ctx)
		stream.Each(turn.Context(ctx), c.Next, req, func(p strata.Part, err error) bool {
			switch {
			case err != nil:
				c.failed(ctx, &turn, err)
			case turn.Probing() && settles(p):
				turn.Answered(ctx)
			}
			return yield(p, err)
		})
	}
}

// settles reports whether a stream that has come to p has an answer.
func settles(p strata.Part) bool {
	_, finish := p.(strata.Finish)
	return finish || p.Commits()
}

// failed takes note of a failure, if it says anything of the model.
func (c *cooldown) failed(ctx context.Context, turn *bench.Turn, err error) {
	if ctx.Err() != nil || failure.NotAsked(err) {
		return
	}
	kind := failure.Of(err)
	wait := c.waits[kind]
	switch {
	case wait > 0:
		if asked := failure.RetryAfter(err); asked > 0 {
			wait = asked
		}
		turn.Failed(ctx, kind, wait)
	case kind == failure.Content: // which the model had to be there for
		turn.Answered(ctx)
	}
}
