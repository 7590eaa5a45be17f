package stream_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/stream"
)

// func model is a Model whose stream is a function; it need not keep the
// contract.
type funcModel func(yield func(strata.Part, error) bool)

func (m funcModel) ID() strata.ModelID { return strata.ModelID{Provider: "openai", Name: "odd"} }

func (m funcModel) Generate(context.Context, *strata.Request) (*strata.Response, error) {
	return nil, nil
}

func (m funcModel) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] {
	return iter.Seq2[strata.Part, error](m)
}

// read returns what Each yields, in short.
func read(ctx context.Context, m strata.Model, stopAt int) (got []string) {
	stream.Each(ctx, m, strata.Prompt("hello"), func(p strata.Part, err error) bool {
		switch {
		case err != nil:
			got = append(got, "error: "+err.Error())
		default:
			got = append(got, fmt.Sprintf("%T", p)[len("strata."):])
		}
		return len(got) != stopAt
	})
	return got
}

func TestEachHoldsAModelToItsContract(t *testing.T) {
	text, finish := strata.TextDelta{Text: "x"}, strata.Finish{Reason: strata.FinishStop}
	for name, test := range map[string]struct {
		model  strata.Model
		stopAt int
		want   []string
	}{
		"whole": {modeltest.New("openai/a", modeltest.Answer("hi")), 0,
			[]string{"StreamStart", "TextStart", "TextDelta", "TextEnd", "Finish"}},
		"reader leaves": {modeltest.New("openai/a", modeltest.Answer("hi")), 2,
			[]string{"StreamStart", "TextStart"}},
		"fails": {modeltest.New("openai/a", modeltest.Attempt{modeltest.Text("x"), modeltest.Fail(errors.New("boom"))}), 0,
			[]string{"TextDelta", "error: boom"}},
		"just stops": {funcModel(func(yield func(strata.Part, error) bool) { yield(text, nil) }), 0,
			[]string{"TextDelta", "error: openai/odd: network: the stream stopped without a finish"}},
		"nil iterator": {funcModel(nil), 0,
			[]string{"error: openai/odd: unknown: Stream returned a nil iterator"}},
		"nil part": {funcModel(func(yield func(strata.Part, error) bool) { yield(nil, nil); yield(text, nil) }), 0,
			[]string{"error: openai/odd: unknown: Stream yielded neither a part nor an error"}},
		"part beside an error": {funcModel(func(yield func(strata.Part, error) bool) { yield(text, errors.New("boom")) }), 0,
			[]string{"error: boom"}},
		"goes on behind an error": {funcModel(func(yield func(strata.Part, error) bool) {
			yield(nil, errors.New("boom"))
			yield(text, nil)
		}), 0, []string{"error: boom"}},
		"goes on for ever behind the finish": {funcModel(func(yield func(strata.Part, error) bool) {
			yield(finish, nil)
			for {
				yield(text, nil)
			}
		}), 0, []string{"Finish"}},
		"goes on for ever after the reader left": {funcModel(func(yield func(strata.Part, error) bool) {
			for {
				yield(text, nil)
			}
		}), 3, []string{"TextDelta", "TextDelta", "TextDelta"}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, read(t.Context(), test.model, test.stopAt))
		})
	}
}

func TestAMissingFinishIsANetworkFailure(t *testing.T) {
	var got error
	stream.Each(t.Context(), funcModel(func(func(strata.Part, error) bool) {}), nil, func(_ strata.Part, err error) bool {
		got = err
		return true
	})
	assert.Equal(t, failure.Network, failure.Of(got))
	assert.ErrorIs(t, got, io.ErrUnexpectedEOF)
}

func TestAStreamThatStopsForItsContextSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	got := read(ctx, funcModel(func(func(strata.Part, error) bool) { cancel() }), 0)
	assert.Equal(t, []string{"error: context canceled"}, got)
}

func TestOtherPanicsPassThrough(t *testing.T) {
	assert.PanicsWithValue(t, "broken model", func() {
		read(t.Context(), modeltest.New("openai/a", modeltest.Attempt{modeltest.Text("x"), modeltest.Panic("broken model")}), 0)
	})
	assert.PanicsWithValue(t, "broken reader", func() {
		stream.Each(t.Context(), modeltest.New("openai/a", modeltest.Answer("hi")), strata.Prompt(""), func(strata.Part, error) bool {
			panic("broken reader")
		})
	})
}

