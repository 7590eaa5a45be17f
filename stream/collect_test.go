package stream_test

import (
	"io"
	"iter"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/stream"
)

func seq(parts ...strata.Part) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		for _, p := range parts {
			if !yield(p, nil) {
				return
			}
		}
	}
}

func data(field string) strata.ProviderData {
	return strata.ProviderData{"openai": {field: "x"}}
}

// ownPart is a part type of someone else's.
type ownPart struct{ n int }

func (ownPart) Commits() bool { return true }

// normal is a stream in the normal form, of every part type.
var normal = []strata.Part{
	strata.StreamStart{Warnings: []strata.Warning{{Setting: "TopK", Message: "not supported"}}},
	strata.ResponseMetadata{ID: "r1", Model: "m", Timestamp: time.Unix(1, 0), Headers: http.Header{"X": {"y"}}},
	strata.ReasoningStart{ID: "0"}, strata.ReasoningDelta{ID: "0", Text: "hm"}, strata.ReasoningEnd{ID: "0", ProviderData: data("signature")},
	strata.TextStart{ID: "1"}, strata.TextDelta{ID: "1", Text: "Hello"}, strata.TextEnd{ID: "1", ProviderData: data("item")},
	strata.ToolInputStart{ID: "c1", Name: "f"}, strata.ToolInputDelta{ID: "c1", Delta: `{"a":1}`}, strata.ToolInputEnd{ID: "c1"},
	strata.ToolCall{ID: "c1", Name: "f", Input: `{"a":1}`, ProviderExecuted: true, ProviderData: data("call")},
	strata.ToolResult{ID: "c1", Name: "f", Output: "42", ProviderExecuted: true},
	strata.Source{ID: "s", URL: "https://example.org"},
	strata.File{MediaType: "image/png", Data: []byte{1}},
	strata.Raw{Value: "raw"},
	ownPart{7},
	strata.ToolInputStart{ID: "c2", Name: "g", ProviderData: data("half")}, strata.ToolInputDelta{ID: "c2", Delta: `{"b`},
	strata.Finish{Reason: strata.FinishStop, RawReason: "end_turn", Usage: strata.Usage{InputTokens: 1}, Model: strata.ModelID{Name: "a"}, ProviderData: data("finish")},
}

var whole = &strata.Response{
	Model:    strata.ModelID{Name: "a"},
	Warnings: []strata.Warning{{Setting: "TopK", Message: "not supported"}},
	Metadata: strata.ResponseMetadata{ID: "r1", Model: "m", Timestamp: time.Unix(1, 0), Headers: http.Header{"X": {"y"}}},
	Content: []strata.Content{
		strata.Reasoning{Text: "hm", ProviderData: data("signature")},
		strata.Text{Text: "Hello", ProviderData: data("item")},
		strata.ToolCall{ID: "c1", Name: "f", Input: `{"a":1}`, ProviderExecuted: true, ProviderData: data("call")},
		strata.ToolResult{ID: "c1", Name: "f", Output: "42", ProviderExecuted: true},
		strata.Source{ID: "s", URL: "https://example.org"},
		strata.File{MediaType: "image/png", Data: []byte{1}},
		strata.Raw{Value: "raw"},
		strata.Raw{Value: ownPart{7}},
		strata.ToolInput{ID: "c2", Name: "g", Input: `{"b`, ProviderData: data("half")},
	},
	FinishReason: strata.FinishStop, RawFinishReason: "end_turn", Usage: strata.Usage{InputTokens: 1}, ProviderData: data("finish"),
}

func TestCollectAndReplayAreInverse(t *testing.T) {
	resp, err := stream.Collect(seq(normal...))
	require.NoError(t, err)
	assert.Equal(t, whole, resp)

	var parts []strata.Part
	for p, err := range stream.Replay(whole) {
		require.NoError(t, err)
		parts = append(parts, p)
	}
	assert.Equal(t, normal, parts)
}

