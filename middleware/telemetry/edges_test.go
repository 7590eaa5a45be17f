package telemetry_test

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/telemetry"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/when"
)

// drain streams a call to its end and returns its error.
func drain(ctx context.Context, m strata.Model, req *strata.Request) (err error) {
	for _, err = range m.Stream(ctx, req) {
	}
	return err
}

// root returns the span of the only call.
func (r *record) root(t *testing.T) sdktrace.ReadOnlySpan {
	t.Helper()
	for _, s := range r.spans.Ended() {
		if s.SpanKind() == trace.SpanKindClient {
			return s
		}
	}
	require.Fail(t, "no call was recorded")
	return nil
}

// What a provider's client records is inside the attempt that it serves.
func TestSpansNestUnderTheRightAttempt(t *testing.T) {
	r := newRecord()
	http := strata.Funcs{
		Generate: func(ctx context.Context, req *strata.Request, next strata.Model) (*strata.Response, error) {
			ctx, span := r.tracers.Tracer("http").Start(ctx, "POST")
			defer span.End()
			return next.Generate(ctx, req)
		},
		Stream: func(ctx context.Context, req *strata.Request, next strata.Model) iter.Seq2[strata.Part, error] {
			return func(yield func(strata.Part, error) bool) {
				ctx, span := r.tracers.Tracer("http").Start(ctx, "POST")
				defer span.End()
				next.Stream(ctx, req)(yield)
			}
		},
	}.Layer()
	m := strata.Wrap(modeltest.New("openai/a", busy), r.layer(), middleware.Fallback(http(modeltest.New("anthropic/b", modeltest.Answer("hi")))), http)
	_, err := m.Generate(t.Context(), prompt)
	require.NoError(t, err)
	require.NoError(t, drain(t.Context(), m, prompt))
	assert.Equal(t, `
chat a operation=generate outcome=success attempts=2 start_model=openai/a final_model=anthropic/b finish_reasons=["stop"]
  attempt a fallback#1 outcome=retry kind=overload !exception Error
    POST
  attempt b fallback#2 outcome=success finish_reasons=["stop"]
    POST
chat a operation=stream outcome=success attempts=2 start_model=openai/a final_model=anthropic/b finish_reasons=["stop"] committed
  attempt a fallback#1 outcome=retry kind=overload !exception Error
    POST
  attempt b fallback#2 outcome=success finish_reasons=["stop"] committed
    POST
`, "\n"+r.tree())
}

// A span ends when its attempt did, not when it was known what became of it.
func TestAttemptsTakeTheirOwnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecord()
		slow := modeltest.Attempt{modeltest.Wait(time.Second), modeltest.Fail(errBusy)}
		m := r.layer()(middleware.Backoff(middleware.Base(10*time.Second), middleware.NoJitter())(modeltest.New("openai/a", slow, answer())))
		require.NoError(t, drain(t.Context(), m, prompt))
		var took []string
		for _, s := range r.spans.Ended() {
			took = append(took, fmt.Sprint(s.Name(), " ", s.EndTime().Sub(s.StartTime())))
		}
		assert.Equal(t, []string{"attempt a 1s", "attempt a 1.5s", "chat a 12.5s"}, took)
	})
}

func TestAPanicEndsTheSpans(t *testing.T) {
	for _, streamed := range []bool{false, true} {
		r := newRecord()
		m := r.layer()(middleware.Backoff()(modeltest.New("openai/a", modeltest.Attempt{modeltest.Panic("out of order")})))
		assert.PanicsWithValue(t, "out of order", func() {
			if streamed {
				_ = drain(t.Context(), m, prompt)
				return
			}
			_, _ = m.Generate(t.Context(), prompt)
		})
		assert.Len(t, r.spans.Ended(), 2)
		assert.Equal(t, codes.Error, r.root(t).Status().Code)
		assert.Equal(t, "failure", attributesOf(r.root(t).Attributes())["strata.outcome"])
	}
}

// The reader panics in the range: the spans end too.
func TestAReaderWhoPanics(t *testing.T) {
	r := newRecord()
	m := r.layer()(middleware.Backoff()(modeltest.New("openai/a", modeltest.Answer("hi"))))
	assert.Panics(t, func() {
		for range m.Stream(t.Context(), prompt) {
			panic("reader")
		}
	})
	assert.Len(t, r.spans.Ended(), 2)
}

