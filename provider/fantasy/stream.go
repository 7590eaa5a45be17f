package fantasy

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"

	sdk "charm.land/fantasy"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/exchange"
)

const executedKey = "provider_executed"

// Stream answers the request part by part, with one call of the language model
// each time it is ranged over. Its errors are those of [Model.Generate]; one that
// just stops is of kind network and wraps io.ErrUnexpectedEOF.
//
// Blocks keep fantasy's IDs. Calls of the program's tools are handed on when the
// answer is whole. Fantasy does not tell a stream that was cut in a tool call's input
// from a whole one: where the input is the beginning of JSON and no more, it was cut.
//
// Fantasy's streams hold their connection until their context ends. It ends when
// the range does.
func (m *Model) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		call, warnings, err := m.call(req)
		if err != nil {
			yield(nil, err)
			return
		}
		attempt, cancel := context.WithCancel(ctx)
		defer cancel()
		s := &reader{exchanged: exchanged{exchange.New(m.id)}, model: m, yield: yield, executed: map[string]bool{}}
		attempt = s.Context(attempt)
		object, lost := objectCall(call, req)
		s.warnings = append(warnings, lost...)
		if object != nil {
			s.readObject(ctx, attempt, *object)
		} else {
			edit(req, &call)
			s.readParts(ctx, attempt, call)
		}
		if s.finished && s.Response != nil {
			s.Drain(cancel)
			_ = s.Response.Body.Close()
		}
	}
}

// reader turns a stream of fantasy's into parts. Its first error, or the reader
// leaving, stops it: from then on it hands nothing on.
type reader struct {
	exchanged
	model *Model
	yield func(strata.Part, error) bool

	warnings []strata.Warning // not handed on yet
	started  bool
	stopped  bool
	finished bool
	said     bool // something other than reasoning was handed on

	executed map[string]bool // the calls that the provider runs itself, by ID
	passed   string          // the block that stands for a content and has been handed on
	inputs   map[string]strata.ToolInputEnd
	calls    []strata.ToolCall // of the program's tools
}

func (s *reader) emit(p strata.Part) {
	if !s.started {
		s.started = true
		s.emit(strata.StreamStart{Warnings: s.warnings})
	}
	if !s.stopped {
		s.stopped = !s.yield(p, nil)
	}
}

func (s *reader) stop(err error) {
	if !s.stopped {
		s.stopped = true
		s.yield(nil, err)
	}
}

func (s *reader) readParts(ctx, attempt context.Context, call sdk.Call) {
	parts, err := s.model.lm.Stream(attempt, call)
	switch {
	case err != nil:
		s.stop(s.fail(ctx, err))
		return
	case parts == nil:
		s.stop(s.Fail(failure.Error{Err: errNoAnswer}))
		return
	}
	for p := range parts {
		if s.part(ctx, p); s.stopped || s.finished {
			return
		}
	}
	s.cut(ctx)
}

// cut ends a stream that just stopped.
func (s *reader) cut(ctx context.Context) {
	if err := ctx.Err(); err != nil {
		s.stop(s.Broken(ctx, err))
		return
	}
	s.stop(s.Unfinished())
}

func (s *reader) part(ctx context.Context, p sdk.StreamPart) {
	data := read(p.ProviderMetadata)
	switch p.Type {
	case sdk.StreamPartTypeWarnings:
		if warnings := warningsOf(p.Warnings); s.started {
			s.emit(strata.StreamStart{Warnings: warnings})
		} else {
			s.warnings = append(s.warnings, warnings...)
		}
	case sdk.StreamPartTypeTextStart:
		s.emit(strata.TextStart{ID: p.ID, ProviderData: data})
		s.text(p.ID, p.Delta, nil)
	case sdk.StreamPartTypeTextDelta:
		s.text(p.ID, p.Delta, data)
	case sdk.StreamPartTypeTextEnd:
		s.emit(strata.TextEnd{ID: p.ID, ProviderData: data})
	case sdk.StreamPartTypeReasoningStart, sdk.StreamPartTypeReasoningDelta, sdk.StreamPartTypeReasoningEnd:
		s.reasoning(p, data)
	case sdk.StreamPartTypeToolInputStart, sdk.StreamPartTypeToolInputDelta, sdk.StreamPartTypeToolInputEnd:
		s.toolInput(p, data)
	case sdk.StreamPartTypeToolCall:
		s.toolCall(p)
	case sdk.StreamPartTypeToolResult:
		s.toolResult(p, data)
	case sdk.StreamPartTypeSource:
		s.source(p)
	case sdk.StreamPartTypeFinish:
		s.finish(p, data)
	case sdk.StreamPartTypeError:
		s.stop(s.fail(ctx, p.Error))
	default:
		if x := extraOf(p.ProviderMetadata); x.Part != nil {
			s.said = s.said || x.Part.Commits()
			s.emit(x.Part)
			return
		}
		s.emit(strata.Raw{Value: p})
	}
}

func (s *reader) text(id, text string, data strata.ProviderData) {
	if text == "" && data == nil {
		return
	}
	s.said = s.said || text != ""
	s.emit(strata.TextDelta{ID: id, Text: text, ProviderData: data})
}

// reasoning hands on a piece of reasoning, or the content that an empty block
// stands for.
func (s *reader) reasoning(p sdk.StreamPart, data strata.ProviderData) {
	if x := extraOf(p.ProviderMetadata); x.Content != nil {
		if part, ok := x.Content.(strata.Part); ok {
			s.passed, s.said = p.ID, true
			s.emit(part)
			return
		}
	}
	if s.passed != "" && s.passed == p.ID {
		if p.Type == sdk.StreamPartTypeReasoningEnd {
			s.passed = ""
		}
		return
	}
	switch p.Type {
	case sdk.StreamPartTypeReasoningStart:
		s.emit(strata.ReasoningStart{ID: p.ID, ProviderData: data})
		if p.Delta != "" {
			s.emit(strata.ReasoningDelta{ID: p.ID, Text: p.Delta})
		}
	case sdk.StreamPartTypeReasoningDelta:
		s.emit(strata.ReasoningDelta{ID: p.ID, Text: p.Delta, ProviderData: data})
	default:
		s.emit(strata.ReasoningEnd{ID: p.ID, ProviderData: data})
	}
}

// toolInput hands on a piece of a call's input. The end waits for the call, other
// than for tools that the provider runs.
func (s *reader) toolInput(p sdk.StreamPart, data strata.ProviderData) {
	switch p.Type {
	case sdk.StreamPartTypeToolInputStart:
		if s.executed[p.ID] = p.ProviderExecuted; p.ProviderExecuted {
			data = with(data, executedKey, true)
		}
		s.emit(strata.ToolInputStart{ID: p.ID, Name: p.ToolCallName, ProviderData: data})
		if input := cmp.Or(p.Delta, p.ToolCallInput); input != "" {
			s.emit(strata.ToolInputDelta{ID: p.ID, Delta: input})
		}
	case sdk.StreamPartTypeToolInputDelta: // Anthropic's provider has it in the other field
		s.emit(strata.ToolInputDelta{ID: p.ID, Delta: cmp.Or(p.Delta, p.ToolCallInput), ProviderData: data})
	default:
		if p.ProviderExecuted {
			data = with(data, executedKey, true)
		}
		end := strata.ToolInputEnd{ID: p.ID, ProviderData: data}
		if s.executed[p.ID] || p.ProviderExecuted {
			s.emit(end)
			return
		}
		if s.inputs == nil {
			s.inputs = map[string]strata.ToolInputEnd{}
		}
		s.inputs[p.ID] = end
	}
}

func (s *reader) toolCall(p sdk.StreamPart) {
	call := toolCallOf(sdk.ToolCallContent{
		ToolCallID: p.ID, ToolName: p.ToolCallName, Input: p.ToolCallInput,
		ProviderExecuted: p.ProviderExecuted, ProviderMetadata: p.ProviderMetadata,
	})
	if !p.ProviderExecuted {
		s.calls = append(s.calls, call)
		return
	}
	s.said = true
	s.emit(call)
}

func (s *reader) toolResult(p sdk.StreamPart, data strata.ProviderData) {
	s.said = true
	if r, ok := extraOf(p.ProviderMetadata).Content.(strata.ToolResult); ok {
		s.emit(r)
		return
	}
	s.emit(strata.ToolResult{ID: p.ID, Name: p.ToolCallName, ProviderExecuted: p.ProviderExecuted, ProviderData: data})
}

func (s *reader) source(p sdk.StreamPart) {
	s.said = true
	if source, ok := extraOf(p.ProviderMetadata).Content.(strata.Source); ok {
		s.emit(source)
		return
	}
	s.emit(sourceOf(sdk.SourceContent{
		SourceType: p.SourceType, ID: p.ID, URL: p.URL, Title: p.Title, ProviderMetadata: p.ProviderMetadata,
	}))
}

// finish hands on what ends an answer.
func (s *reader) finish(p sdk.StreamPart, data strata.ProviderData) {
	var calls []strata.ToolCall
	for _, c := range s.calls {
		call, ok := whole(c, p.FinishReason).(strata.ToolCall)
		if !ok {
			continue
		}
		if beginsOnly(call.Input) {
			s.stop(s.Unfinished())
			return
		}
		calls = append(calls, call)
	}
	if err := s.blocked(p.FinishReason, s.said || len(calls) > 0); err != nil {
		s.stop(err)
		return
	}
	x := extraOf(p.ProviderMetadata)
	meta := x.Metadata
	meta.ID = cmp.Or(meta.ID, p.ID)
	if s.Headers != nil {
		meta.Headers = s.Headers
	}
	if !none(meta) {
		s.emit(meta)
	}
	for _, call := range calls {
		if end, ok := s.inputs[call.ID]; ok {
			s.emit(end)
		}
		s.emit(call)
	}
	o := s.model.outcome(p.FinishReason, p.Usage, len(calls) > 0)
	f := strata.Finish{
		Reason: o.reason, RawReason: cmp.Or(x.RawFinishReason, string(p.FinishReason)),
		Usage: o.usage, Model: s.Model, ProviderData: o.keep(data),
	}
	if !x.Model.IsZero() {
		f.Model = x.Model
	}
	s.finished = !s.stopped // whether or not the reader wants more behind it
	s.emit(f)
}

// beginsOnly reports whether input is the beginning of JSON and no more.
func beginsOnly(input string) bool {
	var v json.RawMessage
	if json.Valid([]byte(input)) {
		return false
	}
	return errors.Is(json.NewDecoder(strings.NewReader(input)).Decode(&v), io.ErrUnexpectedEOF)
}
