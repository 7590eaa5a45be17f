package failure_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/failure"
)

// TestClassifyStatus has what a status means where the body says nothing.
func TestClassifyStatus(t *testing.T) {
	tests := map[failure.Kind][]int{
		failure.Timeout:  {408, 504, 522, 524},
		failure.Overload: {409, 425, 500, 501, 502, 503, 505, 520, 521, 523, 529, 530, 599},
		failure.Rate:     {429},
		failure.Quota:    {402},
		failure.Auth:     {401, 403},
		failure.Context:  {413},
		failure.Invalid:  {400, 404, 405, 406, 410, 411, 415, 418, 422, 424, 426, 431, 451, 499},
		failure.Unknown:  {0, 204, 301, 304},
	}
	for want, statuses := range tests {
		for _, status := range statuses {
			assert.Equal(t, want, failure.Classify(failure.Error{Status: status}).Kind, "%d", status)
			assert.Equal(t, want, failure.Classify(failure.Error{Status: status, Body: `{"error":{"message":"Sorry."}}`}).Kind, "%d with a body", status)
		}
	}
	named := failure.Classify(failure.Error{Status: 404, Body: `{"message":"no such thing as the model x"}`})
	assert.Equal(t, failure.Model, named.Kind)
}

// TestClassifyPlanHeaders has windows of a plan of which headers alone tell that
// they are used up.
func TestClassifyPlanHeaders(t *testing.T) {
	for _, tt := range []struct {
		name, header, value string
		status              int
		want                failure.Kind
	}{
		{"claude, rejected", "Anthropic-Ratelimit-Unified-Status", "rejected", 429, failure.Quota},
		{"claude, allowed", "Anthropic-Ratelimit-Unified-Status", "allowed", 429, failure.Rate},
		{"claude, no overage", "Anthropic-Ratelimit-Unified-Overage-Status", "rejected", 429, failure.Rate},
		{"codex, all", "X-Codex-Primary-Used-Percent", "100", 429, failure.Quota},
		{"codex, some", "X-Codex-Primary-Used-Percent", "99", 429, failure.Rate},
		{"codex, not a throttle", "X-Codex-Primary-Used-Percent", "100", 503, failure.Overload},
	} {
		e := failure.Classify(failure.Error{Status: tt.status, Headers: http.Header{tt.header: {tt.value}}, Body: `{"error":{"message":"no"}}`})
		assert.Equal(t, tt.want, e.Kind, tt.name)
	}
}

// TestClassifyInStream has errors inside a stream that began well.
func TestClassifyInStream(t *testing.T) {
	tests := []struct {
		name string
		in   failure.Error
		want failure.Kind
	}{
		{"status 200 says it", failure.Error{Status: 200, Body: `{"error":{"message":"hiccup"}}`}, failure.Overload},
		{"the flag says it", failure.Error{InStream: true, Message: "hiccup"}, failure.Overload},
		{"a code alone", failure.Error{Status: 200, Code: "overloaded_error"}, failure.Overload},
		{"a message alone", failure.Error{Status: 200, Message: "This model's maximum context length is 8192 tokens"}, failure.Context},
		{"a status in the payload", failure.Error{Status: 200, Body: `{"error":{"code":401,"message":"no"}}`}, failure.Auth},
		{"a name of a status", failure.Error{Status: 200, Code: "invalid_request_error"}, failure.Invalid},
		{"the caller left", failure.Error{Status: 200, Err: context.Canceled}, failure.Aborted},
		{"the connection broke", failure.Error{Status: 200, Err: io.ErrUnexpectedEOF}, failure.Network},
		{"nothing at all", failure.Error{Status: 200}, failure.Overload},
	}
	for _, tt := range tests {
		e := failure.Classify(tt.in)
		assert.Equal(t, tt.want, e.Kind, tt.name)
		assert.True(t, e.InStream, tt.name)
	}
}

// TestClassifyCause has failures that got no response.
func TestClassifyCause(t *testing.T) {
	assert.Equal(t, failure.Network, failure.Classify(failure.Error{Err: io.ErrUnexpectedEOF}).Kind)
	assert.Equal(t, failure.Aborted, failure.Classify(failure.Error{Err: deep(context.Canceled)}).Kind)
	assert.Equal(t, failure.Timeout, failure.Classify(failure.Error{Err: context.DeadlineExceeded}).Kind)
	assert.Equal(t, failure.Rate, failure.Classify(failure.Error{Status: 429, Err: io.ErrUnexpectedEOF}).Kind, "the status says more")
	assert.Equal(t, failure.Unknown, failure.Classify(failure.Error{}).Kind)
}

