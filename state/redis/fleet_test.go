package redis_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware/breaker"
	"github.com/strata-go/strata/state"
	"github.com/strata-go/strata/state/redis"
)

// replicaEnv has the orders of a test binary that is to be a process of a fleet.
const replicaEnv = "STRATA_TEST_REPLICA"

func TestMain(m *testing.M) {
	if orders := os.Getenv(replicaEnv); orders != "" {
		if err := replica(orders); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// orders say what a process of a fleet does.
type orders struct {
	Addr       string
	BaseDown   bool
	Breaker    bool // a breaker over the base alone, in place of Sticky over a walk
	Requests   int  // for which a model that took over serves
	Goroutines int
	Calls      int // of each goroutine
}

// report is what came of it.
type report struct {
	Served    []string // who answered, of one goroutine; "none" where nobody was asked, "down" for another failure
	BegunBase int64    // calls that began at the base
	Takeovers int64    // that this process wrote
}

// counting counts the puts that wrote, and lets errors be seen.
type counting struct {
	state.Store
	wrote, failed atomic.Int64
}

func (c *counting) Take(ctx context.Context, key string) (state.Record, bool, error) {
	r, ok, err := c.Store.Take(ctx, key)
	if err != nil {
		c.failed.Add(1)
	}
	return r, ok, err
}

func (c *counting) Put(ctx context.Context, key string, r state.Record) (bool, error) {
	wrote, err := c.Store.Put(ctx, key, r)
	if wrote {
		c.wrote.Add(1)
	}
	if err != nil {
		c.failed.Add(1)
	}
	return wrote, err
}

// replica is the main function of a process of a fleet.
func replica(text string) error {
	var o orders
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	client := goredis.NewClient(&goredis.Options{Addr: o.Addr})
	defer client.Close()
	base, store := newLight("base", o.BaseDown), &counting{Store: redis.New(client)}
	var model strata.Model
	if o.Breaker {
		model = breaker.New(breaker.Failures(2), breaker.OpenFor(time.Hour), breaker.Store(store))(base)
	} else {
		model = stack(base, store, o.Requests)
	}
	var r report
	var wg sync.WaitGroup
	for i := range o.Goroutines {
		wg.Go(func() {
			for range o.Calls {
				resp, err := model.Generate(context.Background(), strata.Prompt("hello"))
				var who string
				switch {
				case err == nil:
					who = resp.Model.Name
				case !o.Breaker:
					panic(err)
				case failure.NotAsked(err):
					who = "none"
				default:
					who = "down"
				}
				if i == 0 {
					r.Served = append(r.Served, who)
				}
			}
		})
	}
	wg.Wait()
	if n := store.failed.Load(); n > 0 {
		return fmt.Errorf("%d operations failed", n)
	}
	r.BegunBase, r.Takeovers = base.asked.Load(), store.wrote.Load()
	return json.NewEncoder(os.Stdout).Encode(r)
}

// startReplica starts a process and returns what waits for its report.
func startReplica(t *testing.T, o orders) func() report {
	t.Helper()
	text, err := json.Marshal(o)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), replicaEnv+"="+string(text))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Start())
	return func() (r report) {
		t.Helper()
		require.NoError(t, cmd.Wait(), "%s", &errs)
		require.NoError(t, json.Unmarshal(out.Bytes(), &r), "%s", &out)
		return r
	}
}

// What took over in one process serves in another, and its count is one.
func TestTwoProcessesShareAPin(t *testing.T) {
	s := startServer(t)
	run := func(o orders) []string {
		o.Addr, o.Requests, o.Goroutines = s.addr, 4, 1
		return startReplica(t, o)().Served
	}
	assert.Equal(t, []string{"spare", "spare"}, run(orders{BaseDown: true, Calls: 2}), "it takes over, and serves 1 of 4")
	assert.Equal(t, []string{"spare", "spare"}, run(orders{Calls: 2}), "here too, though the base would answer")
	assert.Equal(t, []string{"spare", "base"}, run(orders{Calls: 2}), "the 4th, and then the base")
	assert.Equal(t, []string{"spare"}, run(orders{BaseDown: true, Calls: 1}))
}

// A breaker that opened in one process is open in another.
func TestTwoProcessesShareABreaker(t *testing.T) {
	s := startServer(t)
	run := func(o orders) report {
		o.Addr, o.Breaker, o.Goroutines = s.addr, true, 1
		return startReplica(t, o)()
	}
	assert.Equal(t, []string{"base"}, run(orders{Calls: 1}).Served)
	assert.Equal(t, []string{"down", "down", "none"}, run(orders{BaseDown: true, Calls: 3}).Served)
	there := run(orders{Calls: 2})
	assert.Equal(t, []string{"none", "none"}, there.Served, "though the base would answer")
	assert.Zero(t, there.BegunBase)
}

// Two processes at once: the counts of all takeovers are exact.
func TestTwoProcessesCountExactly(t *testing.T) {
	const requests, goroutines, calls = 7, 20, 200
	s := startServer(t)
	o := orders{Addr: s.addr, BaseDown: true, Requests: requests, Goroutines: goroutines, Calls: calls}
	var takeovers, begunBase int64
	first, second := startReplica(t, o), startReplica(t, o)
	for _, wait := range []func() report{first, second} {
		r := wait()
		takeovers += r.Takeovers
		begunBase += r.BegunBase
	}
	left, _, err := redis.New(s.client(t)).Get(t.Context(), "sticky/test/base//")
	require.NoError(t, err)
	assert.Positive(t, takeovers)
	assert.Equal(t, requests*takeovers, 2*goroutines*calls-begunBase+int64(left.Left),
		"requests that takeovers gave, and those that began at the spare or are left")
}
