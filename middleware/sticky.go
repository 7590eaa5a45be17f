package middleware

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/strata-go/strata"
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
// [WithStickyKey]. It is held in memory, in each model that Sticky makes.
func Sticky(opts ...StickyOption) strata.Layer {
	mustNotBeNil("Sticky", opts)
	var c stickyConfig
	for _, opt := range opts {
		opt.sticky(&c)
	}
	return func(next strata.Model) strata.Model {
		mustWrap("Sticky", next)
		if c == (stickyConfig{}) {
			return next
		}
		return &sticky{next: next, stickyConfig: c, pins: map[string]pin{}}
	}
}

// A StickyOption sets something of [Sticky].
type StickyOption interface{ sticky(*stickyConfig) }

type stickyOption func(*stickyConfig)

func (o stickyOption) sticky(c *stickyConfig) { o(c) }

// ForRequests lets a model that took over serve the n requests after that.
func ForRequests(n int) StickyOption {
	mustBePositive("ForRequests", n)
	return stickyOption(func(c *stickyConfig) { *c = stickyConfig{requests: n} })
}

// ForDuration lets a model that took over serve for d from then on.
func ForDuration(d time.Duration) StickyOption {
	mustNotBeNegative("ForDuration", d)
	return stickyOption(func(c *stickyConfig) { *c = stickyConfig{duration: d} })
}

type stickyKey struct{}

// WithStickyKey returns a context whose calls have a state of their own in
// [Sticky], shared by those with the same key: a tenant or a session. The empty
// key is the state of all calls without one.
func WithStickyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, stickyKey{}, key)
}

// maxPins bounds the keys that a Sticky remembers: of more, some are forgotten.
const maxPins = 1 << 16

type stickyConfig struct {
	requests int
	duration time.Duration
}

type sticky struct {
	next strata.Model
	stickyConfig

	mu   sync.Mutex
	pins map[string]pin // by key
}

// pin is a model that took over.
type pin struct {
	model strata.ModelID
	left  int       // requests, where those are counted
	until time.Time // where time is
}

func (s *sticky) ID() strata.ModelID   { return s.next.ID() }
func (s *sticky) Unwrap() strata.Model { return s.next }

func (s *sticky) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	c := s.begin(ctx)
	resp, err := stream.Generate(c.ctx, s.next, req)
	if err == nil {
		c.answered()
	}
	return resp, err
}

func (s *sticky) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		c := s.begin(ctx)
		passed := false
		stream.Each(c.ctx, s.next, req, func(p strata.Part, err error) bool {
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
	served strata.ModelID // as the outermost layer below that walks told last
}

// begin counts the request and says below where to begin.
func (s *sticky) begin(ctx context.Context) *stickyCall {
	c := &stickyCall{sticky: s}
	c.key, _ = ctx.Value(stickyKey{}).(string)
	if c.start = s.take(c.key); !c.start.IsZero() {
		ctx = strata.WithStart(ctx, c.start)
	}
	c.ctx = strata.WithTrace(ctx, &strata.Trace{
		Served: func(_ context.Context, info strata.ServedInfo) { c.served = info.Model },
	})
	return c
}

// take returns the model that a request is to begin at, and counts it.
func (s *sticky) take(key string) strata.ModelID {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.pins[key]
	switch {
	case !ok:
		return strata.ModelID{}
	case s.requests > 0 && p.left > 0:
		p.left--
		s.pins[key] = p
		return p.model
	case s.requests == 0 && time.Now().Before(p.until):
		return p.model
	}
	delete(s.pins, key)
	return strata.ModelID{}
}

// answered takes note of who did.
func (c *stickyCall) answered() {
	if c.served.IsZero() || c.served == c.start {
		return // nothing below walks, or it goes on as before
	}
	s := c.sticky
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.pins[c.key]
	switch {
	case c.served == s.next.ID():
		delete(s.pins, c.key)
	case !ok || p.model != c.served:
		if len(s.pins) >= maxPins {
			for forgotten := range s.pins {
				delete(s.pins, forgotten)
				break
			}
		}
		s.pins[c.key] = pin{model: c.served, left: s.requests, until: time.Now().Add(s.duration)}
	}
}
