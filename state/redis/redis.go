// Package redis keeps the state of layers in Redis, where the processes of a fleet
// share it.
//
//	client := goredis.NewClient(&goredis.Options{Addr: "localhost:6379"})
//	shared := middleware.Store(state.Bounded(redis.New(client)))
//	model := strata.Wrap(gpt, middleware.Sticky(middleware.ForRequests(20), shared), middleware.Fallback(claude))
//
// [state.Bounded] is what makes calls independent of the server: without it a
// call waits for as long as the client does.
package redis

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/strata-go/strata/state"
)

// DefaultPrefix begins every key unless [Prefix] says otherwise.
const DefaultPrefix = "strata:"

// Store is a [state.Store] in Redis 5 or later, a single server, a cluster, or what
// sentinels watch over. Each method is one command or one script on one key, and
// one round trip, but for the first use of a script on a server that does not
// know it yet. A record is a hash that the server expires by its own clock, to
// the millisecond, so the clocks of those who share it need not agree.
//
// Errors wrap the client's and name the operation and the key; they wrap
// [state.ErrNoRecord] where another program wrote what is under it. Put writes over
// a hash of its, but over no other type. An operation ends with its context only if
// the client has ContextTimeoutEnabled; [state.Bounded] does not need that. A client
// repeats a command whose answer was lost, so a use may then be counted twice.
type Store struct {
	client goredis.UniversalClient
	prefix string
}

var _ state.Store = (*Store)(nil)

// New returns a Store that uses client, which stays the caller's to close.
func New(client goredis.UniversalClient, opts ...Option) *Store {
	if client == nil {
		panic("redis.New: the client is nil")
	}
	s := &Store{client: client, prefix: DefaultPrefix}
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("redis.New: option %d is nil", i))
		}
		opt(s)
	}
	return s
}

// An Option sets something of [New].
type Option func(*Store)

// Prefix sets what every key begins with, [DefaultPrefix] by default.
func Prefix(prefix string) Option {
	return func(s *Store) { s.prefix = prefix }
}

// Get implements [state.Store].
func (s *Store) Get(ctx context.Context, key string) (state.Record, bool, error) {
	return s.read(ctx, "get", getScript, key)
}

// Take implements [state.Store].
func (s *Store) Take(ctx context.Context, key string) (state.Record, bool, error) {
	return s.read(ctx, "take", takeScript, key)
}

// Put implements [state.Store].
func (s *Store) Put(ctx context.Context, key string, r state.Record) (bool, error) {
	return s.write(ctx, "put", putScript, key, r)
}

// Claim implements [state.Store].
func (s *Store) Claim(ctx context.Context, key string, r state.Record) (bool, error) {
	return s.write(ctx, "claim", claimScript, key, r)
}

// Swap implements [state.Store].
func (s *Store) Swap(ctx context.Context, key, old string, r state.Record) (bool, error) {
	return s.write(ctx, "swap", swapScript, key, r, old)
}

// Delete implements [state.Store].
func (s *Store) Delete(ctx context.Context, key string) error {
	return s.explain("delete", key, s.client.Del(ctx, s.prefix+key).Err())
}

// read runs a script that returns a record.
func (s *Store) read(ctx context.Context, operation string, script *goredis.Script, key string) (state.Record, bool, error) {
	reply, err := script.Run(ctx, s.client, []string{s.prefix + key}).Slice()
	if errors.Is(err, goredis.Nil) {
		return state.Record{}, false, nil
	}
	var r state.Record
	if err == nil {
		if r, err = decode(reply); err != nil {
			err = noRecord(err)
		}
	}
	if err != nil {
		return state.Record{}, false, s.explain(operation, key, err)
	}
	return r, true, nil
}

// write runs a script that writes r and returns whether it did.
func (s *Store) write(ctx context.Context, operation string, script *goredis.Script, key string, r state.Record, more ...any) (bool, error) {
	args := append([]any{r.Value, r.Left, timeToLive(r.Until)}, more...)
	wrote, err := script.Run(ctx, s.client, []string{s.prefix + key}, args...).Bool()
	return wrote, s.explain(operation, key, err)
}

func (s *Store) explain(operation, key string, err error) error {
	if err == nil {
		return nil
	}
	if strings.Contains(err.Error(), "WRONGTYPE") { // where a script meets it, some servers say it in mid-text
		err = noRecord(err)
	}
	return fmt.Errorf("redis: %s %q: %w", operation, s.prefix+key, err)
}

func noRecord(err error) error { return fmt.Errorf("%w: %w", state.ErrNoRecord, err) }

// timeToLive returns how many milliseconds a record has to live: empty where it
// does not end by itself, and none or fewer where it is over.
func timeToLive(until time.Time) string {
	if until.IsZero() {
		return ""
	}
	left := time.Until(until)
	ms := left.Milliseconds()
	if left > 0 {
		ms++ // it is not to end before its time
	}
	return strconv.FormatInt(ms, 10)
}

// decode reads what readRecord returns.
func decode(reply []any) (r state.Record, err error) {
	if len(reply) != 3 {
		return r, fmt.Errorf("a reply of %d values, not 3", len(reply))
	}
	value, ok := reply[0].(string)
	left, isString := reply[1].(string)
	ms, isNumber := reply[2].(int64)
	if !ok || !isString || !isNumber {
		return r, fmt.Errorf("a reply of %T, %T and %T", reply[0], reply[1], reply[2])
	}
	r.Value = value
	if r.Left, err = strconv.Atoi(left); err != nil {
		return state.Record{}, errors.New("the uses are not a number")
	}
	if ms >= 0 {
		r.Until = time.Now().Add(time.Duration(ms) * time.Millisecond)
	}
	return r, nil
}
