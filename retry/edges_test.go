package retry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/retry"
)

// countingError counts how often it is looked at.
type countingError struct{ looks *int }

func (e countingError) Error() string { return "leaf" }
func (e countingError) Is(error) bool { *e.looks++; return false }

// Looking for an error that is not there looks at each error once, however deep
// the stack of retrying layers is.
func TestCostOfIsInADeepError(t *testing.T) {
	for _, depth := range []int{1, 4, 8, 16} {
		looks := 0
		err := error(countingError{&looks})
		for range depth {
			err = &retry.Error{Layer: "backoff", Errs: []error{err}, Reason: retry.ReasonAttempts}
		}
		errors.Is(err, context.Canceled)
		assert.LessOrEqual(t, looks, 2*depth, "depth %d: the one leaf was looked at %d times", depth, looks)
	}
}

func TestIsAndAsLookFromTheLast(t *testing.T) {
	first := &failure.Error{Kind: failure.Rate, Message: "first"}
	last := &failure.Error{Kind: failure.Overload, Message: "last"}
	err := fmt.Errorf("outer: %w", &retry.Error{Errs: []error{first, &retry.Error{Errs: []error{first, last}}}})
	var got *failure.Error
	assert.True(t, errors.As(err, &got))
	assert.Same(t, last, got)
	assert.Equal(t, failure.Overload, failure.Of(err))
	assert.ErrorIs(t, err, first)
	empty := &retry.Error{}
	assert.NotPanics(t, func() { _ = empty.Error(); errors.Is(empty, first); failure.Of(empty) })
}

type plan struct{ waits []time.Duration }

func (p plan) Next(_ context.Context, tries []retry.Try[string, int]) (*retry.Step[string], retry.Reason) {
	if n := len(tries); n > 0 {
		if tries[n-1].Err == nil {
			return nil, retry.ReasonAccepted
		}
		if n > len(p.waits) {
			return nil, retry.ReasonAttempts
		}
		return &retry.Step[string]{Model: "m", Wait: p.waits[n-1]}, ""
	}
	return &retry.Step[string]{Model: "m"}, ""
}

func run(ctx context.Context, do retry.AttemptFunc[string, int], waits ...time.Duration) (int, error) {
	loop := retry.Loop[string, int]{Layer: "test", ID: func(s string) strata.ModelID { return strata.ModelID{Provider: "p", Name: s} }}
	return loop.Run(ctx, plan{waits}, nil, do)
}

var errShutdown = errors.New("shutting down")

// The caller's cause is in the chain, whether the failure says that the context
// ended or not.
func TestTheCauseOfACancelIsInTheChain(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  func(context.Context) error
	}{
		{"the attempt returns the context's error", func(ctx context.Context) error { return ctx.Err() }},
		{"the attempt returns another", func(context.Context) error { return errors.New("reset") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			_, err := run(ctx, func(ctx context.Context, _ retry.Attempt[string]) retry.Outcome[int] {
				cancel(errShutdown)
				return retry.Outcome[int]{Err: tt.err(ctx)}
			})
			assert.ErrorIs(t, err, context.Canceled)
			assert.ErrorIs(t, err, errShutdown)
			assert.Equal(t, failure.Aborted, failure.Of(err))
		})
	}
}

// A failure that wraps the context's error and is of another kind (a network
// error, say) does not hide that the caller ended the call.
func TestTheCallersEndGivesTheKind(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := run(ctx, func(ctx context.Context, _ retry.Attempt[string]) retry.Outcome[int] {
		cancel()
		return retry.Outcome[int]{Err: &failure.Error{Kind: failure.Network, Err: ctx.Err()}}
	})
	assert.Equal(t, failure.Aborted, failure.Of(err), "%v", err)
}
