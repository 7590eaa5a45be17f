package failure_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/strata-go/strata/failure"
)

const month = 31 * 24 * time.Hour

var key = regexp.MustCompile(`\bsk-0123456789`)

// checkError reports what no Error may be, whatever it was made of.
func checkError(t *testing.T, e *failure.Error) {
	t.Helper()
	if _, err := failure.ParseKind(string(e.Kind)); err != nil {
		t.Errorf("kind: %v", err)
	}
	if e.RetryAfter < 0 || e.RetryAfter > month {
		t.Errorf("wait of %v", e.RetryAfter)
	}
	if len(e.Body) > failure.MaxBody || len(e.Message) > 500 || strings.ContainsAny(e.Message, "\r\n") {
		t.Errorf("%d bytes of body, message %q", len(e.Body), e.Message)
	}
	if !utf8.ValidString(e.Body) || !utf8.ValidString(e.Message) || !utf8.ValidString(e.Code) {
		t.Errorf("not UTF-8: %q %q", e.Code, e.Message)
	}
	if key.MatchString(e.Body) || key.MatchString(e.Message) || key.MatchString(e.Code) {
		t.Errorf("a key is kept: %q %q", e.Message, e.Body)
	}
}

func FuzzClassify(f *testing.F) {
	for _, body := range []string{
		`{"error":{"code":"insufficient_quota","message":"no"}}`, `[{"error":{"code":503,"status":"UNAVAILABLE"}}]`, "data: {\"error\":\"no\"}\n\n",
		`{"error":{"message":"{\"error\":{\"message\":\"deep\"}}"}}`, "<html><title>502</title></html>", `{"throttlingException":{"message":"no"}}`,
		"\xff\xfe{", `{"error":`, `{"detail":[{"msg":"input_value='rate limit'"}]}`, "Limit 10, Requested 20", `{"message":"key sk-0123456789"}`,
		`<?xml version="1.0"?><Code>A</Code>`, `{"error":{"resets_at":1e300,"retry_after":-1}}`, "请在 20 秒后重试", "{'error': {'code': 'x'}}",
	} {
		f.Add(429, "", "", body, false)
		f.Add(200, "rate_limit_error", "try again in 1m26.4s", body, true)
	}
	f.Fuzz(func(t *testing.T, status int, code, message, body string, inStream bool) {
		start := time.Now()
		e := failure.Classify(failure.Error{Status: status, Code: code, Message: message, Body: body, InStream: inStream})
		checkError(t, e)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("took %v for %d bytes", took, len(body))
		}
		again := failure.Classify(*e)
		if again.Kind != e.Kind || e.RetryAfter > 0 && again.RetryAfter != e.RetryAfter {
			t.Errorf("classified again: %s %v, was %s %v", again.Kind, again.RetryAfter, e.Kind, e.RetryAfter)
		}
		_ = e.Error()
	})
}

func FuzzRetryAfter(f *testing.F) {
	for _, value := range []string{"7", "0.5", "-1", "NaN", "1e100", "Fri, 31 Dec 1999 23:59:59 GMT", "1m26.4s", "2000-01-01T00:00:00Z", "946684815500", "", "0x10", "1_0"} {
		f.Add("retry-after", value, "try again in "+value)
		f.Add("retry-after-ms", value, "Please retry after "+value+" seconds")
		f.Add("x-ratelimit-reset", value, `{"error":{"resets_at":`+value+`,"retryDelay":"`+value+`"}}`)
	}
	f.Fuzz(func(t *testing.T, name, value, body string) {
		h := http.Header{name: {value}, "X-Ratelimit-Remaining-Requests": {"0"}, "X-Ratelimit-Reset-Requests": {value}}
		checkError(t, failure.Classify(failure.Error{Status: 429, Headers: h, Body: body}))
	})
}
