package refusal_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/stream"
)

const mib = 1 << 20

// The text that is told is what was read, which is bounded, however it came.
func TestEdgeTextIsWhatWasRead(t *testing.T) {
	whole := clearRefusal + strings.Repeat(" And more of it.", mib/16)
	_, err := detect(t, []string{whole})
	refused, ok := errors.AsType[*refusal.Error](err)
	require.True(t, ok)
	assert.LessOrEqual(t, utf8.RuneCountInString(refused.Text), refusal.DefaultMaxText, "one delta")

	_, err = detect(t, bytesOf(whole[:600]))
	split, ok := errors.AsType[*refusal.Error](err)
	require.True(t, ok)
	assert.Equal(t, split.Text, refused.Text, "the split makes no difference")

	_, err = refusal.Detect()(modeltest.New("openai/a", modeltest.Answer(whole))).Generate(t.Context(), prompt)
	refused, ok = errors.AsType[*refusal.Error](err)
	require.True(t, ok)
	assert.LessOrEqual(t, utf8.RuneCountInString(refused.Text), refusal.DefaultMaxText, "Generate")
}

func TestEdgeDoubtIsWhatWasRead(t *testing.T) {
	var shown string
	_, err := detect(t, []string{unclear + "\n" + strings.Repeat("The lake is blue. ", mib/18)}, refusal.Classifier(func(_ context.Context, d refusal.Doubt) (bool, error) {
		shown = d.Text
		return false, nil
	}))
	require.NoError(t, err)
	require.NotEmpty(t, shown)
	assert.LessOrEqual(t, utf8.RuneCountInString(shown), refusal.DefaultMaxText)
}

// LogOnly holds no content, whatever the classifier does.
func TestEdgeLogOnlyAndAClassifierThatBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := refusal.Detect(refusal.LogOnly(), refusal.Classifier(func(ctx context.Context, _ refusal.Doubt) (bool, error) {
			time.Sleep(10 * time.Second)
			return true, nil
		}))(modeltest.New("openai/a", modeltest.Answer(unclear+" The lake is blue. The road is long. The sun is up. It is late.")))
		begun := time.Now()
		for p, err := range m.Stream(t.Context(), prompt) {
			require.NoError(t, err)
			if _, ok := p.(strata.TextDelta); ok {
				assert.Zero(t, time.Since(begun), "the delta waited for the classifier")
			}
		}
	})
}

// LogOnly never fails a call, and tells what the rules found: it asks nobody.
func TestEdgeLogOnlyAndAClassifierThatPanics(t *testing.T) {
	score, rule := refusal.Score(unclear)
	m := refusal.Detect(refusal.LogOnly(), refusal.Classifier(func(context.Context, refusal.Doubt) (bool, error) {
		panic("classifier")
	}))(modeltest.New("openai/a", modeltest.Answer(unclear)))
	ctx, heard := hears(t)
	assert.NotPanics(t, func() { _, _ = m.Generate(ctx, prompt) })
	assert.NotPanics(t, func() { _, _ = stream.Collect(m.Stream(ctx, prompt)) })
	want := strata.RefusalInfo{Model: m.ID(), Rule: rule, Score: score, Text: unclear, LogOnly: true}
	assert.Equal(t, []strata.RefusalInfo{want, want}, *heard)
}

// A classifier that says no does not undo a phrase that the text goes on to match.
func TestEdgeAClassifierAndPhrases(t *testing.T) {
	text := "I cannot give you a lift. Not today. Not ever. Never. Not ever again. So walk home now."
	no := refusal.Classifier(func(context.Context, refusal.Doubt) (bool, error) { return false, nil })
	phrase := refusal.Phrases(text)
	_, err := detect(t, bytesOf(text), phrase)
	require.Error(t, err)
	_, err = detect(t, bytesOf(text), phrase, refusal.Rules(), no)
	refused, ok := errors.AsType[*refusal.Error](err)
	require.True(t, ok, "an exact phrase is a refusal")
	assert.Equal(t, text, refused.Phrase)

	// Where the phrase is left, the doubt is asked about, with what was read.
	left := strings.TrimSuffix(text, "now.") + "slowly."
	_, err = detect(t, bytesOf(left), phrase, refusal.Rules(), no)
	assert.NoError(t, err)
	_, err = detect(t, bytesOf(left), phrase, refusal.Rules())
	assert.Error(t, err, "without a classifier the rules' verdict stands")
}

