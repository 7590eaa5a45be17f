package eino

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"

	"github.com/strata-go/strata"
)

// toolInfo is a tool as eino has it.
func toolInfo(t strata.Tool) (*schema.ToolInfo, error) {
	info := &schema.ToolInfo{Name: t.Name, Desc: t.Description}
	rest := strata.Tool{Strict: t.Strict, ProviderOptions: foreign(t.ProviderOptions)}
	if t.InputSchema != nil {
		s, err := jsonSchema(t.InputSchema)
		if err != nil {
			return nil, fmt.Errorf("the input schema is none that eino can hold: %w", err)
		}
		info.ParamsOneOf = schema.NewParamsOneOfByJSONSchema(s)
		if back, err := json.Marshal(s); err != nil || !sameJSON(back, t.InputSchema) {
			rest.InputSchema = t.InputSchema
		}
	}
	info.Extra = withCarried(t.ProviderOptions[DataKey], plain(rest))
	return info, nil
}

// jsonSchema is a schema as eino has it. Keywords of the schema that its type does
// not know, such as "definitions", are kept; those of schemas inside it are not.
func jsonSchema(raw json.RawMessage) (*jsonschema.Schema, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	var given, known map[string]json.RawMessage
	if json.Unmarshal(raw, &given) != nil { // true or false
		return &s, nil
	}
	back, err := json.Marshal(&s)
	if err != nil {
		return nil, err
	}
	_ = json.Unmarshal(back, &known) // of an empty schema: "true"
	for key, value := range given {
		if _, ok := known[key]; !ok && !knownKeywords[key] {
			if s.Extras == nil {
				s.Extras = map[string]any{}
			}
			s.Extras[key] = value
		}
	}
	return &s, nil
}

// knownKeywords are those that the type has fields for: it leaves them out where
// they say nothing.
var knownKeywords = keywords()

func keywords() map[string]bool {
	known := map[string]bool{"type": true}
	for f := range reflect.TypeFor[jsonschema.Schema]().Fields() {
		name, _, _ := bytes.Cut([]byte(f.Tag.Get("json")), []byte(","))
		known[string(name)] = true
	}
	return known
}

func sameJSON(a, b []byte) bool {
	var va, vb any
	return json.Unmarshal(a, &va) == nil && json.Unmarshal(b, &vb) == nil && reflect.DeepEqual(va, vb)
}

// toolFrom is the tool that eino has.
func toolFrom(info *schema.ToolInfo) (strata.Tool, error) {
	if info == nil {
		return strata.Tool{}, errors.New("the tool is nil")
	}
	var t strata.Tool
	fill(reflect.ValueOf(&t).Elem(), carried(info.Extra))
	t.Name, t.Description = info.Name, info.Desc
	t.ProviderOptions = with(t.ProviderOptions.Clone(), DataKey, own(info.Extra))
	if t.InputSchema != nil {
		return t, nil
	}
	s, err := info.ParamsOneOf.ToJSONSchema()
	if err != nil || s == nil {
		return t, err
	}
	t.InputSchema, err = json.Marshal(s)
	return t, err
}
