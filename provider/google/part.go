package google

import (
	"cmp"
	"crypto/rand"
	"strings"

	"github.com/strata-go/strata"
)

// block is a block of text or of thoughts that is open; the zero block is none.
type block struct {
	kind  blockKind
	extra map[string]any // of its parts: what goes back with it
}

type blockKind int

const (
	none blockKind = iota
	text
	thought
)

// toolInput is a function call. Google sends each in one piece.
type toolInput struct {
	id, name string
	input    string // empty: no arguments came
	extra    map[string]any
}

// cut reports whether the server may have cut the call before its arguments, in an
// answer that ended for this reason.
func (t *toolInput) cut(finish string, filtered bool) bool {
	return t.name == "" || t.input == "" && (filtered || finishReason(finish, false) == strata.FinishLength)
}

// part hands on a part of the answer.
func (r *reader) part(p *part) {
	switch {
	case p.FunctionCall != nil:
		r.functionCall(p)
	case p.InlineData != nil:
		r.file(strata.File{MediaType: p.InlineData.MimeType, Data: p.InlineData.Data, ProviderData: r.data(p.extra("inlineData"))})
	case p.FileData != nil:
		f := p.FileData
		r.file(strata.File{MediaType: f.MimeType, URL: f.FileURI, Filename: f.DisplayName, ProviderData: r.data(p.extra("fileData"))})
	case p.ExecutableCode != nil || p.CodeExecutionResult != nil || p.ToolCall != nil || p.ToolResponse != nil:
		r.executedPart(p)
	case p.Text != nil:
		r.text(*p.Text, p.Thought, p.extra("text", "thought"))
	case p.Thought || p.fields[signatureKey] != nil: // a signature alone
		r.text("", p.Thought, p.extra("thought"))
	case len(p.fields) > 0:
		r.close()
		r.emit(strata.Raw{Value: p.raw})
	}
}

// text hands on a piece of text or of thoughts. The pieces of a stream make one
// block, whichever of them has the signature; a second signature is that of
// another block.
func (r *reader) text(t string, isThought bool, extra map[string]any) {
	if t == "" && extra == nil {
		return
	}
	kind := text
	if isThought {
		kind = thought
	}
	if extra != nil && r.block.extra != nil {
		r.close()
	}
	r.open(kind)
	switch {
	case t == "":
	case isThought:
		r.emit(strata.ReasoningDelta{ID: r.blockID(), Text: t})
	default:
		r.given = true
		r.emit(strata.TextDelta{ID: r.blockID(), Text: t})
	}
	if extra != nil {
		r.block.extra = extra
	}
	if r.whole {
		r.close()
	}
}

// open opens a block of the kind, unless the open one is of it.
func (r *reader) open(kind blockKind) {
	if r.block.kind == kind {
		return
	}
	r.close()
	r.block = block{kind: kind}
	r.blocks++
	if kind == text {
		r.emit(strata.TextStart{ID: r.blockID()})
	} else {
		r.emit(strata.ReasoningStart{ID: r.blockID()})
	}
}

// close closes the open block. What Google wants back with it is known only now.
func (r *reader) close() {
	switch data := r.data(r.block.extra); r.block.kind {
	case text:
		r.emit(strata.TextEnd{ID: r.blockID(), ProviderData: data})
	case thought:
		r.emit(strata.ReasoningEnd{ID: r.blockID(), ProviderData: data})
	}
	r.block = block{}
}

// functionCall hands on the input of a function call; the call follows when the
// answer is whole.
func (r *reader) functionCall(p *part) {
	r.close()
	f := p.FunctionCall
	if len(f.PartialArgs) > 0 || f.WillContinue {
		r.emit(strata.Raw{Value: p.raw})
		return
	}
	r.given = true
	t := &toolInput{id: f.ID, name: f.Name, input: f.input(), extra: p.extra("functionCall")}
	if t.id == "" {
		t.id = newID()
	}
	r.tools = append(r.tools, t)
	if t.name == "" {
		return
	}
	r.emit(strata.ToolInputStart{ID: t.id, Name: t.name})
	if t.input != "" {
		r.emit(strata.ToolInputDelta{ID: t.id, Delta: t.input})
	}
}

// newID is an ID for a call that came without: its result needs something to
// refer to.
func newID() string { return "call_" + rand.Text() }

func (r *reader) file(f strata.File) {
	r.close()
	r.given = true
	r.emit(f)
}

// codeExecution is the name of the tool that runs code.
const codeExecution = "code_execution"

// executedPart hands on a tool that Google ran. All of the part goes back.
func (r *reader) executedPart(p *part) {
	r.close()
	r.given = true
	data := r.data(p.extra())
	call := func(id, name, input string) {
		r.executed = cmp.Or(id, newID())
		r.emit(strata.ToolCall{ID: r.executed, Name: name, Input: cmp.Or(input, noInput), ProviderExecuted: true, ProviderData: data})
	}
	result := strata.ToolResult{ProviderExecuted: true, ProviderData: data}
	switch {
	case p.ExecutableCode != nil:
		call(p.ExecutableCode.ID, codeExecution, compact(p.fields["executableCode"]))
		return
	case p.ToolCall != nil:
		call(p.ToolCall.ID, strings.ToLower(p.ToolCall.ToolType), compact(p.ToolCall.Args))
		return
	case p.CodeExecutionResult != nil:
		c := p.CodeExecutionResult
		result.ID, result.Name, result.Output = c.ID, codeExecution, c.Output
		result.IsError = c.Outcome != "" && c.Outcome != "OUTCOME_OK" && c.Outcome != "OUTCOME_UNSPECIFIED"
	default:
		t := p.ToolResponse
		result.ID, result.Name, result.Output = t.ID, strings.ToLower(t.ToolType), compact(t.Response)
	}
	result.ID = cmp.Or(result.ID, r.executed)
	r.emit(result)
}
