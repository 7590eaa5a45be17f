package eino_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/cloudwego/eino/callbacks"
	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/eino"
	"github.com/strata-go/strata/provider/openai"
	"github.com/strata-go/strata/stream"
)

// faults are what the first model's server does to every request, and whether a
// stream has handed on output by then.
var faults = map[string]struct {
	reply     modeltest.Reply
	kind      failure.Kind
	committed bool
}{
	"throttled":                {modeltest.Status(429).Error("rate_limit_exceeded", "slow down"), failure.Rate, false},
	"overloaded":               {modeltest.Status(503).Error("overloaded_error", "busy"), failure.Overload, false},
	"key refused":              {modeltest.Status(401).Error("invalid_api_key", "Incorrect API key provided."), failure.Auth, false},
	"no such model":            {modeltest.Status(404).Error("model_not_found", "The model does not exist."), failure.Model, false},
	"reset before the headers": {modeltest.Send().Reset(), failure.Network, false},
	"stall before the content": {modeltest.Send().Head().Open().Stall(modeltest.Forever), failure.Timeout, false},
	"error event":              {modeltest.Send().Open().Error("overloaded_error", "busy"), failure.Overload, false},
	"cut in mid-answer":        {modeltest.Send("The sky").Cut(), failure.Network, true},
	"error in mid-answer":      {modeltest.Send("The sky").Error("overloaded_error", "busy"), failure.Overload, true},
}

// stack is a chat model whose first model meets the fault at every request, and
// whose second does not.
func stack(server *modeltest.Server) *eino.ChatModel {
	limit := middleware.Timeout(middleware.Total(2*time.Second), middleware.FirstContent(500*time.Millisecond), middleware.Idle(500*time.Millisecond))
	at := func(model, provider string) strata.Model {
		return limit(openai.New(model, openai.Provider(provider), openai.BaseURL(server.URL), openai.APIKey("none"), openai.HTTPClient(server.Client())))
	}
	return eino.Wrap(at("gpt-5", "openai"), middleware.Fallback(at("spare", "other")))
}

// A chain of eino's survives what happens to its first model, unless output was
// handed on: then it is told, with the failure in the chain of its error.
func TestChainOverFaults(t *testing.T) {
	for name, fault := range faults {
		for _, streamed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, streamed %v", name, streamed), func(t *testing.T) {
				t.Parallel()
				server := modeltest.NewServer(modeltest.RepliesFor("gpt-5", fault.reply), modeltest.RepliesFor("spare", modeltest.OK("from ", "the spare")))
				defer server.Close()
				chain := compose.NewChain[string, *schema.Message]()
				chain.AppendLambda(compose.InvokableLambda(func(_ context.Context, text string) ([]*schema.Message, error) {
					return []*schema.Message{schema.UserMessage(text)}, nil
				})).AppendChatModel(stack(server))
				run, err := chain.Compile(t.Context())
				require.NoError(t, err)

				var msg *schema.Message
				if streamed {
					var r *schema.StreamReader[*schema.Message]
					r, err = run.Stream(t.Context(), "Why is the sky blue?")
					if err == nil {
						msg, err = schema.ConcatMessageStream(r)
					}
				} else {
					msg, err = run.Invoke(t.Context(), "Why is the sky blue?")
				}
				if streamed && fault.committed {
					_, told := errors.AsType[*stream.CommittedError](err)
					assert.True(t, told, "%v", err)
					assert.Equal(t, fault.kind, failure.Of(err))
					return
				}
				require.NoError(t, err)
				assert.Equal(t, "from the spare", msg.Content)
				resp, err := eino.ResponseOf(msg)
				require.NoError(t, err)
				assert.Equal(t, "other/spare", resp.Model.String())
			})
		}
	}
}

type city struct {
	City string `json:"city"`
}

func weather(t *testing.T) tool.BaseTool {
	t.Helper()
	w, err := utils.InferTool("weather", "tells the weather", func(_ context.Context, in city) (string, error) {
		return "sunny in " + in.City, nil
	})
	require.NoError(t, err)
	return w
}

