package fantasy_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"syscall"
	"testing"
	"time"

	sdk "charm.land/fantasy"
	"github.com/cenkalti/backoff/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/fantasy"
	"github.com/strata-go/strata/stream"
)

const dump = "HTTP/1.1 529 \r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" +
	"40\r\n{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Ov\r\n9\r\nerloaded\"\r\n2\r\n}}\r\n0\r\n\r\n"

// What fantasy's providers fail with is of the kind it should be, called whole or
// streamed, at once or in the stream.
func TestFailuresOfALanguageModel(t *testing.T) {
	tests := map[string]struct {
		err     error
		kind    failure.Kind
		status  int
		message string
	}{
		"a dumped response": {&sdk.ProviderError{Title: "overloaded", Message: `POST "https://x/v1": 529 {…}`, StatusCode: 529, ResponseBody: []byte(dump)},
			failure.Overload, 529, "Overloaded"},
		"a body":                    {&sdk.ProviderError{StatusCode: 429, ResponseBody: []byte(`{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}`)}, failure.Quota, 429, "You exceeded your current quota"},
		"a message alone":           {&sdk.ProviderError{StatusCode: 404, Message: "The model foo does not exist"}, failure.Model, 404, "The model foo does not exist"},
		"a context too large":       {&sdk.ProviderError{StatusCode: 400, Message: "no", ContextMaxTokens: 8, ContextUsedTokens: 9}, failure.Context, 400, "no"},
		"credentials to refresh":    {&sdk.ProviderError{Message: "sso session expired", AuthError: true, Cause: errBoom}, failure.Auth, 0, "sso session expired"},
		"an event of a stream":      {&sdk.ProviderError{Title: "stream error", Message: "busy", ResponseBody: []byte(`{"error":{"type":"overloaded_error","message":"busy"}}`), TransientError: true}, failure.Overload, 0, "busy"},
		"transient, nobody knows":   {&sdk.ProviderError{Message: "hm", TransientError: true}, failure.Overload, 0, "hm"},
		"a stream that just stops":  {sdk.NewIncompleteStreamError(), failure.Network, 0, ""},
		"a cause that says nothing": {&sdk.ProviderError{Message: "Rate limit exceeded", Cause: errBoom}, failure.Rate, 0, "Rate limit exceeded"},
		"a reset connection":        {sdk.NewTransportError(fmt.Errorf("stream error: stream ID 5; REFUSED_STREAM: %w", syscall.ECONNRESET)), failure.Network, 0, ""},
		"the last of a walk": {&sdk.RetryError{Errors: []error{&sdk.ProviderError{StatusCode: 500}, &sdk.ProviderError{StatusCode: 401, Message: "bad key"}}},
			failure.Auth, 401, "bad key"},
		"wrapped":                  {fmt.Errorf("tool-based generation failed: %w", &sdk.ProviderError{StatusCode: 503, Message: "busy"}), failure.Overload, 503, "busy"},
		"told in an answer":        {&sdk.Error{Title: "response failed", Message: "Our servers are overloaded (code: server_is_overloaded)"}, failure.Overload, 0, "Our servers are overloaded"},
		"a quota told in a stream": {&sdk.Error{Title: "response error", Message: "no more (code: insufficient_quota)"}, failure.Quota, 0, "no more"},
		"no answer":                {&sdk.Error{Title: "no response", Message: "no response generated"}, failure.Overload, 0, "no response generated"},
		"bad options":              {&sdk.Error{Title: "invalid argument", Message: "openai provider options should be *openai.ProviderOptions"}, failure.Invalid, 0, "openai provider options should be *openai.ProviderOptions"},
		"a broken pipe":            {fmt.Errorf("write: %w", syscall.EPIPE), failure.Network, 0, ""},
		"anything":                 {errBoom, failure.Unknown, 0, ""},
		"an end of file":           {fmt.Errorf("read: %w", io.ErrUnexpectedEOF), failure.Network, 0, ""},
	}
	for name, test := range tests {
		at := lm()
		at.err = test.err
		within := lm()
		within.parts = []sdk.StreamPart{{Type: sdk.StreamPartTypeTextStart, ID: "0"}, {Type: sdk.StreamPartTypeError, Error: test.err}}
		_, whole := fantasy.New(at).Generate(t.Context(), strata.Prompt("why"))
		_, begun := collect(t, fantasy.New(at).Stream(t.Context(), strata.Prompt("why")))
		_, streamed := collect(t, fantasy.New(within).Stream(t.Context(), strata.Prompt("why")))
		for way, err := range map[string]error{"whole": whole, "begun": begun, "streamed": streamed} {
			t.Run(name+", "+way, func(t *testing.T) {
				var f *failure.Error
				require.True(t, errors.As(err, &f), "%v", err)
				assert.Equal(t, strata.ModelID{Provider: "acme", Name: "one"}, f.Model)
				assert.Equal(t, test.kind, f.Kind, "%v", err)
				assert.Equal(t, test.status, f.Status)
				assert.Equal(t, test.message, f.Message)
				var told *sdk.ProviderError
				if errors.As(test.err, &told) {
					var pe *sdk.ProviderError
					require.True(t, errors.As(err, &pe), "fantasy's error is still found")
					assert.Equal(t, told.ContextMaxTokens, pe.ContextMaxTokens)
				}
			})
		}
	}
}

