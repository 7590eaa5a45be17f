package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/strictjson"
	"github.com/strata-go/strata/when"
)

// match is a condition that is whole once it is read.
type match struct{ when.Condition }

func (m match) build(*builder) (when.Condition, error) { return m.Condition, nil }

type (
	status       struct{ match } // a code, or a regular expression over it
	message      struct{ match } // a text, or a pattern
	httpStatus   struct{ match } // a code, a text, or a pattern over either
	kind         struct{ match }
	finishReason struct{ match }
)

func (s *status) UnmarshalJSON(data []byte) error {
	if data[0] != '"' {
		code, err := readCode(data, `a code or a regular expression, such as "^5"`)
		s.Condition = when.Status(code)
		return err
	}
	expr, err := readText(data)
	if err != nil {
		return err
	}
	if strings.Contains(expr, "/") {
		return fmt.Errorf("%q matches no code: here a regular expression stands without slashes", expr)
	}
	re, err := compile(expr)
	if err != nil {
		return err
	}
	s.Condition = when.Status(re)
	return nil
}

func (m *message) UnmarshalJSON(data []byte) error {
	text, re, err := readPattern(data)
	switch {
	case err != nil:
		return err
	case re != nil:
		m.Condition = when.Message(re)
	default:
		m.Condition = when.Message(text)
	}
	return nil
}

func (h *httpStatus) UnmarshalJSON(data []byte) error {
	if data[0] != '"' {
		code, err := readCode(data, `a code, a text or a pattern, such as "/over ?load/i"`)
		h.Condition = when.HTTPStatus(code)
		return err
	}
	text, re, err := readPattern(data)
	switch {
	case err != nil:
		return err
	case re != nil:
		h.Condition = when.HTTPStatus(re)
	default:
		h.Condition = when.HTTPStatus(text)
	}
	return nil
}

func (k *kind) UnmarshalJSON(data []byte) error {
	var name string
	if err := strictjson.Decode(data, &name); err != nil {
		return err
	}
	kind, err := failure.ParseKind(name)
	if err != nil {
		return fmt.Errorf("unknown kind %q", name)
	}
	k.Condition = when.Kind(kind)
	return nil
}

var finishReasons = []strata.FinishReason{
	strata.FinishStop, strata.FinishLength, strata.FinishContentFilter, strata.FinishToolCalls,
	strata.FinishError, strata.FinishOther, strata.FinishUnknown,
}

func (f *finishReason) UnmarshalJSON(data []byte) error {
	var reason strata.FinishReason
	if err := strictjson.Decode(data, &reason); err != nil {
		return err
	}
	if !slices.Contains(finishReasons, reason) {
		return fmt.Errorf("unknown finish reason %q", reason)
	}
	f.Condition = when.FinishReason(reason)
	return nil
}

// yes is true; there is no other.
type yes bool

func (y *yes) UnmarshalJSON(data []byte) error {
	if err := strictjson.Decode(data, (*bool)(y)); err != nil {
		return err
	}
	if !*y {
		return errors.New(`it is false, which is no condition; use "not"`)
	}
	return nil
}

// readCode reads an HTTP status code.
func readCode(data []byte, want string) (int, error) {
	var code int
	if err := strictjson.Decode(data, &code); err != nil {
		return 0, fmt.Errorf("%w: want %s", err, want)
	}
	if code < 100 || code > 999 {
		return 0, fmt.Errorf("%d is no HTTP status code", code)
	}
	return code, nil
}

func readText(data []byte) (string, error) {
	var text string
	if err := strictjson.Decode(data, &text); err != nil {
		return "", err
	}
	if text == "" {
		return "", errors.New("it is empty")
	}
	return text, nil
}

// readPattern reads a text, or what begins with a slash: a regular expression
// between slashes, behind which an i may stand for any case.
func readPattern(data []byte) (text string, re *regexp.Regexp, err error) {
	text, err = readText(data)
	if err != nil || text[0] != '/' {
		return text, nil, err
	}
	end := strings.LastIndexByte(text, '/')
	expr, flags := text[min(1, end):end], text[end+1:]
	switch {
	case expr == "" || flags != "" && flags != "i":
		return "", nil, fmt.Errorf("%q begins with a slash, but is not of the form /pattern/ or /pattern/i", text)
	case flags == "i":
		expr = "(?i)" + expr
	}
	re, err = compile(expr)
	return "", re, err
}

func compile(expr string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("%q is no regular expression: %w", expr, err)
	}
	return re, nil
}
