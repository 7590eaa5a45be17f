// Package recording replays recorded traffic of providers through adapters, for
// their tests. The recordings are other people's data and are not in the
// repository: STRATA_RECORDINGS names the folder that has a file for each wire,
// by default shared/recordings beside the checkout.
package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/stream"
)

// A Recording is a real exchange with a provider, and what an independent parser
// read from its answer.
type Recording struct {
	Name    string
	Host    string
	Request struct {
		Path string
		Body string // JSON
	}
	Response struct {
		Status      int
		ContentType string `json:"content_type"`
		Body        string
	}
	Want Outcome
}

// An Outcome is what an answer holds.
type Outcome struct {
	Text      string
	Reasoning string
	ToolCalls []ToolCall `json:"tool_calls"` // those of the program's tools
	FinishRaw string     `json:"finish_raw"`
	Usage     struct {
		Input       int64
		Output      int64
		CachedInput int64 `json:"cached_input"`
	}
	Model string
	Path  string `json:"-"` // that was asked, without a query
}

// A ToolCall is a call of a tool, with its input as JSON.
type ToolCall struct{ Name, Input string }

// Load returns the recordings of a wire. Without them it skips the test.
func Load(t *testing.T, wire string) []Recording {
	t.Helper()
	dir := os.Getenv("STRATA_RECORDINGS")
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared", "recordings")
	}
	data, err := os.ReadFile(filepath.Join(dir, wire+".json"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("no recordings: %v", err)
	}
	var rs []Recording
	if err == nil {
		err = json.Unmarshal(data, &rs)
	}
	switch {
	case err != nil:
		t.Fatal(err)
	case len(rs) == 0:
		t.Fatalf("%s.json has no recordings", wire)
	}
	return rs
}

// root is the folder of the checkout, which has the go.work.
func root(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Skip("no recordings: this is not a checkout")
		}
		dir = parent
	}
}

// Test replays the recordings of a wire and prints how many came out as wanted.
// model returns the model that asks the server what the recording's client asked
// its host. Check, which may be nil, may change what is compared.
func Test(t *testing.T, wire string, model func(r *Recording, server *httptest.Server) strata.Model, check func(r *Recording, got, want *Outcome)) {
	t.Helper()
	rs := Load(t, wire)
	passed := 0
	for i := range rs {
		misses := rs[i].replay(t, model, check)
		if len(misses) == 0 {
			passed++
		}
		for _, miss := range misses {
			t.Errorf("%s: %s", rs[i].Name, miss)
		}
	}
	fmt.Printf("recordings: %d/%d %s.json\n", passed, len(rs), wire)
}

// Path returns the path that was asked, without a query.
func (r *Recording) Path() string {
	path, _, _ := strings.Cut(r.Request.Path, "?")
	return path
}

// Streamed reports whether the answer is an event stream.
func (r *Recording) Streamed() bool {
	return strings.HasPrefix(r.Response.ContentType, "text/event-stream")
}

// Serve answers every request with the recorded response.
func (r *Recording) Serve(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", r.Response.ContentType)
	w.WriteHeader(r.Response.Status)
	_, _ = io.WriteString(w, r.Response.Body)
}

// replay serves the recorded response and returns where what came out differs.
func (r *Recording) replay(t *testing.T, model func(*Recording, *httptest.Server) strata.Model, check func(r *Recording, got, want *Outcome)) []string {
	asked := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		asked = req.URL.Path
		r.Serve(w, req)
	}))
	defer server.Close()
	m := model(r, server)
	if m == nil {
		return []string{"the path is not that of the wire: " + r.Request.Path}
	}
	var resp *strata.Response
	var err error
	if r.Streamed() {
		resp, err = stream.Collect(m.Stream(t.Context(), strata.Prompt("hello")))
	} else {
		resp, err = m.Generate(t.Context(), strata.Prompt("hello"))
	}
	if err != nil {
		return []string{"failed: " + err.Error()}
	}
	got, want := outcomeOf(resp), r.Want
	got.Path, want.Path = asked, r.Path()
	if check != nil {
		check(r, &got, &want)
	}
	return got.differences(want)
}

func outcomeOf(r *strata.Response) Outcome {
	o := Outcome{Text: r.Text(), Reasoning: r.Reasoning(), FinishRaw: r.RawFinishReason, Model: r.Metadata.Model}
	o.Usage.Input, o.Usage.Output, o.Usage.CachedInput = r.Usage.InputTokens, r.Usage.OutputTokens, r.Usage.CachedInputTokens
	for _, c := range r.ToolCalls() {
		if !c.ProviderExecuted { // which is no call on the wire
			o.ToolCalls = append(o.ToolCalls, ToolCall{c.Name, c.Input})
		}
	}
	return o
}

func (o *Outcome) differences(want Outcome) (misses []string) {
	differ := func(what string, got, want any) {
		if got != want {
			misses = append(misses, fmt.Sprintf("%s is %v, want %v", what, got, want))
		}
	}
	differ("text", o.Text, want.Text)
	differ("reasoning", o.Reasoning, want.Reasoning)
	differ("finish reason", o.FinishRaw, want.FinishRaw)
	differ("usage", o.Usage, want.Usage)
	differ("model", o.Model, want.Model)
	differ("path", o.Path, want.Path)
	differ("number of tool calls", len(o.ToolCalls), len(want.ToolCalls))
	for i := range min(len(o.ToolCalls), len(want.ToolCalls)) {
		differ("tool name", o.ToolCalls[i].Name, want.ToolCalls[i].Name)
		differ("tool input", normal(o.ToolCalls[i].Input), normal(want.ToolCalls[i].Input))
	}
	return misses
}

// normal writes JSON one way, so that values are compared and not bytes.
func normal(s string) string {
	var v any
	if json.Unmarshal([]byte(s), &v) != nil {
		return s
	}
	b, _ := json.Marshal(v)
	return string(b)
}
