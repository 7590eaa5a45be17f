// Package telemetry tells OpenTelemetry what a stack of layers does: a span and
// metrics for each call, and for each attempt that the layers below make,
// however they nest.
//
//	model := strata.Wrap(openai.New("gpt-5"),
//		telemetry.Layer(),
//		middleware.Fallback(openai.New("gpt-5-mini")),
//		middleware.Backoff(),
//	)
//
// Put it outermost, once. Names are those of the OpenTelemetry semantic
// conventions for generative AI (gen_ai.*), as of version 1.41, and strata.* for
// what they have no word for.
//
// # Spans
//
// A call is a client span "chat MODEL", named for the model that is wrapped; over
// embedding models "embeddings MODEL", over image models "generate_content MODEL".
// It has the gen_ai.* attributes of the request, the answer and the usage, which
// is that of all attempts, and
//
//	strata.operation     generate or stream
//	strata.outcome       success, failure, cancelled (by the caller) or left (the reader left early)
//	strata.attempts      those that hold attempts of an inner layer aside; 0: no layer below makes any
//	strata.start_model   the model that was asked first
//	strata.final_model   the model that answered, else the one that was asked last
//	strata.committed     whether content of a stream was handed on
//
// An attempt is a child span "attempt MODEL", inside that of the outer layer's
// attempt if there is one. The attempt runs in its context, so spans of an HTTP
// client nest under it. It ends when the attempt ended, and is exported once its
// outcome is known, with
//
//	strata.layer, strata.model, strata.attempt.number, strata.nested
//	strata.outcome                             success (also where the reader left), retry (the layer made another) or failure
//	strata.kind                                of the failure or the rejected answer: see package failure
//	http.response.status_code, strata.code     where the provider sent them
//	gen_ai.response.finish_reasons
//	strata.wait.duration, strata.wait.server   the wait before the next attempt, in seconds, and whether the server asked for it
//	strata.timeout.limit, strata.timeout.after the deadline that was missed, and its seconds
//	strata.committed, strata.left              of a stream
//	strata.usage.input_tokens, …               not gen_ai.*, so that nobody counts tokens twice
//
// A failure is recorded as an exception event with its kind and status. A caller
// who cancels makes no span an error. A refusal is an event "strata.refusal".
//
// # Metrics
//
//	gen_ai.client.operation.duration               of a call, in seconds
//	gen_ai.client.operation.time_to_first_chunk    from a call to a stream's first content, in seconds
//	gen_ai.client.operation.time_per_output_chunk  between two parts with content, in seconds, the reader's own time with them
//	gen_ai.client.token.usage                      of an attempt, by gen_ai.token.type, for the model that spent them
//	strata.attempts                                by strata.layer, strata.model, strata.outcome and strata.nested: requests are those not nested
//	strata.retries                                 of the same model, by strata.layer, strata.model and strata.kind
//	strata.fallbacks                               by strata.layer, strata.from, strata.to and strata.kind
//	strata.refusals                                by strata.model and strata.rule
//	strata.wait.duration                           that was in fact waited, in seconds
//
// # What is kept private
//
// No key, prompt or answer is recorded. Messages of failures are cleared of keys
// and quotations; errors that package failure does not know give their type and
// kind alone. [Content] records prompts and answers.
//
// # What it costs
//
// While no span is recorded and no instrument is enabled, calls and parts pass
// through.
package telemetry

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/strata-go/strata"
)

// Name is the instrumentation scope of the spans and metrics.
const Name = "github.com/strata-go/strata/middleware/telemetry"

// An Option sets something of [Layer].
type Option func(*config)

type config struct {
	tracers    trace.TracerProvider
	meters     metric.MeterProvider
	attributes []attribute.KeyValue
	perCall    func(context.Context) []attribute.KeyValue
	content    int
}

// TracerProvider gives the provider of the spans. Default: the global one.
func TracerProvider(p trace.TracerProvider) Option {
	if p == nil {
		panic("telemetry.TracerProvider(nil): the provider is nil")
	}
	return func(c *config) { c.tracers = p }
}

// MeterProvider gives the provider of the metrics. Default: the global one.
func MeterProvider(p metric.MeterProvider) Option {
	if p == nil {
		panic("telemetry.MeterProvider(nil): the provider is nil")
	}
	return func(c *config) { c.meters = p }
}

// Attributes adds attributes to every span and metric, beside those of earlier
// options. Default: none.
func Attributes(attrs ...attribute.KeyValue) Option {
	return func(c *config) { c.attributes = append(c.attributes, attrs...) }
}

// AttributesOf adds to the span of each call the attributes that f reads from the
// call's context: a tenant, a session. They are not put on metrics, whose every
// combination of values is kept. Default: none.
func AttributesOf(f func(context.Context) []attribute.KeyValue) Option {
	if f == nil {
		panic("telemetry.AttributesOf(nil): the function is nil")
	}
	return func(c *config) { c.perCall = f }
}

// Content records the messages of the request and of the answer on the span of
// the call, as gen_ai.input.messages and gen_ai.output.messages. Of each at most
// maxBytes bytes of text are recorded, and never the bytes of a file. Default:
// nothing is recorded, since both are private.
func Content(maxBytes int) Option {
	if maxBytes < 1 {
		panic(fmt.Sprintf("telemetry.Content(%d): the bound is less than 1", maxBytes))
	}
	return func(c *config) { c.content = maxBytes }
}

// Layer records spans and metrics of each call and of each attempt below. The
// spans end when the call ends, for a stream when it ends, fails, or its reader
// leaves, and if it panics. It panics if an instrument cannot be made.
func Layer(opts ...Option) strata.Layer {
	c := config{tracers: otel.GetTracerProvider(), meters: otel.GetMeterProvider()}
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("telemetry.Layer: option %d is nil", i))
		}
		opt(&c)
	}
	tracer := c.tracers.Tracer(Name, trace.WithSchemaURL(semconv.SchemaURL))
	instruments := newInstruments(c.meters.Meter(Name, metric.WithSchemaURL(semconv.SchemaURL)))
	return func(next strata.Model) strata.Model {
		if next == nil {
			panic("telemetry.Layer: the model is nil")
		}
		return newLayer(next, c, tracer, instruments)
	}
}
