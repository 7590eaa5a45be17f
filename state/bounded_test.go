package state_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/state"
	"github.com/strata-go/strata/state/statetest"
)

// remote is a store that a test can slow down and break.
type remote struct {
	state.Memory
	mu      sync.Mutex
	latency time.Duration
	deaf    bool          // it does not hear its context
	hang    chan struct{} // an operation waits until it is closed; nil: not
	err     error
	panics  bool
	begun   int // operations, since it was asked for
}

func (r *remote) set(change func(*remote)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(r)
}

// asked returns how many operations have begun since the last time.
func (r *remote) asked() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.begun
	r.begun = 0
	return n
}

// wait is what every operation does first.
func (r *remote) wait(ctx context.Context) error {
	r.mu.Lock()
	r.begun++
	latency, deaf, hang, err, panics := r.latency, r.deaf, r.hang, r.err, r.panics
	r.mu.Unlock()
	if panics {
		panic("remote: broken")
	}
	if deaf {
		ctx = context.Background()
	}
	if hang != nil {
		select {
		case <-hang:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	select {
	case <-time.After(latency):
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *remote) Get(ctx context.Context, key string) (state.Record, bool, error) {
	if err := r.wait(ctx); err != nil {
		return state.Record{}, false, err
	}
	return r.Memory.Get(ctx, key)
}

func (r *remote) Take(ctx context.Context, key string) (state.Record, bool, error) {
	if err := r.wait(ctx); err != nil {
		return state.Record{}, false, err
	}
	return r.Memory.Take(ctx, key)
}

func (r *remote) Put(ctx context.Context, key string, rec state.Record) (bool, error) {
	if err := r.wait(ctx); err != nil {
		return false, err
	}
	return r.Memory.Put(ctx, key, rec)
}

func (r *remote) Claim(ctx context.Context, key string, rec state.Record) (bool, error) {
	if err := r.wait(ctx); err != nil {
		return false, err
	}
	return r.Memory.Claim(ctx, key, rec)
}

func (r *remote) Swap(ctx context.Context, key, old string, rec state.Record) (bool, error) {
	if err := r.wait(ctx); err != nil {
		return false, err
	}
	return r.Memory.Swap(ctx, key, old, rec)
}

func (r *remote) Delete(ctx context.Context, key string) error {
	if err := r.wait(ctx); err != nil {
		return err
	}
	return r.Memory.Delete(ctx, key)
}

const ms = time.Millisecond

var errDown = errors.New("connection refused")

// took returns how long it took.
func took(do func()) time.Duration {
	begun := time.Now()
	do()
	return time.Since(begun)
}

func TestBoundedIsAStore(t *testing.T) {
	for name, store := range map[string]state.Store{
		"over one that works":      state.Bounded(&state.Memory{}, state.Limit(time.Minute)), // on a busy machine too
		"over one that is down":    state.Bounded(&remote{err: errDown}),
		"over one that panics":     state.Bounded(&remote{panics: true}),
		"over one that comes late": state.Bounded(&remote{latency: time.Hour}),
	} {
		t.Run(name, func(t *testing.T) { statetest.Run(t, store) })
	}
}

// Whatever is wrong with the store, each operation returns within the bound and
// with no error, the next at once.
func TestBoundedWhateverIsWrong(t *testing.T) {
	operations := map[string]func(context.Context, state.Store) error{
		"get":  func(ctx context.Context, s state.Store) error { _, _, err := s.Get(ctx, "key"); return err },
		"take": func(ctx context.Context, s state.Store) error { _, _, err := s.Take(ctx, "key"); return err },
		"put": func(ctx context.Context, s state.Store) error {
			_, err := s.Put(ctx, "key", state.Record{})
			return err
		},
		"claim": func(ctx context.Context, s state.Store) error {
			_, err := s.Claim(ctx, "key", state.Record{})
			return err
		},
		"delete": func(ctx context.Context, s state.Store) error { return s.Delete(ctx, "key") },
	}
	for name, test := range map[string]struct {
		spoil func(*remote)
		opts  []state.BoundedOption
		takes time.Duration
		err   error
		has   string
	}{
		"it refuses":                 {func(r *remote) { r.err = errDown }, nil, 0, errDown, "connection refused"},
		"it refuses after a while":   {func(r *remote) { r.err, r.latency = errDown, 30*ms }, nil, 30 * ms, errDown, ""},
		"it is slow":                 {func(r *remote) { r.latency = 51 * ms }, nil, 50 * ms, context.DeadlineExceeded, ""},
		"it hangs":                   {func(r *remote) { r.hang = make(chan struct{}) }, nil, 50 * ms, context.DeadlineExceeded, ""},
		"it hears no context":        {func(r *remote) { r.latency, r.deaf = time.Hour, true }, nil, 50 * ms, context.DeadlineExceeded, "state: no answer within 50ms"},
		"another bound":              {func(r *remote) { r.latency, r.deaf = time.Hour, true }, []state.BoundedOption{state.Limit(7 * ms)}, 7 * ms, context.DeadlineExceeded, "7ms"},
		"it panics":                  {func(r *remote) { r.panics = true }, nil, 0, nil, "state: the store panicked: remote: broken"},
		"a context error of its own": {func(r *remote) { r.err = context.Canceled }, nil, 0, context.Canceled, ""},
	} {
		for operation, do := range operations {
			t.Run(name+"/"+operation, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var told []error
					broken := &remote{}
					test.spoil(broken)
					s := state.Bounded(broken, append(test.opts, state.OnOutage(func(err error) { told = append(told, err) }))...)
					assert.Equal(t, test.takes, took(func() { require.NoError(t, do(t.Context(), s)) }))
					assert.Zero(t, took(func() { require.NoError(t, do(t.Context(), s)) }))
					require.Len(t, told, 1)
					assert.ErrorContains(t, told[0], test.has)
					if test.err != nil {
						assert.ErrorIs(t, told[0], test.err)
					}
					assert.Equal(t, 1, broken.asked())
					time.Sleep(time.Hour) // until the store lets go
				})
			})
		}
	}
}

