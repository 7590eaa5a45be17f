package retry_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/retry"
)

// said is a failure of a kind.
func said(kind failure.Kind) error { return &failure.Error{Kind: kind, Message: "said so"} }

// onKind is a condition of the caller's own.
func onKind(kind failure.Kind) retry.Matcher {
	return retry.MatchFunc(func(_ context.Context, h *retry.History) bool {
		return h.Last().Err != nil && failure.Of(h.Last().Err) == kind
	})
}

func TestCall(t *testing.T) {
	s := time.Second
	models := retry.Models("openai/a", "openai/a2", "anthropic/b")
	for name, test := range map[string]struct {
		policy  retry.Policy[string]
		errs    []error // of the attempts in turn, then an answer
		asked   []string
		err     string
		elapsed time.Duration
	}{
		"the first answers":           {models, nil, []string{"openai/a"}, "", 0},
		"the next answers":            {models, []error{said(failure.Overload)}, []string{"openai/a", "openai/a2"}, "", 0},
		"a sister model is ruled out": {models, []error{said(failure.Auth)}, []string{"openai/a", "anthropic/b"}, "", 0},
		"nobody may fix it":           {models, []error{said(failure.Invalid)}, []string{"openai/a"}, "invalid: said so", 0},
		"all fail": {models, []error{said(failure.Overload), said(failure.Overload), said(failure.Rate)}, []string{"openai/a", "openai/a2", "anthropic/b"},
			"retry: gave up after 3 attempts (nothing is left that may fix it): rate: said so", 0},
		"names without a provider are of one": {retry.Models("a", "b"), []error{said(failure.Auth)}, []string{"a"}, "auth: said so", 0},
		"rules, then the other models": {
			retry.Models("openai/a", "anthropic/b").Rules(retry.Retry[string](onKind(failure.Rate), retry.Attempts(3), retry.Delay(s), retry.Factor(2))),
			[]error{said(failure.Rate), said(failure.Rate), said(failure.Rate)}, []string{"openai/a", "openai/a", "openai/a", "anthropic/b"}, "", 3 * s},
		"rules that are not for it": {
			retry.Models("openai/a").Rules(retry.Retry[string](onKind(failure.Rate))),
			[]error{said(failure.Overload)}, []string{"openai/a"}, "overload: said so", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked []string
				begun := time.Now()
				answer, err := retry.Call(t.Context(), test.policy, func(ctx context.Context, try retry.Attempt[string]) (string, error) {
					asked = append(asked, try.Model)
					assert.Equal(t, len(asked), try.Number)
					assert.Len(t, try.Errs, len(asked)-1)
					if try.Number <= len(test.errs) {
						return "", test.errs[try.Number-1]
					}
					return "from " + try.Model, nil
				})
				assert.Equal(t, test.asked, asked)
				assert.Equal(t, test.elapsed, time.Since(begun))
				if test.err != "" {
					assert.EqualError(t, err, test.err)
					return
				}
				require.NoError(t, err)
				assert.Equal(t, "from "+asked[len(asked)-1], answer)
			})
		})
	}
}

func TestEachAttemptOfACallHasAContextAndATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var contexts []context.Context
		_, err := retry.Call(t.Context(), retry.Models("openai/a", "anthropic/b").Timeout(2*time.Second), func(ctx context.Context, try retry.Attempt[string]) (int, error) {
			contexts = append(contexts, ctx)
			if try.Number == 1 {
				<-ctx.Done()
				return 0, ctx.Err()
			}
			time.Sleep(1500 * time.Millisecond)
			return 1, nil
		})
		require.NoError(t, err)
		require.Len(t, contexts, 2)
		assert.Error(t, contexts[0].Err())
		assert.Error(t, contexts[1].Err())

		_, err = retry.Call(t.Context(), retry.Models("openai/a").Timeout(time.Second), func(ctx context.Context, _ retry.Attempt[string]) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		})
		var timeout *failure.TimeoutError
		require.ErrorAs(t, err, &timeout)
		assert.EqualError(t, err, "timeout: openai/a: not done within 1s")
		assert.NotErrorIs(t, err, context.Canceled)
	})
}

