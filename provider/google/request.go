package google

import (
	"context"
	"encoding/json"
	"math"
	"strings"

	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// ask sends the request, over what presets set, and returns the call with a
// response of success.
func (m *Model) ask(ctx context.Context, req *strata.Request, stream bool, presets ...func(*genai.GenerateContentConfig)) (*call, []strata.Warning, error) {
	if req == nil {
		return nil, nil, exchange.Invalid(m.id, "the request is nil")
	}
	contents, system, warnings, err := m.contents(req.Messages)
	if err != nil {
		return nil, nil, err
	}
	params, more, err := m.params(req)
	if err != nil {
		return nil, nil, err
	}
	for _, preset := range presets {
		preset(params)
	}
	if edit, ok := req.Raw.(func(*genai.GenerateContentConfig)); ok && edit != nil {
		edit(params)
	}
	params.AutomaticContinuation = genai.Ptr(false)
	o := genai.HTTPOptions{}
	if params.HTTPOptions != nil {
		o = *params.HTTPOptions
	}
	params.HTTPOptions = &o
	edit := func(body map[string]any) {
		body["contents"] = contents
		if system != nil && body["systemInstruction"] == nil {
			body["systemInstruction"] = system
		}
		m.complete(body, params, req)
	}
	c, err := m.send(ctx, params, &o, req.Headers, edit, func(ctx context.Context) error {
		if !stream {
			_, err := m.models.GenerateContent(ctx, m.id.Name, nil, params)
			return err
		}
		for _, err := range m.models.GenerateContentStream(ctx, m.id.Name, nil, params) {
			return err
		}
		return nil
	})
	return c, append(warnings, more...), err
}

// params are the SDK's parameters, but for the conversation.
func (m *Model) params(req *strata.Request) (*genai.GenerateContentConfig, []strata.Warning, error) {
	p := &genai.GenerateContentConfig{
		MaxOutputTokens:  int32(min(req.MaxOutputTokens, math.MaxInt32)),
		Temperature:      number[float32](req.Temperature),
		TopP:             number[float32](req.TopP),
		TopK:             number[float32](req.TopK),
		PresencePenalty:  number[float32](req.PresencePenalty),
		FrequencyPenalty: number[float32](req.FrequencyPenalty),
		StopSequences:    req.StopSequences,
	}
	var warnings []strata.Warning
	if s := req.Seed; s != nil && int64(int32(*s)) != *s {
		warnings = append(warnings, longSeed)
	} else {
		p.Seed = number[int32](s)
	}
	var unthinkable *strata.Warning
	if p.ThinkingConfig, unthinkable = thinking(m.id.Name, req.ReasoningEffort); unthinkable != nil {
		warnings = append(warnings, *unthinkable)
	}
	more, err := m.tools(p, req.Tools)
	if err != nil {
		return nil, nil, err
	}
	warnings = append(warnings, more...)
	if p.ToolConfig, err = m.toolChoice(req.ToolChoice); err != nil {
		return nil, nil, err
	}
	if more, err = m.responseFormat(p, req.ResponseFormat); err != nil {
		return nil, nil, err
	}
	return p, append(warnings, more...), nil
}

var longSeed = strata.Warning{Setting: "Seed", Message: "a seed has 32 bits; this one was left out"}

func number[T int32 | float32, F int | int64 | float64](v *F) *T {
	if v == nil {
		return nil
	}
	return genai.Ptr(T(*v))
}

func (m *Model) tools(p *genai.GenerateContentConfig, tools []strata.Tool) ([]strata.Warning, error) {
	var (
		declared []*genai.FunctionDeclaration
		warnings []strata.Warning
	)
	for i, t := range tools {
		f := &genai.FunctionDeclaration{Name: t.Name, Description: t.Description}
		if t.InputSchema != nil { // a function without input has no parameters
			if !json.Valid(t.InputSchema) {
				return nil, exchange.Invalid(m.id, "tools[%d] %q: the input schema is not JSON", i, t.Name)
			}
			f.ParametersJsonSchema = t.InputSchema
		}
		if t.Strict != nil && *t.Strict && warnings == nil {
			warnings = []strata.Warning{{Setting: "Tool.Strict", Message: "Gemini has no strict tools; it was left out"}}
		}
		declared = append(declared, f)
	}
	if declared != nil {
		p.Tools = []*genai.Tool{{FunctionDeclarations: declared}}
	}
	return warnings, nil
}

func (m *Model) toolChoice(c *strata.ToolChoice) (*genai.ToolConfig, error) {
	if c == nil {
		return nil, nil
	}
	f := &genai.FunctionCallingConfig{}
	switch c.Mode {
	case strata.ToolChoiceAuto:
		f.Mode = genai.FunctionCallingConfigModeAuto
	case strata.ToolChoiceNone:
		f.Mode = genai.FunctionCallingConfigModeNone
	case strata.ToolChoiceRequired:
		f.Mode = genai.FunctionCallingConfigModeAny
	case strata.ToolChoiceTool:
		if c.Name == "" {
			return nil, exchange.Invalid(m.id, "tool choice %q names no tool", c.Mode)
		}
		f.Mode, f.AllowedFunctionNames = genai.FunctionCallingConfigModeAny, []string{c.Name}
	default:
		return nil, exchange.Invalid(m.id, "unknown tool choice %q", c.Mode)
	}
	return &genai.ToolConfig{FunctionCallingConfig: f}, nil
}

func (m *Model) responseFormat(p *genai.GenerateContentConfig, f *strata.ResponseFormat) ([]strata.Warning, error) {
	switch {
	case f == nil || f.Type == strata.ResponseText:
		return nil, nil
	case f.Type != strata.ResponseJSON:
		return nil, exchange.Invalid(m.id, "unknown response format %q", f.Type)
	}
	p.ResponseMIMEType = "application/json"
	if f.Schema == nil {
		return nil, nil
	}
	if !json.Valid(f.Schema) {
		return nil, exchange.Invalid(m.id, "response format %q: the schema is not JSON", f.Name)
	}
	p.ResponseJsonSchema = f.Schema
	if f.Description != "" {
		return []strata.Warning{{Setting: "ResponseFormat.Description", Message: "Gemini takes a schema alone; it was left out"}}, nil
	}
	return nil, nil
}

// complete puts into the body what the SDK's parameters do not carry: schemas with
// their properties in order, and the options of the provider's own.
func (m *Model) complete(body map[string]any, params *genai.GenerateContentConfig, req *strata.Request) {
	options := map[string]map[string]any{}
	for _, t := range req.Tools {
		options[t.Name] = t.ProviderOptions[m.id.Provider]
	}
	for i, t := range params.Tools {
		if t == nil {
			continue
		}
		for j, f := range t.FunctionDeclarations {
			declared := at(at(body["tools"], i)["functionDeclarations"], j)
			if f == nil || declared == nil {
				continue
			}
			if schema, ok := f.ParametersJsonSchema.(json.RawMessage); ok {
				declared["parametersJsonSchema"] = schema
			}
			merge(declared, options[f.Name])
		}
	}
	if generation, ok := body["generationConfig"].(map[string]any); ok {
		if schema, ok := params.ResponseJsonSchema.(json.RawMessage); ok {
			generation["responseJsonSchema"] = schema
		}
		if len(generation) == 0 {
			delete(body, "generationConfig")
		}
	}
	merge(body, req.ProviderOptions[m.id.Provider])
}

// at is the i-th object of a list as the SDK makes them.
func at(list any, i int) map[string]any {
	switch list := list.(type) {
	case []map[string]any:
		if i < len(list) {
			return list[i]
		}
	case []any:
		if i < len(list) {
			object, _ := list[i].(map[string]any)
			return object
		}
	}
	return nil
}

// The budgets of thinking by which Google's own compatible endpoint understands
// the efforts: https://ai.google.dev/gemini-api/docs/openai#thinking
var budgets = map[strata.ReasoningEffort]int32{
	strata.ReasoningNone: 0, strata.ReasoningMinimal: 1024, strata.ReasoningLow: 1024,
	strata.ReasoningMedium: 8192, strata.ReasoningHigh: 24576,
}

// minProBudget is the least that Gemini 2.5 Pro, which always thinks, takes.
const minProBudget = 128

// thinking is the thinking configuration for an effort. The warning says that a
// model thinks though it was asked not to.
func thinking(model string, effort strata.ReasoningEffort) (*genai.ThinkingConfig, *strata.Warning) {
	if effort == "" {
		return nil, nil
	}
	pro, none := strings.Contains(model, "-pro"), effort == strata.ReasoningNone
	always := &strata.Warning{Setting: "ReasoningEffort", Message: "this model always thinks; it was asked for as little as it can"}
	budget, known := budgets[effort]
	switch {
	case strings.Contains(model, "gemini-2") && known && none && pro:
		return &genai.ThinkingConfig{ThinkingBudget: genai.Ptr[int32](minProBudget)}, always
	case strings.Contains(model, "gemini-2") && known:
		return &genai.ThinkingConfig{ThinkingBudget: &budget, IncludeThoughts: !none}, nil
	case pro && (none || effort == strata.ReasoningMinimal):
		effort = strata.ReasoningLow
	case none:
		effort = strata.ReasoningMinimal
	}
	level := genai.ThinkingLevel(strings.ToUpper(string(effort)))
	if none {
		return &genai.ThinkingConfig{ThinkingLevel: level}, always
	}
	return &genai.ThinkingConfig{ThinkingLevel: level, IncludeThoughts: true}, nil
}

// mustSign reports whether the model refuses function calls without signatures:
// from Gemini 3 on. A name without a number is that of the latest one.
func mustSign(model string) bool {
	_, version, ok := strings.Cut(model, "gemini-")
	return ok && !strings.HasPrefix(version, "1") && !strings.HasPrefix(version, "2")
}
