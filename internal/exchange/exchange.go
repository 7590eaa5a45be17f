// Package exchange is what the adapters of package provider share: one HTTP
// exchange with a server, seen as it is sent. It reports the bytes that arrive,
// and makes the failures of the exchange, which hold nothing of the request.
package exchange

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// Causes of failures that have none of their own.
var (
	ErrRefused    = errors.New("the model refused to answer")
	ErrNoAnswer   = errors.New("the server sent something else in place of an answer")
	ErrFailed     = errors.New("the server ended the answer with an error")
	ErrUnfinished = fmt.Errorf("the stream ended without a finish reason: %w", io.ErrUnexpectedEOF)
)

// MaxErrorBody bounds what is read of a body that tells of a failure, in bytes.
const MaxErrorBody = 64 << 10

// ByteOrderMark may open a text in UTF-8. It says nothing, and is no JSON; an event
// stream that begins with it would lose its first line.
const ByteOrderMark = "\ufeff"

// After the last event the end of the body is waited for, since only a body that
// was read to its end gives its connection back. These bound the wait.
const (
	drainTime  = 250 * time.Millisecond
	drainBytes = 64 << 10
)

// An Exchange is one request of an adapter and its response. One goroutine uses
// it.
type Exchange struct {
	Model    strata.ModelID
	Response *http.Response // nil before it has begun
	Headers  http.Header    // of the response, safe to show

	secrets secrets
}

// New returns the exchange of a request to the model.
func New(model strata.ModelID) *Exchange { return &Exchange{Model: model} }

// Do sends req by next and keeps what failures need to know of both sides. It is
// the innermost middleware of an SDK's, or its transport; see [Transport].
func (x *Exchange) Do(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	x.secrets = secretsOf(req)
	resp, err := next(req)
	if resp == nil {
		return resp, err
	}
	x.Response, x.Headers = resp, x.secrets.headers(resp.Header)
	ctx := req.Context()
	if trace := strata.ContextTrace(ctx); trace != nil && trace.Bytes != nil {
		trace.ReceivedBytes(ctx, 0)
		resp.Body = &reported{resp.Body, ctx, trace}
	}
	return resp, err
}

// reported is a body that reports the bytes read from it.
type reported struct {
	io.ReadCloser
	ctx   context.Context
	trace *strata.Trace
}

func (r *reported) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if n > 0 {
		r.trace.ReceivedBytes(r.ctx, n)
	}
	return n, err
}

type key struct{}

// Context returns a context whose request, sent through a [Transport], is x's.
func (x *Exchange) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, key{}, x)
}

// Client returns client, or the default one for nil, with a Transport around its
// transport, for an SDK that has no middleware.
func Client(client *http.Client) *http.Client {
	if client == nil {
		client = http.DefaultClient
	}
	c := *client
	c.Transport = Transport{c.Transport}
	return &c
}

// Transport is a RoundTripper that has the [Exchange] in a request's context see
// it. A nil Base is http.DefaultTransport.
type Transport struct{ Base http.RoundTripper }

// RoundTrip sends the request.
func (t Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	base := t.Base
	if base == nil {
		base = http.DefaultTransport
	}
	if x, ok := req.Context().Value(key{}).(*Exchange); ok {
		return x.Do(req, base.RoundTrip)
	}
	return base.RoundTrip(req)
}

// Succeeded reports whether there is a response, of a status of success.
func (x *Exchange) Succeeded() bool {
	return x.Response != nil && x.Response.StatusCode >= 200 && x.Response.StatusCode < 300
}

// Clean returns text without the credentials of the request.
func (x *Exchange) Clean(text string) string { return x.secrets.text(text) }

// Fail completes a failure of this exchange.
func (x *Exchange) Fail(e failure.Error) error {
	e.Model = x.Model
	if x.Response != nil {
		e.Status, e.Headers = x.Response.StatusCode, x.Headers
	}
	e.Body = x.secrets.text(e.Body)
	if e.Err != nil {
		e.Err = x.secrets.cause(e.Err)
	}
	return failure.Classify(e)
}

