package failure_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/strata-go/strata/failure"
)

// typical is a payload of about 1 KiB: a quota of Gemini's in full.
const typical = `{
  "error": {
    "code": 429,
    "message": "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.example.com/docs/rate-limits.\n* Quota exceeded for metric: example.com/free_tier_requests, limit: 5, model: m\nPlease retry in 58.2s.",
    "status": "RESOURCE_EXHAUSTED",
    "details": [
      {"@type": "type.googleapis.com/google.rpc.Help", "links": [{"description": "Learn more about quotas", "url": "https://ai.example.com/docs/rate-limits"}]},
      {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [
          {
            "quotaMetric": "example.com/free_tier_requests",
            "quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier",
            "quotaDimensions": {"location": "global", "model": "m"},
            "quotaValue": "5"
          }
        ]
      },
      {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "58s"}
    ]
  }
}`

// BenchmarkClassify is to be read beside a bare decode of the same JSON.
func BenchmarkClassify(b *testing.B) {
	headers := http.Header{"Content-Type": {"application/json"}, "Date": {"Sat, 01 Jan 2000 00:00:00 GMT"}, "X-Request-Id": {"r"}}
	b.Run("decode", func(b *testing.B) {
		b.SetBytes(int64(len(typical)))
		for b.Loop() {
			var v any
			if err := json.Unmarshal([]byte(typical), &v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("classify", func(b *testing.B) {
		b.SetBytes(int64(len(typical)))
		b.ReportAllocs()
		for b.Loop() {
			if e := failure.Classify(failure.Error{Status: 429, Headers: headers, Body: typical}); e.Kind != failure.Rate {
				b.Fatal(e)
			}
		}
	})
}