func TestFailuresAreTold(t *testing.T) {
	r := newRecord()
	_, _ = r.layer()(modeltest.New("openai/a", modeltest.Failure(errBusy))).Generate(t.Context(), prompt)
	span := r.root(t)
	want := map[string]string{"strata.kind": "overload", "strata.code": "busy", "http.response.status_code": "503", "error.type": "overload"}
	assert.Subset(t, attributesOf(span.Attributes()), want)
	require.Len(t, span.Events(), 1)
	delete(want, "error.type")
	want["exception.type"], want["exception.message"] = "*failure.Error", "overload (503 busy): The engine is overloaded."
	assert.Equal(t, want, attributesOf(span.Events()[0].Attributes))
	assert.Equal(t, sdktrace.Status{Code: codes.Error, Description: want["exception.message"]}, span.Status())
}

func TestAttributes(t *testing.T) {
	type tenant struct{}
	r := newRecord()
	m := r.layer(
		telemetry.Attributes(attribute.String("team", "search")),
		telemetry.AttributesOf(func(ctx context.Context) []attribute.KeyValue {
			return []attribute.KeyValue{attribute.String("tenant", ctx.Value(tenant{}).(string))}
		}),
	)(middleware.Backoff()(modeltest.New("openai/a@eu", answer())))
	temperature, seed, k := 0.5, int64(7), 3
	req := strata.Prompt("hello")
	req.Temperature, req.Seed, req.TopK, req.MaxOutputTokens, req.ResponseFormat = &temperature, &seed, &k, 100, &strata.ResponseFormat{Type: strata.ResponseJSON}
	synctest.Test(t, func(t *testing.T) {
		require.NoError(t, drain(context.WithValue(t.Context(), tenant{}, "t1"), m, req))
	})
	assert.Equal(t, map[string]string{
		"team": "search", "tenant": "t1",
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "a", "gen_ai.request.stream": "true",
		"gen_ai.request.temperature": "0.5", "gen_ai.request.seed": "7", "gen_ai.request.top_k": "3", "gen_ai.request.max_tokens": "100", "gen_ai.output.type": "json",
		"gen_ai.response.id": "resp-1", "gen_ai.response.model": "a", "gen_ai.response.finish_reasons": `["stop"]`, "gen_ai.response.time_to_first_chunk": "1",
		"gen_ai.usage.input_tokens": "10", "gen_ai.usage.output_tokens": "5",
		"strata.operation": "stream", "strata.outcome": "success", "strata.attempts": "1", "strata.committed": "true",
		"strata.start_model": "openai/a@eu", "strata.final_model": "openai/a@eu",
	}, attributesOf(r.root(t).Attributes()))
	for _, s := range r.spans.Ended() {
		assert.Equal(t, "search", attributesOf(s.Attributes())["team"], s.Name())
	}
	for _, instrument := range []string{"gen_ai.client.operation.duration", "gen_ai.client.operation.time_per_output_chunk", "gen_ai.client.token.usage", "strata.attempts"} {
		points := r.points(t, instrument)
		require.NotEmpty(t, points, instrument)
		for _, point := range points {
			assert.Contains(t, point, "team=search", instrument)
			assert.NotContains(t, point, "tenant", instrument)
		}
	}
}

// Providers and models have the names that the conventions and their servers give
// them.
func TestNames(t *testing.T) {
	for id, want := range map[string][2]string{
		"openai/a":  {"openai", "a-2026-01"},
		"bedrock/a": {"aws.bedrock", "a-2026-01"},
		"mine/a":    {"mine", "a-2026-01"},
	} {
		r := newRecord()
		m := r.layer()(modeltest.New(id, modeltest.Attempt{
			modeltest.Part(strata.ResponseMetadata{ID: "r1", Model: "a-2026-01"}), modeltest.Text("hi"),
			modeltest.Part(strata.Finish{Reason: strata.FinishStop, Usage: strata.Usage{InputTokens: 9, CachedInputTokens: 3, CacheWriteTokens: 2, ReasoningTokens: 1}}),
		}))
		require.NoError(t, drain(t.Context(), m, prompt))
		attrs := attributesOf(r.root(t).Attributes())
		assert.Equal(t, want, [2]string{attrs["gen_ai.provider.name"], attrs["gen_ai.response.model"]}, id)
		assert.Subset(t, attrs, map[string]string{
			"gen_ai.usage.cache_read.input_tokens": "3", "gen_ai.usage.cache_creation.input_tokens": "2", "gen_ai.usage.reasoning.output_tokens": "1",
		}, id)
	}
}

