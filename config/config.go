// Package config builds a stack of layers from JSON, so that operators change a
// stack without a rebuild:
//
//	[{"layer": "timeout", "total": "2m"},
//	 {"layer": "fallback", "models": ["anthropic/claude-sonnet-5"]},
//	 {"layer": "backoff", "attempts": 2},
//	 {"layer": "timeout", "first_content": "8s", "idle": "30s"}]
//
// A stack is a list of layers, the outermost first. Every field but "layer" may
// be left out and then has the default of the layer's own package. Durations are
// strings as for time.ParseDuration.
//
//	fallback         models (names), on (failure kinds)
//	backoff          attempts, base, max, jitter ("full" or "none"), budget,
//	                 max_retry_after, longer ("give_up" or "cap"), server_jitter
//	cooldown         for (failure kinds, and how long each)
//	timeout          total, first_content, idle, silence
//	preamble         max_parts
//	require_content  max_parts
//	refusal          phrases
//	rules            disabled, rules
//	sticky           reset ("after-request", "after-N-requests" or
//	                 "after-N-seconds")
//
// They are the options of packages middleware and refusal of the same names.
//
// # Rules
//
// The rules of a "rules" layer are tried from the top, as middleware.Rules says.
// A rule is the name of a model, which is switched to after every error, or an
// object:
//
//	when             which attempts it is for; every error if left out
//	switch, retry    the name of a model, or true
//	attempts, delay, factor, jitter ("none" or "full"), timeout,
//	max_retry_after, longer ("give_up" or "cap"), past_deadline
//	set              temperature, top_p, top_k, max_output_tokens, seed,
//	                 stop_sequences, presence_penalty, frequency_penalty,
//	                 reasoning_effort
//
// The fields of "when" must all hold. Those that take a list hold for any of its
// elements, but for "all"; the only element may stand without the list.
//
//	status           codes, or regular expressions over the code: [429, "^5"]
//	message          texts in it, whatever their case, or patterns: "/rate.?limit/i"
//	http_status      codes, texts in the message, or patterns over either
//	kind             failure kinds
//	finish           finish reasons of answers
//	retryable, timeout, aborted, refusal, schema_invalid
//	                 true
//	all, any, not    conditions
//
// A text that begins with a slash is a pattern. They are conditions of package
// when; what has nothing in common, as status and finish have not, is refused.
// schema_invalid needs [SchemaValidator].
package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/strictjson"
	"github.com/strata-go/strata/when"
)

// A Resolver returns the model that a stack names; [Models] makes one, and
// [strata.Open] is one. It may wrap the model in layers of its own, for what
// every candidate of a fallback gets for itself.
type Resolver func(name string) (strata.Model, error)

// An Option gives [Build] what cannot stand in JSON.
type Option func(*builder)

// SchemaValidator is what the condition "schema_invalid" checks answers with.
// Without it a stack that has the condition is refused. Package schema has one.
func SchemaValidator(validate when.SchemaValidator) Option {
	if validate == nil {
		panic("config.SchemaValidator(nil): the validator is nil")
	}
	return func(b *builder) { b.validate = validate }
}

// Build returns the layer that a stack is, and asks resolve for each model that
// is named in it; a nil resolve is [strata.Open], which knows the models of the
// adapters that the program imports. The empty stack, [], is the identity.
//
// An error names what is wrong and its place:
//
//	config: stack[1] (backoff): unknown field "atempts"
//
// Layers, fields, models and values that are not known are errors, and so are a
// field that stands twice, null, negative durations and counts below 1. Names
// match letter for letter. The error of resolve is wrapped. A nil option panics.
func Build(data []byte, resolve Resolver, opts ...Option) (strata.Layer, error) {
	b := &builder{resolve: resolve}
	if resolve == nil {
		b.resolve = strata.Open
	}
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("config.Build: option %d is nil", i))
		}
		opt(b)
	}
	var elements []json.RawMessage
	if err := strictjson.Decode(data, &elements); err != nil {
		return nil, fmt.Errorf("config: %w", strictjson.At("stack", err))
	}
	layers := make([]strata.Layer, len(elements))
	for i, element := range elements {
		name, s, err := parse(element)
		if err == nil {
			layers[i], err = s.layer(b)
		}
		if err != nil {
			place := fmt.Sprintf("stack[%d]", i)
			if name != "" {
				place += " (" + name + ")"
			}
			return nil, fmt.Errorf("config: %w", strictjson.At(place, err))
		}
	}
	return strata.Chain(layers...), nil
}

// Models returns a Resolver that knows these models by their IDs. A nil model, or
// two with one ID, panic.
func Models(models ...strata.Model) Resolver {
	known := make(map[string]strata.Model, len(models))
	for i, m := range models {
		if m == nil {
			panic(fmt.Sprintf("config.Models: model %d is nil", i))
		}
		id := m.ID().String()
		if known[id] != nil {
			panic(fmt.Sprintf("config.Models: there are two models %q", id))
		}
		known[id] = m
	}
	return func(name string) (strata.Model, error) {
		if m := known[name]; m != nil {
			return m, nil
		}
		return nil, errors.New("not known")
	}
}

// spec is what stands in a stack for one layer: a struct that JSON is decoded
// into.
type spec interface {
	layer(*builder) (strata.Layer, error)
}

// builder is what layers are built with.
type builder struct {
	resolve  Resolver
	validate when.SchemaValidator // nil: none
}

// model returns the model of a name.
func (b *builder) model(name string) (strata.Model, error) {
	m, err := b.resolve(name)
	if err == nil && m == nil {
		err = errors.New("the resolver returned none")
	}
	if err != nil {
		return nil, fmt.Errorf("model %q: %w", name, err)
	}
	return m, nil
}

// parse decodes one element of a stack. The name is empty unless it is known.
func parse(element []byte) (name string, s spec, err error) {
	var fields map[string]json.RawMessage
	if err := strictjson.Decode(element, &fields); err != nil {
		return "", nil, err
	}
	if fields["layer"] == nil {
		return "", nil, strictjson.Errorf("", `there is no field "layer"`)
	}
	if err := strictjson.Decode(fields["layer"], &name); err != nil {
		return "", nil, strictjson.At(".layer", err)
	}
	newSpec := specs[name]
	if newSpec == nil {
		known := strings.Join(slices.Sorted(maps.Keys(specs)), ", ")
		return "", nil, strictjson.Errorf("", "unknown layer %q (there are %s)", name, known)
	}
	s = newSpec()
	return name, s, strictjson.Decode(element, s)
}