func TestCollect(t *testing.T) {
	stop := strata.Finish{Reason: strata.FinishStop}
	for name, test := range map[string]struct {
		parts []strata.Part
		want  []strata.Content
	}{
		"deltas are joined": {
			[]strata.Part{strata.TextStart{ID: "0"}, strata.TextDelta{ID: "0", Text: "Hel"}, strata.TextDelta{ID: "0", Text: "lo"}, strata.TextEnd{ID: "0"}},
			[]strata.Content{strata.Text{Text: "Hello"}},
		},
		"a block without a start": {
			[]strata.Part{strata.TextDelta{Text: "a"}, strata.TextDelta{Text: "b"}, strata.ReasoningDelta{Text: "c"}},
			[]strata.Content{strata.Text{Text: "ab"}, strata.Reasoning{Text: "c"}},
		},
		"interleaved blocks stand in the order they began": {
			[]strata.Part{
				strata.TextStart{ID: "0"}, strata.TextStart{ID: "1"},
				strata.TextDelta{ID: "1", Text: "b"}, strata.TextDelta{ID: "0", Text: "a"}, strata.TextDelta{ID: "1", Text: "B"},
			},
			[]strata.Content{strata.Text{Text: "a"}, strata.Text{Text: "bB"}},
		},
		"an ID used again begins another block": {
			[]strata.Part{
				strata.TextStart{ID: "0"}, strata.TextDelta{ID: "0", Text: "a"}, strata.TextEnd{ID: "0"},
				strata.TextStart{ID: "0"}, strata.TextDelta{ID: "0", Text: "b"}, strata.TextEnd{ID: "0"},
			},
			[]strata.Content{strata.Text{Text: "a"}, strata.Text{Text: "b"}},
		},
		"an empty block is left out, one with provider data is not": {
			[]strata.Part{
				strata.TextStart{ID: "0"}, strata.TextDelta{ID: "0"}, strata.TextEnd{ID: "0"},
				strata.ReasoningStart{ID: "1", ProviderData: data("a")}, strata.ReasoningEnd{ID: "1", ProviderData: data("b")},
			},
			[]strata.Content{strata.Reasoning{ProviderData: strata.ProviderData{"openai": {"a": "x", "b": "x"}}}},
		},
		"a call takes the place of its input": {
			[]strata.Part{
				strata.ToolInputStart{ID: "c", Name: "f"}, strata.TextDelta{Text: "so"}, strata.ToolInputDelta{ID: "c", Delta: "{}"},
				strata.ToolCall{ID: "c", Name: "f", Input: "{}"},
			},
			[]strata.Content{strata.ToolCall{ID: "c", Name: "f", Input: "{}"}, strata.Text{Text: "so"}},
		},
		"half a call is never completed": {
			[]strata.Part{strata.ToolInputDelta{ID: "c", Delta: `{"a`}},
			[]strata.Content{strata.ToolInput{ID: "c", Input: `{"a`}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			resp, err := stream.Collect(seq(append(test.parts, stop)...))
			require.NoError(t, err)
			assert.Equal(t, test.want, resp.Content)

			again, err := stream.Collect(stream.Replay(resp))
			require.NoError(t, err)
			assert.Equal(t, resp, again)
		})
	}
}

func TestCollectDoesNotShareProviderData(t *testing.T) {
	d := data("a")
	_, err := stream.Collect(seq(strata.TextStart{ID: "0", ProviderData: d}, strata.TextEnd{ID: "0", ProviderData: data("b")}, finish))
	require.NoError(t, err)
	assert.Equal(t, data("a"), d)
}

func TestCollectMetadata(t *testing.T) {
	usage := strata.Usage{InputTokens: 3}
	resp, err := stream.Collect(seq(
		strata.ResponseMetadata{ID: "r1", Usage: &usage},
		strata.ResponseMetadata{Model: "m"},
		strata.Finish{Reason: strata.FinishStop, Usage: strata.Usage{InputTokens: 4}},
	))
	require.NoError(t, err)
	assert.Equal(t, strata.ResponseMetadata{ID: "r1", Model: "m"}, resp.Metadata)
	assert.Equal(t, int64(4), resp.Usage.InputTokens)
}

func TestCollectorGivesWhatThereIs(t *testing.T) {
	var c stream.Collector
	c.Add(strata.ResponseMetadata{Usage: &strata.Usage{InputTokens: 3}})
	c.Add(strata.TextDelta{Text: "half an"})
	resp := c.Response()
	assert.Equal(t, "half an", resp.Text())
	assert.Equal(t, int64(3), resp.Usage.InputTokens)
	assert.Empty(t, resp.FinishReason)
	c.Add(strata.TextDelta{Text: " answer"})
	assert.Equal(t, "half an", resp.Text())
	assert.Equal(t, "half an answer", c.Response().Text())
}

func TestCollectRefusesHalfAnAnswer(t *testing.T) {
	resp, err := stream.Collect(seq(text))
	assert.Nil(t, resp)
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	_, err = stream.Collect(nil)
	assert.ErrorContains(t, err, "nil iterator")
}

func TestReplay(t *testing.T) {
	t.Run("of nothing is an error", func(t *testing.T) {
		_, err := stream.Collect(stream.Replay(nil))
		assert.EqualError(t, err, "stream.Replay: the response is nil")
	})
	t.Run("may be left at any part", func(t *testing.T) {
		for n := 1; n <= len(normal); n++ {
			seen := 0
			for range stream.Replay(whole) {
				if seen++; seen == n {
					break
				}
			}
			assert.Equal(t, n, seen)
		}
	})
	t.Run("an image is a file", func(t *testing.T) {
		resp, err := stream.Collect(stream.Replay(&strata.Response{Content: []strata.Content{strata.Image{MediaType: "image/png", URL: "u"}}}))
		require.NoError(t, err)
		assert.Equal(t, []strata.Content{strata.File{MediaType: "image/png", URL: "u"}}, resp.Content)
	})
}