// Nothing of the request and no key is in a failure.
func TestFailureHoldsNoSecret(t *testing.T) {
	const key = "sk-canary-0123456789abcdef"
	at := lm()
	at.err = &sdk.ProviderError{
		StatusCode: 401, Message: "Incorrect API key provided: " + key, RequestBody: []byte("POST /v1 my prompt " + key), URL: "https://u:p@x/v1?key=" + key,
		ResponseHeaders: map[string]string{"Set-Cookie": "session", "x-request-id": "q"}, ResponseBody: []byte(`{"error":{"message":"bad key ` + key + `"}}`),
		Cause: &withRequest{&http.Request{Header: header("Authorization", "Bearer "+key)}},
	}
	_, err := fantasy.New(at).Generate(t.Context(), strata.Prompt("my prompt"))
	var pe *sdk.ProviderError
	require.True(t, errors.As(err, &pe))
	assert.Nil(t, pe.RequestBody)
	assert.Equal(t, map[string]string{"X-Request-Id": "q"}, pe.ResponseHeaders)
	assert.Equal(t, "https://x/v1", pe.URL)
	var sent *withRequest
	assert.False(t, errors.As(err, &sent), "the request is not in the chain")
	for e := err; e != nil; e = errors.Unwrap(e) {
		assert.NotContains(t, fmt.Sprintf("%v %+v %#v %s", e, e, e, pe.ResponseBody), key)
	}
	_, err = fantasy.Wrap(fantasy.New(at)).Generate(t.Context(), sdk.Call{})
	for e := err; e != nil; e = errors.Unwrap(e) {
		assert.NotContains(t, fmt.Sprintf("%v %+v %#v", e, e, e), key)
	}
}

type withRequest struct{ req *http.Request }

func (*withRequest) Error() string { return "rejected" }

// What the caller ended is the caller's, whatever fantasy makes of it.
func TestTheCallersEnd(t *testing.T) {
	cause := errors.New("the caller's cause")
	for name, err := range map[string]error{"its error": context.Canceled, "another": &sdk.ProviderError{StatusCode: 500}, "a stop": nil} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		at := lm()
		if at.err = err; err != nil {
			_, failed := fantasy.New(at).Generate(ctx, strata.Prompt("why"))
			assert.Equal(t, failure.Aborted, failure.Of(failed), "%s: %v", name, failed)
			assert.ErrorIs(t, failed, context.Canceled)
		}
		_, failed := collect(t, fantasy.New(at).Stream(ctx, strata.Prompt("why")))
		assert.Equal(t, failure.Aborted, failure.Of(failed), "%s: %v", name, failed)
		_, failed = fantasy.Wrap(fantasy.New(at)).Generate(ctx, sdk.Call{})
		if err != nil {
			assert.ErrorIs(t, failed, context.Canceled)
		}
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	at := lm()
	at.err = errBoom
	_, failed := fantasy.New(at).Generate(ctx, strata.Prompt("why"))
	assert.Equal(t, failure.Timeout, failure.Of(failed))
}

