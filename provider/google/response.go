package google

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/exchange"
	"github.com/strata-go/strata/stream"
)

var errNoCandidate = errors.New("the answer has no candidates")

// Generate answers the request whole, with one HTTP request. Its errors are
// *failure.Error. An answer for which the server gives no finish reason ends
// with FinishUnknown.
func (m *Model) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	c, warnings, err := m.ask(ctx, req, false)
	if err != nil {
		return nil, err
	}
	defer c.close()
	return c.response(warnings)
}

// response reads a whole answer.
func (c *call) response(warnings []strata.Warning) (*strata.Response, error) {
	body, err := c.body()
	if err != nil {
		return nil, err
	}
	// A whole answer is read as a stream of one event, so that both are told alike.
	var collected stream.Collector
	r := &reader{call: c, whole: true, generating: true, yield: func(p strata.Part, failed error) bool {
		if failed != nil {
			err = failed
			return false
		}
		collected.Add(p)
		return true
	}}
	r.emit(strata.StreamStart{Warnings: warnings})
	r.readBody(body)
	r.end()
	if err != nil {
		return nil, err
	}
	resp := collected.Response()
	if raw := sdkResponse(body); raw != nil {
		resp.Raw = raw
	}
	return resp, nil
}

// sdkResponse is the SDK's form of an answer, or nil for one that it cannot read.
func sdkResponse(data []byte) *genai.GenerateContentResponse {
	r := &genai.GenerateContentResponse{}
	if json.Unmarshal(data, r) != nil {
		return nil
	}
	return r
}

// readBody reads a response that is no stream of events: an answer, an error, or,
// from an endpoint that streams without events, a list of such.
func (r *reader) readBody(body []byte) {
	items := []json.RawMessage{body}
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		if err := json.Unmarshal(body, &items); err != nil {
			r.stop(r.Malformed(body, err))
			return
		}
	}
	told := r.candidates
	for _, item := range items {
		var a answer
		if err := json.Unmarshal(item, &a); err != nil {
			r.stop(r.Malformed(item, err))
			return
		}
		r.answer(item, &a)
	}
	if r.candidates == told && r.finish == "" {
		r.stop(r.Fail(failure.Error{Body: string(body[:min(len(body), exchange.MaxErrorBody)]), Err: errNoCandidate}))
	}
}

// The words for which Google stops an answer that it does not want to give:
// https://ai.google.dev/api/generate-content#FinishReason
var filters = map[genai.FinishReason]bool{
	genai.FinishReasonSafety: true, genai.FinishReasonRecitation: true, genai.FinishReasonBlocklist: true,
	genai.FinishReasonProhibitedContent: true, genai.FinishReasonSPII: true, genai.FinishReasonImageSafety: true,
	genai.FinishReasonImageProhibitedContent: true, genai.FinishReasonImageRecitation: true, "MODEL_ARMOR": true,
}

// finishReason is what Google's word means.
func finishReason(raw string, called bool) strata.FinishReason {
	switch reason := genai.FinishReason(raw); reason {
	case "":
		return strata.FinishUnknown
	case genai.FinishReasonStop:
		if called {
			return strata.FinishToolCalls
		}
		return strata.FinishStop
	case genai.FinishReasonMaxTokens, genai.FinishReasonContinuation:
		return strata.FinishLength
	case genai.FinishReasonMalformedFunctionCall, genai.FinishReasonUnexpectedToolCall, genai.FinishReasonTooManyToolCalls,
		"MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE":
		return strata.FinishError // of the model's own making
	default:
		if filters[reason] {
			return strata.FinishContentFilter
		}
	}
	return strata.FinishOther
}
