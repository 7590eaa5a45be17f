package when_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"testing"

	"github.com/cenkalti/backoff/v4"
	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/when"
)

func failed(err error) *retry.History {
	return &retry.History{Request: strata.Prompt("hello"), Attempts: []retry.Record{{Number: 1, Err: err}}}
}

func answered(reason strata.FinishReason, text string) *retry.History {
	resp := &strata.Response{FinishReason: reason, Content: []strata.Content{strata.Text{Text: text}}}
	return &retry.History{Request: strata.Prompt("hello"), Attempts: []retry.Record{{Number: 1, Result: resp, FinishReason: reason}}}
}

func provider(status int, kind failure.Kind, message string) error {
	return &failure.Error{Status: status, Kind: kind, Message: message}
}

var (
	five      = regexp.MustCompile(`^5\d\d$`)
	throttled = provider(429, failure.Rate, "Slow Down")
	busy      = provider(529, failure.Overload, "Overloaded")
	walked    = fmt.Errorf("above: %w", &retry.Error{Errs: []error{busy, throttled}}) // last: throttled
)

func TestConditions(t *testing.T) {
	eof := when.Is(io.EOF)
	for _, test := range []struct {
		name      string
		condition when.Condition
		history   *retry.History
		want      bool
	}{
		{"status", when.Status(503, 529), failed(busy), true},
		{"another status", when.Status(503), failed(busy), false},
		{"status pattern", when.Status(five), failed(busy), true},
		{"status pattern of another", when.Status(five), failed(throttled), false},
		{"status pattern of none", when.Status(regexp.MustCompile(`.*`)), failed(io.EOF), false},
		{"status of an answer", when.Status(200), answered("stop", ""), false},
		{"status of a walk's last", when.Status(429), failed(walked), true},
		{"status of a walk's first", when.Status(529), failed(walked), false},

		{"message in any case", when.Message("slow down"), failed(throttled), true},
		{"one of the messages", when.Message("nope", "DOWN"), failed(throttled), true},
		{"message pattern", when.Message(regexp.MustCompile(`^Slow`)), failed(throttled), true},
		{"the kind is no message", when.Message("rate"), failed(throttled), false},
		{"message of any error", when.Message("kaboom"), failed(errors.New("Kaboom!")), true},
		{"message of a walk's last", when.Message("slow"), failed(walked), true},
		{"message of a cause", when.Message("eof"), failed(&failure.Error{Kind: failure.Network, Err: io.EOF}), true},
		{"message of an answer", when.Message("hi"), answered("stop", "hi"), false},

		{"http status by code", when.HTTPStatus(529), failed(busy), true},
		{"http status by message", when.HTTPStatus("overloaded"), failed(busy), true},
		{"http status by pattern over the code", when.HTTPStatus(five), failed(busy), true},
		{"http status by pattern over the message", when.HTTPStatus(regexp.MustCompile("load")), failed(busy), true},
		{"http status by neither", when.HTTPStatus(429), failed(busy), false},

		{"kind", when.Kind(failure.Quota, failure.Rate), failed(throttled), true},
		{"another kind", when.Kind(failure.Quota), failed(throttled), false},
		{"no kind", when.Kind(), failed(throttled), false},
		{"retryable", when.Retryable(), failed(busy), true},
		{"not retryable", when.Retryable(), failed(provider(400, failure.Invalid, "")), false},
		{"not retryable for being permanent", when.Retryable(), failed(backoff.Permanent(busy)), false},
		{"timeout", when.Timeout(), failed(&failure.TimeoutError{}), true},
		{"no timeout", when.Timeout(), failed(busy), false},
		{"aborted", when.Aborted(), failed(provider(0, failure.Aborted, "")), true},
		{"refused", when.Refused(), failed(&refusal.Error{}), true},
		{"not refused", when.Refused(), failed(provider(400, failure.Content, "")), false},
		{"no image", when.NoImage(), failed(fmt.Errorf("x: %w", failure.ErrNoImage)), true},
		{"is", eof, failed(fmt.Errorf("x: %w", io.EOF)), true},
		{"is not", eof, failed(io.ErrUnexpectedEOF), false},
		{"is, of a walk's last", when.Is(throttled), failed(walked), true},
		{"is not, of a walk's first", when.Is(busy), failed(walked), false},
		{"as", when.As[*failure.TimeoutError](), failed(fmt.Errorf("x: %w", &failure.TimeoutError{})), true},
		{"not as", when.As[*failure.TimeoutError](), failed(busy), false},
		{"error predicate", when.Error(func(_ context.Context, err error) bool { return err == busy }), failed(busy), true},
		{"error predicate of an answer", when.Error(func(context.Context, error) bool { return true }), answered("stop", ""), false},

		{"finish reason", when.FinishReason(strata.FinishLength, strata.FinishContentFilter), answered("length", ""), true},
		{"another finish reason", when.FinishReason(strata.FinishLength), answered("stop", ""), false},
		{"finish reason of a failure", when.FinishReason(strata.FinishLength), failed(busy), false},
		{"result predicate", when.Result(func(_ context.Context, r *strata.Response) bool { return r.Text() == "hi" }), answered("stop", "hi"), true},
		{"result predicate of a failure", when.Result(func(context.Context, *strata.Response) bool { return true }), failed(busy), false},

		{"and", when.Status(529).And(when.Message("overloaded")), failed(busy), true},
		{"and not both", when.Status(529).And(when.Message("slow")), failed(busy), false},
		{"or", when.Status(529).Or(when.Message("slow")), failed(throttled), true},
		{"or of an error and an answer: the error", when.Status(529).Or(when.FinishReason("length")), failed(busy), true},
		{"or of an error and an answer: the answer", when.Status(529).Or(when.FinishReason("length")), answered("length", ""), true},
		{"or of neither", when.Status(529).Or(when.FinishReason("length")), answered("stop", ""), false},
		{"and of what is in common", when.Status(529).Or(when.FinishReason("length")).And(when.Message("over")), failed(busy), true},
		{"and of what is not", when.Status(529).Or(when.FinishReason("length")).And(when.Message("over")), answered("length", ""), false},
		{"not", when.Status(429).Not(), failed(busy), true},
		{"not not", when.Status(429).Not().Not(), failed(busy), false},
		{"not never matches what is not asked about", when.Status(429).Not(), answered("stop", ""), false},
		{"not of both sides", when.Not(when.Status(529).Or(when.FinishReason("length"))), answered("stop", ""), true},
		{"all", when.All(when.Retryable(), when.Not(when.Any(when.Status(429), when.Message("overloaded")))), failed(provider(502, failure.Network, "bad gateway")), true},
		{"the zero condition", when.Condition{}, failed(busy), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, test.condition.Match(t.Context(), test.history))
		})
	}
}

