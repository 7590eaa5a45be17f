package failure

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Classify returns a copy of e in which the fields that follow from others are
// filled: Code and Message from the body, Kind from all there is, RetryAfter
// from headers and body. A field that is set already stays. Headers that carry
// keys are left out and the body is truncated. InStream is set by status 200.
func Classify(e Error) *Error {
	if e.Status == http.StatusOK {
		e.InStream = true
	}
	var payload struct {
		Error struct {
			Type, Message string
			Code          any
		}
	}
	if json.Unmarshal([]byte(e.Body), &payload) == nil {
		if e.Message == "" {
			e.Message = payload.Error.Message
		}
	}
	if e.Kind == "" {
		e.Kind = kindOf(&e)
	}
	if e.RetryAfter == 0 {
		e.RetryAfter = wait(e.Headers)
	}
	return &e
}

func kindOf(e *Error) Kind {
	text := strings.ToLower(e.Code + " " + e.Message + " " + e.Body)
	switch {
	case strings.Contains(text, "context_length_exceeded"):
		return Context
	case strings.Contains(text, "insufficient_quota"):
		return Quota
	}
	switch s := e.Status; {
	case s == 408, s == 504, s == 522, s == 524:
		return Timeout
	case s == 409, s == 425, s >= 500:
		return Overload
	case s == 429:
		return Rate
	case s == 402:
		return Quota
	case s == 401, s == 403:
		return Auth
	case s == 404 && strings.Contains(text, "model"):
		return Model
	case s == 413:
		return Context
	case s >= 400:
		return Invalid
	case e.InStream:
		return Overload
	}
	return Unknown
}

func wait(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("retry-after-ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	if s, err := strconv.ParseFloat(h.Get("retry-after"), 64); err == nil && s > 0 {
		return time.Duration(s * float64(time.Second))
	}
	return 0
}
