package failure_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata/failure"
)

// TestRetryAfter has every source of a wait, their order, and what is not
// believed. The clock stands at 2000-01-01T00:00:00Z.
func TestRetryAfter(t *testing.T) {
	const epoch = "946684800" // now
	type headers map[string]string
	tests := []struct {
		name    string
		status  int // 0: 429
		headers headers
		body    string
		want    time.Duration
	}{
		{"nothing", 0, nil, "", 0},
		{"milliseconds", 0, headers{"retry-after-ms": "1500"}, "", 1500 * time.Millisecond},
		{"fractions of milliseconds", 0, headers{"retry-after-ms": "0.5"}, "", 500 * time.Microsecond},
		{"azure's milliseconds", 0, headers{"x-ms-retry-after-ms": "250"}, "", 250 * time.Millisecond},
		{"seconds", 0, headers{"retry-after": "7"}, "", 7 * time.Second},
		{"fractions of seconds", 0, headers{"retry-after": "2.5"}, "", 2500 * time.Millisecond},
		{"seconds with a unit", 0, headers{"retry-after": "30s"}, "", 30 * time.Second},
		{"date", 0, headers{"retry-after": "Sat, 01 Jan 2000 00:01:00 GMT"}, "", time.Minute},
		{"date of RFC 850", 0, headers{"retry-after": "Saturday, 01-Jan-00 00:01:00 GMT"}, "", time.Minute},
		{"past date", 0, headers{"retry-after": "Fri, 31 Dec 1999 23:59:00 GMT"}, "", 0},
		{"any status", 503, headers{"retry-after": "9"}, "", 9 * time.Second},

		{"milliseconds before seconds", 0, headers{"retry-after-ms": "100", "retry-after": "9"}, "", 100 * time.Millisecond},
		{"bad milliseconds", 0, headers{"retry-after-ms": "soon", "retry-after": "9"}, "", 9 * time.Second},
		{"zero milliseconds", 0, headers{"retry-after-ms": "0", "retry-after": "9"}, "", 9 * time.Second},
		{"headers before the body", 0, headers{"retry-after": "9"}, `{"error":{"message":"try again in 3s"}}`, 9 * time.Second},
		{"body where the header is zero", 0, headers{"retry-after": "0"}, `{"error":{"message":"try again in 3s"}}`, 3 * time.Second},
		{"field before prose", 0, nil, `{"error":{"message":"try again in 3s","details":[{"retryDelay":"5s"}]}}`, 5 * time.Second},
		{"prose before the bucket", 0, headers{"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "8s"}, `{"error":{"message":"try again in 3s"}}`, 3 * time.Second},

		{"a bare reset that counts seconds", 0, headers{"x-ratelimit-reset-after": "3.5"}, "", 3500 * time.Millisecond},

		{"negative", 0, headers{"retry-after": "-5"}, "", 0},
		{"not a number", 0, headers{"retry-after": "NaN"}, "", 0},
		{"infinite", 0, headers{"retry-after": "Inf"}, "", 0},
		{"absurd", 0, headers{"retry-after": "1e100"}, "", 0},
		{"31 days", 0, headers{"retry-after": "2678400"}, "", 31 * 24 * time.Hour},
		{"more than 31 days", 0, headers{"retry-after": "2678401"}, "", 0},
		{"a date in a year", 0, headers{"retry-after": "Mon, 01 Jan 2001 00:00:00 GMT"}, "", 0},
		{"words", 0, headers{"retry-after": "a while"}, "", 0},

		{"google", 0, nil, `{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.074824224s"}]}}`, 34074824224},
		{"code assist", 0, nil, `[{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","metadata":{"quotaResetDelay":"53m20.5s"}}]}}]`, 53*time.Minute + 20500*time.Millisecond},
		{"usage limit, relative before absolute", 0, nil, `{"error":{"resets_at":946684900,"resets_in_seconds":60}}`, time.Minute},
		{"usage limit, absolute", 0, nil, `{"error":{"resets_at":946684900}}`, 100 * time.Second},
		{"usage limit, past", 0, nil, `{"error":{"resets_at":946684700}}`, 0},
		{"a timestamp of RFC 3339", 0, nil, `{"error":{"reset_at":"2000-01-01T00:00:30Z"}}`, 30 * time.Second},
		{"retry_after", 0, nil, `{"error":{"message":"slow down","retry_after":12}}`, 12 * time.Second},
		{"null", 0, nil, `{"error":{"message":"slow down","retry_after":null}}`, 0},

		{"minutes and seconds", 0, nil, `{"error":{"message":"Please try again in 1m26.4s. Visit a page."}}`, 86400 * time.Millisecond},
		{"milliseconds in prose", 0, nil, `{"error":{"message":"Please try again in 6ms."}}`, 6 * time.Millisecond},
		{"retry after", 0, nil, `{"error":{"message":"Please retry after 20 seconds."}}`, 20 * time.Second},
		{"retry after one", 0, nil, `{"error":{"message":"Please retry after 1 second."}}`, time.Second},
		{"long units", 0, nil, `{"message":"Try again in 2 hours and 5 minutes"}`, 125 * time.Minute},
		{"wait", 0, nil, `{"message":"Please wait 30 seconds before retrying"}`, 30 * time.Second},
		{"reset", 0, nil, `{"message":"Your quota will reset after 1h20m."}`, 80 * time.Minute},
		{"chinese", 0, nil, `{"message":"请在 20 秒后重试"}`, 20 * time.Second},
		{"reset at a time", 0, nil, `{"message":"resets at 2000-01-01T01:00:00Z"}`, time.Hour},
		{"claude's usage limit", 0, nil, `{"message":"Claude AI usage limit reached|946685400"}`, 10 * time.Minute},
		{"plain text", 0, nil, `Too many requests, retry in 4s`, 4 * time.Second},
		{"zero", 0, nil, `{"message":"try again in 0s"}`, 0},
		{"far too long", 0, nil, `{"message":"try again in 100 days"}`, 0},
		{"how long it took is no wait", 504, nil, `{"message":"Request timed out after 60 seconds"}`, 0},
		{"a size is no wait", 0, nil, `{"message":"try again with 20 messages"}`, 0},
		{"an odd duration is no wait", 504, nil, `{"message":"timed out after -1.0 seconds"}`, 0},

		{"bucket of requests", 0, headers{"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-tokens": "100", "x-ratelimit-reset-tokens": "1s"}, "", 6 * time.Minute},
		{"bucket of tokens", 0, headers{"x-ratelimit-remaining-requests": "9", "x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "120ms"}, "", 120 * time.Millisecond},
		{"both empty: the later", 0, headers{"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6s", "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "9s"}, "", 9 * time.Second},
		{"none empty", 0, headers{"x-ratelimit-remaining-requests": "5", "x-ratelimit-reset-requests": "6m0s"}, "", 0},
		{"anthropic", 0, headers{"anthropic-ratelimit-input-tokens-remaining": "0", "anthropic-ratelimit-input-tokens-reset": "2000-01-01T00:00:42Z", "anthropic-ratelimit-requests-remaining": "3", "anthropic-ratelimit-requests-reset": "2000-01-01T00:09:00Z"}, "", 42 * time.Second},
		{"anthropic unified", 0, headers{"anthropic-ratelimit-unified-status": "rejected", "anthropic-ratelimit-unified-reset": "946688400"}, "", time.Hour},
		{"plain, seconds of the epoch", 0, headers{"x-ratelimit-remaining": "0", "x-ratelimit-reset": "946684815"}, "", 15 * time.Second},
		{"plain, milliseconds of the epoch", 0, headers{"x-ratelimit-remaining": "0", "x-ratelimit-reset": "946684815500"}, "", 15500 * time.Millisecond},
		{"plain, relative", 0, headers{"ratelimit-remaining": "0", "ratelimit-reset": "25"}, "", 25 * time.Second},
		{"plain, nothing counted", 0, headers{"x-ratelimit-reset": "25"}, "", 25 * time.Second},
		{"plain, now", 0, headers{"x-ratelimit-remaining": "0", "x-ratelimit-reset": epoch}, "", 0},
		{"cerebras", 0, headers{"x-ratelimit-remaining-tokens-minute": "0", "x-ratelimit-reset-tokens-minute": "13.27"}, "", 13270 * time.Millisecond},
		{"codex", 0, headers{"x-codex-primary-used-percent": "100", "x-codex-primary-reset-after-seconds": "90"}, "", 90 * time.Second},
		{"headers inside the body", 0, nil, `{"error":{"code":429,"metadata":{"headers":{"X-RateLimit-Remaining":"0","X-RateLimit-Reset":"946684807000"}}}}`, 7 * time.Second},
		{"a bucket on another status says nothing", 500, headers{"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "8s"}, "", 0},
	}
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range tests {
			h := http.Header{}
			for name, value := range tt.headers {
				h.Set(name, value)
			}
			if tt.status == 0 {
				tt.status = http.StatusTooManyRequests
			}
			e := failure.Classify(failure.Error{Status: tt.status, Headers: h, Body: tt.body})
			assert.Equal(t, tt.want, e.RetryAfter, tt.name)
			assert.Equal(t, tt.want, failure.RetryAfter(deep(e)), tt.name)
		}
	})
}

// A wait that is set already stays.
func TestRetryAfterGiven(t *testing.T) {
	e := failure.Classify(failure.Error{Status: 429, RetryAfter: time.Minute, Headers: http.Header{"Retry-After": {"3"}}})
	assert.Equal(t, time.Minute, e.RetryAfter)
	e = failure.Classify(failure.Error{Status: 429, RetryAfter: -time.Minute, Headers: http.Header{"Retry-After": {"3"}}})
	assert.Equal(t, 3*time.Second, e.RetryAfter, "unless nobody can believe it")
}
