package strata_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
)

// A layer of one's own, above one of the ready-made.
func Example() {
	brief := strata.Funcs{
		Request: func(_ context.Context, req *strata.Request) (*strata.Request, error) {
			req = req.Clone()
			req.MaxOutputTokens = 200
			return req, nil
		},
	}.Layer()

	provider := modeltest.New("openai/gpt-5", modeltest.Answer("Hello."))
	model := strata.Wrap(provider, brief, middleware.Timeout(middleware.Total(time.Minute)))
	for part, err := range model.Stream(context.Background(), strata.Prompt("Say hello.")) {
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
	fmt.Println("limited to", provider.Calls()[0].Request.MaxOutputTokens, "tokens")
	// Output:
	// Hello.
	// -- openai/gpt-5 stop
	// limited to 200 tokens
}

func ExampleChain() {
	named := func(name string) strata.Layer {
		return strata.Funcs{
			Request: func(_ context.Context, req *strata.Request) (*strata.Request, error) {
				fmt.Println(name)
				return req, nil
			},
		}.Layer()
	}
	model := strata.Chain(named("outer"), named("inner"))(modeltest.New("openai/gpt-5", modeltest.Answer("Hello.")))
	model.Generate(context.Background(), strata.Prompt("Say hello."))
	// Output:
	// outer
	// inner
}
