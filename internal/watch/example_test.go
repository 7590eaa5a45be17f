package watch_test

import (
	"context"
	"fmt"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/watch"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
)

func Example() {
	busy := &failure.Error{Kind: failure.Overload, Message: "busy"}
	model := middleware.Backoff(middleware.Base(0))(modeltest.New("openai/gpt-5", modeltest.Failure(busy), modeltest.Answer("Hello.")))
	watch.Generate(context.Background(), model, strata.Prompt("Say hello."), watch.Hooks{
		AttemptEnd: func(a *watch.Attempt) { fmt.Println("attempt", a.Number, a.Outcome) },
		End:        func(c *watch.Call) { fmt.Println("call", c.Outcome) },
	})
	// Output:
	// attempt 1 retry
	// attempt 2 success
	// call success
}
