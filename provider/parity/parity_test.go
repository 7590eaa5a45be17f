package parity_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/anthropic"
	"github.com/strata-go/strata/provider/google"
	"github.com/strata-go/strata/provider/openai"
	"github.com/strata-go/strata/stream"
)

const key = "sk-canary-0123456789abcdef"

// at are the adapters, each over the wire it speaks.
var at = map[string]func(s *modeltest.Server, model, provider string) strata.Model{
	"chat": func(s *modeltest.Server, model, provider string) strata.Model {
		return openai.New(model, openai.Provider(provider), openai.BaseURL(s.URL), openai.APIKey(key), openai.HTTPClient(s.Client()))
	},
	"responses": func(s *modeltest.Server, model, provider string) strata.Model {
		return openai.NewResponses(model, openai.Provider(provider), openai.BaseURL(s.URL), openai.APIKey(key), openai.HTTPClient(s.Client()))
	},
	"anthropic": func(s *modeltest.Server, model, provider string) strata.Model {
		return anthropic.New(model, anthropic.Provider(provider), anthropic.BaseURL(s.Address), anthropic.APIKey(key), anthropic.HTTPClient(s.Client()))
	},
	"gemini": func(s *modeltest.Server, model, provider string) strata.Model {
		return google.New(model, google.Provider(provider), google.BaseURL(s.Address), google.APIKey(key), google.HTTPClient(s.Client()))
	},
}

// providers are those of the wires.
var providers = map[string]string{"chat": "openai", "responses": "openai", "anthropic": "anthropic", "gemini": "google"}

// open returns the model of a wire.
func open(wire string, s *modeltest.Server) strata.Model { return at[wire](s, "m", providers[wire]) }

// onEach runs a test on each wire, whose server plays the reply.
func onEach(t *testing.T, reply modeltest.Reply, test func(t *testing.T, m strata.Model)) {
	for wire := range at {
		t.Run(wire, func(t *testing.T) {
			t.Parallel()
			server := modeltest.NewServer(modeltest.Replies(reply))
			defer server.Close()
			test(t, open(wire, server))
		})
	}
}

var turn = modeltest.Send().
	Reasoning("Let me ", "look it up.").
	Text("The weather ", "in Rome:").
	ToolCall("call_1", "weather", `{"city":`, `"Rome"}`).
	Finish(strata.FinishToolCalls).
	Usage(turnUsage).
	Done()

var turnUsage = strata.Usage{InputTokens: 20, OutputTokens: 9, TotalTokens: 29, CachedInputTokens: 8, ReasoningTokens: 3}

func TestTheSameTurnGivesTheSameParts(t *testing.T) {
	onEach(t, turn, func(t *testing.T, m strata.Model) {
		var parts []strata.Part
		for p, err := range m.Stream(t.Context(), strata.Prompt("How is the weather in Rome?")) {
			require.NoError(t, err)
			parts = append(parts, bare(p))
		}
		assert.Equal(t, []strata.Part{
			strata.StreamStart{},
			strata.ReasoningStart{ID: "1"},
			strata.ReasoningDelta{ID: "1", Text: "Let me look it up."},
			strata.ReasoningEnd{ID: "1"},
			strata.TextStart{ID: "2"},
			strata.TextDelta{ID: "2", Text: "The weather in Rome:"},
			strata.TextEnd{ID: "2"},
			strata.ToolInputStart{ID: "call_1", Name: "weather"},
			strata.ToolInputDelta{ID: "call_1", Delta: `{"city":"Rome"}`},
			strata.ToolInputEnd{ID: "call_1"},
			strata.ToolCall{ID: "call_1", Name: "weather", Input: `{"city":"Rome"}`},
			strata.Finish{Reason: strata.FinishToolCalls, Usage: turnUsage, Model: m.ID()},
		}, joined(parts))
	})
}

func TestTheSameTurnGivesTheSameAnswer(t *testing.T) {
	answer := func(ask func(m strata.Model) (*strata.Response, error)) map[string]*strata.Response {
		answers := map[string]*strata.Response{}
		for wire := range at {
			server := modeltest.NewServer(modeltest.Replies(turn))
			defer server.Close()
			resp, err := ask(open(wire, server))
			require.NoError(t, err, wire)
			answers[wire] = resp
		}
		return answers
	}
	prompt := strata.Prompt("How is the weather in Rome?")
	wholes := answer(func(m strata.Model) (*strata.Response, error) { return m.Generate(t.Context(), prompt) })
	streams := answer(func(m strata.Model) (*strata.Response, error) {
		return stream.Collect(m.Stream(t.Context(), prompt))
	})
	for wire, whole := range wholes {
		streamed := streams[wire]
		for _, resp := range []*strata.Response{whole, streamed} {
			assert.Equal(t, "Let me look it up.", resp.Reasoning())
			assert.Equal(t, "The weather in Rome:", resp.Text())
			require.Len(t, resp.ToolCalls(), 1)
			call := resp.ToolCalls()[0]
			assert.Equal(t, "call_1", call.ID)
			assert.Equal(t, "weather", call.Name)
			assert.JSONEq(t, `{"city":"Rome"}`, call.Input)
			assert.Equal(t, strata.FinishToolCalls, resp.FinishReason)
			assert.NotEmpty(t, resp.RawFinishReason)
			assert.Equal(t, turnUsage, resp.Usage)
			assert.Equal(t, "m", resp.Model.Name)
			assert.Equal(t, "m", resp.Metadata.Model)
		}
		assert.Equal(t, whole.RawFinishReason, streamed.RawFinishReason)
		assert.Equal(t, whole.Message(), streamed.Message(), "%s: the next request sends the same back", wire)
	}
}

