package fantasy_test

import (
	"context"
	"fmt"

	sdk "charm.land/fantasy"

	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/provider/fantasy"
)

// An agent of fantasy's gets a fallback by wrapping the one value it asks.
func Example() {
	first := lm() // say, provider.LanguageModel(ctx, "claude-sonnet-5")
	first.err = &sdk.ProviderError{StatusCode: 529, Message: "Overloaded"}
	spare := lm()
	spare.provider, spare.name = "spare", "two"
	spare.resp = &sdk.Response{Content: sdk.ResponseContent{sdk.TextContent{Text: "Rayleigh scattering."}}, FinishReason: sdk.FinishReasonStop}

	agent := sdk.NewAgent(
		fantasy.Wrap(fantasy.New(first), middleware.Fallback(fantasy.New(spare))),
		sdk.WithMaxRetries(0), // the layers retry
	)
	result, err := agent.Generate(context.Background(), sdk.AgentCall{Prompt: "Why is the sky blue?"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Response.Content.Text())
	fmt.Println("--", fantasy.ExtraOf(result.Response.ProviderMetadata).Model)
	// Output:
	// Rayleigh scattering.
	// -- spare/two
}
