package config

import (
	"errors"
	"reflect"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/strictjson"
)

// settings are the fields of a request that a rule may set.
type settings struct {
	Temperature      *float64 `json:"temperature"`
	TopP             *float64 `json:"top_p"`
	TopK             *count   `json:"top_k"`
	MaxOutputTokens  *count   `json:"max_output_tokens"`
	Seed             *int64   `json:"seed"`
	StopSequences    []string `json:"stop_sequences"`
	PresencePenalty  *float64 `json:"presence_penalty"`
	FrequencyPenalty *float64 `json:"frequency_penalty"`
	ReasoningEffort  *string  `json:"reasoning_effort"`
}

func (s *settings) request() (strata.Request, error) {
	if reflect.ValueOf(*s).IsZero() {
		return strata.Request{}, errors.New("it sets nothing")
	}
	req := strata.Request{
		Temperature:      s.Temperature,
		TopP:             s.TopP,
		TopK:             (*int)(s.TopK),
		Seed:             s.Seed,
		StopSequences:    s.StopSequences,
		PresencePenalty:  s.PresencePenalty,
		FrequencyPenalty: s.FrequencyPenalty,
	}
	if s.MaxOutputTokens != nil {
		req.MaxOutputTokens = int(*s.MaxOutputTokens)
	}
	if s.ReasoningEffort != nil {
		if *s.ReasoningEffort == "" {
			return req, strictjson.Errorf(".reasoning_effort", "it is empty")
		}
		req.ReasoningEffort = strata.ReasoningEffort(*s.ReasoningEffort)
	}
	return req, nil
}
