package retry_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/retry"
)

var edgeBusy = &failure.Error{Status: 529, Kind: failure.Overload, Message: "busy"}

type edgeTry = retry.Attempt[string]

func edgeSeq(steps ...any) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, s := range steps {
			more := true
			switch s := s.(type) {
			case string:
				more = yield(s, nil)
			case error:
				more = yield("", s)
			case time.Duration:
				time.Sleep(s)
			case func():
				s()
			}
			if !more {
				return
			}
		}
	}
}

func edgeRead(seq iter.Seq2[string, error]) (got []string, failed error) {
	for s, err := range seq {
		if err != nil {
			failed = err
			continue
		}
		got = append(got, s)
	}
	return got, failed
}

// The start that a context asks for holds with a timeout of the policy as
// without one.
func TestEdgeStartWithAPolicysTimeout(t *testing.T) {
	for name, p := range map[string]retry.Policy[string]{
		"walk":             retry.Models("a", "b"),
		"rules":            retry.Models("a", "b").Rules(),
		"walk and timeout": retry.Models("a", "b").Timeout(time.Minute),
		"rules, timeout":   retry.Models("a", "b").Rules().Timeout(time.Minute),
	} {
		t.Run(name, func(t *testing.T) {
			ctx := strata.WithStart(t.Context(), strata.ModelID{Name: "b"})
			model, err := retry.Call(ctx, p, func(_ context.Context, try edgeTry) (string, error) { return try.Model, nil })
			require.NoError(t, err)
			assert.Equal(t, "b", model)
		})
	}
}

// A stream that stalls beyond FirstElement and then ends, as many do when their
// context is done, is followed by the next attempt.
func TestEdgeFirstElementAndASilentEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, err := edgeRead(retry.Stream(t.Context(), retry.Models("a", "b"), func(ctx context.Context, try edgeTry) iter.Seq2[string, error] {
			if try.Model == "a" {
				return func(func(string, error) bool) { <-ctx.Done() }
			}
			return edgeSeq("b")
		}, retry.FirstElement[string](time.Second)))
		assert.NoError(t, err)
		assert.Equal(t, []string{"b"}, got)
	})
}

// A stream that its caller cut is not whole.
func TestEdgeCancelAndASilentEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		got, err := edgeRead(retry.Stream(ctx, retry.Models("a", "b"), func(ctx context.Context, try edgeTry) iter.Seq2[string, error] {
			return func(yield func(string, error) bool) {
				if yield("half", nil) {
					<-ctx.Done()
				}
			}
		}))
		assert.Equal(t, []string{"half"}, got)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

// Nor one that the policy's own timeout cut.
func TestEdgeTimeoutAndASilentEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, err := edgeRead(retry.Stream(t.Context(), retry.Models("a", "b").Timeout(time.Second), func(ctx context.Context, try edgeTry) iter.Seq2[string, error] {
			if try.Model == "b" {
				return edgeSeq("b")
			}
			return func(func(string, error) bool) { <-ctx.Done() }
		}))
		assert.NoError(t, err)
		assert.Equal(t, []string{"b"}, got)
	})
}

// FirstElement at the very moment, a nanosecond before and behind.
func TestEdgeFirstElementAtTheMoment(t *testing.T) {
	for d, want := range map[time.Duration]string{time.Second - 1: "a", time.Second: "b", time.Second + 1: "b"} {
		t.Run(d.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for range 50 {
					got, err := edgeRead(retry.Stream(t.Context(), retry.Models("a", "b"), func(_ context.Context, try edgeTry) iter.Seq2[string, error] {
						if try.Model == "a" {
							return edgeSeq("", d, "a", "z")
						}
						return edgeSeq("", "b", "z")
					}, retry.FirstElement[string](time.Second), retry.Commits(func(s string) bool { return s != "" })))
					require.NoError(t, err)
					assert.Equal(t, []string{"", want, "z"}, got)
				}
			})
		})
	}
}

