package refusal

import (
	"math"
	"sync"
)

// Points are the logarithm of the odds that a text is a refusal: 0 is a score
// of one half, 2.2 one of 0.9.
const (
	begun  = -4.0 // where reading begins
	letGo  = -5.5 // where it ends
	sure   = 5.5  // where reading ends
	likely = 2.0  // where it ends behind two sentences
	unsaid = 1.5  // what a sentence without a sign takes off, below zero
	doubt  = 2.2  // either side of zero, where the rules are not sure
)

// maxSentences are read behind the first sign.
const maxSentences = 4

// grammar is what all languages' signs were made into.
type grammar struct {
	words     vocabulary
	signs     []sign
	language  []uint32   // of each sign, as one bit
	beginning *automaton // reads the first words
	behind    *automaton // reads on behind a sign
}

// languages are those that the rules know.
var languages = []*language{
	&english, &german, &dutch, &french, &spanish, &portuguese, &italian, &russian, &chinese, &japanese, &korean,
}

// rules are made on first use.
var rules = sync.OnceValue(build)

func build() *grammar {
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
}

var endOfSentence = []byte(markEnd)

// reader tells a refusal from an answer by its signs.
type reader struct {
	*grammar
	text      words
	threshold float64

	done      bool
	points    float64
	seen      []uint64 // the signs, each counts once, as bits
	rule      int32    // the strongest for a refusal; -1: none
	suspect   uint32   // the languages that a first sign was seen in, as bits
	said      bool     // a sign for a refusal was seen in this sentence
	sentences int

	first, next int32 // states of beginning and behind
}

func newReader(threshold float64) *reader {
	g := rules()
	r := &reader{grammar: g, threshold: threshold, points: begun, seen: make([]uint64, len(g.signs)/64+1), rule: -1, first: start, next: start}
	r.text.word, r.text.sentence = r.word, r.sentence
	return r
}

func (r *reader) read(c rune) verdict {
	if c == theEnd {
		r.text.finish()
		r.done = true
	} else {
		r.text.rune(c)
	}
	switch {
	case !r.done:
		return undecided
	case r.score() >= r.threshold:
		return refusal
	}
	return answer
}

func (r *reader) score() float64 { return 1 / (1 + math.Exp(-r.points)) }

func (r *reader) finding() finding {
	f := finding{score: r.score(), unsure: -doubt < r.points && r.points < doubt}
	if r.rule >= 0 {
		f.rule = r.signs[r.rule].name
	}
	return f
}

// word reads one word.
func (r *reader) word(w []byte) {
	if r.done {
		return
	}
	word := r.words.find(w)
	if r.first != dead {
		r.first = r.beginning.step(r.first, word)
		for _, n := range r.beginning.states[r.first].signs {
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
	if r.word(endOfSentence); r.done {
		return
	}
	if !r.said && r.points < 0 && r.suspect != 0 {
		r.points -= unsaid
	}
	r.said = false
	r.next = start
	r.sentences++
	r.judge()
}

// judge ends the reading where it has been enough.
func (r *reader) judge() {
	opening := r.first != dead && r.suspect == 0
	r.done = !opening && (r.suspect == 0 || r.points <= letGo) || r.points >= sure ||
		r.sentences >= maxSentences || r.sentences >= 2 && r.points >= likely
}