// An agent of eino's calls its tool and answers, though its model fails before
// each turn.
func TestAgentOverFaults(t *testing.T) {
	busy := modeltest.Status(503).Error("overloaded_error", "busy")
	for _, streamed := range []bool{true, false} {
		t.Run(fmt.Sprintf("streamed %v", streamed), func(t *testing.T) {
			server := modeltest.NewServer(
				modeltest.RepliesFor("gpt-5", busy),
				modeltest.RepliesFor("spare",
					modeltest.Send().ToolCall("call_1", "weather", `{"city":"Rome"}`).Finish(strata.FinishToolCalls).Done(),
					modeltest.OK("It is ", "sunny."),
				),
			)
			defer server.Close()
			a, err := react.NewAgent(t.Context(), &react.AgentConfig{
				ToolCallingModel: stack(server),
				ToolsConfig:      compose.ToolsNodeConfig{Tools: []tool.BaseTool{weather(t)}},
			})
			require.NoError(t, err)

			var msg *schema.Message
			if streamed {
				r, err := a.Stream(t.Context(), []*schema.Message{schema.UserMessage("How is the weather in Rome?")})
				require.NoError(t, err)
				msg, err = schema.ConcatMessageStream(r)
				require.NoError(t, err)
			} else {
				msg, err = a.Generate(t.Context(), []*schema.Message{schema.UserMessage("How is the weather in Rome?")})
				require.NoError(t, err)
			}
			assert.Equal(t, "It is sunny.", msg.Content)
			requests := server.Requests()
			require.Len(t, requests, 4)
			last := string(requests[3].Body)
			assert.Contains(t, last, `sunny in Rome`)
			assert.Contains(t, last, `"call_1"`)
			assert.Contains(t, last, `"tells the weather"`)
		})
	}
}

// heard is a callback handler that notes what it hears.
type heard struct {
	mu     sync.Mutex
	events []string
	usage  *model.TokenUsage
	tools  int
}

func (h *heard) note(info *callbacks.RunInfo, what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, info.Type+" "+what)
}

func (h *heard) handler() callbacks.Handler {
	ours := func(info *callbacks.RunInfo) bool {
		return info != nil && info.Component == components.ComponentOfChatModel
	}
	return callbacks.NewHandlerBuilder().
		OnStartFn(func(ctx context.Context, info *callbacks.RunInfo, in callbacks.CallbackInput) context.Context {
			if ours(info) {
				h.note(info, "start")
				h.tools = len(model.ConvCallbackInput(in).Tools)
			}
			return ctx
		}).
		OnEndFn(func(ctx context.Context, info *callbacks.RunInfo, out callbacks.CallbackOutput) context.Context {
			if ours(info) {
				h.note(info, "end")
				h.usage = model.ConvCallbackOutput(out).TokenUsage
			}
			return ctx
		}).
		OnErrorFn(func(ctx context.Context, info *callbacks.RunInfo, err error) context.Context {
			if ours(info) {
				h.note(info, "error "+string(failure.Of(err)))
			}
			return ctx
		}).
		OnEndWithStreamOutputFn(func(ctx context.Context, info *callbacks.RunInfo, out *schema.StreamReader[callbacks.CallbackOutput]) context.Context {
			if !ours(info) {
				out.Close()
				return ctx
			}
			defer out.Close()
			h.note(info, "stream")
			for {
				o, err := out.Recv()
				if err != nil {
					h.note(info, fmt.Sprint("stream ends ", err == io.EOF))
					return ctx
				}
				if u := model.ConvCallbackOutput(o).TokenUsage; u != nil {
					h.usage = u
				}
			}
		}).Build()
}

func TestCallbacks(t *testing.T) {
	chat := eino.Wrap(script(kinds["text"]))
	bound, err := chat.WithTools([]*schema.ToolInfo{{Name: "f"}})
	require.NoError(t, err)
	failing := eino.Wrap(modeltest.New("acme/m", modeltest.Failure(&failure.Error{Kind: failure.Quota})))
	chain := func(m model.BaseChatModel) compose.Runnable[[]*schema.Message, *schema.Message] {
		run, err := compose.NewChain[[]*schema.Message, *schema.Message]().AppendChatModel(m).Compile(t.Context())
		require.NoError(t, err)
		return run
	}
	for name, test := range map[string]struct {
		call  func(ctx context.Context, h callbacks.Handler) error
		want  []string
		usage bool
	}{
		"whole, in a chain": {func(ctx context.Context, h callbacks.Handler) error {
			_, err := chain(bound).Invoke(ctx, hi, compose.WithCallbacks(h))
			return err
		}, []string{"Strata start", "Strata end"}, true},
		"streamed, in a chain": {func(ctx context.Context, h callbacks.Handler) error {
			r, err := chain(bound).Stream(ctx, hi, compose.WithCallbacks(h))
			if err != nil {
				return err
			}
			_, err = schema.ConcatMessageStream(r)
			return err
		}, []string{"Strata start", "Strata stream", "Strata stream ends true"}, true},
		"failing": {func(ctx context.Context, h callbacks.Handler) error {
			_, err := chain(failing).Invoke(ctx, hi, compose.WithCallbacks(h))
			assert.Error(t, err)
			return nil
		}, []string{"Strata start", "Strata error quota"}, false},
		"failing before content": {func(ctx context.Context, h callbacks.Handler) error {
			_, err := chain(failing).Stream(ctx, hi, compose.WithCallbacks(h))
			assert.Error(t, err)
			return nil
		}, []string{"Strata start", "Strata error quota"}, false},
		"on its own": {func(ctx context.Context, h callbacks.Handler) error {
			ctx = callbacks.InitCallbacks(ctx, &callbacks.RunInfo{Type: "Strata", Component: components.ComponentOfChatModel}, h)
			_, err := bound.Generate(ctx, hi)
			return err
		}, []string{"Strata start", "Strata end"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			h := &heard{}
			require.NoError(t, test.call(t.Context(), h.handler()))
			assert.Equal(t, test.want, h.events)
			if test.usage {
				assert.Equal(t, 1, h.tools)
				assert.Equal(t, &model.TokenUsage{
					PromptTokens: 10, CompletionTokens: 5, TotalTokens: 15, PromptTokenDetails: model.PromptTokenDetails{CachedTokens: 3},
					CompletionTokensDetails: model.CompletionTokensDetails{ReasoningTokens: 1},
				}, h.usage)
			}
		})
	}
}

