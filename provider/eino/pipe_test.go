package eino_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/eino"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/stream"
)

func TestChunks(t *testing.T) {
	parts := []strata.Part{
		strata.StreamStart{},
		strata.ReasoningStart{ID: "1"}, strata.ReasoningDelta{ID: "1", Text: "hm"}, strata.ReasoningEnd{ID: "1"},
		strata.TextStart{ID: "2"}, strata.TextDelta{ID: "2", Text: "a"}, strata.TextDelta{ID: "2", Text: "b"}, strata.TextEnd{ID: "2"},
		strata.ToolInputStart{ID: "c1", Name: "f"}, strata.ToolInputDelta{ID: "c1", Delta: `{"x"`},
		strata.ToolInputStart{ID: "c2", Name: "g"}, strata.ToolInputDelta{ID: "c2", Delta: `{}`},
		strata.ToolInputDelta{ID: "c1", Delta: `:1}`}, strata.ToolInputEnd{ID: "c1"}, strata.ToolInputEnd{ID: "c2"},
		strata.ToolCall{ID: "c1", Name: "f", Input: `{"x":1}`}, strata.ToolCall{ID: "c2", Name: "g", Input: `{}`},
		strata.Finish{Reason: strata.FinishToolCalls, RawReason: "tool_use", Usage: strata.Usage{InputTokens: 1, TotalTokens: 1}},
	}
	piece := func(index int, id, name, arguments string) *schema.Message {
		c := schema.ToolCall{ID: id, Function: schema.FunctionCall{Name: name, Arguments: arguments}, Index: &index}
		if id != "" {
			c.Type = "function"
		}
		return &schema.Message{Role: schema.Assistant, ToolCalls: []schema.ToolCall{c}}
	}
	text := []*schema.Message{{Role: schema.Assistant, ReasoningContent: "hm"}, says("a"), says("b")}
	end := &schema.Message{Role: schema.Assistant, ResponseMeta: &schema.ResponseMeta{FinishReason: "tool_use", Usage: &schema.TokenUsage{PromptTokens: 1, TotalTokens: 1}}}
	for name, test := range map[string]struct {
		live  bool
		calls []*schema.Message
	}{
		"whole calls": {false, []*schema.Message{piece(0, "c1", "f", `{"x":1}`), piece(1, "c2", "g", "{}")}},
		"their pieces": {true, []*schema.Message{
			piece(0, "c1", "f", ""), piece(0, "", "", `{"x"`), piece(1, "c2", "g", ""), piece(1, "", "", "{}"), piece(0, "", "", ":1}"),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			m := script(parts)
			chat := eino.Wrap(m)
			if test.live {
				chat = chat.WithLiveToolInput()
			}
			r, err := chat.Stream(t.Context(), hi)
			require.NoError(t, err)
			chunks := drain(t, r)
			joined, err := schema.ConcatMessages(chunks)
			require.NoError(t, err)
			assert.Len(t, joined.ToolCalls, 2)
			assert.Equal(t, `{"x":1}`, joined.ToolCalls[0].Function.Arguments)
			resp, err := eino.ResponseOf(joined)
			require.NoError(t, err)
			want, err := m.Generate(t.Context(), strata.Prompt("hi"))
			require.NoError(t, err)
			assert.Equal(t, want.Content, resp.Content)

			for _, c := range chunks {
				c.Extra = nil
			}
			assert.Equal(t, append(append(append([]*schema.Message{}, text...), test.calls...), end), chunks)

			through, err := stream.Collect(eino.New("m", chat, eino.Provider("acme")).Stream(t.Context(), strata.Prompt("hi")))
			require.NoError(t, err)
			assert.Equal(t, want, through)
		})
	}
}

func drain(t *testing.T, r *schema.StreamReader[*schema.Message]) []*schema.Message {
	t.Helper()
	defer r.Close()
	var chunks []*schema.Message
	for {
		msg, err := r.Recv()
		if err == io.EOF {
			return chunks
		}
		require.NoError(t, err)
		chunks = append(chunks, msg)
	}
}

// Half a call is none, and the provider's own calls are not the program's.
func TestHalfACallIsNotHandedOn(t *testing.T) {
	for _, name := range []string{"half a call", "tools of the provider's, sources, raw and foreign parts"} {
		r, err := eino.Wrap(script(kinds[name])).Stream(t.Context(), hi)
		require.NoError(t, err)
		msg, err := schema.ConcatMessages(drain(t, r))
		require.NoError(t, err)
		assert.Empty(t, msg.ToolCalls)
	}
}

