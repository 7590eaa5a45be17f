package stream_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/stream"
)

// raw is a model of a bare iterator, for models that break the contract.
type raw struct {
	seq iter.Seq2[strata.Part, error]
	gen func() (*strata.Response, error)
}

func (raw) ID() strata.ModelID { return strata.ModelID{Provider: "raw", Name: "m"} }
func (r raw) Generate(context.Context, *strata.Request) (*strata.Response, error) {
	return r.gen()
}
func (r raw) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] { return r.seq }

func delta(s string) strata.Part { return strata.TextDelta{ID: "0", Text: s} }

// A connection that ends early often shows as a bare io.EOF. It is a failure,
// and must not look like the end of a whole answer.
func TestOpenTellsAModelsEOFFromTheEnd(t *testing.T) {
	cut := modeltest.New("openai/a", modeltest.Attempt{modeltest.Start(), modeltest.Text("half"), modeltest.Fail(io.EOF)})
	t.Run("Next", func(t *testing.T) {
		s, err := stream.Open(t.Context(), cut, strata.Prompt("hi"))
		require.NoError(t, err)
		defer s.Close()
		for {
			p, err := s.Next()
			if err != nil {
				assert.NotEqual(t, io.EOF, err, "a cut stream looks whole")
				return
			}
			_, finish := p.(strata.Finish)
			require.False(t, finish)
		}
	})
	t.Run("Parts", func(t *testing.T) {
		s, err := stream.Open(t.Context(), cut, strata.Prompt("hi"))
		require.NoError(t, err)
		var failed error
		for _, err := range s.Parts() {
			failed = err
		}
		assert.Error(t, failed, "a range over Parts ends as if the answer were whole")
	})
}

// After a panic that a caller has recovered (as net/http does) the stream is not
// at a regular end, and what stands behind it is released.
func TestOpenAfterAPanic(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Attempt{modeltest.Text("half"), modeltest.Panic("boom")})
	s, err := stream.Open(t.Context(), m, strata.Prompt("hi"))
	require.NoError(t, err)
	_, err = s.Next()
	require.NoError(t, err)
	require.PanicsWithValue(t, "boom", func() { s.Next() })
	assert.Error(t, m.Calls()[0].Context.Err(), "the context of the request is still open")
	_, err = s.Next()
	assert.NotEqual(t, io.EOF, err, "a broken stream looks whole")
	s.Close()
}

func TestOpenMisuse(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Attempt{modeltest.Start(), modeltest.Text("a"), modeltest.Hang()})
	ctx, cancel := context.WithCancel(t.Context())
	s, err := stream.Open(ctx, m, strata.Prompt("hi"))
	require.NoError(t, err)
	cancel()
	_, err = s.Next() // the start, that Open has read
	require.NoError(t, err)
	_, err = s.Next()
	require.NoError(t, err)
	_, err = s.Next()
	require.ErrorIs(t, err, context.Canceled)
	_, again := s.Next()
	assert.Equal(t, err, again)
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	_, again = s.Next()
	assert.Equal(t, err, again, "Close behind an error does not hide it")

	s, err = stream.Open(t.Context(), m, strata.Prompt("hi"))
	require.NoError(t, err)
	s.Close()
	_, err = s.Next()
	assert.ErrorIs(t, err, io.ErrClosedPipe)
	for range s.Parts() { // one error, then nothing
		break
	}
}

// A model that goes on after false, and then panics for a reason of its own:
// that panic is not Each's to swallow.
func TestOtherPanicBehindAnOverrunPassesThrough(t *testing.T) {
	m := raw{seq: func(yield func(strata.Part, error) bool) {
		defer func() {
			recover()
			panic("a bug of the model's own")
		}()
		yield(delta("a"), nil)
		yield(delta("b"), nil)
	}}
	assert.PanicsWithValue(t, "a bug of the model's own", func() {
		stream.Each(t.Context(), m, strata.Prompt("hi"), func(strata.Part, error) bool { return false })
	})
}

