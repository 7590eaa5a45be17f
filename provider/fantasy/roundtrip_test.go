package fantasy_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	sdk "charm.land/fantasy"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/fantasy"
)

// weather is a tool that every call has.
var weather = sdk.FunctionTool{Name: "weather", InputSchema: map[string]any{"type": "object"}}

// dice makes things up.
type dice struct{ *rand.Rand }

func (d dice) coin() bool { return d.IntN(2) == 0 }
func (d dice) word() string {
	return []string{"sky", "blue", "why", "a <b> & c", "línea\n2", "x"}[d.IntN(6)]
}
func (d dice) maybe() string {
	if d.coin() {
		return ""
	}
	return d.word()
}

// bag is metadata of fantasy's, or none.
func (d dice) bag() map[string]sdk.ProviderOptionsData {
	if d.coin() {
		return nil
	}
	b := map[string]sdk.ProviderOptionsData{"acme": &note{d.word()}}
	if d.coin() {
		b["other"] = &note{d.word()}
	}
	return b
}

func (d dice) output() sdk.ToolResultOutputContent {
	switch d.IntN(3) {
	case 0:
		return sdk.ToolResultOutputContentText{Text: d.word()} // an empty one of a provider's own tool comes back as none
	case 1:
		return sdk.ToolResultOutputContentError{Error: errors.New(d.word())}
	}
	return sdk.ToolResultOutputContentMedia{Data: "aGVsbG8=", MediaType: []string{"image/png", "audio/wav"}[d.IntN(2)], Text: d.maybe()}
}

func (d dice) fantasyContent() sdk.Content {
	switch d.IntN(7) {
	case 0:
		return sdk.TextContent{Text: d.word(), ProviderMetadata: d.bag()}
	case 1:
		return sdk.ReasoningContent{Text: d.maybe(), ProviderMetadata: d.bag()}
	case 2:
		return sdk.FileContent{MediaType: []string{"image/png", "application/pdf"}[d.IntN(2)], Data: []byte(d.word()), ProviderMetadata: d.bag()}
	case 3:
		return sdk.SourceContent{
			SourceType: []sdk.SourceType{sdk.SourceTypeURL, sdk.SourceTypeDocument}[d.IntN(2)],
			ID:         d.word(), URL: d.maybe(), Title: d.maybe(), MediaType: d.maybe(), Filename: d.maybe(), ProviderMetadata: d.bag(),
		}
	case 4:
		return sdk.ToolCallContent{ToolCallID: d.word(), ToolName: d.word(), Input: `{"a":1}`, ProviderExecuted: d.coin(), ProviderMetadata: d.bag()}
	case 5:
		return sdk.ToolCallContent{ToolCallID: d.word(), ToolName: d.word(), Input: `{"a":1}`, Invalid: true, ValidationError: errBoom}
	}
	return sdk.ToolResultContent{
		ToolCallID: d.word(), ToolName: d.word(), Result: d.output(), ClientMetadata: d.maybe(), StopTurn: d.coin(),
		ProviderExecuted: d.coin(), ProviderMetadata: d.bag(),
	}
}

func (d dice) fantasyUsage() sdk.Usage {
	u := sdk.Usage{
		InputTokens: d.Int64N(100), OutputTokens: d.Int64N(100), ReasoningTokens: d.Int64N(10),
		CacheCreationTokens: d.Int64N(10), CacheReadTokens: d.Int64N(10),
	}
	u.TotalTokens = u.InputTokens + u.OutputTokens
	return u
}

func (d dice) reason() sdk.FinishReason {
	return []sdk.FinishReason{
		sdk.FinishReasonStop, sdk.FinishReasonLength, sdk.FinishReasonContentFilter, sdk.FinishReasonToolCalls,
		sdk.FinishReasonError, sdk.FinishReasonOther, sdk.FinishReasonUnknown, "pause",
	}[d.IntN(8)]
}

