package modeltest_test

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
)

func TestModelPlaysItsScript(t *testing.T) {
	m := modeltest.New("openai/gpt-5", modeltest.Answer("one"), modeltest.Answer("two"))
	for _, want := range []string{"one", "two", "two"} {
		resp, err := m.Generate(t.Context(), strata.Prompt(want))
		require.NoError(t, err)
		assert.Equal(t, want, resp.Text())
		assert.Equal(t, m.ID(), resp.Model)
	}
	assert.Len(t, m.Calls(), 3)
}

func TestModelIsLazy(t *testing.T) {
	m := modeltest.New("openai/gpt-5", modeltest.Answer("hi"))
	parts := m.Stream(t.Context(), strata.Prompt(""))
	assert.Empty(t, m.Calls())
	for range 2 {
		for range parts {
		}
	}
	assert.Len(t, m.Calls(), 2, "ranging again is a new call")
	assert.True(t, m.Calls()[0].Stream)
}

func TestModelRecordsTheRequestAsItWas(t *testing.T) {
	m := modeltest.New("openai/gpt-5", modeltest.Answer("hi"))
	req := strata.Prompt("before")
	_, err := m.Generate(t.Context(), req)
	require.NoError(t, err)
	req.Messages[0] = strata.UserMessage("after")
	assert.Equal(t, strata.Prompt("before"), m.Calls()[0].Request)
	assert.False(t, m.Calls()[0].Stream)
}

func TestModelFillsWhatAScriptLeavesOut(t *testing.T) {
	m := modeltest.New("openai/gpt-5", modeltest.Attempt{
		modeltest.Text("a"), modeltest.TextStart("7"), modeltest.Text("b"),
		modeltest.ReasoningStart("8"), modeltest.Reasoning("c"), modeltest.Finish(strata.FinishLength),
	})
	var got []strata.Part
	for p, err := range m.Stream(t.Context(), strata.Prompt("")) {
		require.NoError(t, err)
		got = append(got, p)
	}
	assert.Equal(t, []strata.Part{
		strata.TextDelta{ID: "0", Text: "a"}, strata.TextStart{ID: "7"}, strata.TextDelta{ID: "7", Text: "b"},
		strata.ReasoningStart{ID: "8"}, strata.ReasoningDelta{ID: "8", Text: "c"},
		strata.Finish{Reason: "length", RawReason: "length", Model: m.ID()},
	}, got)
}

func TestModelWaitsAndHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := modeltest.New("openai/gpt-5",
			append(modeltest.Attempt{modeltest.Wait(3 * time.Second)}, modeltest.Answer("hi")...),
			modeltest.Attempt{modeltest.Wait(time.Hour)},
			modeltest.Attempt{modeltest.Hang()},
		)
		begun := time.Now()
		_, err := m.Generate(t.Context(), strata.Prompt(""))
		require.NoError(t, err)
		assert.Equal(t, 3*time.Second, time.Since(begun))
		for range 2 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, err = m.Generate(ctx, strata.Prompt(""))
			cancel()
			assert.Equal(t, context.DeadlineExceeded, err)
		}
		assert.Equal(t, 5*time.Second, time.Since(begun))
	})
}

func TestModelThatJustStops(t *testing.T) {
	m := modeltest.New("openai/gpt-5", modeltest.Attempt{modeltest.Text("half")})
	_, err := m.Generate(t.Context(), strata.Prompt(""))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	for _, err := range m.Stream(t.Context(), strata.Prompt("")) {
		assert.NoError(t, err)
	}
}

func TestModelRefusesScriptsThatMakeNoSense(t *testing.T) {
	assert.PanicsWithValue(t, `modeltest.New: strata: model ID "gpt-5" is not of the form provider/name`, func() { modeltest.New("gpt-5", modeltest.Answer("")) })
	assert.PanicsWithValue(t, `modeltest.New("openai/gpt-5"): there is no attempt`, func() { modeltest.New("openai/gpt-5") })
	assert.PanicsWithValue(t, `modeltest.New("openai/gpt-5"): step 1 of attempt 0 is nil`, func() {
		modeltest.New("openai/gpt-5", modeltest.Attempt{modeltest.Start(), nil})
	})
}
