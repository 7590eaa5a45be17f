package eino

import (
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"

	"github.com/cloudwego/eino/schema"

	"github.com/strata-go/strata"
)

// noInput is the input of a call that came without arguments.
const noInput = "{}"

// tool is a tool call while its pieces arrive.
type tool struct {
	index *int
	id    string
	name  string
	input strings.Builder
	extra map[string]any
	begun bool // its ToolInputStart was handed on
	done  bool // so was its ToolCall
}

// tools are the tool calls of an answer in the order they began.
type tools []*tool

// find is the call that a piece continues, or nil: those of one index are one
// call, and one without an index is whole, as schema.ConcatMessages has it. Some
// models give all calls the same index: another ID begins another call.
func (ts tools) find(c schema.ToolCall) *tool {
	for _, t := range slices.Backward(ts) {
		same := c.Index != nil && t.index != nil && *c.Index == *t.index
		loose := c.Index == nil && c.ID == "" && c.Function.Name == ""
		if same && (c.ID == "" || c.ID == t.id) || loose {
			return t
		}
	}
	return nil
}

func (ts tools) byID(id string) *tool {
	for _, t := range ts {
		if t.id == id && !t.done {
			return t
		}
	}
	return nil
}

// toolPiece takes a piece of a tool call.
func (r *reader) toolPiece(c schema.ToolCall) {
	r.given = true
	t := r.tools.find(c)
	if t == nil {
		t = &tool{index: c.Index, id: c.ID, extra: c.Extra} // ConcatMessages keeps the first Extra too
		if t.id == "" {
			t.id = "call_" + rand.Text() // the result needs something to refer to
		}
		r.tools = append(r.tools, t)
	}
	if t.name == "" {
		t.name = c.Function.Name
	}
	t.input.WriteString(c.Function.Arguments)
	if t.name == "" {
		return
	}
	delta := c.Function.Arguments
	if !t.begun {
		t.begun, delta = true, t.input.String()
		r.close(nil)
		r.emit(strata.ToolInputStart{ID: t.id, Name: t.name})
	}
	if delta != "" {
		r.emit(strata.ToolInputDelta{ID: t.id, Delta: delta})
	}
}

// call hands on a call that is whole, with more provider data.
func (r *reader) call(t *tool, more strata.ProviderData) {
	if t.done || t.name == "" {
		return
	}
	t.done = true
	entry := r.calls[t.id]
	call := strata.ToolCall{ID: t.id, Name: t.name, Input: t.input.String()}
	call.ProviderExecuted, _ = entry["ProviderExecuted"].(bool)
	if mended, ok := entry["Input"].(string); ok {
		call.Input = mended
	}
	if strings.TrimSpace(call.Input) == "" || call.Input == "null" {
		call.Input = noInput
	}
	call.ProviderData = dataFrom(entry)
	call.ProviderData = merged(with(call.ProviderData, DataKey, own(t.extra)), more)
	r.emit(strata.ToolInputEnd{ID: t.id})
	r.emit(call)
}

// cut reports whether a call's input may have been cut. Half a call is never
// completed: it was cut if the answer was, and where nobody says how the answer
// ended, if it is not JSON.
func (t *tool) cut(reason strata.FinishReason) bool {
	input := strings.TrimSpace(t.input.String())
	switch reason {
	case strata.FinishLength, strata.FinishContentFilter, strata.FinishError:
		return !strings.HasPrefix(input, "{") || !json.Valid([]byte(input))
	case strata.FinishUnknown:
		return input != "" && !json.Valid([]byte(input))
	}
	return false
}
