package stream_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/stream"
)

// A handler that answers with a status of its own where the model fails before
// its first content.
func ExampleOpen() {
	busy := &failure.Error{Kind: failure.Overload, Message: "busy"}
	model := modeltest.New("openai/gpt-5", modeltest.Failure(busy), modeltest.Answer("Hello."))
	handler := func(w http.ResponseWriter, r *http.Request) {
		answer, err := stream.Open(r.Context(), model, strata.Prompt("Say hello."))
		if err != nil {
			http.Error(w, "no answer: "+string(failure.Of(err)), http.StatusServiceUnavailable)
			return
		}
		defer answer.Close()
		for {
			part, err := answer.Next()
			if err != nil {
				return // io.EOF behind the last part
			}
			if text, ok := part.(strata.TextDelta); ok {
				io.WriteString(w, text.Text)
			}
		}
	}
	for range 2 {
		w := httptest.NewRecorder()
		handler(w, httptest.NewRequest("GET", "/", nil))
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 503 no answer: overload
	//
	// 200 Hello.
}

func ExampleCollect() {
	model := modeltest.New("openai/gpt-5", modeltest.Answer("Hello."))
	resp, err := stream.Collect(model.Stream(context.Background(), strata.Prompt("Say hello.")))
	fmt.Println(resp.Text(), resp.FinishReason, err)
	// Output: Hello. stop <nil>
}

func ExampleCommittedError() {
	err := error(&stream.CommittedError{Err: io.ErrUnexpectedEOF})
	var committed *stream.CommittedError
	fmt.Println(errors.As(err, &committed), errors.Is(err, io.ErrUnexpectedEOF))
	// Output: true true
}
