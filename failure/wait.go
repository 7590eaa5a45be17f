package failure

import (
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxWait is the longest wait that is believed.
const maxWait = 31 * 24 * time.Hour

// wait is the first believable wait that the server asked for, or 0. The order is
// that of how exactly the sources speak: retry-after-ms, Retry-After (RFC 9110,
// section 10.2.3; fractions of seconds too), fields of the payload, prose, and on
// a 429 the reset header of the bucket that is empty.
func (f *facts) wait(e *Error) time.Duration {
	headers := []http.Header{e.Headers, f.headers}
	for _, h := range headers {
		for _, name := range []string{"retry-after-ms", "x-ms-retry-after-ms"} {
			if d, ok := number(h.Get(name), time.Millisecond); ok {
				return d
			}
		}
		if d, ok := retryAfter(h.Get("retry-after")); ok {
			return d
		}
	}
	if d, ok := f.stated(); ok {
		return d
	}
	if f.status == http.StatusTooManyRequests {
		for _, h := range headers {
			if d, ok := bucketReset(h); ok {
				return d
			}
		}
	}
	return 0
}

// stated is the wait that the payload asks for, in a field or in prose.
func (f *facts) stated() (time.Duration, bool) {
	if len(f.delays) > 0 {
		return f.delays[0], true
	}
	return proseWait(f.text)
}

// believable reports whether d is a wait at all.
func believable(d time.Duration) bool { return d > 0 && d <= maxWait }

// believed returns d, or 0 if it is no wait.
func believed(d time.Duration) time.Duration {
	if believable(d) {
		return d
	}
	return 0
}

// number reads a count of units.
func number(s string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(n) || n <= 0 || n > float64(maxWait/unit) {
		return 0, false
	}
	d := time.Duration(math.Round(n * float64(unit)))
	return d, believable(d)
}

// retryAfter reads the value of a Retry-After header. A unit, as in "30s", is
// not in the standard, but sent.
func retryAfter(s string) (time.Duration, bool) {
	if d, ok := number(s, time.Second); ok {
		return d, true
	}
	if d, err := time.ParseDuration(s); err == nil {
		return d, believable(d)
	}
	if t, err := http.ParseTime(s); err == nil {
		return until(t)
	}
	return 0, false
}

func until(t time.Time) (time.Duration, bool) {
	d := time.Until(t)
	return d, believable(d)
}

// moment reads a point in time, or a count of seconds if it is too small to be
// one: RFC 3339, seconds or milliseconds since 1970.
func moment(s string) (time.Duration, bool) {
	s = strings.TrimSpace(s)
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return until(t)
	}
	n, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil:
		d, err := time.ParseDuration(s)
		return d, err == nil && believable(d)
	case n > 1e14:
		return 0, false
	case n > 1e11:
		return until(time.UnixMilli(int64(n)))
	case n > 1e8:
		return until(time.Unix(int64(n), 0))
	}
	return number(s, time.Second)
}

// delayFields are the fields of a payload that state a wait, in the order in
// which they are believed, and how each is read.
var delayFields = []struct {
	name string
	read func(string) (time.Duration, bool)
}{
	{"retry_after_ms", milliseconds},
	{"retryAfterMs", milliseconds},
	{"retryDelay", moment}, // google.rpc.RetryInfo
	{"retry_delay", moment},
	{"quotaResetDelay", moment},   // google.rpc.ErrorInfo of Code Assist
	{"resets_in_seconds", moment}, // Codex
	{"retry_after_seconds", moment},
	{"retry_after", retryAfter},
	{"retryAfter", retryAfter},
	{"reset_seconds", moment},
	{"resets_at", moment},
	{"reset_at", moment},
	{"resetsAt", moment},
	{"quotaResetTimeStamp", moment},
	{"estimated_time", moment}, // Hugging Face, while a model is loading
}

func milliseconds(s string) (time.Duration, bool) { return number(s, time.Millisecond) }

// addDelays takes the waits that the fields of o state, and the headers that it
// holds.
func (f *facts) addDelays(o map[string]any) {
	for _, field := range delayFields {
		var s string
		switch v := o[field.name].(type) {
		case json.Number:
			s = v.String()
		case string:
			s = v
		}
		if s == "" {
			continue
		}
		if d, ok := field.read(s); ok {
			f.delays = append(f.delays, d)
		}
	}
	inner, _ := o["headers"].(map[string]any)
	for name, v := range inner {
		if s, ok := v.(string); ok && f.headers.Get(name) == "" {
			if f.headers == nil {
				f.headers = http.Header{}
			}
			f.headers.Set(name, s)
		}
	}
}

