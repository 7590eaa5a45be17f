package middleware_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	mt "github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/when"
)

func edgeAsked(models ...*mt.Model) []int {
	n := make([]int, len(models))
	for i, m := range models {
		n[i] = len(m.Calls())
	}
	return n
}

// A model that took over keeps serving: with any layers over the candidates.
func TestEdgeStickyThroughWhatStandsOverTheCandidate(t *testing.T) {
	rename := strata.Funcs{ID: func(id strata.ModelID) strata.ModelID { id.Account = "team"; return id }}.Layer()
	for name, each := range map[string]strata.Layer{
		"nothing":               strata.Chain(),
		"backoff":               middleware.Backoff(middleware.Attempts(2), middleware.Base(0)),
		"timeout":               middleware.Timeout(middleware.FirstContent(time.Minute), middleware.Total(time.Hour)),
		"refusal":               refusal.Detect(),
		"preamble":              middleware.Preamble(),
		"require content":       middleware.RequireContent(),
		"observe":               middleware.Observe(),
		"rules":                 middleware.Rules(when.Retryable().Retry()),
		"renamed":               rename,
		"backoff over a rename": strata.Chain(middleware.Backoff(middleware.Attempts(2), middleware.Base(0)), rename),
		"a rename over backoff": strata.Chain(rename, middleware.Backoff(middleware.Attempts(2), middleware.Base(0))),
		"an own sticky":         middleware.Sticky(middleware.ForRequests(9)),
	} {
		for walk, over := range map[string]func(strata.Model) strata.Layer{
			"fallback": func(b strata.Model) strata.Layer { return middleware.Fallback(b) },
			"rules":    func(b strata.Model) strata.Layer { return middleware.Rules(when.Retryable().Switch(b)) },
		} {
			t.Run(name+"/"+walk, func(t *testing.T) {
				edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
					a, b := edgeModel("openai/a", mt.Failure(edgeBusy)), edgeModel("anthropic/b", mt.Answer("b"))
					m := strata.Wrap(each(a), middleware.Sticky(middleware.ForRequests(2)), over(each(b)))
					var first int
					for i := range 3 {
						resp, err := ask(t.Context(), m)
						require.NoError(t, err)
						assert.Equal(t, "b", resp.Text())
						if i == 0 {
							first = len(a.Calls())
						}
					}
					assert.Equal(t, first, len(a.Calls()), "the base was asked though b sticks")
				})
			})
		}
	}
}

// And with any layers between Sticky and the walk.
func TestEdgeStickyThroughWhatStandsOverTheWalk(t *testing.T) {
	for name, between := range map[string]strata.Layer{
		"backoff":  middleware.Backoff(middleware.Attempts(2), middleware.Base(0)),
		"timeout":  middleware.Timeout(middleware.FirstContent(time.Minute), middleware.Total(time.Hour)),
		"refusal":  refusal.Detect(),
		"preamble": middleware.Preamble(),
		"content":  middleware.RequireContent(),
		"observe":  middleware.Observe(),
		"walk":     middleware.Fallback(edgeModel("google/z", mt.Answer("z"))),
		"rules":    middleware.Rules(when.Retryable().Retry()),
	} {
		t.Run(name, func(t *testing.T) {
			edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
				a, b := edgeModel("openai/a", mt.Failure(edgeBusy)), edgeModel("anthropic/b", mt.Answer("b"))
				m := strata.Wrap(a, middleware.Sticky(middleware.ForRequests(2)), between, middleware.Fallback(b))
				for range 3 {
					_, err := ask(t.Context(), m)
					require.NoError(t, err)
				}
				assert.Equal(t, []int{1, 3}, edgeAsked(a, b))
				_, err := ask(t.Context(), m)
				require.NoError(t, err)
				assert.Equal(t, []int{2, 4}, edgeAsked(a, b))
			})
		})
	}
}

// What ID a Funcs above gives the stack makes no takeover of the base's answer.
func TestEdgeStickyOverARenamedWalk(t *testing.T) {
	edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
		a := edgeModel("openai/a", mt.Failure(edgeBusy), mt.Answer("a"))
		b := edgeModel("anthropic/b", mt.Answer("b"))
		m := strata.Wrap(a, middleware.Sticky(middleware.ForRequests(1)),
			strata.Funcs{ID: func(strata.ModelID) strata.ModelID { return strata.ModelID{Provider: "ours", Name: "chat"} }}.Layer(),
			middleware.Fallback(b))
		want := []string{"b", "b", "a", "a"}
		for _, text := range want {
			resp, err := ask(t.Context(), m)
			require.NoError(t, err)
			assert.Equal(t, text, resp.Text())
		}
	})
}

