package eino_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"syscall"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/provider/eino"
	"github.com/strata-go/strata/stream"
)

// piped is a chat model of eino's that streams as those do: from a goroutine,
// which ends when the reader is closed or the context ends.
type piped struct {
	play func(ctx context.Context, send func(*schema.Message, error) (closed bool))
	err  error

	mu     sync.Mutex
	ctx    context.Context
	closed bool // the reader was
	done   chan struct{}
}

func (p *piped) Generate(ctx context.Context, _ []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	p.ctx = ctx
	return nil, p.err
}

func (p *piped) Stream(ctx context.Context, _ []*schema.Message, _ ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	p.ctx = ctx
	if p.play == nil {
		return nil, p.err
	}
	r, w := schema.Pipe[*schema.Message](0)
	p.done = make(chan struct{})
	go func() {
		defer close(p.done)
		defer w.Close()
		p.play(ctx, func(m *schema.Message, err error) bool {
			closed := w.Send(m, err)
			p.mu.Lock()
			defer p.mu.Unlock()
			p.closed = p.closed || closed
			return closed
		})
	}()
	return r, nil
}

func says(text string) *schema.Message {
	return &schema.Message{Role: schema.Assistant, Content: text}
}

func ends(word string) *schema.Message {
	return &schema.Message{Role: schema.Assistant, ResponseMeta: &schema.ResponseMeta{FinishReason: word}}
}

func calls(index *int, id, name, arguments string) *schema.Message {
	return &schema.Message{Role: schema.Assistant, ToolCalls: []schema.ToolCall{
		{Index: index, ID: id, Function: schema.FunctionCall{Name: name, Arguments: arguments}},
	}}
}

func TestStreamOfParts(t *testing.T) {
	m := eino.New("m", &recorder{chunks: []*schema.Message{
		{Role: schema.Assistant},
		{Role: schema.Assistant, ReasoningContent: "hm"},
		nil,
		{Role: schema.Assistant, Content: "a", ResponseMeta: &schema.ResponseMeta{Usage: &schema.TokenUsage{PromptTokens: 9}}},
		{Role: schema.Assistant, Content: "b"},
		calls(ptr(1), "c2", "g", ""),
		calls(ptr(0), "c1", "f", `{"x"`),
		calls(ptr(0), "", "", `:1}`),
		{Role: schema.Assistant, ResponseMeta: &schema.ResponseMeta{FinishReason: "stop", Usage: &schema.TokenUsage{
			PromptTokens: 9, CompletionTokens: 4, TotalTokens: 13,
			PromptTokenDetails:      schema.PromptTokenDetails{CachedTokens: 8},
			CompletionTokensDetails: schema.CompletionTokensDetails{ReasoningTokens: 2},
		}}},
	}}, eino.Provider("ark"), eino.Account("eu"))
	assert.Equal(t, []strata.Part{
		strata.StreamStart{},
		strata.ReasoningStart{ID: "1"}, strata.ReasoningDelta{ID: "1", Text: "hm"}, strata.ReasoningEnd{ID: "1"},
		strata.TextStart{ID: "2"}, strata.TextDelta{ID: "2", Text: "a"},
		strata.ResponseMetadata{Usage: &strata.Usage{InputTokens: 9}},
		strata.TextDelta{ID: "2", Text: "b"}, strata.TextEnd{ID: "2"},
		strata.ToolInputStart{ID: "c2", Name: "g"},
		strata.ToolInputStart{ID: "c1", Name: "f"}, strata.ToolInputDelta{ID: "c1", Delta: `{"x"`}, strata.ToolInputDelta{ID: "c1", Delta: `:1}`},
		strata.ToolInputEnd{ID: "c1"}, strata.ToolCall{ID: "c1", Name: "f", Input: `{"x":1}`},
		strata.ToolInputEnd{ID: "c2"}, strata.ToolCall{ID: "c2", Name: "g", Input: `{}`},
		strata.Finish{
			Reason: strata.FinishToolCalls, RawReason: "stop", Model: strata.ModelID{Provider: "ark", Name: "m", Account: "eu"},
			Usage: strata.Usage{InputTokens: 9, OutputTokens: 4, TotalTokens: 13, CachedInputTokens: 8, ReasoningTokens: 2},
		},
	}, partsOf(t, m, strata.Prompt("hi")))
}

