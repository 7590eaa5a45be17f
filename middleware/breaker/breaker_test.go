package breaker_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sony/gobreaker/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/breaker"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/state"
	"github.com/strata-go/strata/stream"
)

var (
	prompt  = strata.Prompt("hello")
	answers = modeltest.Answer("hi")
	slow    = modeltest.Attempt{modeltest.Wait(time.Second), modeltest.Text("hi"), modeltest.Finish(strata.FinishStop)}
)

const second = time.Second

func fails(kind failure.Kind) modeltest.Attempt {
	return modeltest.Failure(&failure.Error{Model: strata.ModelID{Provider: "openai", Name: "a"}, Kind: kind, Message: "from the provider"})
}

// half is a stream that fails behind its commit point.
func half(kind failure.Kind) modeltest.Attempt {
	return append(modeltest.Attempt{modeltest.Start(), modeltest.Text("half")}, fails(kind)...)
}

func times(n int, a modeltest.Attempt) (script []modeltest.Attempt) {
	for range n {
		script = append(script, a)
	}
	return script
}

func call(ctx context.Context, m strata.Model, streamed bool) error {
	if !streamed {
		_, err := m.Generate(ctx, prompt)
		return err
	}
	_, err := stream.Collect(m.Stream(ctx, prompt))
	return err
}

// bothWays runs f in a bubble for whole and for streamed calls.
func bothWays(t *testing.T, f func(t *testing.T, call func(context.Context, strata.Model) error)) {
	for name, streamed := range map[string]bool{"generate": false, "stream": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f(t, func(ctx context.Context, m strata.Model) error { return call(ctx, m, streamed) })
			})
		})
	}
}

// What opens the breaker: after the script the next call is refused, or not.
func TestWhatOpens(t *testing.T) {
	for name, test := range map[string]struct {
		opts   []breaker.Option
		script []modeltest.Attempt
		opens  bool
	}{
		"overloads":                        {nil, times(5, fails(failure.Overload)), true},
		"timeouts":                         {nil, times(5, fails(failure.Timeout)), true},
		"network failures":                 {nil, times(5, fails(failure.Network)), true},
		"throttles":                        {nil, times(5, fails(failure.Rate)), true},
		"streams that just stop":           {nil, times(5, modeltest.Attempt{modeltest.Text("half")}), true},
		"failures behind the commit point": {nil, times(5, half(failure.Overload)), true},
		"too few":                          {nil, times(4, fails(failure.Overload)), false},
		"refusals":                         {nil, times(9, fails(failure.Content)), false},
		"invalid requests":                 {nil, times(9, fails(failure.Invalid)), false},
		"requests that are too large":      {nil, times(9, fails(failure.Context)), false},
		"a refused key":                    {nil, times(9, fails(failure.Auth)), false},
		"a spent plan":                     {nil, times(9, fails(failure.Quota)), false},
		"a missing grant":                  {nil, times(9, fails(failure.Entitlement)), false},
		"a missing model":                  {nil, times(9, fails(failure.Model)), false},
		"nobody knows what":                {nil, times(9, fails(failure.Unknown)), false},
		"what a layer below knew before":   {nil, times(9, modeltest.Failure(&failure.Error{Kind: failure.Overload, Err: failure.ErrNotAsked})), false},
		"an answer among them":             {nil, append(append(times(4, fails(failure.Overload)), answers), times(4, fails(failure.Overload))...), false},
		"a refusal among them":             {nil, append(append(times(4, fails(failure.Overload)), fails(failure.Content)), times(4, fails(failure.Overload))...), false},
		"an invalid request among them":    {nil, append(append(times(4, fails(failure.Overload)), fails(failure.Invalid)), fails(failure.Overload)), true},
		"fewer, if asked":                  {[]breaker.Option{breaker.Failures(2)}, times(2, fails(failure.Overload)), true},
		"other kinds, if asked":            {[]breaker.Option{breaker.On(failure.Auth, failure.Content)}, append(times(4, fails(failure.Auth)), fails(failure.Content)), true},
		"and no others then":               {[]breaker.Option{breaker.On(failure.Auth)}, times(9, fails(failure.Overload)), false},
		"by a rule":                        {[]breaker.Option{half50}, []modeltest.Attempt{answers, fails(failure.Rate), answers, fails(failure.Rate)}, true},
		"by a rule, not yet":               {[]breaker.Option{half50}, []modeltest.Attempt{answers, fails(failure.Rate), answers, answers}, false},
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
				base := modeltest.New("openai/a", append(test.script, answers)...)
				m := breaker.New(test.opts...)(base)
				for i := range test.script {
					assert.NotErrorIs(t, call(t.Context(), m), gobreaker.ErrOpenState, "call %d", i)
				}
				err := call(t.Context(), m)
				if !test.opens {
					assert.NoError(t, err)
					return
				}
				assert.Len(t, base.Calls(), len(test.script))
				assert.ErrorIs(t, err, gobreaker.ErrOpenState)
				assert.ErrorIs(t, err, failure.ErrNotAsked)
				assert.EqualError(t, err, "openai/a: overload: breaker: not asked for another 30s")
			})
		})
	}
}