func TestContractBreakers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		seq   iter.Seq2[strata.Part, error]
		parts int
		has   string
	}{
		{"nil iterator", nil, 0, "nil iterator"},
		{"nil part", func(yield func(strata.Part, error) bool) { yield(nil, nil); yield(delta("x"), nil) }, 0, "neither a part nor an error"},
		{"error with a part", func(yield func(strata.Part, error) bool) { yield(delta("x"), errors.New("bad")) }, 0, "bad"},
		{"goes on behind an error", func(yield func(strata.Part, error) bool) {
			for {
				yield(nil, errors.New("bad"))
			}
		}, 0, "bad"},
		{"goes on behind an error in a defer", func(yield func(strata.Part, error) bool) {
			defer yield(strata.Finish{}, nil)
			yield(nil, errors.New("bad"))
		}, 0, "bad"},
		{"nothing", func(func(strata.Part, error) bool) {}, 0, "without a finish"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parts, failed := 0, error(nil)
			calls := 0
			stream.Each(t.Context(), raw{seq: tt.seq}, strata.Prompt("hi"), func(p strata.Part, err error) bool {
				calls++
				if err != nil {
					assert.Nil(t, p)
					failed = err
				} else {
					parts++
				}
				return true
			})
			assert.Equal(t, tt.parts, parts)
			assert.ErrorContains(t, failed, tt.has)
			assert.Equal(t, tt.parts+1, calls)
			_, err := stream.Open(t.Context(), raw{seq: tt.seq}, strata.Prompt("hi"))
			assert.ErrorContains(t, err, tt.has)
		})
	}
}

// Goexit in the reader, which is what t.FailNow does, releases everything.
func TestGoexitInTheReader(t *testing.T) {
	released := false
	m := raw{seq: func(yield func(strata.Part, error) bool) {
		defer func() { released = true }()
		yield(delta("a"), nil)
	}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		stream.Each(context.Background(), m, strata.Prompt("hi"), func(strata.Part, error) bool { runtime.Goexit(); return true })
	}()
	<-done
	assert.True(t, released)
}

// Cause drops the mark, not what others have said about the failure.
func TestCauseKeepsWhatWrapsTheMark(t *testing.T) {
	inner := errors.New("inner")
	wrapped := fmt.Errorf("tenant 7: %w", &stream.CommittedError{Err: inner})
	assert.ErrorContains(t, stream.Cause(wrapped), "tenant 7")
	second := errors.New("second")
	joined := errors.Join(second, &stream.CommittedError{Err: inner})
	assert.ErrorIs(t, stream.Cause(joined), second)
}

func TestCollectorOwnership(t *testing.T) {
	var c stream.Collector
	c.Add(strata.TextStart{ID: "0", ProviderData: strata.ProviderData{"x": {"a": 1}}})
	first := c.Response()
	c.Add(strata.TextDelta{ID: "0", Text: "t", ProviderData: strata.ProviderData{"x": {"a": 2}}})
	assert.Equal(t, strata.ProviderData{"x": {"a": 1}}, first.Content[0].(strata.Text).ProviderData, "the caller owns it")
}

// doc is a part type of someone else's that is a content, too.
type doc struct {
	strata.File
	Pages int
}
type alien struct{ N int }

func (alien) Commits() bool { return true }

func TestReplayIsTheInverseOfCollect(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		data := func() strata.ProviderData {
			if r.IntN(3) > 0 {
				return nil
			}
			return strata.ProviderData{"p": {"k": r.IntN(9)}}
		}
		id := func() string { return fmt.Sprint("c", r.IntN(3)) }
		resp := &strata.Response{Model: strata.ModelID{Provider: "p", Name: "m"}, FinishReason: strata.FinishStop, Usage: strata.Usage{InputTokens: 1}}
		if r.IntN(2) == 0 {
			resp.Metadata.ID = "r1"
		}
		for range r.IntN(6) {
			var c strata.Content
			switch r.IntN(9) {
			case 0:
				c = strata.Text{Text: "t", ProviderData: data()}
			case 1:
				c = strata.Reasoning{Text: "r", ProviderData: data()}
			case 2:
				c = strata.ToolInput{ID: id(), Name: "f", Input: "{", ProviderData: data()}
			case 3:
				c = strata.ToolCall{ID: id(), Name: "f", Input: "{}", ProviderData: data()}
			case 4:
				c = strata.ToolResult{ID: id(), Output: "o", ProviderData: data()}
			case 5:
				c = strata.Source{URL: "u"}
			case 6:
				c = strata.Raw{Value: "v"}
			case 7:
				c = doc{strata.File{MediaType: "application/pdf"}, 3}
			case 8:
				c = strata.Raw{Value: alien{1}}
			}
			resp.Content = append(resp.Content, c)
		}
		got, err := stream.Collect(stream.Replay(resp))
		require.NoError(t, err)
		if !reflect.DeepEqual(resp, got) {
			t.Fatalf("seed %d:\n have %#v\n got  %#v", seed, resp, got)
		}
	}
}

