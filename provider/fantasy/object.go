package fantasy

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	sdk "charm.land/fantasy"
	"charm.land/fantasy/schema"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// Object is a part of a stream that asked for JSON of a schema: the object as far
// as it has come, by which fantasy streams objects. The text follows when it is
// whole.
type Object struct{ Value any }

// Commits reports true.
func (Object) Commits() bool { return true }

// objectCall returns the call by which fantasy answers with an object, where the
// request asks for that and fantasy can; else nil.
func objectCall(c sdk.Call, req *strata.Request) (*sdk.ObjectCall, []strata.Warning) {
	f := req.ResponseFormat
	warn := func(message string) []strata.Warning {
		return []strata.Warning{{Setting: "ResponseFormat", Message: message}}
	}
	switch {
	case f == nil || f.Type == strata.ResponseText:
		return nil, nil
	case f.Type != strata.ResponseJSON:
		return nil, warn(fmt.Sprintf("fantasy knows no format %q; it was left out", f.Type))
	case f.Schema == nil:
		return nil, warn("fantasy asks for JSON by a schema alone; the format was left out")
	case len(c.Tools) > 0:
		return nil, warn("fantasy asks for JSON or has tools, not both; the format was left out")
	}
	asked, lost, err := schemaOf(f.Schema)
	if err != nil {
		return nil, warn("the schema is none that fantasy reads; the format was left out")
	}
	var warnings []strata.Warning
	if len(lost) > 0 {
		warnings = warn(fmt.Sprintf("fantasy's schemas do not have all keywords; left out: %q", lost))
	}
	o := &sdk.ObjectCall{
		Prompt: c.Prompt, Schema: asked, SchemaName: f.Name, SchemaDescription: f.Description,
		MaxOutputTokens: c.MaxOutputTokens, Temperature: c.Temperature, TopP: c.TopP, TopK: c.TopK,
		PresencePenalty: c.PresencePenalty, FrequencyPenalty: c.FrequencyPenalty,
		UserAgent: c.UserAgent, Headers: c.Headers, ProviderOptions: c.ProviderOptions,
	}
	if edit, ok := req.Raw.(func(*sdk.ObjectCall)); ok && edit != nil {
		edit(o)
	}
	return o, warnings
}

// schemaOf reads a JSON Schema as fantasy has it, and names the keywords that are
// lost. Of several types the first that is not null counts.
func schemaOf(raw json.RawMessage) (schema.Schema, []string, error) {
	var s schema.Schema
	var tree map[string]any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return s, nil, err
	}
	var lost []string
	reduce(tree, &lost)
	slices.Sort(lost)
	kept, err := json.Marshal(tree)
	if err == nil {
		err = json.Unmarshal(kept, &s)
	}
	return s, slices.Compact(lost), err
}

// reduce takes out of a schema what fantasy's have no place for.
func reduce(tree map[string]any, lost *[]string) {
	for keyword, value := range tree {
		switch keyword {
		case "required", "description", "enum", "format", "minimum", "maximum", "minLength", "maxLength":
		case "type":
			if types, ok := value.([]any); ok {
				*lost = append(*lost, "type")
				types = slices.DeleteFunc(slices.Clone(types), func(t any) bool { return t == "null" })
				if delete(tree, keyword); len(types) > 0 {
					tree[keyword] = types[0]
				}
			}
		case "items":
			if items, ok := value.(map[string]any); ok {
				reduce(items, lost)
				continue
			}
			*lost = append(*lost, keyword)
			delete(tree, keyword)
		case "properties":
			properties, _ := value.(map[string]any)
			for name, property := range properties {
				if p, ok := property.(map[string]any); ok {
					reduce(p, lost)
					continue
				}
				*lost = append(*lost, name)
				properties[name] = map[string]any{}
			}
		default:
			*lost = append(*lost, keyword)
			delete(tree, keyword)
		}
	}
}

