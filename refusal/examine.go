package refusal

import (
	"slices"
	"strings"
	"unicode/utf8"
)

type verdict int

const (
	undecided verdict = iota
	answer
	refusal
)

// A judge examines the beginning of an answer, rune by rune. At theEnd it is
// never undecided.
type judge interface {
	read(r rune) verdict
	finding() finding
}

const theEnd rune = -1

// finding is why a judge decided.
type finding struct {
	rule, phrase string
	score        float64
	unsure       bool
}

// examiner has judges examine an answer. One that is sure of a refusal is enough;
// the text is an answer when all find that. As runes are read one by one, it
// makes no difference how the text is split.
type examiner struct {
	judges  []judge  // those that are undecided
	first   [1]judge // where they are while there is one
	max     int      // runes to read
	asks    bool     // somebody is asked about an unsure refusal: it ends nothing
	leaning verdict  // where no judge is left
	verdict verdict
	found   finding
	text    strings.Builder // what was read

	runes int
	rest  []byte // of a rune that was split between two deltas
}

// feed examines the next piece of the answer's text, until there is a verdict.
func (x *examiner) feed(text string) {
	if x.verdict != undecided {
		return
	}
	if len(x.rest) > 0 {
		text = string(x.rest) + text
		x.rest = x.rest[:0]
	}
	read := 0
	for read < len(text) && x.verdict == undecided {
		r, size := rune(text[read]), 1
		if r >= utf8.RuneSelf {
			if !utf8.FullRuneInString(text[read:]) {
				x.rest = append(x.rest, text[read:]...)
				break
			}
			r, size = utf8.DecodeRuneInString(text[read:])
		}
		read += size
		x.read(r)
		if x.runes++; x.runes == x.max {
			x.end()
		}
	}
	x.text.WriteString(text[:read])
}

// end ends the examination with what was read.
func (x *examiner) end() {
	if x.verdict == undecided {
		x.read(theEnd)
	}
}

// dismiss finds an answer without more ado, unless there is a verdict.
func (x *examiner) dismiss() {
	if x.verdict == undecided {
		x.found = finding{}
		x.decide(answer)
	}
}

func (x *examiner) read(r rune) {
	for i := 0; i < len(x.judges); {
		switch j := x.judges[i]; j.read(r) {
		case undecided:
			i++
		case refusal:
			x.found = j.finding()
			if !x.asks || !x.found.unsure {
				x.decide(refusal)
				return
			}
			x.leaning = refusal
			x.judges = slices.Delete(x.judges, i, i+1)
		case answer:
			if f := j.finding(); f.unsure {
				x.found = f
			}
			x.judges = slices.Delete(x.judges, i, i+1)
		}
	}
	if len(x.judges) == 0 {
		x.decide(x.leaning)
	}
}

// decide ends the examination. The judges go: a stream may be open for long.
func (x *examiner) decide(v verdict) {
	x.verdict, x.judges, x.first = v, nil, [1]judge{}
}
