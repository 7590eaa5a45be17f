package anthropic

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/exchange"
)

// Generate answers the request whole, with one HTTP request. Its errors are
// *failure.Error. An answer for which the server gives no stop reason ends with
// FinishUnknown. Response.Raw is the *sdk.Message.
func (m *Model) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	c, warnings, err := m.send(ctx, req, false)
	if err != nil {
		return nil, err
	}
	defer c.Response.Body.Close()
	body, err := io.ReadAll(c.Response.Body)
	if err != nil {
		return nil, c.Broken(ctx, err)
	}
	a, err := c.answer(body)
	if err != nil {
		return nil, err
	}
	contents, called := a.contents(m.id.Provider)
	return &strata.Response{
		Model:           m.id,
		Content:         contents,
		FinishReason:    a.stop.finish(called),
		RawFinishReason: a.stop.Reason,
		Usage:           a.usage.counts(),
		Metadata:        a.metadata(c.Headers),
		Warnings:        warnings,
		ProviderData:    a.stop.providerData(m.id.Provider),
		Raw:             a.message,
	}, nil
}

// answer is a whole answer as the wire has it.
type answer struct {
	message *sdk.Message
	blocks  []*block
	stop    stop
	usage   usage
}

// answer reads the body of a whole answer.
func (c *call) answer(body []byte) (*answer, error) {
	if len(body) == 0 {
		return nil, c.Empty()
	}
	var wire struct {
		Type    string
		Error   json.RawMessage
		Content []json.RawMessage
		Usage   usage
		stop
	}
	if err := json.Unmarshal(body, &wire); err != nil {
		return nil, c.Malformed(body, err)
	}
	if wire.Type == "error" || given(wire.Error) {
		return nil, c.Reported(string(body))
	}
	if wire.Content == nil {
		return nil, c.Fail(failure.Error{Body: string(body[:min(len(body), exchange.MaxErrorBody)]), Err: errNoMessage})
	}
	a := &answer{message: &sdk.Message{}, stop: wire.stop, usage: wire.Usage}
	if err := json.Unmarshal(body, a.message); err != nil {
		return nil, c.Malformed(body, err)
	}
	for _, raw := range wire.Content {
		b, err := readBlock(raw)
		if err != nil {
			return nil, c.Malformed(body, err)
		}
		a.blocks = append(a.blocks, b)
	}
	if a.stop.Reason == refusal && !slices.ContainsFunc(a.blocks, (*block).answers) {
		return nil, c.Refused(refusal)
	}
	return a, nil
}

func (a *answer) metadata(headers http.Header) strata.ResponseMetadata {
	return strata.ResponseMetadata{ID: a.message.ID, Model: a.message.Model, Headers: headers}
}

// contents are the contents of the answer, and whether a call of the program's
// tools is among them.
func (a *answer) contents(provider string) (contents []strata.Content, called bool) {
	names := callNames{}
	for i, b := range a.blocks {
		data := b.providerData(provider)
		switch {
		case b.reasoning():
			if b.Thinking != "" || data != nil {
				contents = append(contents, strata.Reasoning{Text: b.Thinking, ProviderData: data})
			}
		case b.Type == "text":
			if b.Text != "" {
				contents = append(contents, strata.Text{Text: b.Text, ProviderData: data})
			}
			for _, s := range b.sources(provider) {
				contents = append(contents, s)
			}
		case b.calls() && !b.whole(a.stop.cut(), i == len(a.blocks)-1):
			contents = append(contents, strata.ToolInput{ID: b.ID, Name: b.Name, Input: b.arguments(), ProviderData: data})
		case b.calls():
			names.note(b)
			called = called || !b.runs()
			contents = append(contents, b.call(provider))
		case b.results():
			contents = append(contents, b.result(provider, names.of(b)))
		default:
			contents = append(contents, b.unknown())
		}
	}
	return contents, called
}

// refusal is the stop reason of an answer that the provider stopped.
const refusal = "refusal"

// stop is why an answer ended, as in
// https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons.
type stop struct {
	Reason    string `json:"stop_reason"`
	Sequence  any    `json:"stop_sequence"`
	Details   any    `json:"stop_details"`
	Container any    `json:"container"`
}

// cut reports whether the server ended the answer, not the model.
func (s stop) cut() bool {
	return s.Reason == "max_tokens" || s.Reason == "model_context_window_exceeded" || s.Reason == refusal
}

// finish is what the server's word means.
func (s stop) finish(called bool) strata.FinishReason {
	switch s.Reason {
	case "end_turn", "stop_sequence":
		if called {
			return strata.FinishToolCalls
		}
		return strata.FinishStop
	case "max_tokens", "model_context_window_exceeded":
		return strata.FinishLength
	case refusal:
		return strata.FinishContentFilter
	case "tool_use":
		return strata.FinishToolCalls
	case "":
		return strata.FinishUnknown
	}
	return strata.FinishOther
}

func (s stop) providerData(provider string) strata.ProviderData {
	own := map[string]any{}
	for field, v := range map[string]any{"stop_sequence": s.Sequence, "stop_details": s.Details, "container": s.Container} {
		if v != nil {
			own[field] = v
		}
	}
	if len(own) == 0 {
		return nil
	}
	return strata.ProviderData{provider: own}
}

// usage is what the wire counts. Its input tokens are those that no cache had.
type usage struct {
	Input      int64 `json:"input_tokens"`
	CacheWrite int64 `json:"cache_creation_input_tokens"`
	CacheRead  int64 `json:"cache_read_input_tokens"`
	Output     int64 `json:"output_tokens"`
	Details    struct {
		Thinking int64 `json:"thinking_tokens"`
	} `json:"output_tokens_details"`
}

// update takes the counts of a later report, which are totals. Some servers leave
// out or set to 0 what they told before.
func (u *usage) update(later usage) {
	for _, c := range []struct {
		count *int64
		later int64
	}{
		{&u.Input, later.Input}, {&u.CacheWrite, later.CacheWrite}, {&u.CacheRead, later.CacheRead},
		{&u.Output, later.Output}, {&u.Details.Thinking, later.Details.Thinking},
	} {
		if c.later != 0 {
			*c.count = c.later
		}
	}
}

func (u usage) counts() strata.Usage {
	input := u.Input + u.CacheWrite + u.CacheRead
	return strata.Usage{
		InputTokens:       input,
		OutputTokens:      u.Output,
		TotalTokens:       input + u.Output,
		CachedInputTokens: u.CacheRead,
		CacheWriteTokens:  u.CacheWrite,
		ReasoningTokens:   u.Details.Thinking,
	}
}

// given reports whether a field is there and not null.
func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }
