package fantasy

import (
	"context"
	"strconv"

	sdk "charm.land/fantasy"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/stream"
)

// Stream answers the call part by part. Nothing is sent before the stream is
// ranged over; ranging it again is a new request. Leaving the range abandons the
// request. An error, the last part, is as [Wrap] says.
//
// A file is in the [Extra] of an empty block of reasoning, so that an agent keeps
// it. Other parts that fantasy has no form for are of the type [PartExtra].
func (l *LanguageModel) Stream(ctx context.Context, call sdk.Call) (sdk.StreamResponse, error) {
	req, err := l.request(call)
	if err != nil {
		return nil, err
	}
	return func(yield func(sdk.StreamPart) bool) {
		w := &writer{model: l, yield: yield, call: call}
		stream.Each(ctx, l.model, req, func(p strata.Part, err error) bool {
			if err != nil {
				return yield(sdk.StreamPart{Type: sdk.StreamPartTypeError, Error: errorOf(err)})
			}
			return w.part(p)
		})
	}, nil
}

// writer turns parts into fantasy's.
type writer struct {
	model *LanguageModel
	yield func(sdk.StreamPart) bool
	call  sdk.Call

	warned bool
	meta   strata.ResponseMetadata
	blocks int // made for contents
}

// warn hands on warnings, and with the first those about what is fantasy's own.
func (w *writer) warn(warnings []strata.Warning) bool {
	all := callWarnings(warnings, w.call.Tools)
	if !w.warned {
		w.warned = true
		all = append(all, w.model.foreign(w.call)...)
	}
	return len(all) == 0 || w.yield(sdk.StreamPart{Type: sdk.StreamPartTypeWarnings, Warnings: all})
}

func (w *writer) part(p strata.Part) bool {
	switch p := p.(type) {
	case strata.StreamStart:
		return w.warn(p.Warnings)
	case strata.ResponseMetadata:
		merge(&w.meta, p)
		return true
	case strata.TextStart:
		return w.block(sdk.StreamPartTypeTextStart, p.ID, "", p.ProviderData)
	case strata.TextDelta:
		return w.block(sdk.StreamPartTypeTextDelta, p.ID, p.Text, p.ProviderData)
	case strata.TextEnd:
		return w.block(sdk.StreamPartTypeTextEnd, p.ID, "", p.ProviderData)
	case strata.ReasoningStart:
		return w.block(sdk.StreamPartTypeReasoningStart, p.ID, "", p.ProviderData)
	case strata.ReasoningDelta:
		return w.block(sdk.StreamPartTypeReasoningDelta, p.ID, p.Text, p.ProviderData)
	case strata.ReasoningEnd:
		return w.block(sdk.StreamPartTypeReasoningEnd, p.ID, "", p.ProviderData)
	case strata.ToolInputStart:
		executed, _ := p.ProviderData[Key][executedKey].(bool)
		return w.yield(sdk.StreamPart{
			Type: sdk.StreamPartTypeToolInputStart, ID: p.ID, ToolCallName: p.Name, ProviderExecuted: executed,
			ProviderMetadata: write(p.ProviderData, Extra{}),
		})
	case strata.ToolInputDelta:
		return w.block(sdk.StreamPartTypeToolInputDelta, p.ID, p.Delta, p.ProviderData)
	case strata.ToolInputEnd:
		executed, _ := p.ProviderData[Key][executedKey].(bool)
		return w.yield(sdk.StreamPart{
			Type: sdk.StreamPartTypeToolInputEnd, ID: p.ID, ProviderExecuted: executed,
			ProviderMetadata: write(p.ProviderData, Extra{}),
		})
	}
	return w.content(p)
}

// block hands on a part of a block that is open.
func (w *writer) block(kind sdk.StreamPartType, id, delta string, data strata.ProviderData) bool {
	return w.yield(sdk.StreamPart{Type: kind, ID: id, Delta: delta, ProviderMetadata: write(data, Extra{})})
}

func (w *writer) content(p strata.Part) bool {
	switch p := p.(type) {
	case strata.ToolCall:
		return w.yield(sdk.StreamPart{
			Type: sdk.StreamPartTypeToolCall, ID: p.ID, ToolCallName: p.Name, ToolCallInput: p.Input,
			ProviderExecuted: p.ProviderExecuted, ProviderMetadata: write(p.ProviderData, Extra{}),
		})
	case strata.ToolResult:
		var x Extra
		if p.Output != "" || len(p.Content) > 0 || p.IsError { // fantasy's part has no place for it
			x.Content = p
		}
		return w.yield(sdk.StreamPart{
			Type: sdk.StreamPartTypeToolResult, ID: p.ID, ToolCallName: p.Name,
			ProviderExecuted: p.ProviderExecuted, ProviderMetadata: write(p.ProviderData, x),
		})
	case strata.Source:
		var x Extra
		if p.MediaType != "" || p.Filename != "" {
			x.Content = p
		}
		return w.yield(sdk.StreamPart{
			Type: sdk.StreamPartTypeSource, ID: p.ID, SourceType: sourceTypeOf(p), URL: p.URL, Title: p.Title,
			ProviderMetadata: write(p.ProviderData, x),
		})
	case strata.File:
		w.blocks++
		id := "file-" + strconv.Itoa(w.blocks)
		return w.yield(sdk.StreamPart{
			Type: sdk.StreamPartTypeReasoningStart, ID: id, ProviderMetadata: write(nil, Extra{Content: p}),
		}) && w.yield(sdk.StreamPart{Type: sdk.StreamPartTypeReasoningEnd, ID: id})
	case strata.Finish:
		to := sdk.StreamPart{Type: sdk.StreamPartTypeFinish, ID: w.meta.ID}
		w.meta.ID = ""
		to.FinishReason, to.Usage, to.ProviderMetadata = w.model.end(p, w.meta)
		return w.yield(to)
	case strata.Raw:
		if own, ok := p.Value.(sdk.StreamPart); ok {
			return w.yield(own)
		}
	}
	return w.yield(sdk.StreamPart{Type: PartExtra, ProviderMetadata: write(nil, Extra{Part: p})})
}

// merge keeps what m says, for the finish.
func merge(kept *strata.ResponseMetadata, m strata.ResponseMetadata) {
	if m.ID != "" {
		kept.ID = m.ID
	}
	if m.Model != "" {
		kept.Model = m.Model
	}
	if !m.Timestamp.IsZero() {
		kept.Timestamp = m.Timestamp
	}
	if m.Headers != nil {
		kept.Headers = m.Headers
	}
}
