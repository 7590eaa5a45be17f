package refusal

import (
	"regexp"
	"regexp/syntax"
)

// pattern is a regular expression as the program of a machine.
type pattern struct {
	source   string
	program  *syntax.Prog
	anchored bool // it matches at the beginning of the text alone
}

func compilePattern(re *regexp.Regexp) pattern {
	parsed, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil { // a POSIX expression that Perl's syntax does not know
		panic("refusal.Patterns: " + err.Error())
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		panic("refusal.Patterns: " + err.Error())
	}
	return pattern{re.String(), program, program.StartCond()&syntax.EmptyBeginText != 0}
}

// search runs the patterns over a text as it comes in, each as a set of places
// in its program, so that each rune is looked at once.
type search struct {
	threads []thread // one a pattern that may still match
	before  rune     // theEnd: nothing was read
}

type thread struct {
	pattern
	at    []uint32 // behind the last rune
	begun bool
	now   []uint32 // at reaches these without a rune
	next  []uint32
	seen  []int // when each instruction was reached last
	steps int
}

func newSearch(patterns []pattern) *search {
	s := &search{before: theEnd, threads: make([]thread, len(patterns))}
	for i, p := range patterns {
		s.threads[i].pattern, s.threads[i].seen = p, make([]int, len(p.program.Inst))
	}
	return s
}

func (*search) unsure() bool { return false }

func (s *search) finding() finding { return finding{rule: "pattern", score: 1} }

// read finds a match one rune behind it: what follows may be asked for.
func (s *search) read(r rune) verdict {
	v := s.step(r)
	if v == undecided && (r == theEnd || len(s.threads) == 0) {
		return answer
	}
	return v
}

func (s *search) step(r rune) verdict {
	met := syntax.EmptyOpContext(s.before, r)
	s.before = r
	alive := s.threads[:0]
	for _, t := range s.threads {
		if t.step(r, met) {
			return refusal
		}
		if len(t.at) > 0 || !t.anchored {
			alive = append(alive, t)
		}
	}
	s.threads = alive
	return undecided
}

// step reports whether the pattern matches before r, and goes on behind it.
func (t *thread) step(r rune, met syntax.EmptyOp) (matches bool) {
	t.steps++
	t.now, t.next = t.now[:0], t.next[:0]
	if !t.begun || !t.anchored {
		t.begun = true
		t.at = append(t.at, uint32(t.program.Start))
	}
	for _, pc := range t.at {
		t.reach(pc, met)
	}
	for _, pc := range t.now {
		inst := &t.program.Inst[pc]
		switch inst.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if r != theEnd && inst.MatchRune(r) {
				t.next = append(t.next, inst.Out)
			}
		}
	}
	t.at, t.next = t.next, t.at
	return false
}

// reach adds pc and what it reaches without a rune.
func (t *thread) reach(pc uint32, met syntax.EmptyOp) {
	if t.seen[pc] == t.steps {
		return
	}
	t.seen[pc] = t.steps
	t.now = append(t.now, pc)
	switch inst := &t.program.Inst[pc]; inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		t.reach(inst.Out, met)
		t.reach(inst.Arg, met)
	case syntax.InstCapture, syntax.InstNop:
		t.reach(inst.Out, met)
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(inst.Arg)&^met == 0 {
			t.reach(inst.Out, met)
		}
	}
}