// An outage from its beginning to its end: who waits, who asks, what is told.
func TestBoundedOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var began, over int
		r := &remote{}
		s := state.Bounded(r, state.OnOutage(func(error) { began++ }), state.OnRecovery(func() { over++ }))
		read := func() { _, _, err := s.Get(t.Context(), "key"); require.NoError(t, err) }
		asked := func(want int, told ...int) {
			t.Helper()
			assert.Equal(t, want, r.asked())
			assert.Equal(t, told, []int{began, over})
		}
		r.set(func(r *remote) { r.latency = 49 * ms })
		assert.Equal(t, 49*ms, took(read), "within the bound the store answers")
		asked(1, 0, 0)

		r.set(func(r *remote) { r.latency = time.Hour })
		assert.Equal(t, 50*ms, took(read))
		asked(1, 1, 0)
		for range 100 {
			assert.Zero(t, took(read))
		}
		asked(0, 1, 0)
		for range 3 { // a second later one operation asks again
			time.Sleep(time.Second)
			assert.Equal(t, 50*ms, took(read))
			assert.Zero(t, took(read))
			asked(1, 1, 0)
		}

		r.set(func(r *remote) { r.latency = ms })
		assert.Zero(t, took(read), "it is not known yet")
		time.Sleep(time.Second)
		assert.Equal(t, ms, took(read))
		asked(1, 1, 1)
		assert.Equal(t, ms, took(read))
		asked(1, 1, 1)

		r.set(func(r *remote) { r.err = errDown })
		read()
		asked(1, 2, 1)
	})
}