// Fantasy sees of strata's failures what it sees of its own providers', and retries
// the transient ones alone.
func TestFailuresForFantasy(t *testing.T) {
	made := func(e failure.Error) error { return failure.Classify(e) }
	tests := map[string]struct {
		err       error
		status    int
		retryable bool
		auth      bool
		context   bool
	}{
		"throttle":                      {made(failure.Error{Status: 429, Message: "slow down"}), 429, true, false, false},
		"overload":                      {made(failure.Error{Status: 529, Message: "busy"}), 529, true, false, false},
		"overload in a stream":          {made(failure.Error{Status: 200, Body: `{"error":{"type":"overloaded_error"}}`}), 0, true, false, false},
		"quota with a 429":              {made(failure.Error{Status: 429, Body: `{"error":{"code":"insufficient_quota"}}`}), 402, false, false, false},
		"content with a 500":            {made(failure.Error{Status: 500, Kind: failure.Content}), 422, false, false, false},
		"entitlement with a 429":        {made(failure.Error{Status: 429, Kind: failure.Entitlement}), 403, false, false, false},
		"model with a 503":              {made(failure.Error{Status: 503, Kind: failure.Model}), 404, false, false, false},
		"key with a 500":                {made(failure.Error{Status: 500, Kind: failure.Auth}), 401, false, true, false},
		"key":                           {made(failure.Error{Status: 401}), 401, false, true, false},
		"context":                       {made(failure.Error{Status: 400, Kind: failure.Context}), 400, false, false, true},
		"context with a 500":            {made(failure.Error{Status: 500, Kind: failure.Context}), 413, false, false, true},
		"invalid":                       {made(failure.Error{Status: 400}), 400, false, false, false},
		"network":                       {made(failure.Error{Err: io.ErrUnexpectedEOF}), 0, true, false, false},
		"server that says no":           {made(failure.Error{Status: 503, Headers: header("x-should-retry", "false")}), 400, false, false, false},
		"server that says yes":          {made(failure.Error{Status: 400, Headers: header("x-should-retry", "true")}), 400, true, false, false},
		"a cut that is permanent":       {backoff.Permanent(made(failure.Error{Err: io.ErrUnexpectedEOF})), 0, false, false, false},
		"a reset that is permanent":     {backoff.Permanent(errors.New("http2: stream error: stream ID 3; CANCEL")), 0, false, false, false},
		"a layer's timeout":             {&failure.TimeoutError{Limit: failure.LimitIdle, After: time.Second}, 0, true, false, false},
		"the caller's code":             {errBoom, 0, false, false, false},
		"behind output":                 {&stream.CommittedError{Err: made(failure.Error{Status: 503})}, 503, true, false, false},
		"behind output, for good":       {&stream.CommittedError{Err: made(failure.Error{Status: 400})}, 400, false, false, false},
		"unknown with a strange status": {made(failure.Error{Status: 302, Err: errBoom}), 302, false, false, false},
	}
	for name, test := range tests {
		m := fantasy.Wrap(modeltest.New("acme/one", modeltest.Failure(test.err)))
		_, whole := m.Generate(t.Context(), sdk.Call{})
		_, object := m.GenerateObject(t.Context(), sdk.ObjectCall{})
		parts := received(t, m, sdk.Call{})
		streamed := parts[len(parts)-1].Error
		for way, err := range map[string]error{"whole": whole, "object": object, "streamed": streamed} {
			t.Run(name+", "+way, func(t *testing.T) {
				var pe *sdk.ProviderError
				require.True(t, errors.As(err, &pe), "%T %v", err, err)
				assert.Equal(t, test.status, pe.StatusCode)
				assert.Equal(t, test.retryable, pe.IsRetryable())
				assert.Equal(t, test.auth, pe.AuthError)
				assert.Equal(t, test.context, pe.IsContextTooLarge())
				assert.NotEmpty(t, pe.Error())
				assert.ErrorIs(t, err, test.err)
				assert.Equal(t, failure.Of(test.err), failure.Of(err))
				var want, got *failure.Error
				assert.Equal(t, errors.As(test.err, &want), errors.As(err, &got))
				assert.Same(t, want, got)

				back := lm() // and back again
				back.err = err
				_, again := fantasy.New(back).Generate(t.Context(), strata.Prompt("why"))
				assert.Equal(t, test.err, again, "strata's own comes back as it was")
			})
		}
	}
}

