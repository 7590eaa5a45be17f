package bench_test

import (
	"context"
	"iter"
	"runtime"
	"sync"
	"testing"

	"github.com/strata-go/strata"
)

// stalled is a model whose streams give one part, and the rest once open is
// closed: until then each is an open stream of which content was handed on.
type stalled struct {
	bare
	begun *sync.WaitGroup
	open  chan struct{}
}

func (m stalled) Stream(ctx context.Context, _ *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		if !yield(sentence, nil) {
			return
		}
		m.begun.Done()
		select {
		case <-m.open:
		case <-ctx.Done():
			yield(nil, ctx.Err())
			return
		}
		if yield(token, nil) {
			yield(strata.Finish{Reason: strata.FinishStop, Model: baseID}, nil)
		}
	}
}

// sentence is a text that is no refusal, so that nothing of it is held back.
var sentence strata.Part = strata.TextDelta{ID: "0", Text: "The kettle sings. "}

// held is what n open streams hold.
type held struct {
	goroutines  int // beyond those of the readers
	heap, stack float64
	complete    int
}

// hold opens n streams through the layers at once, each of a reader's goroutine
// with a context of its own, measures what they hold, and reads them to their
// ends.
func hold(n int, layer strata.Layer) held {
	var begun, done sync.WaitGroup
	m := stalled{begun: &begun, open: make(chan struct{})}
	begun.Add(n)
	stack := layer(m)
	complete := make([]bool, n)
	before, goroutines := memory(), runtime.NumGoroutine()
	for i := range n {
		done.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			parts := 0
			for part, err := range stack.Stream(ctx, prompt) {
				if _, finish := part.(strata.Finish); finish && err == nil {
					complete[i] = parts == 2
				}
				parts++
			}
		})
	}
	begun.Wait()
	after := memory()
	h := held{
		goroutines: runtime.NumGoroutine() - goroutines - n,
		heap:       (float64(after.HeapAlloc) - float64(before.HeapAlloc)) / float64(n),
		stack:      (float64(after.StackInuse) - float64(before.StackInuse)) / float64(n),
	}
	close(m.open)
	done.Wait()
	for _, ok := range complete {
		if ok {
			h.complete++
		}
	}
	return h
}

func memory() (s runtime.MemStats) {
	runtime.GC()
	runtime.GC() // what the first one shrinks or frees late
	runtime.ReadMemStats(&s)
	return s
}

// A hundred thousand streams are open at once in one process: no goroutine beside
// the readers', and all complete.
func TestHundredThousandStreams(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 2_000
	}
	h := hold(n, whole())
	t.Logf("%d open streams: %.0f B of heap and %.0f B of stacks each, %d complete", n, h.heap, h.stack, h.complete)
	if h.goroutines != 0 {
		t.Errorf("%d goroutines beside the readers'", h.goroutines)
	}
	if h.complete != n {
		t.Errorf("%d of %d streams are complete", h.complete, n)
	}
}

// BenchmarkOpen holds streams open through the whole stack, without layers, and
// behind a channel. One operation is all of them: run it once.
func BenchmarkOpen(b *testing.B) {
	n := 100_000
	if testing.Short() {
		n = 2_000
	}
	hold(n, strata.Chain()) // makes the goroutines that all of them use again
	for _, s := range []struct {
		name  string
		layer strata.Layer
	}{
		{"bare", strata.Chain()},
		{"layers=7", layers(7)},
		{"whole", whole()},
		{"whole+idle", wholeIdle()},
		{"channel", relaying},
	} {
		b.Run(s.name, func(b *testing.B) {
			for range b.N {
				h := hold(n, s.layer)
				b.ReportMetric(float64(n), "streams")
				b.ReportMetric(h.heap, "heap-B/stream")
				b.ReportMetric(h.stack, "stack-B/stream")
				b.ReportMetric(float64(h.goroutines)/float64(n), "goroutines/stream")
				b.ReportMetric(float64(h.complete), "complete")
			}
		})
	}
}

// relaying is relay as a layer.
func relaying(next strata.Model) strata.Model {
	return strata.Funcs{Stream: func(ctx context.Context, _ *strata.Request, next strata.Model) iter.Seq2[strata.Part, error] {
		return func(yield func(strata.Part, error) bool) {
			relay(ctx, next, 0, func(p strata.Part) { yield(p, nil) })
		}
	}}.Layer()(next)
}
