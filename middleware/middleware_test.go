package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/wrap"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/stream"
)

var (
	prompt = strata.Prompt("hello")
	boom   = errors.New("boom")
)

func busy(id string) error { return provider(id, failure.Overload) }

// provider returns the failure of a provider's call.
func provider(id string, kind failure.Kind) error {
	model, err := strata.ParseModelID(id)
	if err != nil {
		panic(err)
	}
	return &failure.Error{Model: model, Kind: kind, Message: "from the provider"}
}

// read ranges over a stream and returns what it saw, in short.
func read(ctx context.Context, m strata.Model) (got []string, err error) {
	for p, e := range m.Stream(ctx, prompt) {
		if e != nil {
			err = e
			continue
		}
		switch p := p.(type) {
		case strata.TextDelta:
			got = append(got, p.Text)
		case strata.ReasoningDelta:
			got = append(got, "("+p.Text+")")
		case strata.Finish:
			got = append(got, "finish "+p.Model.String())
		default:
			got = append(got, fmt.Sprintf("%T", p)[len("strata."):])
		}
	}
	return got, err
}

// layers are all layers of the core, each with settings that let an ordinary
// call pass.
var layers = map[string]func() strata.Layer{
	"backoff": func() strata.Layer { return middleware.Backoff(middleware.NoJitter()) },
	"fallback": func() strata.Layer {
		return middleware.Fallback(modeltest.New("anthropic/b", modeltest.Answer("from b")))
	},
	"timeout": func() strata.Layer {
		return middleware.Timeout(middleware.Total(time.Minute), middleware.FirstContent(30*time.Second), middleware.Idle(20*time.Second))
	},
	"preamble":        func() strata.Layer { return middleware.Preamble() },
	"require content": func() strata.Layer { return middleware.RequireContent() },
	"observe":         func() strata.Layer { return middleware.Observe() },
	"cooldown":        func() strata.Layer { return middleware.Cooldown() },
	"key pool":        func() strata.Layer { return func(m strata.Model) strata.Model { return middleware.KeyPool(m) } },
	"refusal":         func() strata.Layer { return refusal.Detect() },
}

func TestEveryLayerKeepsTheIDAndUnwraps(t *testing.T) {
	for name, layer := range layers {
		t.Run(name, func(t *testing.T) {
			base := modeltest.New("openai/a", modeltest.Answer("hi"))
			m := layer()(base)
			assert.Equal(t, base.ID(), m.ID())
			found, ok := strata.As[*modeltest.Model](m)
			assert.True(t, ok)
			assert.Same(t, base, found)
			assert.Panics(t, func() { layer()(nil) })
		})
	}
}

// Each pair of layers, in either order, leaves an ordinary answer as it is.
func TestEveryPairPassesAnAnswerOn(t *testing.T) {
	for outer, outerLayer := range layers {
		for inner, innerLayer := range layers {
			t.Run(outer+" over "+inner, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					base := modeltest.New("openai/a", modeltest.Answer("hi"))
					m := strata.Wrap(base, outerLayer(), innerLayer())
					resp, err := m.Generate(t.Context(), prompt)
					require.NoError(t, err)
					assert.Equal(t, "hi", resp.Text())
					got, err := read(t.Context(), m)
					require.NoError(t, err)
					assert.Equal(t, []string{"StreamStart", "TextStart", "hi", "TextEnd", "finish openai/a"}, got)
					assert.Len(t, base.Calls(), 2)
				})
			})
		}
	}
}

// A reader may leave at any part, under any pair.
func TestEveryPairLetsTheReaderLeave(t *testing.T) {
	for outer, outerLayer := range layers {
		for inner, innerLayer := range layers {
			t.Run(outer+" over "+inner, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					for n := 1; n <= 5; n++ {
						base := modeltest.New("openai/a", modeltest.Answer("hi"))
						seen := 0
						for _, err := range strata.Wrap(base, outerLayer(), innerLayer()).Stream(t.Context(), prompt) {
							require.NoError(t, err)
							if seen++; seen == n {
								break
							}
						}
						assert.Equal(t, n, seen)
						assert.Len(t, base.Calls(), 1)
					}
				})
			})
		}
	}
}

