package wires_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "charm.land/fantasy"
	"charm.land/fantasy/object"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/fantasy"
	"github.com/strata-go/strata/stream"
)

// faults are what a server may do to a request: what kind of failure each is,
// whether a stream has handed on output by then, and whether it is a fault of a
// stream alone.
var faults = map[string]struct {
	reply      modeltest.Reply
	kind       failure.Kind // empty: any
	committed  bool         // in a stream
	streamOnly bool
}{
	"throttled":                 {modeltest.Status(429).Error("rate_limit_exceeded", "slow down"), failure.Rate, false, false},
	"overloaded":                {modeltest.Status(503).Error("overloaded_error", "busy"), failure.Overload, false, false},
	"bad gateway page":          {modeltest.Status(502).HTML("502 Bad Gateway"), failure.Overload, false, false},
	"page with status 200":      {modeltest.Send().HTML("Just a moment"), "", false, false},
	"key refused":               {modeltest.Status(401).Error("invalid_api_key", "Incorrect API key provided."), failure.Auth, false, false},
	"no such model":             {modeltest.Status(404).Error("model_not_found", "The model does not exist."), failure.Model, false, false},
	"reset before the headers":  {modeltest.Send().Reset(), failure.Network, false, false},
	"cut before the headers":    {modeltest.Send().Cut(), failure.Network, false, false},
	"stall before the headers":  {modeltest.Send().Stall(modeltest.Forever), failure.Timeout, false, false},
	"stall before the content":  {modeltest.Send().Head().Open().Stall(modeltest.Forever), failure.Timeout, false, false},
	"only comments":             {modeltest.Send().Head().KeepAlive(20*time.Millisecond, 10*time.Second), failure.Timeout, false, false},
	"error event":               {modeltest.Send().Open().Error("overloaded_error", "busy"), failure.Overload, false, false},
	"malformed before content":  {modeltest.Send().Open().Malformed(), "", false, false},
	"no finish, nothing at all": {modeltest.Send().Open().Done(), failure.Network, false, true},
	"stall in mid-answer":       {modeltest.Send("The sky").Stall(modeltest.Forever), failure.Timeout, true, false},
	"cut in mid-answer":         {modeltest.Send("The sky").Cut(), failure.Network, true, false},
	"reset in mid-answer":       {modeltest.Send("The sky").Reset(), failure.Network, true, false},
	"error in mid-answer":       {modeltest.Send("The sky").Error("overloaded_error", "busy"), failure.Overload, true, false},
	"malformed in mid-answer":   {modeltest.Send("The sky").Malformed(), "", true, false},
	"no finish":                 {modeltest.Send("The sky").Done(), failure.Network, true, true},
	"neither finish nor end":    {modeltest.Send("The sky"), failure.Network, true, true},
}

// ask makes a call, streamed or whole.
func ask(ctx context.Context, m strata.Model, streamed bool) (text string, err error) {
	if !streamed {
		resp, err := m.Generate(ctx, strata.Prompt("Why is the sky blue?"))
		if err != nil {
			return "", err
		}
		return resp.Text(), nil
	}
	for p, e := range m.Stream(ctx, strata.Prompt("Why is the sky blue?")) {
		if d, ok := p.(strata.TextDelta); ok {
			text += d.Text
		}
		err = e
	}
	return text, err
}

// limits are short enough for a test.
var limits = middleware.Timeout(middleware.Total(2*time.Second), middleware.FirstContent(time.Second), middleware.Idle(time.Second))

