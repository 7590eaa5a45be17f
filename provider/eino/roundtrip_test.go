package eino_test

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/eino"
	"github.com/strata-go/strata/stream"
)

func data(field string) strata.ProviderData {
	return strata.ProviderData{"acme": {field: "x", "list": []any{"a", 1}, "bytes": []byte{1, 2}}}
}

// ownPart is a part of a type of someone else's.
type ownPart struct{ N int }

func (ownPart) Commits() bool { return true }

// kinds are answers in the normal form of package stream, of every kind of part.
var kinds = map[string][]strata.Part{
	"text": {
		strata.StreamStart{},
		strata.TextStart{ID: "1"}, strata.TextDelta{ID: "1", Text: "Hel"}, strata.TextDelta{ID: "1", Text: "lo"}, strata.TextEnd{ID: "1"},
		finish(strata.FinishStop, "stop"),
	},
	"nothing":           {strata.StreamStart{}, finish(strata.FinishStop, "stop")},
	"nothing, filtered": {strata.StreamStart{}, finish(strata.FinishContentFilter, "content_filter")},
	"warnings and metadata": {
		strata.StreamStart{Warnings: []strata.Warning{{Setting: "TopK", Message: "not supported"}}},
		strata.ResponseMetadata{ID: "r1", Model: "m-2026", Timestamp: time.Unix(1, 500).UTC(), Headers: http.Header{"X-Request-Id": {"a", "b"}}},
		strata.TextStart{ID: "1"}, strata.TextDelta{ID: "1", Text: "a"},
		strata.ResponseMetadata{Usage: &strata.Usage{InputTokens: 7}},
		strata.TextDelta{ID: "1", Text: "b"}, strata.TextEnd{ID: "1"},
		finish(strata.FinishStop, "end_turn"),
	},
	"signed reasoning, text and two calls": {
		strata.StreamStart{},
		strata.ReasoningStart{ID: "1"}, strata.ReasoningDelta{ID: "1", Text: "hm"}, strata.ReasoningEnd{ID: "1", ProviderData: data("signature")},
		strata.ReasoningStart{ID: "2"}, strata.ReasoningEnd{ID: "2", ProviderData: data("redacted")},
		strata.TextStart{ID: "3"}, strata.TextDelta{ID: "3", Text: "Let me see."}, strata.TextEnd{ID: "3", ProviderData: data("item")},
		strata.ToolInputStart{ID: "c1", Name: "f"}, strata.ToolInputDelta{ID: "c1", Delta: `{"a":1}`}, strata.ToolInputEnd{ID: "c1"},
		strata.ToolCall{ID: "c1", Name: "f", Input: `{"a":1}`, ProviderData: data("call")},
		strata.ToolInputStart{ID: "c2", Name: "g"}, strata.ToolInputDelta{ID: "c2", Delta: `{}`}, strata.ToolInputEnd{ID: "c2"},
		strata.ToolCall{ID: "c2", Name: "g", Input: `{}`},
		finish(strata.FinishToolCalls, "tool_use"),
	},
	"text between and behind calls": {
		strata.StreamStart{},
		strata.TextStart{ID: "1"}, strata.TextDelta{ID: "1", Text: "one"}, strata.TextEnd{ID: "1"},
		strata.TextStart{ID: "2"}, strata.TextDelta{ID: "2", Text: "two"}, strata.TextEnd{ID: "2"},
		strata.ToolInputStart{ID: "c1", Name: "f"}, strata.ToolInputDelta{ID: "c1", Delta: `{}`}, strata.ToolInputEnd{ID: "c1"},
		strata.ToolCall{ID: "c1", Name: "f", Input: `{}`},
		strata.ReasoningStart{ID: "3"}, strata.ReasoningDelta{ID: "3", Text: "hm"}, strata.ReasoningEnd{ID: "3"},
		strata.TextStart{ID: "4"}, strata.TextDelta{ID: "4", Text: "three"}, strata.TextEnd{ID: "4"},
		finish(strata.FinishToolCalls, "tool_calls"),
	},
	"tools of the provider's, sources, raw and foreign parts": {
		strata.StreamStart{},
		strata.ToolInputStart{ID: "s1", Name: "search"}, strata.ToolInputDelta{ID: "s1", Delta: `{"q":"x"}`}, strata.ToolInputEnd{ID: "s1"},
		strata.ToolCall{ID: "s1", Name: "search", Input: `{"q":"x"}`, ProviderExecuted: true, ProviderData: data("call")},
		strata.ToolResult{ID: "s1", Name: "search", Output: "42", ProviderExecuted: true, ProviderData: data("result"), Content: []strata.Content{strata.Text{Text: "t"}}},
		strata.Source{ID: "s", URL: "https://example.org", Title: "t"},
		strata.Raw{Value: "raw"}, ownPart{7},
		strata.TextStart{ID: "1"}, strata.TextDelta{ID: "1", Text: "42"}, strata.TextEnd{ID: "1"},
		finish(strata.FinishStop, "stop"),
	},
	"files": {
		strata.StreamStart{},
		strata.TextStart{ID: "1"}, strata.TextDelta{ID: "1", Text: "here"}, strata.TextEnd{ID: "1"},
		strata.File{MediaType: "image/png", Data: []byte("png")},
		strata.TextStart{ID: "2"}, strata.TextDelta{ID: "2", Text: "and"}, strata.TextEnd{ID: "2"},
		strata.File{MediaType: "audio/wav", URL: "https://example.org/a.wav", Filename: "a.wav", ProviderData: data("file")},
		strata.File{MediaType: "application/pdf", Data: []byte("pdf"), Filename: "a.pdf"},
		strata.File{FileID: "file-1"},
		finish(strata.FinishStop, "stop"),
	},
	"half a call": {
		strata.StreamStart{},
		strata.TextStart{ID: "1"}, strata.TextDelta{ID: "1", Text: "a"}, strata.TextEnd{ID: "1"},
		strata.ToolInputStart{ID: "c1", Name: "f", ProviderData: data("half")}, strata.ToolInputDelta{ID: "c1", Delta: `{"a":`},
		finish(strata.FinishLength, "max_tokens"),
	},
}