// The tokens of failed attempts count, those of attempts that hold others do not
// count twice.
func TestUsageIsThatOfAllAttempts(t *testing.T) {
	r := newRecord()
	m := strata.Wrap(modeltest.New("openai/a", busy), r.layer(), middleware.Fallback(modeltest.New("anthropic/b", modeltest.Attempt{modeltest.Text("hi"), finish})),
		middleware.Backoff(middleware.Attempts(1)))
	_, err := m.Generate(t.Context(), prompt)
	require.NoError(t, err)
	require.NoError(t, drain(t.Context(), m, prompt))
	for _, s := range r.spans.Ended() {
		attrs := attributesOf(s.Attributes())
		switch {
		case s.SpanKind() != trace.SpanKindClient:
			assert.NotContains(t, attrs, "gen_ai.usage.input_tokens")
		case attrs["strata.operation"] == "stream":
			assert.Equal(t, "17", attrs["gen_ai.usage.input_tokens"])
		}
	}
}

func TestARejectedAnswerIsRetried(t *testing.T) {
	r := newRecord()
	filtered := modeltest.Attempt{modeltest.Finish(strata.FinishContentFilter)}
	m := r.layer()(middleware.Rules(when.FinishReason(strata.FinishContentFilter).Switch(modeltest.New("anthropic/b", modeltest.Answer("hi"))))(modeltest.New("openai/a", filtered)))
	_, err := m.Generate(t.Context(), prompt)
	require.NoError(t, err)
	assert.Equal(t, `
chat a operation=generate outcome=success attempts=2 start_model=openai/a final_model=anthropic/b finish_reasons=["stop"]
  attempt a rules#1 outcome=retry kind=content finish_reasons=["content-filter"]
  attempt b rules#2 outcome=success finish_reasons=["stop"]
`, "\n"+r.tree())
	assert.Equal(t, []string{"from=openai/a kind=content layer=rules to=anthropic/b 1"}, r.points(t, "strata.fallbacks"))
}

// A call that a sticky model begins started there.
func TestAStickyModelIsTheStart(t *testing.T) {
	r := newRecord()
	m := strata.Wrap(modeltest.New("openai/a", busy), r.layer(), middleware.Sticky(middleware.ForRequests(5)), middleware.Fallback(modeltest.New("anthropic/b", modeltest.Answer("hi"))))
	for range 2 {
		_, err := m.Generate(t.Context(), prompt)
		require.NoError(t, err)
	}
	assert.Equal(t, `
chat a operation=generate outcome=success attempts=2 start_model=openai/a final_model=anthropic/b finish_reasons=["stop"]
  attempt a fallback#1 outcome=retry kind=overload !exception Error
  attempt b fallback#2 outcome=success finish_reasons=["stop"]
chat a operation=generate outcome=success attempts=1 start_model=anthropic/b final_model=anthropic/b finish_reasons=["stop"]
  attempt b fallback#1 outcome=success finish_reasons=["stop"]
`, "\n"+r.tree())
}

// A Timeout layer above ends the context with a cancel, and nobody has cancelled.
func TestADeadlineAboveIsAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecord()
		m := middleware.Timeout(middleware.Total(time.Second))(r.layer()(modeltest.New("openai/a", modeltest.Attempt{modeltest.Hang()})))
		assert.Error(t, drain(t.Context(), m, prompt))
		assert.Equal(t, "failure", attributesOf(r.root(t).Attributes())["strata.outcome"])
	})
}