// Each fault is of the kind it should be, gives no key away, leaves no request
// behind, and is survived by a stack unless output was handed on.
func TestFaultsOverTheWire(t *testing.T) {
	for name, fault := range faults {
		for _, streamed := range []bool{true, false} {
			if fault.streamOnly && !streamed {
				continue // a whole answer is whole without a finish reason
			}
			t.Run(fmt.Sprintf("%s, streamed %v", name, streamed), func(t *testing.T) {
				t.Parallel()
				server := modeltest.NewServer(
					modeltest.RepliesFor("gpt-5", fault.reply),
					modeltest.RepliesFor("spare", modeltest.OK("from ", "the spare")),
				)
				defer server.Close()
				at := func(model, provider string) strata.Model {
					return limits(fantasy.New(languageModel(t, "openai-chat", server.URL, model, server.Client()), fantasy.Provider(provider)))
				}
				bare := at("gpt-5", "openai")

				text, err := ask(t.Context(), bare, streamed)
				require.Error(t, err)
				if fault.kind != "" {
					assert.Equal(t, fault.kind, failure.Of(err), "%v", err)
				}
				assert.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), key)
				assert.Len(t, server.Requests(), 1, "fantasy's provider makes no attempts of its own")
				_, ended := server.AwaitEnd(t.Context(), 0)
				assert.NoError(t, ended, "nothing is left of the request")

				walked, err := ask(t.Context(), middleware.Fallback(at("spare", "other"))(bare), streamed)
				if streamed && fault.committed {
					var told *stream.CommittedError
					require.True(t, errors.As(err, &told), "%v", err)
					assert.Equal(t, "The sky", text)
					assert.Equal(t, "The sky", walked)
				} else {
					require.NoError(t, err)
					assert.Equal(t, "from the spare", walked)
				}
			})
		}
	}
}

// An agent of fantasy's answers through a stack, whatever its first model does, and
// calls its tool.
func TestAgentSurvivesFaults(t *testing.T) {
	for name, fault := range faults {
		if fault.committed {
			continue // what was handed on cannot be taken back
		}
		for _, streamed := range []bool{true, false} {
			if fault.streamOnly && !streamed {
				continue
			}
			t.Run(fmt.Sprintf("%s, streamed %v", name, streamed), func(t *testing.T) {
				t.Parallel()
				server := modeltest.NewServer(
					modeltest.RepliesFor("gpt-5", fault.reply),
					modeltest.RepliesFor("spare",
						modeltest.Send().ToolCall("c1", "weather", `{"city":`, `"Florence"}`).Finish(strata.FinishToolCalls).Done(),
						modeltest.OK("It is ", "sunny.")),
				)
				defer server.Close()
				at := func(model, provider string) strata.Model {
					return limits(fantasy.New(languageModel(t, "openai-chat", server.URL, model, server.Client()), fantasy.Provider(provider)))
				}
				ran := 0
				type input struct {
					City string `json:"city"`
				}
				weather := sdk.NewAgentTool("weather", "tells the weather", func(_ context.Context, in input, _ sdk.ToolCall) (sdk.ToolResponse, error) {
					ran++
					return sdk.NewTextResponse("sunny in " + in.City), nil
				})
				agent := sdk.NewAgent(
					fantasy.Wrap(at("gpt-5", "openai"), middleware.Fallback(at("spare", "other"))),
					sdk.WithTools(weather), sdk.WithMaxRetries(0), sdk.WithSystemPrompt("Be brief."),
				)
				var result *sdk.AgentResult
				var err error
				told := ""
				if streamed {
					result, err = agent.Stream(t.Context(), sdk.AgentStreamCall{Prompt: "The weather in Florence?",
						OnTextDelta: func(_, text string) error { told += text; return nil }})
				} else {
					result, err = agent.Generate(t.Context(), sdk.AgentCall{Prompt: "The weather in Florence?"})
				}
				require.NoError(t, err)
				assert.Equal(t, "It is sunny.", result.Response.Content.Text())
				assert.Equal(t, 1, ran)
				if streamed {
					assert.Equal(t, "It is sunny.", told)
				}
				requests := server.Requests()
				last := string(requests[len(requests)-1].Body)
				assert.Contains(t, last, "sunny in Florence", "the result of the tool went back")
				assert.Contains(t, last, "Be brief.")
				x := fantasy.ExtraOf(result.Response.ProviderMetadata)
				assert.Equal(t, strata.ModelID{Provider: "other", Name: "spare"}, x.Model, "who answered")
			})
		}
	}
}

