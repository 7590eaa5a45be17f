package retry_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/retry"
)

// exampleClient stands for an SDK's: gpt-5 is overloaded.
type exampleClient struct{}

func (exampleClient) Ask(_ context.Context, model, question string) (string, error) {
	if model == "gpt-5" {
		return "", failure.Classify(failure.Error{Status: http.StatusServiceUnavailable, Message: "overloaded"})
	}
	return model + ": because of Rayleigh scattering.", nil
}

func (exampleClient) Stream(_ context.Context, model, question string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if !yield("", nil) { // it begins
			return
		}
		if model == "gpt-5" {
			yield("", failure.Classify(failure.Error{Status: http.StatusOK, InStream: true, Code: "overloaded_error"}))
			return
		}
		for _, word := range []string{model, ": because", " of", " Rayleigh", " scattering."} {
			if !yield(word, nil) {
				return
			}
		}
	}
}

func ExampleCall() {
	var client exampleClient
	answer, err := retry.Call(context.Background(), retry.Models("gpt-5", "gpt-5-mini"),
		func(ctx context.Context, try retry.Attempt[string]) (string, error) {
			return client.Ask(ctx, try.Model, "Why is the sky blue?")
		})
	fmt.Println(answer, err)
	// Output: gpt-5-mini: because of Rayleigh scattering. <nil>
}

func ExampleStream() {
	var client exampleClient
	words := retry.Stream(context.Background(), retry.Models("gpt-5", "gpt-5-mini"),
		func(ctx context.Context, try retry.Attempt[string]) iter.Seq2[string, error] {
			return client.Stream(ctx, try.Model, "Why is the sky blue?")
		},
		retry.Commits(func(word string) bool { return word != "" }))
	for word, err := range words {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(word)
	}
	// Output: gpt-5-mini: because of Rayleigh scattering.
}

// inTurn is a plan that asks each model once.
type inTurn []string

func (p inTurn) Next(_ context.Context, tries []retry.Try[string, string]) (*retry.Step[string], retry.Reason) {
	switch n := len(tries); {
	case n > 0 && tries[n-1].Err == nil:
		return nil, retry.ReasonAccepted
	case n == len(p):
		return nil, retry.ReasonAttempts
	default:
		return &retry.Step[string]{Model: p[n]}, ""
	}
}

// The loop around anything that is worth another attempt.
func ExampleLoop() {
	loop := retry.Loop[string, string]{
		Layer: "in turn",
		ID:    func(name string) strata.ModelID { return strata.ModelID{Provider: "openai", Name: name} },
	}
	ask := func(_ context.Context, a retry.Attempt[string]) retry.Outcome[string] {
		if a.Model == "gpt-5" {
			return retry.Outcome[string]{Err: errors.New("busy")}
		}
		return retry.Outcome[string]{Result: "hello from " + a.Model}
	}
	fmt.Println(loop.Run(context.Background(), inTurn{"gpt-5", "gpt-5-mini"}, nil, ask))
	// Output: hello from gpt-5-mini <nil>
}
