package state

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// What [Bounded] does unless an option says otherwise.
const (
	DefaultLimit      = 50 * time.Millisecond
	DefaultRetryEvery = time.Second
)

// defaultMaxAsking bounds the operations that a store works on at a time, and so the
// goroutines that one which never answers can hold on to.
const defaultMaxAsking = 1024

// Bounded returns a Store that works from memory while the one behind it is slow
// or down, so that no call fails for its state or waits for it longer than a
// bound:
//
//	store := state.Bounded(redis.New(client), state.OnOutage(func(err error) {
//		logger.Warn("working from memory", zap.Error(err))
//	}))
//
// Each operation returns within [Limit], even if the store ignores its context,
// and with a nil error, always. An operation that fails or takes longer begins an
// outage: it and those after it are done in the memory of the process, at once.
// Every [RetryEvery] one operation asks the store again; the first that it
// answers ends the outage. Operations whose own ctx has ended are done in memory
// too, and say nothing about the store.
//
// The memory follows what the process reads and writes, so a decision in an
// outage rests on what it knew last. What is written in an outage stays in the
// process: it is not brought to the store afterwards.
//
// Each operation runs in a goroutine of its own, which ends when the store returns.
// The store works on at most 1,024 at a time; what comes on top is done in
// memory.
func Bounded(store Store, opts ...BoundedOption) Store {
	if store == nil {
		panic("state.Bounded: the store is nil")
	}
	b := &bounded{store: store, limit: DefaultLimit, maxAsking: defaultMaxAsking}
	b.outage.every = DefaultRetryEvery
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("state.Bounded: option %d is nil", i))
		}
		opt(b)
	}
	return b
}

// A BoundedOption sets something of [Bounded].
type BoundedOption func(*bounded)

// Limit bounds the time of an operation, [DefaultLimit] by default.
func Limit(d time.Duration) BoundedOption {
	mustBePositive("Limit", d)
	return func(b *bounded) { b.limit = d }
}

// RetryEvery sets how long a store that is down is left alone before one
// operation asks it again, [DefaultRetryEvery] by default.
func RetryEvery(d time.Duration) BoundedOption {
	mustBePositive("RetryEvery", d)
	return func(b *bounded) { b.outage.every = d }
}

// OnOutage sets what hears that an outage begins, once for each, and of which
// failure: an error of the store or, past the [Limit], one that wraps
// [context.DeadlineExceeded]. It runs within the operation that failed, which
// waits for it. By default nothing does.
func OnOutage(told func(err error)) BoundedOption {
	if told == nil {
		panic("state.OnOutage: the function is nil")
	}
	return func(b *bounded) { b.outage.begun = told }
}

// OnRecovery sets what hears that an outage is over. It runs within the operation
// that the store answered, which waits for it. By default nothing does.
func OnRecovery(told func()) BoundedOption {
	if told == nil {
		panic("state.OnRecovery: the function is nil")
	}
	return func(b *bounded) { b.outage.over = told }
}

func mustBePositive(option string, d time.Duration) {
	if d <= 0 {
		panic(fmt.Sprintf("state.%s(%v): the duration is not positive", option, d))
	}
}

type bounded struct {
	store  Store
	limit  time.Duration
	memory Memory // follows the store, and stands in for it
	outage outage

	maxAsking int64
	asking    atomic.Int64 // operations that the store works on
}

func (b *bounded) Get(ctx context.Context, key string) (Record, bool, error) {
	a, ok := b.ask(ctx, func(ctx context.Context) (a answer, err error) {
		a.record, a.yes, err = b.store.Get(ctx, key)
		return a, err
	})
	if !ok {
		return b.memory.Get(ctx, key)
	}
	b.memory.follow(key, a.record, a.yes)
	return a.record, a.yes, nil
}

func (b *bounded) Take(ctx context.Context, key string) (Record, bool, error) {
	a, ok := b.ask(ctx, func(ctx context.Context) (a answer, err error) {
		a.record, a.yes, err = b.store.Take(ctx, key)
		return a, err
	})
	if !ok {
		return b.memory.Take(ctx, key)
	}
	rest, left := a.record.used()
	b.memory.follow(key, rest, a.yes && left)
	return a.record, a.yes, nil
}

func (b *bounded) Put(ctx context.Context, key string, r Record) (bool, error) {
	a, ok := b.ask(ctx, func(ctx context.Context) (a answer, err error) {
		a.yes, err = b.store.Put(ctx, key, r)
		return a, err
	})
	switch {
	case !ok:
		return b.memory.Put(ctx, key, r)
	case a.yes:
		b.memory.follow(key, r, true)
	default: // the store has another's record, of which only the value is known
		b.memory.Put(ctx, key, r)
	}
	return a.yes, nil
}

func (b *bounded) Claim(ctx context.Context, key string, r Record) (bool, error) {
	a, ok := b.ask(ctx, func(ctx context.Context) (a answer, err error) {
		a.yes, err = b.store.Claim(ctx, key, r)
		return a, err
	})
	switch {
	case !ok:
		return b.memory.Claim(ctx, key, r)
	case a.yes:
		b.memory.follow(key, r, true)
	default: // the store has another's record, which r stands for
		b.memory.Claim(ctx, key, r)
	}
	return a.yes, nil
}

func (b *bounded) Delete(ctx context.Context, key string) error {
	b.ask(ctx, func(ctx context.Context) (answer, error) {
		return answer{}, b.store.Delete(ctx, key)
	})
	return b.memory.Delete(ctx, key)
}

// answer is what an operation returns beside its error.
type answer struct {
	record Record
	yes    bool
}

// ask has the store do an operation, and reports false if memory is to do it.
func (b *bounded) ask(ctx context.Context, do func(context.Context) (answer, error)) (answer, bool) {
	if ctx.Err() != nil {
		return answer{}, false
	}
	era, ok := b.outage.enter()
	if !ok {
		return answer{}, false
	}
	if b.asking.Add(1) > b.maxAsking {
		b.asking.Add(-1)
		return answer{}, false
	}
	a, err := b.within(ctx, do)
	switch {
	case err == nil:
		b.outage.answered(era)
	case ctx.Err() == nil:
		b.outage.failed(era, err)
	}
	return a, err == nil
}

var errPanicked = errors.New("state: the store panicked")

// within does an operation within the limit, after which it goes on by itself
// until the store returns.
func (b *bounded) within(ctx context.Context, do func(context.Context) (answer, error)) (answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, b.limit, fmt.Errorf("state: no answer within %v: %w", b.limit, context.DeadlineExceeded))
	defer cancel()
	type result struct {
		answer
		err error
	}
	done := make(chan result, 1)
	go func() {
		defer b.asking.Add(-1)
		r := result{err: errPanicked} // an error of the store like any other, as there is nobody here to catch it
		defer func() {
			if p := recover(); p != nil {
				r.err = fmt.Errorf("%w: %v", errPanicked, p)
			}
			done <- r
		}()
		r.answer, r.err = do(ctx)
	}()
	select {
	case r := <-done:
		return r.answer, r.err
	case <-ctx.Done():
		return answer{}, context.Cause(ctx)
	}
}