func finish(reason strata.FinishReason, raw string) strata.Finish {
	return strata.Finish{
		Reason: reason, RawReason: raw, Model: id, ProviderData: data("finish"),
		Usage: strata.Usage{InputTokens: 10, OutputTokens: 5, TotalTokens: 15, CachedInputTokens: 3, CacheWriteTokens: 2, ReasoningTokens: 1},
	}
}

var id = strata.ModelID{Provider: "acme", Name: "m"}

func script(parts []strata.Part) *modeltest.Model {
	var attempt modeltest.Attempt
	for _, p := range parts {
		attempt = append(attempt, modeltest.Part(p))
	}
	return modeltest.New(id.String(), attempt)
}

func partsOf(t *testing.T, m strata.Model, req *strata.Request) []strata.Part {
	t.Helper()
	var parts []strata.Part
	for p, err := range m.Stream(t.Context(), req) {
		require.NoError(t, err)
		parts = append(parts, p)
	}
	return parts
}

// What a strata Model answers comes through eino as it is.
func TestNewOfWrapIsTheModel(t *testing.T) {
	for name, parts := range kinds {
		t.Run(name, func(t *testing.T) {
			bare := script(parts)
			through := eino.New("m", eino.Wrap(bare), eino.Provider("acme"))
			req := strata.Prompt("hi")

			assert.Equal(t, parts, partsOf(t, bare, req))
			assert.Equal(t, parts, partsOf(t, through, req))

			want, err := bare.Generate(t.Context(), req)
			require.NoError(t, err)
			got, err := through.Generate(t.Context(), req)
			require.NoError(t, err)
			got.Raw = nil
			assert.Equal(t, want, got)
		})
	}
}

// An eino program that keeps an answer and sends it back sends back what the
// model gave: joined of chunks, whole, and through JSON.
func TestAnswersGoBackAsTheyCame(t *testing.T) {
	for name, parts := range kinds {
		t.Run(name, func(t *testing.T) {
			bare := script(parts)
			chat := eino.Wrap(bare)
			want, err := bare.Generate(t.Context(), strata.Prompt("hi"))
			require.NoError(t, err)

			whole, err := chat.Generate(t.Context(), []*schema.Message{schema.UserMessage("hi")})
			require.NoError(t, err)
			chunks, err := chat.Stream(t.Context(), []*schema.Message{schema.UserMessage("hi")})
			require.NoError(t, err)
			joined, err := schema.ConcatMessageStream(chunks)
			require.NoError(t, err)

			for how, msg := range map[string]*schema.Message{"whole": whole, "joined": joined} {
				_, err = chat.Generate(t.Context(), []*schema.Message{schema.UserMessage("hi"), msg})
				require.NoError(t, err)
				calls := bare.Calls()
				sent := calls[len(calls)-1].Request.Messages
				require.Len(t, sent, 2)
				assert.Equal(t, want.Content, sent[1].Content, how)

				resp, err := eino.ResponseOf(msg)
				require.NoError(t, err)
				resp.Raw = nil
				assert.Equal(t, want, resp, how)
			}
			assert.Equal(t, whole.Content, joined.Content)
			assert.Equal(t, whole.ReasoningContent, joined.ReasoningContent)
			whole.ResponseMeta.Usage.CompletionTokensDetails = schema.CompletionTokensDetails{} // which ConcatMessages drops
			assert.Equal(t, whole.ResponseMeta, joined.ResponseMeta)
		})
	}
}

