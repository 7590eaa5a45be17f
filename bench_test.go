package strata_test

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	metricnoop "go.opentelemetry.io/otel/metric/noop"
	tracenoop "go.opentelemetry.io/otel/trace/noop"
	"go.uber.org/zap"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/logging"
	"github.com/strata-go/strata/middleware/telemetry"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/when"
)

// flow is a model that streams n texts as fast as they are taken, with no work
// of its own beside.
type flow int

func (flow) ID() strata.ModelID { return modelA }

func (flow) Generate(context.Context, *strata.Request) (*strata.Response, error) {
	return &strata.Response{Model: modelA, Content: []strata.Content{strata.Text{Text: "hi"}}, FinishReason: strata.FinishStop}, nil
}

func (n flow) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] {
	var text strata.Part = strata.TextDelta{ID: "0", Text: "token"}
	return func(yield func(strata.Part, error) bool) {
		for range int(n) {
			if !yield(text, nil) {
				return
			}
		}
		yield(strata.Finish{Reason: strata.FinishStop, Model: modelA}, nil)
	}
}

// stackOf returns the first n of seven layers.
func stackOf(n int) strata.Layer {
	spare := modeltest.New("anthropic/b", modeltest.Answer("hi"))
	return strata.Chain([]strata.Layer{
		middleware.Fallback(spare),
		middleware.Backoff(),
		middleware.Timeout(middleware.Total(time.Hour), middleware.FirstContent(time.Hour)),
		middleware.Observe(),
		middleware.RequireContent(),
		middleware.Preamble(),
		refusal.Detect(),
	}[:n]...)
}

// BenchmarkStream measures a part on its way through the layers: one operation
// is one part of a long stream, so what a stream costs once does not show. The
// bare model stands beside as the baseline.
func BenchmarkStream(b *testing.B) {
	for _, layers := range []int{0, 1, 3, 7} {
		name := fmt.Sprintf("layers=%d", layers)
		if layers == 0 {
			name = "bare"
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			m := stackOf(layers)(flow(b.N))
			parts := 0
			b.ResetTimer()
			for _, err := range m.Stream(b.Context(), nil) {
				if err != nil {
					b.Fatal(err)
				}
				parts++
			}
			if parts != b.N+1 {
				b.Fatalf("%d parts of %d", parts, b.N+1)
			}
		})
	}
	b.Run("layers=3/idle", func(b *testing.B) {
		b.ReportAllocs()
		m := strata.Wrap(flow(b.N), middleware.Fallback(flow(1)), middleware.Backoff(), middleware.Timeout(middleware.Idle(time.Hour)))
		b.ResetTimer()
		for _, err := range m.Stream(b.Context(), nil) {
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkGenerate measures a whole call through the layers.
func BenchmarkGenerate(b *testing.B) {
	for _, layers := range []int{0, 1, 3, 7} {
		b.Run(fmt.Sprintf("layers=%d", layers), func(b *testing.B) {
			b.ReportAllocs()
			m := stackOf(layers)(flow(1))
			for b.Loop() {
				if _, err := m.Generate(b.Context(), strata.Prompt("hello")); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// silent is telemetry and logging while nobody listens.
func silent() strata.Layer {
	return strata.Chain(
		telemetry.Layer(telemetry.TracerProvider(tracenoop.NewTracerProvider()), telemetry.MeterProvider(metricnoop.NewMeterProvider())),
		logging.Layer(zap.NewNop()),
	)
}

// BenchmarkSilent measures what telemetry and logging add to the seven layers
// while nobody listens: to a call, and to a part of a long stream.
func BenchmarkSilent(b *testing.B) {
	for _, bench := range []struct {
		name  string
		layer strata.Layer
	}{{"without", strata.Chain()}, {"with", silent()}} {
		b.Run("call/"+bench.name, func(b *testing.B) {
			b.ReportAllocs()
			m := strata.Wrap(flow(1), bench.layer, stackOf(7))
			for b.Loop() {
				if _, err := m.Generate(b.Context(), strata.Prompt("hello")); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("stream/"+bench.name, func(b *testing.B) {
			b.ReportAllocs()
			m := strata.Wrap(flow(10), bench.layer, stackOf(7))
			for b.Loop() {
				for _, err := range m.Stream(b.Context(), nil) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run("part/"+bench.name, func(b *testing.B) {
			b.ReportAllocs()
			m := strata.Wrap(flow(b.N), bench.layer, stackOf(7))
			b.ResetTimer()
			for _, err := range m.Stream(b.Context(), nil) {
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Nobody who does not listen is told anything: the layers below make their
// attempts without a Trace.
func TestSilenceInstallsNoTrace(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Answer("hi"))
	silent := silent()(m)
	if _, err := silent.Generate(t.Context(), strata.Prompt("hello")); err != nil {
		t.Fatal(err)
	}
	for range silent.Stream(t.Context(), strata.Prompt("hello")) {
	}
	for _, call := range m.Calls() {
		if strata.ContextTrace(call.Context) != nil {
			t.Errorf("a call (streamed: %v) has a Trace", call.Stream)
		}
	}
}

// A part costs no allocation, whatever it passes.
func TestPartsDoNotAllocate(t *testing.T) {
	for _, layers := range []int{1, 3, 7} {
		stack := stackOf(layers)
		perStream := func(parts int) float64 {
			m := stack(flow(parts))
			return testing.AllocsPerRun(10, func() {
				for range m.Stream(t.Context(), nil) {
				}
			})
		}
		short, long := perStream(10), perStream(10_000)
		if long > short+10 { // for the odd timer of the runtime, and what a pool has lost
			t.Errorf("%d layers: a stream of 10 parts makes %v allocations, one of 10,000 makes %v", layers, short, long)
		}
	}
}

// BenchmarkFailover measures a call whose first model fails and whose second
// answers, by Fallback and by a rule, beside the bare second model.
func BenchmarkFailover(b *testing.B) {
	busy := &failure.Error{Model: modelB, Kind: failure.Overload, Message: "busy"}
	failing := strata.Funcs{Generate: func(context.Context, *strata.Request, strata.Model) (*strata.Response, error) {
		return nil, busy
	}}.Layer()(flow(1))
	for _, bench := range []struct {
		name  string
		model strata.Model
	}{
		{"bare", flow(1)},
		{"fallback", middleware.Fallback(flow(1))(failing)},
		{"rules", middleware.Rules(when.Retryable().Switch(spare{}))(failing)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			req := strata.Prompt("hello")
			for b.Loop() {
				if _, err := bench.model.Generate(b.Context(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// spare is flow under another ID.
type spare struct{ flow }

func (spare) ID() strata.ModelID { return modelB }
