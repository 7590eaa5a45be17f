package refusal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// openings are the phrases that Detect knows of itself. They are few and long,
// so that an answer which only begins apologetically is not taken for one.
var openings = []string{
	"I'm sorry, but I can't",
	"I'm sorry, but I cannot",
	"I'm sorry, but I am unable to",
	"I'm sorry, but I'm unable to",
	"I'm sorry, but I'm not able to",
	"I'm sorry, I can't",
	"I'm sorry, I cannot",
	"I am sorry, but I can't",
	"I am sorry, but I cannot",
	"I am sorry, but I am unable to",
	"Sorry, but I can't",
	"Sorry, but I cannot",
	"Sorry, I can't",
	"Sorry, I cannot",
	"I apologize, but I can't",
	"I apologize, but I cannot",
	"I can't assist with",
	"I cannot assist with",
	"I can't help with",
	"I cannot help with",
	"I can't fulfill",
	"I cannot fulfill",
	"I'm unable to assist",
	"I am unable to assist",
	"I'm not able to assist",
	"I'm not able to help with",
}

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
	switch r {
	case '’', '‘', 'ʼ', '′', '＇', '`', '´':
		r = '\''
	}
	if f.space {
		dst = append(dst, ' ')
	}
	f.begun, f.space = true, false
	return append(dst, unicode.ToLower(r))
}

type verdict int

const (
	undecided verdict = iota
	answer
	refused
)

// matcher compares the beginning of an answer with all phrases at once, looking
// at each byte of it once.
type matcher struct {
	verdict verdict
	matched string          // the phrase
	text    strings.Builder // what was fed

	alive  []phrase // those that the text has not left
	at     int      // runes of them that it has matched
	folder folder
	rest   []byte // of a rune that was split between two deltas
	folded []rune
}

func newMatcher(phrases []phrase) *matcher {
	return &matcher{alive: append([]phrase(nil), phrases...)}
}

// feed takes the next piece of the answer's text, until there is a verdict.
func (m *matcher) feed(text string) {
	if m.verdict != undecided {
		return
	}
	m.text.WriteString(text)
	if len(m.rest) > 0 {
		text = string(m.rest) + text
		m.rest = m.rest[:0]
	}
	for len(text) > 0 && m.verdict == undecided {
		if !utf8.FullRuneInString(text) {
			m.rest = append(m.rest, text...)
			return
		}
		r, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		m.folded = m.folder.fold(m.folded[:0], r)
		for _, r := range m.folded {
			m.step(r)
		}
	}
}

// step compares one folded rune.
func (m *matcher) step(r rune) {
	if m.verdict != undecided {
		return
	}
	alive := m.alive[:0]
	for _, p := range m.alive {
		if p.runes[m.at] != r {
			continue
		}
		if len(p.runes) == m.at+1 {
			m.verdict, m.matched = refused, p.source
			return
		}
		alive = append(alive, p)
	}
	m.alive = alive
	m.at++
	if len(alive) == 0 {
		m.verdict = answer
	}
}
