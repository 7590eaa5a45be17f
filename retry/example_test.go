package retry_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/retry"
)

// inTurn is a plan that asks each model once.
type inTurn []string

func (p inTurn) Next(_ context.Context, tries []retry.Try[string, string]) (retry.Step[string], retry.Reason) {
	switch n := len(tries); {
	case n > 0 && tries[n-1].Err == nil:
		return retry.Step[string]{}, retry.ReasonAccepted
	case n == len(p):
		return retry.Step[string]{}, retry.ReasonAttempts
	default:
		return retry.Step[string]{Model: p[n]}, ""
	}
}

// The loop around anything that is worth another attempt.
func ExampleLoop() {
	loop := retry.Loop[string, string]{
		Layer: "in turn",
		ID:    func(name string) strata.ModelID { return strata.ModelID{Provider: "openai", Name: name} },
		Plan:  inTurn{"gpt-5", "gpt-5-mini"},
		Do: func(_ context.Context, a retry.Attempt[string]) retry.Outcome[string] {
			if a.Model == "gpt-5" {
				return retry.Outcome[string]{Err: errors.New("busy")}
			}
			return retry.Outcome[string]{Result: "hello from " + a.Model}
		},
	}
	fmt.Println(loop.Run(context.Background()))
	// Output: hello from gpt-5-mini <nil>
}
