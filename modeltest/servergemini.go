package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/strata-go/strata"
)

// A geminiWire is Google's Gemini API, under any prefix: also Vertex AI's.
//
// Source: the API reference, https://ai.google.dev/api/generate-content, and for
// errors https://google.aip.dev/193.
type geminiWire struct{}

// matches asks for alt=sse where a stream is: the JSON array that the API sends
// without it is spoken by no SDK.
func (geminiWire) matches(r *http.Request) bool {
	return r.Method == http.MethodPost && (strings.HasSuffix(r.URL.Path, ":generateContent") ||
		strings.HasSuffix(r.URL.Path, ":streamGenerateContent") && r.URL.Query().Get("alt") == "sse")
}

// read finds the model in the path: "/v1beta/models/gemini-3-pro:generateContent".
func (geminiWire) read(r *http.Request, body []byte) (ask, error) {
	model := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	model, whole := strings.CutSuffix(model, ":generateContent")
	var object struct{}
	err := json.Unmarshal(body, &object)
	return ask{model: strings.TrimSuffix(model, ":streamGenerateContent"), stream: !whole}, err
}

func (geminiWire) encoder(n int, asked ask, usage *strata.Usage) encoder {
	return &geminiAnswer{geminiHead: geminiHead{id: fmt.Sprintf("response-%d", n), model: asked.model, usage: usage}}
}

// A geminiAnswer writes one answer: chunks of the one candidate's parts. It
// keeps what it has written.
type geminiAnswer struct {
	plain
	geminiHead
	parts    []geminiPart
	call     geminiCall // that is being asked for
	input    string     // its input so far
	unsigned string     // reasoning whose signature has not been sent
	refused  bool
	refusal  string
	counted  bool   // the usage is that at the end
	reason   string // why it finished
}

type geminiHead struct {
	id, model string
	usage     *strata.Usage
}

type (
	geminiBody struct {
		Candidates     []geminiCandidate `json:"candidates,omitempty"`
		PromptFeedback map[string]string `json:"promptFeedback,omitempty"`
		UsageMetadata  map[string]int64  `json:"usageMetadata,omitempty"`
		ModelVersion   string            `json:"modelVersion"`
		ResponseID     string            `json:"responseId"`
	}
	geminiCandidate struct {
		Content       *geminiContent `json:"content,omitempty"`
		FinishReason  string         `json:"finishReason,omitempty"`
		FinishMessage string         `json:"finishMessage,omitempty"`
		Index         int            `json:"index"`
	}
	geminiContent struct {
		Parts []geminiPart `json:"parts"`
		Role  string       `json:"role"`
	}
	geminiPart struct {
		Text             *string     `json:"text,omitempty"`
		Thought          bool        `json:"thought,omitempty"`
		FunctionCall     *geminiCall `json:"functionCall,omitempty"`
		ThoughtSignature string      `json:"thoughtSignature,omitempty"`
	}
	geminiCall struct {
		ID   string `json:"id,omitempty"`
		Name string `json:"name"`
		Args any    `json:"args"`
	}
)

func (a *geminiAnswer) frames(p piece) []frame {
	switch p := p.(type) {
	case opening, endMarker: // it has neither
		return nil
	case textPiece:
		return a.add(a.signed(geminiPart{Text: (*string)(&p)}))
	case reasoningPiece:
		a.unsigned += string(p)
		return a.add(geminiPart{Text: (*string)(&p), Thought: true})
	case toolStart:
		a.call, a.input = geminiCall{ID: p.id, Name: p.name}, ""
		return a.ask(p.last)
	case toolPiece:
		a.input += p.input
		return a.ask(p.last)
	case refusalPiece: // it has no part, only a reason to finish
		a.refused = true
		a.refusal += string(p)
		return nil
	case usagePiece:
		if a.counted {
			return nil
		}
		a.counted = true
		return a.chunk(a.body())
	case finishPiece:
		return a.finish(p)
	}
	panic(fmt.Sprintf("modeltest: no chunk for %T", p))
}

// ask adds a part with the tool call when its input is whole.
func (a *geminiAnswer) ask(whole bool) []frame {
	if !whole {
		return nil
	}
	call := a.call
	call.Args = jsonOr(a.input)
	return a.add(a.signed(geminiPart{FunctionCall: &call}))
}

// signed returns the part with the signature of the reasoning before it: that
// stands in the first part behind it.
func (a *geminiAnswer) signed(p geminiPart) geminiPart {
	if a.unsigned != "" {
		p.ThoughtSignature = sign(a.unsigned)
		a.unsigned = ""
	}
	return p
}

func (a *geminiAnswer) add(p geminiPart) []frame {
	a.parts = append(a.parts, p)
	body := a.body()
	body.Candidates = []geminiCandidate{{Content: &geminiContent{Role: "model", Parts: []geminiPart{p}}}}
	return a.chunk(body)
}