func TestFinishReasons(t *testing.T) {
	for word, want := range map[string]strata.FinishReason{
		"stop": strata.FinishStop, "end_turn": strata.FinishStop, "STOP": strata.FinishStop, "stop_sequence": strata.FinishStop,
		"length": strata.FinishLength, "MAX_TOKENS": strata.FinishLength, "max_tokens": strata.FinishLength,
		"tool_calls": strata.FinishToolCalls, "tool_use": strata.FinishToolCalls,
		"content_filter": strata.FinishContentFilter, "SAFETY": strata.FinishContentFilter, "refusal": strata.FinishContentFilter,
		"": strata.FinishUnknown, "null": strata.FinishUnknown, "MALFORMED_FUNCTION_CALL": strata.FinishOther, "error": strata.FinishError,
	} {
		t.Run(word, func(t *testing.T) {
			resp, err := stream.Collect(eino.New("m", &recorder{chunks: []*schema.Message{says("a"), ends("null"), ends(word)}}).Stream(t.Context(), strata.Prompt("hi")))
			require.NoError(t, err)
			assert.Equal(t, want, resp.FinishReason)
			if word != "null" {
				assert.Equal(t, word, resp.RawFinishReason)
			}
		})
	}
}

// Half a call is never completed, a whole one always.
func TestCutCalls(t *testing.T) {
	whole, half := `{"a":1}`, `{"a":`
	for _, test := range []struct {
		input, word string
		call        bool
	}{
		{whole, "length", true}, {half, "length", false}, {"", "length", false}, {half, "content_filter", false},
		{half, "", false}, {whole, "", true}, {"", "", true},
		{half, "tool_calls", true}, // the model's own mistake
	} {
		t.Run(test.word+" "+test.input, func(t *testing.T) {
			m := eino.New("m", &recorder{chunks: []*schema.Message{calls(ptr(0), "c", "f", test.input), ends(test.word)}})
			streamed, err := stream.Collect(m.Stream(t.Context(), strata.Prompt("hi")))
			require.NoError(t, err)
			generated, err := m.Generate(t.Context(), strata.Prompt("hi"))
			require.NoError(t, err)
			for _, resp := range []*strata.Response{streamed, generated} {
				assert.Equal(t, test.call, len(resp.ToolCalls()) == 1)
				if !test.call {
					assert.Equal(t, []strata.Content{strata.ToolInput{ID: "c", Name: "f", Input: test.input}}, resp.Content)
				}
			}
		})
	}
}

func TestCallsOfOddModels(t *testing.T) {
	for name, test := range map[string]struct {
		chunks []*schema.Message
		want   []string // name and input
	}{
		"no index":             {[]*schema.Message{calls(nil, "a", "f", "{}"), calls(nil, "b", "g", "{}")}, []string{"f{}", "g{}"}},
		"one index for all":    {[]*schema.Message{calls(ptr(0), "a", "f", "{}"), calls(ptr(0), "b", "g", "{}")}, []string{"f{}", "g{}"}},
		"no ID":                {[]*schema.Message{calls(ptr(0), "", "f", "{}"), calls(ptr(1), "", "g", "{}")}, []string{"f{}", "g{}"}},
		"the name late":        {[]*schema.Message{calls(ptr(0), "a", "", `{"a"`), calls(ptr(0), "a", "f", `:1}`)}, []string{`f{"a":1}`}},
		"the ID in each piece": {[]*schema.Message{calls(ptr(0), "a", "f", `{"a"`), calls(ptr(0), "a", "f", `:1}`)}, []string{`f{"a":1}`}},
		"null":                 {[]*schema.Message{calls(nil, "a", "f", "null")}, []string{"f{}"}},
	} {
		t.Run(name, func(t *testing.T) {
			resp, err := stream.Collect(eino.New("m", &recorder{chunks: test.chunks}).Stream(t.Context(), strata.Prompt("hi")))
			require.NoError(t, err)
			var got []string
			for _, c := range resp.ToolCalls() {
				assert.NotEmpty(t, c.ID)
				got = append(got, c.Name+c.Input)
			}
			assert.Equal(t, test.want, got)
		})
	}
}

