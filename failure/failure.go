// Package failure holds all knowledge of what went wrong in a call to a language
// model: the kinds of failure, the one error type that every provider's
// failures become, and the classification of any error, with the wait that a
// server asked for.
//
// [Of] gives the [Kind] of any error and [RetryAfter] the wait in it; adapters
// make an [Error] with [Classify].
package failure

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/strata-go/strata"
)

// Error is the failure of a provider's call, whichever provider it was.
// Adapters make one with [Classify], which fills the fields that follow from
// others. It holds no key, no prompt and no answer.
type Error struct {
	Model    strata.ModelID
	Kind     Kind
	Status   int    // of the HTTP response; 0: there was none
	Code     string // the provider's own code or type of error
	Message  string // the provider's own message
	Headers  http.Header
	Body     string // the body of the failure, truncated
	InStream bool   // it came inside an answer, streamed or whole, that began with status 200

	// RetryAfter is the wait that the server asked for, or the layer that did
	// not ask it; 0: none.
	RetryAfter time.Duration

	Err error // the cause; may be nil
}

// Error returns "model: kind (status code): message", without what is not known.
func (e *Error) Error() string {
	var b strings.Builder
	if !e.Model.IsZero() {
		b.WriteString(e.Model.String())
		b.WriteString(": ")
	}
	b.WriteString(string(e.FailureKind()))
	var detail []string
	switch {
	case e.Status/100 == 2: // the status is not what failed
		detail = append(detail, fmt.Sprintf("after %d", e.Status))
	case e.Status != 0:
		detail = append(detail, strconv.Itoa(e.Status))
	}
	if e.Code != "" {
		detail = append(detail, e.Code)
	}
	if len(detail) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(detail, " "))
	}
	switch {
	case e.Message != "":
		b.WriteString(": " + e.Message)
	case e.Err != nil:
		b.WriteString(": " + line(e.Err.Error(), maxMessage))
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// FailureKind returns e.Kind, or Unknown where that is empty.
func (e *Error) FailureKind() Kind {
	if e.Kind == "" {
		return Unknown
	}
	return e.Kind
}

// A TimeoutError tells that a deadline of a layer's own ended a call. Its kind is
// Timeout, and it is never the caller's cancel or deadline: it does not unwrap
// to the context error below it. Package middleware calls it TimeoutError too.
type TimeoutError struct {
	Model strata.ModelID // zero where it is not known
	Limit Limit
	After time.Duration // what the limit was

	// Below is what the model returned when it was cut, for the record. It is
	// not unwrapped.
	Below error
}

// Limit says which deadline a [TimeoutError] is about.
type Limit string

// The deadlines.
const (
	LimitTotal        Limit = "total"         // of the whole call
	LimitFirstContent Limit = "first_content" // until the first part that commits
	LimitIdle         Limit = "idle"          // between two parts
	LimitSilence      Limit = "silence"       // between two signs of life: bytes or parts
)

// Error says which model kept which deadline waiting.
func (e *TimeoutError) Error() string {
	model := ""
	if !e.Model.IsZero() {
		model = e.Model.String() + ": "
	}
	switch e.Limit {
	case LimitFirstContent:
		return fmt.Sprintf("timeout: %sno content within %v", model, e.After)
	case LimitIdle:
		return fmt.Sprintf("timeout: %snothing for %v in mid-stream", model, e.After)
	case LimitSilence:
		return fmt.Sprintf("timeout: %snot a byte for %v", model, e.After)
	}
	return fmt.Sprintf("timeout: %snot done within %v", model, e.After)
}

// FailureKind returns Timeout.
func (*TimeoutError) FailureKind() Kind { return Timeout }

// Timeout returns true, as for a net.Error.
func (*TimeoutError) Timeout() bool { return true }

// ErrNoImage is the cause of a call to an image model that answered with no
// image. Where nothing says why, its kind is unknown: it is the prompt's doing as
// often as the model's, so another model may draw it, and the same one is not asked
// again nor left alone for it.
var ErrNoImage = errors.New("no image was generated")
