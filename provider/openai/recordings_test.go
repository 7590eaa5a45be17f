package openai_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/openai"
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

// wires are the wires that the package serves, by the names of their recordings.
var wires = map[string]struct {
	path string
	at   func(name string, opts ...openai.Option) strata.Model
}{
	"openai-chat":      {"/chat/completions", func(name string, opts ...openai.Option) strata.Model { return openai.New(name, opts...) }},
	"openai-responses": {"/responses", func(name string, opts ...openai.Option) strata.Model { return openai.NewResponses(name, opts...) }},
}

// recordings reads the recorded traffic of a wire. STRATA_RECORDINGS names the
// folder.
func recordings(t *testing.T, wire string) []recording {
	dir := os.Getenv("STRATA_RECORDINGS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "recordings")
	}
	data, err := os.ReadFile(filepath.Join(dir, wire+".json"))
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
	for _, wire := range slices.Sorted(maps.Keys(wires)) {
		t.Run(wire, func(t *testing.T) {
			passed, rs := 0, recordings(t, wire)
			for _, r := range rs {
				misses := r.replay(t, wire)
				if len(misses) == 0 {
					passed++
				}
				for _, miss := range misses {
					t.Errorf("%s: %s", r.Name, miss)
				}
			}
			fmt.Printf("recordings: %d/%d %s.json\n", passed, len(rs), wire)
		})
	}
}

// replay serves the recorded response and returns where what came out differs.
func (r *recording) replay(t *testing.T, wire string) []string {
	s := serve(t, whole(r.Response.Status, r.Response.ContentType, r.Response.Body))
	defer s.Close()
	base, ok := strings.CutSuffix(r.Request.Path, wires[wire].path)
	if !ok {
		return []string{"the path is not that of the wire: " + r.Request.Path}
	}
	m := wires[wire].at("gpt-test", openai.BaseURL(s.URL+base), openai.APIKey(key), openai.HTTPClient(s.Client()))

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
	if s.path != r.Request.Path {
		misses = append(misses, fmt.Sprintf("asked %s, want %s", s.path, r.Request.Path))
	}
	return misses
}

func (o *outcome) fromResponse(r *strata.Response) {
	o.Text, o.Reasoning, o.FinishRaw, o.Model = r.Text(), r.Reasoning(), r.RawFinishReason, r.Metadata.Model
	o.Usage.Input, o.Usage.Output, o.Usage.CachedInput = r.Usage.InputTokens, r.Usage.OutputTokens, r.Usage.CachedInputTokens
	for _, c := range r.ToolCalls() {
		o.call(c)
	}
}

// call keeps a call of the program's tools. Those that the provider runs itself are
// no calls on the wire.
func (o *outcome) call(c strata.ToolCall) {
	if !c.ProviderExecuted {
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
			o.call(p)
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