// Rejected is the failure of a response whose status is none of success. It reads
// the body and closes it; cause makes the SDK's own error of it.
func (x *Exchange) Rejected(ctx context.Context, cause func(body []byte) error) error {
	defer x.Response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(x.Response.Body, MaxErrorBody))
	if err != nil && ctx.Err() != nil {
		return x.Broken(ctx, err)
	}
	return x.Fail(failure.Error{Body: string(body), Err: cause(body)})
}

// Bare returns the request's address and the response, for an SDK's error that
// holds both, without credentials, headers of the request, and bodies.
func (x *Exchange) Bare() (*http.Request, *http.Response) {
	req := &http.Request{Method: http.MethodPost, URL: &url.URL{}, Header: http.Header{}}
	if sent := x.Response.Request; sent != nil && sent.URL != nil {
		u := *sent.URL
		u.User, u.RawQuery, u.Fragment = nil, "", ""
		req.URL, req.Host = &u, u.Host
	}
	return req, &http.Response{
		Status: x.Response.Status, StatusCode: x.Response.StatusCode, Proto: x.Response.Proto, ProtoMajor: x.Response.ProtoMajor,
		ProtoMinor: x.Response.ProtoMinor, Header: x.Headers, Body: http.NoBody, Request: req,
	}
}

// Broken is the failure of a transport, before the response or in its body. What
// broke while ctx was done holds the context's error, whatever the transport
// made of it.
func (x *Exchange) Broken(ctx context.Context, err error) error {
	err = x.secrets.cause(withoutURL(err))
	if ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
		err = fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return x.Fail(failure.Error{Err: err})
}

// Malformed is the failure of a body or an event that is no JSON of the wire.
// What begins as JSON may hold a piece of the answer and is not kept.
func (x *Exchange) Malformed(data []byte, err error) error {
	e := failure.Error{Err: fmt.Errorf("%w: %w", ErrNoAnswer, err)}
	if text := strings.TrimSpace(string(data[:min(len(data), MaxErrorBody)])); !strings.HasPrefix(text, "{") {
		e.Body = text
	}
	return x.Fail(e)
}

// Reported is the failure that the server tells inside a response of success, by
// this payload; empty: it says no more than that.
func (x *Exchange) Reported(payload string) error {
	return x.Fail(failure.Error{Err: ErrFailed, Body: payload})
}

// Refused is the failure of an answer that the provider itself marks as refused
// or blocked, by its word for it. It does not repeat the model's words.
func (x *Exchange) Refused(code string) error {
	return x.Fail(failure.Error{Kind: failure.Content, Code: code, Err: ErrRefused})
}

// Unfinished is the failure of a stream that just stopped.
func (x *Exchange) Unfinished() error {
	return x.Fail(failure.Error{Kind: failure.Network, Err: ErrUnfinished})
}

// Empty is the failure of a whole answer of no bytes.
func (x *Exchange) Empty() error {
	return x.Fail(failure.Error{Kind: failure.Network, Err: io.ErrUnexpectedEOF})
}

// Drain waits for the end of the body behind the last event, but not for long:
// then it calls cancel.
func (x *Exchange) Drain(cancel context.CancelFunc) {
	defer time.AfterFunc(drainTime, cancel).Stop()
	_, _ = io.CopyN(io.Discard, x.Response.Body, drainBytes) // the answer is whole, whatever comes
}

// Invalid is the failure of a request that the program built wrong.
func Invalid(model strata.ModelID, format string, args ...any) error {
	return failure.Classify(failure.Error{Model: model, Kind: failure.Invalid, Message: fmt.Sprintf(format, args...)})
}

// FirstByte returns the first byte behind white space and a [ByteOrderMark],
// without taking it: what a server sent is told by it better than by its content
// type.
func FirstByte(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		switch {
		case err != nil:
			return 0, err
		case b == ' ' || b == '\n' || b == '\r' || b == '\t':
			continue
		}
		if err := r.UnreadByte(); err != nil || b != ByteOrderMark[0] {
			return b, err
		}
		if mark, _ := r.Peek(len(ByteOrderMark)); string(mark) != ByteOrderMark {
			return b, nil
		}
		_, _ = r.Discard(len(ByteOrderMark)) // it was peeked at
	}
}
