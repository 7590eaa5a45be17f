package modeltest

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/strata-go/strata"
)

// An anthropicWire is the Anthropic Messages API, under any prefix.
//
// Source: the API reference, https://platform.claude.com/docs/en/api/messages,
// and its page on streaming,
// https://platform.claude.com/docs/en/build-with-claude/streaming.
type anthropicWire struct{}

func (anthropicWire) matches(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/messages")
}

func (anthropicWire) read(_ *http.Request, body []byte) (ask, error) { return readBody(body) }

func (anthropicWire) encoder(n int, asked ask, usage *strata.Usage) encoder {
	return &anthropicAnswer{anthropicHead: anthropicHead{id: fmt.Sprintf("msg_%d", n), model: asked.model, usage: usage}}
}

// An anthropicAnswer writes one answer: a message that is made of blocks, of
// which one is open at a time. It keeps what it has written.
type anthropicAnswer struct {
	anthropicHead
	opened  bool
	blocks  []*anthropicBlock
	open    bool // the last block is
	refused bool
	refusal string
	reason  *string // why it stopped
}

type anthropicHead struct {
	id, model string
	usage     *strata.Usage
}

type anthropicBlock struct {
	kind     string // "text", "thinking" or "tool_use"
	id, name string // of a tool call
	content  strings.Builder
}

func (a *anthropicAnswer) frames(p piece) []frame {
	switch p := p.(type) {
	case opening:
		return a.begin()
	case textPiece:
		return a.add("text", string(p))
	case reasoningPiece:
		return a.add("thinking", string(p))
	case toolStart:
		return a.start(&anthropicBlock{kind: "tool_use", id: p.id, name: p.name})
	case toolPiece:
		return a.add("tool_use", p.input)
	case refusalPiece: // it has no block, only a reason to stop
		a.refused = true
		a.refusal += string(p)
		return nil
	case usagePiece: // goes with the message's start and its end
		return nil
	case finishPiece:
		return a.finish(p)
	case endMarker:
		return append(a.stop(), named("message_stop", nil))
	}
	panic(fmt.Sprintf("modeltest: no event for %T", p))
}

// begin returns the event that opens the message, the first time.
func (a *anthropicAnswer) begin() []frame {
	if a.opened {
		return nil
	}
	a.opened = true
	empty := anthropicAnswer{anthropicHead: a.anthropicHead}
	if a.usage != nil {
		soFar := atStart(*a.usage)
		empty.usage = &soFar
	}
	return []frame{named("message_start", map[string]any{"message": empty.message()})}
}

// start opens a block behind those before it.
func (a *anthropicAnswer) start(b *anthropicBlock) []frame {
	frames := append(a.begin(), a.stop()...)
	a.blocks = append(a.blocks, b)
	a.open = true
	return append(frames, named("content_block_start", map[string]any{
		"index": len(a.blocks) - 1, "content_block": b.fields(false),
	}))
}

// add adds to the open block, or to a new one where that is of another kind.
func (a *anthropicAnswer) add(kind, content string) []frame {
	var frames []frame
	if !a.open || a.last().kind != kind {
		frames = a.start(&anthropicBlock{kind: kind})
	}
	a.last().content.WriteString(content)
	switch kind {
	case "text":
		return append(frames, a.delta("text_delta", "text", content))
	case "thinking":
		return append(frames, a.delta("thinking_delta", "thinking", content))
	}
	return append(frames, a.delta("input_json_delta", "partial_json", content))
}

func (a *anthropicAnswer) delta(kind, field, content string) frame {
	return named("content_block_delta", map[string]any{
		"index": len(a.blocks) - 1, "delta": map[string]any{"type": kind, field: content},
	})
}

func (a *anthropicAnswer) last() *anthropicBlock { return a.blocks[len(a.blocks)-1] }

// stop closes the open block; reasoning is signed then.
func (a *anthropicAnswer) stop() []frame {
	if !a.open {
		return nil
	}
	a.open = false
	var frames []frame
	if a.last().kind == "thinking" {
		frames = append(frames, a.delta("signature_delta", "signature", sign(a.last().content.String())))
	}
	return append(frames, named("content_block_stop", map[string]any{"index": len(a.blocks) - 1}))
}

func (a *anthropicAnswer) finish(p finishPiece) []frame {
	reason := anthropicReason(p)
	if a.refused {
		reason = "refusal"
	}
	a.reason = &reason
	delta := map[string]any{"stop_reason": reason, "stop_sequence": nil}
	if a.refused {
		delta["stop_details"] = a.details()
	}
	fields := map[string]any{"delta": delta}
	if a.usage != nil {
		fields["usage"] = anthropicUsage(*a.usage)
	}
	frames := append(a.begin(), a.stop()...)
	return append(frames, named("message_delta", fields))
}

func (a *anthropicAnswer) details() map[string]any {
	return map[string]any{"type": "refusal", "category": nil, "explanation": a.refusal}
}

func (a *anthropicAnswer) whole(pieces []piece) string {
	all := anthropicAnswer{anthropicHead: a.anthropicHead}
	for _, p := range pieces {
		all.frames(p)
	}
	return encode(all.message())
}

// message returns the message so far.
func (a *anthropicAnswer) message() map[string]any {
	content := []any{}
	for _, b := range a.blocks {
		content = append(content, b.fields(true))
	}
	message := map[string]any{
		"id": a.id, "type": "message", "role": "assistant", "model": a.model,
		"content": content, "stop_reason": a.reason, "stop_sequence": nil,
	}
	if a.refused && a.reason != nil {
		message["stop_details"] = a.details()
	}
	if a.usage != nil {
		message["usage"] = anthropicUsage(*a.usage)
	}
	return message
}

// fields returns the block: whole, or as it is opened.
func (b *anthropicBlock) fields(whole bool) map[string]any {
	var content, signature string
	if whole {
		content, signature = b.content.String(), sign(b.content.String())
	}
	switch b.kind {
	case "text":
		return map[string]any{"type": b.kind, "text": content}
	case "thinking":
		return map[string]any{"type": b.kind, "thinking": content, "signature": signature}
	}
	return map[string]any{"type": b.kind, "id": b.id, "name": b.name, "input": jsonOr(content)}
}

func (*anthropicAnswer) event(data string) frame { return typed(data) }

func (a *anthropicAnswer) keepAlive() frame { return named("ping", nil) }

func (a *anthropicAnswer) errorEvent(code, message string) frame {
	return named("error", map[string]any{"error": map[string]string{"type": code, "message": message}})
}

func (a *anthropicAnswer) errorBody(_ int, code, message string) string {
	return a.errorEvent(code, message).data
}

func anthropicReason(p finishPiece) string {
	switch r := strata.FinishReason(p); r {
	case strata.FinishStop:
		return "end_turn"
	case strata.FinishLength:
		return "max_tokens"
	case strata.FinishContentFilter:
		return "refusal"
	case strata.FinishToolCalls:
		return "tool_use"
	default:
		return string(r)
	}
}

// anthropicUsage returns the usage: what the cache was read and written for is
// not among the input tokens.
func anthropicUsage(u strata.Usage) map[string]any {
	usage := map[string]any{
		"input_tokens":                max(0, u.InputTokens-u.CachedInputTokens-u.CacheWriteTokens),
		"cache_creation_input_tokens": u.CacheWriteTokens,
		"cache_read_input_tokens":     u.CachedInputTokens,
		"output_tokens":               u.OutputTokens,
	}
	if u.ReasoningTokens != 0 {
		usage["output_tokens_details"] = map[string]int64{"thinking_tokens": u.ReasoningTokens}
	}
	return usage
}
