package middleware_test

import (
	"context"
	"fmt"
	"iter"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/stream"
)

// stubborn is a step that takes d whatever its context says, and then fails with
// err, or with the context's error.
func stubborn(d time.Duration, err error) modeltest.Step {
	return func(ctx context.Context, yield func(strata.Part, error) bool) bool {
		time.Sleep(d)
		if err == nil {
			err = ctx.Err()
		}
		yield(nil, err)
		return false
	}
}

// The inner Backoff has committed, its Timeout runs out, the model is slow to
// leave, and meanwhile the caller's deadline passes too.
func TestACommitThatACallersDeadlineOvertakes(t *testing.T) {
	stack := func() strata.Model {
		a := modeltest.New("openai/a", modeltest.Attempt{modeltest.Start(), modeltest.Text("I'm sor"), stubborn(10*time.Second, nil)})
		b := modeltest.New("anthropic/b", modeltest.Answer("never"))
		return strata.Wrap(a, middleware.Fallback(b), middleware.Timeout(middleware.Total(5*time.Second)), middleware.Backoff())
	}
	t.Run("outermost is the mark", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
			defer cancel()
			_, err := read(ctx, stack())
			assert.IsType(t, (*stream.CommittedError)(nil), err, "an error past the commit point leaves a retrying layer as a CommittedError: %v", err)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
		})
	})
	t.Run("a holding layer above keeps the caller's deadline", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
			defer cancel()
			m := refusal.Detect(refusal.Phrases("I'm sorry, but I cannot"))(stack())
			got, err := read(ctx, m)
			assert.Empty(t, got)
			assert.ErrorIs(t, err, context.DeadlineExceeded, "%v", err)
		})
	})
}

// tenant is a layer of a user's own that says more about a failure.
type tenantError struct{ err error }

func (e *tenantError) Error() string { return "tenant 7: " + e.err.Error() }
func (e *tenantError) Unwrap() error { return e.err }

func tenant(next strata.Model) strata.Model {
	return strata.Funcs{Stream: func(ctx context.Context, req *strata.Request, next strata.Model) iter.Seq2[strata.Part, error] {
		return func(yield func(strata.Part, error) bool) {
			for p, err := range next.Stream(ctx, req) {
				if err != nil {
					err = &tenantError{err}
				}
				if !yield(p, err) {
					return
				}
			}
		}
	}}.Layer()(next)
}

// What a user's layer says of a failure is not lost in a layer above that holds.
func TestAUsersErrorSurvivesAHoldingLayer(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Attempt{modeltest.Text("I'm sor"), modeltest.Fail(busy("openai/a"))})
	_, err := read(t.Context(), strata.Wrap(m, refusal.Detect(refusal.Phrases("I'm sorry")), tenant, middleware.Backoff()))
	var own *tenantError
	assert.ErrorAs(t, err, &own)
	_, err = read(t.Context(), strata.Wrap(m, refusal.Detect(refusal.Phrases("I'm sorry")), tenant))
	assert.ErrorAs(t, err, &own, "as it does where nothing below marks it")
}

// A wait that overflows is longer than the budget, not shorter than nothing. In
// real time, as some must pass between the failure and the plan.
func TestWaitsThatOverflow(t *testing.T) {
	for name, opts := range map[string][]middleware.BackoffOption{
		"computed": {middleware.NoJitter(), middleware.Base(math.MaxInt64), middleware.Max(math.MaxInt64)},
		"policy":   {middleware.Policy(func() backoff.BackOff { return backoff.NewConstantBackOff(math.MaxInt64) })},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer time.AfterFunc(time.Second, cancel).Stop()
			m := modeltest.New("openai/a", modeltest.Failure(busy("openai/a")))
			waits := 0
			ctx = strata.WithTrace(ctx, &strata.Trace{Wait: func(context.Context, strata.WaitInfo) { waits++; cancel() }})
			_, err := middleware.Backoff(opts...)(m).Generate(ctx, prompt)
			require.Error(t, err)
			assert.Zero(t, waits, "292 years are waited for within a budget of a minute")
		})
	}
}

