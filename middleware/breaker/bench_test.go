package breaker_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/breaker"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/state"
)

// BenchmarkGenerate measures a whole call through a breaker, and one that it
// refuses. The bare model stands beside as the baseline.
func BenchmarkGenerate(b *testing.B) {
	refusing := breaker.New(breaker.Failures(1), breaker.OpenFor(time.Hour))(modeltest.New("openai/a", fails(failure.Overload)))
	call(b.Context(), refusing, false)
	for _, test := range []struct {
		name  string
		model strata.Model
	}{
		{"bare", nothing{}},
		{"closed", breaker.New()(nothing{})},
		{"closed, shared in memory", breaker.New(breaker.Store(new(state.Memory)))(nothing{})},
		{"open", refusing},
		{"open, under a walk", middleware.Fallback(nothing{})(refusing)},
	} {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				test.model.Generate(b.Context(), prompt)
			}
		})
	}
}

func ExampleNew() {
	gpt := modeltest.New("openai/gpt-5", modeltest.Failure(&failure.Error{Kind: failure.Overload, Message: "busy"}))
	claude := modeltest.New("anthropic/claude", modeltest.Answer("Hello"))
	each := breaker.New(breaker.Failures(2), breaker.OpenFor(time.Minute))
	model := strata.Wrap(each(gpt), middleware.Fallback(each(claude)))
	for range 5 {
		resp, err := model.Generate(context.Background(), strata.Prompt("Say hello."))
		fmt.Println(resp.Model, err)
	}
	fmt.Println(len(gpt.Calls()), "calls to gpt-5")
	// Output:
	// anthropic/claude <nil>
	// anthropic/claude <nil>
	// anthropic/claude <nil>
	// anthropic/claude <nil>
	// anthropic/claude <nil>
	// 2 calls to gpt-5
}
