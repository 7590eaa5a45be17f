package wires_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/recording"
	"github.com/strata-go/strata/provider/fantasy"
)

// TestRecordedTraffic replays recorded answers through fantasy's provider of each
// wire. What fantasy's providers lose or change is not compared: the raw finish
// reason, the path, and the server's name of the model; the line breaks between
// summaries of reasoning on the Responses wire, which they put in; and counts of
// output in a stream of Gemini's, where they add up what the wire reports as sums
// so far.
func TestRecordedTraffic(t *testing.T) {
	for _, wire := range []string{"openai-chat", "openai-responses", "anthropic", "gemini"} {
		t.Run(wire, func(t *testing.T) {
			recording.Test(t, wire, func(r *recording.Recording, s *httptest.Server) strata.Model {
				return fantasy.New(languageModel(t, providerOf(r, wire), s.URL, modelOf(r, wire), nil))
			}, func(r *recording.Recording, got, want *recording.Outcome) {
				want.Path, want.Model, want.FinishRaw = got.Path, got.Model, meaning(want)
				switch {
				case wire == "openai-responses":
					got.Reasoning, want.Reasoning = strings.ReplaceAll(got.Reasoning, "\n", ""), strings.ReplaceAll(want.Reasoning, "\n", "")
				case wire == "gemini" && r.Streamed():
					want.Usage.Output, want.Usage.CachedInput = got.Usage.Output, got.Usage.CachedInput
				}
			})
		})
	}
}

// providerOf is the provider of fantasy that asks the recording's host.
func providerOf(r *recording.Recording, wire string) string {
	switch {
	case wire != "openai-chat":
		return wire
	case strings.Contains(r.Host, "openrouter"):
		return "openrouter"
	case strings.Contains(r.Host, "vercel"):
		return "vercel"
	case r.Host == "api.openai.com", strings.Contains(r.Host, "azure"):
		return "openai"
	}
	return "openai-chat"
}

// modelOf is the model that was asked, by which fantasy chooses its way.
func modelOf(r *recording.Recording, wire string) string {
	var body struct{ Model string }
	_ = json.Unmarshal([]byte(r.Request.Body), &body)
	if wire == "gemini" {
		_, name, _ := strings.Cut(r.Request.Path, "/models/")
		body.Model, _, _ = strings.Cut(name, ":")
	}
	return body.Model
}

// meanings are the finish reasons that the wires' words may become.
var meanings = map[string]strata.FinishReason{
	"stop": strata.FinishStop, "end_turn": strata.FinishStop, "STOP": strata.FinishStop, "completed": strata.FinishStop,
	"tool_calls": strata.FinishToolCalls, "tool_use": strata.FinishToolCalls,
	"length": strata.FinishLength, "max_tokens": strata.FinishLength, "MAX_TOKENS": strata.FinishLength,
}

// meaning is fantasy's word for the finish reason.
func meaning(want *recording.Outcome) string {
	reason := meanings[want.FinishRaw]
	if len(want.ToolCalls) > 0 && reason == strata.FinishStop {
		reason = strata.FinishToolCalls
	}
	return string(reason)
}
