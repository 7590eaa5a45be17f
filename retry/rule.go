package retry

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/strata-go/strata"
)

// The defaults of rules.
const (
	DefaultSwitchAttempts = 1 // of a model that a rule switches to
	DefaultRetryAttempts  = 2 // of a model that a rule retries, its first included
	DefaultMaxRetryAfter  = time.Minute
)

// A Rule says what to do after an attempt: which attempts it is for, and which
// model is asked next. [Switch] and [Retry] make one; package when has the
// conditions, and methods that make rules for language models.
type Rule[M any] struct {
	when     Matcher // nil: every error
	target   M
	switches bool // to target; else the model that was asked last
	ruleConfig
}

// A Matcher looks at the last attempt of a call, which failed or whose result
// may still be rejected, and at those before it. It may block, until ctx ends.
// Package when has matchers.
type Matcher interface {
	Match(ctx context.Context, h *History) bool
}

// MatchFunc is a function as a [Matcher].
type MatchFunc func(ctx context.Context, h *History) bool

// Match calls f.
func (f MatchFunc) Match(ctx context.Context, h *History) bool { return f(ctx, h) }

// History is a call so far, as conditions and callbacks see it. They must not
// change it, nor keep it behind their return.
type History struct {
	Request  any // as the caller made it; for language models a *strata.Request
	Attempts []Record
}

// Last returns the last attempt.
func (h *History) Last() *Record { return &h.Attempts[len(h.Attempts)-1] }

// A Record is an attempt that was made.
type Record struct {
	Model        strata.ModelID
	Number       int                 // counted over the layer's call, from 1
	Err          error               // nil: there is a result
	Result       any                 // for language models a *strata.Response
	Request      any                 // of this attempt, overrides included; for language models a *strata.Request
	FinishReason strata.FinishReason // of the result
}

// Switch returns the rule that asks model next when the condition holds; without
// one (nil), after every error. The model gets one attempt in the call, unless
// [Attempts] says otherwise. It is asked at once, unless [Delay] says otherwise;
// a wait that a server asked for is its own model's alone.
func Switch[M any](when Matcher, model M, opts ...RuleOption) Rule[M] {
	if any(model) == nil {
		panic("retry.Switch: the model is nil")
	}
	mustMatch("Switch", when)
	r := Rule[M]{when: when, target: model, switches: true}
	r.configure("Switch", DefaultSwitchAttempts, 1, opts)
	return r
}

// Retry returns the rule that asks the same model again when the condition
// holds; without one (nil), after every error. The model gets two attempts in
// the call, its first included, unless [Attempts] says otherwise. The wait that
// its server asks for replaces the rule's delay; where it is longer than
// [MaxRetryAfter] the rule is passed over.
func Retry[M any](when Matcher, opts ...RuleOption) Rule[M] {
	mustMatch("Retry", when)
	r := Rule[M]{when: when}
	r.configure("Retry", DefaultRetryAttempts, 2, opts)
	return r
}

func mustMatch(rule string, when Matcher) {
	if f, ok := when.(MatchFunc); ok && f == nil {
		panic("retry." + rule + ": the condition is a nil function")
	}
}

// ID returns the ID of the model that the rule switches to, or none.
func (r Rule[M]) ID() strata.ModelID {
	if m, ok := any(r.target).(interface{ ID() strata.ModelID }); ok && r.switches {
		return m.ID()
	}
	return strata.ModelID{}
}

// Overrides reports whether all overrides of the rule are of the request type Q,
// as they must be for a layer over models that take a *Q.
func Overrides[Q, M any](r Rule[M]) bool {
	for _, override := range r.overrides {
		if _, ok := override.(*Q); !ok {
			return false
		}
	}
	return true
}

// Over returns the rule for models N in place of M: for a layer that serves one
// family of models by another's. Its overrides stay what they are, so whoever makes
// the attempts must know them; see [Overrides], which takes no more note of them.
func Over[N, M any](r Rule[M], model func(M) N) Rule[N] {
	over := Rule[N]{when: r.when, switches: r.switches, ruleConfig: r.ruleConfig}
	if r.switches {
		over.target = model(r.target)
	}
	over.overrides = nil
	return over
}

// A RuleOption sets something of a [Rule].
type RuleOption func(*ruleConfig)

type ruleConfig struct {
	attempts      int
	delay         time.Duration
	factor        float64
	jitter        bool
	timeout       time.Duration
	maxRetryAfter time.Duration
	capRetryAfter bool
	pastDeadline  time.Duration
	set           any
	setFunc       func(context.Context, *History) (any, error)
	overrides     []any // a nil pointer of the type of each override
}

