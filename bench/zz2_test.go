package bench_test
import ("testing";"context";"iter";"runtime/debug";"os"
"github.com/strata-go/strata")
type deep struct{ bare }
func (m deep) Stream(ctx context.Context, _ *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		yield(sentence, nil)
		yield(strata.Finish{Reason: strata.FinishStop, Model: baseID}, nil)
	}
}
func TestZZDeep(t *testing.T) {
	n := 0
	for range whole()(deep{}).Stream(context.Background(), prompt) {
		if n == 0 { os.WriteFile("/tmp/p/stack", debug.Stack(), 0o644) }
		n++
	}
}
