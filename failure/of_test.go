package failure_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// walk is an error over several attempts.
type walk struct{ attempts []error }

func (w walk) Error() string   { return "all attempts failed" }
func (w walk) Unwrap() []error { return w.attempts }
func (w walk) Last() error     { return w.attempts[len(w.attempts)-1] }
func (w walk) Is(target error) bool {
	for _, e := range w.attempts {
		if errors.Is(e, target) {
			return true
		}
	}
	return false
}

func TestOf(t *testing.T) {
	rate := failure.Classify(failure.Error{Status: 429})
	tests := []struct {
		name string
		err  error
		want failure.Kind
	}{
		{"nil", nil, failure.Unknown},
		{"an Error", rate, failure.Rate},
		{"an Error without a kind", &failure.Error{Status: 429}, failure.Unknown},
		{"a deadline of a layer", &failure.TimeoutError{Below: context.Canceled}, failure.Timeout},
		{"cancelled", context.Canceled, failure.Aborted},
		{"expired", context.DeadlineExceeded, failure.Timeout},
		{"deadline of a connection", os.ErrDeadlineExceeded, failure.Timeout},
		{"an Error over a cancel", &failure.Error{Kind: failure.Overload, Err: context.Canceled}, failure.Overload},
		{"permanent", backoff.Permanent(rate), failure.Rate},
		{"a walk: the last attempt", walk{[]error{context.Canceled, rate}}, failure.Rate},
		{"a walk that was cancelled", walk{[]error{rate, context.Canceled}}, failure.Aborted},
		{"a walk that ended in something else", walk{[]error{rate, context.Canceled, errors.New("kaboom")}}, failure.Unknown},

		{"reset", &net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}, failure.Network},
		{"errno reset", syscall.ECONNRESET, failure.Network},
		{"errno refused", syscall.ECONNREFUSED, failure.Network},
		{"errno pipe", syscall.EPIPE, failure.Network},
		{"errno no network", syscall.ENETUNREACH, failure.Network},
		{"errno no route", syscall.EHOSTUNREACH, failure.Network},
		{"errno timed out", syscall.ETIMEDOUT, failure.Timeout},
		{"no such host", &net.DNSError{Err: "no such host", IsNotFound: true}, failure.Network},
		{"slow name server", &net.DNSError{Err: "i/o timeout", IsTimeout: true}, failure.Timeout},
		{"closed connection", net.ErrClosed, failure.Network},
		{"cut off", io.ErrUnexpectedEOF, failure.Network},
		{"end of file from a client", &url.Error{Op: "Post", URL: "https://x.example", Err: io.EOF}, failure.Network},
		{"TLS alert", tls.AlertError(40), failure.Network},
		{"not TLS", tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"}, failure.Network},
		{"certificate", &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, failure.Network},
		{"host name", x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x.example"}, failure.Network},
		{"HTTP for HTTPS", http.ErrSchemeMismatch, failure.Network},

		{"text: idle connection", errors.New("http: server closed idle connection"), failure.Network},
		{"text: GOAWAY", errors.New(`http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode=NO_ERROR, debug=""`), failure.Network},
		{"text: refused stream", errors.New("stream error: stream ID 5; REFUSED_STREAM; received from peer"), failure.Network},
		{"text: response headers", errors.New("net/http: timeout awaiting response headers"), failure.Timeout},
		{"text: TLS handshake", errors.New("net/http: TLS handshake timeout"), failure.Timeout},
		{"text: cancelled", errors.New(`Post "https://x.example/v1": context canceled`), failure.Aborted},
		{"text: end of file", errors.New(`Post "https://x.example/v1": EOF`), failure.Network},
		{"text: broken transport", errors.New("net/http: HTTP/1.x transport connection broken: malformed MIME header line"), failure.Network},
		{"text: status and body", errors.New(`POST "https://x.example/v1": 429 Too Many Requests {"message":"You exceeded your current quota","type":"insufficient_quota"}`), failure.Quota},
		{"text: status code", errors.New("error, status code: 503, message: not now"), failure.Overload},
		{"text: no body", errors.New("413 status code (no body)"), failure.Context},
		{"text: status", errors.New("Request failed with status 402"), failure.Quota},
		{"text: googleapi", errors.New("googleapi: Error 429: slow, rateLimitExceeded"), failure.Rate},
		{"text: genai", errors.New("Error 404, Message: models/x is not found, Status: NOT_FOUND, Details: []"), failure.Model},
		{"text: python", errors.New("Error code: 400 - {'error': {'code': 'context_length_exceeded'}}"), failure.Context},
		{"text: AWS", errors.New("operation error Bedrock Runtime: ConverseStream, https response error StatusCode: 429, RequestID: r, ThrottlingException: Too many tokens, please wait before trying again."), failure.Rate},
		{"text: gRPC", errors.New("rpc error: code = ResourceExhausted desc = later"), failure.Rate},
		{"text: gRPC unavailable", errors.New("rpc error: code = Unavailable desc = connection error"), failure.Overload},
		{"text: event of a stream", errors.New(`received error while streaming: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), failure.Overload},
		{"text: code", errors.New("anthropic: overloaded_error: Overloaded"), failure.Overload},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, failure.Of(tt.err), tt.name)
		if tt.err != nil {
			assert.Equal(t, tt.want, failure.Of(deep(tt.err)), tt.name+", wrapped ten deep")
		}
	}
}

// TestOfCallersOwn has errors that no provider and no transport made.
func TestOfCallersOwn(t *testing.T) {
	_, file := os.Open("no/such/file")
	_, number := strconv.Atoi("x")
	_, ip := net.ResolveTCPAddr("tcp", "nonsense")
	errs := []error{
		errors.New("kaboom"), errors.New("invalid user"), errors.New("unauthorized user 12"), errors.New("quota of 5 widgets exceeded"),
		errors.New("the timeout must be positive"), errors.New("rate limit of our own"), errors.New("model is nil"), errors.New("order 429 not found"),
		errors.New("rate_limit must be positive"), errors.New("row 404 Smith"), errors.New("my_own_error: too many requests"),
		io.EOF, io.ErrClosedPipe, fs.ErrNotExist, syscall.ENOENT, file, number, ip,
		json.Unmarshal([]byte("{"), &struct{}{}), json.Unmarshal([]byte(`"x"`), new(int)),
		&fs.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE},
		&codeError{Code: 404}, &codeError{Code: 3}, (*statusError)(nil),
	}
	for _, err := range errs {
		assert.Equal(t, failure.Unknown, failure.Of(err), "%T %v", err, err)
		assert.Equal(t, failure.Unknown, failure.Of(deep(err)), "%T %v", err, err)
		assert.Zero(t, failure.RetryAfter(err), "%T %v", err, err)
	}
}

// codeError is somebody's own: a number named Code says nothing.
type codeError struct{ Code int }

func (e *codeError) Error() string { return "code " + strconv.Itoa(e.Code) }

// The errors of SDKs, by their shapes.
type (
	statusError struct { // openai-go, anthropic-sdk-go
		StatusCode int
		Response   *http.Response
		JSON       string
	}
	apiError struct { // go-openai
		Code           any
		Message, Type  string
		HTTPStatusCode int
	}
	googleError struct { // googleapi, genai
		Code          int
		Message, Body string
		Header        http.Header
	}
	httpError struct{ *embedded } // smithy-go: the status in an embedded response
	embedded  struct {
		Response *struct{ *http.Response }
		Err      error
	}
	smithyError struct{ code, message string }
	bodyError   struct { // go-openai's RequestError, a fiber-like client
		HTTPStatusCode int
		Body           []byte
	}
	grpcError  struct{ code grpcCode }
	grpcStatus struct{ code grpcCode }
	grpcCode   uint32
	ollama     struct {
		StatusCode           int
		Status, ErrorMessage string
	}
	panicking struct{ error }
	hinted    struct {
		StatusCode int
		RetryAfter time.Duration
	}
)

func (e *statusError) Error() string         { return "request failed" }
func (e *statusError) RawJSON() string       { return e.JSON }
func (e *apiError) Error() string            { return e.Message }
func (e *googleError) Error() string         { return e.Message }
func (e *httpError) Error() string           { return "https response error" }
func (e *httpError) Unwrap() error           { return e.Err }
func (e *embedded) HTTPStatusCode() int      { return e.Response.StatusCode }
func (e *smithyError) Error() string         { return e.code + ": " + e.message }
func (e *smithyError) ErrorCode() string     { return e.code }
func (e *smithyError) ErrorMessage() string  { return e.message }
func (e *bodyError) Error() string           { return "body" }
func (e *grpcError) Error() string           { return "remote" }
func (e *grpcError) GRPCStatus() *grpcStatus { return &grpcStatus{e.code} }
func (s *grpcStatus) Code() grpcCode         { return s.code }
func (s *grpcStatus) Message() string        { return "try later" }
func (c grpcCode) String() string {
	return map[grpcCode]string{8: "ResourceExhausted", 14: "Unavailable", 16: "Unauthenticated"}[c]
}
func (e *ollama) Error() string   { return e.Status }
func (panicking) Error() string   { return "odd" }
func (panicking) StatusCode() int { panic("no status") }
func (e *hinted) Error() string   { return "hinted" }

func TestOfSDKs(t *testing.T) {
	response := func(status int, headers ...string) *http.Response {
		r := &http.Response{StatusCode: status, Header: http.Header{}}
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		return r
	}
	aws := func(status int, code, message string) error {
		return &httpError{&embedded{Response: &struct{ *http.Response }{response(status, "retry-after", "4")}, Err: &smithyError{code, message}}}
	}
	tests := []struct {
		name string
		err  error
		want failure.Kind
		wait time.Duration
	}{
		{"status and response", &statusError{StatusCode: 429, Response: response(429, "retry-after-ms", "1500"), JSON: `{"message":"slow down","type":"requests"}`}, failure.Rate, 1500 * time.Millisecond},
		{"what the JSON says", &statusError{StatusCode: 429, JSON: `{"message":"no","code":"insufficient_quota"}`}, failure.Quota, 0},
		{"a wrapped JSON", &statusError{StatusCode: 529, JSON: `{"type":"error","error":{"type":"overloaded_error"}}`}, failure.Overload, 0},
		{"go-openai", &apiError{Code: "context_length_exceeded", Message: "too much", HTTPStatusCode: 400}, failure.Context, 0},
		{"go-openai with a number", &apiError{Code: 429, Message: "try again in 2s", HTTPStatusCode: 429}, failure.Rate, 2 * time.Second},
		{"googleapi", &googleError{Code: 429, Message: "quota", Body: `{"error":{"details":[{"retryDelay":"7s"}]}}`}, failure.Rate, 7 * time.Second},
		{"googleapi with headers", &googleError{Code: 503, Message: "no", Header: http.Header{"Retry-After": {"3"}}}, failure.Overload, 3 * time.Second},
		{"aws throttle", aws(429, "ThrottlingException", "Too many tokens per day"), failure.Quota, 4 * time.Second},
		{"aws denial", aws(403, "AccessDeniedException", "no"), failure.Entitlement, 4 * time.Second},
		{"aws in a stream", &smithyError{"ServiceUnavailableException", "no"}, failure.Overload, 0},
		{"a body of bytes", &bodyError{404, []byte(`{"error":{"message":"The model x does not exist"}}`)}, failure.Model, 0},
		{"grpc", &grpcError{8}, failure.Rate, 0},
		{"grpc unavailable", &grpcError{14}, failure.Overload, 0},
		{"grpc unauthenticated", &grpcError{16}, failure.Auth, 0},
		{"ollama", &ollama{404, "404 Not Found", "model 'x' not found"}, failure.Model, 0},
		{"a wait of its own", &hinted{503, 5 * time.Second}, failure.Overload, 5 * time.Second},
		{"a negative wait", &hinted{503, -5 * time.Second}, failure.Overload, 0},
		{"one that panics", panicking{}, failure.Unknown, 0},
		{"over a walk", walk{[]error{&statusError{StatusCode: 400}, &statusError{StatusCode: 429}}}, failure.Rate, 0},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, failure.Of(tt.err), tt.name)
		assert.Equal(t, tt.want, failure.Of(deep(tt.err)), tt.name)
		assert.Equal(t, tt.wait, failure.RetryAfter(deep(tt.err)), tt.name)
	}
}

func TestFromSDK(t *testing.T) {
	e, ok := failure.FromSDK(deep(&statusError{StatusCode: 503, JSON: `{"error":{"type":"overloaded_error","message":"busy"}}`,
		Response: &http.Response{StatusCode: 503, Header: http.Header{"X-Should-Retry": {"false"}}}}))
	assert.True(t, ok)
	assert.Equal(t, failure.Overload, e.Kind)
	assert.Equal(t, 503, e.Status)
	assert.Equal(t, "busy", e.Message)
	assert.False(t, failure.Transient(e), "the server said so")
	assert.Nil(t, e.Err)

	_, ok = failure.FromSDK(errors.New("kaboom"))
	assert.False(t, ok)
}

func TestTransient(t *testing.T) {
	should := func(value string, kind failure.Kind) error {
		return failure.Classify(failure.Error{Kind: kind, Headers: http.Header{"X-Should-Retry": {value}}})
	}
	assert.True(t, failure.Transient(should("true", failure.Invalid)))
	assert.False(t, failure.Transient(should("false", failure.Overload)))
	assert.True(t, failure.Transient(should("perhaps", failure.Overload)))
	assert.False(t, failure.Transient(backoff.Permanent(should("true", failure.Overload))))
	assert.True(t, failure.Transient(syscall.ECONNRESET))
	assert.False(t, failure.Transient(errors.New("kaboom")))
	assert.False(t, failure.Transient(walk{[]error{syscall.ECONNRESET, context.Canceled}}))
}

func TestOwner(t *testing.T) {
	asked, named := strata.ModelID{Provider: "p", Name: "asked"}, strata.ModelID{Provider: "p", Name: "named"}
	assert.Equal(t, named, failure.Owner(deep(&failure.Error{Model: named}), asked))
	assert.Equal(t, asked, failure.Owner(&failure.Error{}, asked))
	assert.Equal(t, asked, failure.Owner(errors.New("kaboom"), asked))
	assert.Equal(t, named, failure.Owner(walk{[]error{&failure.Error{Model: asked}, &failure.Error{Model: named}}}, asked))
}

func TestFind(t *testing.T) {
	inner := &failure.Error{Kind: failure.Rate}
	e, ok := failure.Find[*failure.Error](deep(inner))
	assert.True(t, ok)
	assert.Same(t, inner, e)
	_, ok = failure.Find[*failure.Error](walk{[]error{inner, errors.New("kaboom")}})
	assert.False(t, ok, "an attempt before the last")
	_, ok = failure.Find[*failure.Error](nil)
	assert.False(t, ok)
}

func ExampleOf() {
	err := fmt.Errorf("asking: %w", &url.Error{Op: "Post", URL: "https://api.example.com", Err: io.EOF})
	fmt.Println(failure.Of(err), failure.Transient(err))
	// Output: network true
}

func ExampleClassify() {
	e := failure.Classify(failure.Error{
		Model:   strata.ModelID{Provider: "openai", Name: "gpt-5"},
		Status:  429,
		Headers: http.Header{"Retry-After": {"2.5"}},
		Body:    `{"error":{"code":"rate_limit_exceeded","message":"Too many requests."}}`,
	})
	fmt.Println(e)
	fmt.Println(e.Kind.Transient(), e.RetryAfter)
	// Output:
	// openai/gpt-5: rate (429 rate_limit_exceeded): Too many requests.
	// true 2.5s
}
