package failure

import "strings"

// A row of the table of evidence: what a failure's payload says, and what kind
// of failure that makes it.
type row struct {
	kind Kind

	// codes are codes, types and reasons of which one is there, separated by
	// spaces. Case, punctuation and a closing "error" or "exception" do not
	// matter.
	codes string

	// texts are phrases of which one is there, separated by "|", as the
	// function plain writes them, in lower case. A phrase begins where a word
	// begins and may end inside one: "exceed" is found in "exceeded". Units and
	// other short ones ("/min", "rpm") end where it ends. "…" stands for anything
	// that is not long and does not leave the sentence.
	texts string

	when func(*facts) bool // holds as well; nil: nothing else has to

	why, source string
}

// gap is how many bytes "…" may stand for.
const gap = 90

// compiled is the table, ready to be asked.
type compiled struct {
	rows  []compiledRow
	codes map[string][]int // the rows that a code is in, by codeKey
}

type compiledRow struct {
	kind    Kind
	phrases [][]string
	when    func(*facts) bool
}

var evidenceTable = compile(table)

func compile(rows []row) *compiled {
	t := &compiled{codes: map[string][]int{}}
	for i, r := range rows {
		c := compiledRow{kind: r.kind, when: r.when}
		for code := range strings.FieldsSeq(r.codes) {
			key := codeKey(code)
			t.codes[key] = append(t.codes[key], i)
		}
		if r.texts != "" {
			for phrase := range strings.SplitSeq(r.texts, "|") {
				var parts []string
				for part := range strings.SplitSeq(phrase, "…") {
					parts = append(parts, strings.TrimSpace(part))
				}
				c.phrases = append(c.phrases, parts)
			}
		}
		t.rows = append(t.rows, c)
	}
	return t
}

// evidence is the kind of the first row that holds, or the empty Kind.
func (f *facts) evidence() Kind {
	t := evidenceTable
	hit := make([]bool, len(t.rows))
	for code := range f.codes {
		for _, i := range t.codes[code] {
			hit[i] = true
		}
	}
	for i, r := range t.rows {
		if (hit[i] || r.says(f.claims)) && (r.when == nil || r.when(f)) {
			return r.kind
		}
	}
	return ""
}

// says reports whether one of the row's phrases is in text.
func (r *compiledRow) says(text string) bool {
	for _, parts := range r.phrases {
		if contains(text, parts) {
			return true
		}
	}
	return false
}

// contains reports whether the parts stand in text one after the other, each
// within a gap of the one before.
func contains(text string, parts []string) bool {
	for {
		i := wordIndex(text, parts[0])
		if i < 0 {
			return false
		}
		text = text[i+len(parts[0]):]
		if len(parts) == 1 || follows(text, parts[1:]) {
			return true
		}
	}
}

func follows(text string, parts []string) bool {
	for _, part := range parts {
		reach := text[:min(len(text), gap+len(part))]
		if end := strings.Index(reach, ". "); end >= 0 {
			reach = reach[:end]
		}
		i := strings.Index(reach, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return true
}

// wordIndex is where part begins in text at the beginning of a word.
func wordIndex(text, part string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(part)
		begins := i == 0 || !isIdent(text[i-1]) || !isIdent(part[0])
		ends := end == len(text) || !isIdent(text[end]) || !isIdent(part[len(part)-1])
		if begins && (ends || !isUnit(part)) {
			return i
		}
		from = i + 1
	}
}

// isUnit reports whether part is so short, or a "/day", that the beginning of a
// name is soon taken for it: "acme/daybreak".
func isUnit(part string) bool { return len(part) <= 4 || part[0] == '/' }
