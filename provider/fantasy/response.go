package fantasy

import (
	"context"
	"encoding/json"
	"strings"

	sdk "charm.land/fantasy"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/exchange"
)

// Generate answers the request whole, with one call of the language model. Its
// errors are *failure.Error, or what a strata Model inside failed with. The
// Response's Raw is the *sdk.Response, or the *sdk.ObjectResponse.
func (m *Model) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	call, warnings, err := m.call(req)
	if err != nil {
		return nil, err
	}
	c := exchanged{exchange.New(m.id)}
	object, lost := objectCall(call, req)
	warnings = append(warnings, lost...)
	if object != nil {
		return m.generateObject(ctx, c, *object, warnings)
	}
	edit(req, &call)
	resp, err := m.lm.Generate(c.Context(ctx), call)
	switch {
	case err != nil:
		return nil, c.fail(ctx, err)
	case resp == nil:
		return nil, c.Fail(failure.Error{Err: errNoAnswer})
	}
	contents, said, called, err := answer(resp.Content, resp.FinishReason)
	if err != nil {
		return nil, c.Fail(failure.Error{Err: err})
	}
	if err := c.blocked(resp.FinishReason, said); err != nil {
		return nil, err
	}
	o := m.outcome(resp.FinishReason, resp.Usage, called)
	x := extraOf(resp.ProviderMetadata)
	to := &strata.Response{
		Model:           m.id,
		Content:         contents,
		FinishReason:    o.reason,
		RawFinishReason: string(resp.FinishReason),
		Usage:           o.usage,
		Metadata:        x.Metadata,
		Warnings:        append(warnings, warningsOf(resp.Warnings)...),
		ProviderData:    o.keep(read(resp.ProviderMetadata)),
		Raw:             resp,
	}
	if !x.Model.IsZero() {
		to.Model = x.Model
	}
	if x.RawFinishReason != "" {
		to.RawFinishReason = x.RawFinishReason
	}
	if c.Headers != nil {
		to.Metadata.Headers = c.Headers
	}
	return to, nil
}

// edit has the program edit fantasy's call last.
func edit(req *strata.Request, call *sdk.Call) {
	if f, ok := req.Raw.(func(*sdk.Call)); ok && f != nil {
		f(call)
	}
}

// blocked is the failure of an answer that was stopped before it said anything, or
// nil.
func (c exchanged) blocked(reason sdk.FinishReason, said bool) error {
	switch {
	case said:
	case reason == sdk.FinishReasonContentFilter:
		return c.Refused(string(reason))
	case reason == sdk.FinishReasonError:
		return c.Fail(failure.Error{InStream: true, Err: exchange.ErrFailed})
	}
	return nil
}

// answer turns the contents of an answer into strata's. It reports whether they say
// anything, other than reasoning, and call tools of the program.
func answer(contents sdk.ResponseContent, reason sdk.FinishReason) (cs []strata.Content, said, called bool, err error) {
	for _, from := range contents {
		c, err := answered(from)
		if err != nil {
			return nil, false, false, err
		}
		if call, ok := c.(strata.ToolCall); ok {
			c = whole(call, reason)
		}
		switch c := c.(type) {
		case strata.Text:
			said = said || c.Text != ""
		case strata.ToolCall:
			said, called = true, called || !c.ProviderExecuted
		case strata.Reasoning, strata.ToolInput:
		default:
			said = true
		}
		cs = append(cs, c)
	}
	return cs, said, called, nil
}

// answered returns a content of an answer.
func answered(from sdk.Content) (strata.Content, error) {
	if from == nil {
		return nil, errNilContent
	}
	if c, ok := sdk.AsContentType[sdk.TextContent](from); ok {
		return strata.Text{Text: c.Text, ProviderData: read(c.ProviderMetadata)}, nil
	}
	if c, ok := sdk.AsContentType[sdk.ReasoningContent](from); ok {
		if x := extraOf(c.ProviderMetadata); x.Content != nil {
			return x.Content, nil
		}
		return strata.Reasoning{Text: c.Text, ProviderData: read(c.ProviderMetadata)}, nil
	}
	if c, ok := sdk.AsContentType[sdk.FileContent](from); ok {
		if x := extraOf(c.ProviderMetadata); x.Content != nil {
			return x.Content, nil
		}
		return fileOf(c.MediaType, "", c.Data, read(c.ProviderMetadata)), nil
	}
	if c, ok := sdk.AsContentType[sdk.SourceContent](from); ok {
		return sourceOf(c), nil
	}
	if c, ok := sdk.AsContentType[sdk.ToolCallContent](from); ok {
		return toolCallOf(c), nil
	}
	if c, ok := sdk.AsContentType[sdk.ToolResultContent](from); ok {
		if x := extraOf(c.ProviderMetadata); x.Content != nil {
			return x.Content, nil
		}
		return resultOf(c, read(c.ProviderMetadata))
	}
	return strata.Raw{Value: from}, nil
}

