package refusal_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/stream"
)

// naive is the rule in its plainest form.
func naive(text string, phrases []string) bool {
	fold := func(s string) string {
		s = strings.Map(func(r rune) rune {
			if strings.ContainsRune("’‘ʼ′＇`´", r) {
				return '\''
			}
			return unicode.ToLower(r)
		}, s)
		return strings.Join(strings.Fields(s), " ")
	}
	text = fold(text)
	for _, p := range phrases {
		if strings.HasPrefix(text, fold(p)) {
			return true
		}
	}
	return false
}

// However the text is cut into deltas, bytes of one rune included, the verdict
// is the naive rule's, and an answer comes out byte for byte.
func TestDetectAgreesWithTheNaiveRule(t *testing.T) {
	alphabet := []string{"a", "A", "b", "’", "'", " ", "\n", "é", "É", "Σ", "\u00a0", "\xff", "字"}
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 3))
		word := func(n int) string {
			var b strings.Builder
			for range n {
				b.WriteString(alphabet[r.IntN(len(alphabet))])
			}
			return b.String()
		}
		phrases := []string{"a" + word(r.IntN(3)), "b'" + word(r.IntN(3))}
		text := word(r.IntN(8))
		attempt := modeltest.Attempt{}
		for rest := text; rest != ""; {
			n := 1 + r.IntN(len(rest))
			attempt = append(attempt, modeltest.Text(rest[:n]))
			rest = rest[n:]
		}
		attempt = append(attempt, modeltest.Finish(strata.FinishStop))
		m := refusal.Detect(refusal.Phrases(phrases...))(modeltest.New("openai/a", attempt))
		want := naive(text, phrases)
		resp, err := stream.Collect(m.Stream(t.Context(), strata.Prompt("hi")))
		require.Equal(t, want, err != nil, "seed %d: stream of %q, phrases %q: %v", seed, text, phrases, err)
		if err == nil {
			require.Equal(t, text, resp.Text())
		}
		_, err = m.Generate(t.Context(), strata.Prompt("hi"))
		require.Equal(t, want, err != nil, "seed %d: whole %q, phrases %q: %v", seed, text, phrases, err)
	}
}
