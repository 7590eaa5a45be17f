// Telemetry shows what OpenTelemetry sees of a call that failed over: the span of
// the call, those of its attempts, and those of the HTTP requests inside. The
// models are a server on loopback of which the first model throttles, then
// stalls. With OTEL_EXPORTER_OTLP_ENDPOINT set the spans are exported there too,
// over OTLP/HTTP.
//
// It exits with 0 only if what it shows is what happened.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/telemetry"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/openai"
	"github.com/strata-go/strata/stream"
)

// stack is two attempts of gpt-5, each with half a second to its first content,
// then gpt-5-mini.
func stack(provider oteltrace.TracerProvider, server *modeltest.Server) strata.Model {
	client := &http.Client{Transport: traced{server.Client().Transport, provider.Tracer("http")}}
	open := func(name string) strata.Model {
		return openai.New(name, openai.BaseURL(server.URL), openai.APIKey("none"), openai.HTTPClient(client))
	}
	return strata.Wrap(open("gpt-5"),
		telemetry.Layer(telemetry.TracerProvider(provider)),
		middleware.Fallback(open("gpt-5-mini")),
		middleware.Backoff(middleware.Attempts(2)),
		middleware.Timeout(middleware.FirstContent(500*time.Millisecond)),
	)
}

// traced is an instrumented HTTP client as go.opentelemetry.io/contrib has them,
// in short: a span for each request until its headers are there.
type traced struct {
	http.RoundTripper
	tracer oteltrace.Tracer
}

func (t traced) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, span := t.tracer.Start(req.Context(), req.Method, oteltrace.WithSpanKind(oteltrace.SpanKindClient))
	defer span.End()
	resp, err := t.RoundTripper.RoundTrip(req.WithContext(ctx))
	if resp != nil {
		span.SetAttributes(attribute.Int("http.response.status_code", resp.StatusCode))
	}
	return resp, err
}

// newProvider returns a provider that keeps spans in the tree, and exports them
// where the environment says.
func newProvider(ctx context.Context, kept *tree) (*trace.TracerProvider, error) {
	opts := []trace.TracerProviderOption{
		trace.WithSyncer(kept),
		trace.WithResource(resource.NewSchemaless(attribute.String("service.name", "strata-example"))),
	}
	if os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" {
		exporter, err := otlptracehttp.New(ctx) // reads the environment itself
		if err != nil {
			return nil, err
		}
		opts = append(opts, trace.WithBatcher(exporter))
	}
	return trace.NewTracerProvider(opts...), nil
}

func main() {
	if err := rehearse(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "telemetry:", err)
		os.Exit(1)
	}
}

// want is the tree of the call, without its times.
const want = `chat gpt-5 outcome=success attempts=3 final_model=openai/gpt-5-mini
  attempt gpt-5 layer=fallback outcome=retry kind=timeout
    attempt gpt-5 layer=backoff outcome=retry kind=rate status_code=429
      POST status_code=429
    attempt gpt-5 layer=backoff outcome=failure kind=timeout
      POST status_code=200
  attempt gpt-5-mini layer=fallback outcome=success
    POST status_code=200
`

// rehearse makes the call, prints what was seen of it, and returns what did not
// go as it should.
func rehearse(ctx context.Context, out io.Writer) (err error) {
	var kept tree
	provider, err := newProvider(ctx, &kept)
	if err != nil {
		return err
	}
	server := modeltest.NewServer(
		modeltest.RepliesFor("gpt-5",
			modeltest.Status(429).Header("Retry-After", "1").Error("rate_limit_exceeded", "Slow down, please."),
			modeltest.Send().Head().Stall(modeltest.Forever)),
		modeltest.RepliesFor("gpt-5-mini", modeltest.OK("Blue light ", "scatters ", "the most.")),
	)
	defer server.Close()

	answer, err := stream.Collect(stack(provider, server).Stream(ctx, strata.Prompt("Why is the sky blue?")))
	if err = errors.Join(err, provider.Shutdown(ctx)); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n\n", answer.Text())
	kept.write(out, true)
	if got := kept.String(); got != want {
		return fmt.Errorf("the tree is not as it should be:\n%s", got)
	}
	return nil
}
