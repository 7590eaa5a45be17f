package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/watch"
)

func (c *call) attemptStart(ctx context.Context, a *watch.Attempt) context.Context {
	if !c.recording {
		return ctx
	}
	ctx, span := c.tracer.Start(ctx, "attempt "+a.Model.Name, trace.WithAttributes(
		attribute.String("strata.layer", a.Layer),
		attribute.String("strata.model", a.Model.String()),
		attribute.Int("strata.attempt.number", a.Number),
	), trace.WithAttributes(c.attributes...))
	a.Data = span
	return ctx
}

func (c *call) attemptEnd(a *watch.Attempt) {
	c.measureAttempt(a)
	span, ok := a.Data.(trace.Span)
	if !ok {
		return
	}
	defer span.End(trace.WithTimestamp(a.Ended))
	attrs := []attribute.KeyValue{
		attribute.String("strata.outcome", string(a.Outcome)),
		attribute.Bool("strata.nested", a.Nested),
		attribute.Bool("strata.committed", a.Committed),
		attribute.Bool("strata.left", a.Left),
	}
	if a.FinishReason != "" {
		attrs = append(attrs, semconv.GenAIResponseFinishReasons(string(a.FinishReason)))
	}
	if a.Kind != "" {
		attrs = append(attrs, attribute.String("strata.kind", string(a.Kind)))
	}
	if a.Wait > 0 {
		attrs = append(attrs, attribute.Float64("strata.wait.duration", a.Wait.Seconds()), attribute.Bool("strata.wait.server", a.FromServer))
	}
	if !a.Nested {
		attrs = append(attrs, usage(a.Usage, "strata.usage.input_tokens", "strata.usage.output_tokens")...)
	}
	span.SetAttributes(attrs...)
	if a.Err != nil {
		recordFailure(span, a.Err, a.Kind, trace.WithTimestamp(a.Ended))
	}
}

func (c *call) end(w *watch.Call) {
	c.measureCall(w)
	if !c.recording {
		return
	}
	attrs := []attribute.KeyValue{
		attribute.String("strata.outcome", string(w.Outcome)),
		attribute.Int("strata.attempts", w.Attempts),
		attribute.String("strata.start_model", w.Start.String()),
		attribute.String("strata.final_model", w.Final.String()),
		attribute.Bool("strata.committed", w.Committed),
	}
	if w.FinishReason != "" {
		attrs = append(attrs, semconv.GenAIResponseFinishReasons(string(w.FinishReason)), semconv.GenAIResponseModel(responseModel(w)))
	}
	if w.ResponseID != "" {
		attrs = append(attrs, semconv.GenAIResponseID(w.ResponseID))
	}
	if w.Streamed && w.Committed {
		attrs = append(attrs, semconv.GenAIResponseTimeToFirstChunk(w.FirstContent.Seconds()))
	}
	attrs = append(attrs, usage(w.Usage, semconv.GenAIUsageInputTokensKey, semconv.GenAIUsageOutputTokensKey)...)
	attrs = append(attrs, usageDetails(w.Usage)...)
	c.span.SetAttributes(attrs...)
	if c.answer != nil && w.Streamed {
		c.recordAnswer(w.FinishReason)
	}
	if w.Err != nil {
		recordFailure(c.span, w.Err, w.Kind)
	}
}

// responseModel is the model's name as its server reports it, else ours.
func responseModel(w *watch.Call) string {
	if w.ResponseModel != "" {
		return w.ResponseModel
	}
	return w.Final.Name
}

// recordFailure tells a span what went wrong. What the caller cancelled is told,
// but is no error.
func recordFailure(span trace.Span, err error, kind failure.Kind, at ...trace.EventOption) {
	problem := watch.Describe(err)
	attrs := []attribute.KeyValue{attribute.String("strata.kind", string(kind))}
	if problem.Status != 0 {
		attrs = append(attrs, semconv.HTTPResponseStatusCode(problem.Status))
	}
	if problem.Code != "" {
		attrs = append(attrs, attribute.String("strata.code", problem.Code))
	}
	if t := problem.Timeout; t != nil {
		attrs = append(attrs, attribute.String("strata.timeout.limit", string(t.Limit)), attribute.Float64("strata.timeout.after", t.After.Seconds()))
	}
	span.SetAttributes(attrs...)
	event := append(attrs, semconv.ExceptionType(problem.Type), semconv.ExceptionMessage(problem.Message))
	span.AddEvent(semconv.ExceptionEventName, append(at, trace.WithAttributes(event...))...)
	if kind != failure.Aborted {
		span.SetAttributes(semconv.ErrorTypeKey.String(string(kind)))
		span.SetStatus(codes.Error, problem.Message)
	}
}

func (c *call) refusal(ctx context.Context, info strata.RefusalInfo) {
	c.measureRefusal(info)
	if c.recording {
		trace.SpanFromContext(ctx).AddEvent("strata.refusal", trace.WithAttributes(
			attribute.String("strata.model", info.Model.String()),
			attribute.String("strata.rule", info.Rule),
			attribute.Float64("strata.score", info.Score),
			attribute.Bool("strata.log_only", info.LogOnly),
		))
	}
}
