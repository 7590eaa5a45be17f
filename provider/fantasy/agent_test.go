package fantasy_test

import (
	"context"
	"fmt"
	"testing"

	sdk "charm.land/fantasy"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/fantasy"
)

// The second turn of fantasy's agent sends back what the first returned, signatures
// and all, though fantasy has no type for them.
func TestAgentSendsBackWhatCame(t *testing.T) {
	signed := strata.ProviderData{"acme": {"signature": "s1"}}
	picture := strata.File{MediaType: "image/png", URL: "https://example.com/a.png"}
	searched := strata.ToolResult{ID: "c0", Name: "search", Output: "found", ProviderExecuted: true, ProviderData: strata.ProviderData{"acme": {"encrypted": "e"}}}
	first := modeltest.Attempt{
		modeltest.Start(),
		modeltest.ReasoningStart("0"), modeltest.Reasoning("hm"), modeltest.Part(strata.ReasoningEnd{ID: "0", ProviderData: signed}),
		modeltest.TextStart("1"), modeltest.Text("wait"), modeltest.Part(strata.TextEnd{ID: "1", ProviderData: strata.ProviderData{"acme": {"item": "i1"}}}),
		modeltest.Part(picture),
		modeltest.Part(strata.ToolCall{ID: "c0", Name: "search", Input: `{}`, ProviderExecuted: true}),
		modeltest.Part(searched),
		modeltest.Part(strata.ToolCall{ID: "c1", Name: "weather", Input: `{"city":"Florence"}`, ProviderData: strata.ProviderData{"acme": {"thought": "t1"}}}),
		modeltest.Finish(strata.FinishToolCalls),
	}
	type input struct {
		City string `json:"city"`
	}
	tool := sdk.NewAgentTool("weather", "tells it", func(_ context.Context, in input, _ sdk.ToolCall) (sdk.ToolResponse, error) {
		return sdk.NewTextResponse("sunny in " + in.City), nil
	})
	for _, streamed := range []bool{true, false} {
		t.Run(fmt.Sprintf("streamed %v", streamed), func(t *testing.T) {
			m := modeltest.New("acme/one", first, modeltest.Answer("It is sunny."))
			agent := sdk.NewAgent(fantasy.Wrap(m, identity), sdk.WithTools(tool), sdk.WithMaxRetries(0))
			var result *sdk.AgentResult
			var err error
			if streamed {
				result, err = agent.Stream(t.Context(), sdk.AgentStreamCall{Prompt: "The weather?"})
			} else {
				result, err = agent.Generate(t.Context(), sdk.AgentCall{Prompt: "The weather?"})
			}
			require.NoError(t, err)
			assert.Equal(t, "It is sunny.", result.Response.Content.Text())
			require.Len(t, m.Calls(), 2)
			req := m.Calls()[1].Request
			require.Len(t, req.Messages, 3)
			assert.Equal(t, []strata.Content{
				strata.Reasoning{Text: "hm", ProviderData: signed},
				strata.Text{Text: "wait", ProviderData: strata.ProviderData{"acme": {"item": "i1"}}},
				picture,
				strata.ToolCall{ID: "c0", Name: "search", Input: `{}`, ProviderExecuted: true},
				searched,
				strata.ToolCall{ID: "c1", Name: "weather", Input: `{"city":"Florence"}`, ProviderData: strata.ProviderData{"acme": {"thought": "t1"}}},
			}, req.Messages[1].Content)
			assert.Equal(t, []strata.Content{strata.ToolResult{ID: "c1", Name: "weather", Output: "sunny in Florence"}}, req.Messages[2].Content)
			assert.Equal(t, "weather", req.Tools[0].Name)
			assert.Equal(t, strata.ToolChoiceAuto, req.ToolChoice.Mode)
		})
	}
}
