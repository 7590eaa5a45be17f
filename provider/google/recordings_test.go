package google_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/recording"
	"github.com/strata-go/strata/provider/google"
)

// TestRecordings replays recorded answers.
func TestRecordings(t *testing.T) {
	recording.Test(t, "gemini", func(r *recording.Recording, s *httptest.Server) strata.Model {
		return modelOf(r, s)
	}, nil)
}

// modelOf returns the model that was asked, at Google or by Vertex AI.
func modelOf(r *recording.Recording, s *httptest.Server) *google.Model {
	_, name, _ := strings.Cut(r.Path(), "/models/")
	name, _, _ = strings.Cut(name, ":")
	access := google.APIKey(key)
	if at := strings.Split(r.Path(), "/"); len(at) > 5 && at[2] == "projects" { // /v1/projects/…/locations/…/…
		access = google.Config(genai.ClientConfig{Backend: genai.BackendVertexAI, Project: at[3], Location: at[5],
			HTTPOptions: genai.HTTPOptions{APIVersion: at[1]}})
	}
	return google.New(name, google.BaseURL(s.URL), access, google.HTTPClient(s.Client()))
}
