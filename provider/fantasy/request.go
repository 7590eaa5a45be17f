package fantasy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	sdk "charm.land/fantasy"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// noInput is the input of a call that came without arguments.
const noInput = "{}"

// toolsKey is where a request has the tools that a provider defines, and
// toolChoiceKey a choice of tools that goes with no others.
const (
	toolsKey      = "tools"
	toolChoiceKey = "tool_choice"
)

// call turns a request into fantasy's.
func (m *Model) call(req *strata.Request) (sdk.Call, []strata.Warning, error) {
	var c sdk.Call
	if req == nil {
		return c, nil, exchange.Invalid(m.id, "the request is nil")
	}
	var err error
	if c.Prompt, err = m.prompt(req.Messages); err != nil {
		return c, nil, err
	}
	var warnings []strata.Warning
	if c.Tools, warnings, err = m.tools(req); err != nil {
		return c, nil, err
	}
	if c.ToolChoice, err = m.toolChoice(req); err != nil {
		return c, nil, err
	}
	if req.MaxOutputTokens != 0 {
		c.MaxOutputTokens = pointer(int64(req.MaxOutputTokens))
	}
	if req.TopK != nil {
		c.TopK = pointer(int64(*req.TopK))
	}
	c.Temperature, c.TopP = req.Temperature, req.TopP
	c.PresencePenalty, c.FrequencyPenalty = req.PresencePenalty, req.FrequencyPenalty
	for name, values := range req.Headers {
		if http.CanonicalHeaderKey(name) == "User-Agent" && len(values) > 0 {
			c.UserAgent = values[len(values)-1]
			continue
		}
		if c.Headers == nil {
			c.Headers = map[string]string{}
		}
		c.Headers[name] = strings.Join(values, ", ")
	}
	var ignored []strata.Warning
	c.ProviderOptions, ignored = m.options(req.ProviderOptions)
	return c, slices.Concat(warnings, unsupported(req), ignored), nil
}

// unsupported are the settings that have no place in a call.
func unsupported(req *strata.Request) []strata.Warning {
	var warnings []strata.Warning
	for _, s := range []struct {
		name  string
		given bool
	}{
		{"StopSequences", len(req.StopSequences) > 0},
		{"Seed", req.Seed != nil},
		{"ReasoningEffort", req.ReasoningEffort != ""},
	} {
		if s.given {
			warnings = append(warnings, strata.Warning{Setting: s.name, Message: "fantasy's calls have no place for it; it was left out"})
		}
	}
	return warnings
}

// options are fantasy's options of each provider. Plain fields are read as the
// type that the provider registers for its options; where it has none, or not
// those fields, they are left out, which is told if they were for this model.
func (m *Model) options(d strata.ProviderData) (sdk.ProviderOptions, []strata.Warning) {
	var warnings []strata.Warning
	rest := maps.Clone(d)
	for _, provider := range slices.Sorted(maps.Keys(d)) {
		fields := d[provider]
		_, given := typed(provider, d[Key][provider])
		if provider == Key || given || len(fields) == 0 {
			continue
		}
		value, ok := typed(provider, map[string]any{"type": provider + ".options", "data": fields})
		if !ok {
			if provider == m.id.Provider || provider == m.lm.Provider() {
				warnings = append(warnings, strata.Warning{Setting: "ProviderOptions." + provider,
					Message: "fantasy has no type for these options; they were left out"})
			}
			continue
		}
		for _, name := range missing(fields, value) {
			warnings = append(warnings, strata.Warning{Setting: "ProviderOptions." + provider + "." + name,
				Message: "fantasy's options of the provider have no such field; it was left out"})
		}
		delete(rest, provider)
		rest = with(rest, provider, value)
	}
	for _, name := range slices.Sorted(maps.Keys(d[Key])) {
		if stored, ok := d[Key][name].(map[string]any); ok {
			if _, ok := typed(name, stored); !ok {
				warnings = append(warnings, strata.Warning{Setting: "ProviderOptions." + Key + "." + name,
					Message: "no linked provider of fantasy's has the type of these options; they were left out"})
			}
		}
	}
	return write(rest, Extra{}), warnings
}

// missing are the fields that a value of fantasy's did not take.
func missing(fields map[string]any, value sdk.ProviderOptionsData) []string {
	var taken struct {
		Data map[string]any `json:"data"`
	}
	raw, err := value.MarshalJSON()
	if err != nil || json.Unmarshal(raw, &taken) != nil || taken.Data == nil {
		return nil
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if _, ok := taken.Data[name]; !ok {
			names = append(names, name)
		}
	}
	return names
}