func (a *geminiAnswer) finish(p finishPiece) []frame {
	a.reason = geminiReason(p)
	if a.refused {
		a.reason = "SAFETY"
	}
	a.counted = true
	body := a.body()
	if a.blocked() {
		body.PromptFeedback = a.feedback()
		return a.chunk(body)
	}
	last := geminiCandidate{FinishReason: a.reason, FinishMessage: a.refusal}
	if a.unsigned != "" {
		empty := a.signed(geminiPart{Text: new(string)})
		a.parts = append(a.parts, empty)
		last.Content = &geminiContent{Role: "model", Parts: []geminiPart{empty}}
	}
	body.Candidates = []geminiCandidate{last}
	return a.chunk(body)
}

// blocked reports whether the answer is a refusal and nothing else: the prompt
// was blocked, and there is no candidate.
func (a *geminiAnswer) blocked() bool { return a.refused && a.reason != "" && len(a.parts) == 0 }

func (a *geminiAnswer) feedback() map[string]string {
	return map[string]string{"blockReason": a.reason, "blockReasonMessage": a.refusal}
}

// body returns what every chunk has: the API repeats the usage so far.
func (a *geminiAnswer) body() geminiBody {
	body := geminiBody{ModelVersion: a.model, ResponseID: a.id}
	switch {
	case a.usage == nil:
	case a.counted:
		body.UsageMetadata = geminiUsage(*a.usage)
	default:
		body.UsageMetadata = geminiUsage(atStart(*a.usage))
	}
	return body
}

func (a *geminiAnswer) chunk(body geminiBody) []frame { return []frame{{data: encode(body)}} }

func (a *geminiAnswer) whole(pieces []piece) string {
	all := geminiAnswer{geminiHead: a.geminiHead}
	for _, p := range pieces {
		all.frames(p)
	}
	all.counted = true
	body := all.body()
	if all.blocked() {
		body.PromptFeedback = all.feedback()
		return encode(body)
	}
	body.Candidates = []geminiCandidate{{
		Content:      &geminiContent{Role: "model", Parts: joined(all.parts)},
		FinishReason: all.reason, FinishMessage: all.refusal,
	}}
	return encode(body)
}

// joined returns the parts with pieces of one text, or of one thought, in one
// part.
func joined(parts []geminiPart) []geminiPart {
	out := []geminiPart{}
	for _, p := range parts {
		if n := len(out); n > 0 && p.Text != nil && out[n-1].Text != nil && p.Thought == out[n-1].Thought {
			text := *out[n-1].Text + *p.Text
			out[n-1].Text = &text
			continue
		}
		out = append(out, p)
	}
	return out
}

// geminiStatuses are the HTTP statuses of Google's canonical error codes.
var geminiStatuses = map[string]int{
	"INVALID_ARGUMENT": 400, "FAILED_PRECONDITION": 400, "OUT_OF_RANGE": 400, "UNAUTHENTICATED": 401,
	"PERMISSION_DENIED": 403, "NOT_FOUND": 404, "ABORTED": 409, "ALREADY_EXISTS": 409, "RESOURCE_EXHAUSTED": 429,
	"CANCELLED": 499, "INTERNAL": 500, "UNKNOWN": 500, "DATA_LOSS": 500, "UNIMPLEMENTED": 501,
	"UNAVAILABLE": 503, "DEADLINE_EXCEEDED": 504,
}

func (a *geminiAnswer) errorEvent(code, message string) frame {
	return frame{data: a.errorBody(http.StatusOK, code, message)}
}

// errorBody gives the error the status of the response, or that of its code
// where the response is a 2xx.
func (*geminiAnswer) errorBody(status int, code, message string) string {
	if status/100 == 2 {
		var known bool
		if status, known = geminiStatuses[code]; !known {
			status = http.StatusInternalServerError
		}
	}
	type details struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Status  string `json:"status"`
	}
	return encode(map[string]details{"error": {status, message, code}})
}

func geminiReason(p finishPiece) string {
	switch r := strata.FinishReason(p); r {
	case strata.FinishStop, strata.FinishToolCalls: // it has no reason for tool calls
		return "STOP"
	case strata.FinishLength:
		return "MAX_TOKENS"
	case strata.FinishContentFilter:
		return "SAFETY"
	case strata.FinishOther:
		return "OTHER"
	case strata.FinishUnknown:
		return "FINISH_REASON_UNSPECIFIED"
	default:
		return string(r)
	}
}

// geminiUsage returns the usage: thoughts are not among the candidates' tokens.
func geminiUsage(u strata.Usage) map[string]int64 {
	usage := map[string]int64{
		"promptTokenCount":     u.InputTokens,
		"candidatesTokenCount": max(0, u.OutputTokens-u.ReasoningTokens),
		"totalTokenCount":      total(u),
	}
	if u.ReasoningTokens != 0 {
		usage["thoughtsTokenCount"] = u.ReasoningTokens
	}
	if u.CachedInputTokens != 0 {
		usage["cachedContentTokenCount"] = u.CachedInputTokens
	}
	return usage
}
