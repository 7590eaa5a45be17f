package failure_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/failure"
)

// corpusRow is a line of the corpus of errors: one recorded failure.
type corpusRow struct {
	ID       string            `json:"id"`
	Status   int               `json:"status"`
	Headers  map[string]string `json:"headers"`
	Body     string            `json:"body"`
	InStream bool              `json:"in_stream"`
	Kind     failure.Kind      `json:"want_kind"`
	WaitMS   *int64            `json:"want_retry_after_ms"`
	Why      string            `json:"why"`
}

// TestErrorCorpus runs the recorded failures in the file that STRATA_ERRORS
// names. "DATE+30s" in a header stands for an HTTP date that far from now.
func TestErrorCorpus(t *testing.T) {
	path := os.Getenv("STRATA_ERRORS")
	if path == "" {
		path = "../../shared/cases/errors.jsonl"
		if _, err := os.Stat(path); os.IsNotExist(err) {
			t.Skipf("no corpus of errors: set STRATA_ERRORS, or put it at %s", path)
		}
	}
	rows := readCorpus(t, path)
	synctest.Test(t, func(t *testing.T) {
		kinds, waits, stated := 0, 0, 0
		for _, r := range rows {
			e := failure.Classify(failure.Error{Status: r.Status, Headers: r.header(t), Body: r.Body, InStream: r.InStream})
			if e.Kind == r.Kind {
				kinds++
			} else {
				t.Errorf("miss %s: kind %s, want %s: %s", r.ID, e.Kind, r.Kind, r.Why)
			}
			if r.WaitMS == nil {
				continue
			}
			stated++
			if want := time.Duration(*r.WaitMS) * time.Millisecond; e.RetryAfter == want {
				waits++
			} else {
				t.Errorf("miss %s: wait %v, want %v: %s", r.ID, e.RetryAfter, want, r.Why)
			}
		}
		t.Logf("errors: %d/%d kinds, %d/%d waits", kinds, len(rows), waits, stated)
	})
}

func readCorpus(t *testing.T, path string) []corpusRow {
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	var rows []corpusRow
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var r corpusRow
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r), "%s:%d", path, n)
		rows = append(rows, r)
	}
	require.NoError(t, lines.Err())
	require.NotEmpty(t, rows, path)
	return rows
}

func (r corpusRow) header(t *testing.T) http.Header {
	h := http.Header{}
	for name, value := range r.Headers {
		if offset, ok := strings.CutPrefix(value, "DATE+"); ok {
			d, err := time.ParseDuration(offset)
			require.NoError(t, err, r.ID)
			value = time.Now().Add(d).UTC().Format(http.TimeFormat)
		}
		h.Set(name, value)
	}
	return h
}
