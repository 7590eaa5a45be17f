package fantasy_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	sdk "charm.land/fantasy"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/fantasy"
	"github.com/strata-go/strata/stream"
)

// short writes parts as a test's table does.
func short(parts []strata.Part) string {
	var words []string
	for _, p := range parts {
		switch p := p.(type) {
		case strata.StreamStart:
			words = append(words, fmt.Sprintf("start%d", len(p.Warnings)))
		case strata.ResponseMetadata:
			words = append(words, "meta:"+p.ID)
		case strata.TextStart:
			words = append(words, "text{")
		case strata.TextDelta:
			words = append(words, p.Text)
		case strata.TextEnd, strata.ReasoningEnd:
			words = append(words, "}")
		case strata.ReasoningStart:
			words = append(words, "reasoning{")
		case strata.ReasoningDelta:
			words = append(words, p.Text)
		case strata.ToolInputStart:
			words = append(words, "tool:"+p.Name+"{")
		case strata.ToolInputDelta:
			words = append(words, p.Delta)
		case strata.ToolInputEnd:
			words = append(words, "}tool")
		case strata.ToolCall:
			words = append(words, "call:"+p.Name+p.Input)
		case strata.Finish:
			words = append(words, fmt.Sprintf("finish:%s(%s)", p.Reason, p.RawReason))
		default:
			words = append(words, fmt.Sprintf("%T", p))
		}
	}
	return strings.Join(words, " ")
}

func part(kind sdk.StreamPartType, id, delta string) sdk.StreamPart {
	return sdk.StreamPart{Type: kind, ID: id, Delta: delta}
}

func text(s string) []sdk.StreamPart {
	return []sdk.StreamPart{
		part(sdk.StreamPartTypeTextStart, "0", ""), part(sdk.StreamPartTypeTextDelta, "0", s), part(sdk.StreamPartTypeTextEnd, "0", ""),
	}
}

func reasoning(s string) []sdk.StreamPart {
	return []sdk.StreamPart{
		part(sdk.StreamPartTypeReasoningStart, "0", s), part(sdk.StreamPartTypeReasoningEnd, "0", ""),
	}
}

// tool is a call as fantasy's providers stream it.
func tool(id, input string) []sdk.StreamPart {
	return []sdk.StreamPart{
		{Type: sdk.StreamPartTypeToolInputStart, ID: id, ToolCallName: "weather"},
		part(sdk.StreamPartTypeToolInputDelta, id, input),
		part(sdk.StreamPartTypeToolInputEnd, id, ""),
		{Type: sdk.StreamPartTypeToolCall, ID: id, ToolCallName: "weather", ToolCallInput: input},
	}
}

func ended(reason sdk.FinishReason) []sdk.StreamPart {
	return []sdk.StreamPart{{Type: sdk.StreamPartTypeFinish, FinishReason: reason}}
}

func failed(err error) []sdk.StreamPart {
	return []sdk.StreamPart{{Type: sdk.StreamPartTypeError, Error: err}}
}

