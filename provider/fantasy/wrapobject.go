package fantasy

import (
	"context"
	"errors"
	"reflect"
	"strings"

	sdk "charm.land/fantasy"
	"charm.land/fantasy/schema"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/stream"
)

// GenerateObject answers with an object of the schema: the Model is asked for JSON
// by Request.ResponseFormat. Where its text is no such object, and the call's
// RepairText makes none of it, the error is an *sdk.NoObjectGeneratedError.
func (l *LanguageModel) GenerateObject(ctx context.Context, call sdk.ObjectCall) (*sdk.ObjectResponse, error) {
	req, err := l.objectRequest(call)
	if err != nil {
		return nil, err
	}
	resp, err := stream.Generate(ctx, l.model, req)
	if err != nil {
		return nil, errorOf(err)
	}
	to := &sdk.ObjectResponse{RawText: resp.Text(), Warnings: callWarnings(resp.Warnings, nil)}
	to.FinishReason, to.Usage, to.ProviderMetadata = l.end(strata.Finish{
		Reason: resp.FinishReason, RawReason: resp.RawFinishReason, Usage: resp.Usage,
		Model: resp.Model, ProviderData: resp.ProviderData,
	}, resp.Metadata)
	if to.Object, err = object(ctx, to.RawText, call); err != nil {
		return nil, noObjectError(err, to.RawText, to.Usage, to.FinishReason)
	}
	return to, nil
}

// objectRequest turns an object call into a request.
func (l *LanguageModel) objectRequest(call sdk.ObjectCall) (*strata.Request, error) {
	req, err := l.request(sdk.Call{
		Prompt:          call.Prompt,
		MaxOutputTokens: call.MaxOutputTokens, Temperature: call.Temperature, TopP: call.TopP, TopK: call.TopK,
		PresencePenalty: call.PresencePenalty, FrequencyPenalty: call.FrequencyPenalty,
		UserAgent: call.UserAgent, Headers: call.Headers, ProviderOptions: call.ProviderOptions,
	})
	if err != nil {
		return nil, err
	}
	asked, err := marshal(call.Schema)
	if err != nil {
		return nil, err
	}
	req.ResponseFormat = &strata.ResponseFormat{
		Type: strata.ResponseJSON, Schema: asked, Name: call.SchemaName, Description: call.SchemaDescription,
	}
	return req, nil
}

// object reads the object in a text.
func object(ctx context.Context, text string, call sdk.ObjectCall) (any, error) {
	if call.RepairText != nil {
		return schema.ParseAndValidateWithRepair(ctx, text, call.Schema, call.RepairText)
	}
	return schema.ParseAndValidate(text, call.Schema)
}

func noObjectError(err error, text string, usage sdk.Usage, reason sdk.FinishReason) error {
	e := &sdk.NoObjectGeneratedError{RawText: text, ParseError: err, Usage: usage, FinishReason: reason}
	var p *schema.ParseError
	if errors.As(err, &p) {
		e.ParseError, e.ValidationError = p.ParseError, p.ValidationError
	}
	return e
}

// StreamObject answers with an object as it comes: each part that differs from the
// one before and follows the schema as far as it goes. It is asked for as in
// [LanguageModel.GenerateObject].
func (l *LanguageModel) StreamObject(ctx context.Context, call sdk.ObjectCall) (sdk.ObjectStreamResponse, error) {
	req, err := l.objectRequest(call)
	if err != nil {
		return nil, err
	}
	return func(yield func(sdk.ObjectStreamPart) bool) {
		w := &objectWriter{ctx: ctx, model: l, call: call, yield: yield}
		stream.Each(ctx, l.model, req, func(p strata.Part, err error) bool {
			if err != nil {
				return yield(sdk.ObjectStreamPart{Type: sdk.ObjectStreamPartTypeError, Error: errorOf(err)})
			}
			return w.part(p)
		})
	}, nil
}

// objectWriter turns the parts of an answer into objects.
type objectWriter struct {
	ctx   context.Context // of the call, for its RepairText
	model *LanguageModel
	call  sdk.ObjectCall
	yield func(sdk.ObjectStreamPart) bool

	meta strata.ResponseMetadata
	text strings.Builder
	last any
}

func (w *objectWriter) part(p strata.Part) bool {
	switch p := p.(type) {
	case strata.StreamStart:
		if len(p.Warnings) == 0 {
			return true
		}
		return w.yield(sdk.ObjectStreamPart{Type: sdk.ObjectStreamPartTypeObject, Warnings: callWarnings(p.Warnings, nil)})
	case strata.ResponseMetadata:
		merge(&w.meta, p)
	case strata.TextDelta:
		w.text.WriteString(p.Text)
		value, state, _ := schema.ParsePartialJSON(w.text.String())
		if state == schema.ParseStateSuccessful || state == schema.ParseStateRepaired {
			return w.object(value)
		}
	case Object:
		return w.object(p.Value)
	case strata.Finish:
		return w.finish(p)
	}
	return true
}

// object hands on a value that is new and follows the schema.
func (w *objectWriter) object(value any) bool {
	if reflect.DeepEqual(value, w.last) || schema.ValidateAgainstSchema(value, w.call.Schema) != nil {
		return true
	}
	w.last = value
	return w.yield(sdk.ObjectStreamPart{Type: sdk.ObjectStreamPartTypeObject, Object: value})
}

func (w *objectWriter) finish(f strata.Finish) bool {
	to := sdk.ObjectStreamPart{Type: sdk.ObjectStreamPartTypeFinish}
	to.FinishReason, to.Usage, to.ProviderMetadata = w.model.end(f, w.meta)
	value, err := object(w.ctx, w.text.String(), w.call)
	switch {
	case err == nil && value != nil:
		if !w.object(value) {
			return false
		}
	case w.last == nil:
		to = sdk.ObjectStreamPart{
			Type: sdk.ObjectStreamPartTypeError, Error: noObjectError(err, w.text.String(), to.Usage, to.FinishReason),
		}
	}
	return w.yield(to)
}
