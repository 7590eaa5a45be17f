package modeltest_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
)

// A model that fails in mid-answer, then answers.
func ExampleModel() {
	model := modeltest.New("openai/gpt-5",
		modeltest.Attempt{modeltest.Start(), modeltest.Text("Hel"), modeltest.Fail(errors.New("connection reset"))},
		modeltest.Answer("Hello."),
	)
	for range 2 {
		for part, err := range model.Stream(context.Background(), strata.Prompt("Say hello.")) {
			if text, ok := part.(strata.TextDelta); ok {
				fmt.Println(text.Text)
			}
			if err != nil {
				fmt.Println("error:", err)
			}
		}
	}
	fmt.Println(len(model.Calls()), "calls")
	// Output:
	// Hel
	// error: connection reset
	// Hello.
	// 2 calls
}
