package anthropic_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/anthropic"
)

// recording is a real exchange with a provider, and what an independent parser
// read from its answer.
type recording struct {
	Name    string
	Request struct {
		Path string
		Body string // JSON
	}
	Response struct {
		Status      int
		ContentType string `json:"content_type"`
		Body        string
	}
	Want outcome
}

type outcome struct {
	Text      string
	Reasoning string
	ToolCalls []toolCall `json:"tool_calls"`
	FinishRaw string     `json:"finish_raw"`
	Usage     struct {
		Input       int64
		Output      int64
		CachedInput int64 `json:"cached_input"`
	}
	Model string
}

type toolCall struct {
	Name  string
	Input string
}

// recordings reads the recorded traffic. STRATA_RECORDINGS names the folder of
// anthropic.json.
func recordings(t *testing.T) []recording {
	dir := os.Getenv("STRATA_RECORDINGS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "recordings")
	}
	data, err := os.ReadFile(filepath.Join(dir, "anthropic.json"))
	if os.IsNotExist(err) {
		t.Skipf("no recordings: %v", err)
	}
	require.NoError(t, err)
	var rs []recording
	require.NoError(t, json.Unmarshal(data, &rs))
	require.NotEmpty(t, rs)
	return rs
}

// TestRecordings replays recorded answers through the adapter.
func TestRecordings(t *testing.T) {
	passed, rs := 0, recordings(t)
	for _, r := range rs {
		misses := r.replay(t)
		if len(misses) == 0 {
			passed++
		}
		for _, miss := range misses {
			t.Errorf("%s: %s", r.Name, miss)
		}
	}
	fmt.Printf("recordings: %d/%d\n", passed, len(rs))
}

// replay serves the recorded response and returns where what came out differs.
func (r *recording) replay(t *testing.T) []string {
	s := serve(t, whole(r.Response.Status, r.Response.ContentType, r.Response.Body))
	defer s.Close()
	path, _, _ := strings.Cut(r.Request.Path, "?") // some were recorded with ?beta=true
	base, ok := strings.CutSuffix(path, "/v1/messages")
	if !ok {
		return []string{"the path is not that of the Messages API: " + r.Request.Path}
	}
	m := anthropic.New("claude-test", anthropic.BaseURL(s.URL+base), anthropic.APIKey(key), anthropic.HTTPClient(s.Client()))

	var got outcome
	if strings.HasPrefix(r.Response.ContentType, "text/event-stream") {
		parts, err := collect(t, m.Stream(t.Context(), strata.Prompt("hello")))
		if err != nil {
			return []string{"failed: " + err.Error()}
		}
		got.fromParts(parts)
	} else {
		resp, err := m.Generate(t.Context(), strata.Prompt("hello"))
		if err != nil {
			return []string{"failed: " + err.Error()}
		}
		got.fromResponse(resp)
	}
	misses := got.compare(r.Want)
	if s.path != path {
		misses = append(misses, fmt.Sprintf("asked %s, want %s", s.path, path))
	}
	return misses
}

func (o *outcome) fromResponse(r *strata.Response) {
	o.Text, o.Reasoning, o.FinishRaw, o.Model = r.Text(), r.Reasoning(), r.RawFinishReason, r.Metadata.Model
	o.Usage.Input, o.Usage.Output, o.Usage.CachedInput = r.Usage.InputTokens, r.Usage.OutputTokens, r.Usage.CachedInputTokens
	for _, c := range r.ToolCalls() {
		o.ToolCalls = append(o.ToolCalls, toolCall{c.Name, c.Input})
	}
}

func (o *outcome) fromParts(parts []strata.Part) {
	for _, p := range parts {
		switch p := p.(type) {
		case strata.TextDelta:
			o.Text += p.Text
		case strata.ReasoningDelta:
			o.Reasoning += p.Text
		case strata.ToolCall:
			o.ToolCalls = append(o.ToolCalls, toolCall{p.Name, p.Input})
		case strata.ResponseMetadata:
			if p.Model != "" {
				o.Model = p.Model
			}
		case strata.Finish:
			o.FinishRaw = p.RawReason
			o.Usage.Input, o.Usage.Output, o.Usage.CachedInput = p.Usage.InputTokens, p.Usage.OutputTokens, p.Usage.CachedInputTokens
		}
	}
}

func (o *outcome) compare(want outcome) (misses []string) {
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
