package failure

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every phrase and every code of the table decides as its row says: none is
// hidden by a row above it, none is written in a way that never matches.
func TestTable(t *testing.T) {
	seen := map[string]string{}
	once := func(s string, r row) {
		assert.Empty(t, seen[s], "%q stands twice: %s", s, r.why)
		seen[s] = r.why
	}
	for _, r := range table {
		_, err := ParseKind(string(r.kind))
		assert.NoError(t, err, r.why)
		assert.NotEmpty(t, r.why)
		assert.NotEmpty(t, r.source, r.why)
		assert.NotEmpty(t, r.codes+r.texts, r.why)
		for code := range strings.FieldsSeq(r.codes) {
			once("code "+codeKey(code), r)
			f := &facts{codes: map[string]bool{}}
			f.addCode(code)
			assert.Equal(t, r.kind, f.evidence(), "code %s: %s", code, r.why)
		}
		for phrase := range strings.SplitSeq(r.texts, "|") {
			phrase = strings.TrimSpace(phrase)
			if phrase == "" {
				continue
			}
			text := strings.ReplaceAll(phrase, " …", "")
			assert.Equal(t, text, strings.ToLower(plain(text)), "not as plain writes it: %s", r.why)
			if f := (&facts{text: text, claims: text}); r.when == nil {
				once(phrase, r)
				assert.Equal(t, r.kind, f.evidence(), "phrase %q: %s", phrase, r.why)
			}
		}
	}
}
