package refusal_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/stream"
)

// parts is a model that streams the same parts again and again.
type parts []strata.Part

func (parts) ID() strata.ModelID { return strata.ModelID{Provider: "openai", Name: "a"} }

func (parts) Generate(context.Context, *strata.Request) (*strata.Response, error) {
	return &strata.Response{}, nil
}

func (p parts) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		for _, part := range p {
			if !yield(part, nil) {
				return
			}
		}
	}
}

// handsOn is a layer that keeps streams to their contract and does no more.
type handsOn struct{ strata.Model }

func (m handsOn) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) { stream.Each(ctx, m.Model, req, yield) }
}

// deltas cuts text into deltas of four bytes.
func deltas(text string) (p parts) {
	for ; len(text) > 4; text = text[4:] {
		p = append(p, strata.TextDelta{Text: text[:4]})
	}
	return append(p, strata.TextDelta{Text: text}, strata.Finish{Reason: strata.FinishStop})
}

// What a delta of four bytes costs, the stream's own costs included: while the
// text is undecided, behind that, without the detector, and with a layer in its
// place that does nothing but hand on.
func BenchmarkDelta(b *testing.B) {
	suspect := "I understand that " + strings.Repeat("you would like to know what the cannot of a refusal looks like in a sentence that goes on and on ", 40)
	ordinary := strings.Repeat("The kettle sings a song of tea. ", 2000)
	detect := refusal.Detect(refusal.MaxText(1<<20), refusal.MaxParts(1<<20))
	for name, run := range map[string]struct {
		model strata.Model
		parts parts
	}{
		"undecided":        {detect(deltas(suspect)), deltas(suspect)},
		"decided":          {detect(deltas(ordinary)), deltas(ordinary)},
		"without detector": {deltas(ordinary), deltas(ordinary)},
		"handed on":        {handsOn{deltas(ordinary)}, deltas(ordinary)},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for range run.model.Stream(b.Context(), prompt) {
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(run.parts)), "ns/delta")
		})
	}
}

func BenchmarkDetect(b *testing.B) {
	for b.Loop() {
		refusal.Detect()
	}
}
