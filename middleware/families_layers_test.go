package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	logged "go.uber.org/zap/zaptest/observer"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/config"
	"github.com/strata-go/strata/embedding"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/image"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/logging"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/when"
)

// The layers over embedding and image models, and the contract of those. Each row
// is run for both families.
func TestFamilies(t *testing.T) { both(embeddings.layers(), images.layers()).run(t) }

func (k kit[M, L, Req, Resp]) layers() rows {
	return with(k.single(), k.stacks(), k.contract(), k.hooks())
}

func (k kit[M, L, Req, Resp]) single() rows {
	return rows{
		"backoff": func(t *testing.T) {
			base, asked := k.new("openai/gpt-5", overload, reply{err: rejected(429, "Slow down", "Retry-After", "7")}, serves)
			k.mustServe(t, "openai/gpt-5", k.backoff(middleware.NoJitter())(base))
			assert.Equal(t, []time.Duration{time.Second, 7 * time.Second}, gapsOf(asked))
		},
		"backoff of what is permanent": func(t *testing.T) {
			base, asked := k.new("openai/gpt-5", reply{err: backoff.Permanent(rejected(529, "Overloaded"))})
			_, err := k.served(t.Context(), k.backoff()(base))
			assert.Equal(t, failure.Overload, kindOf(err))
			assert.Len(t, asked.Calls(), 1)
		},
		"fallback by kind": func(t *testing.T) {
			for _, test := range []struct {
				base reply
				want string
			}{
				{overload, "openai/mini"}, {brokenKey, "anthropic/claude"}, {noField, ""},
			} {
				mini, _ := k.new("openai/mini")
				got, err := k.served(t.Context(), k.fallback(mini, k.claude())(k.gpt(test.base)))
				assert.Equal(t, test.want, got, "%v", err)
			}
		},
		"timeout": func(t *testing.T) {
			begun := time.Now()
			_, err := k.served(t.Context(), k.timeout(middleware.Total(time.Minute), middleware.FirstContent(time.Second), middleware.Idle(time.Second))(k.gpt(hangs)))
			timeout, ok := errors.AsType[*middleware.TimeoutError](err)
			require.True(t, ok)
			assert.Equal(t, failure.LimitTotal, timeout.Limit)
			assert.Equal(t, time.Minute, time.Since(begun))
		},
		"cooldown": func(t *testing.T) {
			base, asked := k.new("openai/gpt-5", throttle, serves)
			m := k.chain(k.fallback(k.claude()))(k.cooldown()(base))
			k.mustServe(t, "anthropic/claude", m)
			k.mustServe(t, "anthropic/claude", m)
			assert.Len(t, asked.Calls(), 1)
			time.Sleep(middleware.DefaultRateCooldown)
			k.mustServe(t, "openai/gpt-5", m)
		},
		"key pool": func(t *testing.T) {
			one, first := k.new("openai/gpt-5@one", throttle)
			two, second := k.new("openai/gpt-5@two")
			paid, third := k.new("openai/gpt-5@paid")
			pool := k.keyPoolWith([]M{one, two}, k.nextTier(paid))
			assert.Equal(t, "openai/gpt-5", pool.ID().String())
			for range 4 {
				k.mustServe(t, "openai/gpt-5@two", pool)
			}
			assert.Equal(t, []int{1, 4, 0}, []int{len(first.Calls()), len(second.Calls()), len(third.Calls())}, "the key that is throttled is left alone")
			k.mustServe(t, "openai/gpt-5@two", k.keyPool(two))
			k.mustServe(t, "anthropic/claude", k.fallback(k.claude())(k.keyPool(one)))
		},
		"sticky keys": func(t *testing.T) {
			m := k.chain(k.sticky(middleware.ForRequests(9)), k.fallback(k.claude()))(k.gpt(overload, serves))
			one := middleware.WithStickyKey(t.Context(), "one")
			by, _ := k.served(one, m)
			assert.Equal(t, "anthropic/claude", by)
			k.mustServe(t, "openai/gpt-5", m)
			by, _ = k.served(one, m)
			assert.Equal(t, "anthropic/claude", by)
		},
		"logging": func(t *testing.T) {
			core, logs := logged.New(zapcore.DebugLevel)
			m := k.chain(k.lift(logging.Layer(zap.New(core))), k.fallback(k.claude()), k.backoff(middleware.Attempts(2)))(k.gpt(overload))
			k.mustServe(t, "anthropic/claude", m)
			var lines []string
			for _, l := range logs.All() {
				lines = append(lines, l.Message)
			}
			assert.Equal(t, []string{"model retried", "model fell back", "model call answered"}, lines)
			assert.EqualValues(t, tokens.InputTokens, logs.All()[2].ContextMap()["input_tokens"])
		},
		"layers that look at content": func(t *testing.T) {
			k.mustServe(t, "openai/gpt-5", k.lift(refusal.Detect(), middleware.Preamble())(k.gpt()))
			_, err := k.served(t.Context(), k.lift(middleware.RequireContent())(k.gpt()))
			assert.ErrorContains(t, err, "the answer has nothing in it", "it has no content that a language model's would have")
		},
		"from a configuration": func(t *testing.T) {
			layer, err := config.Build([]byte(`[{"layer":"timeout","total":"20s"},{"layer":"backoff","attempts":2,"base":"1s","jitter":"none"}]`), strata.Open)
			require.NoError(t, err)
			base, asked := k.new("openai/gpt-5", overload, serves)
			k.mustServe(t, "openai/gpt-5", k.lift(layer)(base))
			assert.Equal(t, []time.Duration{time.Second}, gapsOf(asked))
		},
		"retry budget": func(t *testing.T) {
			base, asked := k.new("openai/gpt-5", overload)
			budget := middleware.RetryBudget(retry.NewBudget(retry.Share(0), retry.Floor(1)))
			for range 3 {
				k.served(t.Context(), k.rules(budget, when.Retryable().Retry())(base))
			}
			assert.Len(t, asked.Calls(), 4, "three calls, and one retry in that second")
		},
	}
}