func TestStream(t *testing.T) {
	busy := &sdk.ProviderError{StatusCode: 503, Message: "busy"}
	anthropics := []sdk.StreamPart{
		{Type: sdk.StreamPartTypeToolInputStart, ID: "c", ToolCallName: "weather"},
		{Type: sdk.StreamPartTypeToolInputDelta, ID: "c", ToolCallInput: `{}`},
		{Type: sdk.StreamPartTypeToolCall, ID: "c", ToolCallName: "weather", ToolCallInput: `{}`},
	}
	warned := []sdk.StreamPart{{Type: sdk.StreamPartTypeWarnings, Warnings: []sdk.CallWarning{{Message: "hm"}}}}
	for name, test := range map[string]struct {
		parts [][]sdk.StreamPart
		want  string
		kind  failure.Kind
	}{
		"text":                           {[][]sdk.StreamPart{text("sky"), ended("stop")}, "start0 text{ sky } finish:stop(stop)", ""},
		"reasoning that begins at once":  {[][]sdk.StreamPart{reasoning("hm"), text("sky"), ended("stop")}, "start0 reasoning{ hm } text{ sky } finish:stop(stop)", ""},
		"warnings":                       {[][]sdk.StreamPart{warned, text("sky"), ended("stop")}, "start1 text{ sky } finish:stop(stop)", ""},
		"late warnings":                  {[][]sdk.StreamPart{text("sky"), warned, ended("stop")}, "start0 text{ sky } start1 finish:stop(stop)", ""},
		"an ID":                          {[][]sdk.StreamPart{text("sky"), {{Type: sdk.StreamPartTypeFinish, ID: "msg_1", FinishReason: "stop"}}}, "start0 text{ sky } meta:msg_1 finish:stop(stop)", ""},
		"calls wait for the finish":      {[][]sdk.StreamPart{tool("a", `{"x":1}`), tool("b", ` `), text("so"), ended("tool-calls")}, `start0 tool:weather{ {"x":1} tool:weather{   text{ so } }tool call:weather{"x":1} }tool call:weather{} finish:tool-calls(tool-calls)`, ""},
		"calls beside stop":              {[][]sdk.StreamPart{tool("a", `{}`), ended("stop")}, `start0 tool:weather{ {} }tool call:weather{} finish:tool-calls(stop)`, ""},
		"Anthropic's deltas":             {[][]sdk.StreamPart{anthropics, ended("tool-calls")}, `start0 tool:weather{ {} call:weather{} finish:tool-calls(tool-calls)`, ""},
		"a call that was cut":            {[][]sdk.StreamPart{text("so"), tool("a", `{"x`), ended("length")}, `start0 text{ so } tool:weather{ {"x finish:length(length)`, ""},
		"no finish reason":               {[][]sdk.StreamPart{text("sky"), ended("")}, "start0 text{ sky } finish:unknown()", ""},
		"a reason of its own":            {[][]sdk.StreamPart{text("sky"), ended("pause")}, "start0 text{ sky } finish:pause(pause)", ""},
		"filtered behind text":           {[][]sdk.StreamPart{text("sky"), ended("content-filter")}, "start0 text{ sky } finish:content-filter(content-filter)", ""},
		"failed behind text":             {[][]sdk.StreamPart{text("sky"), ended("error")}, "start0 text{ sky } finish:error(error)", ""},
		"nothing more behind the finish": {[][]sdk.StreamPart{text("sky"), ended("stop"), text("more"), failed(busy)}, "start0 text{ sky } finish:stop(stop)", ""},
		"an unknown part":                {[][]sdk.StreamPart{{{Type: "special"}}, ended("stop")}, "start0 strata.Raw finish:stop(stop)", ""},

		"blocked":                      {[][]sdk.StreamPart{ended("content-filter")}, "", failure.Content},
		"blocked behind an empty text": {[][]sdk.StreamPart{text(""), ended("content-filter")}, "start0 text{ }", failure.Content},
		"blocked behind reasoning":     {[][]sdk.StreamPart{reasoning("hm"), ended("content-filter")}, "start0 reasoning{ hm }", failure.Content},
		"blocked in a call":            {[][]sdk.StreamPart{tool("a", `{"x`), ended("content-filter")}, `start0 tool:weather{ {"x`, failure.Content},
		"failed with nothing":          {[][]sdk.StreamPart{ended("error")}, "", failure.Overload},
		"a call that just stops":       {[][]sdk.StreamPart{tool("a", `{"x`), ended("tool-calls")}, `start0 tool:weather{ {"x`, failure.Network},
		"just stops":                   {[][]sdk.StreamPart{text("sky")}, "start0 text{ sky }", failure.Network},
		"nothing at all":               {nil, "", failure.Network},
		"an error behind a call":       {[][]sdk.StreamPart{tool("a", `{}`), failed(busy)}, `start0 tool:weather{ {}`, failure.Overload},
		"an error without one":         {[][]sdk.StreamPart{failed(nil)}, "", failure.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			m := lm()
			for _, ps := range test.parts {
				m.parts = append(m.parts, ps...)
			}
			parts, err := collect(t, fantasy.New(m).Stream(t.Context(), strata.Prompt("why")))
			assert.Equal(t, test.want, short(parts))
			if test.kind == "" {
				require.NoError(t, err)
				return
			}
			assert.Equal(t, test.kind, failure.Of(err), "%v", err)
			if name == "just stops" || name == "a call that just stops" {
				assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
			}
		})
	}
}

