package failure

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"
)

// plain makes text ready for phrases and codes to be looked for in it: single
// spaces, straight apostrophes, no quotes. Hyphens between words are spaces, so
// that "rate-limit" is "rate limit". Links and paths are left out: where one leads
// is not what went wrong. So are the user's own words (see mute) and the names of
// models: what "content-filter-1" is called is no evidence.
func plain(s string) string {
	s = mute(s)
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case (c == 'h' || c == 'H' || c == '/') && (i == 0 || !isAlnum(s[i-1])) && linkLen(s[i:]) > 0:
			i += linkLen(s[i:])
		case c == '/' && i > 0 && isAlnum(s[i-1]) && hyphenated(s[i:]):
			i += nameLen(s[i:]) // the vendor before it stays
		case (c == '"' || c == '\'' || c == '`') && endsInModel(out) && isQuotedName(s[i:]):
			i += nameLen(s[i+1:]) + 2
		case c == '"' || c == '`' || c == '\\' || c == '*':
			i++
		case c == '-' && joins(s, i):
			out, i = append(out, ' '), i+1
		case c == ' ' || c >= '\t' && c <= '\r':
			if len(out) > 0 && out[len(out)-1] != ' ' {
				out = append(out, ' ')
			}
			i++
		case c < utf8.RuneSelf:
			out, i = append(out, c), i+1
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == '’' || r == '‘' {
				r = '\''
			}
			out, i = utf8.AppendRune(out, r), i+size
		}
	}
	return string(out)
}

// advice is what a message sells or suggests after it has said what went wrong:
// a throttle that offers a plan with a monthly limit is a throttle.
var advice = regexp.MustCompile(`(^|[.!?] )(?:please )?(?:upgrade|need more|consider|purchase|add \d+ credits|to (?:increase|raise|unlock|get more)|for (?:higher|more|increased|details)|see|learn more|refer to|visit)\b[^.!?]*`)

// mute empties the quotations of what the caller sent: they are no evidence, and
// nobody else's business.
func mute(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		out = append(out, s[i])
		if (s[i] == '"' || s[i] == '\'' || s[i] == '`') && echoes(out[:len(out)-1]) {
			i += closing(s[i:]) - 1
			out = append(out, s[i])
		}
	}
	return string(out)
}

// echoWords stand before a quotation of what the caller sent, in the messages of
// validators (input_value='…', got '…') and in objects that are echoed.
var echoWords = map[string]bool{"got": true, "received": true, "input_value": true, "input": true, "value": true, "content": true,
	"prompt": true, "text": true, "given": true, "arguments": true, "system": true, "flagged_input": true, "failed_generation": true}

// echoes reports whether a quotation that follows text is the user's own words.
func echoes(text []byte) bool {
	const apart, longest = 4, 20 // `\": \"` at most is between them
	end := len(text)
	if end > 0 && isIdent(text[end-1]) {
		return false // it ends one
	}
	for end > 0 && end > len(text)-apart && strings.IndexByte(" :=\\\"'`", text[end-1]) >= 0 {
		end--
	}
	start := end
	for start > 0 && end-start < longest && isIdent(text[start-1]) {
		start--
	}
	return echoWords[string(text[start:end])]
}

// closing is the length of the quotation that s begins with: all of s if it was
// cut off.
func closing(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			if s[0] != '\'' || i+1 == len(s) || !isAlnum(s[i+1]) { // not an apostrophe
				return i + 1
			}
		}
	}
	return len(s)
}

// linkLen is the length of the link or path (/v1/models) that s begins with, or
// 0.
func linkLen(s string) int {
	path := s[0] == '/'
	if !path && !hasPrefixFold(s, "http://") && !hasPrefixFold(s, "https://") {
		return 0
	}
	end := strings.IndexAny(s, " \t\r\n\"'`<>)]}")
	if end < 0 {
		end = len(s)
	}
	if path && strings.Count(s[:end], "/") < 2 { // 60 requests /min
		return 0
	}
	return len(strings.TrimRight(s[:end], ".,;:!?")) // they end the sentence
}

// nameLen is the length of the name that s begins with, in the letters of the
// names of models: acme/light-2.5:free@eu.
func nameLen(s string) int {
	const longest = 128
	n := 0
	for n < min(len(s), longest) && (isIdent(s[n]) || strings.IndexByte("./:@-", s[n]) >= 0) {
		n++
	}
	return len(strings.TrimRight(s[:n], ".:"))
}

// hyphenated reports whether s begins with a name that has a hyphen in it.
func hyphenated(s string) bool { return strings.IndexByte(s[:nameLen(s)], '-') > 0 }

// isQuotedName reports whether the quotation that s begins with holds a name.
func isQuotedName(s string) bool {
	n := nameLen(s[1:])
	return n > 0 && n+1 < len(s) && s[n+1] == s[0]
}

// endsInModel reports whether text ends in the word: a quotation behind it is a
// name.
func endsInModel(text []byte) bool {
	text = bytes.TrimRight(text, ": ")
	const word = "model"
	return len(text) >= len(word) && bytes.EqualFold(text[len(text)-len(word):], []byte(word))
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// joins reports whether the hyphen at i stands between a letter or digit and a
// letter.
func joins(s string, i int) bool {
	return i > 0 && i+1 < len(s) && isAlnum(s[i-1]) && isAlnum(s[i+1]) && !isDigit(s[i+1])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlnum(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isIdent(c byte) bool { return isAlnum(c) || c == '_' }

var (
	isHTML   = regexp.MustCompile(`(?i)<html\b|<!doctype html`)
	headings = regexp.MustCompile(`(?is)<(?:title|h1|h2)\b[^>]*>(.*?)</(?:title|h1|h2)>`)
	tags     = regexp.MustCompile(`(?s)<[^>]*>`)
	elements = regexp.MustCompile(`(?is)<(code|message)>([^<]*)</`)
)

// page reads a page of a proxy, or a document of XML. A page's title and headings
// tell what happened; the rest of it explains and guesses.
func (f *facts) page(s string) {
	if isHTML.MatchString(head(s, 1024)) {
		for _, m := range headings.FindAllStringSubmatch(s, maxItems) {
			f.note(html.UnescapeString(tags.ReplaceAllString(m[1], " ")), 0)
		}
		return
	}
	for _, m := range elements.FindAllStringSubmatch(s, maxItems) {
		if text := strings.TrimSpace(html.UnescapeString(m[2])); strings.EqualFold(m[1], "code") {
			f.addField(text)
		} else {
			f.note(text, 0)
		}
	}
}

// identifiers adds the codes that stand in text, as in "litellm.RateLimitError:
// …": words with an underscore or a capital inside.
func (f *facts) identifiers(text string) {
	for i := 0; i < len(text); {
		if !isIdent(text[i]) {
			i++
			continue
		}
		start, marked := i, false
		for ; i < len(text) && isIdent(text[i]); i++ {
			marked = marked || text[i] == '_' || i > start && text[i] >= 'A' && text[i] <= 'Z' && text[i-1] >= 'a' && text[i-1] <= 'z'
		}
		if marked && i-start >= 6 && i-start <= maxCode {
			f.codes[codeKey(text[start:i])] = true
		}
	}
}
