package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/strictjson"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/refusal"
)

// specs are the layers that a stack may name.
var specs = map[string]func() spec{
	"fallback":        func() spec { return &fallback{} },
	"backoff":         func() spec { return &backoff{} },
	"cooldown":        func() spec { return &cooldown{} },
	"timeout":         func() spec { return &timeout{} },
	"preamble":        func() spec { return &hold{of: middleware.Preamble} },
	"require_content": func() spec { return &hold{of: middleware.RequireContent} },
	"refusal":         func() spec { return &refuse{} },
	"rules":           func() spec { return &rules{} },
	"sticky":          func() spec { return &sticky{} },
}

// named is the field that every layer has.
type named struct {
	Layer string `json:"layer"`
}

type fallback struct {
	named
	Models []string `json:"models"`
	On     []string `json:"on"`
}

func (f *fallback) layer(b *builder) (strata.Layer, error) {
	models := make([]strata.Model, len(f.Models))
	for i, name := range f.Models {
		var err error
		if models[i], err = b.model(name); err != nil {
			return nil, strictjson.At(index(".models", i), err)
		}
	}
	if f.On == nil {
		return middleware.FallbackWith(models), nil
	}
	kinds, err := parseKinds(f.On)
	if err != nil {
		return nil, strictjson.At(".on", err)
	}
	return middleware.FallbackWith(models, middleware.On(kinds...)), nil
}

type backoff struct {
	named
	Attempts      *count               `json:"attempts"`
	Base          *strictjson.Duration `json:"base"`
	Max           *strictjson.Duration `json:"max"`
	Jitter        *string              `json:"jitter"`
	Budget        *strictjson.Duration `json:"budget"`
	MaxRetryAfter *strictjson.Duration `json:"max_retry_after"`
	Longer        *string              `json:"longer"`
	ServerJitter  *strictjson.Duration `json:"server_jitter"`
}

func (b *backoff) layer(*builder) (strata.Layer, error) {
	var opts []middleware.BackoffOption
	if b.Attempts != nil {
		opts = append(opts, middleware.Attempts(int(*b.Attempts)))
	}
	opts = limit(opts, b.Base, middleware.Base)
	opts = limit(opts, b.Max, middleware.Max)
	opts = limit(opts, b.Budget, middleware.Budget)
	opts = limit(opts, b.MaxRetryAfter, middleware.MaxRetryAfter)
	opts = limit(opts, b.ServerJitter, middleware.ServerJitter)
	none, err := either(b.Jitter, "full", "none")
	if err != nil {
		return nil, strictjson.At(".jitter", err)
	}
	if none {
		opts = append(opts, middleware.NoJitter())
	}
	capped, err := either(b.Longer, "give_up", "cap")
	if err != nil {
		return nil, strictjson.At(".longer", err)
	}
	if capped {
		opts = append(opts, middleware.CapRetryAfter())
	}
	return middleware.Backoff(opts...), nil
}

type cooldown struct {
	named
	For map[string]strictjson.Duration `json:"for"`
}

func (c *cooldown) layer(*builder) (strata.Layer, error) {
	var opts []middleware.CooldownOption
	for _, name := range slices.Sorted(maps.Keys(c.For)) {
		kind, err := failure.ParseKind(name)
		if err != nil {
			return nil, strictjson.Errorf(fmt.Sprintf(".for[%q]", name), "unknown kind %q", name)
		}
		opts = append(opts, middleware.CooldownFor(c.For[name].Std(), kind))
	}
	return middleware.Cooldown(opts...), nil
}

type timeout struct {
	named
	Total        *strictjson.Duration `json:"total"`
	FirstContent *strictjson.Duration `json:"first_content"`
	Idle         *strictjson.Duration `json:"idle"`
	Silence      *strictjson.Duration `json:"silence"`
}

func (t *timeout) layer(*builder) (strata.Layer, error) {
	var opts []middleware.TimeoutOption
	opts = limit(opts, t.Total, middleware.Total)
	opts = limit(opts, t.FirstContent, middleware.FirstContent)
	opts = limit(opts, t.Idle, middleware.Idle)
	opts = limit(opts, t.Silence, middleware.Silence)
	return middleware.Timeout(opts...), nil
}

type hold struct {
	named
	MaxParts *count `json:"max_parts"`

	of func(...middleware.HoldOption) strata.Layer
}

func (h *hold) layer(*builder) (strata.Layer, error) {
	if h.MaxParts == nil {
		return h.of(), nil
	}
	return h.of(middleware.MaxParts(int(*h.MaxParts))), nil
}

type refuse struct {
	named
	Phrases []string `json:"phrases"`
}

func (r *refuse) layer(*builder) (strata.Layer, error) {
	if r.Phrases == nil {
		return refusal.Detect(), nil
	}
	if len(r.Phrases) == 0 {
		return nil, strictjson.Errorf(".phrases", "there is none")
	}
	for i, phrase := range r.Phrases {
		if strings.TrimSpace(phrase) == "" {
			return nil, strictjson.Errorf(index(".phrases", i), "%q is empty", phrase)
		}
	}
	return refusal.Detect(refusal.Phrases(r.Phrases...)), nil
}

func parseKinds(names []string) ([]failure.Kind, error) {
	kinds := make([]failure.Kind, len(names))
	for i, name := range names {
		var err error
		if kinds[i], err = failure.ParseKind(name); err != nil {
			return nil, strictjson.Errorf(index("", i), "unknown kind %q", name)
		}
	}
	return kinds, nil
}