// generateObject asks for an object. What is none of the schema is an answer all
// the same: whoever asked is to judge it.
func (m *Model) generateObject(ctx context.Context, c exchanged, call sdk.ObjectCall, warnings []strata.Warning) (*strata.Response, error) {
	resp, err := m.lm.GenerateObject(c.Context(ctx), call)
	var told sdk.ObjectResponse
	switch text, usage, reason, given := noObject(err); {
	case given:
		told = sdk.ObjectResponse{RawText: text, Usage: usage, FinishReason: reason}
	case err != nil:
		return nil, c.fail(ctx, err)
	case resp == nil:
		return nil, c.Fail(failure.Error{Err: errNoAnswer})
	default:
		told = *resp
	}
	text := objectText(told.RawText, told.Object)
	if err := c.blocked(told.FinishReason, text != ""); err != nil {
		return nil, err
	}
	o := m.objectOutcome(told.FinishReason, told.Usage)
	to := &strata.Response{
		Model: m.id, FinishReason: o.reason, RawFinishReason: string(told.FinishReason), Usage: o.usage,
		Warnings:     append(warnings, warningsOf(told.Warnings)...),
		ProviderData: o.keep(read(told.ProviderMetadata)),
		Metadata:     strata.ResponseMetadata{Headers: c.Headers},
		Raw:          &told,
	}
	if text != "" {
		to.Content = []strata.Content{strata.Text{Text: text}}
	}
	return to, nil
}

// objectOutcome is the outcome of an answer that is an object. Where fantasy asked
// for it as a tool call, there is none to run.
func (m *Model) objectOutcome(reason sdk.FinishReason, usage sdk.Usage) outcome {
	o := m.outcome(reason, usage, false)
	if o.reason == strata.FinishToolCalls {
		o.reason = strata.FinishStop
	}
	return o
}

// noObject returns the answer in an error that says that it is no object.
func noObject(err error) (text string, usage sdk.Usage, reason sdk.FinishReason, ok bool) {
	if e, ok := failure.Find[*sdk.NoObjectGeneratedError](err); ok {
		return e.RawText, e.Usage, cmp.Or(e.FinishReason, sdk.FinishReasonUnknown), e.RawText != ""
	}
	if e, ok := failure.Find[*schema.ParseError](err); ok {
		return e.RawText, sdk.Usage{}, sdk.FinishReasonUnknown, e.RawText != ""
	}
	return "", sdk.Usage{}, "", false
}

// objectText is the text of an object, as it came or made anew.
func objectText(raw string, value any) string {
	if raw != "" || value == nil {
		return raw
	}
	made, err := marshal(value)
	if err != nil {
		return ""
	}
	return string(made)
}

// readObject streams an object.
func (s *reader) readObject(ctx, attempt context.Context, call sdk.ObjectCall) {
	parts, err := s.model.lm.StreamObject(attempt, call)
	switch {
	case err != nil:
		s.stop(s.fail(ctx, err))
		return
	case parts == nil:
		s.stop(s.Fail(failure.Error{Err: errNoAnswer}))
		return
	}
	var value any
	var text string
	for p := range parts {
		if len(p.Warnings) > 0 {
			s.part(ctx, sdk.StreamPart{Type: sdk.StreamPartTypeWarnings, Warnings: p.Warnings})
		}
		switch p.Type {
		case sdk.ObjectStreamPartTypeObject:
			if p.Object != nil {
				value, s.said = p.Object, true
				s.emit(Object{Value: p.Object})
			}
		case sdk.ObjectStreamPartTypeTextDelta:
			text += p.Delta
		case sdk.ObjectStreamPartTypeError:
			raw, usage, reason, given := noObject(p.Error)
			if !given {
				s.stop(s.fail(ctx, p.Error))
				break
			}
			s.endObject(raw, sdk.ObjectStreamPart{Usage: usage, FinishReason: reason})
		case sdk.ObjectStreamPartTypeFinish:
			s.endObject(objectText(text, value), p)
		}
		if s.stopped || s.finished {
			return
		}
	}
	s.cut(ctx)
}

// endObject hands on the text and the finish.
func (s *reader) endObject(text string, p sdk.ObjectStreamPart) {
	if err := s.blocked(p.FinishReason, text != ""); err != nil {
		s.stop(err)
		return
	}
	if s.Headers != nil {
		s.emit(strata.ResponseMetadata{Headers: s.Headers})
	}
	if text != "" {
		s.emit(strata.TextStart{ID: "1"})
		s.emit(strata.TextDelta{ID: "1", Text: text})
		s.emit(strata.TextEnd{ID: "1"})
	}
	o := s.model.objectOutcome(p.FinishReason, p.Usage)
	s.finished = !s.stopped
	s.emit(strata.Finish{
		Reason: o.reason, RawReason: string(p.FinishReason), Usage: o.usage, Model: s.Model,
		ProviderData: o.keep(read(p.ProviderMetadata)),
	})
}
