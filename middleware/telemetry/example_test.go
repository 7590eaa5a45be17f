package telemetry_test

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/telemetry"
	"github.com/strata-go/strata/modeltest"
)

func Example() {
	kept := tracetest.NewInMemoryExporter() // a program has an OTLP exporter
	provider := trace.NewTracerProvider(trace.WithSyncer(kept))

	model := strata.Wrap(modeltest.New("openai/gpt-5", modeltest.Failure(&failure.Error{Kind: failure.Overload, Status: 503})),
		telemetry.Layer(telemetry.TracerProvider(provider)),
		middleware.Fallback(modeltest.New("anthropic/claude-sonnet-5", modeltest.Answer("Hello."))),
	)
	if _, err := model.Generate(context.Background(), strata.Prompt("Hi")); err != nil {
		fmt.Println(err)
	}
	for _, span := range kept.GetSpans() {
		fmt.Println(span.Name, span.Status.Code)
	}
	// Output:
	// attempt gpt-5 Error
	// attempt claude-sonnet-5 Unset
	// chat gpt-5 Unset
}