var half50 = breaker.Trip(time.Minute, func(c gobreaker.Counts) bool {
	return c.Requests >= 4 && 2*c.TotalFailures >= c.Requests
})

func TestTheWindowOfARule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := breaker.New(half50)(modeltest.New("openai/a", fails(failure.Rate)))
		for range 20 {
			assert.NotErrorIs(t, call(t.Context(), m, false), failure.ErrNotAsked)
			time.Sleep(25 * second)
		}
		for range 3 {
			call(t.Context(), m, false)
		}
		assert.ErrorIs(t, call(t.Context(), m, false), failure.ErrNotAsked)
	})
}

// What the caller ended is no failure, and neither is what a Timeout above
// ended; a Timeout below is one.
func TestWhoEndedTheCall(t *testing.T) {
	limit := middleware.Timeout(middleware.Total(second))
	for name, test := range map[string]struct {
		stack strata.Layer
		ctx   func(context.Context) (context.Context, context.CancelFunc)
		opens bool
	}{
		"the caller's deadline": {breaker.New(), func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, second)
		}, false},
		"the caller's cancel": {breaker.New(), func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(second, cancel)
			return ctx, cancel
		}, false},
		"a limit above": {strata.Chain(limit, breaker.New()), context.WithCancel, false},
		"a limit below": {strata.Chain(breaker.New(), limit), context.WithCancel, true},
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
				hang := modeltest.Attempt{modeltest.Start(), modeltest.Hang()}
				m := test.stack(modeltest.New("openai/a", append(times(5, hang), answers)...))
				for range 5 {
					ctx, cancel := test.ctx(t.Context())
					assert.Error(t, call(ctx, m))
					cancel()
				}
				if err := call(t.Context(), m); test.opens {
					assert.ErrorIs(t, err, failure.ErrNotAsked)
				} else {
					assert.NoError(t, err)
				}
			})
		})
	}
}

// opened returns a model behind a breaker that has just opened, for 30 s.
func opened(t *testing.T, then ...modeltest.Attempt) (strata.Model, *modeltest.Model) {
	base := modeltest.New("openai/a", append(times(2, fails(failure.Overload)), then...)...)
	m := breaker.New(breaker.Failures(2))(base)
	for range 2 {
		require.Error(t, call(t.Context(), m, false))
	}
	return m, base
}

func TestOpen(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		m, base := opened(t, answers)
		time.Sleep(10 * second)
		err := call(t.Context(), m)
		assert.EqualError(t, err, "openai/a: overload: breaker: not asked for another 20s")
		assert.Equal(t, failure.Overload, failure.Of(err))
		assert.Equal(t, 20*second+1, failure.RetryAfter(err))
		time.Sleep(failure.RetryAfter(err) - 1)
		assert.ErrorIs(t, call(t.Context(), m), failure.ErrNotAsked)
		time.Sleep(1)
		assert.Len(t, base.Calls(), 2)
		assert.NoError(t, call(t.Context(), m))
		assert.NoError(t, call(t.Context(), m))
		assert.Len(t, base.Calls(), 4)
	})
}

