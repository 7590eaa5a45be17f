package refusal_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
)

// labelled is an answer that people labelled.
type labelled struct {
	ID         string `json:"id"`
	Completion string `json:"completion"`
	Label      string `json:"label"`
	refused    bool
}

// outcome is what came of one answer.
type outcome struct {
	labelled
	found bool // a refusal
	held  int  // characters before the first was handed on, or the verdict
	score float64
	rule  string
}

// TestLabelled measures the built-in detector on answers that people labelled:
// JSON lines with id, completion and label, in a file or a directory that
// STRATA_REFUSALS names.
func TestLabelled(t *testing.T) {
	own := os.Getenv("STRATA_REFUSALS")
	path := cmp.Or(own, filepath.Join("..", "..", "shared", "refusals"))
	files := []string{path}
	info, err := os.Stat(path)
	if err != nil && own == "" {
		t.Skipf("there are no labelled answers at %s; STRATA_REFUSALS names others", path)
	}
	require.NoError(t, err)
	if info.IsDir() {
		files, err = filepath.Glob(filepath.Join(path, "*.jsonl"))
		require.NoError(t, err)
		require.NotEmpty(t, files, "no .jsonl in %s", path)
	}
	var all []outcome
	for _, file := range files {
		outcomes := measure(t, file)
		fmt.Printf("%-24s %s\n", filepath.Base(file), figures(outcomes))
		logMissed(t, filepath.Base(file), outcomes)
		all = append(all, outcomes...)
	}
	fmt.Printf("%-24s %s\n", "all", figures(all))
	if own == "" {
		precision, recall := precisionRecall(all)
		assert.GreaterOrEqual(t, precision, 0.95)
		assert.GreaterOrEqual(t, recall, 0.85)
		median, _ := heldOn(all)
		assert.LessOrEqual(t, median, 24)
	}
	for _, threshold := range []float64{0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98} {
		at := slices.Clone(all)
		for i := range at {
			at[i].found = at[i].score >= threshold
		}
		precision, recall := precisionRecall(at)
		fmt.Printf("threshold %.2f  precision %.3f recall %.3f\n", threshold, precision, recall)
	}
}

// measure streams each answer of a file in small deltas through the detector.
func measure(t *testing.T, file string) (outcomes []outcome) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, l := range readLabelled(t, file) {
		o := outcome{labelled: l}
		o.score, o.rule = refusal.Score(l.Completion)
		o.found, o.held = streamed(t, r, l.Completion)
		assert.Equal(t, o.score >= refusal.DefaultThreshold, o.found, "%s: Score and the stream differ", l.ID)
		outcomes = append(outcomes, o)
	}
	return outcomes
}

func readLabelled(t *testing.T, file string) (answers []labelled) {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var l labelled
		require.NoError(t, json.Unmarshal(lines.Bytes(), &l), "%s:%d", file, n)
		switch l.Label {
		case "refusal", "2_full_refusal":
			l.refused = true
		case "compliance", "1_full_compliance":
		case "partial", "3_partial_refusal":
			continue
		default:
			require.Failf(t, "unknown label", "%s:%d: %q", file, n, l.Label)
		}
		answers = append(answers, l)
	}
	require.NoError(t, lines.Err())
	return answers
}

// streamed reports whether the stream of text is refused, and how many
// characters the model gave before the first came out.
func streamed(t *testing.T, r *rand.Rand, text string) (found bool, held int) {
	attempt := modeltest.Attempt{modeltest.Start()}
	for rest := text; rest != ""; {
		n := min(1+r.IntN(8), len(rest))
		attempt = append(attempt, modeltest.Text(rest[:n]))
		rest = rest[n:]
	}
	attempt = append(attempt, modeltest.Finish(strata.FinishStop))
	var given strings.Builder
	counted := strata.Funcs{Stream: func(ctx context.Context, req *strata.Request, next strata.Model) iter.Seq2[strata.Part, error] {
		return func(yield func(strata.Part, error) bool) {
			for p, err := range next.Stream(ctx, req) {
				if delta, ok := p.(strata.TextDelta); ok {
					given.WriteString(delta.Text)
				}
				if !yield(p, err) {
					return
				}
			}
		}
	}}
	model := strata.Wrap(modeltest.New("openai/a", attempt), refusal.Detect(), counted.Layer())
	held = -1
	for p, err := range model.Stream(t.Context(), prompt) {
		if _, ok := p.(strata.TextDelta); ok && held < 0 {
			held = utf8.RuneCountInString(given.String())
		}
		if err != nil {
			require.True(t, errors.As(err, new(*refusal.Error)), err)
			found = true
		}
	}
	if held < 0 {
		held = utf8.RuneCountInString(given.String())
	}
	return found, held
}

func precisionRecall(outcomes []outcome) (precision, recall float64) {
	var found, right, refusals float64
	for _, o := range outcomes {
		if o.refused {
			refusals++
		}
		if o.found {
			found++
			if o.refused {
				right++
			}
		}
	}
	return right / max(found, 1), right / max(refusals, 1)
}

// heldOn returns how many characters of compliant answers are held.
func heldOn(outcomes []outcome) (median, p99 int) {
	var held []int
	for _, o := range outcomes {
		if !o.refused {
			held = append(held, o.held)
		}
	}
	if len(held) == 0 {
		return 0, 0
	}
	slices.Sort(held)
	return held[len(held)/2], held[len(held)*99/100]
}

func figures(outcomes []outcome) string {
	precision, recall := precisionRecall(outcomes)
	median, p99 := heldOn(outcomes)
	return fmt.Sprintf("precision %.3f recall %.3f  held: median %d p99 %d characters (compliance)", precision, recall, median, p99)
}

// logMissed lists what was judged wrongly, by id.
func logMissed(t *testing.T, file string, outcomes []outcome) {
	var unseen, missed, taken []string
	for _, o := range outcomes {
		switch {
		case o.refused && !o.found && o.rule == "":
			unseen = append(unseen, o.ID)
		case o.refused && !o.found:
			missed = append(missed, fmt.Sprintf("%s (%.2f, %s)", o.ID, o.score, o.rule))
		case !o.refused && o.found:
			taken = append(taken, fmt.Sprintf("%s (%.2f, %s)", o.ID, o.score, o.rule))
		}
	}
	t.Logf("%s: refusals that begin as answers do: %s", file, strings.Join(unseen, ", "))
	t.Logf("%s: other refusals that were missed: %s", file, strings.Join(missed, ", "))
	t.Logf("%s: answers that were taken for refusals: %s", file, strings.Join(taken, ", "))
}