// TestClassifyFills has the code and the message that are found in bodies.
func TestClassifyFills(t *testing.T) {
	tests := []struct {
		name, body, code, message string
	}{
		{"openai", `{"error":{"message":"No.","type":"invalid_request_error","param":null,"code":"context_length_exceeded"}}`, "context_length_exceeded", "No."},
		{"openai without a code", `{"error":{"message":"No.","type":"server_error","code":null}}`, "server_error", "No."},
		{"anthropic", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, "overloaded_error", "Overloaded"},
		{"google", `{"error":{"code":400,"message":"No.","status":"INVALID_ARGUMENT"}}`, "INVALID_ARGUMENT", "No."},
		{"google, streamed", `[{"error":{"code":503,"message":"No.","status":"UNAVAILABLE"}}]`, "UNAVAILABLE", "No."},
		{"a string", `{"error":"No."}`, "", "No."},
		{"a message", `{"message":"No."}`, "", "No."},
		{"a detail", `{"detail":"No."}`, "", "No."},
		{"details", `{"detail":[{"type":"missing","loc":["body"],"msg":"Field required"}]}`, "missing", "Field required"},
		{"errors", `{"errors":[{"message":"No.","code":4006}],"success":false}`, "4006", "No."},
		{"response failed", `{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"No."}}}`, "server_error", "No."},
		{"flat event", `{"type":"error","code":"rate_limit_exceeded","message":"No."}`, "rate_limit_exceeded", "No."},
		{"bedrock", `{"__type":"com.amazon.coral.service#ThrottlingException","message":"No."}`, "ThrottlingException", "No."},
		{"bedrock event", `{"throttlingException":{"message":"No."}}`, "throttlingException", "No."},
		{"zhipu", `{"error":{"code":"1302","message":"No."}}`, "1302", "No."},
		{"only a status", `{"error":{"code":429,"message":"No."}}`, "429", "No."},
		{"message that is JSON", `{"error":{"code":503,"message":"{\"error\":{\"code\":503,\"message\":\"No.\",\"status\":\"UNAVAILABLE\"}}"}}`, "UNAVAILABLE", "No."},
		{"JSON behind a prefix", `{"error":{"message":"AnthropicException - b'{\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"No.\"}}'"}}`, "api_error", "No."},
		{"event stream", "event: error\ndata: {\"error\":{\"type\":\"api_error\",\"message\":\"No.\"}}\n\n", "api_error", "No."},
		{"lines of JSON", "{\"response\":\"Hi\"}\n{\"error\":\"No.\"}\n", "", "No."},
		{"page", "<html><head><title>502 Bad\n Gateway</title></head><body>long</body></html>", "", "502 Bad Gateway"},
		{"a JSON string", `"No."`, "", "No."},
		{"a page that holds code", "<!doctype html><title>No.</title><code>x</code>", "", "No."},
		{"xml", "<Error><Code>AccessDenied</Code><Message>No.</Message></Error>", "AccessDenied", "No."},
		{"the end of a stream", "data: {\"error\":{\"message\":\"No.\"}}\n\ndata: [DONE]\n", "", "No."},
		{"JSON behind braces", `{x} failed: {"error":{"message":"No."}}`, "", "No."},
		{"text", "  no \n\t way ", "", "no way"},
		{"cut off", `{"error":{"type":"api_error","message":"No.","stack":"abc`, "api_error", "No."},
		{"neither", `{"ok":false}`, "", ""},
	}
	for _, tt := range tests {
		e := failure.Classify(failure.Error{Status: 400, Body: tt.body})
		assert.Equal(t, tt.code, e.Code, tt.name)
		assert.Equal(t, tt.message, e.Message, tt.name)
	}
	given := failure.Classify(failure.Error{Status: 400, Code: "mine", Message: "my words", Kind: failure.Content, Body: tests[0].body})
	assert.Equal(t, []string{"mine", "my words", "content"}, []string{given.Code, given.Message, string(given.Kind)})
	amazon := failure.Classify(failure.Error{Status: 400, Headers: http.Header{"X-Amzn-Errortype": {"ValidationException:http://x/"}}, Body: `{"message":"No."}`})
	assert.Equal(t, "ValidationException", amazon.Code)
}

