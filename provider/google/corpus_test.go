package google_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// TestErrorCorpus serves the recorded failures of Google's APIs in the file that
// STRATA_ERRORS names, and asks for them through the adapter.
func TestErrorCorpus(t *testing.T) {
	path := os.Getenv("STRATA_ERRORS")
	if path == "" {
		path = "../../../shared/cases/errors.jsonl"
	}
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		t.Skipf("no corpus of errors: %v", err)
	}
	require.NoError(t, err)
	defer file.Close()
	served := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var row struct {
			ID, Provider, Body string
			Status             int
			Headers            map[string]string
			InStream           bool         `json:"in_stream"`
			Kind               failure.Kind `json:"want_kind"`
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &row))
		if row.Provider != "gemini" && row.Provider != "vertex" {
			continue
		}
		served++
		t.Run(row.ID, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				for name, value := range row.Headers {
					w.Header().Set(name, value)
				}
				if row.InStream {
					events(row.Body)(w, r)
					return
				}
				whole(row.Status, "application/json", row.Body)(w, r)
			})
			_, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
			assert.Equal(t, row.Kind, failure.Of(err), "%v", err)
			if !row.InStream {
				_, err = s.model().Generate(t.Context(), strata.Prompt("Hi"))
				assert.Equal(t, row.Kind, failure.Of(err), "%v", err)
			}
		})
	}
	require.NotZero(t, served)
}
