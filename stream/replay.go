package stream

import (
	"errors"
	"iter"
	"reflect"
	"strconv"

	"github.com/strata-go/strata"
)

// Replay returns a whole answer as a stream, for a layer that has one where its
// caller wants the other. It is the inverse of [Collect]:
//
//	Collect(Replay(resp)) gives resp again, if Collect made it
//	Replay(Collect(parts)) gives parts in their normal form
//
// Of other responses, an Image comes back as a File and Raw is left out.
// In the normal form a stream begins with StreamStart, each block is a start,
// one delta and an end, in order, with its place in the answer as its ID, and
// every tool call follows its input parts. The sequence may be ranged over any
// number of times.
func Replay(resp *strata.Response) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		if resp == nil {
			yield(nil, errors.New("stream.Replay: the response is nil"))
			return
		}
		for part := range replay(resp) {
			if !yield(part, nil) {
				return
			}
		}
	}
}

func replay(resp *strata.Response) iter.Seq[strata.Part] {
	return func(yield func(strata.Part) bool) {
		if !yield(strata.StreamStart{Warnings: resp.Warnings}) {
			return
		}
		if !reflect.ValueOf(resp.Metadata).IsZero() && !yield(resp.Metadata) {
			return
		}
		for i, content := range resp.Content {
			for _, p := range parts(content, strconv.Itoa(i)) {
				if !yield(p) {
					return
				}
			}
		}
		yield(strata.Finish{
			Reason: resp.FinishReason, RawReason: resp.RawFinishReason, Usage: resp.Usage,
			Model: resp.Model, ProviderData: resp.ProviderData,
		})
	}
}

// parts returns the parts that a content is made of.
func parts(content strata.Content, id string) []strata.Part {
	switch c := content.(type) {
	case strata.Text:
		return []strata.Part{
			strata.TextStart{ID: id},
			strata.TextDelta{ID: id, Text: c.Text},
			strata.TextEnd{ID: id, ProviderData: c.ProviderData},
		}
	case strata.Reasoning:
		return []strata.Part{
			strata.ReasoningStart{ID: id},
			strata.ReasoningDelta{ID: id, Text: c.Text},
			strata.ReasoningEnd{ID: id, ProviderData: c.ProviderData},
		}
	case strata.ToolInput:
		return []strata.Part{
			strata.ToolInputStart{ID: c.ID, Name: c.Name, ProviderData: c.ProviderData},
			strata.ToolInputDelta{ID: c.ID, Delta: c.Input},
		}
	case strata.ToolCall:
		return []strata.Part{
			strata.ToolInputStart{ID: c.ID, Name: c.Name},
			strata.ToolInputDelta{ID: c.ID, Delta: c.Input},
			strata.ToolInputEnd{ID: c.ID},
			c,
		}
	case strata.Image:
		return []strata.Part{strata.File{MediaType: c.MediaType, Data: c.Data, URL: c.URL, ProviderData: c.ProviderData}}
	case strata.Raw:
		_, known := c.Value.(strata.Content)
		if p, ok := c.Value.(strata.Part); ok && !known { // of a type that Collect does not know
			return []strata.Part{p}
		}
		return []strata.Part{c}
	case strata.Part: // ToolResult, Source, File
		return []strata.Part{c}
	}
	return nil
}
