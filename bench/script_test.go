package bench_test

import (
	"context"
	"iter"

	"github.com/strata-go/strata"
)

// script is a model that streams the same parts again and again.
type script []strata.Part

func (script) ID() strata.ModelID { return baseID }

func (script) Generate(context.Context, *strata.Request) (*strata.Response, error) {
	return &strata.Response{}, nil
}

func (s script) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		for _, part := range s {
			if !yield(part, nil) {
				return
			}
		}
	}
}

// cut cuts text into deltas of four bytes.
func cut(text string) (s script) {
	for ; len(text) > 4; text = text[4:] {
		s = append(s, strata.TextDelta{Text: text[:4]})
	}
	return append(s, strata.TextDelta{Text: text}, strata.Finish{Reason: strata.FinishStop, Model: baseID})
}
