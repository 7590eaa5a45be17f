package wires_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "charm.land/fantasy"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/provider/fantasy"
	"github.com/strata-go/strata/stream"
)

// corpusRow is a line of the corpus of errors: one recorded failure.
type corpusRow struct {
	ID       string
	Provider string
	Status   int
	Headers  map[string]string
	Body     string
	InStream bool         `json:"in_stream"`
	Kind     failure.Kind `json:"want_kind"`
	WaitMS   *int64       `json:"want_retry_after_ms"`
}

// wire is the wire that the row's provider speaks.
func (r corpusRow) wire() string {
	switch r.Provider {
	case "anthropic", "bedrock":
		return "anthropic"
	case "gemini", "vertex":
		return "gemini"
	case "openai-codex", "sub2api":
		return "openai-responses"
	}
	if strings.Contains(r.Body, `"response.failed"`) || strings.Contains(r.Body, "sequence_number") {
		return "openai-responses"
	}
	return "openai-chat"
}

// TestErrorCorpus has recorded failures come through fantasy's providers: they are of
// the kind they should be, whole or streamed, and ask for the wait they should.
// STRATA_ERRORS names the file.
func TestErrorCorpus(t *testing.T) {
	path := os.Getenv("STRATA_ERRORS")
	if path == "" {
		path = filepath.Join("..", "..", "..", "..", "shared", "cases", "errors.jsonl")
	}
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		t.Skipf("no corpus of errors: %v", err)
	}
	require.NoError(t, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	right, all := 0, 0
	for lines.Scan() {
		var r corpusRow
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		if strings.HasPrefix(r.Headers["retry-after"], "DATE") {
			continue
		}
		for _, streamed := range []bool{true, false} {
			if r.InStream && !streamed {
				continue
			}
			all++
			err := r.fail(t, streamed)
			require.Error(t, err, r.ID)
			assert.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), key, r.ID)
			wait := time.Duration(-1)
			if r.WaitMS != nil {
				wait = time.Duration(*r.WaitMS) * time.Millisecond
			}
			if got := failure.Of(err); got != r.Kind {
				t.Errorf("%s (%s), streamed %v: kind %s, want %s: %v", r.ID, r.wire(), streamed, got, r.Kind, err)
			} else if got := failure.RetryAfter(err); wait >= 0 && got != wait {
				t.Errorf("%s (%s), streamed %v: wait %v, want %v", r.ID, r.wire(), streamed, got, wait)
			} else {
				right++
			}
		}
	}
	fmt.Printf("errors over fantasy: %d/%d\n", right, all)
}

// fail plays the row and returns what New's model makes of it.
func (r corpusRow) fail(t *testing.T, streamed bool) error {
	base := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		for name, value := range r.Headers {
			w.Header().Set(name, value)
		}
		if r.InStream {
			w.Header().Set("Content-Type", "text/event-stream")
			var line strings.Builder
			_ = json.NewEncoder(&line).Encode(json.RawMessage(r.Body))
			event := "error"
			if strings.Contains(r.Body, `"response.failed"`) {
				event = "response.failed"
			}
			if r.wire() == "openai-chat" {
				fmt.Fprintf(w, "data: %s\n\n", strings.TrimSpace(line.String()))
			} else {
				fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, strings.TrimSpace(line.String()))
			}
			return
		}
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(r.Status)
		_, _ = io.WriteString(w, r.Body)
	})
	model := "some-model"
	if r.wire() == "openai-responses" {
		model = "gpt-5" // fantasy asks the Responses API for models it knows
	}
	m := fantasy.New(languageModel(t, r.wire(), base, model, nil))
	if streamed {
		_, err := stream.Collect(m.Stream(t.Context(), strata.Prompt("hello")))
		return err
	}
	_, err := m.Generate(t.Context(), strata.Prompt("hello"))
	return err
}

// An error of a provider's is fantasy's still, without the request and the key, even
// where the server echoes it.
func TestErrorsHoldNoSecret(t *testing.T) {
	for name := range wires {
		for _, streamed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, streamed %v", name, streamed), func(t *testing.T) {
				base := serve(t, func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("X-Echo", key)
					w.Header().Set("X-Request-Id", "q7")
					w.Header().Set("Set-Cookie", "session=secret")
					w.Header().Set("Retry-After", "3")
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(429)
					fmt.Fprintf(w, `{"error":{"code":429,"type":"rate_limit_error","status":"RESOURCE_EXHAUSTED","message":"slow down, %s"}}`, key)
				})
				m := fantasy.New(languageModel(t, name, base, "gpt-5", nil))
				var err error
				if streamed {
					_, err = stream.Collect(m.Stream(t.Context(), strata.Prompt("my secret prompt")))
				} else {
					_, err = m.Generate(t.Context(), strata.Prompt("my secret prompt"))
				}
				var f *failure.Error
				require.True(t, errors.As(err, &f), "%v", err)
				assert.Equal(t, failure.Rate, f.Kind)
				assert.Equal(t, 429, f.Status)
				assert.Equal(t, 3*time.Second, f.RetryAfter)
				assert.Equal(t, "q7", f.Headers.Get("X-Request-Id"))
				var pe *sdk.ProviderError
				require.True(t, errors.As(err, &pe), "%v", err)
				assert.Equal(t, 429, pe.StatusCode)
				assert.True(t, pe.IsRetryable())
				assert.Nil(t, pe.RequestBody)
				for e := error(f); e != nil; e = errors.Unwrap(e) {
					shown := fmt.Sprintf("%v %+v %#v", e, e, e) + fmt.Sprintf("%s", pe.ResponseBody) + fmt.Sprint(pe.ResponseHeaders)
					assert.NotContains(t, shown, key)
					assert.NotContains(t, shown, "secret")
				}
			})
		}
	}
}