// odd is a model that need not keep the contract.
type odd func(yield func(strata.Part, error) bool)

func (odd) ID() strata.ModelID { return strata.ModelID{Provider: "openai", Name: "odd"} }

func (odd) Generate(context.Context, *strata.Request) (*strata.Response, error) { return nil, nil }

func (m odd) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] {
	return iter.Seq2[strata.Part, error](m)
}

// Under every layer, and under each over each other, a model that breaks its
// contract gives a clear error or is stopped; it never crashes or hangs a call.
func TestModelsThatBreakTheContract(t *testing.T) {
	alone := maps.Clone(layers)
	delete(alone, "fallback") // whose other model answers
	text := strata.TextDelta{Text: "x"}
	for name, test := range map[string]struct {
		model odd
		want  string // of the error; empty: none
	}{
		"nil iterator": {nil, "Stream returned a nil iterator"},
		"nil part":     {func(yield func(strata.Part, error) bool) { yield(nil, nil) }, "Stream yielded neither a part nor an error"},
		"just stops":   {func(yield func(strata.Part, error) bool) { yield(text, nil) }, "the stream stopped without a finish"},
		"never stops": {func(yield func(strata.Part, error) bool) {
			yield(text, nil)
			yield(strata.Finish{Reason: strata.FinishStop}, nil)
			for {
				yield(text, nil)
			}
		}, ""},
		"goes on behind its error": {func(yield func(strata.Part, error) bool) {
			yield(nil, boom)
			for {
				yield(nil, boom)
			}
		}, "boom"},
	} {
		for layer, make := range alone {
			t.Run(name+" under "+layer, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					for outer, above := range alone {
						m := make()(test.model)
						assert.True(t, wrap.Keeps(m))
						for _, m := range []strata.Model{above()(m), make()(test.model)} {
							_, err := read(t.Context(), m)
							if test.want == "" {
								assert.NoError(t, err, "under %s", outer)
							} else {
								assert.ErrorContains(t, err, test.want, "under %s", outer)
							}
						}
					}
				})
			})
		}
	}
	for layer, make := range alone {
		t.Run("neither answer nor error under "+layer, func(t *testing.T) {
			_, err := make()(odd(nil)).Generate(t.Context(), prompt)
			assert.ErrorContains(t, err, "openai/odd: unknown: Generate returned neither an answer nor an error")
		})
	}
}

func TestAPanicPassesThroughAndReleases(t *testing.T) {
	for name, layer := range layers {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base := modeltest.New("openai/a", modeltest.Attempt{modeltest.Start(), modeltest.Panic("broken model")})
				m := layer()(base)
				assert.PanicsWithValue(t, "broken model", func() { read(t.Context(), m) })
				assert.PanicsWithValue(t, "broken model", func() { m.Generate(t.Context(), prompt) })
				if name != "observe" && name != "cooldown" { // which pass the caller's own context on
					assert.Error(t, base.Calls()[0].Context.Err())
				}
			})
		})
	}
}

