package middleware_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/when"
)

// A stack: the budget of the whole call, then the walk, then what the first
// model gets for itself.
func Example() {
	throttled := &failure.Error{Kind: failure.Rate, Status: 429, Message: "slow down", RetryAfter: 10 * time.Millisecond}
	gpt := modeltest.New("openai/gpt-5", modeltest.Failure(throttled))
	claude := modeltest.New("anthropic/claude-sonnet-5", modeltest.Answer("Because of Rayleigh scattering."))

	model := strata.Wrap(gpt,
		middleware.Timeout(middleware.Total(time.Minute)),
		middleware.Fallback(claude),
		middleware.Backoff(middleware.Attempts(2)),
		middleware.Timeout(middleware.FirstContent(8*time.Second)),
	)
	for part, err := range model.Stream(context.Background(), strata.Prompt("Why is the sky blue?")) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch p := part.(type) {
		case strata.TextDelta:
			fmt.Println(p.Text)
		case strata.Finish:
			fmt.Println("--", p.Model, p.Reason)
		}
	}
	fmt.Println(len(gpt.Calls()), "attempts before")
	// Output:
	// Because of Rayleigh scattering.
	// -- anthropic/claude-sonnet-5 stop
	// 2 attempts before
}

func ExampleBackoff() {
	busy := &failure.Error{Kind: failure.Overload, Status: 529, Message: "busy"}
	model := middleware.Backoff(middleware.Base(time.Millisecond))(
		modeltest.New("openai/gpt-5", modeltest.Failure(busy), modeltest.Answer("Hello")))
	resp, err := model.Generate(context.Background(), strata.Prompt("Say hello"))
	fmt.Println(resp.Text(), err)
	// Output: Hello <nil>
}

func ExampleFallback() {
	gone := &failure.Error{Kind: failure.Model, Status: 404, Message: "no such model"}
	model := middleware.Fallback(modeltest.New("openai/gpt-5-mini", modeltest.Answer("Hello")))(
		modeltest.New("openai/gpt-6", modeltest.Failure(gone)))
	resp, err := model.Generate(context.Background(), strata.Prompt("Say hello"))
	fmt.Println(resp.Text(), resp.Model, err)
	// Output: Hello openai/gpt-5-mini <nil>
}

func ExampleRules() {
	filtered := modeltest.Attempt{modeltest.Start(), modeltest.Finish(strata.FinishContentFilter)}
	busy := &failure.Error{Kind: failure.Overload, Status: 529, Message: "busy"}
	claude := modeltest.New("anthropic/claude-sonnet-5", modeltest.Answer("Hello from Claude."))
	model := middleware.Rules(
		when.Retryable().Retry(retry.Attempts(3), retry.Delay(time.Millisecond), retry.Factor(2)),
		when.FinishReason(strata.FinishContentFilter).Switch(claude, retry.Set(strata.Request{MaxOutputTokens: 200})),
	)(modeltest.New("openai/gpt-5", modeltest.Failure(busy), filtered))

	resp, err := model.Generate(context.Background(), strata.Prompt("Say hello."))
	fmt.Println(resp.Text(), err)
	fmt.Println("at most", claude.Calls()[0].Request.MaxOutputTokens, "tokens")
	// Output:
	// Hello from Claude. <nil>
	// at most 200 tokens
}

func ExampleTimeout() {
	model := middleware.Timeout(middleware.FirstContent(10 * time.Millisecond))(
		modeltest.New("openai/gpt-5", modeltest.Attempt{modeltest.Hang()}))
	for _, err := range model.Stream(context.Background(), strata.Prompt("Say hello")) {
		fmt.Println(err)
	}
	// Output: timeout: openai/gpt-5: no content within 10ms
}

func ExamplePreamble() {
	model := middleware.Preamble()(modeltest.New("openai/gpt-5",
		modeltest.Attempt{modeltest.Start(), modeltest.TextStart("0"), modeltest.Fail(fmt.Errorf("no luck"))}))
	for part, err := range model.Stream(context.Background(), strata.Prompt("Say hello")) {
		fmt.Println(part, err)
	}
	// Output: <nil> no luck
}

func ExampleRequireContent() {
	model := middleware.RequireContent()(modeltest.New("openai/gpt-5", modeltest.Answer("")))
	_, err := model.Generate(context.Background(), strata.Prompt("Say hello"))
	fmt.Println(err)
	// Output: openai/gpt-5: overload: the answer has nothing in it (finish stop)
}

func ExampleObserve() {
	busy := &failure.Error{Kind: failure.Overload, Message: "busy"}
	model := strata.Wrap(modeltest.New("openai/gpt-5", modeltest.Failure(busy), modeltest.Answer("Hello")),
		middleware.Observe(
			middleware.OnAttempt(func(_ context.Context, a strata.AttemptInfo) { fmt.Println("attempt", a.Number, "of", a.Model) }),
			middleware.OnServed(func(_ context.Context, s strata.ServedInfo) { fmt.Println("answered by", s.Model) }),
		),
		middleware.Backoff(middleware.Base(0)),
	)
	model.Generate(context.Background(), strata.Prompt("Say hello"))
	// Output:
	// attempt 1 of openai/gpt-5
	// attempt 2 of openai/gpt-5
	// answered by openai/gpt-5
}