// One may be without the other.
func TestSpansAloneAndMetricsAlone(t *testing.T) {
	unsampled := sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample()))
	for name, tracers := range map[string]trace.TracerProvider{"none": tracenoop.NewTracerProvider(), "not sampled": unsampled} {
		r := newRecord()
		m := telemetry.Layer(telemetry.TracerProvider(tracers), telemetry.MeterProvider(r.meters))(middleware.Backoff()(modeltest.New("openai/a", modeltest.Answer("hi"))))
		require.NoError(t, drain(t.Context(), m, prompt))
		_, err := m.Generate(t.Context(), prompt)
		require.NoError(t, err)
		assert.Equal(t, []string{"layer=backoff model=openai/a nested=false outcome=success 2"}, r.points(t, "strata.attempts"), name)
	}
	r := newRecord()
	spans := telemetry.Layer(telemetry.TracerProvider(r.tracers), telemetry.MeterProvider(metricnoop.NewMeterProvider()))
	require.NoError(t, drain(t.Context(), spans(middleware.Backoff()(modeltest.New("openai/a", modeltest.Answer("hi")))), prompt))
	assert.Len(t, r.spans.Ended(), 2)
}

func TestTheGlobalProvidersAreTheDefault(t *testing.T) {
	tracers, meters := otel.GetTracerProvider(), otel.GetMeterProvider()
	t.Cleanup(func() {
		otel.SetTracerProvider(tracers)
		otel.SetMeterProvider(meters)
	})
	r := newRecord()
	otel.SetTracerProvider(r.tracers)
	otel.SetMeterProvider(r.meters)
	m := telemetry.Layer()(modeltest.New("openai/a", modeltest.Answer("hi")))
	require.NoError(t, drain(t.Context(), m, prompt))
	assert.Len(t, r.spans.Ended(), 1)
	assert.Len(t, r.points(t, "gen_ai.client.operation.duration"), 1)
}

func TestTheModelIsTheSame(t *testing.T) {
	base := modeltest.New("openai/a", modeltest.Answer("hi"))
	m := newRecord().layer()(base)
	assert.Equal(t, base.ID(), m.ID())
	found, ok := strata.As[*modeltest.Model](m)
	assert.True(t, ok)
	assert.Same(t, base, found)
}

func TestWhatMakesNoSensePanics(t *testing.T) {
	for message, f := range map[string]func(){
		"telemetry.TracerProvider(nil): the provider is nil": func() { telemetry.TracerProvider(nil) },
		"telemetry.MeterProvider(nil): the provider is nil":  func() { telemetry.MeterProvider(nil) },
		"telemetry.AttributesOf(nil): the function is nil":   func() { telemetry.AttributesOf(nil) },
		"telemetry.Content(0): the bound is less than 1":     func() { telemetry.Content(0) },
		"telemetry.Layer: option 0 is nil":                   func() { telemetry.Layer(nil) },
		"telemetry.Layer: the model is nil":                  func() { telemetry.Layer()(nil) },
	} {
		assert.PanicsWithValue(t, message, f)
	}
}

// noStream is a model that breaks its contract.
type noStream struct{ *modeltest.Model }

func (noStream) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] { return nil }

func TestANilStreamIsAnError(t *testing.T) {
	base := noStream{modeltest.New("openai/a", modeltest.Answer("hi"))}
	assert.Error(t, drain(t.Context(), newRecord().layer()(base), prompt))
	silent := telemetry.Layer(telemetry.TracerProvider(tracenoop.NewTracerProvider()), telemetry.MeterProvider(metricnoop.NewMeterProvider()))
	assert.Error(t, drain(t.Context(), silent(base), prompt))
}

// Code that calls an SDK itself, with retry.Call, is heard too.
func TestAttemptsOfTheLoopAlone(t *testing.T) {
	r := newRecord()
	direct := strata.Funcs{Generate: func(ctx context.Context, req *strata.Request, next strata.Model) (*strata.Response, error) {
		return retry.Call(ctx, retry.Models("x", "y"), func(ctx context.Context, try retry.Attempt[string]) (*strata.Response, error) {
			if try.Model == "x" {
				return nil, errBusy
			}
			return next.Generate(ctx, req)
		})
	}}.Layer()
	_, err := r.layer()(direct(modeltest.New("openai/a", modeltest.Answer("hi")))).Generate(t.Context(), prompt)
	require.NoError(t, err)
	assert.Contains(t, r.tree(), "attempt y retry#2 outcome=success")
}