func TestOptionsThatMakeNoSense(t *testing.T) {
	a := modeltest.New("openai/a", modeltest.Answer("hi"))
	for want, make := range map[string]func(){
		"middleware.Attempts(0): the count is less than 1":        func() { middleware.Attempts(0) },
		"middleware.Attempts(-1): the count is less than 1":       func() { middleware.Attempts(-1) },
		"middleware.Base(-1s): the duration is negative":          func() { middleware.Base(-time.Second) },
		"middleware.Max(-1s): the duration is negative":           func() { middleware.Max(-time.Second) },
		"middleware.Budget(-1s): the duration is negative":        func() { middleware.Budget(-time.Second) },
		"middleware.MaxRetryAfter(-1s): the duration is negative": func() { middleware.MaxRetryAfter(-time.Second) },
		"middleware.ServerJitter(-1s): the duration is negative":  func() { middleware.ServerJitter(-time.Second) },
		"middleware.Policy(nil): the function is nil":             func() { middleware.Policy(nil) },
		"middleware.Backoff: option 1 is nil":                     func() { middleware.Backoff(middleware.NoJitter(), nil) },
		"middleware.Backoff: the model is nil":                    func() { middleware.Backoff()(nil) },
		"middleware.MaxParts(0): the count is less than 1":        func() { middleware.MaxParts(0) },
		"middleware.Fallback: model 1 is nil":                     func() { middleware.Fallback(a, nil) },
		"middleware.Fallback: option 0 is nil":                    func() { middleware.FallbackWith(nil, nil) },
		"middleware.Fallback: the model is nil":                   func() { middleware.Fallback()(nil) },
		`middleware.On("sluggish"): there is no such kind`:        func() { middleware.On("sluggish") },
		"middleware.Total(-1s): the duration is negative":         func() { middleware.Total(-time.Second) },
		"middleware.FirstContent(-1s): the duration is negative":  func() { middleware.FirstContent(-time.Second) },
		"middleware.Idle(-1s): the duration is negative":          func() { middleware.Idle(-time.Second) },
		"middleware.Timeout: option 0 is nil":                     func() { middleware.Timeout(nil) },
		"middleware.HoldReasoning(-1s): the duration is negative": func() { middleware.HoldReasoning(-time.Second) },
		"middleware.HoldToolInput(-1s): the duration is negative": func() { middleware.HoldToolInput(-time.Second) },
		"middleware.Preamble: option 0 is nil":                    func() { middleware.Preamble(nil) },
		"middleware.RequireContent: option 0 is nil":              func() { middleware.RequireContent(nil) },
		"middleware.Observe: option 0 is nil":                     func() { middleware.Observe(nil) },
		"middleware.OnAttempt(nil): the function is nil":          func() { middleware.OnAttempt(nil) },
		"middleware.OnAttemptDone(nil): the function is nil":      func() { middleware.OnAttemptDone(nil) },
		"middleware.OnWait(nil): the function is nil":             func() { middleware.OnWait(nil) },
		"middleware.OnCommit(nil): the function is nil":           func() { middleware.OnCommit(nil) },
		"middleware.OnServed(nil): the function is nil":           func() { middleware.OnServed(nil) },
		"middleware.OnRefusal(nil): the function is nil":          func() { middleware.OnRefusal(nil) },
	} {
		t.Run(want, func(t *testing.T) { assert.PanicsWithValue(t, want, make) })
	}
}

func TestLayersThatAreTheIdentity(t *testing.T) {
	a := modeltest.New("openai/a", modeltest.Answer("hi"))
	assert.Same(t, a, middleware.Fallback()(a))
	assert.Same(t, a, middleware.Timeout()(a))
	assert.Same(t, a, middleware.Timeout(middleware.Total(0), middleware.Idle(0))(a))
}

func TestBackoffPolicy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := 0
		policy := func() backoff.BackOff {
			made++
			return backoff.WithMaxRetries(backoff.NewConstantBackOff(7*time.Second), 2)
		}
		m := middleware.Backoff(middleware.Policy(policy), middleware.Attempts(10))(modeltest.New("openai/a", modeltest.Failure(busy("openai/a"))))
		for call := 1; call <= 2; call++ {
			begun := time.Now()
			_, err := m.Generate(t.Context(), prompt)
			assert.EqualError(t, err, "backoff: gave up after 3 attempts (its attempts are used up): openai/a: overload: from the provider")
			assert.Equal(t, 14*time.Second, time.Since(begun))
			assert.Equal(t, 1+call, made, "one a call: it holds state")
		}
	})
	assert.PanicsWithValue(t, "middleware.Policy: the function returned nil", func() {
		middleware.Backoff(middleware.Policy(func() backoff.BackOff { return nil }))
	})
}