// Many at once: whoever was under way waits for the bound and nobody else, and an
// outage is told once, though some were answered meanwhile.
func TestBoundedOutageUnderLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var began, over int
		r := &remote{}
		s := state.Bounded(r, state.OnOutage(func(error) { began++ }), state.OnRecovery(func() { over++ }))
		load := func(n int, each func(i int)) {
			var wg sync.WaitGroup
			for i := range n {
				wg.Go(func() {
					each(i)
					assert.LessOrEqual(t, took(func() { s.Get(t.Context(), "key") }), 50*ms)
				})
			}
			wg.Wait()
		}
		load(100, func(i int) { r.set(func(r *remote) { r.latency = time.Duration(i) * ms }) })
		assert.Equal(t, []int{1, 0}, []int{began, over})

		r.asked()
		time.Sleep(time.Second)
		load(100, func(int) {})
		assert.Equal(t, 1, r.asked(), "one asks again")
		r.set(func(r *remote) { r.latency = 0 })
		time.Sleep(time.Second)
		load(100, func(int) {})
		assert.Equal(t, []int{1, 1}, []int{began, over})
	})
}

// An operation that began before an outage and is answered in it does not end it.
func TestBoundedLateAnswerEndsNoOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := 0
		r := &remote{latency: 40 * ms}
		s := state.Bounded(r, state.OnRecovery(func() { over++ }))
		var wg sync.WaitGroup
		wg.Go(func() { s.Get(t.Context(), "key") })
		synctest.Wait()
		r.set(func(r *remote) { r.latency, r.err = 0, errDown })
		wg.Go(func() { s.Get(t.Context(), "key") })
		synctest.Wait()
		r.set(func(r *remote) { r.err = nil })
		wg.Wait()
		assert.Zero(t, over)
		r.asked()
		s.Get(t.Context(), "key")
		assert.Zero(t, r.asked())
	})
}

// A caller who goes is no verdict on the store, and is answered from memory.
func TestBoundedCallerLeaves(t *testing.T) {
	for name, leaves := range map[string]time.Duration{
		"before the operation":  0,
		"in it":                 20 * ms,
		"just before the bound": 50*ms - 1,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &remote{}
				s := state.Bounded(r, state.OnOutage(func(err error) { t.Errorf("told of %v", err) }))
				_, err := s.Put(t.Context(), "key", state.Record{Value: "a", Left: 2})
				require.NoError(t, err)
				r.set(func(r *remote) { r.latency, r.deaf = time.Hour, true })
				ctx, cancel := context.WithTimeout(t.Context(), leaves)
				defer cancel()
				got, ok, err := s.Take(ctx, "key")
				require.NoError(t, err)
				assert.True(t, ok)
				assert.Equal(t, state.Record{Value: "a", Left: 2}, got)
				r.set(func(r *remote) { r.latency = 0 })
				_, ok, err = s.Get(t.Context(), "key")
				require.NoError(t, err)
				assert.True(t, ok)
				time.Sleep(time.Hour) // until the store lets go
			})
		})
	}
}

