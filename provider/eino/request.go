package eino

import (
	"fmt"
	"slices"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// query is a request as a chat model takes it.
type query struct {
	messages []*schema.Message
	options  []model.Option
	warnings []strata.Warning
}

// request turns a request into eino's messages and options.
func (m *Model) request(req *strata.Request) (*query, error) {
	if req == nil {
		return nil, exchange.Invalid(m.id, "the request is nil")
	}
	q := &query{}
	var err error
	if q.messages, err = m.history(req.Messages); err != nil {
		return nil, err
	}
	m.settings(q, req)
	if err := m.tools(q, req); err != nil {
		return nil, err
	}
	m.rest(q, req)
	if options, ok := req.Raw.([]model.Option); ok {
		q.options = append(q.options, options...)
	}
	return q, nil
}

func (q *query) add(o model.Option) { q.options = append(q.options, o) }

func (m *Model) settings(q *query, req *strata.Request) {
	if m.sendName {
		q.add(model.WithModel(m.id.Name))
	}
	if req.MaxOutputTokens != 0 {
		q.add(model.WithMaxTokens(req.MaxOutputTokens))
	}
	if req.Temperature != nil {
		q.add(model.WithTemperature(float32(*req.Temperature)))
	}
	if req.TopP != nil {
		q.add(model.WithTopP(float32(*req.TopP)))
	}
	if req.StopSequences != nil {
		q.add(model.WithStop(slices.Clone(req.StopSequences)))
	}
}

func (m *Model) tools(q *query, req *strata.Request) error {
	if req.Tools != nil {
		infos := make([]*schema.ToolInfo, len(req.Tools))
		for i, t := range req.Tools {
			info, err := toolInfo(t)
			if err != nil {
				return exchange.Invalid(m.id, "tools[%d] %q: %v", i, t.Name, err)
			}
			infos[i] = info
		}
		q.add(model.WithTools(infos))
	}
	c := req.ToolChoice
	if c == nil {
		return nil
	}
	switch c.Mode {
	case strata.ToolChoiceAuto:
		q.add(model.WithToolChoice(schema.ToolChoiceAllowed))
	case strata.ToolChoiceNone:
		q.add(model.WithToolChoice(schema.ToolChoiceForbidden))
	case strata.ToolChoiceRequired:
		q.add(model.WithToolChoice(schema.ToolChoiceForced))
	case strata.ToolChoiceTool:
		if c.Name == "" {
			return exchange.Invalid(m.id, "tool choice %q names no tool", c.Mode)
		}
		q.add(model.WithToolChoice(schema.ToolChoiceForced, c.Name))
	default:
		return exchange.Invalid(m.id, "unknown tool choice %q", c.Mode)
	}
	return nil
}

// rest is about the settings that eino's options have no place for. A ChatModel
// takes them by an option of its own, which others do not know.
func (m *Model) rest(q *query, req *strata.Request) {
	q.add(WithRequest(func(r *strata.Request) {
		precise(&r.Temperature, req.Temperature)
		precise(&r.TopP, req.TopP)
		r.TopK, r.Seed, r.ReasoningEffort = req.TopK, req.Seed, req.ReasoningEffort
		r.PresencePenalty, r.FrequencyPenalty = req.PresencePenalty, req.FrequencyPenalty
		r.ResponseFormat, r.Headers, r.ProviderOptions = req.ResponseFormat, req.Headers, req.ProviderOptions
		if _, ok := req.Raw.([]model.Option); !ok && req.Raw != nil {
			r.Raw = req.Raw
		}
	}))
	if _, ok := m.chat.(*ChatModel); ok {
		return
	}
	warn := func(setting string, set bool) {
		if set {
			q.warnings = append(q.warnings, strata.Warning{
				Setting: setting, Message: fmt.Sprintf("eino has no option for %s; it was left out", setting),
			})
		}
	}
	warn("TopK", req.TopK != nil)
	warn("PresencePenalty", req.PresencePenalty != nil)
	warn("FrequencyPenalty", req.FrequencyPenalty != nil)
	warn("Seed", req.Seed != nil)
	warn("ReasoningEffort", req.ReasoningEffort != "")
	warn("ResponseFormat", req.ResponseFormat != nil && req.ResponseFormat.Type != strata.ResponseText)
	warn("Headers", len(req.Headers) > 0)
	warn("ProviderOptions", len(req.ProviderOptions[m.id.Provider])+len(req.ProviderOptions[DataKey]) > 0)
	warn("Tool.Strict", slices.ContainsFunc(req.Tools, func(t strata.Tool) bool { return t.Strict != nil }))
}

// precise sets a number that came through a float32 to what it was before.
func precise(n **float64, was *float64) {
	if *n != nil && was != nil && float32(**n) == float32(*was) {
		*n = was
	}
}