// A failure before the first content is Stream's own error, one behind it the
// reader's; both as the model gave them.
func TestErrorsOfAChatModel(t *testing.T) {
	broken := &failure.Error{Model: id, Kind: failure.Overload, Status: 529}
	for name, test := range map[string]struct {
		attempt modeltest.Attempt
		layers  []strata.Layer
		before  bool
		check   func(t *testing.T, err error)
	}{
		"at once": {modeltest.Failure(broken), nil, true, func(t *testing.T, err error) { assert.Same(t, broken, err) }},
		"behind the preamble": {modeltest.Attempt{modeltest.Start(), modeltest.Metadata("r"), modeltest.TextStart("1"), modeltest.Fail(broken)}, nil, true,
			func(t *testing.T, err error) { assert.Same(t, broken, err) }},
		"behind text": {modeltest.Attempt{modeltest.Text("a"), modeltest.Fail(broken)}, nil, false, func(t *testing.T, err error) { assert.Same(t, broken, err) }},
		"after a walk": {modeltest.Failure(broken), []strata.Layer{middleware.Fallback(modeltest.New("acme/spare", modeltest.Failure(broken)))}, true, func(t *testing.T, err error) {
			e, ok := errors.AsType[*retry.Error](err)
			require.True(t, ok)
			assert.Len(t, e.Unwrap(), 2)
		}},
		"committed": {modeltest.Attempt{modeltest.Text("a"), modeltest.Fail(broken)}, []strata.Layer{middleware.Backoff()}, false, func(t *testing.T, err error) {
			_, ok := errors.AsType[*stream.CommittedError](err)
			assert.True(t, ok)
			assert.ErrorIs(t, err, broken)
		}},
		"no finish": {modeltest.Attempt{modeltest.Text("a")}, nil, false, func(t *testing.T, err error) { assert.ErrorIs(t, err, io.ErrUnexpectedEOF) }},
	} {
		t.Run(name, func(t *testing.T) {
			chat := eino.Wrap(modeltest.New(id.String(), test.attempt), test.layers...)
			r, err := chat.Stream(t.Context(), hi)
			if test.before {
				assert.Nil(t, r)
				test.check(t, err)
				_, err = chat.Generate(t.Context(), hi)
				test.check(t, err)
				return
			}
			require.NoError(t, err)
			defer r.Close()
			msg, err := r.Recv()
			require.NoError(t, err)
			assert.Equal(t, "a", msg.Content)
			_, err = r.Recv()
			test.check(t, err)
			_, err = r.Recv()
			assert.Equal(t, io.EOF, err, "an error is told once")
		})
	}
}

// slow is a model that gives a chunk a second, and tells when it was let go.
type slow struct {
	strata.Model
	released chan struct{}
}

func newSlow() *slow {
	s := &slow{released: make(chan struct{})}
	attempt := modeltest.Attempt{modeltest.Text("a")}
	for range 9 {
		attempt = append(attempt, modeltest.Wait(time.Second), modeltest.Text("b"))
	}
	s.Model = modeltest.New(id.String(), append(attempt, modeltest.Finish(strata.FinishStop)))
	return s
}

func (s *slow) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		defer close(s.released)
		s.Model.Stream(ctx, req)(yield)
	}
}

