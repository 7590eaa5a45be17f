package refusal

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A pattern with a character that the grammar does not know, or that is not
// closed, fails when it is made into an automaton.
func TestPatternsThatMakeNoSense(t *testing.T) {
	lang := &language{name: "xx", words: map[string]string{"good": "a|b", "bad": "a )"}}
	for pattern, problem := range map[string]string{
		"a (b)? c":   `"?" is no word`,
		"a*":         `"a*" is no word`,
		"a, b":       `"a," is no word`,
		"A b":        `"A" is no word`,
		"{a}":        `"{a}" is no word`,
		"a b.":       `"b." is no word`,
		"(a|b":       `( is not closed`,
		"[a)":        `[ is not closed`,
		"a b)":       `")" is not expected`,
		"(a||b)":     `an alternative is empty`,
		"a []":       `an alternative is empty`,
		"":           `an alternative is empty`,
		"a <other>":  `there are no words <other>`,
		"a <good":    `there are no words <good`,
		"a <bad>":    `")" is not expected`,
		"a ~12 b":    `"~12" is no count of words`,
		"a ~ b":      `"~" is no count of words`,
		"a [~x] [b]": `"~x" is no count of words`,
	} {
		func() {
			defer func() {
				message, _ := recover().(string)
				assert.Contains(t, message, problem, "%q", pattern)
				assert.Contains(t, message, "(xx)", "%q", pattern)
			}()
			newBuilder(vocabulary{}).add(lang, pattern, 0)
		}()
	}
	for _, pattern := range []string{"a", "a [b] (c|d) ~3 . <good>", "• | # | ``` | \"", "can't mix-up l'aide", "对不起 サポート", "죄송하지만"} {
		assert.NotPanics(t, func() { newBuilder(vocabulary{}).add(lang, pattern, 0) }, pattern)
	}
}

// A gap in a sign that may come anywhere multiplies the states: the grammar takes
// seconds to make then.
func TestTheGrammarIsSmall(t *testing.T) {
	for i, m := range rules().machines {
		assert.Less(t, len(m.beginning.states), 4_000, languages[i].name)
		assert.Less(t, len(m.behind.states), 4_000, languages[i].name)
	}
}
