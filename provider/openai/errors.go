package openai

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/exchange"
)

var errNoChoice = errors.New("the answer has no choices")

// call is one exchange with the server.
type call struct{ *exchange.Exchange }

// send sends the request and returns the call with a response of success, whose
// body the caller closes.
func (m *Model) send(ctx context.Context, req *strata.Request, stream bool) (*call, []strata.Warning, error) {
	params, warnings, err := m.params(req, stream)
	if err != nil {
		return nil, nil, err
	}
	c := &call{exchange.New(m.id)}
	opts := append([]option.RequestOption{}, m.options...)
	opts = append(opts, withHeaders(req.Headers)...)
	if stream {
		opts = append(opts, option.WithJSONSet("stream", true))
	}
	opts = append(opts, option.WithResponseBodyInto(new(*http.Response)), option.WithMiddleware(c.observe), option.WithMaxRetries(0))
	_, err = m.service.New(ctx, params, opts...)
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
	var payload struct{ Error json.RawMessage }
	if json.Unmarshal([]byte(c.Clean(string(body))), &payload) == nil && payload.Error != nil {
		_ = e.UnmarshalJSON(payload.Error) // a string, say: it is in the failure's body
	}
	e.StatusCode = c.Response.StatusCode
	e.Request, e.Response = c.Bare()
	return e
}

// reported is the failure that the server tells inside a response of success.
// The payload is that of its error field.
func (c *call) reported(payload string) error {
	if given(payload) {
		return c.Reported(`{"error":` + payload + `}`)
	}
	return c.Reported("")
}