// Whoever joins chunks on their way, and whichever, changes nothing of the answer.
func TestChunksMayBeJoinedOnTheWay(t *testing.T) {
	for name, parts := range kinds {
		bare := script(parts)
		for _, chat := range []*eino.ChatModel{eino.Wrap(bare), eino.Wrap(bare).WithLiveToolInput()} {
			want, err := stream.Collect(bare.Stream(t.Context(), strata.Prompt("hi")))
			require.NoError(t, err)
			r, err := chat.Stream(t.Context(), []*schema.Message{schema.UserMessage("hi")})
			require.NoError(t, err)
			chunks := drain(t, r)
			for from := range chunks {
				for to := from + 2; to <= len(chunks); to++ {
					joined, err := schema.ConcatMessages(chunks[from:to])
					require.NoError(t, err)
					cut := append(append(append([]*schema.Message{}, chunks[:from]...), joined), chunks[to:]...)
					got, err := stream.Collect(eino.New("m", &recorder{chunks: cut}, eino.Provider("acme")).Stream(t.Context(), strata.Prompt("hi")))
					require.NoError(t, err)
					require.Equal(t, want, got, "%s: %d to %d", name, from, to)
				}
			}
		}
	}
}

func TestAnswersSurviveJSON(t *testing.T) {
	parts := kinds["signed reasoning, text and two calls"]
	bare := script(parts)
	chat := eino.Wrap(bare)
	msg, err := chat.Generate(t.Context(), []*schema.Message{schema.UserMessage("hi")})
	require.NoError(t, err)
	text, err := json.Marshal(msg)
	require.NoError(t, err)
	var back schema.Message
	require.NoError(t, json.Unmarshal(text, &back))
	resp, err := eino.ResponseOf(&back)
	require.NoError(t, err)
	assert.Equal(t, "x", resp.Content[0].(strata.Reasoning).ProviderData["acme"]["signature"])
	assert.Equal(t, "hm", resp.Reasoning())
	assert.Len(t, resp.ToolCalls(), 2)
	assert.Equal(t, id, resp.Model)
	assert.EqualValues(t, 2, resp.Usage.CacheWriteTokens)
}

func number(f float64) *float64 { return &f }
func ptr[T any](v T) *T         { return &v }

// everything is a request of every kind of message and setting.
var everything = &strata.Request{
	Messages: []strata.Message{
		{Role: strata.RoleSystem, Content: []strata.Content{strata.Text{Text: "Be brief."}, strata.Text{Text: "And kind.", ProviderData: data("cache")}}},
		strata.SystemMessage("Once more."),
		strata.UserMessage("hi"),
		{Role: strata.RoleUser, Content: []strata.Content{
			strata.Text{Text: "look", ProviderData: data("cache")},
			strata.Image{MediaType: "image/png", Data: []byte("png"), Detail: "low", ProviderData: data("image")},
			strata.Image{URL: "https://example.org/a.png"},
			strata.File{MediaType: "image/jpeg", Data: []byte("jpeg")},
			strata.File{MediaType: "application/pdf", Data: []byte("pdf"), Filename: "a.pdf"},
			strata.File{MediaType: "audio/wav", Data: []byte("wav")},
			strata.File{MediaType: "video/mp4", URL: "gs://bucket/a.mp4", Filename: "a.mp4"},
			strata.File{FileID: "file-1"},
		}, ProviderOptions: data("message")},
		{Role: strata.RoleAssistant, Content: []strata.Content{
			strata.Reasoning{Text: "hm", ProviderData: data("signature")},
			strata.Text{Text: "Let me see."},
			strata.ToolCall{ID: "c1", Name: "f", Input: `{"a":1}`, ProviderData: data("call")},
			strata.ToolCall{ID: "c2", Name: "g", Input: `{}`},
		}, ProviderOptions: data("message")},
		strata.ToolMessage(
			strata.ToolResult{ID: "c1", Name: "f", Output: "broken", IsError: true, ProviderData: data("result")},
			strata.ToolResult{ID: "c2", Name: "g", Content: []strata.Content{
				strata.Text{Text: "t"}, strata.Image{MediaType: "image/png", Data: []byte("png")},
			}},
		),
		strata.ToolMessage(strata.ToolResult{ID: "c3", Output: "late"}),
		strata.AssistantMessage("Done."),
		{Role: strata.RoleAssistant, Content: []strata.Content{
			strata.Text{Text: "a picture"}, strata.File{MediaType: "image/png", Data: []byte("png"), ProviderData: data("file")}, strata.Text{Text: "see?"},
		}},
		strata.UserMessage("thanks"),
	},
	Tools: []strata.Tool{
		{Name: "f", Description: "does f", Strict: ptr(false), ProviderOptions: data("tool"), InputSchema: json.RawMessage(
			`{"type":"object","properties":{"b":{"$ref":"#/definitions/b"},"a":{"type":["string","null"]}},"required":["b"],"definitions":{"b":{"type":"integer","nullable":true}},"additionalProperties":false}`)},
		{Name: "g"},
	},
	ToolChoice:       &strata.ToolChoice{Mode: strata.ToolChoiceTool, Name: "f"},
	ResponseFormat:   &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: json.RawMessage(`{"type":"object"}`), Name: "n", Strict: ptr(true)},
	MaxOutputTokens:  100,
	Temperature:      number(0.7),
	TopP:             number(0.123456789),
	TopK:             ptr(5),
	PresencePenalty:  number(0.1),
	FrequencyPenalty: number(0.2),
	StopSequences:    []string{"END"},
	Seed:             ptr(int64(42)),
	ReasoningEffort:  strata.ReasoningHigh,
	Headers:          http.Header{"X-Tenant": {"t"}},
	ProviderOptions:  data("request"),
	Raw:              "raw",
}

