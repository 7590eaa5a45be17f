package refusal

import (
	"context"
	"fmt"
	"regexp"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/stream"
)

const (
	// DefaultThreshold is the score from which on a text is held for a refusal.
	DefaultThreshold = 0.5

	// MinThreshold is the least threshold: a text whose first words begin no
	// refusal scores less.
	MinThreshold = 0.02

	// DefaultMaxText is how many characters of an answer are read at most.
	DefaultMaxText = 400
)

// An Option sets something of [Detect].
type Option func(*config)

type config struct {
	phrases       []phrase
	patterns      []pattern
	rules         bool // beside phrases and patterns
	threshold     float64
	classify      func(context.Context, Doubt) (bool, error)
	logOnly       bool
	holdReasoning bool
	maxText       int
	maxParts      int
}

var defaults = config{threshold: DefaultThreshold, maxText: DefaultMaxText, maxParts: stream.DefaultMaxParts}

// Phrases replaces the rules by phrases that begin a refusal. They match at the
// start of the answer, whatever their case, white space and apostrophes
// (straight or curly). No phrase, or one without a letter, panics.
func Phrases(phrases ...string) Option {
	if len(phrases) == 0 {
		panic("refusal.Phrases(): there is no phrase")
	}
	compiled := compile(phrases)
	for i, p := range compiled {
		if len(p.runes) == 0 {
			panic(fmt.Sprintf("refusal.Phrases: phrase %d, %q, is empty", i, phrases[i]))
		}
	}
	return func(c *config) { c.phrases = compiled }
}

// Patterns replaces the rules by regular expressions; an answer in whose first
// [MaxText] characters one matches is a refusal. With [Phrases] given as well
// either does. They are matched while the text comes in, each character once.
//
// One that begins with ^ holds a text while it may still match; any other holds
// every text up to the bound. A character costs time in proportion to the size of
// the pattern, in which x{1,300} counts as 300. Flags go inside, as in (?i)^no.
// No pattern, and one that is nil or matches the empty text, panics.
func Patterns(patterns ...*regexp.Regexp) Option {
	if len(patterns) == 0 {
		panic("refusal.Patterns(): there is no pattern")
	}
	compiled := make([]pattern, len(patterns))
	for i, p := range patterns {
		if p == nil {
			panic(fmt.Sprintf("refusal.Patterns: pattern %d is nil", i))
		}
		if p.MatchString("") {
			panic(fmt.Sprintf("refusal.Patterns: pattern %d, %q, matches the empty text", i, p))
		}
		compiled[i] = compilePattern(p)
	}
	return func(c *config) { c.patterns = compiled }
}

// Rules keeps the built-in rules beside [Phrases] and [Patterns].
func Rules() Option { return func(c *config) { c.rules = true } }

// Threshold sets the score from which on the rules hold a text for a refusal,
// [DefaultThreshold] unless it is given. A higher one takes fewer answers for
// refusals and misses more of them. It must lie between [MinThreshold] and 1; the
// rules stop reading at 0.996, so that next to nothing reaches more.
func Threshold(score float64) Option {
	if !(score >= MinThreshold && score < 1) {
		panic(fmt.Sprintf("refusal.Threshold(%v): the score is not between %v and 1", score, MinThreshold))
	}
	return func(c *config) { c.threshold = score }
}

// Classifier has f, which may ask a model, decide about a text of which the
// rules are not sure: one whose score is between 0.1 and 0.9 when the reading
// ends. f may block, until ctx ends, and the call waits for it. Where it fails,
// the rules' verdict stands. It is asked when neither [Phrases] nor [Patterns]
// given beside the rules may still match, and not about a text that one matched.
// It must not change the request that it is shown.
func Classifier(f func(ctx context.Context, doubt Doubt) (refused bool, err error)) Option {
	if f == nil {
		panic("refusal.Classifier(nil): the function is nil")
	}
	return func(c *config) { c.classify = f }
}

// A Doubt is a text that the rules are not sure of.
type Doubt struct {
	Model   strata.ModelID
	Request *strata.Request
	Text    string // the beginning of the answer, as far as it was read
	Rule    string // the strongest sign of a refusal
	Score   float64
}

// LogOnly never fails a call and holds no content: refusals are told to the
// [strata.Trace] alone. Text behind reasoning is examined. A [Classifier] is not
// asked, as the call would wait for it: what the rules find is told.
func LogOnly() Option { return func(c *config) { c.logOnly = true } }

// HoldReasoning holds a stream's reasoning until the text behind it is known to
// be no refusal. A reader then sees the reasoning late.
func HoldReasoning() Option { return func(c *config) { c.holdReasoning = true } }

// MaxText bounds the characters that are read, and so held, by
// [DefaultMaxText] unless it is given. What is undecided there is judged by what
// was read; a phrase that is longer never matches.
func MaxText(characters int) Option {
	if characters < 1 {
		panic(fmt.Sprintf("refusal.MaxText(%d): the count is less than 1", characters))
	}
	return func(c *config) { c.maxText = characters }
}

// MaxParts bounds the parts that are held, 1,024 by default; with one more the
// stream is handed on undecided.
func MaxParts(n int) Option {
	if n < 1 {
		panic(fmt.Sprintf("refusal.MaxParts(%d): the count is less than 1", n))
	}
	return func(c *config) { c.maxParts = n }
}

// begin makes x ready to examine an answer.
func (c *config) begin(x *examiner) {
	x.reset()
	x.max, x.asks = c.maxText, c.classify != nil && !c.logOnly
	if c.phrases != nil {
		x.judges = append(x.judges, newMatcher(c.phrases))
	}
	if c.patterns != nil {
		x.judges = append(x.judges, newSearch(c.patterns))
	}
	if c.rules || len(x.judges) == 0 {
		x.judgeByRules(c.threshold)
	}
}
