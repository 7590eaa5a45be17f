package middleware_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	mt "github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/stream"
	"github.com/strata-go/strata/when"
)

var (
	edgeBusy  = &failure.Error{Status: 529, Kind: failure.Overload, Message: "busy"}
	edgeCause = errors.New("the user closed the window")
)

func edgeModel(id string, attempts ...mt.Attempt) *mt.Model { return mt.New(id, attempts...) }

func edgeBoth(t *testing.T, f func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error))) {
	for name, ask := range map[string]func(context.Context, strata.Model) (*strata.Response, error){
		"generate": func(ctx context.Context, m strata.Model) (*strata.Response, error) {
			return m.Generate(ctx, strata.Prompt("hi"))
		},
		"stream": func(ctx context.Context, m strata.Model) (*strata.Response, error) {
			return stream.Collect(m.Stream(ctx, strata.Prompt("hi")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { f(t, ask) })
		})
	}
}

// A caller that cancels while SetFunc blocks has ended the call: reason
// cancelled, with its cause in the chain.
func TestEdgeCancelWhileSetFuncBlocks(t *testing.T) {
	for name, fails := range map[string]func(context.Context) error{
		"with the context's error": func(ctx context.Context) error { return ctx.Err() },
		"with an error of its own": func(context.Context) error { return errors.New("no token") },
	} {
		t.Run(name, func(t *testing.T) {
			edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
				a, b := edgeModel("openai/a", mt.Failure(edgeBusy)), edgeModel("anthropic/b", mt.Answer("b"))
				m := middleware.Rules(when.Retryable().Switch(b, retry.SetFunc(func(ctx context.Context, _ *retry.History) (strata.Request, error) {
					<-ctx.Done()
					return strata.Request{}, fails(ctx)
				})))(a)
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Second, func() { cancel(edgeCause) })
				_, err := ask(ctx, m)
				require.Error(t, err)
				assert.Equal(t, failure.Aborted, failure.Of(err))
				assert.ErrorIs(t, err, edgeCause)
				walk, ok := errors.AsType[*retry.Error](err)
				require.True(t, ok)
				assert.Equal(t, retry.ReasonCancelled, walk.Reason)
				assert.Empty(t, b.Calls())
			})
		})
	}
}

// A condition "may block, until ctx ends": past the caller's deadline as well.
func TestEdgeConditionPastTheDeadlineHasAnEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bounded := false
		a, b := edgeModel("openai/a", mt.Attempt{mt.Hang()}), edgeModel("anthropic/b", mt.Answer("b"))
		m := middleware.Rules(when.Error(func(ctx context.Context, _ error) bool {
			bounded = ctx.Done() != nil // else <-ctx.Done() would hang for good
			return true
		}).Switch(b, retry.PastDeadline(time.Minute)))(a)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := m.Generate(ctx, strata.Prompt("hi"))
		require.NoError(t, err)
		assert.True(t, bounded, "the context of a condition past the deadline never ends")
	})
}

// Likewise SetFunc.
func TestEdgeSetFuncPastTheDeadlineHasAnEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bounded := false
		a, b := edgeModel("openai/a", mt.Attempt{mt.Hang()}), edgeModel("anthropic/b", mt.Answer("b"))
		m := middleware.Rules(when.Timeout().Switch(b, retry.PastDeadline(time.Minute), retry.SetFunc(func(ctx context.Context, _ *retry.History) (strata.Request, error) {
			bounded = ctx.Done() != nil
			return strata.Request{}, nil
		})))(a)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := m.Generate(ctx, strata.Prompt("hi"))
		require.NoError(t, err)
		assert.True(t, bounded, "the context of SetFunc past the deadline never ends")
	})
}

// Timeout above a retrying layer "is the budget of the whole call", an attempt
// past the caller's deadline included.
func TestEdgeTotalAboveAnAttemptPastTheDeadline(t *testing.T) {
	edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
		a, b := edgeModel("openai/a", mt.Attempt{mt.Hang()}), edgeModel("anthropic/b", mt.Attempt{mt.Hang()})
		m := strata.Wrap(a, middleware.Timeout(middleware.Total(2*time.Second)),
			middleware.Rules(when.Timeout().Switch(b, retry.PastDeadline(time.Minute))))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		_, err := ask(ctx, m)
		require.Error(t, err)
		assert.Equal(t, 2*time.Second, time.Since(begun))
	})
}

