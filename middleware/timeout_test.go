package middleware_test

import (
	"context"
	"errors"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/stream"
	"github.com/strata-go/strata/when"
)

type (
	ctxType   = context.Context
	yieldType = func(strata.Part, error) bool
)

const second = time.Second

// pieces is an attempt that yields n texts, one after each gap, and finishes.
func pieces(n int, gap time.Duration) modeltest.Attempt {
	attempt := modeltest.Attempt{modeltest.Start()}
	for range n {
		attempt = append(attempt, modeltest.Wait(gap), modeltest.Text("x"))
	}
	return append(attempt, modeltest.Finish("stop"))
}

// eager is an attempt that looks at no context and yields n texts at once.
func eager(n int) modeltest.Attempt {
	attempt := modeltest.Attempt{modeltest.Start()}
	for range n {
		attempt = append(attempt, modeltest.Text("x"))
	}
	return append(attempt, modeltest.Finish("stop"))
}

func TestTimeoutOfStreams(t *testing.T) {
	for name, test := range map[string]struct {
		layer   strata.Layer
		attempt modeltest.Attempt
		hold    time.Duration // by the reader, over each part
		parts   int
		limit   failure.Limit // that ended it; empty: none
		elapsed time.Duration
	}{
		"total, in a long answer":            {middleware.Timeout(middleware.Total(3500 * time.Millisecond)), pieces(9, second), 0, 4, failure.LimitTotal, 3500 * time.Millisecond},
		"total counts the reader's time":     {middleware.Timeout(middleware.Total(5 * second)), eager(9), 2 * second, 3, failure.LimitTotal, 6 * second},
		"total at a slow reader's finish":    {middleware.Timeout(middleware.Total(5 * second)), eager(2), 2 * second, 3, failure.LimitTotal, 6 * second},
		"first content counts it too":        {middleware.Timeout(middleware.FirstContent(5 * second)), eager(9), 6 * second, 1, failure.LimitFirstContent, 6 * second},
		"first content, then all the time":   {middleware.Timeout(middleware.FirstContent(2 * second)), pieces(9, 1500*time.Millisecond), 0, 11, "", 13500 * time.Millisecond},
		"idle does not count it":             {middleware.Timeout(middleware.Idle(2 * second)), pieces(3, second), 9 * second, 5, "", 48 * second},
		"idle, each gap just inside":         {middleware.Timeout(middleware.Idle(2 * second)), pieces(50, 1999*time.Millisecond), 0, 52, "", 99950 * time.Millisecond},
		"idle, from the first part on":       {middleware.Timeout(middleware.Idle(2 * second)), modeltest.Attempt{modeltest.Wait(time.Hour), modeltest.Start(), modeltest.Hang()}, 0, 1, failure.LimitIdle, time.Hour + 2*second},
		"idle, behind a slow reader's part":  {middleware.Timeout(middleware.Idle(2 * second)), modeltest.Attempt{modeltest.Start(), modeltest.Hang()}, 5 * second, 1, failure.LimitIdle, 7 * second},
		"the earliest of several":            {middleware.Timeout(middleware.Total(9*second), middleware.FirstContent(8*second), middleware.Idle(7*second)), modeltest.Attempt{modeltest.Hang()}, 0, 0, failure.LimitFirstContent, 8 * second},
		"a model that finishes just in time": {middleware.Timeout(middleware.Total(9 * second)), pieces(8, second), 0, 10, "", 8 * second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base := modeltest.New("openai/a", test.attempt)
				begun, parts := time.Now(), 0
				var failed error
				for _, err := range test.layer(base).Stream(t.Context(), prompt) {
					if err != nil {
						failed = err
						continue
					}
					parts++
					time.Sleep(test.hold)
				}
				assert.Equal(t, test.parts, parts)
				assert.Equal(t, test.elapsed, time.Since(begun))
				assert.Error(t, base.Calls()[0].Context.Err())
				if test.limit == "" {
					assert.NoError(t, failed)
					return
				}
				var timeout *middleware.TimeoutError
				require.ErrorAs(t, failed, &timeout)
				assert.Equal(t, test.limit, timeout.Limit)
				assert.Equal(t, "openai/a", timeout.Model.String())
				assert.Equal(t, failure.Timeout, failure.Of(failed))
			})
		})
	}
}

func TestATimeoutIsNotTheCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var below context.Context
		hang := modeltest.Step(func(ctx ctxType, yield yieldType) bool {
			below = ctx
			return modeltest.Hang()(ctx, yield)
		})
		m := middleware.Timeout(middleware.Total(second))(modeltest.New("openai/a", modeltest.Attempt{hang}))
		_, err := m.Generate(t.Context(), prompt)
		assert.EqualError(t, err, "timeout: openai/a: not done within 1s")
		assert.NotErrorIs(t, err, context.Canceled)
		assert.NotErrorIs(t, err, context.DeadlineExceeded)
		var timeout *middleware.TimeoutError
		require.ErrorAs(t, err, &timeout)
		assert.True(t, timeout.Timeout())
		assert.ErrorIs(t, timeout.Below, context.Canceled)

		_, ok := below.Deadline()
		assert.False(t, ok, "the layers below see no deadline")
		assert.ErrorContains(t, context.Cause(below), "not done within 1s")
	})
}

func TestTheCallersEndIsNoTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := middleware.Timeout(middleware.Total(5*second), middleware.Idle(5*second))(modeltest.New("openai/a", modeltest.Attempt{modeltest.Start(), modeltest.Hang()}))
		ctx, cancel := context.WithTimeout(t.Context(), second)
		defer cancel()
		_, err := m.Generate(ctx, prompt)
		assert.Equal(t, context.DeadlineExceeded, err)
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(second, stop)
		_, err = read(ctx, m)
		assert.Equal(t, context.Canceled, err)
	})
}

func TestTheInnerOfTwoTimeouts(t *testing.T) {
	for name, test := range map[string]struct {
		outer, inner time.Duration
		want         string
	}{
		"inner first": {5 * second, 2 * second, "timeout: openai/a: not done within 2s"},
		"outer first": {2 * second, 5 * second, "timeout: openai/a: not done within 2s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := strata.Wrap(modeltest.New("openai/a", modeltest.Attempt{modeltest.Hang()}),
					middleware.Timeout(middleware.Total(test.outer)), middleware.Timeout(middleware.Total(test.inner)))
				begun := time.Now()
				_, err := m.Generate(t.Context(), prompt)
				assert.EqualError(t, err, test.want)
				assert.Equal(t, 2*second, time.Since(begun))
			})
		})
	}
}

// What the layers below had been through is not lost.
func TestATimeoutKeepsWhatItCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := modeltest.New("openai/a", modeltest.Failure(busy("openai/a")))
		m := strata.Wrap(base, middleware.Timeout(middleware.Total(2*second)), middleware.Backoff(middleware.NoJitter()))
		_, err := m.Generate(t.Context(), prompt)
		var timeout *middleware.TimeoutError
		require.ErrorAs(t, err, &timeout)
		assert.EqualError(t, timeout.Below, "backoff: gave up after 2 attempts (the caller cancelled): context canceled: timeout: openai/a: not done within 2s; last failure: openai/a: overload: from the provider")
	})
}

func TestATimeoutOverACommittedStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := modeltest.New("openai/a", modeltest.Attempt{modeltest.Text("half"), modeltest.Hang()})
		m := strata.Wrap(base, middleware.Timeout(middleware.Idle(second)), middleware.Backoff())
		got, err := read(t.Context(), m)
		assert.Equal(t, []string{"half"}, got)
		var marked *stream.CommittedError
		require.ErrorAs(t, err, &marked)
		var timeout *middleware.TimeoutError
		require.ErrorAs(t, marked.Err, &timeout)
		assert.Equal(t, failure.LimitIdle, timeout.Limit)
		assert.NotErrorIs(t, err, context.Canceled)
	})
}

// A stream that looks at no context is left at its next part.
func TestATimeoutLeavesAModelThatGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stubborn := odd(func(yield func(strata.Part, error) bool) {
			for {
				time.Sleep(2 * second)
				if !yield(strata.TextDelta{Text: "x"}, nil) {
					return
				}
			}
		})
		got, err := read(t.Context(), middleware.Timeout(middleware.Total(5*second))(stubborn))
		assert.Equal(t, []string{"x", "x"}, got)
		var timeout *middleware.TimeoutError
		assert.ErrorAs(t, err, &timeout)
	})
}

// An answer that came is an answer, however late.
func TestALateWholeAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := strata.Funcs{Generate: func(ctx context.Context, req *strata.Request, next strata.Model) (*strata.Response, error) {
			time.Sleep(3 * second)
			return next.Generate(ctx, req)
		}}.Layer()(modeltest.New("openai/a", modeltest.Answer("hi")))
		resp, err := middleware.Timeout(middleware.Total(second))(late).Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, "hi", resp.Text())
	})
}

// A model's own failure behind the limit is not passed off as another.
func TestAFailureBehindTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failing := strata.Funcs{Stream: func(context.Context, *strata.Request, strata.Model) iter.Seq2[strata.Part, error] {
			return func(yield func(strata.Part, error) bool) {
				time.Sleep(3 * second)
				yield(nil, boom)
			}
		}}.Layer()(modeltest.New("openai/a", modeltest.Answer("hi")))
		_, err := read(t.Context(), middleware.Timeout(middleware.Total(second))(failing))
		var timeout *middleware.TimeoutError
		require.True(t, errors.As(err, &timeout))
		assert.Equal(t, boom, timeout.Below)
	})
}

// A model that does not look at its context, and fails when the limit and then the
// caller's deadline are over, has failed for the limit.
func TestALimitBeforeTheCallersDeadline(t *testing.T) {
	late := strata.Funcs{Generate: func(context.Context, *strata.Request, strata.Model) (*strata.Response, error) {
		time.Sleep(2 * time.Second)
		return nil, errors.New("late")
	}}.Layer()
	first := strata.Wrap(modeltest.New("openai/a", modeltest.Answer("hi")), middleware.Timeout(middleware.Total(time.Second)), late)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		_, err := first.Generate(ctx, prompt)
		assert.ErrorContains(t, err, "timeout: openai/a: not done within 1s")
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		spare := modeltest.New("openai/b", modeltest.Answer("spare"))
		rescue := middleware.Rules(when.Timeout().Switch(spare, retry.PastDeadline(time.Second)))
		_, err := rescue(first).Generate(ctx, prompt)
		assert.NoError(t, err)
		assert.Len(t, spare.Calls(), 1)
	})
}
