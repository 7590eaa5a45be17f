package conformance

import (
	"context"
	"errors"
	"net/http"

	"github.com/cenkalti/backoff/v4"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/strictjson"
	"github.com/strata-go/strata/modeltest"
)

// errorStep is a failure: the provider's, or any error with the text Plain.
type errorStep struct {
	Status  int               `json:"status"`
	Code    string            `json:"code"`
	Message string            `json:"message"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Kind    string            `json:"kind"`

	Plain     *string `json:"plain"`
	Permanent bool    `json:"permanent"`
}

func (e errorStep) check() error {
	provider := e.Status != 0 || e.Kind != "" || e.Headers != nil || e.Code+e.Message+e.Body != ""
	if provider && e.Plain != nil {
		return errors.New("an error is plain or a provider's (status, code, message, headers, body, kind), not both")
	}
	if e.Kind != "" {
		if _, err := failure.ParseKind(e.Kind); err != nil {
			return strictjson.Errorf(".kind", "unknown kind %q", e.Kind)
		}
	}
	return nil
}

// step returns the step that fails. The error is made when it plays, as a wait
// may be given as a date.
func (e errorStep) step(id strata.ModelID) modeltest.Step {
	return func(ctx context.Context, yield func(strata.Part, error) bool) bool {
		return modeltest.Fail(e.error(id))(ctx, yield)
	}
}

func (e errorStep) error(id strata.ModelID) error {
	var err error
	if e.Plain != nil {
		err = errors.New(*e.Plain)
	} else {
		headers := http.Header{}
		for name, value := range e.Headers {
			headers.Set(name, value)
		}
		err = failure.Classify(failure.Error{
			Model: id, Kind: failure.Kind(e.Kind), Status: e.Status, Code: e.Code,
			Message: e.Message, Headers: headers, Body: e.Body,
		})
	}
	if e.Permanent {
		err = backoff.Permanent(err)
	}
	return err
}
