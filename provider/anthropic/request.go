package anthropic

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// encoder turns one request into the SDK's parameters.
type encoder struct {
	id       strata.ModelID
	warnings []strata.Warning
}

// params turns a request into the SDK's parameters.
func (m *Model) params(req *strata.Request) (sdk.MessageNewParams, []strata.Warning, error) {
	e := &encoder{id: m.id}
	p := sdk.MessageNewParams{Model: m.id.Name, MaxTokens: DefaultMaxTokens}
	if req == nil {
		return p, nil, exchange.Invalid(m.id, "the request is nil")
	}
	var err error
	if p.System, p.Messages, err = e.messages(req.Messages); err != nil {
		return p, nil, err
	}
	if p.Tools, err = e.tools(req.Tools); err != nil {
		return p, nil, err
	}
	if p.ToolChoice, err = e.toolChoice(req.ToolChoice); err != nil {
		return p, nil, err
	}
	if p.OutputConfig.Format, err = e.responseFormat(req.ResponseFormat); err != nil {
		return p, nil, err
	}
	e.settings(&p, req)
	if edit, ok := req.Raw.(func(*sdk.MessageNewParams)); ok && edit != nil {
		edit(&p)
	}
	return p, e.warnings, nil
}

func (e *encoder) warn(setting, message string) {
	if w := (strata.Warning{Setting: setting, Message: message}); !slices.Contains(e.warnings, w) {
		e.warnings = append(e.warnings, w)
	}
}

func (e *encoder) settings(p *sdk.MessageNewParams, req *strata.Request) {
	if req.MaxOutputTokens != 0 {
		p.MaxTokens = int64(req.MaxOutputTokens)
	}
	p.StopSequences = slices.Clone(req.StopSequences) // Request.Raw may append
	e.effort(p, req.ReasoningEffort)

	options := req.ProviderOptions[e.id.Provider]
	if len(options) > 0 {
		p.SetExtraFields(maps.Clone(options))
	}
	for _, s := range []struct {
		setting, field string
		set            bool
	}{
		{"Temperature", "temperature", req.Temperature != nil},
		{"TopP", "top_p", req.TopP != nil},
		{"TopK", "top_k", req.TopK != nil},
		{"PresencePenalty", "presence_penalty", req.PresencePenalty != nil},
		{"FrequencyPenalty", "frequency_penalty", req.FrequencyPenalty != nil},
		{"Seed", "seed", req.Seed != nil},
	} {
		if _, given := options[s.field]; s.set && !given {
			e.warn(s.setting, "the Messages API has no "+s.field+"; it was left out")
		}
	}
}

// noEffort are the models that refuse an effort: those before Opus 4.5 and
// Sonnet 4.6, and Haiku 4.5, by the page that effort names.
var noEffort = regexp.MustCompile(`claude-([23]|(sonnet|opus)-4(-[01]|-20|$|@)|sonnet-4-5|haiku-4)`)

// effort sets how much the model should put into its answer, as in
// https://platform.claude.com/docs/en/build-with-claude/effort.
func (e *encoder) effort(p *sdk.MessageNewParams, effort strata.ReasoningEffort) {
	switch {
	case effort == "":
		return
	case effort != strata.ReasoningNone && noEffort.MatchString(p.Model):
		e.warn("ReasoningEffort", "the model has no effort; it was left out")
		return
	}
	switch effort {
	case strata.ReasoningNone:
		off := sdk.NewThinkingConfigDisabledParam()
		p.Thinking.OfDisabled = &off
	case strata.ReasoningMinimal:
		p.OutputConfig.Effort = sdk.OutputConfigEffortLow
		e.warn("ReasoningEffort", `the lowest effort of the Messages API is "low"; it was sent for "minimal"`)
	default:
		p.OutputConfig.Effort = sdk.OutputConfigEffort(effort)
	}
}

func (e *encoder) tools(tools []strata.Tool) ([]sdk.ToolUnionParam, error) {
	var params []sdk.ToolUnionParam
	for i, t := range tools {
		if t.InputSchema != nil && !json.Valid(t.InputSchema) {
			return nil, exchange.Invalid(e.id, "tools[%d] %q: the input schema is not JSON", i, t.Name)
		}
		options := t.ProviderOptions[e.id.Provider]
		if kind, ok := options["type"]; ok && kind != string(sdk.ToolTypeCustom) {
			params = append(params, providerTool(t, options))
			continue
		}
		schema := t.InputSchema
		if schema == nil {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		tool := &sdk.ToolParam{Name: t.Name}
		if t.Description != "" {
			tool.Description = sdk.String(t.Description)
		}
		if t.Strict != nil {
			tool.Strict = sdk.Bool(*t.Strict)
		}
		// As an extra field the schema keeps the order of its properties.
		extra := map[string]any{"input_schema": schema}
		maps.Copy(extra, options)
		tool.SetExtraFields(extra)
		params = append(params, sdk.ToolUnionParam{OfTool: tool})
	}
	return params, nil
}

// providerTool is a tool that the provider knows, by its type. It has no schema
// but what the program gives it, and some have no name.
func providerTool(t strata.Tool, options map[string]any) sdk.ToolUnionParam {
	object := map[string]any{}
	if t.Name != "" {
		object["name"] = t.Name
	}
	if t.Description != "" {
		object["description"] = t.Description
	}
	if t.InputSchema != nil {
		object["input_schema"] = t.InputSchema
	}
	if t.Strict != nil {
		object["strict"] = *t.Strict
	}
	maps.Copy(object, options)
	return param.Override[sdk.ToolUnionParam](object)
}

func (e *encoder) toolChoice(c *strata.ToolChoice) (sdk.ToolChoiceUnionParam, error) {
	var p sdk.ToolChoiceUnionParam
	if c == nil {
		return p, nil
	}
	switch c.Mode {
	case strata.ToolChoiceAuto:
		p.OfAuto = &sdk.ToolChoiceAutoParam{}
	case strata.ToolChoiceNone:
		none := sdk.NewToolChoiceNoneParam()
		p.OfNone = &none
	case strata.ToolChoiceRequired:
		p.OfAny = &sdk.ToolChoiceAnyParam{}
	case strata.ToolChoiceTool:
		if c.Name == "" {
			return p, exchange.Invalid(e.id, "tool choice %q names no tool", c.Mode)
		}
		p.OfTool = &sdk.ToolChoiceToolParam{Name: c.Name}
	default:
		return p, exchange.Invalid(e.id, "unknown tool choice %q", c.Mode)
	}
	return p, nil
}

// responseFormat is the form of the answer, as in
// https://platform.claude.com/docs/en/build-with-claude/structured-outputs.
func (e *encoder) responseFormat(f *strata.ResponseFormat) (sdk.JSONOutputFormatParam, error) {
	var p sdk.JSONOutputFormatParam
	switch {
	case f == nil || f.Type == strata.ResponseText:
	case f.Type != strata.ResponseJSON:
		return p, exchange.Invalid(e.id, "unknown response format %q", f.Type)
	case f.Schema == nil:
		e.warn("ResponseFormat", "the Messages API has no JSON without a schema; it was left out")
	case !json.Valid(f.Schema):
		return p, exchange.Invalid(e.id, "response format %q: the schema is not JSON", f.Name)
	default:
		p.SetExtraFields(map[string]any{"schema": f.Schema}) // keeps the order of its properties
	}
	return p, nil
}
