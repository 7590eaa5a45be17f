package telemetry_test

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware/telemetry"
)

// record is the SDK with everything kept in memory.
type record struct {
	spans   *tracetest.SpanRecorder
	tracers *sdktrace.TracerProvider
	reader  *sdkmetric.ManualReader
	meters  *sdkmetric.MeterProvider
}

func newRecord() *record {
	r := &record{spans: tracetest.NewSpanRecorder(), reader: sdkmetric.NewManualReader()}
	r.tracers = sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(r.spans))
	r.meters = sdkmetric.NewMeterProvider(sdkmetric.WithReader(r.reader))
	return r
}

func (r *record) layer(opts ...telemetry.Option) strata.Layer {
	return telemetry.Layer(append(opts, telemetry.TracerProvider(r.tracers), telemetry.MeterProvider(r.meters))...)
}

func attributesOf(attrs []attribute.KeyValue) map[string]string {
	m := map[string]string{}
	for _, a := range attrs {
		m[string(a.Key)] = a.Value.Emit()
	}
	return m
}

// tree writes the spans that have ended, each within its parent:
//
//	chat a | failure | Error | attempts=2 …
//	  attempt a | retry | …
func (r *record) tree() string {
	children := map[trace.SpanID][]sdktrace.ReadOnlySpan{}
	known := map[trace.SpanID]bool{}
	for _, s := range r.spans.Ended() {
		known[s.SpanContext().SpanID()] = true
	}
	for _, s := range r.spans.Ended() {
		parent := s.Parent().SpanID()
		if !known[parent] {
			parent = trace.SpanID{}
		}
		children[parent] = append(children[parent], s)
	}
	var b strings.Builder
	var write func(trace.SpanID, string)
	write = func(parent trace.SpanID, indent string) {
		spans := children[parent]
		slices.SortStableFunc(spans, func(a, b sdktrace.ReadOnlySpan) int { return a.StartTime().Compare(b.StartTime()) })
		for _, s := range spans {
			fmt.Fprintf(&b, "%s%s\n", indent, describe(s))
			write(s.SpanContext().SpanID(), indent+"  ")
		}
	}
	write(trace.SpanID{}, "")
	return b.String()
}

// describe is one line about a span.
func describe(s sdktrace.ReadOnlySpan) string {
	attrs := attributesOf(s.Attributes())
	line := []string{s.Name()}
	if layer := attrs["strata.layer"]; layer != "" {
		line = append(line, layer+"#"+attrs["strata.attempt.number"])
	}
	for _, key := range []string{"strata.operation", "strata.outcome", "strata.kind", "strata.attempts", "strata.start_model", "strata.final_model",
		"gen_ai.response.finish_reasons", "strata.wait.duration", "strata.wait.server", "strata.timeout.limit"} {
		if v, ok := attrs[key]; ok {
			line = append(line, key[strings.LastIndexByte(key, '.')+1:]+"="+v)
		}
	}
	for _, key := range []string{"strata.nested", "strata.committed", "strata.left"} {
		if attrs[key] == "true" {
			line = append(line, strings.TrimPrefix(key, "strata."))
		}
	}
	for _, e := range s.Events() {
		line = append(line, "!"+e.Name)
	}
	if s.Status().Code != 0 {
		line = append(line, s.Status().Code.String())
	}
	return strings.Join(line, " ")
}

// points writes each data point of an instrument: its attributes but those that
// all have, and the value, or the count and the sum.
func (r *record) points(t *testing.T, name string) []string {
	t.Helper()
	var rm metricdata.ResourceMetrics
	require.NoError(t, r.reader.Collect(context.WithoutCancel(t.Context()), &rm))
	lines := []string{}
	for _, scope := range rm.ScopeMetrics {
		require.Equal(t, telemetry.Name, scope.Scope.Name)
		for _, m := range scope.Metrics {
			if m.Name != name {
				continue
			}
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					lines = append(lines, fmt.Sprintf("%s%d", labels(p.Attributes), p.Value))
				}
			case metricdata.Histogram[int64]:
				for _, p := range data.DataPoints {
					lines = append(lines, fmt.Sprintf("%s%d: %d", labels(p.Attributes), p.Count, p.Sum))
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					lines = append(lines, fmt.Sprintf("%s%d: %.3gs", labels(p.Attributes), p.Count, p.Sum))
				}
			}
		}
	}
	sort.Strings(lines)
	return lines
}

func labels(set attribute.Set) string {
	var b strings.Builder
	for _, a := range set.ToSlice() {
		switch a.Key {
		case "gen_ai.operation.name", "gen_ai.provider.name":
			continue
		}
		fmt.Fprintf(&b, "%s=%s ", a.Key[strings.LastIndexByte(string(a.Key), '.')+1:], a.Value.Emit())
	}
	return b.String()
}
