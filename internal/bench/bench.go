// Package bench knows which models are out: not to be asked for a while, because
// they have said so or keep failing. It is behind the layers that learn for the
// calls to come: cooldowns, pools of keys, shared breakers.
//
// A model that is out is asked by nobody until its time is over; then by one
// call, the probe, and by nobody else until that is judged.
package bench

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/state"
)

const (
	// probeTime is how long a probe that is not judged keeps all others away: its
	// process may have died, or hang. One that takes longer may have company.
	probeTime = 5 * time.Minute

	// probeWait is the wait that those are told whom a probe keeps away.
	probeWait = time.Second

	// memory is how long behind its time a model that was out is still probed
	// first. If nobody asked for it until then, it counts as any other.
	memory = time.Hour

	// longestWait is the longest wait that is told, as package failure believes no
	// longer one. A model may be out for longer.
	longestWait = 31 * 24 * time.Hour
)

// A Bench is what all calls know about one model. A nil Bench knows nothing and
// keeps nobody away. An error of the store counts as nothing known. Processes that
// share a store are taken to have the same time.
//
// A call costs one round trip to the store, and none while the model is known to
// be out. A call that finds its time over makes a second one to become the probe,
// and one that learns something a further one to write it, or three where there is
// something older.
type Bench struct {
	layer string
	model strata.ModelID
	store state.Store
	key   string

	known atomic.Pointer[out] // what was last heard; nil: nothing
}

// out is why a model is out, and until when.
type out struct {
	kind  failure.Kind
	until time.Time
}

// left is the time that is left, at most 0 where it is over or there is none.
func (o *out) left() time.Duration {
	if o == nil {
		return 0
	}
	return time.Until(o.until)
}

// New returns the Bench that a kind of layer has for a model. All of the same
// kind that have the same store know the same, and those of one call probe as one.
func New(layer string, model strata.ModelID, store state.Store) *Bench {
	return &Bench{layer: layer, model: model, store: store, key: layer + "/" + Key(model)}
}

// Enter returns the Turn of a call, or the failure of one that is not to be made.
func (b *Bench) Enter(ctx context.Context) (Turn, error) {
	if b == nil {
		return Turn{}, nil
	}
	o := b.known.Load()
	if o.left() <= 0 {
		o = b.read(ctx, o)
	}
	if o == nil {
		return Turn{bench: b}, nil
	}
	if left := o.left(); left > 0 {
		return Turn{}, Failure(b.layer, b.model, o.kind, left)
	}
	return b.probe(ctx, o)
}

// read asks the store. What others learn meanwhile stays known.
func (b *Bench) read(ctx context.Context, known *out) *out {
	var o *out
	if r, ok, err := b.store.Get(ctx, b.key); ok && err == nil {
		o = parse(r.Value)
	}
	b.known.CompareAndSwap(known, o)
	return o
}

// probe lets one call through.
func (b *Bench) probe(ctx context.Context, o *out) (Turn, error) {
	token, inside := ctx.Value(probe(b.key)).(string)
	if !inside {
		token = rand.Text()
	}
	claimed, err := b.store.Claim(ctx, b.probeKey(), state.Record{Value: token, Until: time.Now().Add(probeTime)})
	switch {
	case err != nil:
		return Turn{bench: b}, nil
	case claimed:
		return Turn{bench: b, probing: o, token: token}, nil
	case inside:
		if r, ok, err := b.store.Get(ctx, b.probeKey()); err != nil || ok && r.Value == token {
			return Turn{bench: b}, nil // a layer above has claimed it, and judges it
		}
	}
	return Turn{}, ProbeFailure(b.layer, b.model, o.kind)
}

func (b *Bench) probeKey() string { return b.key + "probe" }

// probe is the key of a Bench, under which the context of a probe has its token.
type probe string

// Failure is that of a call that a layer did not make because the model is out for
// the time left.
func Failure(layer string, model strata.ModelID, kind failure.Kind, left time.Duration) *failure.Error {
	return notAsked(model, kind, left, fmt.Sprintf("%s: not asked for another %v", layer, left.Round(time.Millisecond)))
}