func TestEdgeOddFunctions(t *testing.T) {
	one := retry.Models("a", "b")
	t.Run("nil sequences", func(t *testing.T) {
		got, err := edgeRead(retry.Stream(t.Context(), one, func(context.Context, edgeTry) iter.Seq2[string, error] { return nil }))
		assert.Empty(t, got)
		walk, ok := errors.AsType[*retry.Error](err)
		require.True(t, ok, "%v", err)
		assert.Len(t, walk.Errs, 2)
	})
	t.Run("goes on behind its error", func(t *testing.T) { // which the language forbids: its panic passes
		var seen context.Context
		assert.Panics(t, func() {
			edgeRead(retry.Stream(t.Context(), one, func(ctx context.Context, _ edgeTry) iter.Seq2[string, error] {
				seen = ctx
				return func(yield func(string, error) bool) {
					yield("", edgeBusy)
					yield("ghost", nil)
				}
			}))
		})
		assert.Error(t, seen.Err())
	})
	t.Run("panics release and pass", func(t *testing.T) {
		var ctxs []context.Context
		f := func(ctx context.Context, try edgeTry) iter.Seq2[string, error] {
			ctxs = append(ctxs, ctx)
			return edgeSeq("x", func() { panic("boom") })
		}
		assert.PanicsWithValue(t, "boom", func() {
			edgeRead(retry.Stream(t.Context(), one.Timeout(time.Hour), f, retry.FirstElement[string](time.Hour)))
		})
		assert.PanicsWithValue(t, "boom", func() {
			retry.Call(t.Context(), one, func(ctx context.Context, _ edgeTry) (int, error) { ctxs = append(ctxs, ctx); panic("boom") })
		})
		for _, ctx := range ctxs {
			assert.Error(t, ctx.Err())
		}
	})
	t.Run("goexit", func(t *testing.T) {
		done := make(chan context.Context, 1)
		go func() {
			var seen context.Context
			defer func() { done <- seen }()
			retry.Call(context.Background(), one, func(ctx context.Context, _ edgeTry) (int, error) { seen = ctx; runtime.Goexit(); return 0, nil })
		}()
		assert.Error(t, (<-done).Err())
	})
	t.Run("a panic of the reader", func(t *testing.T) {
		var seen context.Context
		assert.PanicsWithValue(t, "reader", func() {
			for range retry.Stream(t.Context(), one, func(ctx context.Context, _ edgeTry) iter.Seq2[string, error] { seen = ctx; return edgeSeq("x") }) {
				panic("reader")
			}
		})
		assert.Error(t, seen.Err())
	})
	t.Run("keeps and appends to its history", func(t *testing.T) {
		var kept [][]error
		mine := errors.New("mine")
		_, err := retry.Call(t.Context(), retry.Models("a").Rules(retry.Retry[string](nil, retry.Attempts(6))), func(_ context.Context, try edgeTry) (int, error) {
			kept = append(kept, append(try.Errs, mine))
			return 0, fmt.Errorf("attempt %d", try.Number)
		})
		walk, ok := errors.AsType[*retry.Error](err)
		require.True(t, ok)
		assert.NotContains(t, walk.Errs, mine)
		for _, errs := range kept {
			assert.Equal(t, mine, errs[len(errs)-1], "what the function appended was written over")
		}
	})
	t.Run("a value beside an error is dropped", func(t *testing.T) {
		n, err := retry.Call(t.Context(), retry.Models("a"), func(context.Context, edgeTry) (int, error) { return 7, edgeBusy })
		assert.Equal(t, edgeBusy, err)
		assert.Zero(t, n)
	})
}

// A policy serves any number of goroutines, and its methods change a copy.
func TestEdgePolicyIsShared(t *testing.T) {
	models := []string{"a", "b", "c"}
	rules := make([]retry.Rule[string], 1, 8)
	rules[0] = retry.Retry[string](nil, retry.Attempts(2))
	p := retry.Models(models...).Rules(rules...)
	q := p.Rules(append(rules, retry.Switch(nil, "q"))...)
	models[0], rules[0] = "changed", retry.Switch(nil, "changed")
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			pol, want := p, "[a a b b c c]"
			if i%2 == 1 {
				pol, want = q, "[a a q q b b c c]"
			}
			var asked []string
			_, err := retry.Call(context.Background(), pol, func(_ context.Context, try edgeTry) (int, error) {
				asked = append(asked, try.Model)
				return 0, edgeBusy
			})
			assert.Error(t, err)
			assert.Equal(t, want, fmt.Sprint(asked))
		})
	}
	all.Wait()
}

