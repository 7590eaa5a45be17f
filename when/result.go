package when

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/retry"
)

// Result holds for answers that the predicate is true of. It may block, until
// ctx ends. The predicate must not change the answer.
func Result(predicate func(ctx context.Context, resp *strata.Response) bool) Condition {
	if predicate == nil {
		panic("when: Result(nil): the predicate is nil")
	}
	return Condition{answered: func(ctx context.Context, h *retry.History) bool {
		resp, ok := h.Last().Result.(*strata.Response)
		return ok && resp != nil && predicate(ctx, resp)
	}}
}

// FinishReason holds for answers that ended for one of the reasons.
func FinishReason(reasons ...strata.FinishReason) Condition {
	if len(reasons) == 0 {
		panic("when: FinishReason(): there is no reason")
	}
	reasons = slices.Clone(reasons)
	return Condition{answered: func(_ context.Context, h *retry.History) bool {
		return slices.Contains(reasons, h.Last().FinishReason)
	}}
}

// A SchemaValidator returns an error if answer is not JSON of the JSON Schema.
// Where it cannot tell, as the schema itself is broken, the error is [ErrSchema].
// Package schema has one.
type SchemaValidator func(schema json.RawMessage, answer []byte) error

// ErrSchema is the error of a [SchemaValidator] over a schema that is broken.
var ErrSchema = errors.New("the schema is broken")

// SchemaInvalid holds for answers to a request for JSON of a schema whose text
// is not JSON or not of that schema. It never holds for a request without a
// schema, nor for an answer with no text that calls tools, nor where the schema
// is broken, which is no fault of the answer.
func SchemaInvalid(validate SchemaValidator) Condition {
	if validate == nil {
		panic("when: SchemaInvalid(nil): the validator is nil")
	}
	return Condition{answered: func(_ context.Context, h *retry.History) bool {
		req, ok := h.Last().Request.(*strata.Request)
		if !ok || req.ResponseFormat == nil || req.ResponseFormat.Schema == nil {
			return false
		}
		resp, ok := h.Last().Result.(*strata.Response)
		if !ok || resp == nil {
			return false
		}
		text := resp.Text()
		if text == "" && len(resp.ToolCalls()) > 0 {
			return false
		}
		err := validate(req.ResponseFormat.Schema, []byte(text))
		return err != nil && !errors.Is(err, ErrSchema)
	}}
}
