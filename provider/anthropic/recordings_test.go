package anthropic_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/recording"
	"github.com/strata-go/strata/provider/anthropic"
)

// TestRecordings replays recorded answers. At Vertex AI and Bedrock the SDK's client
// for it makes the path, which is not compared then.
func TestRecordings(t *testing.T) {
	const path = "/v1/messages"
	recording.Test(t, "anthropic", func(r *recording.Recording, s *httptest.Server) strata.Model {
		base, _ := strings.CutSuffix(r.Path(), path)
		if base == r.Path() {
			base = ""
		}
		return anthropic.New("claude-test", anthropic.BaseURL(s.URL+base), anthropic.APIKey(key), anthropic.HTTPClient(s.Client()))
	}, func(r *recording.Recording, got, want *recording.Outcome) {
		if !strings.HasSuffix(r.Path(), path) {
			want.Path = path
		}
	})
}
