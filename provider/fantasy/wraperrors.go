package fantasy

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"

	sdk "charm.land/fantasy"

	"github.com/strata-go/strata/failure"
)

// walk is an error of several attempts.
type walk interface {
	error
	Last() error
}

// errorOf returns the failure of a strata Model as an *sdk.ProviderError whose
// cause it is, so that errors.As still finds it. What ended because the caller
// cancelled stays as it is.
//
// Whether fantasy retries it is what [failure.Transient] says. Fantasy goes by
// the status too, so a failure that is not transient but has a status that
// fantasy retries (a used-up quota with a 429) gets the status of its kind here;
// the server's own is in the cause.
func errorOf(err error) error {
	kind := failure.Of(err)
	if kind == failure.Aborted && errors.Is(err, context.Canceled) {
		return err
	}
	pe := &sdk.ProviderError{}
	if told, ok := failure.Find[*sdk.ProviderError](err); ok { // fantasy's own: it comes back as it was
		*pe = *told
		pe.ResponseHeaders = maps.Clone(told.ResponseHeaders)
	} else if f, ok := failure.Find[*failure.Error](err); ok {
		pe.Message, pe.ResponseBody, pe.ResponseHeaders = f.Message, []byte(f.Body), flat(f.Headers)
		if f.Status/100 != 2 { // that is not what failed
			pe.StatusCode = f.Status
		}
	}
	pe.Title = cmp.Or(pe.Title, sdk.ErrorTitleForStatusCode(pe.StatusCode), string(kind))
	if _, walk := failure.Find[walk](err); walk || pe.Message == "" {
		pe.Message = err.Error()
	}
	pe.Cause = &crossed{err}
	pe.AuthError = kind == failure.Auth
	pe.ContextTooLargeErr = pe.ContextTooLargeErr || kind == failure.Context
	if wait := failure.RetryAfter(err); wait > 0 {
		if pe.ResponseHeaders == nil {
			pe.ResponseHeaders = map[string]string{}
		}
		pe.ResponseHeaders["retry-after-ms"] = strconv.FormatInt(wait.Milliseconds(), 10) // what fantasy reads
	}
	if pe.TransientError = failure.Transient(err); !pe.TransientError {
		settle(pe, kind)
	}
	return pe
}

// settle has fantasy not retry pe.
func settle(pe *sdk.ProviderError, kind failure.Kind) {
	if pe.IsRetryable() {
		pe.Cause = &sealed{unwrapped(pe.Cause)}
	}
	if pe.IsRetryable() {
		pe.StatusCode = statusOf(kind)
	}
}

// statusOf is a status that says the kind of a failure and that fantasy does not
// retry.
func statusOf(kind failure.Kind) int {
	switch kind {
	case failure.Quota:
		return http.StatusPaymentRequired
	case failure.Auth:
		return http.StatusUnauthorized
	case failure.Entitlement:
		return http.StatusForbidden
	case failure.Model:
		return http.StatusNotFound
	case failure.Context:
		return http.StatusRequestEntityTooLarge
	case failure.Content:
		return http.StatusUnprocessableEntity
	}
	return http.StatusBadRequest
}

// sealed is an error that fantasy does not take for one of the transport, whatever
// it wraps. All else is found in it.
type sealed struct{ err error }

func (e *sealed) Error() string {
	return strings.NewReplacer("stream error:", "stream error", "connection error:", "connection error").Replace(e.err.Error())
}

// Is reports whether target is in the error, other than an end of file.
func (e *sealed) Is(target error) bool {
	return target != io.ErrUnexpectedEOF && errors.Is(e.err, target)
}

// As finds what errors.As finds in the error.
func (e *sealed) As(target any) bool { return errors.As(e.err, target) }

// Last is the error, for package failure.
func (e *sealed) Last() error { return e.err }

// crossed is the error of a strata Model inside fantasy's.
type crossed struct{ err error }

func (e *crossed) Error() string { return e.err.Error() }
func (e *crossed) Unwrap() error { return e.err }

// unwrapped returns the error of a strata Model that is the cause of fantasy's, or
// nil.
func unwrapped(cause error) error {
	switch e := cause.(type) {
	case *crossed:
		return e.err
	case *sealed:
		return e.err
	}
	return nil
}
