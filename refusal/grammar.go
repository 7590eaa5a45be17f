package refusal

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// A sign is something in an answer's beginning that speaks for a refusal, or
// against one. Its pattern is written in words:
//
//	a b       a, then b
//	(a|b)     a or b
//	[a]       a or nothing
//	<name>    the pattern of that name in the language's words
//	~3        up to three words of any kind, in one sentence: at the
//	          beginning alone, as it multiplies states elsewhere
//	-ing      any word that ends in that
//	-han      most Chinese characters; -kana, Japanese ones
//
// Words are in lower case and cut as [words] cuts text: "can't" and
// "cannot" are "can not", "I'm" is "i am", a Chinese character is a word.
type sign struct {
	name    string
	points  float64 // for a refusal; below zero: against one
	place   place
	pattern string
}

// place says where a sign counts.
type place int

const (
	anywhere  place = iota // at the beginning, and behind any other sign
	beginning              // as the first words of the answer alone
	behind                 // behind any other sign alone
)

// language is the grammar of refusals in one language.
type language struct {
	name  string
	words map[string]string // named patterns; one may name others
	signs []sign
}

// automaton is a deterministic machine over words. State 0 is the dead one,
// state 1 where it begins. One that searches lets patterns begin at every word.
// There are no pointers between its thousands of states, so that the garbage
// collector need not follow them.
type automaton struct {
	states []state
	edges  []edge  // of all states; those of one by word
	signs  []int32 // of all states
	begin  []int32 // the states behind each word, from state 1
}

type state struct {
	edges, signs stretch
	other        int32 // the state behind a word without an edge
	again        bool  // without an edge: as if it began
}

// stretch is a part of an automaton's edges or signs.
type stretch struct{ from, to int32 }

// edge is small, as there are hundreds of thousands: see small.
type edge struct{ word, to uint16 }

// small returns the number of a word or a state as an edge has it.
func small(n int32) uint16 {
	if n > math.MaxUint16 {
		panic(fmt.Sprintf("refusal: there are too many words or states: %d", n))
	}
	return uint16(n)
}

const dead, start = 0, 1

// step returns the state behind word.
func (a *automaton) step(from, word int32) int32 {
	if from == start {
		return a.begin[word]
	}
	s := &a.states[from]
	edges, w := a.edges[s.edges.from:s.edges.to], uint16(word)
	for len(edges) > 8 {
		half := len(edges) / 2
		if edges[half].word > w {
			edges = edges[:half]
		} else {
			edges = edges[half:]
		}
	}
	for _, e := range edges {
		if e.word == w {
			return int32(e.to)
		}
	}
	if s.again {
		return a.begin[word]
	}
	return s.other
}

// found returns the signs that are complete in a state.
func (a *automaton) found(in int32) []int32 {
	s := a.states[in].signs
	return a.signs[s.from:s.to]
}

// vocabulary numbers the words of all patterns from 1; 0 is any other word.
type vocabulary map[string]int32

func (v vocabulary) number(word string) int32 {
	n, ok := v[word]
	if !ok {
		n = int32(len(v) + 1)
		v[word] = n
	}
	return n
}

// find returns the number of a word that is read: its own, or its class's.
func (v vocabulary) find(word []byte) int32 {
	if n := v[string(word)]; n != 0 {
		return n
	}
	for _, c := range classes {
		if c.has(word) {
			return v[c.name]
		}
	}
	return 0
}

// classes returns the words by the numbers of their classes.
func (v vocabulary) classes() map[int32][]int32 {
	known := map[int32][]int32{}
	for _, c := range classes {
		class := v.number(c.name)
		for word, n := range v {
			if !isClass(word) && c.has([]byte(word)) {
				known[class] = append(known[class], n)
			}
		}
	}
	return known
}

// builder makes an automaton of patterns, by the textbook: each pattern becomes
// a machine of positions, of which several hold at once; a state of the
// automaton is a set of positions.
type builder struct {
	words     vocabulary
	positions []position
}

// position is a place inside a pattern: what may come there.
type position struct {
	edges []arc
	any   int32   // the position behind any word; 0: none
	skip  []int32 // positions that hold at the same time
	sign  int32   // the pattern ends here; -1: it does not
}

// arc is an edge between positions.
type arc struct{ word, to int32 }

func newBuilder(words vocabulary) *builder {
	b := &builder{words: words}
	b.position() // position 0 stands for none
	b.position() // position 1 is where every pattern begins
	return b
}

func (b *builder) position() int32 {
	b.positions = append(b.positions, position{sign: -1})
	return int32(len(b.positions) - 1)
}

// add adds a pattern. A pattern that makes no sense panics: patterns are ours.
func (b *builder) add(lang *language, pattern string, number int32) {
	p := parser{builder: b, lang: lang, pattern: pattern, rest: tokens(pattern)}
	end := p.alternatives(1)
	if len(p.rest) > 0 {
		p.fail("%q is not expected", p.rest[0])
	}
	b.positions[end].sign = number
}

