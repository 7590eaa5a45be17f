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
