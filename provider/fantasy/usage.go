package fantasy

import (
	"maps"

	sdk "charm.land/fantasy"

	"github.com/strata-go/strata"
)

// counts is how a language model counts tokens.
type counts struct {
	cachedInInput  bool // InputTokens hold the cached ones
	reasoningApart bool // OutputTokens leave out those of reasoning
}

// countsOf is how lm counts, as far as that is known.
func countsOf(lm sdk.LanguageModel) counts {
	name := typeOf(lm)
	if name == "" {
		name = lm.Provider()
	}
	switch name {
	case "google":
		return counts{cachedInInput: true, reasoningApart: true}
	case "kronk":
		return counts{cachedInInput: true}
	}
	return counts{}
}

// read returns u as strata counts: input with what was cached, output with
// reasoning. Anthropic's total leaves out the cached ones too: the total is never
// less than both together.
func (c counts) read(u sdk.Usage) strata.Usage {
	s := strata.Usage{
		InputTokens:       u.InputTokens,
		OutputTokens:      u.OutputTokens,
		CachedInputTokens: u.CacheReadTokens,
		CacheWriteTokens:  u.CacheCreationTokens,
		ReasoningTokens:   u.ReasoningTokens,
	}
	if !c.cachedInInput {
		s.InputTokens += u.CacheReadTokens + u.CacheCreationTokens
	}
	if c.reasoningApart {
		s.OutputTokens += u.ReasoningTokens
	}
	s.TotalTokens = max(u.TotalTokens, s.InputTokens+s.OutputTokens)
	return s
}

// usageOf returns u as most of fantasy's providers count.
func usageOf(u strata.Usage) sdk.Usage {
	return sdk.Usage{
		InputTokens:         max(u.InputTokens-u.CachedInputTokens-u.CacheWriteTokens, 0),
		OutputTokens:        u.OutputTokens,
		TotalTokens:         u.TotalTokens,
		ReasoningTokens:     u.ReasoningTokens,
		CacheCreationTokens: u.CacheWriteTokens,
		CacheReadTokens:     u.CachedInputTokens,
	}
}

// outcome is how an answer ended, as fantasy told it and as it was read. It goes
// along with the answer where the one does not follow from the other, so that an
// answer that no layer changed comes out of [Wrap] as fantasy told it.
type outcome struct {
	toldReason sdk.FinishReason
	toldUsage  sdk.Usage
	reason     strata.FinishReason
	usage      strata.Usage
}

const outcomeKey = "outcome"

// outcome reads how an answer ended; called says that the program is to run tools.
func (m *Model) outcome(reason sdk.FinishReason, usage sdk.Usage, called bool) outcome {
	o := outcome{toldReason: reason, toldUsage: usage, reason: strata.FinishReason(reason), usage: m.counts.read(usage)}
	switch {
	case reason == "":
		o.reason = strata.FinishUnknown
	case called && reason == sdk.FinishReasonStop:
		o.reason = strata.FinishToolCalls
	}
	return o
}

// keep returns data with the outcome in it, if it is needed there.
func (o outcome) keep(data strata.ProviderData) strata.ProviderData {
	if sdk.FinishReason(o.reason) == o.toldReason && usageOf(o.usage) == o.toldUsage {
		return data
	}
	return with(data, outcomeKey, o)
}

// outcomeOf returns reason and usage as fantasy is to be told them, and whether
// they are what it told itself.
func outcomeOf(reason strata.FinishReason, usage strata.Usage, data strata.ProviderData) (sdk.FinishReason, sdk.Usage, bool) {
	o, kept := data[Key][outcomeKey].(outcome)
	told := sdk.FinishReason(reason)
	if kept = kept && o.reason == reason; kept {
		told = o.toldReason
	}
	if o.usage == usage && o.toldUsage != (sdk.Usage{}) {
		return told, o.toldUsage, kept
	}
	return told, usageOf(usage), kept
}

// with returns data with a field of this package's own.
func with(data strata.ProviderData, field string, value any) strata.ProviderData {
	c := make(strata.ProviderData, len(data)+1)
	maps.Copy(c, data)
	fields := make(map[string]any, len(c[Key])+1)
	maps.Copy(fields, c[Key])
	fields[field] = value
	c[Key] = fields
	return c
}
