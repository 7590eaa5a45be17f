package refusal

import (
	"strings"
	"unicode/utf8"
)

type verdict int

const (
	undecided verdict = iota
	answer
	refusal
)

// A judge examines the beginning of an answer, rune by rune.
type judge interface {
	read(r rune) verdict
	end() verdict // of what was read; never undecided
	finding() finding
}

// finding is why a judge decided.
type finding struct {
	rule, phrase string
	score        float64
	unsure       bool
}

// examiner has judges examine an answer. One that finds a refusal is enough;
// the text is an answer when all find that. As runes are read one by one, it
// makes no difference how the text is split.
type examiner struct {
	judges  []judge // those that are undecided
	max     int     // runes to read
	verdict verdict
	found   finding
	text    strings.Builder // what was fed

	runes int
	rest  []byte // of a rune that was split between two deltas
}

// feed examines the next piece of the answer's text, until there is a verdict.
func (x *examiner) feed(text string) {
	if x.verdict != undecided {
		return
	}
	x.text.WriteString(text)
	if len(x.rest) > 0 {
		text = string(x.rest) + text
		x.rest = x.rest[:0]
	}
	for len(text) > 0 && x.verdict == undecided {
		r, size := rune(text[0]), 1
		if r >= utf8.RuneSelf {
			if !utf8.FullRuneInString(text) {
				x.rest = append(x.rest, text...)
				return
			}
			r, size = utf8.DecodeRuneInString(text)
		}
		text = text[size:]
		x.ask(func(j judge) verdict { return j.read(r) })
		if x.runes++; x.runes == x.max {
			x.end()
		}
	}
}

// end ends the examination with what was read.
func (x *examiner) end() {
	if x.verdict == undecided {
		x.ask(judge.end)
	}
}

// dismiss finds an answer without more ado, unless there is a verdict.
func (x *examiner) dismiss() {
	if x.verdict == undecided {
		x.verdict = answer
	}
}

func (x *examiner) ask(question func(judge) verdict) {
	open := x.judges[:0]
	for _, j := range x.judges {
		switch question(j) {
		case undecided:
			open = append(open, j)
		case refusal:
			x.verdict, x.found = refusal, j.finding()
			return
		case answer:
			if f := j.finding(); f.unsure {
				x.found = f
			}
		}
	}
	if x.judges = open; len(open) == 0 {
		x.verdict = answer
	}
}