func (c *ruleConfig) configure(rule string, attempts, least int, opts []RuleOption) {
	*c = ruleConfig{attempts: attempts, factor: 1, maxRetryAfter: DefaultMaxRetryAfter}
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("retry.%s: option %d is nil", rule, i))
		}
		opt(c)
	}
	if c.attempts < least {
		panic(fmt.Sprintf("retry.%s: Attempts(%d) is less than %d: the rule could never fire", rule, c.attempts, least))
	}
}

// Attempts bounds the attempts that the rule's model has in the whole call,
// whoever made them: 1 by default for [Switch], 2 for [Retry]. A rule whose
// model has had its attempts is passed over.
func Attempts(n int) RuleOption {
	if n < 1 {
		panic(fmt.Sprintf("retry.Attempts(%d): the count is less than 1", n))
	}
	return func(c *ruleConfig) { c.attempts = n }
}

// Delay is the wait before the rule's attempts, 0 by default.
func Delay(d time.Duration) RuleOption {
	mustNotBeNegative("Delay", d)
	return func(c *ruleConfig) { c.delay = d }
}

// Factor is what the delay grows by with each use of the rule for one model in
// one call: delay, delay·f, delay·f² …; 1 by default.
func Factor(f float64) RuleOption {
	if !(f > 0) || math.IsInf(f, 0) {
		panic(fmt.Sprintf("retry.Factor(%v): the factor is not a positive number", f))
	}
	return func(c *ruleConfig) { c.factor = f }
}

// Jitter makes each delay uniform between 0 and what it would be. The waits that
// servers ask for stay.
func Jitter() RuleOption { return func(c *ruleConfig) { c.jitter = true } }

// Timeout limits the whole of each attempt that the rule makes. None by default.
func Timeout(d time.Duration) RuleOption {
	mustNotBeNegative("Timeout", d)
	return func(c *ruleConfig) { c.timeout = d }
}

// MaxRetryAfter is the longest wait a server may ask for, 60 s by default. A
// rule that would have to wait longer is passed over; see [CapRetryAfter].
func MaxRetryAfter(d time.Duration) RuleOption {
	mustNotBeNegative("MaxRetryAfter", d)
	return func(c *ruleConfig) { c.maxRetryAfter = d }
}

// CapRetryAfter waits the longest wait a server may ask for where it asks for
// longer, instead of passing the rule over.
func CapRetryAfter() RuleOption { return func(c *ruleConfig) { c.capRetryAfter = true } }

// PastDeadline lets the rule fire after the caller's deadline has ended the call.
// Each attempt of the rule, before the deadline or after it, has d of its own
// and does not look at the deadline; conditions asked past it have d as well, and
// a wait that is longer than d makes the rule be passed over there. By default
// nothing runs past the caller's deadline. A call that was cancelled gets no such
// attempt; a cancel that comes after the deadline cannot be seen. The limits of a
// Timeout layer above hold past it too.
func PastDeadline(d time.Duration) RuleOption {
	if d <= 0 {
		panic(fmt.Sprintf("retry.PastDeadline(%v): the duration is not positive", d))
	}
	return func(c *ruleConfig) { c.pastDeadline = d }
}

// Set overrides the request of the rule's attempts: each field of override that
// is not zero replaces the request's field whole, the others stay. For language
// models the override is a strata.Request. Overrides of the same call that are
// computed go over it: see [SetFunc].
func Set[Q any](override Q) RuleOption {
	return func(c *ruleConfig) {
		c.set = &override
		c.overrides = append(c.overrides, (*Q)(nil))
	}
}

// SetFunc computes the override of each of the rule's attempts from the call so
// far, over what [Set] gives. It may block, until ctx ends. Its error ends the
// call: no attempt is made, and the error is the last of the call's.
func SetFunc[Q any](f func(ctx context.Context, h *History) (Q, error)) RuleOption {
	if f == nil {
		panic("retry.SetFunc(nil): the function is nil")
	}
	return func(c *ruleConfig) {
		c.overrides = append(c.overrides, (*Q)(nil))
		c.setFunc = func(ctx context.Context, h *History) (any, error) {
			override, err := f(ctx, h)
			return &override, err
		}
	}
}

func mustNotBeNegative(option string, d time.Duration) {
	if d < 0 {
		panic(fmt.Sprintf("retry.%s(%v): the duration is negative", option, d))
	}
}