// bare is a part without what is the provider's own.
func bare(p strata.Part) strata.Part {
	switch p := p.(type) {
	case strata.ResponseMetadata:
		return nil
	case strata.ReasoningStart:
		p.ProviderData = nil
		return p
	case strata.ReasoningDelta:
		p.ProviderData = nil
		return p
	case strata.ReasoningEnd:
		p.ProviderData = nil
		return p
	case strata.TextStart:
		p.ProviderData = nil
		return p
	case strata.TextDelta:
		p.ProviderData = nil
		return p
	case strata.TextEnd:
		p.ProviderData = nil
		return p
	case strata.ToolInputStart:
		p.ProviderData = nil
		return p
	case strata.ToolInputDelta:
		p.ProviderData = nil
		return p
	case strata.ToolInputEnd:
		p.ProviderData = nil
		return p
	case strata.ToolCall:
		p.ProviderData = nil
		return p
	case strata.Finish:
		p.RawReason, p.ProviderData = "", nil
		return p
	}
	return p
}

// joined are the parts with the deltas of one block in one: how a wire cuts them
// is its own affair.
func joined(parts []strata.Part) (all []strata.Part) {
	for _, p := range parts {
		if p == nil {
			continue
		}
		if len(all) > 0 {
			switch last := all[len(all)-1].(type) {
			case strata.ReasoningDelta:
				if next, ok := p.(strata.ReasoningDelta); ok {
					last.Text += next.Text
					all[len(all)-1] = last
					continue
				}
			case strata.TextDelta:
				if next, ok := p.(strata.TextDelta); ok {
					last.Text += next.Text
					all[len(all)-1] = last
					continue
				}
			case strata.ToolInputDelta:
				if next, ok := p.(strata.ToolInputDelta); ok {
					last.Delta += next.Delta
					all[len(all)-1] = last
					continue
				}
			}
		}
		all = append(all, p)
	}
	return all
}

// Each API has a word of its own for the same failure; the kind is one.
func TestTheSameFailuresAreOfTheSameKinds(t *testing.T) {
	for _, tt := range []struct {
		kind    failure.Kind
		status  int
		code    map[string]string
		message string
		wait    time.Duration
	}{
		{failure.Rate, 429, map[string]string{"": "rate_limit_exceeded", "anthropic": "rate_limit_error", "gemini": "RESOURCE_EXHAUSTED"}, "Slow down.", 7 * time.Second},
		{failure.Overload, 503, map[string]string{"": "server_error", "anthropic": "overloaded_error", "gemini": "UNAVAILABLE"}, "The model is overloaded.", 0},
		{failure.Auth, 401, map[string]string{"": "invalid_api_key", "anthropic": "authentication_error", "gemini": "UNAUTHENTICATED"}, "Incorrect API key provided.", 0},
		{failure.Model, 404, map[string]string{"": "model_not_found", "anthropic": "not_found_error", "gemini": "NOT_FOUND"}, "model: m does not exist", 0},
		{failure.Invalid, 400, map[string]string{"": "invalid_request_error", "anthropic": "invalid_request_error", "gemini": "INVALID_ARGUMENT"}, "temperature: must be at most 2", 0},
	} {
		t.Run(string(tt.kind), func(t *testing.T) {
			for wire := range at {
				code := tt.code[wire]
				if code == "" {
					code = tt.code[""]
				}
				reply := modeltest.Status(tt.status).Error(code, tt.message)
				if tt.wait > 0 {
					reply = reply.Header("Retry-After", fmt.Sprint(tt.wait.Seconds()))
				}
				server := modeltest.NewServer(modeltest.Replies(reply))
				defer server.Close()
				m := open(wire, server)
				_, whole := m.Generate(t.Context(), strata.Prompt("hello"))
				_, streamed := stream.Collect(m.Stream(t.Context(), strata.Prompt("hello")))
				for _, err := range []error{whole, streamed} {
					var e *failure.Error
					if assert.ErrorAs(t, err, &e, wire) {
						assert.Equal(t, tt.kind, e.Kind, "%s: %v", wire, err)
						assert.Equal(t, tt.status, e.Status, wire)
						assert.Equal(t, tt.wait, e.RetryAfter, wire)
						assert.Equal(t, m.ID(), e.Model, wire)
						assert.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), key, wire)
					}
				}
				assert.Len(t, server.Requests(), 2, "%s: the SDK makes no attempts of its own", wire)
			}
		})
	}
}

