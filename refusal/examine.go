package refusal

import (
	"slices"
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
	unsure() bool
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
	judges  []judge // those that are undecided
	max     int     // runes to read
	asks    bool    // somebody is asked about an unsure refusal: it ends nothing
	leaning verdict // where no judge is left
	verdict verdict
	found   finding
	text    []byte // what was read

	runes  int
	rest   []byte  // of a rune that was split between two deltas
	reader *reader // the judge by rules, if there was one: it serves for one text after the other
}

// longText is how many bytes of memory for a text are kept for the next.
const longText = 4 << 10

// reset makes the examiner ready for another text. It has no judges.
func (x *examiner) reset() {
	if cap(x.text) > longText {
		x.text = nil
	}
	x.judges, x.text, x.rest = x.judges[:0], x.text[:0], x.rest[:0]
	x.leaning, x.verdict, x.found, x.runes = answer, undecided, finding{}, 0
}

// judgeByRules adds the judge by rules.
func (x *examiner) judgeByRules(threshold float64) {
	if x.reader == nil {
		x.reader = newReader(threshold)
	} else {
		x.reader.reset()
	}
	x.judges = append(x.judges, x.reader)
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
		if n := x.letters(text[read:]); n > 0 {
			read, x.runes = read+n, x.runes+n
			continue
		}
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
	x.text = append(x.text, text[:read]...)
}

// letters has the only judge, if that goes by rules, read letters at once, with which
// nothing is decided.
func (x *examiner) letters(text string) int {
	if len(x.judges) > 1 || x.judges[0] != judge(x.reader) {
		return 0
	}
	return x.reader.text.letters(text[:min(len(text), x.max-x.runes-1)])
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
			if j.unsure() {
				x.found = j.finding()
			}
			x.judges = slices.Delete(x.judges, i, i+1)
		}
	}
	if len(x.judges) == 0 {
		x.decide(x.leaning)
	}
}

// decide ends the examination.
func (x *examiner) decide(v verdict) {
	clear(x.judges)
	x.verdict, x.judges = v, x.judges[:0]
}
