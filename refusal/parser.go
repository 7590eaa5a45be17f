package refusal

import (
	"fmt"
	"strings"
	"unicode"
)

// apart sets the marks of patterns apart.
var apart = strings.NewReplacer("(", " ( ", ")", " ) ", "[", " [ ", "]", " ] ", "|", " | ")

// tokens cuts a pattern into words and marks.
func tokens(pattern string) []string {
	var cut wordList
	for _, field := range strings.Fields(apart.Replace(pattern)) {
		if strings.ContainsAny(field, "()[]|<~") || isMark(field) || !isWord(field) {
			cut = append(cut, field)
			continue
		}
		w := words{to: &cut, inLine: true}
		for _, r := range field {
			w.rune(r)
		}
		w.finish()
	}
	return cut
}

// wordList is a listener that keeps the words.
type wordList []string

func (l *wordList) word(w []byte) { *l = append(*l, string(w)) }
func (l *wordList) sentence()     {}

func isMark(token string) bool {
	switch token {
	case markEnd, markQuote, markItem, markCode, markHeading:
		return true
	}
	return isClass(token)
}

// isWord reports whether a token has no character but those that words are
// written with in patterns.
func isWord(token string) bool {
	return strings.IndexFunc(token, func(r rune) bool {
		return !('a' <= r && r <= 'z') && r != '\'' && r != '-' && r != 'ー' && !(unicode.In(r, unicode.L, unicode.M, unicode.Nd) && unicode.ToLower(r) == r)
	}) < 0
}

type parser struct {
	*builder
	lang    *language
	pattern string
	rest    []string
}

func (p *parser) fail(format string, args ...any) {
	panic(fmt.Sprintf("refusal: pattern %q (%s): ", p.pattern, p.lang.name) + fmt.Sprintf(format, args...))
}

// alternatives reads "a|b|c" between from and the position that it returns.
func (p *parser) alternatives(from int32) int32 {
	end := p.position()
	for {
		p.sequence(from, end)
		if len(p.rest) == 0 || p.rest[0] != "|" {
			return end
		}
		p.rest = p.rest[1:]
	}
}

// sequence reads "a b c" between from and end.
func (p *parser) sequence(from, end int32) {
	if p.ends() {
		p.fail("an alternative is empty")
	}
	for !p.ends() {
		token := p.rest[0]
		p.rest = p.rest[1:]
		switch {
		case token == "(" || token == "[":
			from = p.group(token, from)
		case token[0] == '<':
			name, closed := strings.CutSuffix(token[1:], ">")
			pattern, ok := p.lang.words[name]
			if !ok || !closed {
				p.fail("there are no words %s", token)
			}
			inner := parser{builder: p.builder, lang: p.lang, pattern: pattern, rest: tokens(pattern)}
			if from = inner.alternatives(from); len(inner.rest) > 0 {
				inner.fail("%q is not expected", inner.rest[0])
			}
		case token[0] == '~':
			if len(token) != 2 || token[1] < '1' || token[1] > '9' {
				p.fail("%q is no count of words", token)
			}
			from = p.gap(from, int(token[1]-'0'))
		case !isMark(token) && !isWord(token):
			p.fail("%q is no word", token)
		default:
			next := end
			if !p.ends() {
				next = p.position()
			}
			at := &p.positions[from]
			at.edges = append(at.edges, arc{p.words.number(token), next})
			from = next
		}
	}
	if from != end {
		p.skip(from, end)
	}
}

// ends reports whether a sequence does.
func (p *parser) ends() bool {
	return len(p.rest) == 0 || p.rest[0] == "|" || p.rest[0] == ")" || p.rest[0] == "]"
}

func (p *parser) group(opening string, from int32) int32 {
	end := p.alternatives(from)
	closing := ")"
	if opening == "[" {
		closing = "]"
		p.skip(from, end)
	}
	if len(p.rest) == 0 || p.rest[0] != closing {
		p.fail("%s is not closed", opening)
	}
	p.rest = p.rest[1:]
	return end
}

func (p *parser) gap(from int32, words int) int32 {
	at, end := p.position(), p.position()
	p.skip(from, at)
	p.skip(at, end)
	for range words {
		next := p.position()
		p.positions[at].any = next
		p.skip(next, end)
		at = next
	}
	return end
}

// skip says that to holds where from does.
func (p *parser) skip(from, to int32) {
	p.positions[from].skip = append(p.positions[from].skip, to)
}