func TestReplayOfEachContent(t *testing.T) {
	for _, c := range []strata.Content{
		strata.Raw{Value: strata.Raw{Value: 1}},
		strata.Raw{Value: strata.Source{URL: "u"}},
		strata.Reasoning{ProviderData: strata.ProviderData{"p": {"signature": "s"}}},
	} {
		t.Run(fmt.Sprintf("%T", c), func(t *testing.T) {
			resp := &strata.Response{Content: []strata.Content{c}}
			got, err := stream.Collect(stream.Replay(resp))
			require.NoError(t, err)
			assert.Equal(t, resp, got)
		})
	}
}

// Many blocks cost time in proportion to their number.
func TestCollectManyBlocks(t *testing.T) {
	var c stream.Collector
	for i := range 20_000 {
		c.Add(strata.ToolCall{ID: fmt.Sprint(i), Name: "f", Input: "{}"})
	}
	assert.Len(t, c.Response().Content, 20_000)
}

func TestHugePart(t *testing.T) {
	big := strings.Repeat("x", 64<<20)
	m := modeltest.New("openai/a", modeltest.Answer(big))
	s, err := stream.Open(t.Context(), m, strata.Prompt("hi"))
	require.NoError(t, err)
	resp, err := stream.Collect(s.Parts())
	require.NoError(t, err)
	assert.Len(t, resp.Text(), len(big))
}

// A stream that is read twice through one iterator is two requests.
func TestRangedTwice(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Answer("a"))
	seq := m.Stream(t.Context(), strata.Prompt("hi"))
	for range 2 {
		_, err := stream.Collect(seq)
		require.NoError(t, err)
	}
	assert.Len(t, m.Calls(), 2)
}

// A model that recovers a panic of its reader's at the finish has a stream that just
// stops, however it goes on; one that does not lets it pass.
func TestAPanicThatTheModelRecovers(t *testing.T) {
	ends := func(yield func(strata.Part, error) bool) {
		if yield(delta("a"), nil) {
			yield(strata.Finish{Reason: strata.FinishStop}, nil)
		}
	}
	for name, test := range map[string]struct {
		seq    iter.Seq2[strata.Part, error]
		passes bool
	}{
		"and returns": {func(yield func(strata.Part, error) bool) {
			defer func() { recover() }()
			ends(yield)
		}, false},
		"and says so": {func(yield func(strata.Part, error) bool) {
			defer func() { yield(nil, fmt.Errorf("panic: %v", recover())) }()
			ends(yield)
		}, false},
		"and goes on for ever": {func(yield func(strata.Part, error) bool) {
			defer func() {
				for recover(); ; {
					yield(delta("b"), nil)
				}
			}()
			ends(yield)
		}, false},
		"not, but says something": {func(yield func(strata.Part, error) bool) {
			defer func() { yield(nil, errors.New("closed")) }()
			ends(yield)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			read := func() {
				stream.Each(t.Context(), raw{seq: test.seq}, strata.Prompt("hi"), func(p strata.Part, err error) bool {
					if _, finish := p.(strata.Finish); finish {
						panic("a bug of the reader's")
					}
					got = append(got, fmt.Sprint(p, err))
					return true
				})
			}
			if test.passes {
				assert.PanicsWithValue(t, "a bug of the reader's", read)
				return
			}
			read()
			require.Len(t, got, 2)
			assert.Contains(t, got[1], "the stream stopped without a finish")
		})
	}
}

// Once the gate is open nothing but a reader who leaves is taken note of, and one who
// has left gets nothing more.
func TestEachHeld(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Attempt{modeltest.Start(), modeltest.Text("a"), modeltest.Text("b"), modeltest.Text("c"), modeltest.Finish(strata.FinishStop)})
	for leave := 1; leave <= 5; leave++ {
		n, asked := 0, 0
		g := stream.NewGate(func(strata.Part, error) bool { n++; return n != leave }, 4)
		g.EachHeld(t.Context(), m, strata.Prompt("hi"), func(p strata.Part, err error) bool {
			asked++
			return g.Push(p)
		})
		assert.Equal(t, leave, n)
		assert.True(t, g.Left())
		assert.False(t, g.Flush())
		g.Fail(errors.New("late"))
		assert.Equal(t, leave, n)
		assert.Equal(t, 2, asked, "the start, and the part that commits")
	}
}