// tools are the request's own, and then those that a provider defines.
func (m *Model) tools(req *strata.Request) ([]sdk.Tool, []strata.Warning, error) {
	var tools []sdk.Tool
	var warnings []strata.Warning
	for i, t := range req.Tools {
		schema := map[string]any{"type": "object", "properties": map[string]any{}}
		if t.InputSchema != nil {
			schema = nil
			if err := json.Unmarshal(t.InputSchema, &schema); err != nil || schema == nil {
				return nil, nil, exchange.Invalid(m.id, "tools[%d] %q: the input schema is no JSON object", i, t.Name)
			}
		}
		if t.Strict != nil && *t.Strict {
			warnings = append(warnings, strata.Warning{Setting: "Tools." + t.Name + ".Strict", Message: "fantasy's tools are not strict"})
		}
		tools = append(tools, sdk.FunctionTool{
			Name: t.Name, Description: t.Description, InputSchema: withNames(schema), ProviderOptions: write(t.ProviderOptions, Extra{}),
		})
	}
	own, _ := req.ProviderOptions[Key][toolsKey].([]sdk.Tool)
	return append(tools, own...), warnings, nil
}

// withNames makes the lists of required properties in a schema the []string that
// fantasy's providers look for.
func withNames(schema map[string]any) map[string]any {
	for keyword, value := range schema {
		switch v := value.(type) {
		case map[string]any:
			withNames(v)
		case []any:
			var names []string
			for _, item := range v {
				switch item := item.(type) {
				case string:
					names = append(names, item)
				case map[string]any:
					withNames(item)
				}
			}
			if keyword == "required" && len(names) == len(v) {
				schema[keyword] = slices.Clip(append([]string{}, names...))
			}
		}
	}
	return schema
}

func (m *Model) toolChoice(req *strata.Request) (*sdk.ToolChoice, error) {
	c := req.ToolChoice
	if c == nil {
		choice, _ := req.ProviderOptions[Key][toolChoiceKey].(*sdk.ToolChoice)
		return choice, nil
	}
	switch c.Mode {
	case strata.ToolChoiceAuto, strata.ToolChoiceNone, strata.ToolChoiceRequired:
		return pointer(sdk.ToolChoice(c.Mode)), nil
	case strata.ToolChoiceTool:
		if c.Name == "" {
			return nil, exchange.Invalid(m.id, "tool choice %q names no tool", c.Mode)
		}
		return pointer(sdk.SpecificToolChoice(c.Name)), nil
	}
	return nil, exchange.Invalid(m.id, "unknown tool choice %q", c.Mode)
}

func pointer[T any](v T) *T { return &v }

// requestOf turns fantasy's call into a request.
func requestOf(c sdk.Call) (*strata.Request, error) {
	req := &strata.Request{
		Temperature: c.Temperature, TopP: c.TopP,
		PresencePenalty: c.PresencePenalty, FrequencyPenalty: c.FrequencyPenalty,
		ProviderOptions: read(c.ProviderOptions),
	}
	var err error
	if req.Messages, err = messages(c.Prompt); err != nil {
		return nil, err
	}
	if c.MaxOutputTokens != nil {
		req.MaxOutputTokens = int(*c.MaxOutputTokens)
	}
	if c.TopK != nil {
		req.TopK = pointer(int(*c.TopK))
	}
	if c.UserAgent != "" || len(c.Headers) > 0 {
		req.Headers = http.Header{}
		for name, value := range c.Headers {
			req.Headers.Set(name, value)
		}
		if c.UserAgent != "" {
			req.Headers.Set("User-Agent", c.UserAgent)
		}
	}
	if err := setTools(req, c); err != nil {
		return nil, err
	}
	return req, nil
}

// setTools puts the program's tools into the request, and those that a provider
// defines where New finds them and no other adapter takes them for functions. A
// choice of tools goes with tools: some servers refuse it alone.
func setTools(req *strata.Request, c sdk.Call) error {
	var own []sdk.Tool
	for i, t := range c.Tools {
		f, ok := functionOf(t)
		if !ok {
			own = append(own, t)
			continue
		}
		tool := strata.Tool{Name: f.Name, Description: f.Description, ProviderOptions: read(f.ProviderOptions)}
		if f.InputSchema != nil {
			schema, err := marshal(f.InputSchema)
			if err != nil {
				return fmt.Errorf("tools[%d] %q: the input schema: %w", i, f.Name, err)
			}
			tool.InputSchema = schema
		}
		req.Tools = append(req.Tools, tool)
	}
	if own != nil {
		req.ProviderOptions = with(req.ProviderOptions, toolsKey, own)
	}
	switch choice := c.ToolChoice; {
	case choice == nil:
	case len(req.Tools) == 0:
		req.ProviderOptions = with(req.ProviderOptions, toolChoiceKey, choice)
	case *choice == sdk.ToolChoiceAuto, *choice == sdk.ToolChoiceNone, *choice == sdk.ToolChoiceRequired:
		req.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceMode(*choice)}
	default:
		req.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceTool, Name: string(*choice)}
	}
	return nil
}

func functionOf(t sdk.Tool) (sdk.FunctionTool, bool) {
	switch t := t.(type) {
	case sdk.FunctionTool:
		return t, true
	case *sdk.FunctionTool:
		if t != nil {
			return *t, true
		}
	}
	return sdk.FunctionTool{}, false
}

// marshal writes JSON with the characters that HTML escapes as they are.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