// The probe decides: what its outcome means for the calls after it.
func TestHalfOpen(t *testing.T) {
	const closes, opens, probes = "closes", "opens", "probes again"
	for name, test := range map[string]struct {
		probe modeltest.Attempt
		want  string
	}{
		"answers":                 {answers, closes},
		"answers with nothing":    {modeltest.Attempt{modeltest.Finish(strata.FinishStop)}, closes},
		"is refused":              {fails(failure.Content), closes},
		"fails again":             {fails(failure.Overload), opens},
		"just stops":              {modeltest.Attempt{modeltest.Start()}, opens},
		"is invalid":              {fails(failure.Invalid), probes},
		"fails, nobody knows why": {fails(failure.Unknown), probes},
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
				m, base := opened(t, test.probe, slow)
				time.Sleep(30*second + 1)
				call(t.Context(), m)
				require.Len(t, base.Calls(), 3, "the probe")
				errs := make(chan error)
				for range 2 {
					go func() { errs <- call(t.Context(), m) }()
				}
				first, second := <-errs, <-errs
				switch test.want {
				case closes:
					assert.NoError(t, first)
					assert.NoError(t, second)
				case probes:
					assert.EqualError(t, first, "openai/a: overload: breaker: not asked while one call finds out whether it is back")
					assert.ErrorIs(t, first, gobreaker.ErrTooManyRequests)
					assert.ErrorIs(t, first, failure.ErrNotAsked)
					assert.Equal(t, time.Second, failure.RetryAfter(first))
					assert.NoError(t, second)
				case opens:
					assert.ErrorIs(t, first, gobreaker.ErrOpenState)
					assert.ErrorIs(t, second, gobreaker.ErrOpenState)
				}
			})
		})
	}
}

// A stream that is the probe lets the others in at its commit point; if it fails
// behind that, that counts once more.
func TestTheProbeIsJudgedAtItsCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, base := opened(t, half(failure.Overload), answers, fails(failure.Overload), answers)
		time.Sleep(30*second + 1)
		seen := 0
		for p, err := range m.Stream(t.Context(), prompt) {
			switch seen++; seen {
			case 1:
				assert.ErrorIs(t, call(t.Context(), m, false), failure.ErrNotAsked)
			case 2:
				assert.Equal(t, "half", p.(strata.TextDelta).Text)
				assert.NoError(t, call(t.Context(), m, false))
			case 3:
				assert.Equal(t, failure.Overload, failure.Of(err))
			}
		}
		assert.Equal(t, 3, seen)
		assert.NotErrorIs(t, call(t.Context(), m, false), failure.ErrNotAsked)
		assert.ErrorIs(t, call(t.Context(), m, false), failure.ErrNotAsked, "the second failure in a row")
		assert.Len(t, base.Calls(), 5)
	})
}

// A call whose caller leaves, or that panics, is no verdict, and frees the probe.
func TestTheProbeIsFreed(t *testing.T) {
	for name, probe := range map[string]func(t *testing.T, m strata.Model){
		"the reader leaves": func(t *testing.T, m strata.Model) {
			for range m.Stream(t.Context(), prompt) {
				break
			}
		},
		"the caller cancels": func(t *testing.T, m strata.Model) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			for range m.Stream(ctx, prompt) {
				cancel()
			}
		},
		"the model panics": func(t *testing.T, m strata.Model) {
			assert.Panics(t, func() { call(t.Context(), m, false) })
		},
		"the reader panics": func(t *testing.T, m strata.Model) {
			assert.Panics(t, func() {
				for range m.Stream(t.Context(), prompt) {
					panic("reader")
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, base := opened(t, modeltest.Attempt{modeltest.Start(), func(ctx context.Context, _ func(strata.Part, error) bool) bool {
					if ctx.Err() == nil {
						panic("model")
					}
					return true
				}, modeltest.Hang()}, answers)
				time.Sleep(30*second + 1)
				probe(t, m)
				require.NoError(t, call(t.Context(), m, false))
				assert.Len(t, base.Calls(), 4)
			})
		})
	}
}

// A reader who leaves behind the commit point has said nothing: neither that the
// model fails, nor that it answers.
func TestAReaderWhoLeaves(t *testing.T) {
	for name, test := range map[string]struct {
		parts int // that are read
		opens bool
	}{
		"before the content": {1, true},
		"behind it":          {4, true},
		"at the finish":      {5, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := breaker.New(breaker.Failures(2))(modeltest.New("openai/a", fails(failure.Overload), answers, fails(failure.Overload), answers))
			require.Error(t, call(t.Context(), m, false))
			seen := 0
			for range m.Stream(t.Context(), prompt) {
				if seen++; seen == test.parts {
					break
				}
			}
			require.Equal(t, test.parts, seen)
			require.Error(t, call(t.Context(), m, false))
			assert.Equal(t, test.opens, errors.Is(call(t.Context(), m, false), failure.ErrNotAsked))
		})
	}
}