func (k kit[M, L, Req, Resp]) stacks() rows {
	once := k.backoff(middleware.Attempts(2), middleware.Base(0))
	return rows{
		"backoff over fallback over backoff": func(t *testing.T) {
			base, first := k.new("openai/gpt-5", overload)
			spare, second := k.new("anthropic/claude", overload, overload, overload, serves)
			var nested, made int
			observe := k.observe(middleware.OnAttemptDone(func(_ context.Context, a strata.AttemptDoneInfo) {
				if a.Nested {
					nested++
				} else {
					made++
				}
			}))
			k.mustServe(t, "anthropic/claude", k.chain(observe, once, k.fallback(once(spare)), once)(base))
			assert.Equal(t, []int{4, 4}, []int{len(first.Calls()), len(second.Calls())})
			assert.Equal(t, []int{6, 8}, []int{nested, made}, "two walks over two models, eight calls")
		},
		"walk within a walk": func(t *testing.T) {
			gemini, _ := k.new("google/gemini")
			inner := k.rules(gemini)(k.claude(overload))
			sticky := k.sticky(middleware.ForRequests(1))
			m := k.chain(sticky, k.fallback(inner))(k.gpt(overload, serves))
			k.mustServe(t, "google/gemini", m)
			k.mustServe(t, "google/gemini", m)
			k.mustServe(t, "openai/gpt-5", m)

			m = k.chain(sticky, k.fallback(k.claude()), k.rules(gemini))(k.gpt(overload, serves))
			k.mustServe(t, "google/gemini", m)
			k.mustServe(t, "google/gemini", m)
			k.mustServe(t, "openai/gpt-5", m)
		},
		"overrides of nested walks": func(t *testing.T) {
			base, asked := k.new("google/gemini", overload, serves)
			headers, options, raw := k.fields["headers"], k.fields["options"], k.fields["raw"]
			inner := k.rules(when.Retryable().Retry(retry.Set(options.override)))(base)
			observe := func(f field[Req]) L {
				return k.observe(k.onRetry(func(_ context.Context, r strata.RetryInfo) *Req {
					if r.Layer == "rules" && r.Model.Provider == "google" {
						return &f.override
					}
					return nil
				}))
			}
			k.mustServe(t, "google/gemini", k.chain(observe(raw), observe(raw), k.rules(retry.Switch[M](nil, inner, retry.Set(headers.override))))(k.gpt(overload)))
			want := k.clone(k.request)
			headers.change(want)
			raw.change(want)
			assert.Equal(t, want, asked.Calls()[0].Request)
			options.change(want)
			assert.Equal(t, want, asked.Calls()[1].Request, "the inner walk's goes over the outer's")
		},
		"a name of one's own": func(t *testing.T) {
			named := k.lift(strata.Funcs{ID: func(id strata.ModelID) strata.ModelID { id.Account = "eu"; return id }}.Layer())
			m := k.chain(once, named, once)(k.gpt(overload, serves))
			assert.Equal(t, "openai/gpt-5@eu", m.ID().String())
			k.mustServe(t, "openai/gpt-5@eu", m)
			_, err := k.served(t.Context(), k.chain(k.fallback(k.claude(brokenKey)), named)(k.gpt(brokenKey)))
			assert.Equal(t, []string{"gpt-5", "claude"}, models(err))
			assert.Equal(t, "eu", failure.Owner(func() error { _, err := k.served(t.Context(), named(k.gpt(brokenKey))); return err }(), m.ID()).Account)
		},
		"a layer of one's own": func(t *testing.T) {
			var seen any
			own := strata.Funcs{
				Request: func(_ context.Context, req *strata.Request) (*strata.Request, error) {
					seen = req.Raw.(interface{ Bare() any }).Bare()
					override := k.fields["headers"].override
					return req.With(&strata.Request{Raw: &override}), nil
				},
				Generate: func(ctx context.Context, req *strata.Request, next strata.Model) (*strata.Response, error) {
					resp, err := next.Generate(ctx, req)
					if err == nil {
						changed := *resp
						changed.Warnings = append(changed.Warnings, strata.Warning{Setting: "own"})
						resp = &changed
					}
					return resp, err
				},
			}.Layer()
			base, asked := k.new("openai/gpt-5")
			resp, err := k.ask(k.lift(own, middleware.Backoff())(base), t.Context(), k.request)
			require.NoError(t, err)
			assert.Equal(t, any(k.request), seen)
			want := k.clone(k.request)
			k.fields["headers"].change(want)
			assert.Equal(t, want, asked.Calls()[0].Request)
			assert.Contains(t, fmt.Sprintf("%+v", resp), "Setting:own")
			assert.Contains(t, fmt.Sprintf("%+v", resp), "the SDK's", "and all else is the model's")
		},
		"lifts over one another are one stack": func(t *testing.T) {
			var seen int
			limit := strata.Funcs{Request: func(_ context.Context, req *strata.Request) (*strata.Request, error) {
				return req.With(&strata.Request{MaxOutputTokens: 7}), nil
			}}.Layer()
			look := strata.Funcs{Request: func(_ context.Context, req *strata.Request) (*strata.Request, error) {
				seen = req.MaxOutputTokens
				return req, nil
			}}.Layer()
			k.mustServe(t, "openai/gpt-5", k.chain(k.lift(limit), k.backoff(), k.lift(look))(k.gpt()))
			assert.Equal(t, 7, seen, "what one layer leaves for another is there")
		},
		"the model below": func(t *testing.T) {
			base, played := k.new("openai/gpt-5")
			found, ok := k.base(k.chain(k.observe(), k.sticky(), k.fallback(k.claude()), once, k.cooldown(), k.timeout(), k.rules(k.claude()))(base))
			assert.True(t, ok)
			assert.Same(t, played, found)
			var nobody M
			_, ok = k.base(nobody)
			assert.False(t, ok)
		},
		"the caller's cancel": func(t *testing.T) {
			claude, spare := k.new("anthropic/claude")
			begun := time.Now()
			_, err := k.served(cancelled(t, time.Second), k.chain(k.fallback(claude), once)(k.gpt(hangs)))
			assert.ErrorIs(t, err, context.Canceled)
			assert.Equal(t, failure.Aborted, kindOf(err))
			assert.Equal(t, time.Second, time.Since(begun))
			assert.Empty(t, spare.Calls())
		},
		"the caller's deadline": func(t *testing.T) {
			base, asked := k.new("openai/gpt-5", overload)
			_, err := k.served(within(t, time.Second), k.backoff(middleware.NoJitter())(base))
			assert.Equal(t, failure.Overload, kindOf(err), "%v", err)
			assert.Len(t, asked.Calls(), 1, "a wait that cannot end before it is not begun")
		},
		"any number of goroutines": func(t *testing.T) {
			m := k.chain(k.observe(k.onRetry(func(context.Context, strata.RetryInfo) *Req { return nil })),
				k.sticky(middleware.ForRequests(2)), k.fallback(k.keyPool(k.claude())), once, k.cooldown())(k.gpt(overload, serves, throttle, serves))
			before := k.clone(k.request)
			var calls sync.WaitGroup
			for range 50 {
				calls.Go(func() {
					_, err := k.served(t.Context(), m)
					assert.NoError(t, err)
				})
			}
			calls.Wait()
			assert.Equal(t, before, k.request, "nobody changes the request")
		},
	}
}