// backoff.Retry resets a policy before it asks it; so does Backoff, or a policy
// written as a literal waits for nothing.
func TestAPolicyIsResetBeforeItsFirstUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := modeltest.New("openai/a", modeltest.Failure(busy("openai/a")))
		begun := time.Now()
		_, err := middleware.Backoff(middleware.Policy(func() backoff.BackOff {
			return &backoff.ExponentialBackOff{InitialInterval: time.Second, Multiplier: 2, MaxInterval: time.Minute, Stop: backoff.Stop, Clock: backoff.SystemClock}
		}))(m).Generate(t.Context(), prompt)
		require.Error(t, err)
		assert.Equal(t, 3*time.Second, time.Since(begun))
	})
}

// A Fallback keeps the models that it was made of.
func TestFallbackKeepsItsModels(t *testing.T) {
	models := []strata.Model{modeltest.New("anthropic/b", modeltest.Answer("from b"))}
	layer := middleware.Fallback(models...)
	models[0] = nil
	m := layer(modeltest.New("openai/a", modeltest.Failure(busy("openai/a"))))
	assert.NotPanics(t, func() {
		resp, err := m.Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, "from b", resp.Text())
	})
}

// An account that Funcs.ID gives is that of the failure as well.
func TestARenamedModelsFailureIsItsOwn(t *testing.T) {
	account := func(name string) strata.Layer {
		return strata.Funcs{ID: func(id strata.ModelID) strata.ModelID { id.Account = name; return id }}.Layer()
	}
	base := account("x")(modeltest.New("openai/a", modeltest.Failure(provider("openai/a", failure.Quota))))
	sister := modeltest.New("openai/a2", modeltest.Answer("never"))
	other := modeltest.New("openai/a", modeltest.Answer("from no account"))
	_, err := middleware.Fallback(account("x")(sister))(base).Generate(t.Context(), prompt)
	assert.Error(t, err, "the sister model is on the same spent account")
	assert.Empty(t, sister.Calls())
	resp, err := middleware.Fallback(other)(base).Generate(t.Context(), prompt)
	if assert.NoError(t, err, "the other is on another account") {
		assert.Equal(t, "from no account", resp.Text())
	}
}

// DESIGN: the window is counted from the first held part.
func TestTheWindowOfHoldReasoningBeginsWithTheFirstHeldPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := modeltest.New("openai/a", modeltest.Attempt{
			modeltest.Start(), modeltest.Wait(8 * time.Second), modeltest.Reasoning("hm"), modeltest.Wait(4 * time.Second),
			modeltest.Reasoning("hm"), modeltest.Wait(time.Minute), modeltest.Finish(strata.FinishStop),
		})
		begun := time.Now()
		for range middleware.Preamble(middleware.HoldReasoning(10*time.Second))(m).Stream(t.Context(), prompt) {
			assert.Equal(t, 12*time.Second, time.Since(begun), "the first part was held at 0s and the window is 10s")
			break
		}
	})
}

// The windows are options of each kind of part: a minute for reasoning is not one
// for tool input.
func TestEachWindowIsItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := modeltest.New("openai/a", modeltest.Attempt{
			modeltest.Start(), modeltest.Reasoning("hm"), modeltest.ToolInput("c", "{"), modeltest.Wait(10 * time.Second), modeltest.ToolInput("c", "}"),
			modeltest.Wait(20 * time.Second), modeltest.ToolCall("c", "f", "{}"), modeltest.Finish(strata.FinishStop),
		})
		begun := time.Now()
		for range middleware.Preamble(middleware.HoldReasoning(time.Minute), middleware.HoldToolInput(5*time.Second))(m).Stream(t.Context(), prompt) {
			assert.Equal(t, 10*time.Second, time.Since(begun), "the tool input's window of 5s ran out")
			break
		}
	})
}

