package refusal

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The marks that are read as words.
const (
	markEnd     = "." // of a sentence
	markQuote   = `"`
	markItem    = "•"
	markCode    = "```"
	markHeading = "#"
)

// A class stands for many words in a pattern.
type class struct {
	name string
	has  func(word []byte) bool
}

// classes are those that patterns know. The characters are those that a Chinese
// or Japanese text may begin with, but for some that begin the longest of the
// other openers: with both, the states would multiply.
var classes = []class{
	{"-ing", func(word []byte) bool { return bytes.HasSuffix(word, []byte("ing")) }},
	{"-han", func(word []byte) bool {
		return isCharacter(word, unicode.Han) && !bytes.Contains([]byte("我作抱很您你对私当僕"), word)
	}},
	{"-kana", func(word []byte) bool {
		return isCharacter(word, unicode.Hiragana, unicode.Katakana) && string(word) != "わ"
	}},
}

// isCharacter reports whether a word is one character of a script.
func isCharacter(word []byte, scripts ...*unicode.RangeTable) bool {
	r, size := utf8.DecodeRune(word)
	return r >= utf8.RuneSelf && size == len(word) && unicode.In(r, scripts...)
}

func isClass(token string) bool {
	return slices.ContainsFunc(classes, func(c class) bool { return c.name == token })
}

// words cuts text into words, looking at each byte once, however the text is
// split. It tells of each word when it is complete, and of the end of each
// sentence.
type words struct {
	to listener

	current []byte // the word so far
	line    []byte // the marks at the beginning of a line: "#", "-", "12."
	inLine  bool   // behind them
	stop    bool   // a full stop was seen, which ends a sentence before white space
	open    bool   // the sentence has a word
}

// reset makes w ready for another text.
func (w *words) reset() {
	w.current, w.line = w.current[:0], w.line[:0]
	w.inLine, w.stop, w.open = false, false, false
}

// A listener is told of words and sentences.
type listener interface {
	word([]byte)
	sentence()
}

// longest is how many bytes a word has at most; a longer one counts as several.
// No word of the rules is longer.
const longest = 32

// rune reads one rune.
func (w *words) rune(r rune) {
	if r >= utf8.RuneSelf && invisible(r) {
		return
	}
	if w.stop {
		if w.stop = false; unicode.IsSpace(r) || r == '"' || r == '*' {
			w.end()
		}
	}
	if !w.inLine {
		w.mark(r)
	}
	switch {
	case 'a' <= r && r <= 'z':
		w.append(r)
	case r == ' ':
		w.complete()
	case isApostrophe(r):
		if len(w.current) > 0 {
			w.append('\'')
		}
	case r == '\n' || r == '\r':
		w.complete()
		w.end()
		w.line, w.inLine = w.line[:0], false
	case r == '.' || r == '!' || r == '?':
		w.complete()
		w.stop = true
	case r == '。' || r == '！' || r == '？':
		w.complete()
		w.end()
	case r == '"' || r == '“' || r == '”' || r == '„' || r == '«' || r == '「' || r == '『':
		w.complete()
		w.tell(markQuote)
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー':
		w.complete()
		w.append(r)
		w.complete()
	case unicode.IsMark(r):
		w.accent(r)
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		w.append(unicode.ToLower(r))
	default:
		w.complete()
	}
}

// invisible reports whether r is not seen, such as a soft hyphen. The space of no
// width is not among them: it divides words.
func invisible(r rune) bool { return r != '\u200b' && unicode.Is(unicode.Cf, r) }

// mark tells of a list item, a quotation, a heading or a code block that begins
// a line.
func (w *words) mark(r rune) {
	if unicode.IsSpace(r) {
		if len(w.line) == 0 {
			return
		}
		switch line := string(w.line); {
		case line == "-" || line == "*" || line == "+" || line == "•":
			w.tell(markItem)
		case line == ">":
			w.tell(markQuote)
		case strings.Trim(line, "#") == "":
			w.tell(markHeading)
		case strings.Trim(line, "0123456789") == "." || strings.Trim(line, "0123456789") == ")":
			w.tell(markItem)
		}
		w.inLine = true
		return
	}
	if len(w.line) > 4 || !strings.ContainsRune("-*+•>#.)`0123456789", r) {
		w.inLine = true
		return
	}
	if w.line = utf8.AppendRune(w.line, r); string(w.line) == markCode {
		w.tell(markCode)
		w.inLine = true
	}
}