// What a strata Model is asked comes through eino as it is.
func TestRequestsComeThroughNewOfWrap(t *testing.T) {
	bare := script(kinds["text"])
	through := eino.New("m", eino.Wrap(bare), eino.Provider("acme"))
	before := everything.Clone()
	resp, err := through.Generate(t.Context(), everything)
	require.NoError(t, err)
	assert.Empty(t, resp.Warnings)
	assert.Equal(t, before, everything, "the request is not changed")
	got := bare.Calls()[0].Request
	require.Len(t, got.Tools, 2)
	assert.JSONEq(t, string(everything.Tools[0].InputSchema), string(got.Tools[0].InputSchema))
	got.Tools[0].InputSchema = everything.Tools[0].InputSchema
	assert.Equal(t, everything, got)
}

// recorder is a chat model of eino's that records what it is asked and answers
// with chunks.
type recorder struct {
	chunks   []*schema.Message
	messages []*schema.Message
	options  []model.Option
}

func (r *recorder) Generate(_ context.Context, in []*schema.Message, opts ...model.Option) (*schema.Message, error) {
	r.messages, r.options = in, opts
	return schema.ConcatMessages(r.chunks)
}

func (r *recorder) Stream(_ context.Context, in []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	r.messages, r.options = in, opts
	return schema.StreamReaderFromArray(r.chunks), nil
}

func media(s, mime string, extra map[string]any) schema.MessagePartCommon {
	return schema.MessagePartCommon{Base64Data: &s, MIMEType: mime, Extra: extra}
}

// einoKinds are answers of eino's of every kind.
var einoKinds = map[string][]*schema.Message{
	"text": {
		{Role: schema.Assistant, Content: "Hel"}, {Role: schema.Assistant, Content: "lo"},
		{Role: schema.Assistant, ResponseMeta: &schema.ResponseMeta{FinishReason: "end_turn", Usage: &schema.TokenUsage{
			PromptTokens: 10, CompletionTokens: 5, TotalTokens: 15, PromptTokenDetails: schema.PromptTokenDetails{CachedTokens: 3}}}},
	},
	"no finish reason": {{Role: schema.Assistant, Content: "Hello"}},
	"extras": {
		{Role: schema.Assistant, Name: "bot", ReasoningContent: "h", Extra: map[string]any{"request-id": "r", "n": 1}},
		{Role: schema.Assistant, ReasoningContent: "m", Extra: map[string]any{"signature": "sig"}},
		{Role: schema.Assistant, Content: "ok"},
		{Role: schema.Assistant, ResponseMeta: &schema.ResponseMeta{FinishReason: "stop"}},
	},
	"tool calls": {
		{Role: schema.Assistant, ToolCalls: []schema.ToolCall{{Index: ptr(0), ID: "c1", Type: "function", Function: schema.FunctionCall{Name: "f", Arguments: `{"a"`}, Extra: map[string]any{"signature": []byte{1}}}}},
		{Role: schema.Assistant, ToolCalls: []schema.ToolCall{{Index: ptr(0), Function: schema.FunctionCall{Arguments: `:1}`}}, {Index: ptr(1), ID: "c2", Type: "function", Function: schema.FunctionCall{Name: "g", Arguments: "{}"}}}},
		{Role: schema.Assistant, Extra: map[string]any{"k": "v"}, ResponseMeta: &schema.ResponseMeta{FinishReason: "tool_calls"}},
	},
	"log probabilities": {
		{Role: schema.Assistant, Content: "a", ResponseMeta: &schema.ResponseMeta{LogProbs: &schema.LogProbs{Content: []schema.LogProb{{Token: "a", LogProb: -1}}}}},
		{Role: schema.Assistant, Content: "b", ResponseMeta: &schema.ResponseMeta{FinishReason: "stop", LogProbs: &schema.LogProbs{Content: []schema.LogProb{{Token: "b", LogProb: -2}}}}},
	},
	"media": {
		{Role: schema.Assistant, AssistantGenMultiContent: []schema.MessageOutputPart{
			{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageOutputImage{MessagePartCommon: media("cG5n", "image/png", map[string]any{"k": "v"})}, Extra: map[string]any{"signature": "s"}},
			{Type: schema.ChatMessagePartTypeVideoURL, Video: &schema.MessageOutputVideo{MessagePartCommon: schema.MessagePartCommon{URL: ptr("https://example.org/a.mp4")}}},
		}, ResponseMeta: &schema.ResponseMeta{FinishReason: "STOP"}},
	},
}

