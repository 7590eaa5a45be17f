package fantasy

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"

	sdk "charm.land/fantasy"

	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/exchange"
)

var (
	errNoError  = errors.New("fantasy told of an error without one")
	errNoAnswer = errors.New("fantasy returned neither an answer nor an error")
	errNoObject = errors.New("the answer is no object of the schema")
)

// kinded is an error that says its kind, as all of strata's do.
type kinded interface {
	error
	FailureKind() failure.Kind
}

// exchanged is one call of a language model. Its exchange sees the HTTP response
// where the provider uses an [HTTPClient].
type exchanged struct{ *exchange.Exchange }

// fail is the failure of a call for which fantasy gave err. One that came out of a
// strata Model is that Model's own.
func (c exchanged) fail(ctx context.Context, err error) error {
	if err == nil {
		err = errNoError
	}
	pe, rejected := failure.Find[*sdk.ProviderError](err) // of an sdk.RetryError the last counts
	if rejected {
		if own := unwrapped(pe.Cause); own != nil {
			return own
		}
	}
	if _, ok := failure.Find[kinded](err); ok {
		return err
	}
	if rejected && pe.StatusCode == 0 && failure.Of(pe.Cause) != failure.Unknown && !pe.AuthError {
		return c.broken(ctx, pe)
	}
	e, told := c.told(err)
	if !told || ctx.Err() != nil {
		return c.Broken(ctx, e.Err)
	}
	return c.Fail(e)
}

// told reads an error in which fantasy says what the provider said. Of any other it
// returns the cause alone.
func (c exchanged) told(err error) (failure.Error, bool) {
	if e, ok := failure.Find[*sdk.ProviderError](err); ok {
		return c.rejected(e), true
	}
	if e, ok := failure.Find[*sdk.Error](err); ok && e.Cause == nil {
		return c.reported(e), true
	}
	if e, ok := failure.Find[*sdk.NoObjectGeneratedError](err); ok { // it holds the answer
		err = &sdk.NoObjectGeneratedError{ParseError: errNoObject, Usage: e.Usage, FinishReason: e.FinishReason}
	}
	return failure.Error{Err: err}, false
}

// broken is the failure of a transport, or a stream that just stopped, in the
// form that fantasy gives it.
func (c exchanged) broken(ctx context.Context, pe *sdk.ProviderError) error {
	err := c.Broken(ctx, pe.Cause)
	if pe.Cause == io.ErrUnexpectedEOF && ctx.Err() == nil {
		err = c.Unfinished()
	}
	f, ok := err.(*failure.Error)
	if !ok {
		return err
	}
	f.Err = &sdk.ProviderError{Title: pe.Title, Message: f.Err.Error(), Cause: f.Err, TransientError: pe.TransientError}
	return f
}

// rejected reads the error of a provider. It keeps a copy of it, without the
// request, the headers and the cause that hold it, and without keys.
func (c exchanged) rejected(pe *sdk.ProviderError) failure.Error {
	e := failure.Error{
		Status:   pe.StatusCode,
		Headers:  c.headers(pe.ResponseHeaders),
		Body:     c.Clean(bodyOf(pe)),
		InStream: pe.StatusCode == 0 && (len(pe.ResponseBody) > 0 || pe.TransientError),
	}
	switch {
	case pe.IsContextTooLarge():
		e.Kind = failure.Context
	case pe.AuthError:
		e.Kind = failure.Auth
	}
	if e.Body == "" {
		e.Message = c.Clean(pe.Message)
	}
	shown := failure.Classify(e)
	bare := *pe
	bare.Message, bare.URL = shown.Message, exchange.WithoutSecrets(pe.URL)
	bare.Cause, bare.RequestBody = nil, nil
	bare.ResponseHeaders, bare.ResponseBody = flat(shown.Headers), []byte(shown.Body)
	e.Err = &bare
	return e
}

// codeSuffix is the provider's code as fantasy writes it behind a message.
var codeSuffix = regexp.MustCompile(`^(?s)(.*) \(code: ([\w.-]+)\)$`)

// reported reads an error of fantasy's own: an answer that is none, a failure
// that the provider told inside an answer, or options that it does not take.
func (c exchanged) reported(fe *sdk.Error) failure.Error {
	e := failure.Error{Message: c.Clean(fe.Message)}
	if m := codeSuffix.FindStringSubmatch(e.Message); m != nil {
		e.Message, e.Code = m[1], m[2]
	}
	switch fe.Title {
	case "invalid argument", "no budget":
		e.Kind = failure.Invalid
	case "response failed", "response error", "provider error", "no response", "invalid provider response":
		e.InStream = true
	}
	shown := failure.Classify(e)
	e.Err = &sdk.Error{Title: fe.Title, Message: shown.Message}
	return e
}

// bodyOf is the body of the response. Fantasy keeps a dump of the response, and of
// Google's nothing but the message; the rest of that is in the cause. Where a body
// has no message, OpenAI's provider reads it up for one before it makes the dump.
func bodyOf(pe *sdk.ProviderError) string {
	for err := pe.Cause; err != nil; err = errors.Unwrap(err) {
		if fmt.Sprintf("%T", err) == "genai.APIError" {
			if body, e := json.Marshal(map[string]any{"error": err}); e == nil {
				return string(body)
			}
		}
	}
	body := undumped(string(pe.ResponseBody))
	if text := strings.TrimSpace(pe.Message); body == "" && strings.IndexAny(text, "<{[") == 0 {
		return text
	}
	return body
}

// undumped returns the body in the dump of a response; of anything else, that.
func undumped(dump string) string {
	if !strings.HasPrefix(dump, "HTTP/") {
		return dump
	}
	resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(dump)), nil)
	if err != nil {
		_, body, _ := strings.Cut(dump, "\r\n\r\n")
		return body
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, exchange.MaxErrorBody)) // what there is of it
	return string(body)
}

func (c exchanged) headers(flat map[string]string) http.Header {
	if flat == nil {
		return nil
	}
	h := http.Header{}
	for name, value := range flat {
		h.Set(name, c.Clean(value))
	}
	return h
}

// flat returns headers as fantasy has them, the last value of each.
func flat(h http.Header) map[string]string {
	if h == nil {
		return nil
	}
	m := make(map[string]string, len(h))
	for name, values := range h {
		if len(values) > 0 {
			m[name] = values[len(values)-1]
		}
	}
	return m
}
