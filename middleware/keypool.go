package middleware

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/stream"
)

// KeyPool makes one model of several keys or accounts of one provider: models of
// the same name that differ in their Account. Calls take turns over them.
//
//	model := middleware.KeyPool(
//		openai.New("gpt-5", openai.Account("eu"), …),
//		openai.New("gpt-5", openai.Account("us"), …),
//	)
//
// A key that fails for its own sake (rate, quota, auth, entitlement) cools down,
// as [Cooldown] says, and the next one is asked at once within the same call; of
// a stream only while nothing of it was handed on. Other failures are those of
// the provider, which another key would not mend: they end the call, unless
// [CooldownFor] makes a key's own of them. A key that something below did not ask,
// as a [Cooldown] of its own, is passed over whatever the kind. When all keys cool
// down the call fails at once, and failure.RetryAfter tells the earliest time. A
// key that is the only one of its pool never cools down.
//
// With a [Store] pools share which keys cool down with other pools, not with
// Cooldown, which counts other kinds. A Cooldown above a pool goes by the failure of
// the key that was asked last, so give it to a pool's keys instead.
//
// The ID is that of the keys without the account; who answered is the key's
// model, with its account. A failed call gives a [*retry.Error], as [Fallback]
// does. No models, a nil one, two with one ID, or models of different providers
// or names panic.
func KeyPool(keys ...strata.Model) strata.Model {
	return KeyPoolWith(keys)
}

// KeyPoolWith is [KeyPool] with options: [NextTier], [PoolID], [CooldownFor],
// [Store] and [MaxParts].
func KeyPoolWith(keys []strata.Model, opts ...KeyPoolOption) strata.Model {
	mustNotBeNil("KeyPool", opts)
	c := keyPoolConfig{
		cooldownConfig: cooldownConfig{waits: map[failure.Kind]time.Duration{
			failure.Rate: DefaultRateCooldown, failure.Quota: DefaultDenialCooldown,
			failure.Auth: DefaultDenialCooldown, failure.Entitlement: DefaultDenialCooldown,
		}},
		tiers:    [][]strata.Model{slices.Clone(keys)},
		maxParts: stream.DefaultMaxParts,
	}
	for _, opt := range opts {
		opt.keyPool(&c)
	}
	all := slices.Concat(c.tiers...)
	id := c.mustBeOne(all)
	cool := strata.Chain()
	if len(all) > 1 {
		cool = c.layer("KeyPool")
	}
	p := &keyPool{id: id, waits: c.waits}
	for _, tier := range c.tiers {
		t := &keyTier{}
		for _, key := range tier {
			t.keys = append(t.keys, &poolKey{cool(key)})
		}
		p.tiers = append(p.tiers, t)
	}
	p.retrying = newRetrying("keypool", p.tiers[0].keys[0].Model, c.maxParts, func(*strata.Request) plan {
		return &poolPlan{keyPool: p}
	})
	return p
}

// A KeyPoolOption sets something of [KeyPoolWith].
type KeyPoolOption interface{ keyPool(*keyPoolConfig) }

type keyPoolOption func(*keyPoolConfig)

func (o keyPoolOption) keyPool(c *keyPoolConfig) { o(c) }

// NextTier adds keys that are asked only when none of those before them may be:
// paid ones behind free ones. Each use adds a tier behind the last.
func NextTier(keys ...strata.Model) KeyPoolOption {
	if len(keys) == 0 {
		panic("middleware.NextTier(): there is no key")
	}
	keys = slices.Clone(keys)
	return keyPoolOption(func(c *keyPoolConfig) { c.tiers = append(c.tiers, keys) })
}

// PoolID gives the pool an ID of its own. Its keys may then differ in their
// names too.
func PoolID(id strata.ModelID) KeyPoolOption {
	if id.IsZero() {
		panic("middleware.PoolID: the ID is empty")
	}
	return keyPoolOption(func(c *keyPoolConfig) { c.id = id })
}

type keyPoolConfig struct {
	cooldownConfig
	id       strata.ModelID // zero: that of the keys
	tiers    [][]strata.Model
	maxParts int
}

// mustBeOne returns the ID of the pool, or panics if the keys do not make one.
func (c *keyPoolConfig) mustBeOne(keys []strata.Model) strata.ModelID {
	if len(c.tiers[0]) == 0 {
		panic("middleware.KeyPool: there is no key")
	}
	seen := map[strata.ModelID]bool{}
	var first strata.ModelID
	for i, key := range keys {
		if key == nil {
			panic(fmt.Sprintf("middleware.KeyPool: key %d is nil", i))
		}
		id := key.ID()
		if i == 0 {
			first = id
		}
		switch {
		case seen[id]:
			panic(fmt.Sprintf("middleware.KeyPool: there are two keys %q: they need different accounts", id))
		case id.Provider != first.Provider:
			panic(fmt.Sprintf("middleware.KeyPool: %s and %s are of different providers", first, id))
		case c.id.IsZero() && id.Name != first.Name:
			panic(fmt.Sprintf("middleware.KeyPool: %s and %s are different models: the pool needs a PoolID", first, id))
		}
		seen[id] = true
	}
	if !c.id.IsZero() {
		return c.id
	}
	first.Account = ""
	return first
}

type keyPool struct {
	*retrying
	id    strata.ModelID
	waits map[failure.Kind]time.Duration // of the kinds that are the key's own
	tiers []*keyTier
}

func (p *keyPool) ID() strata.ModelID { return p.id }

// keyTier is a number of keys that take turns.
type keyTier struct {
	keys  []*poolKey
	turns atomic.Uint64
}

type poolKey struct{ strata.Model }

// poolPlan is one call's way over the keys.
type poolPlan struct {
	*keyPool
	asked []*poolKey
}

// Next implements retry.Plan.
func (p *poolPlan) Next(_ context.Context, tries []retry.Try[strata.Model, *strata.Response]) (*retry.Step[strata.Model], retry.Reason) {
	if n := len(tries); n > 0 {
		if err := tries[n-1].Err; !failure.NotAsked(err) && p.waits[failure.Of(err)] == 0 {
			return nil, retry.ReasonKind
		}
	}
	for _, tier := range p.tiers {
		if key := tier.next(p.asked); key != nil {
			p.asked = append(p.asked, key)
			return &retry.Step[strata.Model]{Model: key.Model, Accepts: true}, ""
		}
	}
	return nil, retry.ReasonKind
}

// next returns the key whose turn it is, of those that were not asked, or nil.
// Whoever passes over a key uses up its turn, so that the load of one that is
// out falls on all the others alike.
func (t *keyTier) next(asked []*poolKey) *poolKey {
	for range t.keys {
		key := t.keys[(t.turns.Add(1)-1)%uint64(len(t.keys))]
		if !slices.Contains(asked, key) {
			return key
		}
	}
	// Other calls took the turns of those that are left.
	for _, key := range t.keys {
		if !slices.Contains(asked, key) {
			return key
		}
	}
	return nil
}
