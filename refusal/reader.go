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
	words    vocabulary
	signs    []sign
	machines []machine     // one a language: those of all in one would be far larger
	begins   []languageSet // by word: the languages in which a refusal may begin with it
}

// languageSet has a bit for each language.
type languageSet uint16

// machine reads one language.
type machine struct {
	beginning *automaton // reads the first words
	behind    *automaton // reads on behind a sign
}

// languages are those that the rules know.
var languages = [...]*language{
	&english, &german, &dutch, &french, &spanish, &portuguese, &italian, &russian, &chinese, &japanese, &korean,
}

// rules are made on first use.
var rules = sync.OnceValue(build)

func build() *grammar {
	g := &grammar{words: vocabulary{}}
	var first, rest []*builder
	for _, l := range languages {
		first, rest = append(first, newBuilder(g.words)), append(rest, newBuilder(g.words))
		for _, s := range l.signs {
			number := int32(len(g.signs))
			if s.place != behind {
				first[len(first)-1].add(l, s.pattern, number)
			}
			if s.place != beginning {
				rest[len(rest)-1].add(l, s.pattern, number)
			}
			s.name = l.name + ": " + s.name
			g.signs = append(g.signs, s)
		}
	}
	g.words.number(markEnd)
	for _, c := range classes {
		g.words.number(c.name)
	}
	g.machines = make([]machine, len(languages))
	members := g.words.classes()
	var building sync.WaitGroup
	for i := range languages { // the words are all known now, and only read
		building.Go(func() { g.machines[i] = machine{first[i].build(false, members), rest[i].build(true, members)} })
	}
	building.Wait()
	g.begins = make([]languageSet, len(g.words)+1)
	for word := range g.begins {
		for i := range g.machines {
			if g.machines[i].beginning.begin[word] != dead {
				g.begins[word] |= 1 << i
			}
		}
	}
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
	seen      []uint64 // the signs, each counts once, as bits; nil: none
	rule      int32    // the strongest for a refusal; -1: none
	begun     bool     // a word was read
	alive     []tongue // the languages that the text may yet be a refusal in
	suspect   bool     // a first sign was seen
	said      bool     // a sign for a refusal was seen in this sentence
	sentences int
}

// tongue is where a text stands in one language.
type tongue struct {
	*machine
	first, next int32 // states of beginning and behind
	suspect     bool  // a first sign was seen
}

func newReader(threshold float64) *reader {
	r := &reader{grammar: rules(), threshold: threshold}
	r.text.to = r
	r.reset()
	return r
}

// reset makes the reader ready for another text.
func (r *reader) reset() {
	r.text.reset()
	r.done, r.begun, r.suspect, r.said = false, false, false, false
	r.points, r.rule, r.sentences = begun, -1, 0
	r.alive = r.alive[:0]
	clear(r.seen)
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
	case r.suspect && r.score() >= r.threshold:
		return refusal
	}
	return answer
}

func (r *reader) score() float64 { return 1 / (1 + math.Exp(-r.points)) }

func (r *reader) unsure() bool { return -doubt < r.points && r.points < doubt }

func (r *reader) finding() finding {
	f := finding{score: r.score(), unsure: r.unsure()}
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
	if !r.begun {
		r.begin(word)
	}
	alive := r.alive[:0]
	for _, t := range r.alive {
		if t.first != dead {
			t.first = t.beginning.step(t.first, word)
			for _, n := range t.beginning.found(t.first) {
				t.suspect, r.suspect = true, true
				r.count(n)
			}
		}
		if t.first == dead && !t.suspect {
			continue
		}
		t.next = t.behind.step(t.next, word)
		for _, n := range t.behind.found(t.next) {
			if t.suspect {
				r.count(n)
			}
		}
		alive = append(alive, t)
	}
	r.alive = alive
	r.judge()
}

// begin finds the languages that the text may be a refusal in by its first word.
func (r *reader) begin(word int32) {
	r.begun = true
	for in, i := r.begins[word], 0; in != 0; in, i = in>>1, i+1 {
		if in&1 != 0 {
			r.alive = append(r.alive, tongue{machine: &r.machines[i], first: start, next: start})
		}
	}
}

// count counts a sign.
func (r *reader) count(n int32) {
	if r.seen == nil {
		r.seen = make([]uint64, len(r.signs)/64+1)
	}
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
	if !r.said && r.points < 0 && r.suspect {
		r.points -= unsaid
	}
	r.said = false
	for i := range r.alive {
		r.alive[i].next = start
	}
	r.sentences++
	r.judge()
}

// judge ends the reading where it has been enough.
func (r *reader) judge() {
	r.done = len(r.alive) == 0 || r.suspect && r.points <= letGo || r.points >= sure ||
		r.sentences >= maxSentences || r.sentences >= 2 && r.points >= likely
}