// A cancel of what the caller's deadline context derives from comes behind the
// deadline: no context tells it, so the attempt goes on for its own time.
func TestEdgeParentCancelledBehindTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := edgeModel("openai/a", mt.Attempt{mt.Hang()}), edgeModel("anthropic/b", mt.Attempt{mt.Hang()})
		m := middleware.Rules(when.Timeout().Switch(b, retry.PastDeadline(time.Minute)))(a)
		parent, stop := context.WithCancel(t.Context())
		ctx, cancel := context.WithTimeout(parent, time.Second)
		defer cancel()
		time.AfterFunc(2*time.Second, stop)
		begun := time.Now()
		_, err := m.Generate(ctx, strata.Prompt("hi"))
		require.Error(t, err)
		t.Logf("a parent's cancel at 2s behind a deadline at 1s: the call took %v", time.Since(begun))
		assert.Equal(t, 61*time.Second, time.Since(begun))
	})
}

// A cancel during an attempt that may go past the deadline, before the deadline,
// stops it at once, at any depth.
func TestEdgePastDeadlineIsStoppedByACancel(t *testing.T) {
	layers := map[string]func(strata.Model) strata.Model{
		"alone":         func(m strata.Model) strata.Model { return m },
		"over Backoff":  middleware.Backoff(),
		"over Timeout":  middleware.Timeout(middleware.Total(time.Hour), middleware.Idle(time.Hour)),
		"over Fallback": middleware.Fallback(edgeModel("google/z", mt.Answer("z"))),
		"over Preamble": middleware.Preamble(),
		"over Sticky":   middleware.Sticky(middleware.ForRequests(2)),
	}
	for name, layer := range layers {
		t.Run(name, func(t *testing.T) {
			edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
				a, b := edgeModel("openai/a", mt.Failure(edgeBusy)), edgeModel("anthropic/b", mt.Attempt{mt.Start(), mt.Hang()})
				m := middleware.Rules(when.Retryable().Switch(layer(b), retry.PastDeadline(time.Minute)))(a)
				ctx, cancel := context.WithTimeoutCause(t.Context(), 10*time.Second, errors.New("slow"))
				defer cancel()
				ctx, stop := context.WithCancelCause(ctx)
				time.AfterFunc(time.Second, func() { stop(edgeCause) })
				begun := time.Now()
				_, err := ask(ctx, m)
				require.Error(t, err)
				assert.Equal(t, time.Second, time.Since(begun))
				assert.Equal(t, failure.Aborted, failure.Of(err))
				assert.ErrorIs(t, err, edgeCause)
				require.Len(t, b.Calls(), 1)
				assert.Error(t, b.Calls()[0].Context.Err())
			})
		})
	}
}

// Past the deadline it is its own time, and layers inside and outside let it.
func TestEdgePastDeadlineThroughLayers(t *testing.T) {
	below := map[string]strata.Layer{
		"backoff":  middleware.Backoff(),
		"timeout":  middleware.Timeout(middleware.Total(time.Hour), middleware.FirstContent(time.Hour), middleware.Idle(time.Hour)),
		"fallback": middleware.Fallback(edgeModel("google/z", mt.Answer("z"))),
		"preamble": middleware.Preamble(),
		"content":  middleware.RequireContent(),
		"observe":  middleware.Observe(),
		"rules":    middleware.Rules(when.Retryable().Retry()),
	}
	for name, layer := range below {
		for _, where := range []string{"below", "above"} {
			t.Run(where+"/"+name, func(t *testing.T) {
				edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
					a := edgeModel("openai/a", mt.Attempt{mt.Hang()})
					late := edgeModel("anthropic/b", mt.Attempt{mt.Wait(3 * time.Second), mt.Start(), mt.Text("late"), mt.Wait(time.Second), mt.Text("r"), mt.Finish(strata.FinishStop)})
					var b, m strata.Model = late, nil
					if where == "below" {
						b = layer(b)
					}
					m = middleware.Rules(when.Timeout().Switch(b, retry.PastDeadline(5*time.Second)))(a)
					if where == "above" {
						m = layer(m)
					}
					ctx, cancel := context.WithTimeout(t.Context(), time.Second)
					defer cancel()
					begun := time.Now()
					resp, err := ask(ctx, m)
					require.NoError(t, err)
					assert.Equal(t, "later", resp.Text())
					assert.Equal(t, 5*time.Second, time.Since(begun))
				})
			})
		}
	}
}

func TestEdgeBreakOutOfAStreamPastTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := edgeModel("openai/a", mt.Attempt{mt.Hang()})
		b := edgeModel("anthropic/b", mt.Attempt{mt.Wait(time.Second), mt.Text("x"), mt.Wait(time.Second), mt.Text("y"), mt.Finish(strata.FinishStop)})
		m := middleware.Rules(when.Timeout().Switch(b, retry.PastDeadline(time.Minute)))(a)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		parts := 0
		for _, err := range m.Stream(ctx, strata.Prompt("hi")) {
			require.NoError(t, err)
			parts++
			break
		}
		assert.Equal(t, 1, parts)
		assert.Error(t, b.Calls()[0].Context.Err())
	})
}