// A model serves for d from its takeover, whoever took over before it and
// however long the call that meets the takeover took.
func TestEdgeStickySlowTakeoverBehindAnOldOne(t *testing.T) {
	edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
		a := edgeModel("openai/a", mt.Attempt{mt.Wait(10 * time.Second), mt.Fail(edgeBusy)}, mt.Failure(edgeBusy))
		b := edgeModel("anthropic/b", mt.Answer("b"))
		m := strata.Wrap(a, middleware.Sticky(middleware.ForDuration(5*time.Second)), middleware.Fallback(b))
		var all sync.WaitGroup
		all.Go(func() { ask(t.Context(), m) }) // takes over at 10s
		time.Sleep(time.Second)
		_, err := ask(t.Context(), m) // takes over at 1s, until 6s
		require.NoError(t, err)
		all.Wait()
		time.Sleep(time.Second) // 11s: inside 10s to 15s
		_, err = ask(t.Context(), m)
		require.NoError(t, err)
		assert.Equal(t, []int{2, 3}, edgeAsked(a, b), "the base was asked a second behind a takeover that lasts five")
	})
}

// The window of a takeover is the first one's: later requests do not renew it.
func TestEdgeStickyWindowIsNotRenewed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := edgeModel("openai/a", mt.Failure(edgeBusy)), edgeModel("anthropic/b", mt.Answer("b"))
		m := strata.Wrap(a, middleware.Sticky(middleware.ForDuration(5*time.Second)), middleware.Fallback(b))
		for range 11 {
			m.Generate(t.Context(), strata.Prompt("hi"))
			time.Sleep(time.Second)
		}
		assert.Equal(t, []int{3, 11}, edgeAsked(a, b))
	})
}

func TestEdgeStickyKeysAndRaces(t *testing.T) {
	a, b := edgeModel("openai/a", mt.Failure(edgeBusy)), edgeModel("anthropic/b", mt.Answer("b"))
	m := strata.Wrap(a, middleware.Sticky(middleware.ForRequests(1)), middleware.Fallback(b))
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			ctx := middleware.WithStickyKey(context.Background(), fmt.Sprint(i))
			for j := range 4 {
				var err error
				if i%2 == 0 {
					_, err = m.Generate(ctx, strata.Prompt("hi"))
				} else {
					for _, e := range m.Stream(ctx, strata.Prompt("hi")) {
						if e != nil {
							err = e
						}
					}
				}
				assert.NoError(t, err, j)
			}
		})
	}
	all.Wait()
	assert.Equal(t, []int{200, 400}, edgeAsked(a, b)) // each key: base, sticky, base, sticky
}

func TestEdgeStickyOneKeyManyGoroutines(t *testing.T) {
	a, b := edgeModel("openai/a", mt.Failure(edgeBusy)), edgeModel("anthropic/b", mt.Answer("b"))
	m := strata.Wrap(a, middleware.Sticky(middleware.ForRequests(3)), middleware.Rules(when.Retryable().Switch(b)))
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			for range 20 {
				_, err := m.Generate(context.Background(), strata.Prompt("hi"))
				assert.NoError(t, err)
			}
		})
	}
	all.Wait()
	assert.Len(t, b.Calls(), 2000)
	assert.GreaterOrEqual(t, len(a.Calls()), 1)
}

// A hint that nobody knows changes nothing.
func TestEdgeUnknownHint(t *testing.T) {
	edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
		for _, layer := range []func(strata.Model) strata.Layer{
			func(b strata.Model) strata.Layer { return middleware.Fallback(b) },
			func(b strata.Model) strata.Layer { return middleware.Rules(b) },
			func(b strata.Model) strata.Layer { return middleware.Backoff(middleware.Base(0)) },
		} {
			a, b := edgeModel("openai/a", mt.Failure(edgeBusy), mt.Answer("a")), edgeModel("anthropic/b", mt.Answer("b"))
			ctx := strata.WithStart(t.Context(), strata.ModelID{Provider: "no", Name: "body"})
			_, err := ask(ctx, layer(b)(a))
			require.NoError(t, err)
			assert.Equal(t, 1, min(len(a.Calls()), 1))
		}
	})
}

