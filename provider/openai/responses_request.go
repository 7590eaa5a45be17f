package openai

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// params turns a request into the SDK's parameters.
func (m *Responses) params(req *strata.Request) (responses.ResponseNewParams, []strata.Warning, error) {
	p := responses.ResponseNewParams{Model: m.id.Name}
	if req == nil {
		return p, nil, exchange.Invalid(m.id, "the request is nil")
	}
	var err error
	if p.Input.OfInputItemList, err = m.input(req.Messages); err != nil {
		return p, nil, err
	}
	if p.Tools, err = m.tools(req.Tools); err != nil {
		return p, nil, err
	}
	if p.ToolChoice, err = m.toolChoice(req.ToolChoice); err != nil {
		return p, nil, err
	}
	if p.Text.Format, err = m.textFormat(req.ResponseFormat); err != nil {
		return p, nil, err
	}
	warnings := m.settings(&p, req)
	if edit, ok := req.Raw.(func(*responses.ResponseNewParams)); ok && edit != nil {
		edit(&p)
	}
	return p, warnings, nil
}

func (m *Responses) settings(p *responses.ResponseNewParams, req *strata.Request) []strata.Warning {
	setOpt(&p.Temperature, req.Temperature)
	setOpt(&p.TopP, req.TopP)
	if req.MaxOutputTokens != 0 {
		p.MaxOutputTokens = sdk.Int(int64(req.MaxOutputTokens))
	}
	p.Reasoning.Effort = shared.ReasoningEffort(req.ReasoningEffort)
	p.Store = sdk.Bool(false)

	extra := maps.Clone(req.ProviderOptions[m.id.Provider])
	if stored, _ := extra["store"].(bool); !stored && m.reasons(req) {
		p.Include = []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent}
	}
	for name, object := range map[string]interface{ SetExtraFields(map[string]any) }{"reasoning": &p.Reasoning, "text": &p.Text} {
		if fields, ok := extra[name].(map[string]any); ok {
			object.SetExtraFields(fields)
			delete(extra, name)
		}
	}
	if len(extra) > 0 {
		p.SetExtraFields(extra)
	}
	return unplaced(req, extra)
}

// reasoners are the names of OpenAI's reasoning models.
var reasoners = regexp.MustCompile(`(^|[/:])(o[1-9]|gpt-[5-9])`)

// reasons reports whether the model is known to reason.
func (m *Responses) reasons(req *strata.Request) bool {
	if req.ReasoningEffort != "" && req.ReasoningEffort != strata.ReasoningNone {
		return true
	}
	return reasoners.MatchString(m.id.Name) && !strings.Contains(m.id.Name, "-chat")
}

// unplaced warns of the settings that the wire has no place for, unless a provider
// option put one there.
func unplaced(req *strata.Request, options map[string]any) (warnings []strata.Warning) {
	for _, s := range []struct {
		setting, field string
		set            bool
	}{
		{"TopK", "top_k", req.TopK != nil},
		{"PresencePenalty", "presence_penalty", req.PresencePenalty != nil},
		{"FrequencyPenalty", "frequency_penalty", req.FrequencyPenalty != nil},
		{"StopSequences", "stop", len(req.StopSequences) > 0},
		{"Seed", "seed", req.Seed != nil},
	} {
		if _, given := options[s.field]; s.set && !given {
			warnings = append(warnings, strata.Warning{Setting: s.setting, Message: fmt.Sprintf("Responses has no %s; it was left out", s.field)})
		}
	}
	return warnings
}

func (m *Responses) tools(tools []strata.Tool) ([]responses.ToolUnionParam, error) {
	var params []responses.ToolUnionParam
	for i, t := range tools {
		schema, err := m.inputSchema(i, t)
		if err != nil {
			return nil, err
		}
		f := &responses.FunctionToolParam{Name: t.Name}
		if t.Description != "" {
			f.Description = sdk.String(t.Description)
		}
		setOpt(&f.Strict, t.Strict)
		// As an extra field the schema keeps the order of its properties.
		fields := map[string]any{"parameters": schema}
		maps.Copy(fields, t.ProviderOptions[m.id.Provider])
		f.SetExtraFields(fields)
		params = append(params, responses.ToolUnionParam{OfFunction: f})
	}
	return params, nil
}

func (m *Responses) toolChoice(c *strata.ToolChoice) (responses.ResponseNewParamsToolChoiceUnion, error) {
	var p responses.ResponseNewParamsToolChoiceUnion
	switch {
	case c == nil:
	case c.Mode == strata.ToolChoiceAuto || c.Mode == strata.ToolChoiceNone || c.Mode == strata.ToolChoiceRequired:
		p.OfToolChoiceMode = param.NewOpt(responses.ToolChoiceOptions(c.Mode))
	case c.Mode != strata.ToolChoiceTool:
		return p, exchange.Invalid(m.id, "unknown tool choice %q", c.Mode)
	case c.Name == "":
		return p, exchange.Invalid(m.id, "tool choice %q names no tool", c.Mode)
	default:
		p.OfFunctionTool = &responses.ToolChoiceFunctionParam{Name: c.Name}
	}
	return p, nil
}

func (m *Responses) textFormat(f *strata.ResponseFormat) (responses.ResponseFormatTextConfigUnionParam, error) {
	var p responses.ResponseFormatTextConfigUnionParam
	switch {
	case f == nil:
	case f.Type == strata.ResponseText:
		p.OfText = &shared.ResponseFormatTextParam{}
	case f.Type != strata.ResponseJSON:
		return p, exchange.Invalid(m.id, "unknown response format %q", f.Type)
	case f.Schema == nil:
		p.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	case !json.Valid(f.Schema):
		return p, exchange.Invalid(m.id, "response format %q: the schema is not JSON", f.Name)
	default:
		schema := &responses.ResponseFormatTextJSONSchemaConfigParam{Name: f.Name}
		if f.Name == "" {
			schema.Name = "response" // the wire requires one
		}
		if f.Description != "" {
			schema.Description = sdk.String(f.Description)
		}
		setOpt(&schema.Strict, f.Strict)
		schema.SetExtraFields(map[string]any{"schema": f.Schema})
		p.OfJSONSchema = schema
	}
	return p, nil
}