// A stream that was cut in a tool call's input is no whole answer, though fantasy
// says so.
func TestCutToolCallIsNoCall(t *testing.T) {
	server := modeltest.NewServer(modeltest.Replies(modeltest.Send().ToolCall("c1", "weather", `{"city":"Flo`)))
	defer server.Close()
	m := fantasy.New(languageModel(t, "openai-chat", server.URL, "gpt-5", server.Client()))
	for part, err := range m.Stream(t.Context(), strata.Prompt("hello")) {
		assert.NotEqual(t, "strata.ToolCall", fmt.Sprintf("%T", part))
		if err != nil {
			assert.Equal(t, failure.Network, failure.Of(err))
			return
		}
	}
	t.Fatal("no failure")
}

// Leaving the range closes the connection; a whole stream gives it back; bytes are
// told; headers are in the metadata.
func TestConnections(t *testing.T) {
	for name, wrap := range map[string]func(strata.Model) strata.Model{
		"bare":    func(m strata.Model) strata.Model { return m },
		"crossed": func(m strata.Model) strata.Model { return fantasy.New(fantasy.Wrap(m), fantasy.Provider("p")) },
	} {
		t.Run(name, func(t *testing.T) {
			server := modeltest.NewServer(modeltest.Replies(
				modeltest.Send("The sky").Stall(modeltest.Forever),
				modeltest.OK("The ", "sky").Header("X-Request-Id", "q2"),
				modeltest.OK("The ", "sky"),
			))
			defer server.Close()
			m := wrap(fantasy.New(languageModel(t, "openai-chat", server.URL, "gpt-5", server.Client())))
			for part := range m.Stream(t.Context(), strata.Prompt("hello")) {
				if _, ok := part.(strata.TextDelta); ok {
					break
				}
			}
			r, err := server.AwaitEnd(t.Context(), 0)
			require.NoError(t, err)
			assert.True(t, r.Disconnected, "the server saw the reader leave")

			bytes := 0
			ctx := strata.WithTrace(t.Context(), &strata.Trace{Bytes: func(_ context.Context, n int) { bytes += n }})
			resp, err := stream.Collect(m.Stream(ctx, strata.Prompt("hello")))
			require.NoError(t, err)
			assert.Equal(t, "q2", resp.Metadata.Headers.Get("X-Request-Id"))
			assert.NotZero(t, bytes)
			_, err = stream.Collect(m.Stream(ctx, strata.Prompt("hello")))
			require.NoError(t, err)
			assert.Equal(t, server.Requests()[1].RemoteAddr, server.Requests()[2].RemoteAddr, "one connection for both")
		})
	}
}

// What a model answers JSON to comes as an object through fantasy's helper.
func TestObjects(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"{\"name\":\"lasagna\"}"}}],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,"prompt_tokens_details":{"cached_tokens":5}}}`)
	})
	type recipe struct {
		Name string `json:"name"`
	}
	lm := languageModel(t, "openai", base, "gpt-4o", nil)
	for name, model := range map[string]sdk.LanguageModel{"bare": lm, "layered": fantasy.Wrap(fantasy.New(lm), middleware.Backoff())} {
		got, err := object.Generate[recipe](t.Context(), model, sdk.ObjectCall{Prompt: sdk.Prompt{sdk.NewUserMessage("a recipe")}})
		require.NoError(t, err, name)
		assert.Equal(t, "lasagna", got.Object.Name)
		assert.Equal(t, sdk.Usage{InputTokens: 4, OutputTokens: 4, TotalTokens: 13, CacheReadTokens: 5}, got.Usage, name)
	}
	resp, err := fantasy.New(lm).Generate(t.Context(), &strata.Request{
		Messages:       []strata.Message{strata.UserMessage("a recipe")},
		ResponseFormat: &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: []byte(`{"type":"object","properties":{"name":{"type":"string"}}}`)},
	})
	require.NoError(t, err)
	assert.Equal(t, `{"name":"lasagna"}`, resp.Text())
	assert.EqualValues(t, 9, resp.Usage.InputTokens)
	assert.False(t, strings.Contains(fmt.Sprint(resp.Warnings), "ResponseFormat"))
}