const (
	sourceTypeKey = "source_type"
	invalidKey    = "invalid"
	stopTurnKey   = "stop_turn"
)

func sourceOf(c sdk.SourceContent) strata.Source {
	s := strata.Source{
		ID: c.ID, URL: c.URL, Title: c.Title, MediaType: c.MediaType, Filename: c.Filename, ProviderData: read(c.ProviderMetadata),
	}
	if c.SourceType != sourceTypeOf(s) {
		s.ProviderData = with(s.ProviderData, sourceTypeKey, c.SourceType)
	}
	return s
}

// sourceTypeOf is the type that a source has in fantasy.
func sourceTypeOf(s strata.Source) sdk.SourceType {
	if t, ok := s.ProviderData[Key][sourceTypeKey].(sdk.SourceType); ok {
		return t
	}
	if s.URL != "" {
		return sdk.SourceTypeURL
	}
	return sdk.SourceTypeDocument
}

func toolCallOf(c sdk.ToolCallContent) strata.ToolCall {
	call := strata.ToolCall{
		ID: c.ToolCallID, Name: c.ToolName, Input: c.Input, ProviderExecuted: c.ProviderExecuted, ProviderData: read(c.ProviderMetadata),
	}
	if c.Invalid {
		call.ProviderData = with(call.ProviderData, invalidKey, c.ValidationError)
	}
	return call
}

// whole returns a call as it may be run, or its input alone where the answer was
// cut before that was whole.
func whole(call strata.ToolCall, reason sdk.FinishReason) strata.Content {
	if call.ProviderExecuted {
		return call
	}
	input := strings.TrimSpace(call.Input)
	if reason == sdk.FinishReasonLength || reason == sdk.FinishReasonContentFilter {
		if !strings.HasPrefix(input, "{") || !json.Valid([]byte(input)) {
			return strata.ToolInput{ID: call.ID, Name: call.Name, Input: call.Input, ProviderData: call.ProviderData}
		}
	}
	if input == "" || input == "null" {
		call.Input = noInput
	}
	return call
}

// warningsOf turns fantasy's warnings into strata's.
func warningsOf(from []sdk.CallWarning) []strata.Warning {
	var to []strata.Warning
	for _, w := range from {
		s := strata.Warning{Setting: w.Setting, Message: w.Message}
		if w.Tool != nil {
			s.Setting = toolSetting + w.Tool.GetName()
		}
		switch {
		case s.Message == "":
			s.Message = w.Details
		case w.Details != "":
			s.Message += "\n" + w.Details
		}
		to = append(to, s)
	}
	return to
}

const toolSetting = "Tools."

// callWarnings turns warnings into fantasy's, about the tools of a call.
func callWarnings(from []strata.Warning, tools []sdk.Tool) []sdk.CallWarning {
	var to []sdk.CallWarning
	for _, w := range from {
		c := sdk.CallWarning{Type: sdk.CallWarningTypeOther, Message: w.Message}
		if w.Setting != "" {
			c = sdk.CallWarning{Type: sdk.CallWarningTypeUnsupportedSetting, Setting: w.Setting, Details: w.Message}
		}
		for _, t := range tools {
			if w.Setting == toolSetting+t.GetName() {
				c = sdk.CallWarning{Type: sdk.CallWarningTypeUnsupportedTool, Tool: t, Message: w.Message}
			}
		}
		if message, details, both := strings.Cut(w.Message, "\n"); both {
			c.Message, c.Details = message, details
		}
		to = append(to, c)
	}
	return to
}