// strip takes out what tells the pieces of a stream apart, and strata's own.
func strip(m *schema.Message) *schema.Message {
	c := *m
	c.ToolCalls = nil
	for _, call := range m.ToolCalls {
		call.Index = nil
		c.ToolCalls = append(c.ToolCalls, call)
	}
	c.Extra = map[string]any{}
	for k, v := range m.Extra {
		if k != eino.ExtraKey {
			c.Extra[k] = v
		}
	}
	return &c
}

// What a chat model of eino's answers comes through strata as it is.
func TestWrapOfNewIsTheChatModel(t *testing.T) {
	for name, chunks := range einoKinds {
		t.Run(name, func(t *testing.T) {
			bare := &recorder{chunks: chunks}
			through := eino.Wrap(eino.New("m", bare))
			in := []*schema.Message{schema.UserMessage("hi")}
			want, err := bare.Generate(t.Context(), in)
			require.NoError(t, err)
			if want.ResponseMeta == nil {
				want.ResponseMeta = &schema.ResponseMeta{}
			}
			want = strip(want)

			whole, err := through.Generate(t.Context(), in)
			require.NoError(t, err)
			assert.Equal(t, want, strip(whole))

			reader, err := through.Stream(t.Context(), in)
			require.NoError(t, err)
			joined, err := schema.ConcatMessageStream(reader)
			require.NoError(t, err)
			assert.Equal(t, want, strip(joined))

			for how, msg := range map[string]*schema.Message{"whole": whole, "joined": joined} {
				_, err = through.Generate(t.Context(), append(in, msg))
				require.NoError(t, err)
				want := *want
				want.ResponseMeta = nil
				got := strip(bare.messages[1])
				got.ResponseMeta = nil
				assert.Equal(t, &want, got, how)
			}
		})
	}
}

// One of each serves any number of goroutines, and nobody's requests or messages
// are changed.
func TestGoroutinesShare(t *testing.T) {
	chat := eino.Wrap(eino.New("m", eino.Wrap(script(kinds["signed reasoning, text and two calls"]))))
	answer, err := chat.Generate(t.Context(), []*schema.Message{schema.UserMessage("hi")})
	require.NoError(t, err)
	in := []*schema.Message{
		{Role: schema.User, Name: "ann", Content: "hi", Extra: map[string]any{"k": "v"}}, answer, schema.ToolMessage("1", "c1"),
		{Role: schema.User, UserInputMultiContent: []schema.MessageInputPart{{Type: schema.ChatMessagePartTypeText, Text: "look", Extra: map[string]any{"k": "v"}}}},
	}
	before, err := json.Marshal(in)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				_, err := chat.Generate(t.Context(), in)
				assert.NoError(t, err)
				r, err := chat.Stream(t.Context(), in)
				if assert.NoError(t, err) {
					_, err = schema.ConcatMessageStream(r)
					assert.NoError(t, err)
				}
				_, err = eino.New("m", chat).Generate(t.Context(), everything)
				assert.NoError(t, err)
			}
		})
	}
	wg.Wait()
	after, err := json.Marshal(in)
	require.NoError(t, err)
	assert.Equal(t, before, after)
}
