package google_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/google"
)

func TestOpen(t *testing.T) {
	s := serve(t, whole(418, "application/json", `{}`))
	clearEnv(t)
	t.Setenv("GOOGLE_GEMINI_BASE_URL", s.URL)
	t.Setenv("GEMINI_API_KEY", "k-default")
	t.Setenv("GEMINI_API_KEY_EU_WEST", "k-eu-west")
	t.Setenv("GEMINI_API_KEY_FORGOTTEN", "")

	for _, tt := range []struct{ id, key, path, err string }{
		{id: "google/gemini-2.5-flash", key: "k-default", path: "/v1beta/models/gemini-2.5-flash:generateContent"},
		{id: "google/tunedModels/acme", key: "k-default", path: "/v1beta/tunedModels/acme:generateContent"},
		{id: "google/gemini-2.5-flash@eu-west", key: "k-eu-west", path: "/v1beta/models/gemini-2.5-flash:generateContent"},
		{id: "google/gemini-2.5-flash@forgotten", err: `strata: open "google/gemini-2.5-flash@forgotten": google: account "forgotten" has no key: GEMINI_API_KEY_FORGOTTEN is not set`},
	} {
		t.Run(tt.id, func(t *testing.T) {
			m, err := strata.Open(tt.id)
			if tt.err != "" {
				require.EqualError(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.id, m.ID().String())
			assert.IsType(t, (*google.Model)(nil), m)
			_, err = m.Generate(t.Context(), strata.Prompt("hello"))
			require.Error(t, err)
			assert.Equal(t, tt.key, s.headers.Get("X-Goog-Api-Key"))
			assert.Equal(t, tt.path, s.path)
		})
	}
}

// A program that imports the adapter opens its models by name.
func Example_open() {
	model, err := strata.Open("google/gemini-2.5-flash")
	fmt.Println(model.ID(), err)
	// Output: google/gemini-2.5-flash <nil>
}