// Nested bounds: each layer's is its own.
func TestMaxPartsOfNestedLayers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		n     int
		inner int
		outer int
		calls int
	}{
		{"both hold", 5, 10, 10, 2},
		{"the inner is outgrown, the outer is free", 5, 3, 10, 1},
		{"the outer is outgrown first", 5, 10, 3, 2},
		{"ten thousand", 10_000, 20_000, 20_000, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fail := modeltest.Attempt{}
			for range tt.n {
				fail = append(fail, modeltest.TextStart("0"))
			}
			a := modeltest.New("openai/a", append(fail, modeltest.Fail(busy("openai/a"))), modeltest.Answer("a"))
			b := modeltest.New("anthropic/b", modeltest.Answer("b"))
			m := strata.Wrap(a, middleware.FallbackWith([]strata.Model{b}, middleware.MaxParts(tt.outer)), middleware.Backoff(middleware.Base(0), middleware.MaxParts(tt.inner)))
			got, err := read(t.Context(), m)
			require.NoError(t, err)
			assert.Len(t, got, 5, "one preamble: %.200v", got)
			assert.Len(t, a.Calls(), tt.calls)
		})
	}
}

// Hooks that panic: the panic reaches the caller, the request is released, and
// the layer is as good as new.
func TestHooksThatPanic(t *testing.T) {
	for name, opt := range map[string]middleware.ObserveOption{
		"OnAttempt":     middleware.OnAttempt(func(context.Context, strata.AttemptInfo) { panic(name("x")) }),
		"OnAttemptDone": middleware.OnAttemptDone(func(context.Context, strata.AttemptDoneInfo) { panic(name("x")) }),
		"OnWait":        middleware.OnWait(func(context.Context, strata.WaitInfo) { panic(name("x")) }),
		"OnCommit":      middleware.OnCommit(func(context.Context, strata.AttemptInfo) { panic(name("x")) }),
		"OnServed":      middleware.OnServed(func(context.Context, strata.ServedInfo) { panic(name("x")) }),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := modeltest.New("openai/a", modeltest.Failure(busy("openai/a")), modeltest.Answer("ok"))
				stack := strata.Wrap(m, middleware.Observe(opt), middleware.Backoff(), middleware.Timeout(middleware.Total(time.Hour), middleware.Idle(time.Minute)))
				assert.Panics(t, func() { read(t.Context(), stack) })
				for _, c := range m.Calls() {
					assert.Error(t, c.Context.Err(), "the request is still open")
				}
			})
		})
	}
}

type name string

// Goexit in the reader, as t.FailNow does it, releases everything in every layer.
func TestGoexitInTheReaderOfEveryLayer(t *testing.T) {
	for name, layer := range layers {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := modeltest.New("openai/a", modeltest.Attempt{modeltest.Start(), modeltest.Text("a"), modeltest.Hang()})
				wrapped := strata.Wrap(m, middleware.Backoff(), layer(), middleware.Timeout(middleware.Idle(time.Hour)))
				done := make(chan struct{})
				go func() {
					defer close(done)
					for range wrapped.Stream(t.Context(), prompt) {
						runtime.Goexit()
					}
				}()
				<-done
				assert.Error(t, m.Calls()[0].Context.Err())
			})
		})
	}
}

// What the Trace hears of a reader that exits is not that the attempt panicked.
func TestGoexitIsNotToldAsAPanic(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Answer("a"))
	var heard []strata.AttemptDoneInfo
	wrapped := strata.Wrap(m, middleware.Observe(middleware.OnAttemptDone(func(_ context.Context, i strata.AttemptDoneInfo) { heard = append(heard, i) })), middleware.Backoff())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range wrapped.Stream(t.Context(), prompt) {
			runtime.Goexit()
		}
	}()
	<-done
	require.Len(t, heard, 1)
	assert.NotContains(t, fmt.Sprint(heard[0].Err), "panicked")
	assert.True(t, heard[0].Committed, "a part that commits was handed on")
}