func (k kit[M, L, Req, Resp]) contract() rows {
	panicsWith := func(t *testing.T, want string, make func()) {
		t.Helper()
		assert.PanicsWithValue(t, want, make)
	}
	neither, _ := k.new("openai/gpt-5")
	mute := &played[Req, Resp]{id: neither.ID(), script: []reply{{none: true}}, clone: k.clone} // whose nothing is nil
	return rows{
		"no request": func(t *testing.T) {
			base, asked := k.new("openai/gpt-5")
			for _, m := range []M{k.backoff()(base), k.fallback(k.claude())(base), k.rules()(base)} {
				_, err := k.ask(m, t.Context(), nil)
				assert.EqualError(t, err, "openai/gpt-5: invalid: "+k.name+": the request is nil")
			}
			assert.Empty(t, asked.Calls())
		},
		"neither an answer nor an error": func(t *testing.T) {
			_, err := k.served(t.Context(), k.backoff()(k.model(mute)))
			assert.EqualError(t, err, "openai/gpt-5: unknown: "+k.name+": the model returned neither an answer nor an error")
			k.mustServe(t, "anthropic/claude", k.fallback(k.claude())(k.model(mute)))
		},
		"an answer with nothing in it": func(t *testing.T) {
			_, err := k.served(t.Context(), k.backoff()(k.gpt(reply{none: true})))
			assert.Equal(t, failure.Unknown, kindOf(err))
			k.mustServe(t, "anthropic/claude", k.fallback(k.claude())(k.gpt(reply{none: true})))
		},
		"a layer that answers itself": func(t *testing.T) {
			own := k.lift(strata.Funcs{Generate: func(context.Context, *strata.Request, strata.Model) (*strata.Response, error) {
				return &strata.Response{}, nil
			}}.Layer())
			_, err := k.served(t.Context(), own(k.gpt()))
			assert.ErrorContains(t, err, k.name+": a layer returned an answer of its own")
			_, err = k.served(t.Context(), k.lift(middleware.Fallback(modeltest.New("anthropic/claude", modeltest.Answer("hi"))))(k.gpt(overload)))
			assert.ErrorContains(t, err, k.name+": a layer returned an answer of its own", "a language model's")
		},
		"a layer that loses the call": func(t *testing.T) {
			own := k.lift(strata.Funcs{Request: func(context.Context, *strata.Request) (*strata.Request, error) {
				return &strata.Request{}, nil
			}}.Layer())
			base, asked := k.new("openai/gpt-5")
			_, err := k.served(t.Context(), own(base))
			assert.ErrorContains(t, err, k.name+": a layer took the call out of the request's Raw")
			assert.Empty(t, asked.Calls())
		},
		"what makes no sense panics": func(t *testing.T) {
			var nobody M
			type other struct{}
			for want, make := range map[string]func(){
				".Lift: the model is nil":                                                 func() { k.backoff()(nobody) },
				".Fallback: model 1 is nil":                                               func() { k.fallback(k.gpt(), nobody) },
				".KeyPool: model 0 is nil":                                                func() { k.keyPool(nobody) },
				".NextTier: model 0 is nil":                                               func() { k.nextTier(nobody) },
				".OnRetry(nil): the function is nil":                                      func() { k.onRetry(nil) },
				".Result(nil): the predicate is nil":                                      func() { k.result(nil) },
				".Chain: layer 1 is nil":                                                  func() { k.chain(k.backoff(), nil) },
				".Chain: the model is nil":                                                func() { k.chain()(nobody) },
				".Chain: layer 0 returned a nil model":                                    func() { k.chain(func(M) M { return nobody })(k.gpt()) },
				".Rules: rule 0 is one for language models":                               func() { k.rules(mini) },
				".Rules: rule 1 is one for language models":                               func() { k.rules(k.gpt(), when.Retryable().Switch(mini)) },
				".Rules: rule 0 overrides something other than an " + k.name + ".Request": func() { k.rules(when.Retryable().Retry(retry.Set(other{}))) },
				".Rules: rule 1 overrides something other than an " + k.name + ".Request": func() {
					k.rules(k.gpt(), retry.Switch[M](nil, k.claude(), retry.Set(strata.Request{})))
				},
			} {
				panicsWith(t, k.name+want, make)
			}
			panicsWith(t, "middleware.Rules: rule 0 is nil", func() { k.rules(nil) })
			panicsWith(t, "strata.Chain: layer 0 returned a nil model", func() { k.lift(func(strata.Model) strata.Model { return nil })(k.gpt()) })
			panicsWith(t, "middleware.KeyPool: there is no key", func() { k.keyPool() })
			panicsWith(t, "middleware.Timeout: option 0 is nil", func() { k.timeout(nil) })
		},
		"a panic passes through": func(t *testing.T) {
			p := &played[Req, Resp]{id: neither.ID(), script: []reply{serves}, clone: k.clone,
				answer: func(strata.ModelID, *Req) *Resp { panic("in the model") }}
			panicsWith(t, "in the model", func() { k.served(t.Context(), k.chain(k.fallback(k.claude()), k.backoff())(k.model(p))) })
		},
	}
}