func TestSchemaInvalid(t *testing.T) {
	validate := func(_ json.RawMessage, answer []byte) error {
		if string(answer) != "good" {
			return errors.New("bad")
		}
		return nil
	}
	asks := func(h *retry.History, format *strata.ResponseFormat) *retry.History {
		h.Attempts[0].Request = &strata.Request{ResponseFormat: format}
		return h
	}
	schema := &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: json.RawMessage(`{}`)}
	call := answered("tool-calls", "")
	call.Attempts[0].Result.(*strata.Response).Content = []strata.Content{strata.ToolCall{}}
	condition := when.SchemaInvalid(validate)
	for name, test := range map[string]struct {
		history *retry.History
		want    bool
	}{
		"invalid":       {asks(answered("stop", "bad"), schema), true},
		"empty":         {asks(answered("stop", ""), schema), true},
		"valid":         {asks(answered("stop", "good"), schema), false},
		"no format":     {answered("stop", "bad"), false},
		"no schema":     {asks(answered("stop", "bad"), &strata.ResponseFormat{Type: strata.ResponseJSON}), false},
		"a tool call":   {asks(call, schema), false},
		"a failure":     {asks(failed(busy), schema), false},
		"another model": {&retry.History{Request: 7, Attempts: []retry.Record{{Result: 7}}}, false},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, condition.Match(t.Context(), test.history)) })
	}
}

// A schema that is broken is no fault of the answer.
func TestSchemaInvalidOfABrokenSchema(t *testing.T) {
	condition := when.SchemaInvalid(func(json.RawMessage, []byte) error { return fmt.Errorf("it: %w", when.ErrSchema) })
	h := answered("stop", "bad")
	h.Request = &strata.Request{ResponseFormat: &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: json.RawMessage(`7`)}}
	assert.False(t, condition.Match(t.Context(), h))
}

func TestConditionsThatMakeNoSense(t *testing.T) {
	for want, make := range map[string]func(){
		"when: Status(): there is nothing to match":                                  func() { when.Status[int]() },
		"when: Message(): there is nothing to match":                                 func() { when.Message[string]() },
		"when: Status(nil): the pattern is nil":                                      func() { when.Status[*regexp.Regexp](nil) },
		`when: Kind("slow"): there is no such kind`:                                  func() { when.Kind("slow") },
		"when: Error(nil): the predicate is nil":                                     func() { when.Error(nil) },
		"when: Result(nil): the predicate is nil":                                    func() { when.Result(nil) },
		"when: Is(nil): the error is nil":                                            func() { when.Is(nil) },
		"when: FinishReason(): there is no reason":                                   func() { when.FinishReason() },
		"when: SchemaInvalid(nil): the validator is nil":                             func() { when.SchemaInvalid(nil) },
		"when: Any(): there is no condition":                                         func() { when.Any() },
		"when: Switch(nil): the model is nil":                                        func() { when.Retryable().Switch(nil) },
		"when: All of 0 conditions: they have nothing in common that they ask about": func() { when.All() },
		"when: All of 2 conditions: they have nothing in common that they ask about": func() {
			when.Status(529).And(when.FinishReason("stop"))
		},
	} {
		t.Run(want, func(t *testing.T) { assert.PanicsWithValue(t, want, make) })
	}
}

func Example() {
	claude := modeltest.New("anthropic/claude", modeltest.Answer("Hello from Claude."))
	gpt := modeltest.New("openai/gpt-5", modeltest.Failure(&failure.Error{Status: 529, Kind: failure.Overload, Message: "busy"}))
	model := middleware.Rules(
		when.Status(529).Or(when.Message("overloaded")).Switch(claude),
		when.Retryable().Retry(),
	)(gpt)
	resp, err := model.Generate(context.Background(), strata.Prompt("Say hello."))
	fmt.Println(resp.Text(), err)
	// Output: Hello from Claude. <nil>
}