// A classifier that hangs ends with the caller, whose end the call then says.
func TestEdgeAClassifierThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		m := refusal.Detect(refusal.Classifier(func(ctx context.Context, _ refusal.Doubt) (bool, error) {
			<-ctx.Done()
			return false, ctx.Err()
		}))(modeltest.New("openai/a", modeltest.Answer(unclear)))
		begun := time.Now()
		for _, err := range m.Stream(ctx, prompt) {
			_ = err
		}
		assert.Equal(t, time.Second, time.Since(begun))
	})
}

// An answer is let go though the threshold is low: its first words begin no refusal.
func TestEdgeLowThresholds(t *testing.T) {
	for _, text := range []string{"The tea is ready.", "", "   "} {
		_, err := detect(t, []string{text}, refusal.Threshold(refusal.MinThreshold))
		assert.NoError(t, err, "%q", text)
	}
}

// A pattern is matched while the text comes in, near as fast as regexp does it. The
// bound is far from that: it tells a time that explodes, not a busy machine.
func TestEdgePatternsThatAreSlow(t *testing.T) {
	text := strings.Repeat("ab c", 100)
	for _, expr := range []string{`(.{0,1000})zq`, `(a|b| |c){1,300}zq`, `((a*)*b*)*zq`, `^(.{0,900}.{0,900})zq`, `(\w+\s?)+zq`} {
		re := regexp.MustCompile(expr)
		begun := time.Now()
		re.MatchString(text)
		std := time.Since(begun)
		option := refusal.Patterns(re)
		begun = time.Now()
		_, err := detect(t, []string{text}, option)
		took := time.Since(begun)
		require.NoError(t, err)
		t.Logf("%-24s %12v, regexp %12v", expr, took, std)
		assert.Less(t, took, 10*time.Second, "%s: 400 characters", expr)
	}
}

// The marks that a Spanish sympathy begins with.
func TestEdgeSpanishSympathy(t *testing.T) {
	for _, pair := range [][2]string{
		{"Lo siento mucho saber eso. No puedo decirte", "Lo siento saber eso. No puedo decirte"},
	} {
		with, _ := refusal.Score(pair[0])
		without, _ := refusal.Score(pair[1])
		assert.InDelta(t, with, without, 0.01, "%q and %q", pair[0], pair[1])
	}
}

func TestEdgeOddText(t *testing.T) {
	for name, test := range map[string]struct {
		text    string
		refused bool
	}{
		"a mark of byte order":        {"\ufeffI'm sorry, but I can't help with that.", true},
		"zero width at the beginning": {"\u200bI'm sorry, but I can't help with that.", true},
		"no-break spaces":             {"I'm\u00a0sorry, but\u00a0I\u00a0can't\u00a0help with that.", true},
		"bold":                        {"**I'm sorry, but I can't help with that.**", true},
		"an emoji":                    {"🙏 I'm sorry, but I can't help with that.", true},
		"a marked direction":          {"\u200fI'm sorry, but I can't help with that.\u200e", true},
		"decomposed":                  {"De\u0301sole\u0301, mais je ne peux pas fournir ce type d'informations.", true},
		"a word joiner":               {"I\u2060'm sorry, but I can\u2060't help with that.", true},
		"a soft hyphen":               {"I'm sor\u00adry, but I can't assist with that.", true},
		"white space in front":        {strings.Repeat(" \n", 100) + "I'm sorry, but I can't help with that.", true},
		"white space alone":           {strings.Repeat(" \n\t", 1000), false},
		"right to left":               {strings.Repeat("السماء زرقاء لأن الضوء يتشتت. ", 40), false},
		"invalid":                     {"\xff\xfe\x80 the tea is ready \xc3", false},
		"half a rune":                 {"\xe2\x80", false},
		"one word":                    {strings.Repeat("a", mib), false},
		"apostrophes":                 {strings.Repeat("i'", mib/2), false},
	} {
		for split, deltas := range map[string][]string{"whole": {test.text}, "bytes": bytesOf(test.text[:min(len(test.text), 3000)])} {
			got, err := detect(t, deltas, refusal.MaxParts(4000))
			assert.Equal(t, test.refused, err != nil, "%s, %s", name, split)
			if !test.refused {
				assert.Equal(t, strings.Join(deltas, ""), strings.Join(got, ""), "%s, %s", name, split)
			}
		}
	}
}