func (k kit[M, L, Req, Resp]) hooks() rows {
	return rows{
		"a trace": func(t *testing.T) {
			var log []string
			override := k.fields["headers"].override
			ctx := strata.WithTrace(t.Context(), &strata.Trace{
				Retry: func(_ context.Context, r strata.RetryInfo) any {
					assert.Equal(t, any(k.request), r.Request)
					return &override
				},
				Served: func(_ context.Context, s strata.ServedInfo) {
					log = append(log, s.Layer+" served by "+s.Model.Name)
				},
				Wait: func(_ context.Context, w strata.WaitInfo) { log = append(log, w.Layer+" waits "+w.Duration.String()) },
			})
			base, asked := k.new("openai/gpt-5", overload, serves)
			by, err := k.served(ctx, k.chain(k.fallback(k.claude()), k.backoff(middleware.NoJitter()))(base))
			require.NoError(t, err)
			assert.Equal(t, "openai/gpt-5", by)
			assert.Equal(t, []string{"backoff waits 1s", "backoff served by gpt-5", "fallback served by gpt-5"}, log)
			want := k.clone(k.request)
			k.fields["headers"].change(want)
			assert.Equal(t, want, asked.Calls()[1].Request)
		},
		"overrides of other families change nothing": func(t *testing.T) {
			for _, override := range []any{&strata.Request{MaxOutputTokens: 1, Raw: 1}, &struct{ Values []string }{}, (*Req)(nil), 1} {
				base, asked := k.new("openai/gpt-5", overload, serves)
				ctx := strata.WithTrace(t.Context(), &strata.Trace{Retry: func(context.Context, strata.RetryInfo) any { return override }})
				by, err := k.served(ctx, k.backoff()(base))
				require.NoError(t, err)
				assert.Equal(t, "openai/gpt-5", by)
				assert.Equal(t, k.request, asked.Calls()[1].Request, "%T", override)
			}
		},
		"a hook's overrides change no other family's calls": func(t *testing.T) {
			override := k.fields["headers"].override
			hook := k.onRetry(func(context.Context, strata.RetryInfo) *Req { return &override })
			gpt := modeltest.New("openai/gpt-5", modeltest.Failure(overload.err), modeltest.Answer("hi"))
			_, err := strata.Wrap(gpt, middleware.Observe(hook), middleware.Backoff()).Generate(t.Context(), &strata.Request{Raw: "raw"})
			require.NoError(t, err)
			assert.Equal(t, "raw", gpt.Calls()[1].Request.Raw, "a model may ask one of language below the same hook")
		},
		"a context of the attempt's own": func(t *testing.T) {
			type key struct{}
			ctx := strata.WithTrace(t.Context(), &strata.Trace{AttemptStart: func(ctx context.Context, a strata.AttemptInfo) context.Context {
				return context.WithValue(ctx, key{}, a.Number)
			}})
			base, asked := k.new("openai/gpt-5", overload, serves)
			k.served(ctx, k.backoff()(base))
			assert.Equal(t, 2, asked.Calls()[1].Context.Value(key{}))
		},
	}
}

// One family's override is nothing to the other.
func TestFamiliesAreApart(t *testing.T) {
	assert.Panics(t, func() {
		embedding.Rules(retry.Retry[embedding.Model](when.Retryable(), retry.Set(image.Request{N: 1})))
	})
	assert.PanicsWithValue(t, "middleware.Rules: rule 0 is a retry.Rule[github.com/strata-go/strata/image.Model], not a rule or a model", func() {
		embedding.Rules(retry.Retry[image.Model](when.Retryable()))
	})
}