// letters reads the lower-case letters at the beginning of text that make the current
// word longer, and no more than that, and returns how many they are: most of a text is
// read so, at once.
func (w *words) letters(text string) int {
	if !w.inLine || w.stop {
		return 0
	}
	n := 0
	for n < min(len(text), longest-len(w.current)) && 'a' <= text[n] && text[n] <= 'z' {
		n++
	}
	w.current = append(w.current, text[:n]...)
	return n
}

func (w *words) append(r rune) {
	if len(w.current) >= longest {
		w.complete()
	}
	w.current = utf8.AppendRune(w.current, r)
}

// accents are the marks that may follow a letter, and the letters that they make.
var accents = []struct {
	mark          rune
	bare, written string
}{
	{'\u0300', "aeiou", "àèìòù"}, {'\u0301', "aeiouy", "áéíóúý"}, {'\u0302', "aeiou", "âêîôû"}, {'\u0303', "ano", "ãñõ"},
	{'\u0308', "aeiouyе", "äëïöüÿё"}, {'\u030a', "a", "å"}, {'\u0327', "c", "ç"}, {'\u0306', "и", "й"},
}

// accent appends a mark, in one letter with the last rune where there is one: the
// rules are written in these.
func (w *words) accent(mark rune) {
	bare, size := utf8.DecodeLastRune(w.current)
	for _, a := range accents {
		if a.mark != mark {
			continue
		}
		if i := slices.Index([]rune(a.bare), bare); i >= 0 {
			w.current = w.current[:len(w.current)-size]
			mark = []rune(a.written)[i]
		}
	}
	w.append(mark)
}

// complete tells of the current word.
func (w *words) complete() {
	if len(w.current) == 0 {
		return
	}
	w.open = true
	split(w.current, w.to)
	w.current = w.current[:0]
}

func (w *words) tell(mark string) {
	w.open = true
	w.to.word([]byte(mark))
}

// end ends the sentence.
func (w *words) end() {
	if w.open {
		w.open = false
		w.to.sentence()
	}
}

// finish reads the end of the text.
func (w *words) finish() {
	w.complete()
	w.end()
}

// endings are what an apostrophe shortens in English.
var endings = []struct{ short, word []byte }{
	{[]byte("'m"), []byte("am")}, {[]byte("'re"), []byte("are")}, {[]byte("'ve"), []byte("have")},
	{[]byte("'ll"), []byte("will")}, {[]byte("'d"), []byte("would")}, {[]byte("'s"), []byte("is")},
}

var (
	short     = []byte("n't")
	not       = []byte("not")
	stemsOfNo = map[string][]byte{"ca": []byte("can"), "wo": []byte("will")} // the others are words themselves
)

// split tells of the words that one with apostrophes, or "cannot", stands for:
// "can't" is "can not", "I'm" is "i am", "l'aide" is "l aide".
func split(word []byte, to listener) {
	switch string(word) {
	case "cannot":
		to.word(word[:3])
		to.word(word[3:])
		return
	case "let's":
		to.word(word[:3])
		to.word([]byte("us"))
		return
	}
	if bytes.IndexByte(word, '\'') < 0 {
		to.word(word)
		return
	}
	if stem, ok := bytes.CutSuffix(word, short); ok {
		if whole, ok := stemsOfNo[string(stem)]; ok {
			stem = whole
		}
		to.word(stem)
		to.word(not)
		return
	}
	for _, e := range endings {
		if stem, ok := bytes.CutSuffix(word, e.short); ok {
			to.word(stem)
			to.word(e.word)
			return
		}
	}
	for part := range bytes.SplitSeq(word, []byte("'")) {
		if len(part) > 0 {
			to.word(part)
		}
	}
}