// A stream past the deadline that fails of its own behind content was not
// stopped by the caller: it is told as any other that broke off.
func TestEdgeCommittedPastTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := edgeModel("openai/a", mt.Attempt{mt.Hang()})
		b := edgeModel("anthropic/b", mt.Attempt{mt.Wait(time.Second), mt.Text("x"), mt.Fail(&failure.Error{Kind: failure.Overload, Status: 529, Message: "busy"})})
		m := middleware.Rules(when.Timeout().Switch(b, retry.PastDeadline(time.Minute)))(a)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := stream.Collect(m.Stream(ctx, strata.Prompt("hi")))
		committed, ok := errors.AsType[*stream.CommittedError](err)
		require.True(t, ok)
		walk, ok := committed.Err.(*retry.Error)
		require.True(t, ok)
		assert.Equal(t, retry.ReasonCommitted, walk.Reason)
		assert.Equal(t, failure.Overload, failure.Of(err))
	})
}

// Once ctx has ended no attempt is begun: a cancel while OnRetry blocks asks
// nobody.
func TestEdgeCancelWhileOnRetryBlocks(t *testing.T) {
	edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
		a, b := edgeModel("openai/a", mt.Failure(edgeBusy)), edgeModel("anthropic/b", mt.Answer("b"))
		m := strata.Wrap(a, middleware.Observe(middleware.OnRetry(func(ctx context.Context, _ strata.RetryInfo) *strata.Request {
			<-ctx.Done()
			return nil
		})), middleware.Fallback(b))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err := ask(ctx, m)
		assert.Empty(t, b.Calls(), "the model was asked behind the caller's cancel")
		assert.Error(t, err)
	})
}

// A rule's timeout "covers its whole attempt"; OnRetry "may block, until ctx
// ends", and has its ctx.
func TestEdgeOnRetryInsideTheRulesTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := edgeModel("openai/a", mt.Failure(edgeBusy)), edgeModel("anthropic/b", mt.Answer("b"))
		bounded := false
		m := strata.Wrap(a, middleware.Observe(middleware.OnRetry(func(ctx context.Context, _ strata.RetryInfo) *strata.Request {
			bounded = ctx.Done() != nil
			return nil
		})), middleware.Rules(when.Retryable().Switch(b, retry.Timeout(time.Second))))
		_, err := m.Generate(context.Background(), strata.Prompt("hi"))
		require.NoError(t, err)
		assert.True(t, bounded, "the attempt's timeout does not bound OnRetry")
	})
}

// The schema that an answer is held to is the one that its attempt asked for.
func TestEdgeSchemaOfAnOverriddenRequest(t *testing.T) {
	edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
		var seen []string
		validate := func(schema json.RawMessage, _ []byte) error {
			seen = append(seen, string(schema))
			return errors.New("bad")
		}
		nothing := mt.Attempt{mt.Start(), mt.Finish(strata.FinishStop)}
		a, b, c := edgeModel("openai/a", mt.Failure(edgeBusy)), edgeModel("anthropic/b", nothing), edgeModel("google/c", mt.Answer("{}"))
		m := middleware.Rules(
			when.Retryable().Switch(b, retry.Set(strata.Request{ResponseFormat: &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: json.RawMessage(`{"type":"object"}`)}})),
			when.SchemaInvalid(validate).Switch(c))(a)
		_, err := ask(t.Context(), m)
		require.NoError(t, err)
		assert.Equal(t, []string{`{"type":"object"}`}, seen)
	})
}

// What a wait in front of an attempt past the deadline may take: as long as the
// server asks, on top of the attempt's own time.
func TestEdgeWaitPastTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &failure.Error{Status: 429, Kind: failure.Rate, RetryAfter: time.Minute}
		a := edgeModel("openai/a", mt.Attempt{mt.Wait(time.Second - 1), mt.Fail(slow)}, mt.Answer("a"))
		m := middleware.Rules(when.Retryable().Retry(retry.PastDeadline(5 * time.Second)))(a)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		_, err := m.Generate(ctx, strata.Prompt("hi"))
		t.Logf("deadline 1s, own time 5s, server's wait 60s: err %v after %v", err, time.Since(begun))
		assert.LessOrEqual(t, time.Since(begun), 6*time.Second, "a wait that cannot end before the caller's own deadline is not begun")
	})
}