// callingBack is a chat model of eino's that runs callbacks itself.
type callingBack struct{ *recorder }

func (callingBack) GetType() string          { return "Ark" }
func (callingBack) IsCallbacksEnabled() bool { return true }

func (c callingBack) Generate(ctx context.Context, in []*schema.Message, opts ...model.Option) (*schema.Message, error) {
	ctx = callbacks.EnsureRunInfo(ctx, "Ark", components.ComponentOfChatModel)
	ctx = callbacks.OnStart(ctx, &model.CallbackInput{Messages: in})
	msg, err := c.recorder.Generate(ctx, in, opts...)
	callbacks.OnEnd(ctx, &model.CallbackOutput{Message: msg})
	return msg, err
}

func TestCallbacksOfAChatModelBelow(t *testing.T) {
	h := &heard{}
	below := eino.New("m", callingBack{&recorder{chunks: []*schema.Message{says("ok")}}})
	run, err := compose.NewChain[[]*schema.Message, *schema.Message]().AppendChatModel(eino.Wrap(below)).Compile(t.Context())
	require.NoError(t, err)
	_, err = run.Invoke(t.Context(), hi, compose.WithCallbacks(h.handler()))
	require.NoError(t, err)
	assert.Equal(t, []string{"Strata start", "Ark start", "Ark end", "Strata end"}, h.events)
}

// memory is a store of checkpoints.
type memory map[string][]byte

func (m memory) Get(_ context.Context, id string) ([]byte, bool, error) {
	b, ok := m[id]
	return b, ok, nil
}

func (m memory) Set(_ context.Context, id string, b []byte) error {
	m[id] = b
	return nil
}

// An answer comes through a checkpoint of a graph with all that eino has no field
// for.
func TestAnswersSurviveCheckpoints(t *testing.T) {
	chat := eino.Wrap(script([]strata.Part{
		strata.StreamStart{Warnings: []strata.Warning{{Message: "w"}}},
		strata.ResponseMetadata{ID: "r", Timestamp: time.Unix(1, 0).UTC(), Headers: http.Header{"X": {"y"}}},
		strata.ReasoningStart{ID: "1"}, strata.ReasoningDelta{ID: "1", Text: "hm"},
		strata.ReasoningEnd{ID: "1", ProviderData: strata.ProviderData{"acme": {"signature": "s", "n": 1.5, "list": []any{"a"}}}},
		strata.TextDelta{ID: "2", Text: "a"}, strata.Source{URL: "https://example.org"}, strata.File{MediaType: "application/pdf", Data: []byte("pdf")},
		strata.Finish{Reason: strata.FinishStop, RawReason: "stop", Usage: strata.Usage{InputTokens: 1, CacheWriteTokens: 2}, Model: id},
	}))
	graph := compose.NewGraph[[]*schema.Message, *schema.Message]()
	require.NoError(t, graph.AddChatModelNode("model", chat))
	require.NoError(t, graph.AddLambdaNode("after", compose.InvokableLambda(func(_ context.Context, m *schema.Message) (*schema.Message, error) { return m, nil })))
	require.NoError(t, graph.AddEdge(compose.START, "model"))
	require.NoError(t, graph.AddEdge("model", "after"))
	require.NoError(t, graph.AddEdge("after", compose.END))
	run, err := graph.Compile(t.Context(), compose.WithCheckPointStore(memory{}), compose.WithInterruptBeforeNodes([]string{"after"}))
	require.NoError(t, err)

	_, err = run.Invoke(t.Context(), hi, compose.WithCheckPointID("1"))
	_, interrupted := compose.ExtractInterruptInfo(err)
	require.True(t, interrupted, "%v", err)
	msg, err := run.Invoke(t.Context(), nil, compose.WithCheckPointID("1"))
	require.NoError(t, err)
	got, err := eino.ResponseOf(msg)
	require.NoError(t, err)
	want, err := chat.Model().Generate(t.Context(), strata.Prompt("hi"))
	require.NoError(t, err)
	got.Raw = nil
	assert.Equal(t, want, got)
}
