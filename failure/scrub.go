package failure

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxBody is how many bytes of a failure's body an [Error] keeps.
const MaxBody = 4 << 10

const (
	maxMessage = 500
	maxCode    = 100
	slack      = 512 // read beyond a cut, so that a key across it is seen whole
	redacted   = "[redacted]"
	ellipsis   = "…"
)

// secretHeaders are the names, or parts of names, of headers that carry keys.
var secretHeaders = []string{"authorization", "authentication-info", "cookie", "api-key", "apikey", "subscription-key", "token", "secret", "signature", "credential"}

// ScrubHeaders returns a copy of h without the headers that carry keys:
// authorization, cookies, API keys, tokens and signatures. Headers that count
// tokens of text (x-ratelimit-…) stay. Names become canonical. It returns nil
// for a nil h.
func ScrubHeaders(h http.Header) http.Header {
	if h == nil {
		return nil
	}
	kept := make(http.Header, len(h))
	for name, values := range h {
		if !carriesKey(strings.ToLower(name)) {
			name = http.CanonicalHeaderKey(name)
			kept[name] = append(kept[name], values...)
		}
	}
	return kept
}

func carriesKey(name string) bool {
	if strings.Contains(name, "ratelimit") {
		return false
	}
	return slices.ContainsFunc(secretHeaders, func(part string) bool { return strings.Contains(name, part) })
}

// A secret is a form of key. The hint is a piece that every such key has, in
// lower case: the expression runs only where it is found. What the expression's
// first group matches is kept.
type secret struct {
	hint string
	form *regexp.Regexp
}

var secrets = []secret{
	{"bearer", regexp.MustCompile(`(?i)(\bbearer\s+)[a-z0-9._~+/=*-]{6,}`)},
	{"basic ", regexp.MustCompile(`(?i)(\bbasic\s+)[a-z0-9+/=]{12,}`)},
	{"key", regexp.MustCompile(`(?i)(\b(?:[a-z_-]*key|apikey)=)[^&\s"'<>]+`)},
	{"token=", regexp.MustCompile(`(?i)([a-z_-]*token=)[^&\s"'<>]+`)},
	{"sig", regexp.MustCompile(`(?i)(\b(?:sig|x-amz-signature|signature)=)[^&\s"'<>]+`)},
	{"secret", regexp.MustCompile(`(?i)([a-z_-]*secret["']?\s*[=:]\s*["']?)[^&\s"'<>,}]+`)},
	{"key", regexp.MustCompile(`(?i)(\b(?:x-)?(?:goog-)?api[ _-]?key["']?\s*:\s*["']?)[^\s"'<>,}]{6,}`)},
	{"key", regexp.MustCompile(`(?i)(\bkey provided:\s*["']?)[^\s"'<>,}]{4,}`)},
	{"authorization", regexp.MustCompile(`(?i)(\bauthorization["']?\s*:\s*["']?)[^\s"'<>,}]{6,}`)},
	{"sk-", regexp.MustCompile(`()\bsk-[A-Za-z0-9_*-]{6,}`)},
	{"aiza", regexp.MustCompile(`()\bAIza[A-Za-z0-9_-]{10,}`)},
	{"ya29.", regexp.MustCompile(`()\bya29\.[A-Za-z0-9_.-]{10,}`)},
	{"eyj", regexp.MustCompile(`()\beyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*){0,2}`)},
	{"akia", regexp.MustCompile(`()\bAKIA[A-Z0-9]{12,}`)},
	{"asia", regexp.MustCompile(`()\bASIA[A-Z0-9]{12,}`)},
	{"github_pat_", regexp.MustCompile(`()\bgithub_pat_[A-Za-z0-9_]{10,}`)},
	{"_", regexp.MustCompile(`()\b(?:gsk|hf|fw|r8|gh[pousr]|tgp_v1)_[A-Za-z0-9_*-]{12,}`)},
	{"-", regexp.MustCompile(`()\b(?:xai|pplx|csk|nvapi|ak|ms)-[A-Za-z0-9_*-]{16,}`)},
}

// scrub replaces whatever looks like a key.
func scrub(s string) string {
	if s == "" {
		return s
	}
	lower := strings.ToLower(s)
	for _, secret := range secrets {
		if strings.Contains(lower, secret.hint) {
			s = secret.form.ReplaceAllString(s, "${1}"+redacted)
		}
	}
	return s
}

// line makes one scrubbed line of at most limit bytes of s.
func line(s string, limit int) string {
	s = strings.Join(strings.Fields(head(s, 4*limit+slack)), " ")
	return cut(scrub(s), limit)
}

// head returns at most the first n bytes of s, as valid UTF-8.
func head(s string, n int) string {
	if len(s) > n {
		s = s[:n]
		for len(s) > 0 {
			if r, size := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || size != 1 {
				break
			}
			s = s[:len(s)-1]
		}
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// cut is head with a mark where something was cut off.
func cut(s string, n int) string {
	if len(s) <= n {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return head(s, n-len(ellipsis)) + ellipsis
}
