package strata_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
)

// heard returns a Trace that writes down what it hears under a name.
func heard(log *[]string, name string) *strata.Trace {
	note := func(what string) { *log = append(*log, name+" "+what) }
	return &strata.Trace{
		AttemptStart: func(ctx context.Context, i strata.AttemptInfo) context.Context {
			note(fmt.Sprintf("start %s %s %d", i.Layer, i.Model, i.Number))
			return context.WithValue(ctx, name, i.Number) //nolint:staticcheck // a test's own key
		},
		AttemptDone: func(ctx context.Context, i strata.AttemptDoneInfo) {
			note(fmt.Sprintf("done %s nested=%v err=%v in %v", i.Layer, i.Nested, i.Err, i.Duration))
		},
		Wait:   func(_ context.Context, i strata.WaitInfo) { note(fmt.Sprintf("wait %v", i.Duration)) },
		Commit: func(_ context.Context, i strata.AttemptInfo) { note("commit " + i.Layer) },
		Served: func(_ context.Context, i strata.ServedInfo) {
			note(fmt.Sprintf("served %s asked %s by %s", i.Layer, i.Asked, i.Model))
		},
		Refusal: func(_ context.Context, i strata.RefusalInfo) { note("refusal of " + i.Model.String()) },
	}
}

var (
	modelA = strata.ModelID{Provider: "openai", Name: "a"}
	modelB = strata.ModelID{Provider: "anthropic", Name: "b"}
)

func TestNoTrace(t *testing.T) {
	ctx := t.Context()
	assert.Nil(t, strata.ContextTrace(ctx))
	assert.Equal(t, ctx, strata.WithTrace(ctx, nil))

	trace := strata.ContextTrace(ctx)
	same, attempt := trace.BeginAttempt(ctx, strata.AttemptInfo{})
	assert.Equal(t, ctx, same)
	assert.NotPanics(t, func() {
		trace.BeginWait(ctx, strata.WaitInfo{})
		attempt.Commit()
		attempt.Served()
		attempt.Done(strata.AttemptDoneInfo{})
	})
}

func TestHooksMayBeLeftOut(t *testing.T) {
	trace := &strata.Trace{}
	ctx := strata.WithTrace(strata.WithTrace(t.Context(), trace), &strata.Trace{})
	trace = strata.ContextTrace(ctx)
	assert.NotPanics(t, func() {
		trace.BeginWait(ctx, strata.WaitInfo{})
		_, attempt := trace.BeginAttempt(ctx, strata.AttemptInfo{})
		attempt.Commit()
		attempt.Served()
		attempt.Done(strata.AttemptDoneInfo{})
	})
}

// An outer layer's attempt holds one of an inner layer that asks another model.
func TestNestedAttemptsAreHeardByBoth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log []string
		ctx := strata.WithTrace(t.Context(), heard(&log, "outer"))
		ctx = strata.WithTrace(ctx, heard(&log, "inner"))
		trace := strata.ContextTrace(ctx)

		ctx, above := trace.BeginAttempt(ctx, strata.AttemptInfo{Layer: "above", Model: modelA, Number: 1})
		assert.Equal(t, 1, ctx.Value("outer"))
		assert.Equal(t, 1, ctx.Value("inner"))
		strata.ContextTrace(ctx).BeginWait(ctx, strata.WaitInfo{Duration: time.Second})
		_, below := strata.ContextTrace(ctx).BeginAttempt(ctx, strata.AttemptInfo{Layer: "below", Model: modelB, Number: 2})
		time.Sleep(time.Second)
		below.Commit()
		below.Served()
		above.Served()
		below.Done(strata.AttemptDoneInfo{})
		above.Done(strata.AttemptDoneInfo{Err: errors.New("boom")})

		assert.Equal(t, []string{
			"outer start above openai/a 1", "inner start above openai/a 1",
			"outer wait 1s", "inner wait 1s",
			"outer start below anthropic/b 2", "inner start below anthropic/b 2",
			"outer commit below", "inner commit below",
			"outer served below asked anthropic/b by anthropic/b", "inner served below asked anthropic/b by anthropic/b",
			"outer served above asked openai/a by anthropic/b", "inner served above asked openai/a by anthropic/b",
			"inner done below nested=false err=<nil> in 1s", "outer done below nested=false err=<nil> in 1s",
			"inner done above nested=true err=boom in 1s", "outer done above nested=true err=boom in 1s",
		}, log)
	})
}

// A hook that returns no context leaves the one it was given.
func TestAttemptStartMayReturnNil(t *testing.T) {
	var log []string
	none := &strata.Trace{AttemptStart: func(context.Context, strata.AttemptInfo) context.Context { return nil }}
	ctx := strata.WithTrace(strata.WithTrace(strata.WithTrace(t.Context(), none), heard(&log, "x")), none)
	ctx, _ = strata.ContextTrace(ctx).BeginAttempt(ctx, strata.AttemptInfo{Number: 7})
	assert.Equal(t, 7, ctx.Value("x"))
}

func TestBothHearOfARefusal(t *testing.T) {
	var log []string
	ctx := strata.WithTrace(strata.WithTrace(t.Context(), heard(&log, "outer")), heard(&log, "inner"))
	strata.ContextTrace(ctx).Refused(ctx, strata.RefusalInfo{Model: modelA})
	strata.ContextTrace(t.Context()).Refused(t.Context(), strata.RefusalInfo{Model: modelA})
	assert.Equal(t, []string{"outer refusal of openai/a", "inner refusal of openai/a"}, log)
}