func TestPastDeadline(t *testing.T) {
	hang := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	synctest.Test(t, func(t *testing.T) {
		policy := retry.Models("openai/a").Rules(
			retry.Switch(onKind(failure.Timeout), "anthropic/b", retry.PastDeadline(3*time.Second)),
			retry.Switch(nil, "never"),
		)
		run := func(end func(context.Context) (context.Context, context.CancelFunc), second time.Duration) (string, []string, error) {
			ctx, cancel := end(t.Context())
			defer cancel()
			var asked []string
			answer, err := retry.Call(ctx, policy, func(ctx context.Context, try retry.Attempt[string]) (string, error) {
				asked = append(asked, try.Model)
				if try.Number == 1 {
					return "", hang(ctx)
				}
				select {
				case <-time.After(second):
					return "late", nil
				case <-ctx.Done():
					return "", ctx.Err()
				}
			})
			return answer, asked, err
		}
		deadline := func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Second)
		}
		cancel := func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Second, cancel)
			return ctx, cancel
		}

		answer, asked, err := run(deadline, 2*time.Second)
		require.NoError(t, err)
		assert.Equal(t, "late", answer)
		assert.Equal(t, []string{"openai/a", "anthropic/b"}, asked)

		_, asked, err = run(deadline, time.Hour)
		assert.Equal(t, []string{"openai/a", "anthropic/b"}, asked)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		var timeout *failure.TimeoutError
		require.ErrorAs(t, err, &timeout)
		assert.Equal(t, 3*time.Second, timeout.After)

		_, asked, err = run(cancel, time.Second)
		assert.Equal(t, []string{"openai/a"}, asked, "a call that was cancelled gets no such attempt")
		assert.ErrorIs(t, err, context.Canceled)
	})
}

// The stated elements of a stream, then an error.
func elements(err error, all ...string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, e := range all {
			if !yield(e, nil) {
				return
			}
		}
		if err != nil {
			yield("", err)
		}
	}
}

func collect(parts iter.Seq2[string, error]) (got []string, err error) {
	for p, e := range parts {
		if e != nil {
			err = e
			continue
		}
		got = append(got, p)
	}
	return got, err
}

func TestStream(t *testing.T) {
	content := retry.Commits(func(e string) bool { return e != "ping" })
	busy := said(failure.Overload)
	for name, test := range map[string]struct {
		opts   []retry.StreamOption[string]
		first  iter.Seq2[string, error]
		want   []string
		asked  int
		reason retry.Reason // of the error; empty: none
	}{
		"answers":                    {nil, elements(nil, "a", "b"), []string{"a", "b"}, 1, ""},
		"fails before":               {nil, elements(busy), []string{"from", "b"}, 2, ""},
		"fails behind an element":    {nil, elements(busy, "a"), []string{"a"}, 1, retry.ReasonCommitted},
		"fails behind what is held":  {[]retry.StreamOption[string]{content}, elements(busy, "ping", "ping"), []string{"from", "b"}, 2, ""},
		"holds until content":        {[]retry.StreamOption[string]{content}, elements(nil, "ping", "a", "ping"), []string{"ping", "a", "ping"}, 1, ""},
		"ends with nothing but held": {[]retry.StreamOption[string]{content}, elements(nil, "ping"), []string{"ping"}, 1, ""},
		"holds no more than it may":  {[]retry.StreamOption[string]{content, retry.MaxElements[string](1)}, elements(busy, "ping", "ping"), []string{"ping", "ping"}, 1, retry.ReasonCommitted},
		"no stream":                  {nil, nil, []string{"from", "b"}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var contexts []context.Context
			parts := retry.Stream(t.Context(), retry.Models("openai/a", "anthropic/b"), func(ctx context.Context, try retry.Attempt[string]) iter.Seq2[string, error] {
				contexts = append(contexts, ctx)
				if try.Number == 1 {
					return test.first
				}
				return elements(nil, "from", "b")
			}, test.opts...)
			assert.Empty(t, contexts, "it is lazy")
			got, err := collect(parts)
			assert.Equal(t, test.want, got)
			assert.Len(t, contexts, test.asked)
			for _, ctx := range contexts {
				assert.Error(t, ctx.Err())
			}
			if test.reason == "" {
				assert.NoError(t, err)
				return
			}
			var walk *retry.Error
			require.ErrorAs(t, err, &walk)
			assert.Equal(t, test.reason, walk.Reason)
			assert.Equal(t, []strata.ModelID{{Provider: "openai", Name: "a"}}, walk.Models)
			assert.ErrorIs(t, err, busy)
		})
	}
}

