package openai

import (
	"encoding/json"
	"maps"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// params turns a request into the SDK's parameters.
func (m *Model) params(req *strata.Request, stream bool) (sdk.ChatCompletionNewParams, []strata.Warning, error) {
	p := sdk.ChatCompletionNewParams{Model: m.id.Name}
	if req == nil {
		return p, nil, exchange.Invalid(m.id, "the request is nil")
	}
	var err error
	if p.Messages, err = m.messages(req.Messages); err != nil {
		return p, nil, err
	}
	if p.Tools, err = m.tools(req.Tools); err != nil {
		return p, nil, err
	}
	if p.ToolChoice, err = m.toolChoice(req.ToolChoice); err != nil {
		return p, nil, err
	}
	if p.ResponseFormat, err = m.responseFormat(req.ResponseFormat); err != nil {
		return p, nil, err
	}
	warnings := m.settings(&p, req)
	if stream {
		p.StreamOptions.IncludeUsage = sdk.Bool(true)
	}
	if edit, ok := req.Raw.(func(*sdk.ChatCompletionNewParams)); ok && edit != nil {
		edit(&p)
	}
	return p, warnings, nil
}

func (m *Model) settings(p *sdk.ChatCompletionNewParams, req *strata.Request) []strata.Warning {
	setOpt(&p.Temperature, req.Temperature)
	setOpt(&p.TopP, req.TopP)
	setOpt(&p.PresencePenalty, req.PresencePenalty)
	setOpt(&p.FrequencyPenalty, req.FrequencyPenalty)
	setOpt(&p.Seed, req.Seed)
	p.Stop.OfStringArray = req.StopSequences
	p.ReasoningEffort = shared.ReasoningEffort(req.ReasoningEffort)

	extra := map[string]any{}
	if req.MaxOutputTokens != 0 {
		extra[m.maxTokens] = req.MaxOutputTokens
	}
	maps.Copy(extra, req.ProviderOptions[m.id.Provider])
	if len(extra) > 0 {
		p.SetExtraFields(extra)
	}
	if _, given := extra["top_k"]; req.TopK != nil && !given {
		return []strata.Warning{{Setting: "TopK", Message: "Chat Completions has no top_k; it was left out"}}
	}
	return nil
}

func (m *Model) tools(tools []strata.Tool) ([]sdk.ChatCompletionToolUnionParam, error) {
	var params []sdk.ChatCompletionToolUnionParam
	for i, t := range tools {
		schema, err := m.inputSchema(i, t)
		if err != nil {
			return nil, err
		}
		f := shared.FunctionDefinitionParam{Name: t.Name}
		if t.Description != "" {
			f.Description = sdk.String(t.Description)
		}
		setOpt(&f.Strict, t.Strict)
		// As an extra field the schema keeps the order of its properties.
		f.SetExtraFields(map[string]any{"parameters": schema})
		tool := &sdk.ChatCompletionFunctionToolParam{Function: f}
		if o := t.ProviderOptions[m.id.Provider]; len(o) > 0 {
			tool.SetExtraFields(o)
		}
		params = append(params, sdk.ChatCompletionToolUnionParam{OfFunction: tool})
	}
	return params, nil
}

// inputSchema is the schema of what the tool takes; the wire requires one.
func (e *endpoint) inputSchema(i int, t strata.Tool) (json.RawMessage, error) {
	if t.InputSchema == nil {
		return json.RawMessage(`{"type":"object","properties":{}}`), nil
	}
	if !json.Valid(t.InputSchema) {
		return nil, exchange.Invalid(e.id, "tools[%d] %q: the input schema is not JSON", i, t.Name)
	}
	return t.InputSchema, nil
}

func (m *Model) toolChoice(c *strata.ToolChoice) (sdk.ChatCompletionToolChoiceOptionUnionParam, error) {
	var p sdk.ChatCompletionToolChoiceOptionUnionParam
	if c == nil {
		return p, nil
	}
	switch c.Mode {
	case strata.ToolChoiceAuto, strata.ToolChoiceNone, strata.ToolChoiceRequired:
		p.OfAuto = sdk.String(string(c.Mode))
	case strata.ToolChoiceTool:
		if c.Name == "" {
			return p, exchange.Invalid(m.id, "tool choice %q names no tool", c.Mode)
		}
		p.OfFunctionToolChoice = &sdk.ChatCompletionNamedToolChoiceParam{
			Function: sdk.ChatCompletionNamedToolChoiceFunctionParam{Name: c.Name},
		}
	default:
		return p, exchange.Invalid(m.id, "unknown tool choice %q", c.Mode)
	}
	return p, nil
}

func (m *Model) responseFormat(f *strata.ResponseFormat) (sdk.ChatCompletionNewParamsResponseFormatUnion, error) {
	var p sdk.ChatCompletionNewParamsResponseFormatUnion
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
		schema := shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: f.Name, Schema: f.Schema}
		if f.Name == "" {
			schema.Name = "response" // the wire requires one
		}
		if f.Description != "" {
			schema.Description = sdk.String(f.Description)
		}
		setOpt(&schema.Strict, f.Strict)
		p.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: schema}
	}
	return p, nil
}
