package middleware

import (
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/strata-go/strata"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/stream"
)

// The defaults of Backoff.
const (
	DefaultAttempts      = 3
	DefaultBase          = time.Second
	DefaultMax           = 30 * time.Second
	DefaultBudget        = time.Minute
	DefaultMaxRetryAfter = time.Minute
)

// Backoff asks the same model again after a transient failure (timeout,
// network, overload, rate, or what the server says with x-should-retry), with
// exponential waits and full jitter: before the retry that follows n others it
// waits a time that is uniform in [0, min(Max, Base·2ⁿ)). A wait that the server
// asked for replaces the computed one. An error that is marked with
// backoff.Permanent is not tried again.
//
//	model = middleware.Backoff(middleware.Attempts(5))(model)
//
// A stream is tried again only while nothing of it was handed on. With one
// failed attempt the caller gets its error, with more a [*retry.Error]; behind
// output, a [*stream.CommittedError] around either. The wait ends the moment the
// caller's context does, and nothing more is sent.
//
// Full jitter is what Marc Brooker's "Exponential Backoff And Jitter" (AWS
// Architecture Blog, 2015) found to spread a crowd of clients best.
func Backoff(opts ...BackoffOption) strata.Layer {
	c := backoffConfig{
		attempts: DefaultAttempts, budget: DefaultBudget, maxRetryAfter: DefaultMaxRetryAfter,
		waits:    exponential{base: DefaultBase, max: DefaultMax, jitter: true},
		maxParts: stream.DefaultMaxParts,
	}
	mustNotBeNil("Backoff", opts)
	for _, opt := range opts {
		opt.backoff(&c)
	}
	policy := c.policy
	if policy != nil {
		policy = c.newPolicy
		policy() // to see that it makes one
	}
	return func(next strata.Model) strata.Model {
		mustWrap("Backoff", next)
		again := &retry.Again[strata.Model, *strata.Response]{
			Step: retry.Step[strata.Model]{Model: next, Accepts: true}, Attempts: c.attempts, Wait: c.waits.wait, Policy: policy, Budget: c.budget,
			MaxRetryAfter: c.maxRetryAfter, CapRetryAfter: c.capRetryAfter, ServerJitter: c.serverJitter, Retries: c.retries,
		}
		return newRetrying("backoff", next, c.maxParts, func(*strata.Request) plan { return again.Plan() })
	}
}

// A BackoffOption sets something of [Backoff].
type BackoffOption interface{ backoff(*backoffConfig) }

type backoffOption func(*backoffConfig)

func (o backoffOption) backoff(c *backoffConfig) { o(c) }

// Attempts bounds the attempts of a call, the first included; 3 by default.
func Attempts(n int) BackoffOption {
	mustBePositive("Attempts", n)
	return backoffOption(func(c *backoffConfig) { c.attempts = n })
}

// Base is the ceiling of the first computed wait, 1 s by default; each further
// one doubles it.
func Base(d time.Duration) BackoffOption {
	mustNotBeNegative("Base", d)
	return backoffOption(func(c *backoffConfig) { c.waits.base = d })
}

// Max is the ceiling of every computed wait, 30 s by default.
func Max(d time.Duration) BackoffOption {
	mustNotBeNegative("Max", d)
	return backoffOption(func(c *backoffConfig) { c.waits.max = d })
}

// NoJitter makes each computed wait its ceiling, for a client that is alone.
func NoJitter() BackoffOption {
	return backoffOption(func(c *backoffConfig) { c.waits.jitter = false })
}

// Budget is the time within which a further attempt may begin, counted from the
// first failure, 60 s by default. An attempt that runs is never cut; see
// [Timeout] for that.
func Budget(d time.Duration) BackoffOption {
	mustNotBeNegative("Budget", d)
	return backoffOption(func(c *backoffConfig) { c.budget = d })
}

// MaxRetryAfter is the longest wait a server may ask for, 60 s by default. One
// that asks for longer ends the retries at once, so that an outer layer can
// move on; see [CapRetryAfter].
func MaxRetryAfter(d time.Duration) BackoffOption {
	mustNotBeNegative("MaxRetryAfter", d)
	return backoffOption(func(c *backoffConfig) { c.maxRetryAfter = d })
}

// CapRetryAfter waits the longest wait a server may ask for where it asks for
// longer, instead of ending the retries.
func CapRetryAfter() BackoffOption {
	return backoffOption(func(c *backoffConfig) { c.capRetryAfter = true })
}

// ServerJitter adds a time that is uniform in [0, d) to each wait a server asks
// for, so that its clients do not all come back at once; 0 by default.
func ServerJitter(d time.Duration) BackoffOption {
	mustNotBeNegative("ServerJitter", d)
	return backoffOption(func(c *backoffConfig) { c.serverJitter = d })
}

// Policy computes the waits in place of Base, Max and jitter. It is called at the
// start of each call, as a backoff.BackOff holds the state of one series of
// retries, and once when the layer is made, which panics if it returns nil. Its
// NextBackOff is asked before every retry, those behind a server's wait included,
// and may end them with backoff.Stop.
func Policy(policy func() backoff.BackOff) BackoffOption {
	if policy == nil {
		panic("middleware.Policy(nil): the function is nil")
	}
	return backoffOption(func(c *backoffConfig) { c.policy = policy })
}

type backoffConfig struct {
	attempts      int
	waits         exponential
	policy        func() backoff.BackOff // nil: waits
	budget        time.Duration
	maxRetryAfter time.Duration
	capRetryAfter bool
	serverJitter  time.Duration
	retries       *retry.Budget // nil: none
	maxParts      int
}

// newPolicy returns the policy of a call.
func (c *backoffConfig) newPolicy() backoff.BackOff {
	policy := c.policy()
	if policy == nil {
		panic("middleware.Policy: the function returned nil")
	}
	policy.Reset() // as backoff.Retry does before it asks
	return policy
}

// exponential are the waits by default: exponential, with full jitter.
type exponential struct {
	base, max time.Duration
	jitter    bool
}

// wait returns the wait behind so many retries.
func (e exponential) wait(retries int) time.Duration {
	ceiling := e.max
	if e.base < e.max>>min(retries, 62) {
		ceiling = e.base << retries
	}
	if e.jitter {
		return retry.Uniform(ceiling)
	}
	return ceiling
}
