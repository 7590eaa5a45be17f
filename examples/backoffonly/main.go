// Backoffonly takes one layer alone: Backoff around a model, here one that is
// overloaded twice before it answers.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/openai"
)

func main() {
	server := modeltest.NewServer(modeltest.Replies(
		modeltest.Status(503).Error("overloaded", "The engine is overloaded."),
		modeltest.Status(503).Error("overloaded", "The engine is overloaded."),
		modeltest.OK("Good ", "morning."),
	))
	defer server.Close()

	model := middleware.Backoff(middleware.Base(100 * time.Millisecond))(
		openai.New("gpt-5", openai.BaseURL(server.URL), openai.APIKey("none")))

	for part, err := range model.Stream(context.Background(), strata.Prompt("Say good morning.")) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if delta, ok := part.(strata.TextDelta); ok {
			fmt.Print(delta.Text)
		}
	}
	fmt.Printf("\nafter %d requests\n", len(server.Requests()))
}