// The hint is off below the layer that took it, in every attempt.
func TestEdgeHintIsOffBelow(t *testing.T) {
	edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
		var hints []strata.ModelID
		spy := strata.Funcs{Request: func(ctx context.Context, req *strata.Request) (*strata.Request, error) {
			_, start := strata.ContextTraceStart(ctx)
			hints = append(hints, start)
			return req, nil
		}}.Layer()
		a, b, c := edgeModel("openai/a", mt.Answer("a")), edgeModel("anthropic/b", mt.Failure(edgeBusy)), edgeModel("google/c", mt.Failure(edgeBusy))
		m := middleware.Fallback(spy(b), spy(c))(spy(a))
		_, err := ask(strata.WithStart(t.Context(), b.ID()), m)
		require.NoError(t, err)
		assert.Equal(t, []strata.ModelID{{}, {}, {}}, hints)
		assert.Equal(t, []int{1, 1, 1}, edgeAsked(a, b, c))
	})
}

// A Backoff above does not know the model; each of its attempts is a call of the
// walk below, which starts at the sticky model anew.
func TestEdgeHintInLaterAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := edgeModel("openai/a", mt.Failure(edgeBusy)), edgeModel("anthropic/b", mt.Failure(edgeBusy))
		m := strata.Wrap(a, middleware.Backoff(middleware.Attempts(3), middleware.Base(0)), middleware.Fallback(b))
		_, err := m.Generate(strata.WithStart(t.Context(), b.ID()), strata.Prompt("hi"))
		require.Error(t, err)
		assert.Equal(t, []int{3, 3}, edgeAsked(a, b))
		assert.False(t, b.Calls()[0].Time.After(a.Calls()[0].Time))
	})
}

// Sticky with an attempt past the deadline.
func TestEdgeStickyPastTheDeadline(t *testing.T) {
	edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
		a := edgeModel("openai/a", mt.Attempt{mt.Hang()})
		b := edgeModel("anthropic/b", mt.Attempt{mt.Wait(time.Second), mt.Start(), mt.Text("b"), mt.Finish(strata.FinishStop)})
		m := strata.Wrap(a, middleware.Sticky(middleware.ForRequests(1)), middleware.Rules(when.Timeout().Switch(b, retry.PastDeadline(5*time.Second))))
		for i, elapsed := range []time.Duration{3 * time.Second, time.Second, 3 * time.Second} {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			begun := time.Now()
			resp, err := ask(ctx, m)
			cancel()
			require.NoError(t, err, i)
			assert.Equal(t, "b", resp.Text())
			assert.Equal(t, elapsed, time.Since(begun), i)
		}
	})
}

// The base is asked once behind a sticky model's rejected answer as well, and
// the rules count its attempts.
func TestEdgeStickyRulesRejectedAnswer(t *testing.T) {
	edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
		filtered := mt.Attempt{mt.Start(), mt.Finish(strata.FinishContentFilter)}
		a := edgeModel("openai/a", mt.Answer("a"))
		b := edgeModel("anthropic/b", filtered)
		m := middleware.Rules(when.FinishReason(strata.FinishContentFilter).Switch(b))(a)
		resp, err := ask(strata.WithStart(t.Context(), b.ID()), m)
		require.NoError(t, err)
		assert.Equal(t, "a", resp.Text())
		assert.Equal(t, []int{1, 1}, edgeAsked(a, b))
	})
}

// A call that is not answered leaves what stuck, a stream that breaks off behind
// content too; one that its reader leaves in front of content does too.
func TestEdgeStickyUnanswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := edgeModel("openai/a", mt.Failure(edgeBusy))
		b := edgeModel("anthropic/b", mt.Answer("b"), mt.Failure(edgeBusy), mt.Answer("b"))
		m := strata.Wrap(a, middleware.Sticky(middleware.ForRequests(5)), middleware.Fallback(b))
		_, err := m.Generate(t.Context(), strata.Prompt("hi"))
		require.NoError(t, err)
		_, err = m.Generate(t.Context(), strata.Prompt("hi"))
		require.Error(t, err)
		assert.Equal(t, failure.Overload, failure.Of(err))
		_, err = m.Generate(t.Context(), strata.Prompt("hi"))
		require.NoError(t, err)
		assert.Equal(t, []int{2, 3}, edgeAsked(a, b))
	})
}