func TestBackoffWaitsGrowToTheirCeiling(t *testing.T) {
	for name, test := range map[string]struct {
		opts []middleware.BackoffOption
		want []time.Duration
	}{
		"defaults":      {nil, []time.Duration{1 * time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 30 * time.Second, 30 * time.Second}},
		"base over max": {[]middleware.BackoffOption{middleware.Base(time.Hour)}, []time.Duration{30 * time.Second, 30 * time.Second}},
		"no base":       {[]middleware.BackoffOption{middleware.Base(0)}, []time.Duration{0, 0}},
		"no max":        {[]middleware.BackoffOption{middleware.Max(0)}, []time.Duration{0, 0}},
		"very many":     {[]middleware.BackoffOption{middleware.Base(1), middleware.Max(1)}, slices.Repeat([]time.Duration{1}, 100)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opts := append([]middleware.BackoffOption{
					middleware.NoJitter(), middleware.Attempts(len(test.want) + 1), middleware.Budget(time.Hour),
				}, test.opts...)
				base := modeltest.New("openai/a", modeltest.Failure(busy("openai/a")))
				_, err := middleware.Backoff(opts...)(base).Generate(t.Context(), prompt)
				require.Error(t, err)
				calls := base.Calls()
				require.Len(t, calls, len(test.want)+1)
				for i, want := range test.want {
					assert.Equal(t, want, calls[i+1].Time.Sub(calls[i].Time), "wait %d", i)
				}
			})
		})
	}
}

func TestServerJitterOnlyAdds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		err := &failure.Error{Kind: failure.Rate, RetryAfter: 2 * time.Second}
		base := modeltest.New("openai/a", modeltest.Failure(err))
		_, failed := middleware.Backoff(middleware.Attempts(50), middleware.Budget(time.Hour), middleware.ServerJitter(time.Second))(base).Generate(t.Context(), prompt)
		require.Error(t, failed)
		calls := base.Calls()
		spread := map[time.Duration]bool{}
		for i := 1; i < len(calls); i++ {
			wait := calls[i].Time.Sub(calls[i-1].Time)
			assert.GreaterOrEqual(t, wait, 2*time.Second)
			assert.Less(t, wait, 3*time.Second)
			spread[wait] = true
		}
		assert.Greater(t, len(spread), 10)
	})
}

func TestFallbackOn(t *testing.T) {
	b := modeltest.New("openai/b", modeltest.Answer("from b"))
	failing := func(kind failure.Kind) strata.Model {
		return modeltest.New("openai/a", modeltest.Failure(provider("openai/a", kind)))
	}

	on := middleware.FallbackWith([]strata.Model{b}, middleware.On(failure.Auth))
	resp, err := on(failing(failure.Auth)).Generate(t.Context(), prompt)
	require.NoError(t, err, "the given kinds replace the rule that a sister model shares the key")
	assert.Equal(t, "openai/b", resp.Model.String())
	_, err = on(failing(failure.Overload)).Generate(t.Context(), prompt)
	assert.Equal(t, failure.Overload, failure.Of(err))

	_, err = middleware.FallbackWith([]strata.Model{b}, middleware.On())(failing(failure.Overload)).Generate(t.Context(), prompt)
	assert.Equal(t, failure.Overload, failure.Of(err), "On nothing never moves on")
}

