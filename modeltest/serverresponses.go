package modeltest

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/strata-go/strata"
)

// A responsesWire is the OpenAI Responses API, under any prefix.
//
// Source: the API reference, https://platform.openai.com/docs/api-reference/responses,
// and its page on streaming events, .../responses-streaming.
type responsesWire struct{}

func (responsesWire) matches(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/responses")
}

func (responsesWire) read(_ *http.Request, body []byte) (ask, error) { return readBody(body) }

func (responsesWire) encoder(n int, asked ask, usage *strata.Usage) encoder {
	return &responsesAnswer{responsesHead: responsesHead{n: n, created: time.Now().Unix(), model: asked.model, usage: usage}}
}

// A responsesAnswer writes one answer: items, of which one is open at a time,
// made of parts, of which one is. It keeps what it has written.
type responsesAnswer struct {
	responsesHead
	sequence int // the number of the next event
	opened   bool
	items    []*responsesItem
	open     bool // the last item is
	status   string
	reason   string // why it is incomplete
}

type responsesHead struct {
	n       int
	created int64
	model   string
	usage   *strata.Usage
}

type responsesItem struct {
	kind, id, status string
	callID, name     string // of a function call
	arguments        strings.Builder
	parts            []*responsesPart // of a message, or of reasoning
}

type responsesPart struct {
	kind string
	text strings.Builder
}

// responsesParts says how each kind of part is sent: in which kind of item, by
// which events, and what the fields of those are called.
var responsesParts = map[string]struct{ item, part, text, field, index string }{
	"output_text":  {"message", "response.content_part", "response.output_text", "text", "content_index"},
	"refusal":      {"message", "response.content_part", "response.refusal", "refusal", "content_index"},
	"summary_text": {"reasoning", "response.reasoning_summary_part", "response.reasoning_summary_text", "text", "summary_index"},
}

// responsesPrefixes open the IDs of items.
var responsesPrefixes = map[string]string{"message": "msg", "reasoning": "rs", "function_call": "fc"}

func (a *responsesAnswer) frames(p piece) []frame {
	switch p := p.(type) {
	case opening:
		return a.begin()
	case textPiece:
		return a.add("output_text", string(p))
	case reasoningPiece:
		return a.add("summary_text", string(p))
	case refusalPiece:
		return a.add("refusal", string(p))
	case toolStart:
		return a.start(&responsesItem{kind: "function_call", callID: p.id, name: p.name})
	case toolPiece:
		a.last().arguments.WriteString(p.input)
		return []frame{a.inItem("response.function_call_arguments.delta", map[string]any{"delta": p.input})}
	case finishPiece:
		return a.finish(p)
	case usagePiece, endMarker: // the one goes with the finish, the other is the finish
		return nil
	}
	panic(fmt.Sprintf("modeltest: no event for %T", p))
}

// frame returns the next event, of the type kind.
func (a *responsesAnswer) frame(kind string, fields map[string]any) frame {
	fields["sequence_number"] = a.sequence
	a.sequence++
	return named(kind, fields)
}

// inItem returns an event about what is in the last item.
func (a *responsesAnswer) inItem(kind string, fields map[string]any) frame {
	fields["item_id"] = a.last().id
	fields["output_index"] = len(a.items) - 1
	return a.frame(kind, fields)
}

// inPart returns an event about the last part of the last item.
func (a *responsesAnswer) inPart(kind string, fields map[string]any) frame {
	parts := a.last().parts
	fields[responsesParts[parts[len(parts)-1].kind].index] = len(parts) - 1
	return a.inItem(kind, fields)
}

func (a *responsesAnswer) aboutItem(kind string) frame {
	return a.frame(kind, map[string]any{"output_index": len(a.items) - 1, "item": a.last().fields()})
}

// begin returns the events that open the response, the first time.
func (a *responsesAnswer) begin() []frame {
	if a.opened {
		return nil
	}
	a.opened = true
	soFar := map[string]any{"response": a.response(nil)}
	return []frame{a.frame("response.created", soFar), a.frame("response.in_progress", soFar)}
}

// start opens an item behind those before it.
func (a *responsesAnswer) start(item *responsesItem) []frame {
	frames := append(a.begin(), a.stop("completed")...)
	item.id = fmt.Sprintf("%s_%d_%d", responsesPrefixes[item.kind], a.n, len(a.items))
	item.status = "in_progress"
	a.items = append(a.items, item)
	a.open = true
	return append(frames, a.aboutItem("response.output_item.added"))
}

// add adds to the open part, or to a new one where that is of another kind.
func (a *responsesAnswer) add(kind, text string) []frame {
	form := responsesParts[kind]
	var frames []frame
	if !a.open || a.last().kind != form.item {
		frames = a.start(&responsesItem{kind: form.item})
	}
	item := a.last()
	if n := len(item.parts); n == 0 || item.parts[n-1].kind != kind {
		frames = append(frames, a.stopPart()...)
		part := &responsesPart{kind: kind}
		item.parts = append(item.parts, part)
		frames = append(frames, a.inPart(form.part+".added", map[string]any{"part": part.fields()}))
	}
	item.parts[len(item.parts)-1].text.WriteString(text)
	return append(frames, a.inPart(form.text+".delta", map[string]any{"delta": text}))
}

