package openai_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/recording"
	"github.com/strata-go/strata/provider/openai"
)

// wires are the wires that the package serves, by the names of their recordings.
var wires = map[string]struct {
	path string
	at   func(name string, opts ...openai.Option) strata.Model
}{
	"openai-chat":      {"/chat/completions", func(name string, opts ...openai.Option) strata.Model { return openai.New(name, opts...) }},
	"openai-responses": {"/responses", func(name string, opts ...openai.Option) strata.Model { return openai.NewResponses(name, opts...) }},
}

// TestRecordings replays recorded answers of both wires.
func TestRecordings(t *testing.T) {
	for wire, at := range wires {
		t.Run(wire, func(t *testing.T) {
			recording.Test(t, wire, func(r *recording.Recording, s *httptest.Server) strata.Model {
				base, ok := strings.CutSuffix(r.Path(), at.path)
				if !ok {
					return nil
				}
				return at.at("gpt-test", openai.BaseURL(s.URL+base), openai.APIKey(key), openai.HTTPClient(s.Client()))
			}, nil)
		})
	}
}