func (d dice) warnings() []sdk.CallWarning {
	return []sdk.CallWarning{
		{Type: sdk.CallWarningTypeUnsupportedSetting, Setting: "top_k"},
		{Type: sdk.CallWarningTypeUnsupportedSetting, Setting: "top_p", Details: "not for this model"},
		{Type: sdk.CallWarningTypeUnsupportedTool, Tool: weather, Message: "no"},
		{Type: sdk.CallWarningTypeOther, Message: "by the way"},
	}[:d.IntN(5)]
}

// fantasyParts are the parts of a stream, the program's tool calls last.
func (d dice) fantasyParts() []sdk.StreamPart {
	var parts []sdk.StreamPart
	if w := d.warnings(); len(w) > 0 {
		parts = append(parts, sdk.StreamPart{Type: sdk.StreamPartTypeWarnings, Warnings: w})
	}
	for i := range 1 + d.IntN(5) {
		id := fmt.Sprint(i)
		switch d.IntN(4) {
		case 0:
			parts = append(parts,
				sdk.StreamPart{Type: sdk.StreamPartTypeTextStart, ID: id, ProviderMetadata: d.bag()},
				sdk.StreamPart{Type: sdk.StreamPartTypeTextDelta, ID: id, Delta: d.word(), ProviderMetadata: d.bag()},
				sdk.StreamPart{Type: sdk.StreamPartTypeTextEnd, ID: id, ProviderMetadata: d.bag()})
		case 1:
			parts = append(parts,
				sdk.StreamPart{Type: sdk.StreamPartTypeReasoningStart, ID: id, ProviderMetadata: d.bag()},
				sdk.StreamPart{Type: sdk.StreamPartTypeReasoningDelta, ID: id, Delta: d.maybe(), ProviderMetadata: d.bag()},
				sdk.StreamPart{Type: sdk.StreamPartTypeReasoningEnd, ID: id, ProviderMetadata: d.bag()})
		case 2:
			parts = append(parts,
				sdk.StreamPart{Type: sdk.StreamPartTypeToolInputStart, ID: id, ToolCallName: "search", ProviderExecuted: true, ProviderMetadata: d.bag()},
				sdk.StreamPart{Type: sdk.StreamPartTypeToolInputDelta, ID: id, Delta: "{}"},
				sdk.StreamPart{Type: sdk.StreamPartTypeToolInputEnd, ID: id, ProviderExecuted: d.coin()},
				sdk.StreamPart{Type: sdk.StreamPartTypeToolCall, ID: id, ToolCallName: "search", ToolCallInput: "{}", ProviderExecuted: true, ProviderMetadata: d.bag()},
				sdk.StreamPart{Type: sdk.StreamPartTypeToolResult, ID: id, ToolCallName: "search", ProviderExecuted: true, ProviderMetadata: d.bag()})
		case 3:
			parts = append(parts, sdk.StreamPart{
				Type: sdk.StreamPartTypeSource, ID: id, SourceType: []sdk.SourceType{sdk.SourceTypeURL, sdk.SourceTypeDocument}[d.IntN(2)],
				URL: d.maybe(), Title: d.maybe(), ProviderMetadata: d.bag(),
			})
		}
	}
	if d.coin() {
		parts = append(parts, sdk.StreamPart{Type: "acme-special", Delta: "of a kind of its own"})
	}
	parts = append(parts, sdk.StreamPart{Type: sdk.StreamPartTypeTextDelta, ID: "late", Delta: "said"})
	for i := range d.IntN(3) {
		id := fmt.Sprint("call", i)
		parts = append(parts,
			sdk.StreamPart{Type: sdk.StreamPartTypeToolInputStart, ID: id, ToolCallName: "weather", ProviderMetadata: d.bag()},
			sdk.StreamPart{Type: sdk.StreamPartTypeToolInputDelta, ID: id, Delta: `{"a":1}`})
	}
	for i := range d.IntN(3) {
		id := fmt.Sprint("call", i)
		parts = append(parts,
			sdk.StreamPart{Type: sdk.StreamPartTypeToolCall, ID: id, ToolCallName: "weather", ToolCallInput: `{"a":1}`, ProviderMetadata: d.bag()})
	}
	return append(parts, sdk.StreamPart{
		Type: sdk.StreamPartTypeFinish, ID: d.maybe(), FinishReason: d.reason(), Usage: d.fantasyUsage(), ProviderMetadata: d.bag(),
	})
}