// What the provider itself calls a refusal is of kind content, before content.
func TestTheSameRefusal(t *testing.T) {
	onEach(t, modeltest.Send().Refusal("I can't ", "help with that.").Finish(strata.FinishContentFilter).Done(), func(t *testing.T, m strata.Model) {
		_, err := m.Generate(t.Context(), strata.Prompt("hello"))
		assert.Equal(t, failure.Content, failure.Of(err), "%v", err)
		for p, err := range m.Stream(t.Context(), strata.Prompt("hello")) {
			if err != nil {
				assert.Equal(t, failure.Content, failure.Of(err), "%v", err)
				return
			}
			assert.False(t, p.Commits(), "%#v", p)
		}
		t.Error("it is no refusal")
	})
}

// A provider that keeps the connection alive while its model thinks is not cut,
// one whose connection is dead is.
func TestSilenceOverTheWire(t *testing.T) {
	silence := middleware.Timeout(middleware.Silence(3 * time.Second))
	thinks := modeltest.Send().Head().KeepAlive(50*time.Millisecond, 3500*time.Millisecond).Text("The sky").Finish(strata.FinishStop).Done()
	t.Run("alive", func(t *testing.T) {
		onEach(t, thinks, func(t *testing.T, m strata.Model) {
			resp, err := stream.Collect(silence(m).Stream(t.Context(), strata.Prompt("hello")))
			require.NoError(t, err)
			assert.Equal(t, "The sky", resp.Text())
		})
	})
	t.Run("dead", func(t *testing.T) {
		onEach(t, modeltest.Send("The sky").Stall(modeltest.Forever), func(t *testing.T, m strata.Model) {
			var timeout *middleware.TimeoutError
			_, err := stream.Collect(silence(m).Stream(t.Context(), strata.Prompt("hello")))
			require.ErrorAs(t, err, &timeout)
			assert.Equal(t, failure.LimitSilence, timeout.Limit)
		})
	})
}

// A second attempt sends the body whole again, over the connection of the first.
func TestASecondAttemptOnEachWire(t *testing.T) {
	for wire := range at {
		t.Run(wire, func(t *testing.T) {
			t.Parallel()
			server := modeltest.NewServer(modeltest.Replies(modeltest.Status(http.StatusServiceUnavailable).Error("server_error", "busy"), modeltest.OK("The sky")))
			defer server.Close()
			m := middleware.Backoff(middleware.Base(0))(open(wire, server))
			prompt := strings.Repeat("long ", 10000)
			resp, err := stream.Collect(m.Stream(t.Context(), strata.Prompt(prompt)))
			require.NoError(t, err)
			assert.Equal(t, "The sky", resp.Text())
			requests := server.Requests()
			require.Len(t, requests, 2)
			assert.Equal(t, string(requests[0].Body), string(requests[1].Body))
			assert.Contains(t, string(requests[1].Body), prompt)
			assert.Equal(t, requests[0].RemoteAddr, requests[1].RemoteAddr, "the connection serves again")
		})
	}
}

// A reader who leaves ends the request.
func TestLeavingEndsTheRequestOnEachWire(t *testing.T) {
	for wire := range at {
		t.Run(wire, func(t *testing.T) {
			t.Parallel()
			server := modeltest.NewServer(modeltest.Replies(modeltest.Send("The sky").Stall(modeltest.Forever)))
			defer server.Close()
			for p, err := range open(wire, server).Stream(t.Context(), strata.Prompt("hello")) {
				require.NoError(t, err)
				if p.Commits() {
					break
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			request, err := server.AwaitEnd(ctx, 0)
			require.NoError(t, err)
			assert.True(t, request.Disconnected)
		})
	}
}

// A caller who has gone is asked for nothing, and one who goes is told so.
func TestACallersCancelOnEachWire(t *testing.T) {
	for wire := range at {
		t.Run(wire, func(t *testing.T) {
			t.Parallel()
			server := modeltest.NewServer(modeltest.Replies(modeltest.Send("The sky").Stall(modeltest.Forever)))
			defer server.Close()
			m := middleware.Backoff()(open(wire, server))

			gone, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := m.Generate(gone, strata.Prompt("hello"))
			assert.Equal(t, failure.Aborted, failure.Of(err), "%v", err)
			_, err = stream.Collect(m.Stream(gone, strata.Prompt("hello")))
			assert.Equal(t, failure.Aborted, failure.Of(err), "%v", err)
			assert.Empty(t, server.Requests())

			goes, cancel := context.WithCancel(t.Context())
			defer cancel()
			for p, e := range m.Stream(goes, strata.Prompt("hello")) {
				if err = e; e == nil && p.Commits() {
					cancel()
				}
			}
			assert.Equal(t, failure.Aborted, failure.Of(err), "%v", err)
			assert.ErrorIs(t, err, context.Canceled)
			assert.Len(t, server.Requests(), 1)
		})
	}
}
