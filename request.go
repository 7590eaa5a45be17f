package strata

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
)

// A Request is what a model is asked. Its zero fields leave the choice to the
// provider. Layers never change a Request they are given, they change a
// [Request.Clone]; so one Request may be sent any number of times, from any
// number of goroutines.
//
// A setting that a provider cannot honour is left out and told as a [Warning].
type Request struct {
	Messages []Message

	Tools      []Tool
	ToolChoice *ToolChoice // nil leaves it to the provider, in practice ToolChoiceAuto

	// ResponseFormat asks for text, JSON, or JSON of a schema. Nil is text.
	ResponseFormat *ResponseFormat

	MaxOutputTokens  int // 0: the provider's own limit
	Temperature      *float64
	TopP             *float64
	TopK             *int
	PresencePenalty  *float64
	FrequencyPenalty *float64
	StopSequences    []string
	Seed             *int64
	ReasoningEffort  ReasoningEffort

	// Headers are sent with the provider's HTTP request, beside its own.
	Headers http.Header

	// ProviderOptions are settings of one provider's own. An adapter reads those
	// under its provider's name and puts them into the request it sends, over
	// what the fields above gave.
	ProviderOptions ProviderData

	// Raw is the escape hatch: a value that one adapter knows what to do with,
	// as its documentation says, and that every other adapter ignores. A
	// function that edits the SDK's own parameters is the usual form. A value
	// with a method Override(by any) any is asked what it becomes when another
	// request is laid over this one; see With.
	Raw any
}

// ProviderData is what one provider alone understands, by the provider's name:
// options on the way in, metadata on the way out. What came out beside a
// [Content] goes back in with it unchanged, so that signatures and item IDs
// reach the provider that issued them.
type ProviderData map[string]map[string]any

// Clone returns a copy down to the fields of each provider, whose values are shared.
func (d ProviderData) Clone() ProviderData {
	if d == nil {
		return nil
	}
	c := make(ProviderData, len(d))
	for provider, fields := range d {
		c[provider] = maps.Clone(fields)
	}
	return c
}

// ReasoningEffort says how much a model should reason before it answers. The
// empty effort leaves it to the provider. Other values than the constants reach
// the provider as they are.
type ReasoningEffort string

// The efforts that providers commonly know.
const (
	ReasoningNone    ReasoningEffort = "none"
	ReasoningMinimal ReasoningEffort = "minimal"
	ReasoningLow     ReasoningEffort = "low"
	ReasoningMedium  ReasoningEffort = "medium"
	ReasoningHigh    ReasoningEffort = "high"
)

// A Tool is a function that a model may ask the program to call.
type Tool struct {
	Name        string
	Description string
	InputSchema json.RawMessage // a JSON Schema of the input; nil: no input
	Strict      *bool           // whether inputs must follow the schema; nil: the provider's default

	// ProviderOptions are options of one provider's own for this tool.
	ProviderOptions ProviderData
}

// ToolChoice says whether a model may, must or must not call a tool.
type ToolChoice struct {
	Mode ToolChoiceMode
	Name string // the tool that must be called, with ToolChoiceTool
}

// ToolChoiceMode is the mode of a [ToolChoice].
type ToolChoiceMode string

// The modes of a tool choice.
const (
	ToolChoiceAuto     ToolChoiceMode = "auto"     // the model decides
	ToolChoiceNone     ToolChoiceMode = "none"     // no tool may be called
	ToolChoiceRequired ToolChoiceMode = "required" // some tool must be called
	ToolChoiceTool     ToolChoiceMode = "tool"     // the named tool must be called
)

// ResponseFormat asks for an answer of a certain form.
type ResponseFormat struct {
	Type ResponseFormatType

	// Schema is the JSON Schema of the answer, with ResponseJSON; nil asks for
	// any JSON. Name and Description tell the model what it describes; Strict,
	// whether the answer must follow it (nil: the adapter's default).
	Schema      json.RawMessage
	Name        string
	Description string
	Strict      *bool
}