func (d dice) fantasyPart() sdk.MessagePart {
	switch d.IntN(5) {
	case 0:
		return sdk.TextPart{Text: d.word(), ProviderOptions: d.bag()}
	case 1:
		return sdk.ReasoningPart{Text: d.maybe(), ProviderOptions: d.bag()}
	case 2:
		return sdk.FilePart{Filename: d.maybe(), MediaType: []string{"image/png", "application/pdf"}[d.IntN(2)], Data: []byte(d.word()), ProviderOptions: d.bag()}
	case 3:
		return sdk.ToolCallPart{ToolCallID: d.word(), ToolName: d.word(), Input: `{"a":1}`, ProviderExecuted: d.coin(), ProviderOptions: d.bag()}
	}
	return sdk.ToolResultPart{ToolCallID: d.word(), Output: d.output(), ProviderExecuted: false, ClientMetadata: d.maybe(), ProviderOptions: d.bag()}
}

func (d dice) fantasyCall() sdk.Call {
	c := sdk.Call{ProviderOptions: d.bag(), UserAgent: d.maybe(), Prompt: sdk.Prompt{}}
	for _, role := range []sdk.MessageRole{sdk.MessageRoleSystem, sdk.MessageRoleUser, sdk.MessageRoleAssistant, sdk.MessageRoleTool} {
		m := sdk.Message{Role: role, ProviderOptions: d.bag()}
		for range 1 + d.IntN(4) {
			m.Content = append(m.Content, d.fantasyPart())
		}
		c.Prompt = append(c.Prompt, m)
	}
	if d.coin() {
		c.MaxOutputTokens, c.TopK, c.Temperature = ptr(int64(7)), ptr(int64(3)), ptr(0.5)
		c.TopP, c.PresencePenalty, c.FrequencyPenalty = ptr(0.1), ptr(0.2), ptr(0.3)
		c.Headers = map[string]string{"X-Trace": d.word()}
	}
	if d.coin() {
		c.Tools = append(c.Tools, sdk.FunctionTool{
			Name: "forecast", Description: d.maybe(), ProviderOptions: d.bag(),
			InputSchema: map[string]any{"type": "object", "properties": map[string]any{"city": map[string]any{"type": "string"}}, "required": []string{"city"}},
		})
	}
	if d.coin() {
		c.Tools = append(c.Tools, sdk.ProviderDefinedTool{ID: "acme.search", Name: "search", Args: map[string]any{"max": 3}})
	}
	c.ToolChoice = []*sdk.ToolChoice{nil, ptr(sdk.ToolChoiceAuto), ptr(sdk.ToolChoiceNone), ptr(sdk.ToolChoiceRequired), ptr(sdk.SpecificToolChoice("weather"))}[d.IntN(5)]
	return c
}

// A fantasy program sees of a model behind layers what it sees of the bare one, and
// the model is asked what the program asked, whatever it is made of.
func TestWrapOfNewIsTheBareModel(t *testing.T) {
	for seed := range uint64(500) {
		d := dice{rand.New(rand.NewPCG(seed, 8))}
		bare := lm()
		bare.parts = d.fantasyParts()
		bare.resp = &sdk.Response{
			Content: sdk.ResponseContent{sdk.TextContent{Text: "said"}}, FinishReason: d.reason(), Usage: d.fantasyUsage(),
			Warnings: d.warnings(), ProviderMetadata: d.bag(),
		}
		for range d.IntN(6) {
			bare.resp.Content = append(bare.resp.Content, d.fantasyContent())
		}
		call := d.fantasyCall()
		call.Tools = append(call.Tools, weather) // that a warning is about
		layered := fantasy.Wrap(fantasy.New(bare), identity)
		assert.Equal(t, bare.Provider(), layered.Provider())
		assert.Equal(t, bare.Model(), layered.Model())

		got, err := layered.Generate(t.Context(), call)
		require.NoError(t, err, "seed %d", seed)
		want := *bare.resp
		if len(want.Warnings) == 0 {
			want.Warnings = nil
		}
		require.Equal(t, &want, got, "seed %d", seed)
		require.Equal(t, sorted(call), sorted(bare.call), "seed %d", seed)

		parts := received(t, layered, call)
		require.Equal(t, bare.parts, parts, "seed %d", seed)
		require.Equal(t, sorted(call), sorted(bare.call), "seed %d", seed)
	}
}

