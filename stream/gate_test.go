package stream_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/stream"
)

var (
	start  = strata.StreamStart{}
	open   = strata.TextStart{ID: "0"}
	text   = strata.TextDelta{ID: "0", Text: "x"}
	finish = strata.Finish{Reason: strata.FinishStop, Usage: strata.Usage{OutputTokens: 2}}
	boom   = errors.New("boom")
)

// reader is a reader that wants a number of parts.
type reader struct {
	got  []strata.Part
	err  error
	want int // 0: all
}

func (r *reader) yield(p strata.Part, err error) bool {
	if err != nil {
		r.err = err
		return true
	}
	r.got = append(r.got, p)
	return len(r.got) != r.want
}

func TestGateHoldsThePreamble(t *testing.T) {
	var r reader
	commits := 0
	g := stream.NewGate(r.yield, 8)
	g.Begin(func() {
		commits++
		assert.Empty(t, r.got)
	})
	assert.True(t, g.Push(start))
	assert.True(t, g.Push(open))
	assert.Empty(t, r.got)
	assert.False(t, g.Opened())
	assert.True(t, g.Push(text))
	assert.Equal(t, []strata.Part{start, open, text}, r.got)
	assert.True(t, g.Opened())
	assert.True(t, g.Push(open))
	assert.True(t, g.Hold(text))
	assert.Len(t, r.got, 5)
	assert.Equal(t, 1, commits)
}

func TestGateForgetsAnAttempt(t *testing.T) {
	var r reader
	g := stream.NewGate(r.yield, 8)
	g.Begin(nil)
	g.Push(strata.ResponseMetadata{ID: "first", Usage: &strata.Usage{InputTokens: 7}})
	g.Hold(text)
	assert.Equal(t, int64(7), g.Usage().InputTokens)
	g.Begin(nil)
	assert.Nil(t, g.Usage())
	g.Push(start)
	g.Push(text)
	assert.Equal(t, []strata.Part{start, text}, r.got)
}

func TestGateHoldsAFinishedAnswer(t *testing.T) {
	var r reader
	committed := false
	g := stream.NewGate(r.yield, 8)
	g.Begin(func() { committed = true })
	g.Push(start)
	g.Hold(text)
	g.Push(finish)
	assert.Empty(t, r.got)
	assert.Equal(t, "x", g.Response().Text())
	assert.Equal(t, &finish, g.Finish())
	assert.Equal(t, int64(2), g.Usage().OutputTokens)
	assert.True(t, g.Flush())
	assert.Equal(t, []strata.Part{start, text, finish}, r.got)
	assert.False(t, committed, "an accepted answer is not a commit point")
}

func TestGateIsBounded(t *testing.T) {
	for name, put := range map[string]func(*stream.Gate) bool{
		"Push": func(g *stream.Gate) bool { return g.Push(open) },
		"Hold": func(g *stream.Gate) bool { return g.Hold(text) },
	} {
		t.Run(name, func(t *testing.T) {
			var r reader
			committed := false
			g := stream.NewGate(r.yield, 3)
			g.Begin(func() { committed = true })
			for range 3 {
				put(g)
			}
			assert.Empty(t, r.got)
			put(g)
			assert.Len(t, r.got, 4)
			assert.True(t, committed)
		})
	}
}

func TestGateReaderLeaves(t *testing.T) {
	for want := 1; want <= 3; want++ {
		t.Run(fmt.Sprint("after part ", want), func(t *testing.T) {
			r := reader{want: want}
			g := stream.NewGate(r.yield, 8)
			g.Begin(nil)
			g.Push(start)
			g.Push(open)
			assert.False(t, g.Push(text))
			assert.True(t, g.Left())
			assert.False(t, g.Push(text))
			assert.False(t, g.Flush())
			g.Fail(boom)
			assert.Len(t, r.got, want)
			assert.NoError(t, r.err, "a reader who left hears nothing more")
		})
	}
}

func TestGateFails(t *testing.T) {
	marked := fmt.Errorf("below: %w", &stream.CommittedError{Err: boom})
	t.Run("with nothing handed on: the bare cause", func(t *testing.T) {
		var r reader
		g := stream.NewGate(r.yield, 8)
		g.Begin(nil)
		g.Push(start)
		g.Fail(marked)
		assert.Empty(t, r.got)
		assert.EqualError(t, r.err, "below: boom")
		assert.ErrorIs(t, r.err, boom)
		assert.NotErrorAs(t, r.err, new(*stream.CommittedError))
		g.Fail(errors.New("once more"))
		assert.EqualError(t, r.err, "below: boom")
	})
	t.Run("behind output: as it is", func(t *testing.T) {
		var r reader
		g := stream.NewGate(r.yield, 8)
		g.Begin(nil)
		g.Push(text)
		g.Fail(marked)
		assert.Equal(t, marked, r.err)
	})
}

func TestCommittedError(t *testing.T) {
	err := &stream.CommittedError{Err: boom}
	assert.EqualError(t, err, "stream broke off after output: boom")
	assert.ErrorIs(t, err, boom)
	assert.Equal(t, boom, stream.Cause(&stream.CommittedError{Err: err}))
	assert.Equal(t, boom, stream.Cause(boom))
	assert.NoError(t, stream.Cause(nil))
}

// Behind an open gate parts need nobody's leave; what ends a stream does.
func TestGateEach(t *testing.T) {
	usage := strata.Usage{OutputTokens: 1}
	told := strata.ResponseMetadata{Usage: &usage}
	for _, test := range []struct {
		name  string
		model *modeltest.Model
		want  int // parts that the reader wants; 0: all
		asked []strata.Part
		got   []strata.Part
		usage *strata.Usage
		err   error
	}{
		{
			name:  "to the finish",
			model: modeltest.New("openai/a", modeltest.Attempt{modeltest.Part(start), modeltest.Part(text), modeltest.Part(told), modeltest.Part(text), modeltest.Part(finish)}),
			asked: []strata.Part{start, text, strata.Finish{Reason: strata.FinishStop, Usage: finish.Usage, Model: strata.ModelID{Provider: "openai", Name: "a"}}},
			got:   []strata.Part{start, text, told, text, strata.Finish{Reason: strata.FinishStop, Usage: finish.Usage, Model: strata.ModelID{Provider: "openai", Name: "a"}}},
			usage: &finish.Usage,
		},
		{
			name:  "to a failure",
			model: modeltest.New("openai/a", modeltest.Attempt{modeltest.Part(text), modeltest.Part(told), modeltest.Fail(boom)}),
			asked: []strata.Part{text, nil},
			got:   []strata.Part{text, told},
			usage: &usage,
			err:   boom,
		},
		{
			name:  "to where the reader leaves",
			model: modeltest.New("openai/a", modeltest.Attempt{modeltest.Part(text), modeltest.Part(told), modeltest.Part(text), modeltest.Part(finish)}),
			want:  2,
			asked: []strata.Part{text},
			got:   []strata.Part{text, told},
			usage: &usage,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := reader{want: test.want}
			g := stream.NewGate(r.yield, 8)
			g.Begin(nil)
			var asked []strata.Part
			g.Each(t.Context(), test.model, strata.Prompt("hello"), func(p strata.Part, err error) bool {
				asked = append(asked, p)
				if err != nil {
					g.Fail(err)
					return false
				}
				return g.Push(p)
			})
			assert.Equal(t, test.asked, asked)
			assert.Equal(t, test.got, r.got)
			assert.Equal(t, test.err, r.err)
			assert.Equal(t, test.usage, g.Usage())
			assert.Equal(t, test.want > 0 || test.err != nil, g.Left())
		})
	}
}
