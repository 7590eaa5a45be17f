package eino_test

import (
	"context"
	"fmt"
	"io"

	"github.com/cloudwego/eino/schema"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/eino"
)

// An eino program gets layers by wrapping one value.
func ExampleWrap() {
	main := modeltest.New("openai/gpt-5", modeltest.Failure(&failure.Error{Kind: failure.Overload, Status: 529}))
	spare := modeltest.New("anthropic/claude-sonnet-5", modeltest.Answer("Rayleigh scattering."))
	chat := eino.Wrap(main, middleware.Fallback(spare))

	chunks, err := chat.Stream(context.Background(), []*schema.Message{schema.UserMessage("Why is the sky blue?")})
	if err != nil {
		fmt.Println(failure.Of(err), err)
		return
	}
	answer, err := schema.ConcatMessageStream(chunks)
	if err != nil {
		fmt.Println(failure.Of(err), err)
		return
	}
	resp, _ := eino.ResponseOf(answer)
	fmt.Println(answer.Content)
	fmt.Println("--", resp.Model, answer.ResponseMeta.FinishReason)
	// Output:
	// Rayleigh scattering.
	// -- anthropic/claude-sonnet-5 stop
}

// A chat model of eino's stands in a stack like any other model. This one only
// ever fails.
func ExampleNew() {
	broken := &piped{err: fmt.Errorf("create chat completion: %w", io.ErrUnexpectedEOF)}
	model := eino.New("doubao-seed-1.6", broken, eino.Provider("ark"))
	_, err := model.Generate(context.Background(), strata.Prompt("Why is the sky blue?"))
	fmt.Println(failure.Of(err), failure.Transient(err))
	fmt.Println(err)
	// Output:
	// network true
	// ark/doubao-seed-1.6: network: create chat completion: unexpected EOF
}
