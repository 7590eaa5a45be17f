package middleware_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/retry"
)

// unlucky fails at once with no work of its own.
type unlucky struct {
	id  strata.ModelID
	err error
}

func (f *unlucky) ID() strata.ModelID { return f.id }
func (f *unlucky) Generate(context.Context, *strata.Request) (*strata.Response, error) {
	return nil, f.err
}
func (f *unlucky) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		if yield(strata.StreamStart{}, nil) {
			yield(nil, f.err)
		}
	}
}

// BenchmarkEdgeCandidates measures what a candidate costs in a walk of many, all
// of which fail.
func BenchmarkEdgeCandidates(b *testing.B) {
	ids := map[string]func(int) (strata.ModelID, failure.Kind){
		"models": func(i int) (strata.ModelID, failure.Kind) {
			return strata.ModelID{Provider: "p", Name: fmt.Sprint(i)}, failure.Overload
		},
		"accounts": func(i int) (strata.ModelID, failure.Kind) {
			return strata.ModelID{Provider: "p", Name: "m", Account: fmt.Sprint(i)}, failure.Quota
		},
		"providers": func(i int) (strata.ModelID, failure.Kind) {
			return strata.ModelID{Provider: fmt.Sprint(i), Name: "m"}, failure.Network
		},
	}
	for kind, id := range ids {
		for _, n := range []int{1, 10, 100, 1000} {
			models, rules := make([]strata.Model, n), make([]middleware.Rule, n)
			for i := range n {
				id, kind := id(i)
				models[i] = &unlucky{id, &failure.Error{Model: id, Kind: kind}}
				rules[i] = models[i]
			}
			for name, m := range map[string]strata.Model{
				"fallback": middleware.Fallback(models[1:]...)(models[0]),
				"rules":    middleware.Rules(rules[1:]...)(models[0]),
			} {
				for how, ask := range map[string]func() error{
					"generate": func() error { _, err := m.Generate(b.Context(), nil); return err },
					"stream": func() (err error) {
						for _, err = range m.Stream(b.Context(), nil) {
						}
						return err
					},
				} {
					b.Run(fmt.Sprintf("%s/%s/%s/n=%d", name, kind, how, n), func(b *testing.B) {
						b.ReportAllocs()
						for b.Loop() {
							if ask() == nil {
								b.Fatal("it answered")
							}
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/attempt")
					})
				}
			}
		}
	}
}

// BenchmarkEdgeAttempts measures a retry by rules.
func BenchmarkEdgeAttempts(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		m := middleware.Rules(retry.Retry[strata.Model](nil, retry.Attempts(n)))(&unlucky{strata.ModelID{Provider: "p", Name: "m"}, edgeBusy})
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Generate(b.Context(), nil)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/attempt")
		})
	}
}
