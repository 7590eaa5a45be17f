package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// Causes of failures that have none of their own.
var (
	errRefused    = errors.New("the model refused to answer")
	errNoAnswer   = errors.New("the server sent something else in place of an answer")
	errNoChoice   = errors.New("the answer has no choices")
	errFailed     = errors.New("the server ended the answer with an error")
	errUnfinished = fmt.Errorf("the stream ended without a finish reason: %w", io.ErrUnexpectedEOF)
)

// maxErrorBody bounds what is read of a body that tells of a failure, in bytes.
const maxErrorBody = 64 << 10

// call is one exchange with the server. It makes the failures of the exchange,
// which need to know what was sent.
type call struct {
	model   strata.ModelID
	secrets secrets
	resp    *http.Response
	headers http.Header // of resp, safe to show
}

// send sends the request and returns the call with a response of success, whose
// body the caller closes.
func (m *Model) send(ctx context.Context, req *strata.Request, stream bool) (*call, []strata.Warning, error) {
	params, warnings, err := m.params(req, stream)
	if err != nil {
		return nil, nil, err
	}
	c := &call{model: m.id}
	opts := append([]option.RequestOption{}, m.options...)
	opts = append(opts, withHeaders(req.Headers)...)
	if stream {
		opts = append(opts, option.WithJSONSet("stream", true))
	}
	opts = append(opts, option.WithResponseBodyInto(&c.resp), option.WithMiddleware(c.observe), option.WithMaxRetries(0))
	_, err = m.service.New(ctx, params, opts...)
	if c.resp != nil {
		c.headers = c.secrets.headers(c.resp.Header)
	}
	switch {
	case c.resp != nil && (c.resp.StatusCode < 200 || c.resp.StatusCode >= 300):
		return nil, nil, c.refused(ctx)
	case err != nil && unsendable(params):
		return nil, nil, c.fail(failure.Error{Kind: failure.Invalid, Err: err})
	case err != nil:
		return nil, nil, c.broken(ctx, err)
	}
	return c, warnings, nil
}

// unsendable reports whether the parameters are no JSON, because of a provider
// option say. What else fails before the transport, such as a credential that
// cannot be fetched, is no fault of the request.
func unsendable(params sdk.ChatCompletionNewParams) bool {
	_, err := params.MarshalJSON()
	return err != nil
}

// observe is the innermost middleware: it sees the request as it is sent.
func (c *call) observe(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	c.secrets = secretsOf(req)
	return next(req)
}

// refused is the failure of a response whose status is none of success.
func (c *call) refused(ctx context.Context) error {
	defer c.resp.Body.Close()
	body, readErr := io.ReadAll(io.LimitReader(c.resp.Body, maxErrorBody))
	if readErr != nil && ctx.Err() != nil {
		return c.broken(ctx, readErr)
	}
	return c.fail(failure.Error{Body: string(body), Err: c.sdkError(body)})
}

// sdkError is the SDK's error for the response, for those who look for one,
// without the request's headers and body.
func (c *call) sdkError(body []byte) error {
	e := &sdk.Error{}
	var payload struct{ Error json.RawMessage }
	if json.Unmarshal([]byte(c.secrets.text(string(body))), &payload) == nil && payload.Error != nil {
		_ = e.UnmarshalJSON(payload.Error) // a string, say: it is in the failure's body
	}
	e.StatusCode = c.resp.StatusCode
	e.Request = &http.Request{Method: http.MethodPost, URL: &url.URL{}, Header: http.Header{}}
	if sent := c.resp.Request; sent != nil && sent.URL != nil {
		u := *sent.URL
		u.User, u.RawQuery, u.Fragment = nil, "", ""
		e.Request.URL, e.Request.Host = &u, u.Host
	}
	e.Response = &http.Response{
		Status: c.resp.Status, StatusCode: c.resp.StatusCode, Proto: c.resp.Proto, ProtoMajor: c.resp.ProtoMajor,
		ProtoMinor: c.resp.ProtoMinor, Header: c.headers, Body: http.NoBody, Request: e.Request,
	}
	return e
}

// fail completes a failure of this call.
func (c *call) fail(e failure.Error) error {
	e.Model = c.model
	if c.resp != nil {
		e.Status, e.Headers = c.resp.StatusCode, c.headers
	}
	e.Body = c.secrets.text(e.Body)
	if e.Err != nil {
		e.Err = c.secrets.cause(e.Err)
	}
	return failure.Classify(e)
}

// broken is the failure of a transport, before the response or in its body. What
// broke while ctx was done holds the context's error, whatever the transport
// made of it.
func (c *call) broken(ctx context.Context, err error) error {
	err = c.secrets.cause(withoutURL(err))
	if ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
		err = fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return c.fail(failure.Error{Err: err})
}

// malformed is the failure of a body or an event that is no JSON of the wire.
// What begins as JSON may hold a piece of the answer and is not kept.
func (c *call) malformed(data []byte, err error) error {
	e := failure.Error{Err: fmt.Errorf("%w: %w", errNoAnswer, err)}
	if text := strings.TrimSpace(string(data[:min(len(data), maxErrorBody)])); !strings.HasPrefix(text, "{") {
		e.Body = text
	}
	return c.fail(e)
}

// reported is the failure that the server tells inside a response of success.
// The payload is that of its error field.
func (c *call) reported(payload string) error {
	e := failure.Error{Err: errFailed}
	if given(payload) {
		e.Body = `{"error":` + payload + `}`
	}
	return c.fail(e)
}

// refusal is the failure of an answer that came in the refusal field. It does
// not repeat the model's words.
func (c *call) refusal() error {
	return c.fail(failure.Error{Kind: failure.Content, Code: "refusal", Err: errRefused})
}
