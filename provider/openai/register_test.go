package openai_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/openai"
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
	t.Setenv("OPENAI_BASE_URL", server.URL)
	t.Setenv("OPENAI_API_KEY", "k-default")
	t.Setenv("OPENAI_API_KEY_EU_WEST", "k-eu-west")
	t.Setenv("OPENAI_API_KEY_FORGOTTEN", "")

	for _, tt := range []struct{ id, key, model, err string }{
		{id: "openai/gpt-5", key: "Bearer k-default", model: "gpt-5"},
		{id: "openai/ft/gpt-5:acme", key: "Bearer k-default", model: "ft/gpt-5:acme"},
		{id: "openai/gpt-5@eu-west", key: "Bearer k-eu-west", model: "gpt-5"},
		{id: "openai/gpt-5@forgotten", err: `strata: open "openai/gpt-5@forgotten": openai: account "forgotten" has no key: OPENAI_API_KEY_FORGOTTEN is not set`},
	} {
		t.Run(tt.id, func(t *testing.T) {
			m, err := strata.Open(tt.id)
			if tt.err != "" {
				require.EqualError(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.id, m.ID().String())
			assert.IsType(t, (*openai.Model)(nil), m)
			_, err = m.Generate(t.Context(), strata.Prompt("hello"))
			require.Error(t, err)
			assert.Equal(t, tt.key, key)
			assert.Equal(t, tt.model, model)
		})
	}
}

// A program that imports the adapter opens its models by name.
func Example_open() {
	model, err := strata.Open("openai/gpt-5")
	fmt.Println(model.ID(), err)
	// Output: openai/gpt-5 <nil>
}