func TestStreamFirstElement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		got, err := collect(retry.Stream(t.Context(), retry.Models("openai/a", "anthropic/b"), func(ctx context.Context, try retry.Attempt[string]) iter.Seq2[string, error] {
			return func(yield func(string, error) bool) {
				if try.Number == 1 {
					yield("ping", nil)
					<-ctx.Done()
					yield("", ctx.Err())
					return
				}
				for _, e := range []string{"a", "b", "c"} {
					time.Sleep(1500 * time.Millisecond)
					if !yield(e, nil) {
						return
					}
				}
			}
		}, retry.Commits(func(e string) bool { return e != "ping" }), retry.FirstElement[string](2*time.Second)))
		require.NoError(t, err)
		assert.Equal(t, []string{"a", "b", "c"}, got)
		assert.Equal(t, 6500*time.Millisecond, time.Since(begun))
	})
}

func TestPolicyTimeoutLeavesPastDeadlineAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		policy := retry.Models("openai/a").Timeout(time.Second).Rules(retry.Switch(onKind(failure.Timeout), "anthropic/b", retry.PastDeadline(3*time.Second)))
		answer, err := retry.Call(ctx, policy, func(ctx context.Context, try retry.Attempt[string]) (string, error) {
			select {
			case <-time.After(2 * time.Second):
				return try.Model, nil
			case <-ctx.Done():
				return "", ctx.Err()
			}
		})
		require.NoError(t, err)
		assert.Equal(t, "anthropic/b", answer)
	})
}

func TestStreamCommitsAfterAFailure(t *testing.T) {
	busy, cut := said(failure.Overload), said(failure.Network)
	got, err := collect(retry.Stream(t.Context(), retry.Models("openai/a", "anthropic/b"), func(_ context.Context, try retry.Attempt[string]) iter.Seq2[string, error] {
		if try.Number == 1 {
			return elements(busy)
		}
		return elements(cut, "half")
	}))
	assert.Equal(t, []string{"half"}, got)
	var walk *retry.Error
	require.ErrorAs(t, err, &walk)
	assert.Equal(t, []error{busy, cut}, walk.Errs)
	assert.Equal(t, retry.ReasonCommitted, walk.Reason)
}

func TestStreamReaderLeaves(t *testing.T) {
	for leave := 1; leave <= 3; leave++ {
		calls, n := 0, 0
		for range retry.Stream(t.Context(), retry.Models("openai/a", "anthropic/b"), func(context.Context, retry.Attempt[string]) iter.Seq2[string, error] {
			calls++
			return elements(said(failure.Overload), "ping", "a", "b")
		}, retry.Commits(func(e string) bool { return e != "ping" })) {
			if n++; n == leave {
				break
			}
		}
		assert.Equal(t, leave, n)
		assert.Equal(t, 1, calls)
	}
}

func TestStreamIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	got, err := collect(retry.Stream(ctx, retry.Models("openai/a", "anthropic/b"), func(ctx context.Context, _ retry.Attempt[string]) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			yield("a", nil)
			cancel()
			yield("", ctx.Err())
		}
	}))
	assert.Equal(t, []string{"a"}, got)
	assert.Equal(t, context.Canceled, err)
}

type client struct{ key string }

type named struct{ strata.ModelID }

func (n named) ID() strata.ModelID { return n.ModelID }

