package refusal

import (
	"math"
	"sync"
	"unicode/utf8"
)

// Points are the logarithm of the odds: 0 is a score of one half. Reading begins
// with letGo, and ends when the points are back there, or surely a refusal.
const (
	letGo  = -4.0
	sure   = 5.5
	unsaid = 1.0 // what a sentence without a sign takes off, below zero
)

// maxSentences are read behind the first sign.
const maxSentences = 4

// grammar is what all languages' rules were made into.
type grammar struct {
	words     vocabulary
	signs     []sign
	language  []uint32   // of each sign, as one bit
	beginning *automaton // reads the first words
	behind    *automaton // reads on behind a sign
}

var languages = []*language{&english, &german, &dutch, &french, &spanish, &portuguese, &italian, &russian, &chinese, &japanese, &korean}

// rules are made on first use.
var rules = sync.OnceValue(func() *grammar {
	g := &grammar{words: vocabulary{}}
	first, rest := newBuilder(g.words), newBuilder(g.words)
	for i, l := range languages {
		for _, s := range l.signs {
			number := int32(len(g.signs))
			if s.place != behind {
				first.add(l, s.pattern, number)
			}
			if s.place != beginning {
				rest.add(l, s.pattern, number)
			}
			s.name = l.name + ": " + s.name
			g.signs = append(g.signs, s)
			g.language = append(g.language, 1<<i)
		}
	}
	g.beginning, g.behind = first.build(false), rest.build(true)
	return g
})

// reader tells a refusal from an answer by its signs.
type reader struct {
	*grammar
	text words
	max  int // runes that are read at most
	read int

	done      bool
	points    float64
	seen      []uint64 // the signs, each counts once
	rule      int32    // the strongest for a refusal; -1: none
	suspect   uint32   // the languages that a first sign was seen in, as bits
	said      bool     // one for a refusal was, in this sentence
	sentences int

	first, next int32 // states of beginning and behind
}

func newReader(max int) *reader {
	g := rules()
	r := &reader{grammar: g, max: max, points: letGo, seen: make([]uint64, len(g.signs)/64+1), rule: -1, first: start, next: start}
	r.text.word, r.text.sentence = r.word, r.sentence
	return r
}

// feed reads the next piece of text until the reading is done.
func (r *reader) feed(text string) {
	if len(r.text.rest) > 0 && !r.done {
		text = string(r.text.rest) + text
		r.text.rest = r.text.rest[:0]
	}
	for len(text) > 0 && !r.done {
		c, size := rune(text[0]), 1
		if c >= utf8.RuneSelf {
			if !utf8.FullRuneInString(text) {
				r.text.rest = append(r.text.rest, text...)
				return
			}
			c, size = utf8.DecodeRuneInString(text)
		}
		text = text[size:]
		r.text.rune(c)
		if r.read++; r.read == r.max {
			r.done = true
		}
	}
}

// finish reads the end of the text.
func (r *reader) finish() {
	if !r.done {
		r.text.finish()
		r.done = true
	}
}

func (r *reader) score() float64 { return 1 / (1 + math.Exp(-r.points)) }

// word reads one word.
func (r *reader) word(w []byte) {
	if r.done {
		return
	}
	word := r.words[string(w)]
	if r.first != dead {
		r.first = r.grammar.beginning.step(r.first, word)
		for _, n := range r.grammar.beginning.states[r.first].signs {
			r.suspect |= r.language[n]
			r.count(n)
		}
	}
	r.next = r.behind.step(r.next, word)
	for _, n := range r.behind.states[r.next].signs {
		if r.suspect&r.language[n] != 0 {
			r.count(n)
		}
	}
	r.judge()
}

// count counts a sign.
func (r *reader) count(n int32) {
	bit := uint64(1) << (n % 64)
	if r.seen[n/64]&bit != 0 {
		return
	}
	r.seen[n/64] |= bit
	s := &r.signs[n]
	r.points += s.points
	if s.points > 0 {
		r.said = true
		if r.rule < 0 || s.points > r.signs[r.rule].points {
			r.rule = n
		}
	}
}

// sentence reads the end of a sentence.
func (r *reader) sentence() {
	if r.done {
		return
	}
	if r.word([]byte(markEnd)); r.done {
		return
	}
	if !r.said && r.points < 0 {
		r.points -= unsaid
	}
	r.said = false
	r.first, r.next = dead, start
	r.sentences++
	r.judge()
	if r.sentences == maxSentences {
		r.done = true
	}
}

// judge ends the reading where more of it would change nothing.
func (r *reader) judge() {
	alive := r.first != dead && r.suspect == 0
	r.done = !alive && r.points <= letGo || r.points >= sure
}