// ResponseFormatType is the type of a [ResponseFormat].
type ResponseFormatType string

// The types of a response format.
const (
	ResponseText ResponseFormatType = "text"
	ResponseJSON ResponseFormatType = "json"
)

// Prompt returns a Request of one user message, for a call that needs no more.
func Prompt(text string) *Request {
	return &Request{Messages: []Message{UserMessage(text)}}
}

// Clone returns a copy that shares nothing with r that either could change:
// messages, tools, headers, options and the numbers behind pointers are copied.
// The bytes of contents, values inside ProviderData and Raw are shared and stay
// as they are.
func (r *Request) Clone() *Request {
	c := *r
	c.Messages = slices.Clone(r.Messages)
	for i := range c.Messages {
		m := &c.Messages[i]
		m.Content = slices.Clone(m.Content)
		m.ProviderOptions = m.ProviderOptions.Clone()
	}
	c.Tools = slices.Clone(r.Tools)
	for i := range c.Tools {
		t := &c.Tools[i]
		t.InputSchema = bytes.Clone(t.InputSchema)
		t.Strict = clonePointer(t.Strict)
		t.ProviderOptions = t.ProviderOptions.Clone()
	}
	c.ToolChoice = clonePointer(r.ToolChoice)
	if c.ResponseFormat = clonePointer(r.ResponseFormat); c.ResponseFormat != nil {
		c.ResponseFormat.Schema = bytes.Clone(r.ResponseFormat.Schema)
		c.ResponseFormat.Strict = clonePointer(r.ResponseFormat.Strict)
	}
	c.Temperature = clonePointer(r.Temperature)
	c.TopP = clonePointer(r.TopP)
	c.TopK = clonePointer(r.TopK)
	c.PresencePenalty = clonePointer(r.PresencePenalty)
	c.FrequencyPenalty = clonePointer(r.FrequencyPenalty)
	c.StopSequences = slices.Clone(r.StopSequences)
	c.Seed = clonePointer(r.Seed)
	c.Headers = r.Headers.Clone()
	c.ProviderOptions = r.ProviderOptions.Clone()
	return &c
}

// With returns a Clone of r in which each field of override that is not zero
// stands in place of r's, whole: headers, options and lists are not merged.
func (r *Request) With(override *Request) *Request {
	c, o := r.Clone(), override.Clone()
	replace(&c.Messages, o.Messages, o.Messages != nil)
	replace(&c.Tools, o.Tools, o.Tools != nil)
	replace(&c.ToolChoice, o.ToolChoice, o.ToolChoice != nil)
	replace(&c.ResponseFormat, o.ResponseFormat, o.ResponseFormat != nil)
	replace(&c.MaxOutputTokens, o.MaxOutputTokens, o.MaxOutputTokens != 0)
	replace(&c.Temperature, o.Temperature, o.Temperature != nil)
	replace(&c.TopP, o.TopP, o.TopP != nil)
	replace(&c.TopK, o.TopK, o.TopK != nil)
	replace(&c.PresencePenalty, o.PresencePenalty, o.PresencePenalty != nil)
	replace(&c.FrequencyPenalty, o.FrequencyPenalty, o.FrequencyPenalty != nil)
	replace(&c.StopSequences, o.StopSequences, o.StopSequences != nil)
	replace(&c.Seed, o.Seed, o.Seed != nil)
	replace(&c.ReasoningEffort, o.ReasoningEffort, o.ReasoningEffort != "")
	replace(&c.Headers, o.Headers, o.Headers != nil)
	replace(&c.ProviderOptions, o.ProviderOptions, o.ProviderOptions != nil)
	if r, ok := c.Raw.(interface{ Override(by any) any }); ok && o.Raw != nil {
		c.Raw = r.Override(o.Raw)
	} else {
		replace(&c.Raw, o.Raw, o.Raw != nil)
	}
	return c
}

func replace[T any](field *T, with T, set bool) {
	if set {
		*field = with
	}
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
