package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/exchange"
)

var errNoChoice = errors.New("the answer has no choices")

// endpoint is one model on one server, by whichever of the SDK's services.
type endpoint struct {
	id      strata.ModelID
	options []option.RequestOption // of each request, over those of the service
}

// ID returns the provider, the name and the account that the model was made with.
func (e *endpoint) ID() strata.ModelID { return e.id }

// call is one exchange with the server.
type call struct{ *exchange.Exchange }

// send sends the parameters by post, which calls the SDK's method, and returns
// the call with a response of success, whose body the caller closes.
func (e *endpoint) send(ctx context.Context, params any, headers http.Header, post func(opts []option.RequestOption) error, more ...option.RequestOption) (*call, error) {
	c := &call{exchange.New(e.id)}
	opts := slices.Concat(e.options, withHeaders(headers), more, []option.RequestOption{
		option.WithResponseBodyInto(new(*http.Response)), option.WithMiddleware(c.observe), option.WithMaxRetries(0),
	})
	err := post(opts)
	switch {
	case c.Response != nil && !c.Succeeded():
		return nil, c.Rejected(ctx, c.sdkError)
	case err != nil && unsendable(params):
		return nil, c.Fail(failure.Error{Kind: failure.Invalid, Err: err})
	case err != nil:
		return nil, c.Broken(ctx, err)
	}
	return c, nil
}

// body reads the body of a whole answer and closes it.
func (c *call) body(ctx context.Context) ([]byte, error) {
	defer c.Response.Body.Close()
	body, err := io.ReadAll(c.Response.Body)
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte(exchange.ByteOrderMark)))
	switch {
	case err != nil:
		return nil, c.Broken(ctx, err)
	case len(body) == 0:
		return nil, c.Empty()
	}
	return body, nil
}

// streaming is the option of a request whose answer is to be a stream.
var streaming = option.WithJSONSet("stream", true)

// observe is the innermost middleware: it sees the request as it is sent.
func (c *call) observe(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	return c.Do(req, next)
}

// unsendable reports whether the parameters are no JSON, because of a provider
// option say. What else fails before the transport, such as a credential that
// cannot be fetched, is no fault of the request.
func unsendable(params any) bool {
	p, ok := params.(json.Marshaler) // a form is none, and takes any option
	if !ok {
		return false
	}
	_, err := p.MarshalJSON()
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

// itemKey is the key of the provider data that holds what the Responses API wants
// back: an item of its output as it came, or what of it no content carries.
const itemKey = "item"

// accountKey is the key of the provider data that names the account whose reasoning
// is encrypted in the item, where it has a name: no other can read it.
const accountKey = "account"

// extend puts the provider's own fields into an object of the wire; later ones
// win. An item of the Responses API is none of them.
func (e *endpoint) extend(p interface{ SetExtraFields(map[string]any) }, data ...strata.ProviderData) {
	extra := map[string]any{}
	for _, d := range data {
		maps.Copy(extra, d[e.id.Provider])
	}
	delete(extra, itemKey)
	delete(extra, accountKey)
	if len(extra) > 0 {
		p.SetExtraFields(extra)
	}
}
