package anthropic_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/anthropic"
)

func TestOpen(t *testing.T) {
	var key, model string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key = r.Header.Get("Authorization")
		var body struct{ Model string }
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&body))
		model = body.Model
		w.WriteHeader(http.StatusTeapot)
	}))
	defer server.Close()
	t.Setenv("ANTHROPIC_BASE_URL", server.URL)
	t.Setenv("ANTHROPIC_API_KEY", "k-default")
	t.Setenv("ANTHROPIC_API_KEY_EU_WEST", "k-eu-west")
	t.Setenv("ANTHROPIC_API_KEY_FORGOTTEN", "")

	for _, tt := range []struct{ id, key, model, err string }{
		{id: "anthropic/claude-5", key: "Bearer k-default", model: "claude-5"},
		{id: "anthropic/ft/claude-5:acme", key: "Bearer k-default", model: "ft/claude-5:acme"},
		{id: "anthropic/claude-5@eu-west", key: "Bearer k-eu-west", model: "claude-5"},
		{id: "anthropic/claude-5@forgotten", err: `strata: open "anthropic/claude-5@forgotten": anthropic: account "forgotten" has no key: ANTHROPIC_API_KEY_FORGOTTEN is not set`},
	} {
		t.Run(tt.id, func(t *testing.T) {
			m, err := strata.Open(tt.id)
			if tt.err != "" {
				require.EqualError(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.id, m.ID().String())
			assert.IsType(t, (*anthropic.Model)(nil), m)
			_, err = m.Generate(t.Context(), strata.Prompt("hello"))
			require.Error(t, err)
			assert.Equal(t, tt.key, key)
			assert.Equal(t, tt.model, model)
		})
	}
}

// A program that imports the adapter opens its models by name.
func Example_open() {
	model, err := strata.Open("anthropic/claude-5")
	fmt.Println(model.ID(), err)
	// Output: anthropic/claude-5 <nil>
}