func TestFallbackReasons(t *testing.T) {
	failing := func(id string, kind failure.Kind) strata.Model {
		return modeltest.New(id, modeltest.Failure(provider(id, kind)))
	}
	for name, test := range map[string]struct {
		models []strata.Model
		want   string
	}{
		"all asked": {[]strata.Model{failing("openai/a", failure.Overload), failing("openai/b", failure.Rate)},
			"fallback: gave up after 2 attempts (nothing is left that may fix it): openai/b: rate: from the provider"},
		"nobody else may fix it": {[]strata.Model{failing("openai/a", failure.Overload), failing("openai/b", failure.Auth), failing("openai/c", failure.Rate)},
			"fallback: gave up after 2 attempts (nothing is left that may fix it): openai/b: auth: from the provider"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := middleware.Fallback(test.models[1:]...)(test.models[0]).Generate(t.Context(), prompt)
			assert.EqualError(t, err, test.want)
		})
	}
}

func TestACommittedErrorIsMarkedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		usage := &strata.Usage{InputTokens: 9}
		base := modeltest.New("openai/a",
			modeltest.Failure(busy("openai/a")),
			modeltest.Attempt{modeltest.Part(strata.ResponseMetadata{Usage: usage}), modeltest.Text("half"), modeltest.Fail(boom)},
		)
		m := strata.Wrap(base, layers["fallback"](), layers["backoff"](), layers["fallback"](), layers["backoff"]())
		got, err := read(t.Context(), m)
		assert.Equal(t, []string{"ResponseMetadata", "half"}, got)
		assert.EqualError(t, err, "stream broke off after output: backoff: gave up after 2 attempts (output was handed on): boom")
		var marked *stream.CommittedError
		require.ErrorAs(t, err, &marked)
		assert.Equal(t, usage, marked.Usage)
		assert.False(t, errors.As(marked.Err, &marked))
	})
}

// A layer of one's own that explains errors is not cut out.
func TestACommittedErrorKeepsWhatOthersSaid(t *testing.T) {
	explain := strata.Funcs{Stream: func(ctx context.Context, req *strata.Request, next strata.Model) iter.Seq2[strata.Part, error] {
		return func(yield func(strata.Part, error) bool) {
			for p, err := range next.Stream(ctx, req) {
				if err != nil {
					err = fmt.Errorf("explained: %w", err)
				}
				if !yield(p, err) {
					return
				}
			}
		}
	}}.Layer()
	base := modeltest.New("openai/a", modeltest.Attempt{modeltest.Text("half"), modeltest.Fail(boom)})
	_, err := read(t.Context(), strata.Wrap(base, layers["fallback"](), explain, layers["backoff"]()))
	assert.EqualError(t, err, "explained: stream broke off after output: boom")
}

// A layer of one's own that holds an answer whole, and passes on errors as they
// are, leaves the layers above free: they decide by what they have handed on.
func TestACommitBelowDoesNotSteer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		whole := strata.Funcs{Stream: func(ctx context.Context, req *strata.Request, next strata.Model) iter.Seq2[strata.Part, error] {
			return func(yield func(strata.Part, error) bool) {
				resp, err := stream.Collect(next.Stream(ctx, req))
				if err != nil {
					yield(nil, err)
					return
				}
				stream.Replay(resp)(yield)
			}
		}}.Layer()
		half := modeltest.Attempt{modeltest.Text("half"), modeltest.Fail(busy("openai/a"))}
		m := strata.Wrap(modeltest.New("openai/a", half),
			middleware.Fallback(modeltest.New("anthropic/b", modeltest.Failure(provider("anthropic/b", failure.Invalid)))),
			middleware.Backoff(middleware.Attempts(2), middleware.NoJitter()), whole, middleware.Backoff())
		got, err := read(t.Context(), m)
		assert.Empty(t, got)
		assert.EqualError(t, err, "fallback: gave up after 2 attempts (nothing is left that may fix it): anthropic/b: invalid: from the provider")
		assert.NotErrorAs(t, err, new(*stream.CommittedError))
		var first *failure.Error
		var walk *retry.Error
		require.ErrorAs(t, err, &walk)
		assert.EqualError(t, walk.Errs[0], "backoff: gave up after 2 attempts (its attempts are used up): openai/a: overload: from the provider")
		require.ErrorAs(t, walk.Errs[0], &first)
	})
}
