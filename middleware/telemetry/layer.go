package telemetry

import (
	"context"
	"iter"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/watch"
	"github.com/strata-go/strata/internal/wrap"
	"github.com/strata-go/strata/stream"
)

type layer struct {
	config
	wrap.Model
	tracer trace.Tracer
	*instruments

	generate, stream *operation
}

// operation is what all calls of a kind have in common.
type operation struct {
	span  string               // the name of a call's span
	kind  attribute.KeyValue   // as the conventions name it
	attrs []attribute.KeyValue // of every call
	start []trace.SpanStartOption
	chunk metric.MeasurementOption
}

func newLayer(next strata.Model, c config, tracer trace.Tracer, i *instruments) *layer {
	l := &layer{config: c, Model: wrap.Over(next), tracer: tracer, instruments: i}
	l.generate, l.stream = l.operation("chat", "generate"), l.operation("chat", "stream")
	l.stream.start = append(l.stream.start, trace.WithAttributes(semconv.GenAIRequestStream(true)))
	return l
}

// operation is the kind of calls that the conventions name so and we by name.
func (l *layer) operation(kind, name string) *operation {
	id := l.Next.ID()
	o := &operation{span: kind + " " + id.Name, kind: semconv.GenAIOperationNameKey.String(kind)}
	o.attrs = append(l.attributes[:len(l.attributes):len(l.attributes)], o.requestModel(id)...)
	o.attrs = append(o.attrs, attribute.String("strata.operation", name))
	o.chunk = metric.WithAttributeSet(attribute.NewSet(o.attrs...))
	o.start = []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(o.attrs...)}
	return o
}

// whole is the operation of a whole call, which the request may carry for another
// family of models: see package embedding.
func (l *layer) whole(req *strata.Request) *operation {
	if req != nil {
		if carried, ok := req.Raw.(interface{ Operation() string }); ok {
			return l.operation(carried.Operation(), "generate")
		}
	}
	return l.generate
}

// requestModel is what the conventions say of a model that is asked.
func (o *operation) requestModel(id strata.ModelID) []attribute.KeyValue {
	return []attribute.KeyValue{
		o.kind,
		semconv.GenAIProviderNameKey.String(providerName(id.Provider)),
		semconv.GenAIRequestModel(id.Name),
	}
}

// providerNames are the providers that the conventions name otherwise.
var providerNames = map[string]string{
	"azure":   "azure.ai.openai",
	"bedrock": "aws.bedrock",
	"gemini":  "gcp.gemini",
	"google":  "gcp.gemini",
	"mistral": "mistral_ai",
	"vertex":  "gcp.vertex_ai",
	"xai":     "x_ai",
}

func providerName(provider string) string {
	if name, ok := providerNames[provider]; ok {
		return name
	}
	return provider
}

func (l *layer) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	o := l.whole(req)
	ctx, span := l.tracer.Start(ctx, o.span, o.start...)
	defer span.End()
	if !l.listens(ctx, span) {
		return stream.Generate(ctx, l.Next, req)
	}
	c := l.begin(ctx, span, o, req)
	resp, err := watch.Generate(ctx, l.Next, req, c.hooks())
	if err == nil && c.answer != nil {
		c.answer.addContents(resp.Content)
		c.recordAnswer(resp.FinishReason)
	}
	return resp, err
}

func (l *layer) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		ctx, span := l.tracer.Start(ctx, l.stream.span, l.stream.start...)
		defer span.End()
		if !l.listens(ctx, span) {
			stream.Each(ctx, l.Next, req, yield)
			return
		}
		l.record(ctx, span, req, yield)
	}
}

// record streams with somebody who wants to know.
func (l *layer) record(ctx context.Context, span trace.Span, req *strata.Request, yield func(strata.Part, error) bool) {
	c := l.begin(ctx, span, l.stream, req)
	hooks := c.hooks()
	if c.answer != nil || l.perChunk.Enabled(ctx) {
		hooks.Part = c.part
	}
	watch.Stream(ctx, l.Next, req, hooks, yield)
}

// listens reports whether anybody wants to know.
func (l *layer) listens(ctx context.Context, span trace.Span) bool {
	return span.IsRecording() || l.enabled(ctx)
}

// call is a call that is recorded.
type call struct {
	*layer
	*operation
	ctx       context.Context
	span      trace.Span
	recording bool
	lastChunk time.Time

	answer *transcript // nil unless content is recorded
}

func (l *layer) begin(ctx context.Context, span trace.Span, o *operation, req *strata.Request) *call {
	c := &call{layer: l, operation: o, ctx: ctx, span: span, recording: span.IsRecording()}
	if !c.recording {
		return c
	}
	if req != nil {
		span.SetAttributes(requestAttributes(req)...)
	}
	if l.perCall != nil {
		span.SetAttributes(l.perCall(ctx)...)
	}
	if l.content > 0 {
		c.answer = &transcript{left: l.content}
		c.recordPrompt(req)
	}
	return c
}

func (c *call) hooks() watch.Hooks {
	return watch.Hooks{AttemptStart: c.attemptStart, AttemptEnd: c.attemptEnd, Refusal: c.refusal, End: c.end}
}

// part hears each part of a stream.
func (c *call) part(p strata.Part) {
	if c.answer != nil {
		c.answer.addPart(p)
	}
	if !p.Commits() {
		return
	}
	now := time.Now()
	if !c.lastChunk.IsZero() {
		c.perChunk.Record(c.ctx, now.Sub(c.lastChunk).Seconds(), c.chunk)
	}
	c.lastChunk = now
}