// 100,000 deltas, of which none, a few or all are read.
func TestEdgeManyDeltas(t *testing.T) {
	for name, unit := range map[string]string{"answer": "tea ", "white space": " ", "empty": "", "undecided": "sorry, "} {
		deltas := make([]string, 100_000)
		for i := range deltas {
			deltas[i] = unit
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := detect(t, deltas)
		runtime.ReadMemStats(&after)
		require.NoError(t, err, name)
		assert.Equal(t, strings.Repeat(unit, 100_000), strings.Join(got, ""), name)
	}
}

// A tool call first, then a refusal; a refusal split by an empty block; concurrency.
func TestEdgeUnderLoad(t *testing.T) {
	refuses := modeltest.Attempt{modeltest.Start(), modeltest.TextStart("0"), modeltest.Text("I'm sorry, "), modeltest.TextEnd("0"),
		modeltest.TextStart("1"), modeltest.Text(""), modeltest.Text("but I can't help with that."), modeltest.Finish(strata.FinishStop)}
	tool := modeltest.Attempt{modeltest.Start(), modeltest.ToolCall("1", "f", "{}"), modeltest.Text(clearRefusal), modeltest.Finish(strata.FinishStop)}
	layer := refusal.Detect(refusal.Rules(), refusal.Phrases("no way"), refusal.Patterns(regexp.MustCompile(`(?i)^not me`)))
	a, b := layer(modeltest.New("openai/a", refuses)), layer(modeltest.New("openai/a", tool))
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			for range 20 {
				var failed error
				for _, err := range a.Stream(t.Context(), prompt) {
					failed = err
				}
				assert.Error(t, failed)
				_, err := a.Generate(t.Context(), prompt)
				assert.Error(t, err)
				for _, err := range b.Stream(t.Context(), prompt) {
					assert.NoError(t, err)
				}
				_, err = b.Generate(t.Context(), prompt)
				assert.NoError(t, err)
			}
		})
	}
	all.Wait()
}

// The verdict, the rule, the score and the text are the same for any split.
func TestEdgeSplits(t *testing.T) {
	for _, text := range append(append([]string{}, edgeHarmless...), edgeRefusals...) {
		text = strings.Replace(text, " ", " \xe2", rand.IntN(2))
		_, whole := detect(t, []string{text})
		for range 5 {
			var deltas []string
			for rest := text; rest != ""; {
				n := min(1+rand.IntN(9), len(rest))
				deltas, rest = append(deltas, rest[:n]), rest[n:]
			}
			_, err := detect(t, deltas)
			assert.Equal(t, whole == nil, err == nil, "%q", text)
			if w, ok := errors.AsType[*refusal.Error](whole); ok && err != nil {
				g, _ := errors.AsType[*refusal.Error](err)
				assert.Equal(t, w.Rule, g.Rule)
				assert.Equal(t, w.Score, g.Score)
			}
		}
	}
}
