package openai_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/openai"
)

// What was encrypted for one account goes back to it, and to no other.
func TestEncryptedReasoningStaysWithItsAccount(t *testing.T) {
	const body = `{"id":"resp_1","object":"response","model":"gpt-5","status":"completed","output":[
		{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"sealed"},
		{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hi","annotations":[]}]}],
		"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}`
	for _, tt := range []struct {
		from, to string
		sent     bool
	}{{"", "", true}, {"eu", "eu", true}, {"eu", "us", false}, {"eu", "", false}, {"", "eu", false}} {
		s := serve(t, whole(200, "application/json", body))
		at := func(account string) *openai.Responses {
			return openai.NewResponses("gpt-5", openai.Account(account), openai.BaseURL(s.URL+"/v1"), openai.APIKey(key), openai.HTTPClient(s.Client()))
		}
		resp, err := at(tt.from).Generate(t.Context(), strata.Prompt("hello"))
		require.NoError(t, err)
		_, err = at(tt.to).Generate(t.Context(), &strata.Request{Messages: []strata.Message{strata.UserMessage("hello"), resp.Message(), strata.UserMessage("and?")}})
		require.NoError(t, err)
		sent, err := json.Marshal(s.asked(t)["input"])
		require.NoError(t, err)
		if tt.sent {
			assert.Contains(t, string(sent), "sealed", "%q to %q", tt.from, tt.to)
		} else {
			assert.NotContains(t, string(sent), "sealed", "%q to %q", tt.from, tt.to)
		}
		assert.NotContains(t, string(sent), `"account"`)
	}
}