// However a reader ends, the model is let go and no goroutine is left: a bubble
// that one is left in does not end.
func TestReadersEnd(t *testing.T) {
	open := func(t *testing.T, ctx context.Context, m *slow) *schema.StreamReader[*schema.Message] {
		r, err := eino.Wrap(m, middleware.Timeout(middleware.Idle(time.Minute))).Stream(ctx, hi)
		require.NoError(t, err)
		return r
	}
	gone := func(t *testing.T, m *slow) {
		synctest.Wait()
		select {
		case <-m.released:
		default:
			t.Error("the model was not let go")
		}
	}
	t.Run("read to the end, never closed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m := newSlow()
			r := open(t, t.Context(), m)
			n := 0
			for {
				_, err := r.Recv()
				if err == io.EOF {
					break
				}
				require.NoError(t, err)
				n++
			}
			assert.Equal(t, 11, n)
			gone(t, m)
			_, err := r.Recv()
			assert.Equal(t, io.EOF, err)
		})
	})
	t.Run("closed before the first chunk", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m := newSlow()
			open(t, t.Context(), m).Close()
			gone(t, m)
		})
	})
	t.Run("closed half-way", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m := newSlow()
			r := open(t, t.Context(), m)
			_, err := r.Recv()
			require.NoError(t, err)
			r.Close()
			gone(t, m)
			_, err = r.Recv()
			assert.ErrorIs(t, err, schema.ErrRecvAfterClosed)
		})
	})
	t.Run("closed while another goroutine waits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m := newSlow()
			r := open(t, t.Context(), m)
			_, err := r.Recv()
			require.NoError(t, err)
			got := make(chan error, 1)
			go func() {
				_, err := r.Recv()
				got <- err
			}()
			synctest.Wait()
			r.Close()
			gone(t, m)
			assert.ErrorIs(t, <-got, context.Canceled)
		})
	})
	t.Run("the context ends, and nobody reads or closes", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			m := newSlow()
			r := open(t, ctx, m)
			cancel()
			gone(t, m)
			_, err := r.Recv()
			assert.ErrorIs(t, err, context.Canceled, "never io.EOF for an answer that did not finish")
			_, err = r.Recv()
			assert.Equal(t, io.EOF, err)
			r.Close()
		})
	})
	t.Run("the context ends while it is read", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
			defer cancel()
			m := newSlow()
			r := open(t, ctx, m)
			defer r.Close()
			var err error
			n := 0
			for ; err == nil; n++ {
				_, err = r.Recv()
			}
			assert.Equal(t, 3, n)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			assert.Equal(t, failure.Timeout, failure.Of(err))
			gone(t, m)
		})
	})
	t.Run("copied", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m := newSlow()
			copies := open(t, t.Context(), m).Copy(2)
			_, err := copies[0].Recv()
			require.NoError(t, err)
			copies[0].Close()
			assert.Len(t, drain(t, copies[1]), 11)
			gone(t, m)
		})
	})
	t.Run("a panic in the model", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m := modeltest.New(id.String(), modeltest.Attempt{modeltest.Text("a"), modeltest.Panic("model")})
			r, err := eino.Wrap(m).Stream(t.Context(), hi)
			require.NoError(t, err)
			_, err = r.Recv()
			require.NoError(t, err)
			assert.PanicsWithValue(t, "model", func() { _, _ = r.Recv() }, "it is the reader's")
			_, err = r.Recv()
			assert.Equal(t, io.EOF, err)
			r.Close()
		})
	})
	t.Run("a panic before the first content", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m := modeltest.New(id.String(), modeltest.Attempt{modeltest.Panic("model")})
			assert.PanicsWithValue(t, "model", func() { _, _ = eino.Wrap(m).Stream(t.Context(), hi) })
		})
	})
}

// A model is not read ahead of its reader.
func TestTheReaderSetsThePace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := modeltest.New(id.String(), modeltest.Attempt{
			modeltest.Text("a"), modeltest.Text("b"), modeltest.Finish(strata.FinishStop),
		})
		chat := eino.Wrap(m, middleware.Timeout(middleware.Idle(time.Second)))
		r, err := chat.Stream(t.Context(), hi)
		require.NoError(t, err)
		time.Sleep(time.Hour) // the time the reader holds a chunk is no silence of the model's
		assert.Len(t, drain(t, r), 3)
	})
}

func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	chat := eino.Wrap(eino.New("m", eino.Wrap(script(kinds["signed reasoning, text and two calls"]))))
	for i := range 100 {
		ctx, cancel := context.WithCancel(context.Background())
		r, err := chat.Stream(ctx, hi)
		require.NoError(t, err)
		switch i % 3 {
		case 0:
			drain(t, r)
		case 1:
			_, _ = r.Recv()
			r.Close()
		}
		cancel()
	}
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+2 }, 5*time.Second, 10*time.Millisecond)
}

// However an answer's reading and the end of its ctx fall together, io.EOF is the
// end of a whole answer and of no other.
func TestEndOfContextIsNoEndOfAnswer(t *testing.T) {
	const pieces = 50
	var parts []strata.Part
	for range pieces {
		parts = append(parts, strata.TextDelta{ID: "1", Text: "x"})
	}
	parts = append(parts, strata.Finish{Reason: strata.FinishStop, Model: id})
	for round := range 500 {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := eino.Wrap(script(parts)).Stream(ctx, hi)
		require.NoError(t, err)
		read := ""
		for {
			if len(read) == round%pieces {
				go cancel()
			}
			var msg *schema.Message
			if msg, err = r.Recv(); err != nil {
				break
			}
			read += msg.Content
		}
		if err == io.EOF {
			require.Len(t, read, pieces)
		} else {
			require.ErrorIs(t, err, context.Canceled)
		}
		_, err = r.Recv()
		require.Equal(t, io.EOF, err)
		r.Close()
		cancel()
	}
}
