package config

import (
	"errors"
	"fmt"
	"math"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/strictjson"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/retry"
)

type rules struct {
	named
	Disabled bool   `json:"disabled"`
	Rules    []rule `json:"rules"`
}

func (r *rules) layer(b *builder) (strata.Layer, error) {
	var table []middleware.Rule
	for i := range r.Rules {
		rule, err := r.Rules[i].build(b)
		if err != nil {
			return nil, strictjson.At(index(".rules", i), err)
		}
		table = append(table, rule)
	}
	if r.Disabled {
		table = append(table, middleware.Disabled(func() bool { return true }))
	}
	return middleware.Rules(table...), nil
}

// rule is the name of a model, or an object.
type rule struct {
	bare   *string
	fields ruleFields
}

type ruleFields struct {
	When          *condition           `json:"when"`
	Switch        *string              `json:"switch"`
	Retry         *bool                `json:"retry"`
	Attempts      *count               `json:"attempts"`
	Delay         *strictjson.Duration `json:"delay"`
	Factor        *float64             `json:"factor"`
	Jitter        *string              `json:"jitter"`
	Timeout       *strictjson.Duration `json:"timeout"`
	MaxRetryAfter *strictjson.Duration `json:"max_retry_after"`
	Longer        *string              `json:"longer"`
	PastDeadline  *strictjson.Duration `json:"past_deadline"`
	Set           *settings            `json:"set"`
}

func (r *rule) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '"':
		return strictjson.Decode(data, &r.bare)
	case '{':
		return strictjson.Decode(data, &r.fields)
	}
	return fmt.Errorf("%w: a rule is one, or the name of a model", strictjson.Decode(data, &r.fields))
}

func (r *rule) build(b *builder) (middleware.Rule, error) {
	if r.bare != nil {
		return b.model(*r.bare)
	}
	return r.fields.build(b)
}

func (f *ruleFields) build(b *builder) (middleware.Rule, error) {
	if (f.Switch == nil) == (f.Retry == nil) {
		return nil, errors.New(`a rule has either "switch" or "retry"`)
	}
	if f.Retry != nil && !*f.Retry {
		return nil, strictjson.Errorf(".retry", "it is false; leave it out")
	}
	if f.Retry != nil && f.Attempts != nil && *f.Attempts < 2 {
		return nil, strictjson.Errorf(".attempts", "%d is less than 2, the first attempt of the model being one of them", *f.Attempts)
	}
	opts, err := f.options()
	if err != nil {
		return nil, err
	}
	var when retry.Matcher // of every error
	if f.When != nil {
		if when, err = f.When.build(b); err != nil {
			return nil, strictjson.At(".when", err)
		}
	}
	if f.Retry != nil {
		return retry.Retry[strata.Model](when, opts...), nil
	}
	m, err := b.model(*f.Switch)
	if err != nil {
		return nil, strictjson.At(".switch", err)
	}
	return retry.Switch(when, m, opts...), nil
}

func (f *ruleFields) options() ([]retry.RuleOption, error) {
	var opts []retry.RuleOption
	if f.Attempts != nil {
		opts = append(opts, retry.Attempts(int(*f.Attempts)))
	}
	if f.Factor != nil {
		if !(*f.Factor > 0) || math.IsInf(*f.Factor, 0) {
			return nil, strictjson.Errorf(".factor", "%v is not a positive number", *f.Factor)
		}
		opts = append(opts, retry.Factor(*f.Factor))
	}
	jitter, err := either(f.Jitter, "none", "full")
	if err != nil {
		return nil, strictjson.At(".jitter", err)
	}
	if jitter {
		opts = append(opts, retry.Jitter())
	}
	capped, err := either(f.Longer, "give_up", "cap")
	if err != nil {
		return nil, strictjson.At(".longer", err)
	}
	if capped {
		opts = append(opts, retry.CapRetryAfter())
	}
	if f.PastDeadline != nil && *f.PastDeadline == 0 {
		return nil, strictjson.Errorf(".past_deadline", "%v is no time", f.PastDeadline.Std())
	}
	opts = limit(opts, f.Delay, retry.Delay)
	opts = limit(opts, f.Timeout, retry.Timeout)
	opts = limit(opts, f.MaxRetryAfter, retry.MaxRetryAfter)
	opts = limit(opts, f.PastDeadline, retry.PastDeadline)
	if f.Set != nil {
		override, err := f.Set.request()
		if err != nil {
			return nil, strictjson.At(".set", err)
		}
		opts = append(opts, retry.Set(override))
	}
	return opts, nil
}