// sorted has a call's functions first, which is where they are sent.
func sorted(c sdk.Call) sdk.Call {
	var functions, others []sdk.Tool
	for _, t := range c.Tools {
		if t.GetType() == sdk.ToolTypeFunction {
			functions = append(functions, t)
		} else {
			others = append(others, t)
		}
	}
	c.Tools = append(functions, others...)
	return c
}

func (d dice) data() strata.ProviderData {
	if d.coin() {
		return nil
	}
	pd := strata.ProviderData{"acme": {"signature": d.word(), "n": 3.0}}
	if d.coin() {
		pd[fantasy.Key] = map[string]any{"acme": &note{d.word()}}
	}
	return pd
}

func (d dice) strataContent() strata.Content {
	switch d.IntN(9) {
	case 0:
		return strata.Text{Text: d.word(), ProviderData: d.data()}
	case 1:
		return strata.Reasoning{Text: d.word(), ProviderData: d.data()}
	case 2:
		return []strata.Content{
			strata.Image{MediaType: "image/png", Data: []byte("png"), ProviderData: d.data()},
			strata.Image{MediaType: "image/png", Data: []byte("png"), Detail: "high"},
			strata.Image{URL: "https://example.com/a.png"},
		}[d.IntN(3)]
	case 3:
		return d.file()
	case 4:
		return strata.ToolCall{ID: d.word(), Name: d.word(), Input: `{"a":1}`, ProviderExecuted: d.coin(), ProviderData: d.data()}
	case 5:
		return d.result()
	case 6:
		return d.source()
	case 7:
		return strata.ToolInput{ID: "c", Name: "weather", Input: `{"a`}
	}
	return strata.Raw{Value: "something"}
}

func (d dice) file() strata.File {
	return []strata.File{
		{MediaType: "application/pdf", Data: []byte("pdf"), ProviderData: d.data()},
		{MediaType: "image/png", Data: []byte("png")},
		{MediaType: "application/pdf", Filename: "a.pdf", Data: []byte("pdf")},
		{URL: "https://example.com/a.pdf"},
		{FileID: "file-1"},
	}[d.IntN(5)]
}

func (d dice) source() strata.Source {
	return strata.Source{ID: d.word(), URL: d.maybe(), Title: d.maybe(), MediaType: d.maybe(), Filename: d.maybe(), ProviderData: d.data()}
}

func (d dice) result() strata.ToolResult {
	r := strata.ToolResult{ID: d.word(), Name: d.word(), ProviderExecuted: d.coin(), ProviderData: d.data()}
	switch d.IntN(4) {
	case 0:
		r.Output = d.word()
	case 1:
		r.Output, r.IsError = d.word(), true
	case 2:
		r.Content = []strata.Content{strata.Text{Text: "look"}, strata.Image{MediaType: "image/png", Data: []byte("png")}}
	default:
		r.Content = []strata.Content{strata.Text{Text: "a"}, strata.Text{Text: "b"}, strata.File{URL: "https://example.com"}}
	}
	return r
}

func (d dice) strataUsage() strata.Usage {
	u := strata.Usage{InputTokens: 50 + d.Int64N(50), OutputTokens: 20 + d.Int64N(50), CachedInputTokens: d.Int64N(20), CacheWriteTokens: d.Int64N(20), ReasoningTokens: d.Int64N(20)}
	u.TotalTokens = u.InputTokens + u.OutputTokens
	return u
}

var answered = strata.ResponseMetadata{ID: "r1", Model: "m-1", Timestamp: time.Unix(1700000000, 0).UTC(), Headers: header("X-Request-Id", "q")}