// A whole answer is read as a streamed one is.
func TestGenerate(t *testing.T) {
	said := sdk.TextContent{Text: "so"}
	called := func(input string) sdk.Content {
		return sdk.ToolCallContent{ToolCallID: "a", ToolName: "weather", Input: input}
	}
	for name, test := range map[string]struct {
		reason  sdk.FinishReason
		content sdk.ResponseContent
		want    []strata.Content
		finish  strata.FinishReason
		kind    failure.Kind
	}{
		"empty input": {"tool-calls", sdk.ResponseContent{called("")}, []strata.Content{strata.ToolCall{ID: "a", Name: "weather", Input: "{}"}}, "tool-calls", ""},
		"a call that was cut": {"length", sdk.ResponseContent{said, called(`{"x`)},
			[]strata.Content{strata.Text{Text: "so"}, strata.ToolInput{ID: "a", Name: "weather", Input: `{"x`}}, "length", ""},
		"beside stop":              {"stop", sdk.ResponseContent{called(`{}`)}, []strata.Content{strata.ToolCall{ID: "a", Name: "weather", Input: "{}"}}, "tool-calls", ""},
		"filtered":                 {"content-filter", sdk.ResponseContent{said}, []strata.Content{strata.Text{Text: "so"}}, "content-filter", ""},
		"blocked":                  {"content-filter", nil, nil, "", failure.Content},
		"blocked behind reasoning": {"content-filter", sdk.ResponseContent{sdk.ReasoningContent{Text: "hm"}}, nil, "", failure.Content},
		"blocked in a call":        {"content-filter", sdk.ResponseContent{called(`{"x`)}, nil, "", failure.Content},
		"failed":                   {"error", nil, nil, "", failure.Overload},
		"empty":                    {"stop", nil, nil, "stop", ""},
		"pointers":                 {"stop", sdk.ResponseContent{&said}, []strata.Content{strata.Text{Text: "so"}}, "stop", ""},
		"nil content":              {"stop", sdk.ResponseContent{nil}, nil, "", failure.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			m := lm()
			m.resp = &sdk.Response{Content: test.content, FinishReason: test.reason}
			resp, err := fantasy.New(m).Generate(t.Context(), strata.Prompt("why"))
			if test.kind != "" {
				assert.Equal(t, test.kind, failure.Of(err), "%v", err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, resp.Content)
			assert.Equal(t, test.finish, resp.FinishReason)
			assert.Equal(t, string(test.reason), resp.RawFinishReason)
			assert.Equal(t, strata.ModelID{Provider: "acme", Name: "one"}, resp.Model)
			assert.Same(t, m.resp, resp.Raw)
		})
	}
	_, err := fantasy.New(lm()).Generate(t.Context(), strata.Prompt("why"))
	assert.Error(t, err, "neither an answer nor an error")
}

// Leaving the range ends the context that fantasy's stream runs in, at once, and so
// does its end. Nothing is sent before the range.
func TestLeavingTheRange(t *testing.T) {
	m := lm()
	m.parts, m.hang = text("sky"), true
	for name, asked := range map[string]strata.Model{"bare": fantasy.New(m), "crossed": fantasy.New(through{fantasy.Wrap(fantasy.New(m))})} {
		before := m.calls
		s := asked.Stream(t.Context(), strata.Prompt("why"))
		assert.Equal(t, before, m.calls, name)
		for range 2 {
			for p := range s {
				if _, ok := p.(strata.TextDelta); ok {
					require.NoError(t, m.ctx.Err())
					break
				}
			}
			require.Error(t, m.ctx.Err(), name)
		}
		assert.Equal(t, before+2, m.calls, "ranging again is a new request")
	}
	done := lm()
	done.parts = append(text("sky"), ended("stop")...)
	_, err := collect(t, fantasy.New(done).Stream(t.Context(), strata.Prompt("why")))
	require.NoError(t, err)
	assert.Error(t, done.ctx.Err())
}