// A fantasy program sees of a failure behind layers what it sees of the bare one.
func TestWrapOfNewFailsAsTheBareModel(t *testing.T) {
	bare := lm()
	told := &sdk.ProviderError{
		Title: "bad request", Message: "too long", StatusCode: 400, URL: "https://x/v1", ContextUsedTokens: 9, ContextMaxTokens: 8, ContextTooLargeErr: true,
		ResponseHeaders: map[string]string{"X-Request-Id": "q"}, ResponseBody: []byte(`{"error":{"message":"too long"}}`),
	}
	bare.err = told
	_, err := fantasy.Wrap(fantasy.New(bare), identity).Generate(t.Context(), sdk.Call{})
	var pe *sdk.ProviderError
	require.True(t, errors.As(err, &pe))
	assert.Same(t, pe, err)
	got := *pe
	got.Cause = nil
	assert.Equal(t, *told, got)

	spare := lm()
	spare.err = &sdk.ProviderError{StatusCode: 429, Message: "slow", ResponseHeaders: map[string]string{"Retry-After": "7"}}
	bare.err = &sdk.ProviderError{StatusCode: 503, Message: "busy"}
	layers := middleware.Fallback(fantasy.New(spare, fantasy.Provider("spare")))
	_, err = fantasy.Wrap(fantasy.New(bare), layers).Generate(t.Context(), sdk.Call{})
	require.True(t, errors.As(err, &pe))
	assert.Equal(t, 429, pe.StatusCode, "the last of a walk counts")
	assert.Equal(t, "7000", pe.ResponseHeaders["retry-after-ms"], "the wait where fantasy looks for it")
	assert.Contains(t, pe.Message, "2 attempts")
}

// A call that fantasy's types let through and no request can hold is invalid.
func TestInvalidCalls(t *testing.T) {
	m := fantasy.Wrap(modeltest.New("acme/one", modeltest.Answer("hi")))
	for name, call := range map[string]sdk.Call{
		"nil part":     {Prompt: sdk.Prompt{{Role: sdk.MessageRoleUser, Content: []sdk.MessagePart{nil}}}},
		"broken media": {Prompt: sdk.Prompt{{Role: sdk.MessageRoleTool, Content: []sdk.MessagePart{sdk.ToolResultPart{Output: sdk.ToolResultOutputContentMedia{Data: "%"}}}}}},
		"odd schema":   {Tools: []sdk.Tool{sdk.FunctionTool{Name: "x", InputSchema: map[string]any{"f": func() {}}}}},
	} {
		_, err := m.Generate(t.Context(), call)
		assert.Equal(t, failure.Invalid, failure.Of(err), name)
		_, err = m.Stream(t.Context(), call)
		var pe *sdk.ProviderError
		require.True(t, errors.As(err, &pe), name)
		assert.False(t, pe.IsRetryable())
	}
}
