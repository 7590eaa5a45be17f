package eino_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/eino"
)

// An agent of eino's that stops to ask, and goes on from its checkpoint, sends the
// model back what it said, whatever of Go's types stood in it.
func TestAgentsGoOnFromCheckpoints(t *testing.T) {
	type chunk struct{ N int }
	data := func(v any) strata.ProviderData { return strata.ProviderData{"acme": {"v": v}} }
	first := []strata.Part{
		strata.ReasoningStart{ID: "1"}, strata.ReasoningDelta{ID: "1", Text: "hm"},
		strata.ReasoningEnd{ID: "1", ProviderData: data(map[string]any{"signature": "s", "none": nil, "list": []any{"a"}})},
		strata.Raw{Value: chunk{1}}, strata.Raw{Value: func() {}},
		strata.ToolCall{ID: "c1", Name: "weather", Input: `{"Name":"Oslo"}`, ProviderData: data(json.RawMessage(`{"a":"b"}`))},
		strata.Finish{Reason: strata.FinishToolCalls, RawReason: "tool_calls", Model: id},
	}
	for _, streamed := range []bool{false, true} {
		t.Run(fmt.Sprint("streamed ", streamed), func(t *testing.T) {
			var attempt modeltest.Attempt
			for _, p := range first {
				attempt = append(attempt, modeltest.Part(p))
			}
			m := modeltest.New(id.String(), attempt, modeltest.Answer("sunny"))
			asked := false
			weather, err := utils.InferTool("weather", "tells the weather", func(ctx context.Context, in struct{ Name string }) (string, error) {
				if !asked {
					asked = true
					return "", tool.Interrupt(ctx, "may I?")
				}
				return in.Name + ": sun", nil
			})
			require.NoError(t, err)
			config := &adk.ChatModelAgentConfig{Name: "a", Description: "d", Model: eino.Wrap(m)}
			config.ToolsConfig.Tools = []tool.BaseTool{weather}
			agent, err := adk.NewChatModelAgent(t.Context(), config)
			require.NoError(t, err)
			runner := adk.NewRunner(t.Context(), adk.RunnerConfig{Agent: agent, EnableStreaming: streamed, CheckPointStore: memory{}})

			last := func(events *adk.AsyncIterator[*adk.AgentEvent]) *adk.AgentEvent {
				var last *adk.AgentEvent
				for e, ok := events.Next(); ok; e, ok = events.Next() {
					require.NoError(t, e.Err)
					last = e
				}
				return last
			}
			stopped := last(runner.Query(t.Context(), "hi", adk.WithCheckPointID("1")))
			require.NotNil(t, stopped.Action.Interrupted)
			events, err := runner.Resume(t.Context(), "1")
			require.NoError(t, err)
			msg, _, err := adk.GetMessage(last(events))
			require.NoError(t, err)
			assert.Equal(t, "sunny", msg.Content)

			messages := m.Calls()[1].Request.Messages
			assert.Equal(t, []strata.Content{
				strata.Reasoning{Text: "hm", ProviderData: data(map[string]any{"signature": "s", "none": nil, "list": []any{"a"}})},
				strata.Raw{Value: map[string]any{"N": 1.0}}, strata.Raw{},
				strata.ToolCall{ID: "c1", Name: "weather", Input: `{"Name":"Oslo"}`, ProviderData: data(map[string]any{"a": "b"})},
			}, messages[len(messages)-2].Content)
			assert.Equal(t, "Oslo: sun", messages[len(messages)-1].Content[0].(strata.ToolResult).Output)
		})
	}
}