func (d dice) finish() strata.Finish {
	f := strata.Finish{
		Reason: strata.FinishReason(d.reason()), RawReason: d.maybe(), Usage: d.strataUsage(), ProviderData: d.data(),
		Model: []strata.ModelID{{Provider: "acme", Name: "one"}, {Provider: "spare", Name: "two", Account: "x"}}[d.IntN(2)],
	}
	if f.RawReason == "" {
		f.RawReason = string(f.Reason)
	}
	return f
}

// fixed answers with what it holds.
type fixed struct {
	strata.Model
	resp *strata.Response
}

func (f fixed) Generate(context.Context, *strata.Request) (*strata.Response, error) {
	return f.resp, nil
}

// A strata program sees of a model that crossed fantasy what it sees of the bare
// one.
func TestNewOfWrapIsTheBareModel(t *testing.T) {
	m := modeltest.New("acme/one", modeltest.Answer("hi"))
	assert.Same(t, m, fantasy.New(fantasy.Wrap(m)), "what was wrapped is taken out")

	for seed := range uint64(500) {
		d := dice{rand.New(rand.NewPCG(seed, 9))}
		f := d.finish()
		bare := &strata.Response{
			Content: []strata.Content{strata.Text{Text: "said"}}, Model: f.Model, FinishReason: f.Reason, RawFinishReason: f.RawReason,
			Usage: f.Usage, ProviderData: f.ProviderData, Metadata: answered, Warnings: []strata.Warning{{Setting: "Seed", Message: "no"}, {Message: "hm"}},
		}
		called := false
		for range d.IntN(6) {
			c := d.strataContent()
			if call, ok := c.(strata.ToolCall); ok && !call.ProviderExecuted {
				called = true
			}
			bare.Content = append(bare.Content, c)
		}
		if called && bare.FinishReason == strata.FinishStop {
			bare.FinishReason, bare.RawFinishReason = strata.FinishToolCalls, "tool_calls"
		}
		crossed := fantasy.New(through{fantasy.Wrap(fixed{m, bare})})
		got, err := crossed.Generate(t.Context(), strata.Prompt("why"))
		require.NoError(t, err, "seed %d", seed)
		got.Raw = nil
		require.Equal(t, bare, got, "seed %d", seed)

		parts := d.strataParts(f)
		var attempt modeltest.Attempt
		for _, p := range parts {
			attempt = append(attempt, modeltest.Part(p))
		}
		streamed, err := collect(t, fantasy.New(through{fantasy.Wrap(modeltest.New("acme/one", attempt))}).Stream(t.Context(), strata.Prompt("why")))
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, parts, streamed, "seed %d", seed)
	}
}

// special is a part of a layer's own.
type special struct{ N int }

func (special) Commits() bool { return true }

func (d dice) strataParts(f strata.Finish) []strata.Part {
	parts := []strata.Part{strata.StreamStart{Warnings: []strata.Warning{{Setting: "Seed", Message: "no"}}}}
	for i := range 1 + d.IntN(6) {
		id := fmt.Sprint(i)
		switch d.IntN(7) {
		case 0:
			parts = append(parts, strata.TextStart{ID: id, ProviderData: d.data()}, strata.TextDelta{ID: id, Text: d.word(), ProviderData: d.data()}, strata.TextEnd{ID: id, ProviderData: d.data()})
		case 1:
			parts = append(parts, strata.ReasoningStart{ID: id, ProviderData: d.data()}, strata.ReasoningDelta{ID: id, Text: d.word(), ProviderData: d.data()}, strata.ReasoningEnd{ID: id, ProviderData: d.data()})
		case 2:
			parts = append(parts, d.result())
		case 3:
			parts = append(parts, d.source())
		case 4:
			parts = append(parts, d.file())
		case 5:
			parts = append(parts, strata.Raw{Value: d.word()})
		case 6:
			parts = append(parts, special{i})
		}
	}
	parts = append(parts, strata.TextDelta{ID: "t", Text: "said"}, answered)
	if d.coin() {
		parts = append(parts, strata.ToolCall{ID: "c1", Name: "weather", Input: `{}`, ProviderData: d.data()})
		if f.Reason == strata.FinishStop {
			f.Reason, f.RawReason = strata.FinishToolCalls, "tool_calls"
		}
	}
	return append(parts, f)
}