// A hundred goroutines share one wrapped model.
func TestOneModelServesManyGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	attempts := []modeltest.Attempt{}
	for i := range 400 {
		if i%2 == 0 {
			attempts = append(attempts, modeltest.Attempt{modeltest.Start(), modeltest.Fail(busy("openai/a"))})
		} else {
			attempts = append(attempts, modeltest.Answer("ok"))
		}
	}
	attempts = append(attempts, modeltest.Answer("ok"))
	a := modeltest.New("openai/a", attempts...)
	b := modeltest.New("anthropic/b", modeltest.Answer("ok"))
	var heard sync.Map
	m := strata.Wrap(a,
		middleware.Observe(middleware.OnServed(func(_ context.Context, i strata.ServedInfo) { heard.Store(i.Model, true) })),
		middleware.Timeout(middleware.Total(time.Minute)), middleware.RequireContent(), middleware.Fallback(b), refusal.Detect(), middleware.Preamble(),
		middleware.Backoff(middleware.Base(0)), middleware.Timeout(middleware.FirstContent(time.Minute), middleware.Idle(time.Minute)))
	var running sync.WaitGroup
	for i := range 100 {
		running.Go(func() {
			for range 5 {
				if i%2 == 0 {
					resp, err := m.Generate(context.Background(), prompt)
					if assert.NoError(t, err) {
						assert.Equal(t, "ok", resp.Text())
					}
					continue
				}
				got, err := read(context.Background(), m)
				assert.NoError(t, err)
				assert.Len(t, got, 5)
			}
		})
	}
	running.Wait()
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+1 }, 5*time.Second, time.Millisecond)
}

// Every layer twice over itself gives the same answer as once.
func TestEveryLayerTwice(t *testing.T) {
	for name, layer := range layers {
		t.Run(name, func(t *testing.T) {
			l := layer()
			m := modeltest.New("openai/a", modeltest.Answer("ok"))
			got, err := read(t.Context(), l(l(m)))
			require.NoError(t, err)
			assert.Equal(t, "ok", strings.Join(got[2:3], ""))
			assert.Len(t, got, 5)
		})
	}
}

// The iterator of a wrapped model may be ranged over again, and inside itself.
func TestAWrappedIteratorRangedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := modeltest.New("openai/a", modeltest.Failure(busy("openai/a")), modeltest.Answer("ok"))
		seq := middleware.Backoff(middleware.NoJitter())(m).Stream(t.Context(), prompt)
		begun := time.Now()
		n := 0
		for _, err := range seq {
			require.NoError(t, err)
			for _, err := range seq {
				require.NoError(t, err)
				n++
			}
		}
		assert.Equal(t, 25, n)
		assert.Equal(t, time.Second, time.Since(begun))
	})
}

// alien is a part of someone else's.
type alien struct{ commits bool }

func (a alien) Commits() bool { return a.commits }

func TestPartsOfSomeoneElses(t *testing.T) {
	fail := modeltest.Fail(busy("openai/a"))
	b := modeltest.New("anthropic/b", modeltest.Answer("b"))
	for _, tt := range []struct {
		commits bool
		calls   int
	}{{true, 0}, {false, 1}} {
		a := modeltest.New("openai/a", modeltest.Attempt{modeltest.Part(alien{tt.commits}), fail})
		before := len(b.Calls())
		for range middleware.Fallback(b)(a).Stream(t.Context(), prompt) {
		}
		assert.Equal(t, tt.calls, len(b.Calls())-before)
	}
}

// "A part that commits is content": one that does not (a ping of a provider's
// own) does not make an answer of nothing.
func TestAPingIsNotContent(t *testing.T) {
	a := modeltest.New("openai/a", modeltest.Attempt{modeltest.Part(alien{false}), modeltest.Finish(strata.FinishStop)})
	_, err := middleware.RequireContent()(a).Generate(t.Context(), prompt)
	assert.Error(t, err)
	_, err = stream.Collect(middleware.RequireContent()(a).Stream(t.Context(), prompt))
	assert.Error(t, err)
}