// What one message says twice is said once.
func TestContentBesideParts(t *testing.T) {
	text := func(s string) schema.MessageOutputPart {
		return schema.MessageOutputPart{Type: schema.ChatMessagePartTypeText, Text: s}
	}
	image := schema.MessageOutputPart{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageOutputImage{MessagePartCommon: media("cG5n", "image/png", nil)}}
	file := strata.File{MediaType: "image/png", Data: []byte("png")}
	for name, test := range map[string]struct {
		msg  *schema.Message
		want []strata.Content
	}{
		"both":  {&schema.Message{Content: "a", AssistantGenMultiContent: []schema.MessageOutputPart{text("a"), image}}, []strata.Content{strata.Text{Text: "a"}, file}},
		"apart": {&schema.Message{Content: "a", AssistantGenMultiContent: []schema.MessageOutputPart{image}}, []strata.Content{strata.Text{Text: "a"}, file}},
		"order": {&schema.Message{AssistantGenMultiContent: []schema.MessageOutputPart{image, text("a")}}, []strata.Content{file, strata.Text{Text: "a"}}},
		"older": {&schema.Message{MultiContent: []schema.ChatMessagePart{
			{Type: schema.ChatMessagePartTypeText, Text: "a"},
			{Type: schema.ChatMessagePartTypeImageURL, ImageURL: &schema.ChatMessageImageURL{URL: "data:image/png;base64,cG5n"}},
		}}, []strata.Content{strata.Text{Text: "a"}, file}},
	} {
		t.Run(name, func(t *testing.T) {
			resp, err := eino.New("m", &recorder{chunks: []*schema.Message{test.msg}}).Generate(t.Context(), strata.Prompt("hi"))
			require.NoError(t, err)
			assert.Equal(t, test.want, resp.Content)
		})
	}
}

// sdkError is an error as SDKs have them.
type sdkError struct {
	StatusCode int
	Message    string
	Header     http.Header
}

func (e *sdkError) Error() string { return fmt.Sprintf("status %d: %s", e.StatusCode, e.Message) }

func TestFailures(t *testing.T) {
	broken := &failure.Error{Model: id, Kind: failure.Quota}
	for name, test := range map[string]struct {
		err  error
		kind failure.Kind
	}{
		"throttled":  {fmt.Errorf("failed to create chat completion: %w", &sdkError{StatusCode: 429, Message: "slow down"}), failure.Rate},
		"overloaded": {&sdkError{StatusCode: 529, Message: "busy"}, failure.Overload},
		"network":    {fmt.Errorf("post: %w", syscall.ECONNRESET), failure.Network},
		"cut":        {io.ErrUnexpectedEOF, failure.Network},
		"text":       {errors.New("error, status code: 401, message: Incorrect API key provided"), failure.Auth},
		"its own":    {errors.New("no tools to bind"), failure.Unknown},
		"ours":       {fmt.Errorf("node: %w", broken), failure.Quota},
	} {
		t.Run(name, func(t *testing.T) {
			check := func(err error) {
				assert.Equal(t, test.kind, failure.Of(err))
				assert.ErrorIs(t, err, test.err, "the chain is kept")
				var e *failure.Error
				require.ErrorAs(t, err, &e)
				if name == "ours" {
					assert.Same(t, broken, e)
					return
				}
				assert.Equal(t, "eino/m", e.Model.String())
				if sdk, ok := errors.AsType[*sdkError](err); ok {
					assert.Equal(t, sdk.StatusCode, e.Status)
				}
			}
			_, err := eino.New("m", &piped{err: test.err}).Generate(t.Context(), strata.Prompt("hi"))
			check(err)
			_, err = stream.Collect(eino.New("m", &piped{err: test.err}).Stream(t.Context(), strata.Prompt("hi")))
			check(err)
			inside := &piped{play: func(_ context.Context, send func(*schema.Message, error) bool) { send(nil, test.err) }}
			_, err = stream.Collect(eino.New("m", inside).Stream(t.Context(), strata.Prompt("hi")))
			check(err)
		})
	}
}