func TestGenerateRefusesNothing(t *testing.T) {
	_, err := stream.Generate(t.Context(), funcModel(nil), strata.Prompt(""))
	assert.EqualError(t, err, "openai/odd: unknown: Generate returned neither an answer nor an error")
	_, err = stream.Generate(t.Context(), modeltest.New("openai/a", modeltest.Failure(errors.New("boom"))), strata.Prompt(""))
	assert.EqualError(t, err, "boom")
}

func TestOpenReturnsTheErrorBeforeContent(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Attempt{
		modeltest.Start(), modeltest.TextStart("0"), modeltest.Fail(&stream.CommittedError{Err: errors.New("boom")}),
	})
	s, err := stream.Open(t.Context(), m, strata.Prompt("hello"))
	assert.Nil(t, s)
	assert.EqualError(t, err, "boom")
	assert.ErrorIs(t, m.Calls()[0].Context.Err(), context.Canceled)
}

func TestOpenStopsAtTheCommitPoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := modeltest.New("openai/a", modeltest.Attempt{
			modeltest.Wait(time.Second), modeltest.Start(), modeltest.Text("Hel"),
			modeltest.Wait(time.Second), modeltest.Text("lo"), modeltest.Finish(strata.FinishStop),
		})
		begun := time.Now()
		s, err := stream.Open(t.Context(), m, strata.Prompt("hello"))
		require.NoError(t, err)
		assert.Equal(t, time.Second, time.Since(begun))

		resp, err := stream.Collect(s.Parts())
		require.NoError(t, err)
		assert.Equal(t, "Hello", resp.Text())
		assert.Equal(t, 2*time.Second, time.Since(begun))
		_, err = s.Next()
		assert.Equal(t, io.EOF, err)
		assert.Error(t, m.Calls()[0].Context.Err())
	})
}

func TestOpenOfAnEmptyAnswer(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Attempt{modeltest.Start(), modeltest.Finish(strata.FinishStop)})
	s, err := stream.Open(t.Context(), m, strata.Prompt("hello"))
	require.NoError(t, err)
	for _, want := range []strata.Part{strata.StreamStart{}, strata.Finish{Reason: "stop", RawReason: "stop", Model: m.ID()}} {
		p, err := s.Next()
		require.NoError(t, err)
		assert.Equal(t, want, p)
	}
	_, err = s.Next()
	assert.Equal(t, io.EOF, err)
}

func TestOpenThenFailure(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Attempt{modeltest.Text("Hel"), modeltest.Fail(errors.New("boom"))})
	s, err := stream.Open(t.Context(), m, strata.Prompt("hello"))
	require.NoError(t, err)
	_, err = s.Next()
	require.NoError(t, err)
	for range 2 {
		_, err = s.Next()
		assert.EqualError(t, err, "boom")
	}
}

func TestCloseTearsTheRequestDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // which fails if the coroutine is left behind
		m := modeltest.New("openai/a", modeltest.Attempt{modeltest.Text("Hel"), modeltest.Hang()})
		s, err := stream.Open(t.Context(), m, strata.Prompt("hello"))
		require.NoError(t, err)
		require.NoError(t, s.Close())
		require.NoError(t, s.Close())
		_, err = s.Next()
		assert.Equal(t, io.ErrClosedPipe, err)
		assert.Error(t, m.Calls()[0].Context.Err())
	})
}

func TestBreakingOutOfPartsCloses(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Attempt{modeltest.Text("a"), modeltest.Text("b"), modeltest.Hang()})
	s, err := stream.Open(t.Context(), m, strata.Prompt("hello"))
	require.NoError(t, err)
	for range s.Parts() {
		break
	}
	_, err = s.Next()
	assert.Equal(t, io.ErrClosedPipe, err)
	assert.Error(t, m.Calls()[0].Context.Err())
}

func TestOpenBoundsThePreamble(t *testing.T) {
	attempt := modeltest.Attempt{}
	for range stream.DefaultMaxParts + 1 {
		attempt = append(attempt, modeltest.Text(""))
	}
	attempt = append(attempt, modeltest.Hang())
	s, err := stream.Open(t.Context(), modeltest.New("openai/a", attempt), strata.Prompt("hello"))
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

func TestAPanicInOpenReleases(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Attempt{modeltest.Start(), modeltest.Panic("broken model")})
	assert.PanicsWithValue(t, "broken model", func() { stream.Open(t.Context(), m, strata.Prompt("hello")) })
	assert.Error(t, m.Calls()[0].Context.Err())
}
