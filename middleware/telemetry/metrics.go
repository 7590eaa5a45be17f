package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/watch"
)

// The bounds of the histograms' buckets, as the conventions advise.
var (
	seconds      = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	chunkSeconds = []float64{0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5}
	firstSeconds = []float64{0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10}
	tokenCounts  = []float64{1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864}
)

type instruments struct {
	duration, firstChunk, perChunk, waits  metric.Float64Histogram
	tokens                                 metric.Int64Histogram
	attempts, retries, fallbacks, refusals metric.Int64Counter
}

func newInstruments(m metric.Meter) *instruments {
	histogram := func(name, description string, bounds []float64) metric.Float64Histogram {
		return must(m.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(description), metric.WithExplicitBucketBoundaries(bounds...)))
	}
	counter := func(name, unit, description string) metric.Int64Counter {
		return must(m.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(description)))
	}
	return &instruments{
		duration:   histogram("gen_ai.client.operation.duration", "Duration of a call.", seconds),
		firstChunk: histogram("gen_ai.client.operation.time_to_first_chunk", "Time from a call to the first content of its stream.", firstSeconds),
		perChunk:   histogram("gen_ai.client.operation.time_per_output_chunk", "Time between two pieces of content of a stream.", chunkSeconds),
		waits:      histogram("strata.wait.duration", "Time waited between two attempts.", seconds),
		tokens: must(m.Int64Histogram("gen_ai.client.token.usage", metric.WithUnit("{token}"),
			metric.WithDescription("Tokens that an attempt used."), metric.WithExplicitBucketBoundaries(tokenCounts...))),
		attempts:  counter("strata.attempts", "{attempt}", "Attempts made."),
		retries:   counter("strata.retries", "{retry}", "Further attempts of the same model."),
		fallbacks: counter("strata.fallbacks", "{fallback}", "Attempts of another model after a failure."),
		refusals:  counter("strata.refusals", "{refusal}", "Answers found to be refusals."),
	}
}

func must[I any](instrument I, err error) I {
	if err != nil {
		panic("telemetry.Layer: " + err.Error())
	}
	return instrument
}

// enabled reports whether anybody reads the metrics.
func (i *instruments) enabled(ctx context.Context) bool {
	return i.duration.Enabled(ctx) || i.firstChunk.Enabled(ctx) || i.perChunk.Enabled(ctx) || i.waits.Enabled(ctx) || i.tokens.Enabled(ctx) ||
		i.attempts.Enabled(ctx) || i.retries.Enabled(ctx) || i.fallbacks.Enabled(ctx) || i.refusals.Enabled(ctx)
}

// with returns attributes of a measurement beside those that the program asked for.
func (c *call) with(attrs ...attribute.KeyValue) metric.MeasurementOption {
	return metric.WithAttributes(append(attrs, c.attributes...)...)
}

func (c *call) measureCall(w *watch.Call) {
	attrs := append(c.attrs[:len(c.attrs):len(c.attrs)], attribute.String("strata.outcome", string(w.Outcome)))
	if w.FinishReason != "" {
		attrs = append(attrs, semconv.GenAIResponseModel(responseModel(w)))
	}
	if w.Err != nil && w.Kind != failure.Aborted {
		attrs = append(attrs, semconv.ErrorTypeKey.String(string(w.Kind)))
	}
	c.duration.Record(c.ctx, w.Duration.Seconds(), metric.WithAttributes(attrs...))
	if w.Streamed && w.Committed {
		c.firstChunk.Record(c.ctx, w.FirstContent.Seconds(), c.chunk)
	}
	if w.Attempts == 0 {
		c.measureTokens(w.Final, w.Usage)
	}
}

func (c *call) measureAttempt(a *watch.Attempt) {
	layer := attribute.String("strata.layer", a.Layer)
	model := attribute.String("strata.model", a.Model.String())
	kind := attribute.String("strata.kind", string(a.Kind))
	c.instruments.attempts.Add(c.ctx, 1, c.with(layer, model,
		attribute.String("strata.outcome", string(a.Outcome)), attribute.Bool("strata.nested", a.Nested)))
	switch {
	case a.Next.IsZero():
	case a.Next == a.Model:
		c.retries.Add(c.ctx, 1, c.with(layer, model, kind))
	default:
		c.fallbacks.Add(c.ctx, 1, c.with(layer, kind,
			attribute.String("strata.from", a.Model.String()), attribute.String("strata.to", a.Next.String())))
	}
	if a.Wait > 0 {
		c.waits.Record(c.ctx, a.Waited.Seconds(), c.with(layer, model, attribute.Bool("strata.wait.server", a.FromServer)))
	}
	if !a.Nested {
		c.measureTokens(a.Model, a.Usage)
	}
}

func (c *call) measureTokens(spentBy strata.ModelID, u strata.Usage) {
	for kind, n := range map[string]int64{"input": u.InputTokens, "output": u.OutputTokens} {
		if n > 0 {
			c.tokens.Record(c.ctx, n, c.with(append(c.requestModel(spentBy), semconv.GenAITokenTypeKey.String(kind))...))
		}
	}
}

func (c *call) measureRefusal(info strata.RefusalInfo) {
	c.refusals.Add(c.ctx, 1, c.with(attribute.String("strata.model", info.Model.String()), attribute.String("strata.rule", info.Rule)))
}