func TestKeysAreNotShown(t *testing.T) {
	const key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"
	for _, err := range []error{&sdkError{StatusCode: 401, Message: "Incorrect API key provided: " + key}, errors.New("bad key " + key)} {
		_, err := eino.New("m", &piped{err: err}).Generate(t.Context(), strata.Prompt("hi"))
		assert.NotContains(t, fmt.Sprintf("%v %+v", err, err), key)
	}
}

func TestEndsOfStreams(t *testing.T) {
	boom := errors.New("boom")
	for name, test := range map[string]struct {
		play func(ctx context.Context, send func(*schema.Message, error) bool)
		kind failure.Kind // empty: none
		text string
	}{
		"nothing at all":     {func(context.Context, func(*schema.Message, error) bool) {}, failure.Network, ""},
		"nothing but a role": {func(_ context.Context, send func(*schema.Message, error) bool) { send(says(""), nil) }, failure.Network, ""},
		"only a finish":      {func(_ context.Context, send func(*schema.Message, error) bool) { send(ends("stop"), nil) }, "", ""},
		"filtered":           {func(_ context.Context, send func(*schema.Message, error) bool) { send(ends("SAFETY"), nil) }, failure.Content, ""},
		"filtered half-way": {func(_ context.Context, send func(*schema.Message, error) bool) {
			send(says("a"), nil)
			send(ends("SAFETY"), nil)
		}, "", "a"},
		"no finish":         {func(_ context.Context, send func(*schema.Message, error) bool) { send(says("a"), nil) }, "", "a"},
		"error behind text": {func(_ context.Context, send func(*schema.Message, error) bool) { send(says("a"), nil); send(nil, boom) }, failure.Unknown, "a"},
		"error behind the end": {func(_ context.Context, send func(*schema.Message, error) bool) {
			send(says("a"), nil)
			send(ends("stop"), nil)
			send(nil, boom)
		}, "", "a"},
		"a part of an odd type": {func(_ context.Context, send func(*schema.Message, error) bool) {
			send(&schema.Message{AssistantGenMultiContent: []schema.MessageOutputPart{{Type: "smell"}}}, nil)
		}, failure.Unknown, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := &piped{play: test.play}
			var text string
			var last error
			var finished bool
			for part, err := range eino.New("m", p).Stream(t.Context(), strata.Prompt("hi")) {
				if d, ok := part.(strata.TextDelta); ok {
					text += d.Text
				}
				_, finished = part.(strata.Finish)
				last = err
			}
			assert.Equal(t, test.text, text)
			assert.Equal(t, test.kind == "", finished)
			if test.kind != "" {
				assert.Equal(t, test.kind, failure.Of(last), "%v", last)
			} else {
				assert.NoError(t, last)
			}
			<-p.done
			assert.Error(t, p.ctx.Err(), "its context is cancelled")
		})
	}
	empty := &piped{play: func(context.Context, func(*schema.Message, error) bool) {}}
	_, err := stream.Collect(eino.New("m", empty).Stream(t.Context(), strata.Prompt("hi")))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func forever(ctx context.Context, send func(*schema.Message, error) bool) {
	for !send(says("a"), nil) {
	}
}

