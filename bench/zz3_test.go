package bench_test
import ("testing";"context";"iter";"runtime";"fmt";"sync";"github.com/strata-go/strata"; "github.com/strata-go/strata/refusal")
type deep2 struct{ bare; pad int; wait chan struct{}; up *sync.WaitGroup }
//go:noinline
func pad(n int, f func()) { var x [64]byte; if n > 0 { pad(n-1, f); x[n%64]++; return }; f(); runtime.KeepAlive(x) }
func (m deep2) Stream(ctx context.Context, _ *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		yield(sentence, nil)
		m.up.Done(); <-m.wait
		yield(strata.Finish{Reason: strata.FinishStop, Model: baseID}, nil)
	}
}
func TestZZStack(t *testing.T) {
	for n := 0; n <= 12; n++ {
		l := strata.Chain()
		switch { case n > 0 && n <= 7: l = layers(n)
		case n == 8: l = whole()
		case n == 9: l = refusal.Detect()
		case n == 10: l = strata.Chain(seven()[3:]...)
		case n == 11: l = strata.Chain(seven()[2:]...)
		case n == 12: l = strata.Chain(seven()[1:]...)
		}
		const k = 2000
		var up sync.WaitGroup; up.Add(k)
		m := deep2{wait: make(chan struct{}), up: &up}
		s := l(m)
		before := memory()
		var done sync.WaitGroup
		for range k { done.Go(func() { for range s.Stream(context.Background(), prompt) {} }) }
		up.Wait()
		after := memory()
		fmt.Println(n, (after.StackInuse-before.StackInuse)/k)
		close(m.wait); done.Wait()
	}
}