// ProbeFailure is that of a call that was not made because of a probe.
func ProbeFailure(layer string, model strata.ModelID, kind failure.Kind) *failure.Error {
	return notAsked(model, kind, probeWait, layer+": not asked while one call finds out whether it is back")
}

func notAsked(model strata.ModelID, kind failure.Kind, wait time.Duration, message string) *failure.Error {
	return &failure.Error{Model: model, Kind: kind, Message: message, RetryAfter: min(wait, longestWait), Err: failure.ErrNotAsked}
}

// Out sends the model out for d, unless it is known to be out for longer.
func (b *Bench) Out(ctx context.Context, kind failure.Kind, d time.Duration) {
	if b == nil {
		return
	}
	o := &out{kind, time.Now().Add(d)}
	for {
		known := b.known.Load()
		if known != nil && !known.until.Before(o.until) {
			return
		}
		if b.known.CompareAndSwap(known, o) {
			break
		}
	}
	b.write(context.WithoutCancel(ctx), o)
}

// write tells the others, unless they know the model to be out for longer. It tries
// again where another writes at the same moment.
func (b *Bench) write(ctx context.Context, o *out) {
	r := state.Record{Value: o.String(), Until: o.until.Add(memory)}
	for range 3 {
		if claimed, err := b.store.Claim(ctx, b.key, r); claimed || err != nil {
			return
		}
		there, ok, err := b.store.Get(ctx, b.key)
		if other := parse(there.Value); err != nil || ok && other != nil && !other.until.Before(o.until) {
			return
		}
		if swapped, err := b.store.Swap(ctx, b.key, there.Value, r); swapped || err != nil {
			return
		}
	}
}

// A Turn is one call's leave to ask the model. What it says of the model it says
// at most once, and End ends it in any case.
type Turn struct {
	bench   *Bench
	probing *out   // what the call is the probe of; nil: it is none, or was judged
	token   string // of the probe
}

// Context returns the context of what the call does in its turn: layers below pass
// by its probe.
func (t *Turn) Context(ctx context.Context) context.Context {
	if t.probing == nil {
		return ctx
	}
	return context.WithValue(ctx, probe(t.bench.key), t.token)
}

// Probing reports whether the call is a probe that was not judged yet.
func (t *Turn) Probing() bool { return t.probing != nil }

// Answered tells that the model did: a probe has found it back.
func (t *Turn) Answered(ctx context.Context) {
	if t.probing == nil {
		return
	}
	known := t.bench.known.Load()
	if known == nil || !known.until.After(t.probing.until) { // else it was sent out meanwhile
		t.bench.known.CompareAndSwap(known, nil)
		t.remove(ctx, t.bench.key, t.probing.String())
	}
	t.End(ctx)
}

// Failed tells that the model is out for d.
func (t *Turn) Failed(ctx context.Context, kind failure.Kind, d time.Duration) {
	t.bench.Out(ctx, kind, d)
	t.End(ctx)
}

// End frees a probe that was not judged for another call.
func (t *Turn) End(ctx context.Context) {
	if t.probing == nil {
		return
	}
	t.probing = nil
	t.remove(ctx, t.bench.probeKey(), t.token)
}

// remove removes a record of this turn's, and no later one of another.
func (t *Turn) remove(ctx context.Context, key, value string) {
	_, _ = t.bench.store.Swap(context.WithoutCancel(ctx), key, value, state.Record{Until: time.Unix(0, 0)})
}

// String returns what parse reads: the kind, and when the time is over in
// microseconds since 1970.
func (o *out) String() string {
	return string(o.kind) + " " + strconv.FormatInt(o.until.UnixMicro(), 10)
}

func parse(s string) *out {
	kind, until, _ := strings.Cut(s, " ")
	us, err := strconv.ParseInt(until, 10, 64)
	if err != nil {
		return nil
	}
	return &out{failure.Kind(kind), time.UnixMicro(us)}
}
