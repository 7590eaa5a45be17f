package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/strata-go/strata"
)

// A chatWire is the OpenAI Chat Completions API, under any prefix.
//
// Source: the API reference, https://platform.openai.com/docs/api-reference/chat.
// The reasoning fields are those of servers that are compatible with it.
type chatWire struct {
	reasoning string // the field of a message that holds reasoning
}

func (chatWire) matches(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/chat/completions")
}

func (chatWire) read(_ *http.Request, body []byte) (ask, error) { return readBody(body) }

func (w chatWire) encoder(n int, asked ask, _ *strata.Usage) encoder {
	return &chatAnswer{chatWire: w, ask: asked, head: chatHead{
		ID:      fmt.Sprintf("chatcmpl-%d", n),
		Created: time.Now().Unix(),
		Model:   asked.model,
	}}
}

// A chatAnswer writes one answer.
type chatAnswer struct {
	plain
	chatWire
	ask
	head   chatHead
	opened bool
}

type (
	chatHead struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int64  `json:"created"`
		Model   string `json:"model"`
	}
	chatBody struct {
		chatHead
		Choices []chatChoice `json:"choices"`
		Usage   any          `json:"usage,omitempty"`
	}
	chatChoice struct {
		Index        int            `json:"index"`
		Delta        map[string]any `json:"delta,omitzero"`
		Message      map[string]any `json:"message,omitzero"`
		Logprobs     *string        `json:"logprobs"`
		FinishReason *string        `json:"finish_reason"`
	}
	chatToolCall struct {
		Index    *int         `json:"index,omitempty"` // in a stream
		ID       string       `json:"id,omitempty"`
		Type     string       `json:"type,omitempty"`
		Function chatFunction `json:"function"`
	}
	chatFunction struct {
		Name      string `json:"name,omitempty"`
		Arguments string `json:"arguments"`
	}
)

func (a *chatAnswer) frames(p piece) []frame {
	switch p := p.(type) {
	case endMarker:
		return []frame{{data: "[DONE]"}}
	case usagePiece:
		if !a.usage {
			return nil
		}
		return []frame{a.chunk([]chatChoice{}, chatUsage(p))}
	case opening:
		return a.open()
	case finishPiece:
		reason := chatReason(p)
		return append(a.open(), a.delta(chatChoice{Delta: map[string]any{}, FinishReason: &reason}))
	}
	return append(a.open(), a.delta(chatChoice{Delta: a.field(p)}))
}

// open returns the chunk that says who speaks, the first time.
func (a *chatAnswer) open() []frame {
	if a.opened {
		return nil
	}
	a.opened = true
	return []frame{a.delta(chatChoice{Delta: map[string]any{"role": "assistant", "content": ""}})}
}

// field returns what a delta holds for a piece of content.
func (a *chatAnswer) field(p piece) map[string]any {
	switch p := p.(type) {
	case textPiece:
		return map[string]any{"content": p}
	case reasoningPiece:
		return map[string]any{a.reasoning: p}
	case refusalPiece:
		return map[string]any{"refusal": p}
	case toolStart:
		return map[string]any{"tool_calls": []chatToolCall{{
			Index: &p.index, ID: p.id, Type: "function", Function: chatFunction{Name: p.name},
		}}}
	case toolPiece:
		return map[string]any{"tool_calls": []chatToolCall{{
			Index: &p.index, Function: chatFunction{Arguments: p.input},
		}}}
	}
	panic(fmt.Sprintf("modeltest: no field for %T", p))
}

func (a *chatAnswer) delta(c chatChoice) frame {
	// Every chunk has the field when the last one is to bring the usage.
	var usage any
	if a.usage {
		usage = json.RawMessage("null")
	}
	return a.chunk([]chatChoice{c}, usage)
}

func (a *chatAnswer) chunk(choices []chatChoice, usage any) frame {
	head := a.head
	head.Object = "chat.completion.chunk"
	return frame{data: encode(chatBody{head, choices, usage})}
}

func (a *chatAnswer) whole(pieces []piece) string {
	var (
		text, reasoning, refusal strings.Builder
		tools                    []chatToolCall
		choice                   chatChoice
		usage                    any
	)
	for _, p := range pieces {
		switch p := p.(type) {
		case textPiece:
			text.WriteString(string(p))
		case reasoningPiece:
			reasoning.WriteString(string(p))
		case refusalPiece:
			refusal.WriteString(string(p))
		case toolStart:
			tools = append(tools, chatToolCall{ID: p.id, Type: "function", Function: chatFunction{Name: p.name}})
		case toolPiece:
			tools[p.index].Function.Arguments += p.input
		case finishPiece:
			reason := chatReason(p)
			choice.FinishReason = &reason
		case usagePiece:
			usage = chatUsage(p)
		}
	}
	choice.Message = map[string]any{"role": "assistant", "content": orNull(text.String()), "refusal": orNull(refusal.String())}
	if reasoning.Len() > 0 {
		choice.Message[a.reasoning] = reasoning.String()
	}
	if len(tools) > 0 {
		choice.Message["tool_calls"] = tools
	}
	head := a.head
	head.Object = "chat.completion"
	return encode(chatBody{head, []chatChoice{choice}, usage})
}

func (*chatAnswer) errorEvent(code, message string) frame {
	return frame{data: openaiError(code, message)}
}

func (*chatAnswer) errorBody(_ int, code, message string) string { return openaiError(code, message) }

// openaiError returns an error of the OpenAI APIs.
func openaiError(code, message string) string {
	type details struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    string  `json:"code"`
	}
	return encode(map[string]details{"error": {Message: message, Type: code, Code: code}})
}

func chatReason(p finishPiece) string {
	switch r := strata.FinishReason(p); r {
	case strata.FinishContentFilter:
		return "content_filter"
	case strata.FinishToolCalls:
		return "tool_calls"
	default:
		return string(r)
	}
}

func chatUsage(u usagePiece) map[string]any {
	prompt := map[string]int64{"cached_tokens": u.CachedInputTokens}
	if u.CacheWriteTokens != 0 {
		prompt["cache_write_tokens"] = u.CacheWriteTokens // OpenRouter's
	}
	return map[string]any{
		"prompt_tokens":             u.InputTokens,
		"completion_tokens":         u.OutputTokens,
		"total_tokens":              total(strata.Usage(u)),
		"prompt_tokens_details":     prompt,
		"completion_tokens_details": map[string]int64{"reasoning_tokens": u.ReasoningTokens},
	}
}
