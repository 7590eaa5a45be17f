package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/exchange"
)

var errNoMessage = errors.New("the answer is no message")

// call is one exchange with the server.
type call struct{ *exchange.Exchange }

// send sends the request and returns the call with a response of success, whose
// body the caller closes. It does not call the SDK's Messages.New, which refuses
// limits of tokens from about 21,000 on and ends an answer after ten minutes.
func (m *Model) send(ctx context.Context, req *strata.Request, stream bool) (*call, []strata.Warning, error) {
	params, warnings, err := m.params(req)
	if err != nil {
		return nil, nil, err
	}
	c := &call{exchange.New(m.id)}
	opts := append([]option.RequestOption{}, m.options...)
	opts = append(opts, paramHeaders(params)...)
	opts = append(opts, withHeaders(req.Headers)...)
	if stream {
		opts = append(opts, option.WithJSONSet("stream", true))
	}
	opts = append(opts, option.WithMiddleware(c.observe), option.WithMaxRetries(0))
	var response *http.Response
	err = m.client.Execute(ctx, http.MethodPost, "v1/messages", params, &response, opts...)
	switch {
	case c.Response != nil && !c.Succeeded():
		return nil, nil, c.Rejected(ctx, c.sdkError)
	case err != nil && unsendable(params):
		return nil, nil, c.Fail(failure.Error{Kind: failure.Invalid, Err: err})
	case err != nil:
		return nil, nil, c.Broken(ctx, err)
	}
	return c, warnings, nil
}

// observe is the innermost middleware: it sees the request as it is sent.
func (c *call) observe(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	return c.Do(req, next)
}

// paramHeaders are the parameters that the wire has in headers. Only Request.Raw
// sets them.
func paramHeaders(p sdk.MessageNewParams) []option.RequestOption {
	h := http.Header{}
	if p.UserProfileID.Valid() {
		h.Set("anthropic-user-profile-id", p.UserProfileID.Value)
	}
	if p.WorkspaceID.Valid() {
		h.Set("anthropic-workspace-id", p.WorkspaceID.Value)
	}
	return withHeaders(h)
}

// unsendable reports whether the parameters are no JSON, because of a provider
// option say. What else fails before the transport, such as a credential that
// cannot be fetched, is no fault of the request.
func unsendable(params json.Marshaler) bool {
	_, err := params.MarshalJSON()
	return err != nil
}

// sdkError is the SDK's error for the response, for those who look for one,
// without the request's headers and body.
func (c *call) sdkError(body []byte) error {
	e := &sdk.Error{}
	_ = e.UnmarshalJSON([]byte(c.Clean(string(body)))) // what is no JSON is in the failure's body
	e.StatusCode = c.Response.StatusCode
	e.RequestID = c.Headers.Get("request-id")
	e.WorkspaceID = c.Headers.Get("anthropic-workspace-id")
	e.Request, e.Response = c.Bare()
	return e
}
