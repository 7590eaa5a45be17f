package wires_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/fantasy"
	"github.com/strata-go/strata/stream"
)

// recording is a real exchange with a provider, and what an independent parser
// read from its answer.
type recording struct {
	Name    string
	Host    string
	Request struct {
		Path string
		Body string
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
}

type toolCall struct {
	Name  string
	Input string
}

// TestRecordings replays recorded answers through fantasy's provider of each wire.
// STRATA_RECORDINGS names the folder. What fantasy's providers lose is not
// compared: the raw finish reason and the server's name of the model; the line
// breaks between summaries of reasoning on the Responses wire, which they put in;
// and counts of output in a stream of Gemini's, where they add up what the wire
// reports as sums so far.
func TestRecordings(t *testing.T) {
	dir := os.Getenv("STRATA_RECORDINGS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "recordings")
	}
	for _, name := range []string{"openai-chat", "openai-responses", "anthropic", "gemini"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, name+".json"))
			if os.IsNotExist(err) {
				t.Skipf("no recordings: %v", err)
			}
			require.NoError(t, err)
			var rs []recording
			require.NoError(t, json.Unmarshal(data, &rs))
			passed := 0
			for _, r := range rs {
				misses := r.replay(t, name)
				if len(misses) == 0 {
					passed++
				}
				for _, miss := range misses {
					t.Errorf("%s: %s", r.Name, miss)
				}
			}
			fmt.Printf("%s over fantasy: recordings: %d/%d\n", name, passed, len(rs))
		})
	}
}

// provider is the provider of fantasy that asks the recording's host.
func (r *recording) provider(wireName string) string {
	switch {
	case wireName != "openai-chat":
		return wireName
	case strings.Contains(r.Host, "openrouter"):
		return "openrouter"
	case strings.Contains(r.Host, "vercel"):
		return "vercel"
	case r.Host == "api.openai.com", strings.Contains(r.Host, "azure"):
		return "openai"
	}
	return "openai-chat"
}

// replay serves the recorded response and returns where what came out differs.
func (r *recording) replay(t *testing.T, wireName string) []string {
	base := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", r.Response.ContentType)
		w.WriteHeader(r.Response.Status)
		_, _ = io.WriteString(w, r.Response.Body)
	})
	m := fantasy.New(languageModel(t, r.provider(wireName), base, r.model(wireName), nil))

	var resp *strata.Response
	var err error
	req := strata.Prompt("hello")
	if strings.HasPrefix(r.Response.ContentType, "text/event-stream") {
		resp, err = stream.Collect(m.Stream(t.Context(), req))
	} else {
		resp, err = m.Generate(t.Context(), req)
	}
	if err != nil {
		return []string{"failed: " + err.Error()}
	}
	var got outcome
	got.Text, got.Reasoning = resp.Text(), resp.Reasoning()
	got.Usage.Input, got.Usage.Output, got.Usage.CachedInput = resp.Usage.InputTokens, resp.Usage.OutputTokens, resp.Usage.CachedInputTokens
	for _, c := range resp.ToolCalls() {
		if !c.ProviderExecuted {
			got.ToolCalls = append(got.ToolCalls, toolCall{c.Name, c.Input})
		}
	}
	want := r.Want
	switch streamed := strings.HasPrefix(r.Response.ContentType, "text/event-stream"); {
	case wireName == "openai-responses":
		got.Reasoning, want.Reasoning = strings.ReplaceAll(got.Reasoning, "\n", ""), strings.ReplaceAll(want.Reasoning, "\n", "")
	case wireName == "gemini" && streamed:
		want.Usage.Output, want.Usage.CachedInput = got.Usage.Output, got.Usage.CachedInput
	}
	return got.compare(want, resp.FinishReason)
}

// model is the model that was asked, by which fantasy chooses its way.
func (r *recording) model(wireName string) string {
	var body struct{ Model string }
	_ = json.Unmarshal([]byte(r.Request.Body), &body)
	if wireName == "gemini" {
		_, name, _ := strings.Cut(r.Request.Path, "/models/")
		body.Model, _, _ = strings.Cut(name, ":")
	}
	return body.Model
}

// meanings are the finish reasons that the wires' words may become.
var meanings = map[string]strata.FinishReason{
	"stop": strata.FinishStop, "end_turn": strata.FinishStop, "STOP": strata.FinishStop, "completed": strata.FinishStop,
	"tool_calls": strata.FinishToolCalls, "tool_use": strata.FinishToolCalls,
	"length": strata.FinishLength, "max_tokens": strata.FinishLength, "MAX_TOKENS": strata.FinishLength,
}

func (o *outcome) compare(want outcome, reason strata.FinishReason) (misses []string) {
	differ := func(what string, got, want any) {
		if got != want {
			misses = append(misses, fmt.Sprintf("%s is %v, want %v", what, got, want))
		}
	}
	meaning := meanings[want.FinishRaw]
	if len(want.ToolCalls) > 0 && meaning == strata.FinishStop {
		meaning = strata.FinishToolCalls
	}
	differ("text", o.Text, want.Text)
	differ("reasoning", o.Reasoning, want.Reasoning)
	differ("finish reason", reason, meaning)
	differ("usage", o.Usage, want.Usage)
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