// A walk passes over an open breaker, and a Backoff above waits for it.
func TestUnderOtherLayers(t *testing.T) {
	bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
		m, base := opened(t, answers)
		b := modeltest.New("anthropic/b", answers)
		begun := time.Now()
		require.NoError(t, call(t.Context(), middleware.Fallback(b)(m)))
		assert.Len(t, b.Calls(), 1)
		assert.Len(t, base.Calls(), 2)
		assert.Equal(t, begun, time.Now())
		require.NoError(t, call(t.Context(), middleware.Backoff()(m)))
		assert.Equal(t, 30*second+1, time.Since(begun))
	})
}

// A breaker over a Backoff counts the calls, one below it the attempts.
func TestOverAndUnderBackoff(t *testing.T) {
	twice := middleware.Backoff(middleware.Attempts(2), middleware.Base(0))
	for name, test := range map[string]struct {
		stack strata.Layer
		asked int
	}{
		"over":  {strata.Chain(breaker.New(breaker.Failures(3)), twice), 6},
		"under": {strata.Chain(twice, breaker.New(breaker.Failures(3), breaker.OpenFor(time.Hour))), 3},
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
				base := modeltest.New("openai/a", fails(failure.Overload))
				m := test.stack(base)
				for range 9 {
					assert.Error(t, call(t.Context(), m))
				}
				assert.Len(t, base.Calls(), test.asked)
			})
		})
	}
}

// A cooldown and a breaker learn nothing from one another's refusals.
func TestWithCooldown(t *testing.T) {
	cool := middleware.Cooldown(middleware.CooldownFor(5*second, failure.Overload))
	for name, stack := range map[string]strata.Layer{
		"over":  strata.Chain(breaker.New(breaker.Failures(2)), cool),
		"under": strata.Chain(cool, breaker.New(breaker.Failures(2))),
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, call func(context.Context, strata.Model) error) {
				base := modeltest.New("openai/a", fails(failure.Overload), answers)
				m := stack(base)
				for range 9 {
					require.Error(t, call(t.Context(), m))
				}
				assert.Len(t, base.Calls(), 1)
				time.Sleep(5 * second)
				assert.NoError(t, call(t.Context(), m))
			})
		})
	}
}

// Under load of all kinds nothing is held for good, and the counts stay sane.
func TestUnderLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		flaky := strata.Funcs{Request: func(_ context.Context, req *strata.Request) (*strata.Request, error) {
			if calls.Add(1)%3 != 0 {
				return nil, &failure.Error{Kind: failure.Overload}
			}
			return req, nil
		}}.Layer()
		m := strata.Wrap(modeltest.New("openai/a", slow), breaker.New(breaker.OpenFor(second), breaker.Store(new(state.Memory))), flaky)
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				for range 50 {
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*100*time.Millisecond)
					call(ctx, m, i%2 == 0)
					cancel()
					time.Sleep(100 * time.Millisecond)
				}
			})
		}
		wg.Wait()
		for range 10 {
			time.Sleep(2 * second)
			if call(t.Context(), m, false) == nil {
				return
			}
		}
		t.Error("the breaker does not close again")
	})
}

func TestIDAndUnwrap(t *testing.T) {
	base := modeltest.New("openai/a", answers)
	m := breaker.New()(base)
	assert.Equal(t, base.ID(), m.ID())
	found, ok := strata.As[*modeltest.Model](m)
	assert.True(t, ok)
	assert.Same(t, base, found)
}

func TestOptionsThatMakeNoSense(t *testing.T) {
	for want, make := range map[string]func(){
		"breaker.Failures(0): the count is less than 1":     func() { breaker.Failures(0) },
		"breaker.OpenFor(0s): the duration is not positive": func() { breaker.OpenFor(0) },
		"breaker.Trip(-1s): the window is negative":         func() { breaker.Trip(-second, nil) },
		"breaker.Trip: the rule is nil":                     func() { breaker.Trip(0, nil) },
		`breaker.On("slow"): there is no such kind`:         func() { breaker.On("slow") },
		"breaker.Store(nil): the store is nil":              func() { breaker.Store(nil) },
		"breaker.New: option 0 is nil":                      func() { breaker.New(nil) },
		"breaker.New: the model is nil":                     func() { breaker.New()(nil) },
	} {
		assert.PanicsWithValue(t, want, make)
	}
}

// nothing answers at once and keeps no record.
type nothing struct{ strata.Model }

func (nothing) ID() strata.ModelID { return strata.ModelID{Provider: "openai", Name: "a"} }

func (nothing) Generate(context.Context, *strata.Request) (*strata.Response, error) {
	return &strata.Response{Model: nothing{}.ID(), FinishReason: strata.FinishStop}, nil
}
