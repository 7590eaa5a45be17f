package retry

import (
	"fmt"
	"math"
	"sync"
	"time"
)

// The defaults of a Budget.
const (
	DefaultShare = 0.2
	DefaultFloor = 10
)

// budgetWindow is over how many seconds a Budget counts.
const budgetWindow = 10

// A Budget bounds the retries of all calls that share it, so that the bad minute
// of a provider is not multiplied: where every call fails, three attempts each
// would triple the load just then. Within any second it allows [Floor] retries,
// and beyond those as many as keep retries at most a [Share] of the requests, both
// of the last ten seconds.
//
// A request is the first attempt of a call at a model, a retry each further one;
// asking another model is none. A retry counts when its wait begins. Layers inside
// each other that share a Budget each count what is a request to them: a retry of
// the outer one is a request of the inner. One Budget serves any number of layers and
// goroutines. It is made with [NewBudget]; a nil one allows everything.
type Budget struct {
	share int64 // in millionths
	floor int
	begun time.Time

	mu      sync.Mutex
	second  int64                // since begun, that the counts are up to
	seconds [budgetWindow]counts // by second, modulo the window
	sum     counts
}

type counts struct{ requests, retries int }

// A BudgetOption sets something of a [Budget].
type BudgetOption func(*Budget)

// one is a share of 1, and maxShare so large a one that it allows everything.
const (
	one      = 1_000_000
	maxShare = 1000
)

// Share is how many retries there may be for each request, 0.2 by default. It is
// exact to the millionth; of more than 1,000 it is 1,000.
func Share(share float64) BudgetOption {
	if !(share >= 0) || math.IsInf(share, 0) {
		panic(fmt.Sprintf("retry.Share(%v): the share is not a positive number or 0", share))
	}
	return func(b *Budget) { b.share = int64(math.Round(min(share, maxShare) * one)) }
}

// Floor is how many retries a second there may be in any case, 10 by default.
func Floor(n int) BudgetOption {
	if n < 0 {
		panic(fmt.Sprintf("retry.Floor(%d): the count is negative", n))
	}
	return func(b *Budget) { b.floor = n }
}

// NewBudget returns a Budget.
func NewBudget(opts ...BudgetOption) *Budget {
	b := &Budget{share: DefaultShare * one, floor: DefaultFloor, begun: time.Now()}
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("retry.NewBudget: option %d is nil", i))
		}
		opt(b)
	}
	return b
}

// Request counts a request.
func (b *Budget) Request() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.current().requests++
	b.sum.requests++
}

// Retry counts a retry, if it is allowed, and reports whether it is.
func (b *Budget) Retry() bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.current()
	if now.retries >= b.floor && int64(b.sum.retries+1)*one > b.share*int64(b.sum.requests) {
		return false
	}
	now.retries++
	b.sum.retries++
	return true
}

// current returns the counts of this second. What is out of the window is
// forgotten.
func (b *Budget) current() *counts {
	second := int64(time.Since(b.begun) / time.Second)
	for b.second = max(b.second, second-budgetWindow); b.second < second; {
		b.second++
		oldest := &b.seconds[b.second%budgetWindow]
		b.sum.requests -= oldest.requests
		b.sum.retries -= oldest.retries
		*oldest = counts{}
	}
	return &b.seconds[b.second%budgetWindow]
}
