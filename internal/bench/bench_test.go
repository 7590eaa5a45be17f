package bench_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/bench"
	"github.com/strata-go/strata/state"
)

var (
	model  = strata.ModelID{Provider: "openai", Name: "a", Account: "eu"}
	errOut = errors.New("out of order")
)

// counted is a Store that counts round trips and may be out of order.
type counted struct {
	state.Memory
	trips      int
	claimsFail bool
}

func (c *counted) Get(ctx context.Context, key string) (state.Record, bool, error) {
	c.trips++
	return c.Memory.Get(ctx, key)
}

func (c *counted) Put(ctx context.Context, key string, r state.Record) (bool, error) {
	c.trips++
	return c.Memory.Put(ctx, key, r)
}

func (c *counted) Claim(ctx context.Context, key string, r state.Record) (bool, error) {
	c.trips++
	if c.claimsFail {
		return false, errOut
	}
	return c.Memory.Claim(ctx, key, r)
}

func (c *counted) Swap(ctx context.Context, key, old string, r state.Record) (bool, error) {
	c.trips++
	return c.Memory.Swap(ctx, key, old, r)
}

func (c *counted) Delete(ctx context.Context, key string) error {
	c.trips++
	return c.Memory.Delete(ctx, key)
}

// enter makes a call and returns its turn, whether it was let through, and the
// round trips that took.
func enter(t *testing.T, b *bench.Bench, store *counted) (turn bench.Turn, through bool, trips int) {
	before := store.trips
	turn, err := b.Enter(t.Context())
	if err != nil {
		assert.True(t, failure.NotAsked(err))
	}
	return turn, err == nil, store.trips - before
}

func TestRoundTrips(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &counted{}
		here, there := bench.New("cooldown", model, store), bench.New("cooldown", model, store)
		expect := func(b *bench.Bench, through bool, trips int) bench.Turn {
			t.Helper()
			turn, passed, made := enter(t, b, store)
			assert.Equal(t, through, passed)
			assert.Equal(t, trips, made)
			return turn
		}
		turn := expect(here, true, 1)
		turn.Failed(t.Context(), failure.Rate, 10*time.Second)
		assert.Equal(t, 2, store.trips)
		expect(here, false, 0)
		expect(there, false, 1)
		expect(there, false, 0)
		time.Sleep(10 * time.Second)
		probe := expect(here, true, 2)
		assert.True(t, probe.Probing())
		expect(here, false, 2)
		expect(there, false, 2)
		probe.Answered(t.Context())
		assert.False(t, probe.Probing())
		probe.End(t.Context())
		expect(here, true, 1)
		turn = expect(there, true, 1)
		assert.False(t, turn.Probing())
	})
}

// A probe of which nobody hears again keeps the others away for five minutes.
func TestALostProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &counted{}
		b := bench.New("cooldown", model, store)
		b.Out(t.Context(), failure.Rate, time.Second)
		time.Sleep(time.Second)
		_, through, _ := enter(t, b, store)
		require.True(t, through)
		time.Sleep(5*time.Minute - 1)
		_, through, _ = enter(t, b, store)
		assert.False(t, through)
		time.Sleep(1)
		turn, through, _ := enter(t, b, store)
		assert.True(t, through)
		assert.True(t, turn.Probing())
	})
}

// A model that nobody asked for long is as any other.
func TestWhatIsLongPastIsForgotten(t *testing.T) {
	for past, probing := range map[time.Duration]bool{time.Hour - 1: true, time.Hour: false} {
		synctest.Test(t, func(t *testing.T) {
			store := &counted{}
			b := bench.New("cooldown", model, store)
			b.Out(t.Context(), failure.Rate, time.Second)
			time.Sleep(time.Second + past)
			turn, through, _ := enter(t, b, store)
			assert.True(t, through)
			assert.Equal(t, probing, turn.Probing())
		})
	}
}

// A probe that finds the model back does not undo what was learned meanwhile.
func TestSentOutDuringAProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &counted{}
		b := bench.New("cooldown", model, store)
		b.Out(t.Context(), failure.Rate, time.Second)
		time.Sleep(time.Second)
		turn, through, _ := enter(t, b, store)
		require.True(t, through)
		b.Out(t.Context(), failure.Quota, time.Hour)
		turn.Answered(t.Context())
		_, through, _ = enter(t, b, store)
		assert.False(t, through)
		_, through, _ = enter(t, bench.New("cooldown", model, store), store)
		assert.False(t, through, "for others too")
	})
}

// Inside a probe another Bench for the same model passes by it, if it is the same
// store's, and leaves the verdict to the one above.
func TestInsideAProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &counted{}
		outer, inner := bench.New("cooldown", model, store), bench.New("cooldown", model, store)
		outer.Out(t.Context(), failure.Rate, time.Second)
		time.Sleep(time.Second)
		probe, through, _ := enter(t, outer, store)
		require.True(t, through)
		inside, err := inner.Enter(probe.Context(t.Context()))
		require.NoError(t, err)
		assert.False(t, inside.Probing())
		inside.End(t.Context())
		_, through, _ = enter(t, inner, store)
		assert.False(t, through, "who is not inside it does not pass")
		probe.End(t.Context())

		other, through, _ := enter(t, inner, store)
		require.True(t, through)
		_, err = outer.Enter(probe.Context(t.Context()))
		assert.ErrorIs(t, err, failure.ErrNotAsked, "the probe is another's")
		probe.End(t.Context())
		_, through, _ = enter(t, outer, store)
		assert.False(t, through, "and is not ended by one that is over")
		other.Answered(t.Context())
		_, through, _ = enter(t, outer, store)
		assert.True(t, through)
	})
}

// The longest time stands, whoever writes last.
func TestTheLongestTimeStands(t *testing.T) {
	for name, order := range map[string][]time.Duration{
		"the longest last":  {time.Second, time.Minute, time.Hour},
		"the longest first": {time.Hour, time.Second, time.Minute},
		"for 290 years":     {time.Hour, 290 * 365 * 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := &counted{}
				for _, d := range order {
					bench.New("cooldown", model, store).Out(t.Context(), failure.Rate, d)
				}
				_, err := bench.New("cooldown", model, store).Enter(t.Context())
				assert.Equal(t, min(slices.Max(order), 31*24*time.Hour), failure.RetryAfter(err))
			})
		})
	}
}

func TestNothingIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		var none *bench.Bench
		turn, err := none.Enter(ctx)
		require.NoError(t, err)
		turn.Failed(ctx, failure.Rate, time.Hour)
		turn.Answered(ctx)
		turn.End(ctx)

		store := &counted{}
		for _, foreign := range []string{"", "rate", "rate soon", "1"} {
			_, err := store.Put(ctx, "cooldown/openai/a/eu/", state.Record{Value: foreign})
			require.NoError(t, err)
			_, through, _ := enter(t, bench.New("cooldown", model, store), store)
			assert.True(t, through, "%q", foreign)
		}

		b := bench.New("cooldown", model, store)
		b.Out(ctx, failure.Rate, time.Second)
		time.Sleep(time.Second)
		store.claimsFail = true
		turn, through, _ := enter(t, b, store)
		assert.True(t, through)
		assert.False(t, turn.Probing())
	})
}

func Example() {
	model := strata.ModelID{Provider: "openai", Name: "gpt-5"}
	b := bench.New("cooldown", model, new(state.Memory))
	turn, _ := b.Enter(context.Background())
	turn.Failed(context.Background(), failure.Rate, time.Minute)
	_, err := b.Enter(context.Background())
	fmt.Println(failure.Of(err), failure.NotAsked(err))
	// Output: rate true
}
