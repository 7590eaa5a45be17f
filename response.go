package strata

import (
	"net/http"
	"strings"
	"time"
)

// A Response is a whole answer.
type Response struct {
	// Model is the ID of the Model that answered, whatever layers it passed,
	// never the name its server reports; that is in Metadata.
	Model ModelID

	// Content is the answer in its order. Text, Reasoning and ToolCalls pick
	// what most callers want from it.
	Content []Content

	FinishReason    FinishReason
	RawFinishReason string // the provider's own word
	Usage           Usage
	Metadata        ResponseMetadata
	Warnings        []Warning
	ProviderData    ProviderData

	// Raw is the SDK's own answer, where the adapter has one.
	Raw any
}

// Text returns all text of the answer, joined.
func (r *Response) Text() string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(Text); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// Reasoning returns all reasoning of the answer, joined.
func (r *Response) Reasoning() string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(Reasoning); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// ToolCalls returns the tool calls of the answer in their order.
func (r *Response) ToolCalls() []ToolCall {
	var calls []ToolCall
	for _, c := range r.Content {
		if t, ok := c.(ToolCall); ok {
			calls = append(calls, t)
		}
	}
	return calls
}

// Message returns the answer as the assistant message that the next request
// sends back.
func (r *Response) Message() Message {
	return Message{Role: RoleAssistant, Content: r.Content}
}

// ResponseMetadata is what a provider says about its answer. In a stream it is
// a part and may come several times: a field that is set replaces the one
// before it.
type ResponseMetadata struct {
	ID        string // the provider's ID of the answer
	Model     string // the model's name as its server reports it
	Timestamp time.Time
	Headers   http.Header // of the HTTP response, without any that carry keys

	// Usage is the usage so far, in a stream; the last one counts where no
	// Finish follows. It is nil in a Response.
	Usage *Usage
}

// FinishReason says why an answer ended.
type FinishReason string

// The reasons for which an answer ends.
const (
	FinishStop          FinishReason = "stop"           // the model was done
	FinishLength        FinishReason = "length"         // it reached a limit of tokens
	FinishContentFilter FinishReason = "content-filter" // the provider stopped it
	FinishToolCalls     FinishReason = "tool-calls"     // it wants tools called
	FinishError         FinishReason = "error"          // the provider failed
	FinishOther         FinishReason = "other"          // something else
	FinishUnknown       FinishReason = "unknown"        // the provider did not say
)

// Usage counts the tokens of a call as the provider reports them; a count that
// it does not report is 0. Counts are never invented.
type Usage struct {
	InputTokens       int64 // all of the input, cached tokens included
	OutputTokens      int64 // all of the output, reasoning included
	TotalTokens       int64
	CachedInputTokens int64 // of the input, read from the provider's cache
	CacheWriteTokens  int64 // of the input, written to the provider's cache
	ReasoningTokens   int64 // of the output, spent on reasoning
}

// Add returns the sum of u and v.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		InputTokens:       u.InputTokens + v.InputTokens,
		OutputTokens:      u.OutputTokens + v.OutputTokens,
		TotalTokens:       u.TotalTokens + v.TotalTokens,
		CachedInputTokens: u.CachedInputTokens + v.CachedInputTokens,
		CacheWriteTokens:  u.CacheWriteTokens + v.CacheWriteTokens,
		ReasoningTokens:   u.ReasoningTokens + v.ReasoningTokens,
	}
}

// A Warning says that a provider could not honour something in a request.
type Warning struct {
	Setting string // the field or option, "TopK"; empty where it is none
	Message string
}
