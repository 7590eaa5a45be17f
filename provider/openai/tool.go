package openai

import (
	"crypto/rand"
	"encoding/json"
	"strings"

	"github.com/strata-go/strata"
)

// noInput is the input of a call that came without arguments.
const noInput = "{}"

// toolInput is a tool call while its pieces arrive.
type toolInput struct {
	index *number
	id    string
	name  string
	input strings.Builder
	extra map[string]any      // fields of the server's own beside the call
	data  strata.ProviderData // or those of its item

	cut     bool // the server says that the input is not whole
	started bool // its ToolInputStart was handed on, and sent bytes of the input
	sent    int
}

// toolInputs are the tool calls of one answer in their order.
type toolInputs []*toolInput

// add adds a piece to the call it belongs to, or as a new call, and returns it.
func (ts *toolInputs) add(p toolPiece) *toolInput {
	t := ts.find(p)
	if t == nil {
		t = &toolInput{index: p.Index, id: p.ID, extra: p.extra}
		if t.id == "" {
			t.id = "call_" + rand.Text() // the result needs something to refer to
		}
		*ts = append(*ts, t)
	}
	if t.name == "" { // some servers repeat it with every piece
		t.name = p.Function.Name
	}
	for k, v := range p.extra {
		if t.extra == nil {
			t.extra = map[string]any{}
		}
		t.extra[k] = v
	}
	t.input.WriteString(p.Function.arguments())
	return t
}

// find returns the call that p continues; nil: it begins one. The index says
// which, but some servers leave it out or give every call the same, and some
// make up a new ID for every piece: an ID and a name together begin a call.
func (ts toolInputs) find(p toolPiece) *toolInput {
	begins := p.ID != "" && p.Function.Name != ""
	for i := len(ts) - 1; i >= 0; i-- {
		t := ts[i]
		same := p.Index == nil || t.index != nil && *t.index == *p.Index
		if same && (!begins || t.id == p.ID) {
			return t
		}
	}
	return nil
}

// call returns the whole call when the answer has finished, and false for half a
// call, which is one with no name, or one of an answer that was cut before the
// input was whole.
func (t *toolInput) call(cut bool, provider string) (strata.ToolCall, bool) {
	input := strings.TrimSpace(t.input.String())
	if cut {
		if !strings.HasPrefix(input, "{") || !json.Valid([]byte(input)) {
			return strata.ToolCall{}, false
		}
	}
	if input == "" || input == "null" {
		input = noInput
	}
	return strata.ToolCall{ID: t.id, Name: t.name, Input: input, ProviderData: t.providerData(provider)}, t.name != ""
}

// providerData are the fields of the server's own beside the call.
func (t *toolInput) providerData(provider string) strata.ProviderData {
	if len(t.extra) == 0 {
		return t.data
	}
	return strata.ProviderData{provider: t.extra}
}