// However a range ends, the chat model's stream is closed.
func TestReaderIsAlwaysClosed(t *testing.T) {
	t.Run("left", func(t *testing.T) {
		p := &piped{play: forever}
		for part, err := range eino.New("m", p).Stream(t.Context(), strata.Prompt("hi")) {
			require.NoError(t, err)
			if part.Commits() {
				break
			}
		}
		assert.Error(t, p.ctx.Err())
		<-p.done
		assert.True(t, p.closed)
	})
	t.Run("panic in the reader", func(t *testing.T) {
		p := &piped{play: forever}
		assert.PanicsWithValue(t, "reader", func() {
			for part := range eino.New("m", p).Stream(t.Context(), strata.Prompt("hi")) {
				if part.Commits() {
					panic("reader")
				}
			}
		})
		<-p.done
		assert.True(t, p.closed)
	})
	t.Run("panic in the chat model", func(t *testing.T) {
		p := &piped{play: forever}
		m := eino.New("m", panicking{p})
		assert.PanicsWithValue(t, "model", func() {
			for range m.Stream(t.Context(), strata.Prompt("hi")) {
			}
		})
		<-p.done
		assert.True(t, p.closed)
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		p := &piped{play: func(ctx context.Context, send func(*schema.Message, error) bool) {
			send(says("a"), nil)
			<-ctx.Done() // and it just stops, as some do
		}}
		var last error
		for part, err := range eino.New("m", p).Stream(ctx, strata.Prompt("hi")) {
			if err == nil && part.Commits() {
				cancel()
			}
			last = err
		}
		assert.ErrorIs(t, last, context.Canceled)
		assert.Equal(t, failure.Aborted, failure.Of(last))
		<-p.done
	})
}

// panicking panics when its second chunk is read.
type panicking struct{ *piped }

func (p panicking) Stream(ctx context.Context, in []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	r, err := p.piped.Stream(ctx, in, opts...)
	n := 0
	return schema.StreamReaderWithConvert(r, func(m *schema.Message) (*schema.Message, error) {
		if n++; n > 1 {
			panic("model")
		}
		return m, nil
	}), err
}

func TestNeitherAnswerNorError(t *testing.T) {
	m := eino.New("m", &piped{})
	_, err := m.Generate(t.Context(), strata.Prompt("hi"))
	assert.ErrorContains(t, err, "neither an answer nor an error")
	_, err = stream.Collect(m.Stream(t.Context(), strata.Prompt("hi")))
	assert.ErrorContains(t, err, "neither an answer nor an error")
}

// A walk goes on from a chat model of one provider to that of another.
func TestInAStack(t *testing.T) {
	down := eino.New("a", &piped{err: &sdkError{StatusCode: 401, Message: "no"}}, eino.Provider("one"))
	spare := eino.New("b", &recorder{chunks: []*schema.Message{says("hello"), ends("stop")}}, eino.Provider("two"))
	resp, err := middleware.Fallback(spare)(down).Generate(t.Context(), strata.Prompt("hi"))
	require.NoError(t, err)
	assert.Equal(t, "hello", resp.Text())
	assert.Equal(t, "two/b", resp.Model.String())
}

// A chunk that holds nothing is a sign of life all the same.
func TestEmptyChunksAreSignsOfLife(t *testing.T) {
	signs := 0
	ctx := strata.WithTrace(t.Context(), &strata.Trace{Bytes: func(context.Context, int) { signs++ }})
	m := eino.New("m", &recorder{chunks: []*schema.Message{says(""), says(""), says("a")}})
	_, err := stream.Collect(m.Stream(ctx, strata.Prompt("hi")))
	require.NoError(t, err)
	assert.Equal(t, 3, signs)
}

type typed struct{ recorder }

func (typed) GetType() string { return "Ark" }

func TestID(t *testing.T) {
	assert.Equal(t, "eino/m", eino.New("m", &recorder{}).ID().String())
	assert.Equal(t, "ark/m", eino.New("m", &typed{}).ID().String())
	assert.Equal(t, "volc/m@eu", eino.New("m", &typed{}, eino.Provider("volc"), eino.Account("eu")).ID().String())
	for name, build := range map[string]func(){
		"no name":        func() { eino.New("", &recorder{}) },
		"no chat model":  func() { eino.New("m", nil) },
		"a nil option":   func() { eino.New("m", &recorder{}, nil) },
		"no provider":    func() { eino.Provider("") },
		"a slash":        func() { eino.Provider("a/b") },
		"no model":       func() { eino.Wrap(nil) },
		"a nil wrapping": func() { eino.Wrap(eino.New("m", &recorder{}), nil) },
		"no edit":        func() { eino.WithRequest(nil) },
	} {
		assert.Panics(t, build, name)
	}
}