func TestPoliciesThatMakeNoSense(t *testing.T) {
	f := func(context.Context, retry.Attempt[string]) (int, error) { return 0, nil }
	for want, make := range map[string]func(){
		"retry.Models(): there is no model":                      func() { retry.Models[string]() },
		"retry.Models: model 1 is nil":                           func() { retry.Models[any](1, nil) },
		"retry.Policy.Timeout(-1s): the duration is negative":    func() { retry.Models("a").Timeout(-time.Second) },
		"retry.Policy.ID(nil): the function is nil":              func() { retry.Models("a").ID(nil) },
		"retry.Call: the policy has no models: Models makes one": func() { retry.Call(t.Context(), retry.Policy[string]{}, f) },
		"retry.Call: the function is nil":                        func() { retry.Call[string, int](t.Context(), retry.Models("a"), nil) },
		"retry.Stream: the function is nil":                      func() { retry.Stream[string, int](t.Context(), retry.Models("a"), nil) },
		"retry.Call: a retry_test.client does not name itself: give the policy an ID function": func() {
			retry.Call(t.Context(), retry.Models(client{"sk-secret"}), func(context.Context, retry.Attempt[client]) (int, error) { return 0, nil })
		},
		"retry.Stream: option 0 is nil": func() {
			retry.Stream(t.Context(), retry.Models("a"), func(context.Context, retry.Attempt[string]) iter.Seq2[int, error] { return nil }, nil)
		},
		"retry.Commits(nil): the function is nil":                            func() { retry.Commits[int](nil) },
		"retry.FirstElement(-1s): the duration is negative":                  func() { retry.FirstElement[int](-time.Second) },
		"retry.MaxElements(0): the count is less than 1":                     func() { retry.MaxElements[int](0) },
		"retry.Attempts(0): the count is less than 1":                        func() { retry.Attempts(0) },
		"retry.Delay(-1s): the duration is negative":                         func() { retry.Delay(-time.Second) },
		"retry.Timeout(-1s): the duration is negative":                       func() { retry.Timeout(-time.Second) },
		"retry.MaxRetryAfter(-1s): the duration is negative":                 func() { retry.MaxRetryAfter(-time.Second) },
		"retry.PastDeadline(0s): the duration is not positive":               func() { retry.PastDeadline(0) },
		"retry.Factor(0): the factor is not a positive number":               func() { retry.Factor(0) },
		"retry.SetFunc(nil): the function is nil":                            func() { retry.SetFunc[int](nil) },
		"retry.Retry: option 0 is nil":                                       func() { retry.Retry[string](nil, nil) },
		"retry.Retry: Attempts(1) is less than 2: the rule could never fire": func() { retry.Retry[string](nil, retry.Attempts(1)) },
	} {
		t.Run(want, func(t *testing.T) { assert.PanicsWithValue(t, want, make) })
	}
}

func TestModelsThatNameThemselves(t *testing.T) {
	_, err := retry.Call(t.Context(), retry.Models(named{strata.ModelID{Provider: "p", Name: "a"}}, named{strata.ModelID{Provider: "q", Name: "b"}}),
		func(context.Context, retry.Attempt[named]) (int, error) { return 0, said(failure.Auth) })
	var walk *retry.Error
	require.ErrorAs(t, err, &walk)
	assert.Equal(t, []strata.ModelID{{Provider: "p", Name: "a"}, {Provider: "q", Name: "b"}}, walk.Models)
}

// sdkError has the fields that errors of SDKs commonly have.
type sdkError struct {
	StatusCode int
	Response   *http.Response
}

func (e *sdkError) Error() string { return fmt.Sprintf("sdk: status %d", e.StatusCode) }

func TestCallKnowsTheErrorsOfSDKs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, calls := time.Now(), 0
		_, err := retry.Call(t.Context(), retry.Models("openai/a").Rules(retry.Retry[string](onKind(failure.Rate))), func(context.Context, retry.Attempt[string]) (int, error) {
			if calls++; calls == 1 {
				return 0, &sdkError{429, &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {"7"}}}}
			}
			return 1, nil
		})
		require.NoError(t, err)
		assert.Equal(t, 7*time.Second, time.Since(begun))
	})
}

func TestCallEndsWithItsCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	_, err := retry.Call(ctx, retry.Models("openai/a", "anthropic/b"), func(context.Context, retry.Attempt[string]) (int, error) {
		calls++
		cancel()
		return 0, said(failure.Overload)
	})
	assert.Equal(t, 1, calls)
	assert.ErrorIs(t, err, context.Canceled)
	assert.True(t, errors.As(err, new(*retry.Error)))
}

// The time and the memory of a call are in proportion to its attempts.
func BenchmarkAttempts(b *testing.B) {
	busy := said(failure.Overload)
	for _, n := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("attempts=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			policy := retry.Models("openai/a").Rules(retry.Retry[string](nil, retry.Attempts(n+2)))
			for b.Loop() {
				retry.Call(b.Context(), policy, func(_ context.Context, try retry.Attempt[string]) (int, error) {
					if try.Number < n {
						return 0, busy
					}
					return 1, nil
				})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/attempt")
		})
	}
}
