package google

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/exchange"
)

// client asks one model through the SDK, which builds the requests and sees to
// credentials. The responses are read here, as they came: the SDK's reader takes
// keep-alives for errors, loses the order and the precision of arguments, and
// writes to the standard log.
type client struct {
	id      strata.ModelID
	models  *genai.Models
	broken  error // why there is no client; nil: there is one
	vertex  bool  // it asks Vertex AI
	headers http.Header
	extras  genai.ExtrasRequestProvider // of the configuration; may be nil
	timeout time.Duration               // of a whole exchange; 0: none
}

// newClient makes the client of a model; constructor names the caller.
func newClient(constructor, name string, opts []Option) *client {
	if name == "" {
		panic("google." + constructor + ": the model's name is empty")
	}
	c := config{id: strata.ModelID{Provider: DefaultProvider, Name: name}}
	for i, o := range opts {
		if o == nil {
			panic(fmt.Sprintf("google.%s: option %d is nil", constructor, i))
		}
		o(&c)
	}
	cc := c.sdk
	for _, edit := range c.edits {
		edit(&cc)
	}
	cc.HTTPOptions.Headers = cc.HTTPOptions.Headers.Clone()
	if cc.HTTPClient != nil {
		own := *cc.HTTPClient
		cc.HTTPClient = &own
	}
	m := &client{id: c.id, headers: c.headers, extras: cc.HTTPOptions.ExtrasRequestProvider}
	sdk, err := genai.NewClient(context.Background(), &cc)
	if err != nil {
		m.broken = unmade(err)
		return m
	}
	m.models, m.vertex = sdk.Models, sdk.ClientConfig().Backend == genai.BackendVertexAI
	// The SDK keeps cc, and with it this HTTP client, which is the model's own.
	hc := cc.HTTPClient
	m.timeout = shorter(hc.Timeout, cc.HTTPOptions.Timeout)
	hc.Timeout = 0 // it would end with the SDK's part of the exchange
	hc.Transport = handover{exchange.Transport{Base: hc.Transport}}
	return m
}

// unmade is the SDK's error for a client that it does not make, without the
// configuration that it prints.
func unmade(err error) error {
	text, _, cut := strings.Cut(err.Error(), ". ClientConfig:")
	switch {
	case !cut:
		return err
	case strings.HasPrefix(text, "api key is required"):
		return errNoKey
	}
	return errors.New(text)
}

var errNoKey = errors.New("neither GOOGLE_API_KEY nor GEMINI_API_KEY is set")

// shorter returns the shorter of two timeouts, of which 0 and nil are none.
func shorter(a time.Duration, b *time.Duration) time.Duration {
	if b != nil && *b > 0 && (a <= 0 || *b < a) {
		return *b
	}
	return max(a, 0)
}

// handover is the outermost transport: it leaves the response to the exchange, and
// gives the SDK an empty one to be done with. A redirect is the HTTP client's.
type handover struct{ exchange.Transport }

func (t handover) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.Transport.RoundTrip(req)
	if err != nil || resp.StatusCode/100 == 3 && resp.Header.Get("Location") != "" {
		return resp, err
	}
	return &http.Response{Status: "200 OK", StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: req}, nil
}

// call is one exchange with the server.
type call struct {
	*exchange.Exchange
	ctx    context.Context // of the exchange, with its timeout
	cancel context.CancelFunc
}

// close ends the exchange. Whoever got the call does it.
func (c *call) close() {
	if c.Response != nil {
		c.Response.Body.Close()
	}
	c.cancel()
}

// send asks by ask, which calls the SDK with params and their HTTP options o, and
// returns the call with a response of success. edit completes the body.
func (m *client) send(ctx context.Context, params any, o *genai.HTTPOptions, headers http.Header, edit func(body map[string]any), ask func(context.Context) error) (*call, error) {
	c := &call{Exchange: exchange.New(m.id)}
	if m.broken != nil {
		return nil, c.Fail(failure.Error{Kind: failure.Auth, Err: m.broken})
	}
	if _, err := json.Marshal(params); err != nil { // the SDK goes on without them
		return nil, c.Fail(failure.Error{Kind: failure.Invalid, Err: unsendable(err)})
	}
	if limit := shorter(m.timeout, o.Timeout); limit > 0 {
		c.ctx, c.cancel = context.WithTimeout(ctx, limit)
	} else {
		c.ctx, c.cancel = context.WithCancel(ctx)
	}
	m.options(o, headers, edit)
	err := ask(c.Context(c.ctx))
	var transport *url.Error
	switch {
	case errors.As(err, &transport):
		err = c.Broken(c.ctx, err)
	case c.Response == nil:
		err = c.Fail(failure.Error{Kind: failure.Invalid, Err: unsendable(err)})
	case !c.Succeeded():
		err = c.Rejected(c.ctx, c.sdkError)
	default:
		return c, nil // what the SDK makes of the empty response does not matter
	}
	c.close()
	return nil, err
}

// options sets what every request has. The context has the timeout.
func (m *client) options(o *genai.HTTPOptions, headers http.Header, edit func(body map[string]any)) {
	all := http.Header{}
	for _, h := range []http.Header{m.headers, o.Headers, headers} {
		for name, values := range h.Clone() {
			all[http.CanonicalHeaderKey(name)] = values
		}
	}
	extras := o.ExtrasRequestProvider
	if extras == nil {
		extras = m.extras
	}
	o.Headers = all
	o.Timeout = genai.Ptr(time.Duration(0))
	o.RetryOptions = &genai.HTTPRetryOptions{Attempts: genai.Ptr[int32](1)}
	o.ExtrasRequestProvider = func(body map[string]any) map[string]any {
		edit(body)
		if extras != nil {
			body = extras(body)
		}
		return body
	}
}

// unsendable is why the SDK sent nothing. Where the body is no JSON the SDK's
// error holds the body.
func unsendable(err error) error {
	var (
		noType  *json.UnsupportedTypeError
		noValue *json.UnsupportedValueError
		noJSON  *json.MarshalerError
	)
	switch {
	case errors.As(err, &noType):
		return noType
	case errors.As(err, &noValue):
		return noValue
	case errors.As(err, &noJSON):
		return noJSON
	}
	return err
}

// sdkError is the SDK's error for the response, for those who look for one.
func (c *call) sdkError(body []byte) error {
	e := genai.APIError{}
	var payload struct{ Error genai.APIError }
	if json.Unmarshal(unwrapped([]byte(c.Clean(string(body)))), &payload) == nil {
		e = payload.Error
	}
	e.Code = c.Response.StatusCode
	return e
}

// unwrapped is the object in body: an endpoint that streams without events wraps
// its error in a list.
func unwrapped(body []byte) []byte {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		return list[0]
	}
	return body
}

// body reads a whole response.
func (c *call) body() ([]byte, error) {
	body, err := io.ReadAll(c.Response.Body)
	switch {
	case err != nil:
		return nil, c.Broken(c.ctx, err)
	case len(body) == 0:
		return nil, c.Empty()
	}
	return body, nil
}

// merge lays the fields of from over those of into: objects are merged, everything
// else is replaced. Neither from nor what it holds is changed.
func merge(into, from map[string]any) {
	for k, v := range from {
		fields, ok := v.(map[string]any)
		if !ok {
			into[k] = v
			continue
		}
		below, _ := into[k].(map[string]any)
		own := maps.Clone(below)
		if own == nil {
			own = map[string]any{}
		}
		merge(own, fields)
		into[k] = own
	}
}
