package config_test

import (
	"context"
	"fmt"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/config"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/modeltest"
)

func ExampleBuild() {
	gpt := modeltest.New("openai/gpt", modeltest.Failure(&failure.Error{Kind: failure.Quota, Message: "used up"}))
	claude := modeltest.New("anthropic/claude", modeltest.Answer("Hello!"))

	layer, err := config.Build([]byte(`[
		{"layer": "timeout", "total": "2m"},
		{"layer": "fallback", "models": ["anthropic/claude"]},
		{"layer": "backoff", "attempts": 2}
	]`), config.Models(claude))
	if err != nil {
		fmt.Println(err)
		return
	}
	resp, err := layer(gpt).Generate(context.Background(), strata.Prompt("Say hello"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Model, "says", resp.Text())

	_, err = config.Build([]byte(`[{"layer": "timeout"}, {"layer": "backoff", "atempts": 2}]`), nil)
	fmt.Println(err)
	// Output:
	// anthropic/claude says Hello!
	// config: stack[1] (backoff): unknown field "atempts"
}

// The full walk: the first rule whose condition holds says what is next.
func ExampleBuild_rules() {
	busy := &failure.Error{Kind: failure.Overload, Status: 529, Message: "overloaded"}
	gpt := modeltest.New("openai/gpt", modeltest.Failure(busy))
	claude := modeltest.New("anthropic/claude", modeltest.Answer("Hello!"))

	layer, err := config.Build([]byte(`[{"layer": "rules", "rules": [
		{"when": {"finish": "content-filter"}, "switch": "anthropic/claude", "set": {"temperature": 0.3}},
		{"when": {"retryable": true, "not": {"http_status": [529, "overloaded"]}}, "retry": true, "delay": "1s"},
		"anthropic/claude"
	]}]`), config.Models(claude))
	if err != nil {
		fmt.Println(err)
		return
	}
	resp, err := layer(gpt).Generate(context.Background(), strata.Prompt("Say hello"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Model, "says", resp.Text(), "after", len(gpt.Calls()), "call of", gpt.ID())

	_, err = config.Build([]byte(`[{"layer": "rules", "rules": [{"when": {"status": ["5("]}, "retry": true}]}]`), nil)
	fmt.Println(err)
	// Output:
	// anthropic/claude says Hello! after 1 call of openai/gpt
	// config: stack[0] (rules).rules[0].when.status[0]: "5(" is no regular expression: error parsing regexp: missing closing ): `5(`
}
