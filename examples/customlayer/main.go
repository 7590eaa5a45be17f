// Customlayer is a layer of one's own: it keeps e-mail addresses out of what is
// sent to a model.
package main

import (
	"context"
	"fmt"
	"os"
	"regexp"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
)

var address = regexp.MustCompile(`[\w.+-]+@[\w-]+\.[\w.]+`)

// Redact is the whole layer: it changes a clone of each request, whole or
// streamed, and leaves the rest to the next model.
func Redact(next strata.Model) strata.Model {
	return strata.Funcs{
		Request: func(_ context.Context, req *strata.Request) (*strata.Request, error) {
			req = req.Clone()
			for _, message := range req.Messages {
				for i, content := range message.Content {
					if text, ok := content.(strata.Text); ok {
						text.Text = address.ReplaceAllString(text.Text, "[address]")
						message.Content[i] = text
					}
				}
			}
			return req, nil
		},
	}.Layer()(next)
}

func main() {
	provider := modeltest.New("openai/gpt-5", modeltest.Answer("Done."))
	model := strata.Wrap(provider, middleware.Backoff(), Redact)
	resp, err := model.Generate(context.Background(), strata.Prompt("Write to ada@example.org about lunch."))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("the model was asked:", provider.Calls()[0].Request.Messages[0].Content[0].(strata.Text).Text)
	fmt.Println("it answered:", resp.Text())
}