// A rule's timeout goes before the policy's, its time past the deadline too.
func TestEdgePolicyTimeoutAndRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var took []time.Duration
		p := retry.Models("a").Timeout(2*time.Second).Rules(
			retry.Switch(nil, "b", retry.Timeout(5*time.Second)),
			retry.Switch(nil, "c"),
			retry.Switch(nil, "d", retry.PastDeadline(7*time.Second)),
			retry.Switch(nil, "e", retry.PastDeadline(7*time.Second), retry.Timeout(3*time.Second)))
		_, err := retry.Call(t.Context(), p, func(ctx context.Context, _ edgeTry) (int, error) {
			begun := time.Now()
			<-ctx.Done()
			took = append(took, time.Since(begun)/time.Second)
			return 0, ctx.Err()
		})
		assert.Equal(t, failure.Timeout, failure.Of(err))
		assert.Equal(t, []time.Duration{2, 5, 2, 7, 3}, took)
	})
}

// A break in the flush, at the first element that commits, and behind it.
func TestEdgeBreakAnywhere(t *testing.T) {
	for n := 1; n <= 5; n++ {
		synctest.Test(t, func(t *testing.T) {
			var seen context.Context
			got, left := 0, 0
			ctx := strata.WithTrace(t.Context(), &strata.Trace{AttemptDone: func(_ context.Context, i strata.AttemptDoneInfo) {
				if i.Left {
					left++
				}
			}})
			for range retry.Stream(ctx, retry.Models("a"), func(ctx context.Context, _ edgeTry) iter.Seq2[string, error] {
				seen = ctx
				return edgeSeq("", "", "x", "y", "z")
			}, retry.Commits(func(s string) bool { return s != "" })) {
				if got++; got == n {
					break
				}
			}
			assert.Equal(t, n, got)
			assert.Equal(t, 1, left, n)
			assert.Error(t, seen.Err())
		})
	}
}

// The delay of a rule whose growth overflows, or that is nothing, stays sane.
func TestEdgeGrowthOfNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		_, err := retry.Call(t.Context(), retry.Models("a").Rules(retry.Retry[string](nil, retry.Factor(1e300), retry.Attempts(50))), func(context.Context, edgeTry) (int, error) { return 0, edgeBusy })
		assert.Error(t, err)
		assert.Zero(t, time.Since(begun))
		var waits []time.Duration
		ctx, cancel := context.WithCancel(strata.WithTrace(t.Context(), &strata.Trace{Wait: func(_ context.Context, w strata.WaitInfo) { waits = append(waits, w.Duration) }}))
		time.AfterFunc(100*365*24*time.Hour, cancel)
		_, err = retry.Call(ctx, retry.Models("a").Rules(retry.Retry[string](nil, retry.Delay(time.Hour), retry.Factor(1e10), retry.Attempts(50))), func(context.Context, edgeTry) (int, error) { return 0, edgeBusy })
		assert.Error(t, err)
		assert.True(t, slices.IsSorted(waits), "%v", waits)
		assert.Positive(t, slices.Min(waits))
	})
}

// A matcher that changes the history, which it must not, harms its own call at
// most.
func TestEdgeMatcherThatMutates(t *testing.T) {
	mutate := true
	p := retry.Models("a", "b").Rules(
		retry.Retry[string](retry.MatchFunc(func(_ context.Context, h *retry.History) bool {
			if mutate {
				h.Attempts = nil
			}
			return false
		})),
		retry.Retry[string](retry.MatchFunc(func(_ context.Context, h *retry.History) bool { return h.Last().Err != nil })))
	asked := 0
	ask := func() error {
		_, err := retry.Call(t.Context(), p, func(context.Context, edgeTry) (int, error) { asked++; return 0, edgeBusy })
		return err
	}
	assert.Panics(t, func() { ask() })
	mutate, asked = false, 0
	assert.Error(t, ask())
	assert.Equal(t, 4, asked)
}

func edgeBench(b *testing.B, attempts int, run func(ctx context.Context, n int) error) {
	b.ReportAllocs()
	for b.Loop() {
		_ = run(b.Context(), attempts)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(attempts), "ns/attempt")
}

func BenchmarkEdgeStream(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := retry.Models("a").Rules(retry.Retry[string](nil, retry.Attempts(max(n, 2))))
			edgeBench(b, n, func(ctx context.Context, n int) error {
				_, err := edgeRead(retry.Stream(ctx, p, func(_ context.Context, try edgeTry) iter.Seq2[string, error] {
					if try.Number == n {
						return edgeSeq("x")
					}
					return edgeSeq(edgeBusy)
				}))
				return err
			})
		})
	}
}