// What memory knows when an outage begins is what the process last wrote and read.
func TestBoundedRemembers(t *testing.T) {
	rec := func(value string, left int) state.Record { return state.Record{Value: value, Left: left} }
	for name, test := range map[string]struct {
		before func(ctx context.Context, ours, theirs state.Store)
		want   state.Record // zero: none
	}{
		"nothing":          {func(context.Context, state.Store, state.Store) {}, rec("", 0)},
		"what was put":     {func(ctx context.Context, ours, _ state.Store) { ours.Put(ctx, "key", rec("a", 3)) }, rec("a", 3)},
		"what was claimed": {func(ctx context.Context, ours, _ state.Store) { ours.Claim(ctx, "key", rec("a", 0)) }, rec("a", 0)},
		"what was not deleted by us": {func(ctx context.Context, ours, theirs state.Store) {
			ours.Put(ctx, "key", rec("a", 3))
			theirs.Delete(ctx, "key")
		}, rec("a", 3)},
		"what was deleted": {func(ctx context.Context, ours, _ state.Store) {
			ours.Put(ctx, "key", rec("a", 3))
			ours.Delete(ctx, "key")
		}, rec("", 0)},
		"what another put, once read": {func(ctx context.Context, ours, theirs state.Store) {
			theirs.Put(ctx, "key", rec("b", 2))
			ours.Get(ctx, "key")
		}, rec("b", 2)},
		"what another deleted, once read": {func(ctx context.Context, ours, theirs state.Store) {
			ours.Put(ctx, "key", rec("a", 3))
			theirs.Delete(ctx, "key")
			ours.Get(ctx, "key")
		}, rec("", 0)},
		"uses that all took": {func(ctx context.Context, ours, theirs state.Store) {
			ours.Put(ctx, "key", rec("a", 5))
			theirs.Take(ctx, "key")
			theirs.Take(ctx, "key")
			ours.Take(ctx, "key")
		}, rec("a", 2)},
		"the last use": {func(ctx context.Context, ours, theirs state.Store) {
			theirs.Put(ctx, "key", rec("a", 1))
			ours.Take(ctx, "key")
		}, rec("", 0)},
		"a use that is not counted": {func(ctx context.Context, ours, theirs state.Store) {
			theirs.Put(ctx, "key", rec("a", 0))
			ours.Take(ctx, "key")
		}, rec("a", 0)},
		"a put that another was before": {func(ctx context.Context, ours, theirs state.Store) {
			theirs.Put(ctx, "key", rec("a", 1))
			ours.Put(ctx, "key", rec("a", 3))
		}, rec("a", 3)},
		"a put after another's end": {func(ctx context.Context, ours, theirs state.Store) {
			ours.Put(ctx, "key", rec("a", 1))
			theirs.Take(ctx, "key")
			ours.Put(ctx, "key", rec("a", 3))
		}, rec("a", 3)},
		"a claim that another was before": {func(ctx context.Context, ours, theirs state.Store) {
			theirs.Claim(ctx, "key", rec("theirs", 0))
			ours.Claim(ctx, "key", rec("ours", 0))
		}, rec("ours", 0)},
	} {
		t.Run(name, func(t *testing.T) {
			var theirs remote
			ours := state.Bounded(&theirs)
			test.before(t.Context(), ours, &theirs)
			theirs.set(func(r *remote) { r.err = errDown })
			got, ok, err := ours.Get(t.Context(), "key")
			require.NoError(t, err)
			assert.Equal(t, test.want != state.Record{}, ok)
			assert.Equal(t, test.want, got)
		})
	}
}

// A store that never returns holds on to a bounded number of goroutines, and is
// asked no more; once it lets go all is as before.
func TestBoundedHangsForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &remote{hang: make(chan struct{}), deaf: true}
		s := state.Bounded(r, state.MaxAsking(64))
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() { s.Get(t.Context(), "key") })
		}
		wg.Wait()
		for range 100 {
			time.Sleep(time.Second)
			assert.LessOrEqual(t, took(func() { s.Get(t.Context(), "key") }), 50*ms)
		}
		assert.Equal(t, 64, r.asked())
		close(r.hang)
		r.set(func(r *remote) { r.hang = nil })
		synctest.Wait()
		time.Sleep(time.Second)
		s.Put(t.Context(), "key", state.Record{Value: "a"})
		_, ok, _ := r.Memory.Get(t.Context(), "key")
		assert.True(t, ok, "it is used again")
	})
}

func TestBoundedOptionsThatMakeNoSense(t *testing.T) {
	for want, make := range map[string]func(){
		"state.Limit(0s): the duration is not positive":       func() { state.Limit(0) },
		"state.RetryEvery(-1s): the duration is not positive": func() { state.RetryEvery(-time.Second) },
		"state.OnOutage: the function is nil":                 func() { state.OnOutage(nil) },
		"state.OnRecovery: the function is nil":               func() { state.OnRecovery(nil) },
		"state.Bounded: the store is nil":                     func() { state.Bounded(nil) },
		"state.Bounded: option 1 is nil":                      func() { state.Bounded(&state.Memory{}, state.Limit(1), nil) },
	} {
		assert.PanicsWithValue(t, want, make)
	}
}

func TestBoundedRetryEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &remote{err: errDown}
		s := state.Bounded(r, state.RetryEvery(10*time.Second))
		for range 60 {
			s.Get(t.Context(), "key")
			time.Sleep(time.Second)
		}
		assert.Equal(t, 6, r.asked())
	})
}