func (a *responsesAnswer) last() *responsesItem { return a.items[len(a.items)-1] }

// stopPart closes the last part of the last item.
func (a *responsesAnswer) stopPart() []frame {
	parts := a.last().parts
	if len(parts) == 0 {
		return nil
	}
	part := parts[len(parts)-1]
	form := responsesParts[part.kind]
	return []frame{
		a.inPart(form.text+".done", map[string]any{form.field: part.text.String()}),
		a.inPart(form.part+".done", map[string]any{"part": part.fields()}),
	}
}

// stop closes the open item. The arguments of one that is incomplete are not
// said to be done.
func (a *responsesAnswer) stop(status string) []frame {
	if !a.open {
		return nil
	}
	a.open = false
	item := a.last()
	item.status = status
	frames := a.stopPart()
	if item.kind == "function_call" && status == "completed" {
		frames = append(frames, a.inItem("response.function_call_arguments.done",
			map[string]any{"arguments": item.arguments.String()}))
	}
	return append(frames, a.aboutItem("response.output_item.done"))
}

func (a *responsesAnswer) finish(p finishPiece) []frame {
	frames := a.begin()
	a.status, a.reason = responsesStatus(p)
	if a.status != "failed" {
		frames = append(frames, a.stop(a.status)...)
	}
	return append(frames, a.frame("response."+a.status, map[string]any{"response": a.response(a.usage)}))
}

func (a *responsesAnswer) whole(pieces []piece) string {
	all := responsesAnswer{responsesHead: a.responsesHead}
	for _, p := range pieces {
		all.frames(p)
	}
	return encode(all.response(a.usage))
}

// response returns the response so far.
func (a *responsesAnswer) response(usage *strata.Usage) map[string]any {
	output := []any{}
	for _, item := range a.items {
		output = append(output, item.fields())
	}
	response := map[string]any{
		"id": fmt.Sprintf("resp_%d", a.n), "object": "response", "created_at": a.created, "model": a.model,
		"status": "in_progress", "error": nil, "incomplete_details": nil, "output": output, "usage": nil,
	}
	if usage != nil {
		response["usage"] = responsesUsage(*usage)
	}
	switch a.status {
	case "":
		return response
	case "incomplete":
		response["incomplete_details"] = map[string]string{"reason": a.reason}
	case "failed":
		response["error"] = map[string]string{"code": "server_error", "message": "The server had an error."}
	}
	response["status"] = a.status
	return response
}

func (i *responsesItem) fields() map[string]any {
	fields := map[string]any{"type": i.kind, "id": i.id}
	parts := []any{}
	for _, p := range i.parts {
		parts = append(parts, p.fields())
	}
	switch i.kind {
	case "message":
		fields["status"], fields["role"], fields["content"] = i.status, "assistant", parts
	case "reasoning":
		fields["summary"] = parts
		if i.status != "in_progress" {
			fields["encrypted_content"] = sign(i.parts[0].text.String())
		}
	case "function_call":
		fields["status"], fields["call_id"], fields["name"], fields["arguments"] = i.status, i.callID, i.name, i.arguments.String()
	}
	return fields
}

func (p *responsesPart) fields() map[string]any {
	fields := map[string]any{"type": p.kind, responsesParts[p.kind].field: p.text.String()}
	if p.kind == "output_text" {
		fields["annotations"], fields["logprobs"] = []any{}, []any{}
	}
	return fields
}

func (*responsesAnswer) event(data string) frame { return typed(data) }

// keepAlive returns an event that the reference does not have; the API sends it:
// https://github.com/openai/openai-node/issues/1964.
func (a *responsesAnswer) keepAlive() frame { return a.frame("keepalive", map[string]any{}) }

func (a *responsesAnswer) errorEvent(code, message string) frame {
	return a.frame("error", map[string]any{"code": code, "message": message, "param": nil})
}

func (*responsesAnswer) errorBody(_ int, code, message string) string {
	return openaiError(code, message)
}

// responsesStatus returns the status of the response, and why it is incomplete.
func responsesStatus(p finishPiece) (status, reason string) {
	switch r := strata.FinishReason(p); r {
	case strata.FinishStop, strata.FinishToolCalls, "completed":
		return "completed", ""
	case strata.FinishLength:
		return "incomplete", "max_output_tokens"
	case strata.FinishContentFilter:
		return "incomplete", "content_filter"
	case strata.FinishError, "failed":
		return "failed", ""
	default:
		return "incomplete", string(r)
	}
}

func responsesUsage(u strata.Usage) map[string]any {
	input := map[string]int64{"cached_tokens": u.CachedInputTokens}
	if u.CacheWriteTokens != 0 {
		input["cache_write_tokens"] = u.CacheWriteTokens
	}
	return map[string]any{
		"input_tokens":          u.InputTokens,
		"input_tokens_details":  input,
		"output_tokens":         u.OutputTokens,
		"output_tokens_details": map[string]int64{"reasoning_tokens": u.ReasoningTokens},
		"total_tokens":          total(u),
	}
}
