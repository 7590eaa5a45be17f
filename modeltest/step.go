package modeltest

import (
	"context"
	"time"

	"github.com/strata-go/strata"
)

// Answer returns an attempt that answers with text and stops.
func Answer(text string) Attempt {
	return Attempt{Start(), TextStart("0"), Text(text), TextEnd("0"), Finish(strata.FinishStop)}
}

// Failure returns an attempt that fails at once.
func Failure(err error) Attempt { return Attempt{Fail(err)} }

// Part yields p. The model fills in what p leaves empty: the ID of a delta is
// that of the block that was opened last, the Model of a Finish the model's own.
func Part(p strata.Part) Step {
	return func(_ context.Context, yield func(strata.Part, error) bool) bool { return yield(p, nil) }
}

// Start yields a StreamStart.
func Start() Step { return Part(strata.StreamStart{}) }

// Metadata yields a ResponseMetadata with a response ID.
func Metadata(id string) Step { return Part(strata.ResponseMetadata{ID: id}) }

// TextStart opens a block of text.
func TextStart(id string) Step { return Part(strata.TextStart{ID: id}) }

// Text yields a text delta of the block that was opened last.
func Text(text string) Step { return Part(strata.TextDelta{Text: text}) }

// TextEnd closes a block of text.
func TextEnd(id string) Step { return Part(strata.TextEnd{ID: id}) }

// ReasoningStart opens a block of reasoning.
func ReasoningStart(id string) Step { return Part(strata.ReasoningStart{ID: id}) }

// Reasoning yields a reasoning delta of the block that was opened last.
func Reasoning(text string) Step { return Part(strata.ReasoningDelta{Text: text}) }

// ReasoningEnd closes a block of reasoning.
func ReasoningEnd(id string) Step { return Part(strata.ReasoningEnd{ID: id}) }

// ToolInput yields one delta of the input of a tool call.
func ToolInput(id, delta string) Step {
	return Part(strata.ToolInputDelta{ID: id, Delta: delta})
}

// ToolCall yields a whole tool call with its input as JSON.
func ToolCall(id, name, input string) Step {
	return Part(strata.ToolCall{ID: id, Name: name, Input: input})
}

// Finish yields a Finish whose raw reason is the same word.
func Finish(reason strata.FinishReason) Step {
	return Part(strata.Finish{Reason: reason, RawReason: string(reason)})
}

// Fail ends the attempt with err.
func Fail(err error) Step {
	return func(_ context.Context, yield func(strata.Part, error) bool) bool {
		yield(nil, err)
		return false
	}
}

// Wait waits for d. If the context ends first the attempt fails with its error.
func Wait(d time.Duration) Step {
	return func(ctx context.Context, yield func(strata.Part, error) bool) bool {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return true
		case <-ctx.Done():
			yield(nil, ctx.Err())
			return false
		}
	}
}

// Hang waits until the context ends and fails with its error, as a provider
// does that took the request and never answers.
func Hang() Step {
	return func(ctx context.Context, yield func(strata.Part, error) bool) bool {
		<-ctx.Done()
		yield(nil, ctx.Err())
		return false
	}
}

// Panic panics with v.
func Panic(v any) Step {
	return func(context.Context, func(strata.Part, error) bool) bool { panic(v) }
}
