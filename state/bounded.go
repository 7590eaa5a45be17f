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
// answers ends the outage. An operation whose error wraps [ErrNoRecord] is done in
// memory too, but is an answer: it begins no outage. Operations whose own ctx has
// ended are done in memory and say nothing about the store.
//
// The memory follows what the process reads and writes, so a decision in an
// outage rests on what it knew last. What is written in an outage stays in the
// process: it is not brought to the store afterwards. But a write that took too long
// and arrives after all is there brought to what the process has decided since.
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
	a, ok := b.ask(ctx, operation{store: func(ctx context.Context) (a answer, err error) {
		a.record, a.yes, err = b.store.Get(ctx, key)
		return a, err
	}, memory: func() (a answer) {
		a.record, a.yes, _ = b.memory.Get(ctx, key)
		return a
	}})
	if ok {
		b.memory.follow(key, a.record, a.yes)
	}
	return a.record, a.yes, nil
}

func (b *bounded) Take(ctx context.Context, key string) (Record, bool, error) {
	a, ok := b.ask(ctx, operation{store: func(ctx context.Context) (a answer, err error) {
		a.record, a.yes, err = b.store.Take(ctx, key)
		return a, err
	}, memory: func() (a answer) {
		a.record, a.yes, _ = b.memory.Take(ctx, key)
		return a
	}})
	if ok {
		rest, left := a.record.used()
		b.memory.follow(key, rest, a.yes && left)
	}
	return a.record, a.yes, nil
}

func (b *bounded) Put(ctx context.Context, key string, r Record) (bool, error) {
	wrote, ok := b.write(ctx, key, r, func(ctx context.Context, s Store) (bool, error) { return s.Put(ctx, key, r) })
	if ok && !wrote { // the store has another's record, of which only the value is known
		b.memory.Put(ctx, key, r)
	}
	return wrote, nil
}

func (b *bounded) Claim(ctx context.Context, key string, r Record) (bool, error) {
	claimed, ok := b.write(ctx, key, r, func(ctx context.Context, s Store) (bool, error) { return s.Claim(ctx, key, r) })
	if ok && !claimed { // the store has another's record, which r stands for
		b.memory.Claim(ctx, key, r)
	}
	return claimed, nil
}

func (b *bounded) Swap(ctx context.Context, key, old string, r Record) (bool, error) {
	swapped, ok := b.write(ctx, key, r, func(ctx context.Context, s Store) (bool, error) { return s.Swap(ctx, key, old, r) })
	if ok && !swapped { // the store has another's record or none, not what the memory may still have
		b.memory.Swap(ctx, key, old, over)
	}
	return swapped, nil
}

// over is a record that is none, to swap one for.
var over = Record{Until: time.Unix(0, 0)}

// write has the store or the memory do what writes r under key, and returns whether
// it did, and whether the store said so.
func (b *bounded) write(ctx context.Context, key string, r Record, do func(context.Context, Store) (bool, error)) (wrote, ok bool) {
	a, ok := b.ask(ctx, operation{store: func(ctx context.Context) (a answer, err error) {
		a.yes, err = do(ctx, b.store)
		return a, err
	}, memory: func() (a answer) {
		a.yes, _ = do(ctx, &b.memory)
		return a
	}, late: func(ctx context.Context, a answer) {
		if a.yes {
			b.correct(ctx, key, r)
		}
	}})
	if ok && a.yes {
		b.memory.follow(key, r, true)
	}
	return a.yes, ok
}

// correct puts what the process decided since in the place of a write that came late.
func (b *bounded) correct(ctx context.Context, key string, late Record) {
	now, ok, _ := b.memory.Get(ctx, key)
	switch {
	case !ok:
		_, _ = b.store.Swap(ctx, key, late.Value, over)
	case now.Value != late.Value:
		_, _ = b.store.Swap(ctx, key, late.Value, now)
	}
}

func (b *bounded) Delete(ctx context.Context, key string) error {
	if _, ok := b.ask(ctx, operation{store: func(ctx context.Context) (answer, error) {
		return answer{}, b.store.Delete(ctx, key)
	}, memory: func() answer {
		_ = b.memory.Delete(ctx, key)
		return answer{}
	}, late: func(ctx context.Context, _ answer) {
		if now, ok, _ := b.memory.Get(ctx, key); ok {
			_, _ = b.store.Claim(ctx, key, now)
		}
	}}); ok {
		_ = b.memory.Delete(ctx, key)
	}
	return nil
}

// An operation is one of the store.
type operation struct {
	store  func(context.Context) (answer, error)
	memory func() answer                 // does it in the store's place
	late   func(context.Context, answer) // runs once the store has done it all the same; nil: nothing does
}

// answer is what an operation returns beside its error.
type answer struct {
	record Record
	yes    bool
}

// ask has the store do an operation, or the memory, and reports whether it was the
// store.
func (b *bounded) ask(ctx context.Context, op operation) (answer, bool) {
	if ctx.Err() != nil {
		return op.memory(), false
	}
	era, ok := b.outage.enter()
	if !ok {
		return op.memory(), false
	}
	if b.asking.Add(1) > b.maxAsking {
		b.asking.Add(-1)
		return op.memory(), false
	}
	left := make(chan struct{}) // closed once nobody waits for the store, and the memory has done it
	defer close(left)
	a, err := b.within(ctx, op, left)
	switch {
	case err == nil || errors.Is(err, ErrNoRecord):
		b.outage.answered(era)
	case ctx.Err() == nil:
		b.outage.failed(era, err)
	}
	if err != nil {
		return op.memory(), false
	}
	return a, true
}

var errPanicked = errors.New("state: the store panicked")

// within does an operation within the limit, after which it goes on by itself
// until the store returns.
func (b *bounded) within(ctx context.Context, op operation, left <-chan struct{}) (answer, error) {
	limited, cancel := context.WithTimeoutCause(ctx, b.limit, fmt.Errorf("state: no answer within %v: %w", b.limit, context.DeadlineExceeded))
	defer cancel()
	type result struct {
		answer
		err error
	}
	done := make(chan result)
	go func() {
		defer b.asking.Add(-1)
		var r result
		r.answer, r.err = b.try(func() (answer, error) { return op.store(limited) })
		select {
		case done <- r:
			return
		case <-left:
		}
		if r.err == nil && op.late != nil {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), b.limit)
			defer cancel()
			_, _ = b.try(func() (answer, error) { op.late(ctx, r.answer); return answer{}, nil })
		}
	}()
	select {
	case r := <-done:
		return r.answer, r.err
	case <-limited.Done():
		return answer{}, context.Cause(limited)
	}
}

// try makes a panic of the store an error like any other, as there is nobody in its
// goroutine to catch it.
func (*bounded) try(do func() (answer, error)) (a answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanicked, p)
		}
	}()
	return do()
}
