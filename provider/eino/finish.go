package eino

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/cloudwego/eino/schema"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// meta takes what is said of the answer. The last finish reason and the highest
// counts stand, as schema.ConcatMessages has it.
func (r *reader) meta(meta *schema.ResponseMeta) {
	if meta == nil {
		return
	}
	if meta.LogProbs != nil && len(meta.LogProbs.Content) > 0 && !r.whole {
		r.emit(strata.Raw{Value: meta.LogProbs})
	}
	if meta.FinishReason != "" && meta.FinishReason != "null" {
		r.reason = meta.FinishReason
	}
	if meta.Usage == nil {
		return
	}
	before := r.usage
	u := usageOf(meta.Usage)
	r.usage.InputTokens = max(r.usage.InputTokens, u.InputTokens)
	r.usage.OutputTokens = max(r.usage.OutputTokens, u.OutputTokens)
	r.usage.TotalTokens = max(r.usage.TotalTokens, u.TotalTokens)
	r.usage.CachedInputTokens = max(r.usage.CachedInputTokens, u.CachedInputTokens)
	r.usage.ReasoningTokens = max(r.usage.ReasoningTokens, u.ReasoningTokens)
	if r.usage != before && r.reason == "" && r.finish == nil && !r.whole {
		usage := r.usage
		r.emit(strata.ResponseMetadata{Usage: &usage})
	}
}

func usageOf(u *schema.TokenUsage) strata.Usage {
	return strata.Usage{
		InputTokens:       int64(u.PromptTokens),
		OutputTokens:      int64(u.CompletionTokens),
		TotalTokens:       int64(u.TotalTokens),
		CachedInputTokens: int64(u.PromptTokenDetails.CachedTokens),
		ReasoningTokens:   int64(u.CompletionTokensDetails.ReasoningTokens),
	}
}

// end hands on what ends an answer that has come to its end.
func (r *reader) end() {
	reason := reasonOf(r.reason)
	if r.finish != nil {
		reason = r.finish.Reason
	} else if !r.given {
		switch {
		case reason == strata.FinishContentFilter:
			r.stop(exchange.New(r.id).Refused(r.reason))
			return
		case reason == strata.FinishUnknown && r.usage == (strata.Usage{}) && !r.whole:
			r.stop(exchange.New(r.id).Unfinished())
			return
		}
	}
	r.endContent(reason)
	finish := strata.Finish{Reason: reason, RawReason: r.reason, Usage: r.usage}
	if reason == strata.FinishStop && slices.ContainsFunc(r.tools, func(t *tool) bool { return t.done }) {
		finish.Reason = strata.FinishToolCalls
	}
	if r.finish != nil {
		finish = *r.finish
	}
	finish.Model = r.id
	r.emit(finish)
}

// endContent closes what is open and hands on the calls that are whole, in the
// order of ConcatMessages. The last of the contents carries what its message had
// besides.
func (r *reader) endContent(reason strata.FinishReason) {
	slices.SortStableFunc(r.tools, func(a, b *tool) int {
		switch {
		case a.index != nil && b.index != nil:
			return cmp.Compare(*a.index, *b.index)
		case a.index == nil && b.index != nil:
			return -1
		case a.index != nil:
			return 1
		}
		return 0
	})
	var calls []*tool
	for _, t := range r.tools {
		if !t.done && t.name != "" && !t.cut(reason) {
			calls = append(calls, t)
		}
	}
	message := r.message()
	switch {
	case len(calls) > 0:
		r.close(nil)
	case r.block == "" && message != nil:
		r.open("reasoning") // other providers take no part of it
		r.close(message)
	default:
		r.close(message)
	}
	for i, t := range calls {
		if i < len(calls)-1 {
			r.call(t, nil)
		} else {
			r.call(t, message)
		}
	}
}

// message is what the answer's message had besides its content.
func (r *reader) message() strata.ProviderData {
	fields := map[string]any{}
	if extra := joinedExtra(r.extras); len(extra) > 0 {
		fields["extra"] = extra
	}
	if r.name != "" {
		fields["name"] = r.name
	}
	return with(nil, MessageKey, fields)
}

// joinedExtra is the Extra of the whole message. What eino cannot join is not
// worth the answer: there the last one stands.
func joinedExtra(chunks []*schema.Message) map[string]any {
	if len(chunks) == 0 {
		return nil
	}
	if m, err := schema.ConcatMessages(chunks); err == nil {
		return m.Extra
	}
	extra := map[string]any{}
	for _, m := range chunks {
		maps.Copy(extra, m.Extra)
	}
	return extra
}

// reasonOf is what an implementation's word means.
func reasonOf(word string) strata.FinishReason {
	switch strings.ToLower(word) {
	case "":
		return strata.FinishUnknown
	case "stop", "end_turn", "stop_sequence", "eos", "eos_token", "normal", "finish", "completed":
		return strata.FinishStop
	case "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded":
		return strata.FinishLength
	case "tool_calls", "tool_use", "tool-calls", "function_call":
		return strata.FinishToolCalls
	case "content_filter", "content-filter", "refusal", "safety", "image_safety", "recitation", "blocklist",
		"prohibited_content", "image_prohibited_content", "spii", "sensitive", "content_filtered", "guardrail_intervened":
		return strata.FinishContentFilter
	case "error":
		return strata.FinishError
	}
	return strata.FinishOther
}