var (
	// asks is a request to wait, in plain text: "try again in 1m26.4s", "retry
	// after 20 seconds", "will reset after 1h20m".
	asks = regexp.MustCompile(`\b(?:again|retry|retrying|retried|wait|resets?|available) (?:again )?(?:in |after |for )?(?:about |approximately |at least |another )?` +
		`((?:\d+(?:\.\d+)?\s?(?:ms|milliseconds?|hours?|hrs?|minutes?|mins?|seconds?|secs?|days?|[dhms])\b,?(?: and)? ?|\d+(?:\.\d+)?(?:[dhms]|ms))+)`)
	asksChinese = regexp.MustCompile(`(\d+(?:\.\d+)? ?)(秒|分钟|小时)(?:之?后|再)`)
	asksAt      = regexp.MustCompile(`\b(?:resets?|again|retry|until|available) (?:at |after |until |on )?(\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d))`)
	asksEpoch   = regexp.MustCompile(`\blimit reached\|(\d{9,10})\b`)
	amount      = regexp.MustCompile(`(\d+(?:\.\d+)?)\s?(ms|milli|[dhms])`)
)

// proseWait reads the wait that plain text asks for.
func proseWait(text string) (time.Duration, bool) {
	if m := asks.FindStringSubmatch(text); m != nil {
		if d, ok := span(m[1]); ok {
			return d, true
		}
	}
	if m := asksAt.FindStringSubmatch(text); m != nil {
		if d, ok := moment(strings.ToUpper(m[1])); ok {
			return d, true
		}
	}
	if m := asksEpoch.FindStringSubmatch(text); m != nil {
		if d, ok := moment(m[1]); ok {
			return d, true
		}
	}
	if m := asksChinese.FindStringSubmatch(text); m != nil {
		return number(m[1], map[string]time.Duration{"秒": time.Second, "分钟": time.Minute, "小时": time.Hour}[m[2]])
	}
	return 0, false
}

var units = map[string]time.Duration{"ms": time.Millisecond, "milli": time.Millisecond, "s": time.Second, "m": time.Minute,
	"h": time.Hour, "d": 24 * time.Hour}

// span reads a length of time as people write it: "1m26.4s", "20 seconds", "2
// hours and 5 minutes".
func span(s string) (time.Duration, bool) {
	var sum time.Duration
	for _, m := range amount.FindAllStringSubmatch(s, 8) {
		d, ok := number(m[1], units[m[2]])
		if !ok && strings.Trim(m[1], "0.") != "" {
			return 0, false
		}
		sum += d
	}
	return sum, believable(sum)
}

// buckets are the ways in which headers say that an allowance is used up, and
// where each then says when it is filled again.
var buckets = []struct {
	mark  string // part of the header's name
	empty func(value string) bool
	reset string // takes the mark's place in the name of the reset header
}{
	{"-remaining", func(v string) bool { n, err := strconv.ParseFloat(v, 64); return err == nil && n <= 0 }, "-reset"},
	{"-status", func(v string) bool { return v == "rejected" }, "-reset"},
	{"-used-percent", func(v string) bool { n, err := strconv.ParseFloat(v, 64); return err == nil && n >= 100 }, "-reset-after-seconds"},
}

// planUsedUp reports whether headers say that the window of a plan, rather than
// a throttle, refused the call: Anthropic's unified status, Codex's used percent.
func planUsedUp(h http.Header) bool {
	if h.Get("anthropic-ratelimit-unified-status") == "rejected" {
		return true
	}
	for name := range h {
		lower := strings.ToLower(name)
		if !strings.HasPrefix(lower, "x-codex-") || !strings.HasSuffix(lower, "-used-percent") {
			continue
		}
		if n, err := strconv.ParseFloat(h.Get(name), 64); err == nil && n >= 100 {
			return true
		}
	}
	return false
}

// bucketReset is the wait until the last of the empty buckets of h is filled
// again. Where h counts nothing, a bare reset header speaks of the only bucket.
func bucketReset(h http.Header) (time.Duration, bool) {
	var longest time.Duration
	counted := false
	for _, name := range slices.Sorted(maps.Keys(h)) {
		lower := strings.ToLower(name)
		for _, b := range buckets {
			if !strings.Contains(lower, b.mark) {
				continue
			}
			counted = counted || b.mark == "-remaining"
			if !b.empty(strings.TrimSpace(h.Get(name))) {
				continue
			}
			if d, ok := moment(h.Get(strings.Replace(lower, b.mark, b.reset, 1))); ok {
				longest = max(longest, d)
			}
		}
	}
	if !counted {
		for _, name := range []string{"x-ratelimit-reset-after", "x-ratelimit-reset", "ratelimit-reset", "x-rate-limit-reset"} {
			if d, ok := moment(h.Get(name)); ok {
				return d, true
			}
		}
	}
	return longest, longest > 0
}
