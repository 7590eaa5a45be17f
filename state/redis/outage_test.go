package redis_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/state"
	"github.com/strata-go/strata/state/redis"
)

// load is what 50 goroutines do to a model until it is stopped.
type load struct {
	calls atomic.Int64
	late  atomic.Int64 // the calls that took longer than late
	stop  func()

	mu     sync.Mutex
	failed error
}

// late is how long a call may take: it may ask for the state twice, and the rest
// is for a busy machine.
const late = 2*state.DefaultLimit + 400*time.Millisecond

func startLoad(t *testing.T, model strata.Model) *load {
	l := &load{}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for i := range 50 {
		session := fmt.Sprint("load", i%2)
		wg.Go(func() {
			for ctx.Err() == nil {
				begun := time.Now()
				err := call(model, session)
				l.note(time.Since(begun), err)
			}
		})
	}
	l.stop = sync.OnceFunc(func() {
		cancel()
		wg.Wait()
	})
	t.Cleanup(l.stop)
	return l
}

func (l *load) note(took time.Duration, err error) {
	l.calls.Add(1)
	if took > late {
		l.late.Add(1)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = errors.Join(l.failed, err)
}

// call makes a call of a session.
func call(model strata.Model, session string) error {
	ctx := middleware.WithStickyKey(context.Background(), session)
	for _, err := range model.Stream(ctx, strata.Prompt("hello")) {
		if err != nil {
			return err
		}
	}
	return nil
}

// wait waits for that many calls more.
func (l *load) wait(t *testing.T, calls int64) {
	t.Helper()
	until := l.calls.Load() + calls
	eventually(t, func() bool { return l.calls.Load() >= until })
}

func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	require.Eventually(t, holds, 30*time.Second, 5*time.Millisecond)
}

// The server goes in mid-load and comes back: no call fails or waits for the
// server, and then the fleet shares again.
func TestServerGoesAndComesBack(t *testing.T) {
	for name, test := range map[string]struct {
		leave, comeBack func(*testing.T, *server)
	}{
		"killed and started again": {
			func(_ *testing.T, s *server) { s.kill() },
			func(t *testing.T, s *server) { eventually(t, func() bool { return s.start(t) }) },
		},
		"hung": {
			func(t *testing.T, s *server) { s.signal(t, syscall.SIGSTOP) },
			func(t *testing.T, s *server) { s.signal(t, syscall.SIGCONT) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := startServer(t)
			var down atomic.Bool
			every := state.RetryEvery(100 * time.Millisecond)
			ours := state.Bounded(redis.New(s.client(t)), every,
				state.OnOutage(func(error) { down.Store(true) }),
				state.OnRecovery(func() { down.Store(false) }))
			theirs := state.Bounded(redis.New(s.client(t)), every)

			l := startLoad(t, stack(newLight("base", true), ours, 5))
			l.wait(t, 1000)
			eventually(t, func() bool { return shared(t, theirs, ours) })
			test.leave(t, s)
			eventually(t, down.Load)
			l.wait(t, 10_000)
			assert.False(t, shared(t, theirs, ours))
			test.comeBack(t, s)
			eventually(t, func() bool { return !down.Load() })
			l.wait(t, 1000)
			eventually(t, func() bool { return shared(t, theirs, ours) })
			l.stop()

			assert.NoError(t, l.failed)
			// Without the bound every call in the outage takes seconds, the client's
			// own time limits. A machine that stalls holds up 50 calls at a time.
			calls, late := l.calls.Load(), l.late.Load()
			assert.LessOrEqual(t, late, calls/50)
			t.Logf("%d calls, %d of them late", calls, late)
		})
	}
}

var sessions atomic.Int64

// shared reports whether what takes over in one process serves in another, in a
// session that is new to both.
func shared(t *testing.T, first, second state.Store) bool {
	session := fmt.Sprint("shared", sessions.Add(1))
	assert.NoError(t, call(stack(newLight("base", true), first, 5), session))
	base := newLight("base", true)
	assert.NoError(t, call(stack(base, second, 5), session))
	return base.asked.Load() == 0
}
