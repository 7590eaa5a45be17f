package anthropic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/anthropic"
)

// Models of before the effort are not sent one, whatever they are called with.
func TestEffortByModel(t *testing.T) {
	for name, sent := range map[string]bool{
		"claude-3-5-sonnet-20241022": false, "claude-sonnet-4-20250514": false, "claude-sonnet-4-0": false, "claude-opus-4-1": false,
		"claude-sonnet-4-5": false, "claude-sonnet-4-5@20250929": false, "claude-haiku-4-5": false, "us.anthropic.claude-3-7-sonnet": false,
		"claude-opus-4-5": true, "claude-opus-4-6": true, "claude-sonnet-4-6": true, "claude-sonnet-5": true, "claude-next": true,
	} {
		s := serve(t, whole(200, "application/json", `{"id":"m","type":"message","role":"assistant","model":"x","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`))
		req := strata.Prompt("hello")
		req.ReasoningEffort = strata.ReasoningLow
		resp, err := anthropic.New(name, anthropic.BaseURL(s.URL), anthropic.APIKey(key), anthropic.HTTPClient(s.Client())).Generate(t.Context(), req)
		require.NoError(t, err)
		_, has := s.asked(t)["output_config"]
		assert.Equal(t, sent, has, name)
		assert.Equal(t, !sent, len(resp.Warnings) == 1, "%s: %v", name, resp.Warnings)
	}
}
