package refusal

import "unicode"

// phrase is a phrase in the form that text is compared in.
type phrase struct {
	source string
	runes  []rune
}

func compile(phrases []string) []phrase {
	compiled := make([]phrase, len(phrases))
	for i, source := range phrases {
		compiled[i].source = source
		var f folder
		for _, r := range source {
			compiled[i].runes = f.fold(compiled[i].runes, r)
		}
	}
	return compiled
}

// folder brings text into the form it is compared in: lower case, straight
// apostrophes, one space for any white space, none at the beginning or end.
type folder struct {
	begun, space bool // a rune was seen; white space was, behind it
}

// fold appends what r adds to dst, which may be nothing yet.
func (f *folder) fold(dst []rune, r rune) []rune {
	if unicode.IsSpace(r) {
		f.space = f.begun
		return dst
	}
	if isApostrophe(r) {
		r = '\''
	}
	if f.space {
		dst = append(dst, ' ')
	}
	f.begun, f.space = true, false
	return append(dst, unicode.ToLower(r))
}

func isApostrophe(r rune) bool {
	switch r {
	case '\'', '’', '‘', 'ʼ', '′', '＇', '`', '´':
		return true
	}
	return false
}

// matcher compares the beginning of an answer with all phrases at once.
type matcher struct {
	alive   []phrase // those that the text has not left
	at      int      // runes of them that it has matched
	matched string
	folder  folder
	folded  []rune
}

func newMatcher(phrases []phrase) *matcher {
	return &matcher{alive: append([]phrase(nil), phrases...)}
}

func (m *matcher) read(r rune) verdict {
	if r == theEnd {
		return answer
	}
	m.folded = m.folder.fold(m.folded[:0], r)
	for _, r := range m.folded {
		if v := m.step(r); v != undecided {
			return v
		}
	}
	return undecided
}

func (*matcher) unsure() bool { return false }

func (m *matcher) finding() finding {
	return finding{rule: "phrase", phrase: m.matched, score: 1}
}

// step compares one folded rune.
func (m *matcher) step(r rune) verdict {
	alive := m.alive[:0]
	for _, p := range m.alive {
		if p.runes[m.at] != r {
			continue
		}
		if len(p.runes) == m.at+1 {
			m.matched = p.source
			return refusal
		}
		alive = append(alive, p)
	}
	m.alive = alive
	m.at++
	if len(alive) == 0 {
		return answer
	}
	return undecided
}
