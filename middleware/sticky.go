package middleware

import (
	"context"
	"iter"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/bench"
	"github.com/strata-go/strata/internal/wrap"
	"github.com/strata-go/strata/state"
	"github.com/strata-go/strata/stream"
)

// Sticky lets a model that took over from the wrapped one keep serving: the next
// calls begin there, so that a provider that is down is not asked first by every
// one of them. It works with the layers below it that walk, Fallback and Rules.
//
//	strata.Wrap(gpt, middleware.Sticky(middleware.ForRequests(20)), middleware.Fallback(claude))
//
// The model serves for a number of requests after the takeover ([ForRequests]),
// or for a time from it ([ForDuration]); then the wrapped model is tried again.
// If it fails, whoever then answers is sticky in its place, with a fresh count;
// the wrapped model answering ends it. A request counts when it starts. When
// nobody answers, the rest of the count stands. Without an option nothing
// sticks.
//
// One state serves all calls, unless their contexts say whose they are: see
// [WithStickyKey]. It is held in memory, in each model that Sticky makes, unless
// [Store] says otherwise: a fleet that shares a store also shares who took over
// and the count. A call then costs one round trip to the store, when it begins;
// one that finds something changed, so that another model is sticky after it or
// none, costs a second, which for a stream comes before its first content.
func Sticky(opts ...StickyOption) strata.Layer {
	mustNotBeNil("Sticky", opts)
	var c stickyConfig
	for _, opt := range opts {
		opt.sticky(&c)
	}
	return func(next strata.Model) strata.Model {
		mustWrap("Sticky", next)
		if c.duration == 0 {
			return next
		}
		s := &sticky{Model: wrap.Over(next), stickyConfig: c, keys: "sticky/" + bench.Key(next.ID())}
		if s.store == nil {
			s.store = new(state.Memory)
		}
		return s
	}
}

// A StickyOption sets something of [Sticky].
type StickyOption interface{ sticky(*stickyConfig) }

type stickyOption func(*stickyConfig)

func (o stickyOption) sticky(c *stickyConfig) { o(c) }

// maxStickyAge bounds the time of a model that serves for a number of requests, as
// those of a session that has gone never come.
const maxStickyAge = 24 * time.Hour

// ForRequests lets a model that took over serve the n requests after that, those
// that come within 24 hours.
func ForRequests(n int) StickyOption {
	mustBePositive("ForRequests", n)
	return stickyOption(func(c *stickyConfig) { c.requests, c.duration = n, maxStickyAge })
}

// ForDuration lets a model that took over serve for d from then on.
func ForDuration(d time.Duration) StickyOption {
	mustNotBeNegative("ForDuration", d)
	return stickyOption(func(c *stickyConfig) { c.requests, c.duration = 0, d })
}

type stickyKey struct{}

// WithStickyKey returns a context whose calls have a state of their own in
// [Sticky], shared by those with the same key: a tenant or a session. The empty
// key is the state of all calls without one.
func WithStickyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, stickyKey{}, key)
}

type stickyConfig struct {
	requests int           // 0: they are not counted
	duration time.Duration // 0: nothing sticks
	store    state.Store   // nil: in memory
}

type sticky struct {
	wrap.Model
	stickyConfig
	keys string // what its keys in the store begin with
}

func (s *sticky) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	c := s.begin(ctx)
	resp, err := stream.Generate(c.ctx, s.Next, req)
	if err == nil {
		c.answered()
	}
	return resp, err
}

func (s *sticky) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		c := s.begin(ctx)
		passed := false
		stream.Each(c.ctx, s.Next, req, func(p strata.Part, err error) bool {
			if err == nil && !passed {
				if _, finish := p.(strata.Finish); finish || p.Commits() {
					passed = true
					c.answered()
				}
			}
			return yield(p, err)
		})
	}
}

// stickyCall is one call through Sticky.
type stickyCall struct {
	*sticky
	ctx    context.Context // of the call below
	key    string
	start  strata.ModelID // where it began; zero: at the wrapped model
	served strata.ModelID // zero: no layer below told
}

// begin counts the request and says below where to begin.
func (s *sticky) begin(ctx context.Context) *stickyCall {
	c := &stickyCall{sticky: s}
	key, _ := ctx.Value(stickyKey{}).(string)
	c.key = s.keys + key
	if r, ok, err := s.store.Take(ctx, c.key); ok && err == nil {
		c.start = bench.ModelOf(r.Value)
	}
	if !c.start.IsZero() {
		ctx = strata.WithStart(ctx, c.start)
	}
	c.ctx = strata.WithTrace(ctx, &strata.Trace{Served: c.told})
	return c
}

// told takes note of who served, as a layer below tells it, the outermost last: by
// the name that the outermost layer knows it by, so that it can begin there. That
// is the candidate it asked, which may be a pool of accounts or a walk of its own;
// where it asked the wrapped model, what a layer inside that told.
func (c *stickyCall) told(_ context.Context, info strata.ServedInfo) {
	base := c.Next.ID()
	switch {
	case base.Covers(info.Model):
		c.served = base
	case !base.Covers(info.Asked):
		c.served = info.Asked
	case c.served.IsZero():
		c.served = info.Model
	}
}

// answered takes note of who did, if that changes anything. It does so even if the
// caller goes at this moment: the answer is there.
func (c *stickyCall) answered() {
	began := c.start
	if began.IsZero() {
		began = c.Next.ID()
	}
	if c.served.IsZero() || began.Covers(c.served) {
		return // nothing below walks, or it goes on as before
	}
	ctx := context.WithoutCancel(c.ctx)
	if c.Next.ID().Covers(c.served) {
		_ = c.store.Delete(ctx, c.key)
		return
	}
	_, _ = c.store.Put(ctx, c.key, state.Record{Value: bench.Key(c.served), Left: c.requests, Until: time.Now().Add(c.duration)})
}