// Fantasy's side of it: leaving its range abandons strata's request; a model that
// just stops is an error; nothing is sent before the range.
func TestWrapLeavingTheRange(t *testing.T) {
	m := modeltest.New("acme/one", modeltest.Attempt{modeltest.Start(), modeltest.TextStart("0"), modeltest.Text("sky"), modeltest.Hang()})
	s, err := fantasy.Wrap(m).Stream(t.Context(), sdk.Call{})
	require.NoError(t, err)
	assert.Empty(t, m.Calls())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for p := range s {
		if p.Type == sdk.StreamPartTypeTextDelta {
			break
		}
	}
	assert.NoError(t, ctx.Err())

	stops := modeltest.New("acme/one", modeltest.Attempt{modeltest.Start(), modeltest.Text("sky")})
	parts := received(t, fantasy.Wrap(stops), sdk.Call{})
	last := parts[len(parts)-1]
	assert.Equal(t, sdk.StreamPartTypeError, last.Type)
	var pe *sdk.ProviderError
	require.True(t, errors.As(last.Error, &pe))
	assert.True(t, pe.IsRetryable())
	assert.ErrorIs(t, last.Error, io.ErrUnexpectedEOF)
}

// No call leaves a goroutine behind.
func TestNoGoroutineIsLeft(t *testing.T) {
	m := lm()
	m.parts, m.hang = text("sky"), true
	before := runtime.NumGoroutine()
	for range 50 {
		for p := range fantasy.New(m).Stream(t.Context(), strata.Prompt("why")) {
			if _, ok := p.(strata.TextDelta); ok {
				break
			}
		}
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before+1)
}

// A stream and a whole answer of one model are one answer.
func TestStreamCollectsToTheAnswer(t *testing.T) {
	m := lm()
	m.resp = &sdk.Response{
		Content: sdk.ResponseContent{
			sdk.ReasoningContent{Text: "hm", ProviderMetadata: sdk.ProviderMetadata{"acme": &note{"s"}}},
			sdk.TextContent{Text: "sky"},
			sdk.ToolCallContent{ToolCallID: "a", ToolName: "weather", Input: `{}`},
		},
		FinishReason: "tool-calls", Usage: sdk.Usage{InputTokens: 5, OutputTokens: 3, TotalTokens: 12, CacheReadTokens: 4},
	}
	m.parts = append(m.parts, part(sdk.StreamPartTypeReasoningStart, "0", ""), part(sdk.StreamPartTypeReasoningDelta, "0", "hm"),
		sdk.StreamPart{Type: sdk.StreamPartTypeReasoningEnd, ID: "0", ProviderMetadata: sdk.ProviderMetadata{"acme": &note{"s"}}})
	m.parts = append(append(m.parts, text("sky")...), tool("a", "{}")...)
	m.parts = append(m.parts, sdk.StreamPart{Type: sdk.StreamPartTypeFinish, FinishReason: "tool-calls", Usage: m.resp.Usage})
	whole, err := fantasy.New(m).Generate(t.Context(), strata.Prompt("why"))
	require.NoError(t, err)
	whole.Raw = nil
	streamed, err := stream.Collect(fantasy.New(m).Stream(t.Context(), strata.Prompt("why")))
	require.NoError(t, err)
	assert.Equal(t, whole, streamed)
	assert.Equal(t, strata.Usage{InputTokens: 9, OutputTokens: 3, TotalTokens: 12, CachedInputTokens: 4}, whole.Usage)
}
