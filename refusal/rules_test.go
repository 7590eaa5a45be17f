package refusal_test

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/refusal"
)

func TestFixtures(t *testing.T) {
	for _, f := range slices.Concat(fixtures, wordings, laterWordings) {
		t.Run(f.language, func(t *testing.T) {
			for _, text := range f.refusals {
				score, rule := refusal.Score(text)
				assert.GreaterOrEqual(t, score, 0.5, "%q", text)
				assert.NotEmpty(t, rule, text)
				got, err := detect(t, bytesOf(text))
				var refused *refusal.Error
				if assert.ErrorAs(t, err, &refused, text) {
					assert.Empty(t, got, text)
					assert.Equal(t, score, refused.Score)
					assert.Equal(t, rule, refused.Rule)
					assert.Empty(t, refused.Phrase)
					assert.True(t, strings.HasPrefix(text, refused.Text), text)
				}
			}
			for _, text := range f.answers {
				score, rule := refusal.Score(text)
				assert.Less(t, score, 0.5, "%q: %s", text, rule)
				got, err := detect(t, bytesOf(text))
				assert.NoError(t, err, text)
				assert.Equal(t, text, strings.Join(got, ""), "handed on as it came")
			}
		})
	}
}

// An answer is let go at the first word that no refusal begins with.
func TestWhatIsHeld(t *testing.T) {
	long := "I understand that " + strings.Repeat("you like tea and ", 100)
	for name, tt := range map[string]struct {
		text string
		opts []refusal.Option
		want int // characters before the first is handed on
	}{
		"no word of a refusal":           {"Type kill to kill a process.", nil, 5},
		"the second word":                {"I like tea.", nil, 7},
		"a refusal's word":               {"I can't wait to go.", nil, 16},
		"a list":                         {"- I can't", nil, 2},
		"a quotation":                    {"\"I can't help with that\"", nil, 1},
		"counter-evidence":               {"I'm sorry to hear that. Here is how: first", nil, 36},
		"the bound":                      {long, nil, 400},
		"a bound of one's own":           {long, []refusal.Option{refusal.MaxText(30)}, 30},
		"a pattern that is anchored":     {"nobody", []refusal.Option{refusal.Patterns(regexp.MustCompile("^no(way|pe)"))}, 3},
		"a pattern that is not":          {long, []refusal.Option{refusal.Patterns(regexp.MustCompile("coffee")), refusal.MaxText(50)}, 50},
		"a phrase and rules, the longer": {"Tea time now", []refusal.Option{refusal.Phrases("Tea timer"), refusal.Rules()}, 10},
	} {
		t.Run(name, func(t *testing.T) {
			text := tt.text + " "
			r := &counted{text: text}
			for _, err := range refusal.Detect(tt.opts...)(r).Stream(t.Context(), prompt) {
				require.NoError(t, err)
				break
			}
			assert.Equal(t, tt.want, r.given)
		})
	}
}

func TestThreshold(t *testing.T) {
	const text = "I cannot give you a lift." // a refusal, but hardly
	score, _ := refusal.Score(text)
	for threshold, refused := range map[float64]bool{0.1: true, score: true, score + 0.01: false, 0.99: false} {
		_, err := detect(t, []string{text}, refusal.Threshold(threshold))
		assert.Equal(t, refused, err != nil, "%v of %v", threshold, score)
	}
	_, err := detect(t, []string{"I can't help with that."}, refusal.Threshold(0.97))
	assert.Error(t, err, "a sure one")
}

func TestTheErrorOfARule(t *testing.T) {
	_, err := detect(t, []string{"I'm sorry, but I can't help with the secret plan."})
	assert.EqualError(t, err, `refusal: openai/a refused to answer (en: cannot help, score 1.00)`)
}

func TestPatterns(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		refused       bool
	}{
		{`^no\b`, "no", true},
		{`^no\b`, "no, never", true},
		{`^no\b`, "nobody", false},
		{`^no\b`, "oh no", false},
		{`no$`, "oh no", true},
		{`no$`, "oh no!", false},
		{`(?m)^no$`, "well\nno\nway", true},
		{`(?i)won.t`, "I WON’T", true},
		{`(?s)a.*z`, "a\nz", true},
		{`a.*z`, "a\nz", false},
		{`[^é]é`, "aé", true},
		{`(no ){3}`, "no no no ", true},
		{`(no ){3}`, "no no not", false},
	} {
		_, err := detect(t, bytesOf(tt.text), refusal.Patterns(regexp.MustCompile(tt.pattern)))
		var refused *refusal.Error
		assert.Equal(t, tt.refused, errors.As(err, &refused), "%s in %q: %v", tt.pattern, tt.text, err)
		if refused != nil {
			assert.Equal(t, "pattern", refused.Rule)
			assert.Equal(t, 1.0, refused.Score)
		}
	}
}

// The patterns find what package regexp finds in the same text.
func TestPatternsAgreeWithRegexp(t *testing.T) {
	patterns := []*regexp.Regexp{}
	for _, p := range []string{`a+b?c`, `^(a|b)*c`, `\bab\b`, `(?i)A[^b]c$`, `(?m)^b$`, `a{2,3}é`, `(a|ab)(c|bc)$`, `\Aa\z`, `.\Bb`, `x*y`} {
		patterns = append(patterns, regexp.MustCompile(p))
	}
	alphabet := []string{"a", "b", "c", "A", "é", " ", "\n", "y"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var b strings.Builder
		for range r.IntN(9) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		for _, p := range patterns {
			_, err := detect(t, bytesOf(b.String()), refusal.Patterns(p))
			require.Equal(t, p.MatchString(b.String()), err != nil, "%s in %q", p, b.String())
		}
	}
}

func TestRulesBesidePhrases(t *testing.T) {
	opts := []refusal.Option{refusal.Phrases("Nope"), refusal.Patterns(regexp.MustCompile("^Nah"))}
	for text, want := range map[string][2]bool{ // without and with the rules
		"Nope, sir.":                  {true, true},
		"Nah, sir.":                   {true, true},
		"I can't help with that.":     {false, true},
		"Gladly.":                     {false, false},
		"I can't wait to be of help.": {false, false},
	} {
		_, err := detect(t, bytesOf(text), opts...)
		assert.Equal(t, want[0], err != nil, text)
		_, err = detect(t, bytesOf(text), append(opts, refusal.Rules())...)
		assert.Equal(t, want[1], err != nil, text)
	}
}

func TestMaxTextCountsCharacters(t *testing.T) {
	const text = "抱歉，我无法提供帮助。"
	for n, refused := range map[int]bool{4: false, utf8.RuneCountInString(text): true} {
		_, err := detect(t, bytesOf(text), refusal.MaxText(n))
		assert.Equal(t, refused, err != nil, "%d: %v", n, err)
	}
}

// counted is a model that counts the characters it gave.
type counted struct {
	strata.Model
	text  string
	given int
}

func (*counted) ID() strata.ModelID { return strata.ModelID{Provider: "openai", Name: "a"} }

func (c *counted) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		for _, r := range c.text {
			if c.given++; !yield(strata.TextDelta{Text: string(r)}, nil) {
				return
			}
		}
	}
}