// build returns the automaton of what was added, in which the words that are known of
// a class pass where any word of it does.
func (b *builder) build(search bool, classes map[int32][]int32) *automaton {
	for i := range b.positions {
		at := &b.positions[i]
		for _, e := range at.edges {
			for _, n := range classes[e.word] {
				at.edges = append(at.edges, arc{n, e.to})
			}
		}
	}
	d := &determinism{
		builder: b, search: search, known: map[string]int32{}, asked: map[string]int32{},
		alone: make([]int32, len(b.positions)), mark: make([]int, len(b.positions)),
	}
	d.anew, d.next = newBehindWords(len(b.words)), newBehindWords(len(b.words))
	a := &automaton{states: make([]state, 1)}
	d.number([]int32{1})
	for _, p := range d.sets[0] {
		for _, e := range b.positions[p].edges {
			d.anew.add(e.word, e.to)
		}
	}
	for i := 0; i < len(d.sets); i++ {
		d.state(a, d.sets[i], search && i > 0)
	}
	a.edges, a.signs, a.states = slices.Clone(a.edges), slices.Clone(a.signs), slices.Clone(a.states) // to their sizes
	a.begin = make([]int32, len(b.words)+1)
	first := a.states[start]
	for i := range a.begin {
		a.begin[i] = first.other
	}
	for _, e := range a.edges[first.edges.from:first.edges.to] {
		a.begin[e.word] = int32(e.to)
	}
	return a
}

// determinism numbers the sets of positions that are met. In a search every
// pattern may begin at any time, which the sets do not say.
type determinism struct {
	*builder
	search bool
	sets   [][]int32
	known  map[string]int32 // the numbers of sets
	asked  map[string]int32 // and of those they were closed from
	alone  []int32          // of the sets of one position, by it; 0: not yet
	key    []byte           // of a set; it is used again
	anew   behindWords      // of the first words of patterns
	next   behindWords      // of the state that is made

	mark   []int // positions that are in the set which was closed last
	closed int
}

// number returns the number of a set's state.
func (d *determinism) number(set []int32) int32 {
	if len(set) == 0 {
		if d.search {
			return start
		}
		return dead
	}
	if len(set) == 1 && d.alone[set[0]] != 0 { // most are
		return d.alone[set[0]]
	}
	slices.Sort(set)
	n, ok := d.asked[string(d.keyOf(set))]
	if ok {
		return n
	}
	asked := string(d.key)
	closed := d.close(set)
	if n, ok = d.known[string(d.keyOf(closed))]; !ok {
		n = int32(len(d.sets) + 1)
		d.known[string(d.key)] = n
		d.sets = append(d.sets, closed)
	}
	d.asked[asked] = n
	if len(set) == 1 {
		d.alone[set[0]] = n
	}
	return n
}

// keyOf returns the key of a set, until it is called again.
func (d *determinism) keyOf(set []int32) []byte {
	d.key = d.key[:0]
	for _, p := range set {
		d.key = binary.LittleEndian.AppendUint32(d.key, uint32(p))
	}
	return d.key
}

// state adds the state of a set, to which patterns may be added that begin anew.
func (d *determinism) state(a *automaton, set []int32, anew bool) {
	s := state{edges: stretch{from: int32(len(a.edges))}, signs: stretch{from: int32(len(a.signs))}}
	var other []int32
	for _, p := range set {
		at := &d.positions[p]
		if at.sign >= 0 {
			a.signs = append(a.signs, at.sign)
		}
		if at.any != 0 {
			other = append(other, at.any)
		}
		for _, e := range at.edges {
			d.next.add(e.word, e.to)
		}
	}
	s.again = anew && len(other) == 0
	switch {
	case s.again:
		for _, word := range d.next.words {
			d.next.add(word, d.anew.of(word)...)
		}
	case anew:
		for _, word := range d.anew.words {
			d.next.add(word, d.anew.of(word)...)
		}
	}
	s.other = d.number(other)
	end := d.words.number(markEnd)
	if len(other) > 0 {
		d.next.add(end) // which ends a gap
	}
	slices.Sort(d.next.words)
	for _, word := range d.next.words {
		if word != end {
			d.next.add(word, other...)
		}
		a.edges = append(a.edges, edge{small(word), small(d.number(d.next.of(word)))})
	}
	d.next.clear()
	s.edges.to, s.signs.to = int32(len(a.edges)), int32(len(a.signs))
	a.states = append(a.states, s)
}

// behindWords are sets of positions, one behind each of some words.
type behindWords struct {
	words []int32
	sets  []behindWord
}

type behindWord struct {
	there     bool // among the words
	positions []int32
}

func newBehindWords(words int) behindWords {
	return behindWords{sets: make([]behindWord, words+1)}
}

func (b *behindWords) of(word int32) []int32 { return b.sets[word].positions }

func (b *behindWords) add(word int32, positions ...int32) {
	set := &b.sets[word]
	if !set.there {
		set.there = true
		b.words = append(b.words, word)
	}
	set.positions = append(set.positions, positions...)
}

// clear keeps the room that the sets take.
func (b *behindWords) clear() {
	for _, word := range b.words {
		b.sets[word].there = false
		b.sets[word].positions = b.sets[word].positions[:0]
	}
	b.words = b.words[:0]
}

// close returns the set with all positions that hold at the same time, sorted.
func (d *determinism) close(set []int32) []int32 {
	d.closed++
	set = slices.Clone(set)
	var closed []int32
	for len(set) > 0 {
		p := set[len(set)-1]
		set = set[:len(set)-1]
		if d.mark[p] != d.closed {
			d.mark[p] = d.closed
			at := &d.positions[p]
			if len(at.edges) > 0 || at.any != 0 || at.sign >= 0 { // another only leads to these
				closed = append(closed, p)
			}
			set = append(set, at.skip...)
		}
	}
	slices.Sort(closed)
	return closed
}
