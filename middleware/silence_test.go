package middleware_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
)

// pings tells of n bytes, one after each gap, as an adapter does whose server
// keeps the connection alive while the model thinks.
func pings(n int, gap time.Duration) modeltest.Step {
	return func(ctx context.Context, yield func(strata.Part, error) bool) bool {
		for range n {
			if !modeltest.Wait(gap)(ctx, yield) {
				return false
			}
			strata.ContextTrace(ctx).ReceivedBytes(ctx, 1)
		}
		return true
	}
}

func TestSilence(t *testing.T) {
	text, finish := modeltest.Text("x"), modeltest.Finish("stop")
	for name, test := range map[string]struct {
		attempt modeltest.Attempt
		opts    []middleware.TimeoutOption
		hold    time.Duration // by the reader, over each part
		limit   failure.Limit // that ended it; empty: none
		elapsed time.Duration
	}{
		"nothing at all":               {modeltest.Attempt{modeltest.Hang()}, nil, 0, failure.LimitSilence, 3 * second},
		"nothing after the first part": {modeltest.Attempt{modeltest.Start(), modeltest.Hang()}, nil, 0, failure.LimitSilence, 3 * second},
		"pings while it thinks":        {modeltest.Attempt{pings(50, 2*second), text, pings(50, 2*second), finish}, nil, 0, "", 200 * second},
		"pings that stop":              {modeltest.Attempt{pings(5, 2*second), modeltest.Hang()}, nil, 0, failure.LimitSilence, 13 * second},
		"parts alone":                  {modeltest.Attempt{modeltest.Wait(2 * second), text, modeltest.Wait(2 * second), text, finish}, nil, 0, "", 4 * second},
		"the reader's time":            {modeltest.Attempt{text, modeltest.Wait(2 * second), text, finish}, nil, 9 * second, "", 29 * second},
		"silence behind a slow reader": {modeltest.Attempt{text, modeltest.Hang()}, nil, 9 * second, failure.LimitSilence, 12 * second},
		"pings do not help against idle": {
			modeltest.Attempt{modeltest.Start(), pings(50, 2*second)},
			[]middleware.TimeoutOption{middleware.Idle(7 * second)}, 0, failure.LimitIdle, 7 * second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base := modeltest.New("openai/a", test.attempt)
				m := middleware.Timeout(append(test.opts, middleware.Silence(3*second))...)(base)
				begun := time.Now()
				var failed error
				for _, err := range m.Stream(t.Context(), prompt) {
					if failed = err; err == nil {
						time.Sleep(test.hold)
					}
				}
				assert.Equal(t, test.elapsed, time.Since(begun))
				if test.limit == "" {
					assert.NoError(t, failed)
					return
				}
				var timeout *middleware.TimeoutError
				require.ErrorAs(t, failed, &timeout)
				assert.Equal(t, test.limit, timeout.Limit)
				assert.Equal(t, failure.Timeout, failure.Of(failed))
			})
		})
	}
}

func TestSilenceIsNoLimitOfGenerate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := middleware.Timeout(middleware.Silence(second))(modeltest.New("openai/a", modeltest.Attempt{modeltest.Wait(time.Minute), modeltest.Text("x"), modeltest.Finish("stop")}))
		_, err := m.Generate(t.Context(), prompt)
		assert.NoError(t, err)
	})
}

func TestSilenceSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := middleware.Timeout(middleware.Silence(second))(modeltest.New("openai/a", modeltest.Attempt{modeltest.Hang()}))
		for _, err := range m.Stream(t.Context(), prompt) {
			assert.EqualError(t, err, "timeout: openai/a: not a byte for 1s")
		}
		assert.PanicsWithValue(t, "middleware.Silence(-1s): the duration is negative", func() { middleware.Silence(-second) })
	})
}

// A model that looks at no context is left at its next part.
func TestSilenceOfAModelThatIgnoresItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := modeltest.New("openai/a", modeltest.Attempt{modeltest.Text("x"), stubborn(5*second, nil), modeltest.Text("y"), modeltest.Finish("stop")})
		text := ""
		var failed error
		for p, err := range middleware.Timeout(middleware.Silence(2*second))(base).Stream(t.Context(), prompt) {
			if delta, ok := p.(strata.TextDelta); ok {
				text += delta.Text
			}
			failed = err
		}
		assert.Equal(t, "x", text)
		var timeout *middleware.TimeoutError
		require.ErrorAs(t, failed, &timeout)
		assert.Equal(t, failure.LimitSilence, timeout.Limit)
	})
}

// Two of them hear, and so do hooks of the program's own.
func TestBytesAreHeardByAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		heard := 0
		ctx := strata.WithTrace(t.Context(), &strata.Trace{Bytes: func(_ context.Context, n int) { heard += n }})
		m := strata.Wrap(modeltest.New("openai/a", modeltest.Attempt{pings(5, second), modeltest.Text("x"), modeltest.Finish("stop")}),
			middleware.Timeout(middleware.Silence(2*second)), middleware.Timeout(middleware.Silence(3*second)))
		for _, err := range m.Stream(ctx, prompt) {
			assert.NoError(t, err)
		}
		assert.Equal(t, 5, heard)
	})
}
