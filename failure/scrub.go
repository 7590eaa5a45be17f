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

// A secret is a form of key. Text with such a key has one of the hints in it, in
// lower case: the expression runs only where one is found. What its first group
// matches is kept.
type secret struct {
	hints []string
	form  *regexp.Regexp
}

var secrets = []secret{
	form("bearer", `(?i)(\bbearer\s+)[a-z0-9._~+/=*-]{6,}`),
	form("basic", `(?i)(\bbasic\s+)[a-z0-9+/=]{12,}`),
	form("key=|token=|sig=|signature=", `(?i)((?:key|token|sig|signature)=)[^&\s"'<>]+`),
	form("api key|api_key|api-key|apikey", `(?i)(\bapi[ _-]?key\\?["']?\s*:\s*\\?["']?)[^\s"'<>,}\\]{6,}`),
	form("secret", `(?i)(secret\\?["']?\s*[=:]\s*\\?["']?)[^&\s"'<>,}\\]+`),
	form("provided:", `(?i)(\bkey provided:\s*\\?["']?)[^\s"'<>,}\\]{4,}`),
	form("authorization", `(?i)(\bauthorization\\?["']?\s*:\s*\\?["']?)[^\s"'<>,}\\]{6,}`),
	form("sk-", `\bsk-[A-Za-z0-9_*-]{6,}`),
	form("aiza", `\bAIza[A-Za-z0-9_-]{10,}`),
	form("ya29.", `\bya29\.[A-Za-z0-9_.-]{10,}`),
	form("eyj", `\beyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*){0,2}`),
	form("akia|asia", `\b(?:AKIA|ASIA)[A-Z0-9]{12,}`),
	form("github_pat_", `\bgithub_pat_[A-Za-z0-9_]{10,}`),
	form("gsk_|hf_|fw_|r8_|ghp_|gho_|ghu_|ghs_|ghr_|tgp_v1_", `\b(?:gsk|hf|fw|r8|gh[pousr]|tgp_v1)_[A-Za-z0-9_*-]{12,}`),
	form("xai-|pplx-|csk-|nvapi-|ak-", `\b(?:xai|pplx|csk|nvapi|ak)-[A-Za-z0-9_*-]{16,}`),
}

func form(hints, expr string) secret {
	return secret{strings.Split(hints, "|"), regexp.MustCompile(expr)}
}

// scrub replaces whatever looks like a key.
func scrub(s string) string {
	if s == "" {
		return s
	}
	lower := strings.ToLower(s)
	for _, secret := range secrets {
		if slices.ContainsFunc(secret.hints, func(hint string) bool { return strings.Contains(lower, hint) }) {
			with := redacted
			if secret.form.NumSubexp() > 0 {
				with = "${1}" + redacted
			}
			s = secret.form.ReplaceAllString(s, with)
		}
	}
	return s
}

// line makes one scrubbed line of at most limit bytes of s, without the user's
// own words.
func line(s string, limit int) string {
	s = strings.Join(strings.Fields(mute(head(s, 4*limit+slack))), " ")
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
