package openai

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/exchange"
)

// Generate answers the request whole, with one HTTP request. Its errors are
// *failure.Error. An answer for which the server gives no finish reason ends
// with FinishUnknown.
func (m *Model) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	c, warnings, err := m.ask(ctx, req, false)
	if err != nil {
		return nil, err
	}
	body, err := c.body(ctx)
	if err != nil {
		return nil, err
	}
	a, err := c.answer(body)
	if err != nil {
		return nil, err
	}
	contents, called := a.contents(m.id.Provider)
	if a.finish == contentFilter && !said(contents) {
		return nil, c.Refused(contentFilter)
	}
	return &strata.Response{
		Model:           m.id,
		Content:         contents,
		FinishReason:    finishReason(a.finish, called),
		RawFinishReason: a.finish,
		Usage:           usageOf(a.completion.Usage),
		Metadata:        metadataOf(a.completion.ID, a.completion.Model, a.completion.Created, c.Headers),
		Warnings:        warnings,
		Raw:             a.completion,
	}, nil
}

// ask sends the request.
func (m *Model) ask(ctx context.Context, req *strata.Request, stream bool) (*call, []strata.Warning, error) {
	params, warnings, err := m.params(req, stream)
	if err != nil {
		return nil, nil, err
	}
	var more []option.RequestOption
	if stream {
		more = append(more, streaming)
	}
	c, err := m.send(ctx, params, req.Headers, func(opts []option.RequestOption) error {
		_, err := m.service.New(ctx, params, opts...)
		return err
	}, more...)
	return c, warnings, err
}

// answer is a whole answer as the wire has it.
type answer struct {
	completion *sdk.ChatCompletion
	message    message
	finish     string // the raw finish reason
}

// answer reads the body of a whole answer.
func (c *call) answer(body []byte) (*answer, error) {
	a := &answer{completion: &sdk.ChatCompletion{}}
	if err := json.Unmarshal(body, a.completion); err != nil {
		return nil, c.Malformed(body, err)
	}
	if failed := a.completion.JSON.ExtraFields["error"].Raw(); given(failed) {
		return nil, c.reported(failed)
	}
	if len(a.completion.Choices) == 0 {
		return nil, c.Fail(failure.Error{Body: string(body[:min(len(body), exchange.MaxErrorBody)]), Err: errNoChoice})
	}
	choice := a.completion.Choices[0]
	a.finish = choice.FinishReason
	if failed := choice.JSON.ExtraFields["error"].Raw(); given(failed) || a.finish == "error" {
		return nil, c.reported(failed)
	}
	var err error
	if a.message, err = readMessage(choice.Message.RawJSON()); err != nil {
		return nil, c.Malformed(body, err)
	}
	if a.message.refusal != "" {
		return nil, c.Refused("refusal")
	}
	return a, nil
}

// contents are the contents of the answer, and whether a tool call is among them.
func (a *answer) contents(provider string) (contents []strata.Content, called bool) {
	m := a.message
	thoughts := reasoning{field: m.field}
	for _, d := range m.details {
		thoughts.details = append(thoughts.details, d)
	}
	if m.reasoning != "" || len(m.details) > 0 {
		contents = append(contents, strata.Reasoning{Text: m.reasoning, ProviderData: thoughts.providerData(provider)})
	}
	if m.text != "" {
		contents = append(contents, strata.Text{Text: m.text})
	}
	for _, f := range m.files {
		contents = append(contents, f)
	}
	for _, s := range m.sources {
		contents = append(contents, s)
	}
	var tools toolInputs
	for _, piece := range m.tools {
		tools.add(piece)
	}
	for _, t := range tools {
		if call, ok := t.call(cut(a.finish), provider); ok {
			contents, called = append(contents, call), true
		} else {
			contents = append(contents, strata.ToolInput{ID: t.id, Name: t.name, Input: t.input.String(), ProviderData: t.providerData(provider)})
		}
	}
	return contents, called
}

// contentFilter is the server's word for an answer that it filtered.
const contentFilter = "content_filter"

// cut reports whether the server broke an answer off with this finish reason.
func cut(finish string) bool { return finish == "length" || finish == contentFilter }

// said reports whether there is more than thought in the contents: an answer
// that was blocked before has failed, one that was blocked in its midst has not.
func said(contents []strata.Content) bool {
	return slices.ContainsFunc(contents, func(c strata.Content) bool {
		_, thought := c.(strata.Reasoning)
		return !thought
	})
}

// finishReason is what the server's word means.
func finishReason(raw string, called bool) strata.FinishReason {
	switch raw {
	case "stop":
		if called { // Gemini's endpoint and others say stop beside tool calls
			return strata.FinishToolCalls
		}
		return strata.FinishStop
	case "length":
		return strata.FinishLength
	case contentFilter:
		return strata.FinishContentFilter
	case "tool_calls", "function_call":
		return strata.FinishToolCalls
	case "":
		return strata.FinishUnknown
	}
	return strata.FinishOther
}

// usageOf reads the usage. Where the details do not say what was cached, the
// fields of Moonshot and DeepSeek may.
func usageOf(u sdk.CompletionUsage) strata.Usage {
	cached := u.PromptTokensDetails.CachedTokens
	for _, name := range []string{"cached_tokens", "prompt_cache_hit_tokens"} {
		if n, err := strconv.ParseInt(u.JSON.ExtraFields[name].Raw(), 10, 64); err == nil && cached == 0 {
			cached = n
		}
	}
	return strata.Usage{
		InputTokens:       u.PromptTokens,
		OutputTokens:      u.CompletionTokens,
		TotalTokens:       u.TotalTokens,
		CachedInputTokens: cached,
		CacheWriteTokens:  u.PromptTokensDetails.CacheWriteTokens,
		ReasoningTokens:   u.CompletionTokensDetails.ReasoningTokens,
	}
}

func metadataOf(id, model string, created int64, headers http.Header) strata.ResponseMetadata {
	meta := strata.ResponseMetadata{ID: id, Model: model, Headers: headers}
	if created > 0 {
		meta.Timestamp = time.Unix(created, 0).UTC()
	}
	return meta
}