// TestClassifyBounds has what an Error keeps of a failure: no keys, not much.
func TestClassifyBounds(t *testing.T) {
	secrets := []string{
		"sk-proj-abcdefghijklmnop", "sk-ant-api03-abc_def-ghi", "AIzaSyA1234567890abcdefghijklm", "gsk_abcdefghijklmnop1234",
		"hf_abcdefghijklmnopqrst", "xai-abcdefghijklmnopqrstuvwxyz", "ghu_abcdefghijklmnop1234", "AKIAIOSFODNN7EXAMPLE",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghij", "ya29.abcdefghijklmnop",
	}
	for _, secret := range secrets {
		text := "Incorrect key: " + secret + ". Try another."
		e := failure.Classify(failure.Error{Status: 401, Message: text, Body: text, Code: "bad " + secret})
		for _, kept := range []string{e.Message, e.Body, e.Code, e.Error()} {
			assert.NotContains(t, kept, secret)
		}
		assert.Contains(t, e.Message, "Try another")
	}
	for text, secret := range map[string]string{
		"Bearer abcdef.123456 was refused":                "abcdef.123456",
		"GET https://x.example/v1?key=abc123&alt=sse":     "abc123",
		"GET https://x.example/v1?api_key=abc123&alt=sse": "abc123",
		"Incorrect API key provided: my-own-key.":         "my-own-key",
		`{"x-api-key": "my-own-key"}`:                     "my-own-key",
		`{"client_secret":"hush"}`:                        "hush",
	} {
		assert.NotContains(t, failure.Classify(failure.Error{Message: text}).Message, secret)
	}
	cause := failure.Classify(failure.Error{Status: 500, Err: &http.ProtocolError{ErrorString: "?key=abc123"}})
	assert.NotContains(t, cause.Error(), "abc123", "a cause is printed without keys")

	for _, body := range []string{strings.Repeat("x", 100_000), strings.Repeat("é", 50_000), strings.Repeat("\xff", 100_000)} {
		e := failure.Classify(failure.Error{Status: 500, Message: body, Body: body})
		assert.LessOrEqual(t, len(e.Body), failure.MaxBody)
		assert.LessOrEqual(t, len(e.Message), 500)
		assert.True(t, utf8.ValidString(e.Body) && utf8.ValidString(e.Message))
	}
	for _, echo := range []string{
		`{"detail":[{"msg":"Field required","input":"my diary"}]}`, `{"error":{"message":"flagged","metadata":{"flagged_input": "my diary"}}}`,
		`{"error":{"message":"invalid messages [input_value='my diary', input_type=str]"}}`, `{"error":{"message":"bad"},"messages":[{"content":[{"text":"my diary`,
	} {
		e := failure.Classify(failure.Error{Status: 422, Body: echo})
		assert.NotContains(t, e.Body+e.Message+e.Error(), "my diary")
	}
	straddling := failure.Classify(failure.Error{Body: strings.Repeat("x ", failure.MaxBody/2-6) + "sk-abcdefghijklmnopqrstuvwxyz"})
	assert.NotContains(t, straddling.Body, "sk-abc", "a key that the cut goes through")

	behind := failure.Classify(failure.Error{Status: 400, Body: `{"stack":"` + strings.Repeat("x", 30_000) + `","error":{"code":"context_length_exceeded"}}`})
	assert.Equal(t, failure.Context, behind.Kind, "evidence is looked for beyond what is kept")
	assert.NotContains(t, failure.Classify(failure.Error{Message: "two\nlines"}).Message, "\n")
}

func TestScrubHeaders(t *testing.T) {
	in := http.Header{
		"Authorization": {"Bearer x"}, "Proxy-Authorization": {"x"}, "Cookie": {"x"}, "Set-Cookie": {"x"}, "Api-Key": {"x"}, "X-Api-Key": {"x"},
		"X-Goog-Api-Key": {"x"}, "X-Amz-Security-Token": {"x"}, "Ocp-Apim-Subscription-Key": {"x"},
		"retry-after": {"3"}, "X-Ratelimit-Remaining-Tokens": {"0"}, "X-Request-Id": {"r"}, "X-Should-Retry": {"false"},
	}
	kept := http.Header{"Retry-After": {"3"}, "X-Ratelimit-Remaining-Tokens": {"0"}, "X-Request-Id": {"r"}, "X-Should-Retry": {"false"}}
	assert.Equal(t, kept, failure.ScrubHeaders(in))
	assert.Nil(t, failure.ScrubHeaders(nil))

	e := failure.Classify(failure.Error{Status: 503, Headers: in})
	assert.Equal(t, kept, e.Headers)
	assert.Equal(t, 3*time.Second, e.RetryAfter, "whatever the case of its name")
	assert.False(t, failure.Transient(e), "x-should-retry: false")
	assert.Contains(t, in, "Authorization", "the caller's own are left alone")
}

// A body of a mebibyte takes no longer than one of what is read of it: the time
// is bounded, not only linear.
func TestClassifyLargeBodies(t *testing.T) {
	shapes := map[string]string{
		"nested arrays": "[", "nested objects": `{"error":`, "strings": `{"error":"{`, "quotes": `"content":'`, "spaces": " ", "tags": "<h1>",
		"phrases": "maximum max_tokens exceed ", "links": "https://", "numbers": "try again in 1m", "messages": `{"message":"x"},`,
		"data": "data: {\n", "keys": "sk-", "events": ": ", "escapes": `\"{`, "limits": "limit 1 requested ",
	}
	for name, shape := range shapes {
		body := strings.Repeat(shape, 1<<20/len(shape))
		for _, prefix := range []string{"", "{", "[", "<html>", `{"error":{"message":"`} {
			start := time.Now()
			e := failure.Classify(failure.Error{Status: 400, Body: prefix + body})
			require.NotEmpty(t, e.Kind)
			assert.Less(t, time.Since(start), 2*time.Second, "%s after %q", name, prefix)
		}
	}
}
