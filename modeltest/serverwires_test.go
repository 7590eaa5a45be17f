package modeltest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
)

// The signature of the reasoning "Hm", which every wire that signs has.
const signature = "CICU5MKrG+laoHMwVXuPTg=="

// turn is an answer in which all takes turns, and what it cost.
var (
	cost = strata.Usage{InputTokens: 10, OutputTokens: 7, CachedInputTokens: 4, CacheWriteTokens: 1, ReasoningTokens: 3}
	turn = modeltest.Send().Reasoning("H", "m").Text("The", " sky").
		ToolCall("c1", "f", `{"a":`, `1}`).ToolCall("c2", "g").Text("?").
		Finish(strata.FinishToolCalls).Usage(cost).Done()
)

var createdAt = regexp.MustCompile(`"created_at":[1-9][0-9]*`)

// askAt posts a body to a path of the server.
func askAt(t *testing.T, srv *modeltest.Server, path, body string) seen {
	t.Helper()
	r, err := http.NewRequestWithContext(await(t), http.MethodPost, srv.Address+path, strings.NewReader(body))
	require.NoError(t, err)
	resp, err := srv.Client().Do(r)
	if err != nil {
		return seen{err: err}
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	return seen{
		status:      resp.StatusCode,
		contentType: resp.Header.Get("Content-Type"),
		body:        createdAt.ReplaceAllString(string(got), `"created_at":0`),
		err:         err,
	}
}

// play returns what a server of its own sends for a reply.
func play(t *testing.T, reply modeltest.Reply, path, body string) string {
	t.Helper()
	srv := modeltest.NewServer(modeltest.Replies(reply))
	defer srv.Close()
	got := askAt(t, srv, path, body)
	require.NoError(t, got.err)
	return got.body
}

// assertEvents compares the events of a stream with their data. Where the
// events of the wire are named, the name is the type in the data.
func assertEvents(t *testing.T, named bool, want []string, body string) {
	t.Helper()
	var got []string
	if body != "" {
		require.True(t, strings.HasSuffix(body, "\n\n"), "%.200q", body)
		got = strings.Split(strings.TrimSuffix(body, "\n\n"), "\n\n")
	}
	require.Len(t, got, len(want), "%.5000s", body)
	for i := range want {
		if strings.HasPrefix(want[i], ":") {
			assert.Equal(t, want[i], got[i])
			continue
		}
		var data struct{ Type string }
		require.NoError(t, json.Unmarshal([]byte(want[i]), &data), want[i])
		head := "data: "
		if named {
			head = "event: " + data.Type + "\n" + head
		}
		require.True(t, strings.HasPrefix(got[i], head), "event %d: %.200s", i, got[i])
		assert.JSONEq(t, want[i], strings.TrimPrefix(got[i], head), "event %d", i)
	}
}

// wires are the APIs, how they are asked for an answer, and how each says what
// all have to say.
var wires = []struct {
	name                   string
	streamPath, streamBody string
	wholePath, wholeBody   string
	named                  bool
	text                   string // of the event that carries "The sky"
	ping                   string
	finish                 string // a mark of the finish reason "stop"
	end                    string // of the end marker; empty where there is none
	failed                 string // an error event
	body                   string // an error with status 429
}{
	{"OpenAI Chat Completions", "/v1/chat/completions", streamed, "/v1/chat/completions", whole, false,
		`"delta":{"content":"The sky"}`, ": ping\n\n", `"finish_reason":"stop"`, "data: [DONE]\n\n",
		`{"error":{"message":"busy","type":"over","param":null,"code":"over"}}`,
		`{"error":{"message":"slow down","type":"rate","param":null,"code":"rate"}}`},
	{"OpenAI Responses", "/v1/responses", streamed, "/v1/responses", whole, true,
		`"delta":"The sky"`, "event: keepalive\ndata: {\"type\":\"keepalive\",\"sequence_number\":N}\n\n", `"status":"completed","usage"`, "",
		`{"type":"error","code":"over","message":"busy","param":null,"sequence_number":N}`,
		`{"error":{"message":"slow down","type":"rate","param":null,"code":"rate"}}`},
	{"Anthropic Messages", "/v1/messages", streamed, "/v1/messages?beta=true", whole, true,
		`"delta":{"text":"The sky","type":"text_delta"}`, "event: ping\ndata: {\"type\":\"ping\"}\n\n", `"stop_reason":"end_turn"`,
		"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
		`{"type":"error","error":{"message":"busy","type":"over"}}`,
		`{"type":"error","error":{"message":"slow down","type":"rate"}}`},
	{"Gemini", "/v1beta/models/gpt-5:streamGenerateContent?alt=sse", `{}`, "/v1beta/models/gpt-5:generateContent", `{}`, false,
		`"parts":[{"text":"The sky"}]`, ": ping\n\n", `"finishReason":"STOP"`, "",
		`{"error":{"code":500,"message":"busy","status":"over"}}`,
		`{"error":{"code":429,"message":"slow down","status":"rate"}}`},
}

var sequence = regexp.MustCompile(`"sequence_number":[0-9]+`)

// Every fault is the same on every wire: what differs is how it is written.
func TestFaultsOnEveryWire(t *testing.T) {
	for _, w := range wires {
		event := func(data string) string {
			if w.named {
				return "event: error\ndata: " + data + "\n\n"
			}
			return "data: " + data + "\n\n"
		}
		sky := func(t *testing.T) string {
			return sequence.ReplaceAllString(play(t, modeltest.Send("The sky"), w.streamPath, w.streamBody), `"sequence_number":N`)
		}
		for _, tt := range []struct {
			name  string
			reply modeltest.Reply
			want  seen
			text  bool // the events of the text "The sky" go first
		}{
			{"nothing", modeltest.Reply{}, seen{200, eventStream, "", nil}, false},
			{"neither finish nor end", modeltest.Send("The sky"), seen{200, eventStream, "", nil}, true},
			{"an error event", modeltest.Send("The sky").Error("over", "busy"), seen{200, eventStream, event(w.failed), nil}, true},
			{"an error event first", modeltest.Send().Error("over", "busy"), seen{200, eventStream, event(w.failed), nil}, false},
			{"keep-alives", modeltest.Send("The sky").KeepAlive(time.Millisecond, 2*time.Millisecond), seen{200, eventStream, w.ping + w.ping, nil}, true},
			{"keep-alives first", modeltest.Send().Head().KeepAlive(time.Millisecond, 2*time.Millisecond), seen{200, eventStream, w.ping + w.ping, nil}, false},
			{"a comment", modeltest.Send("The sky").Comment("busy"), seen{200, eventStream, ": busy\n\n", nil}, true},
			{"an event of choice", modeltest.Send("The sky").Event(`[1]`), seen{200, eventStream, "data: [1]\n\n", nil}, true},
			{"cut in mid-answer", modeltest.Send("The sky").Cut(), seen{200, eventStream, "", io.ErrUnexpectedEOF}, true},
			{"reset in mid-answer", modeltest.Send("The sky").Stall(time.Millisecond).Reset(), seen{200, eventStream, "", syscall.ECONNRESET}, true},
			{"cut before the first event", modeltest.Send().Head().Cut(), seen{200, eventStream, "", io.ErrUnexpectedEOF}, false},
			{"cut before the headers", modeltest.Send().Cut(), seen{err: io.EOF}, false},
			{"a page", modeltest.Status(502).HTML("Bad Gateway"), seen{502, html, badGate, nil}, false},
			{"a page with status 200", modeltest.Send().HTML("Bad Gateway"), seen{200, html, badGate, nil}, false},
			{"a status", modeltest.Status(429).Error("rate", "slow down"), seen{429, applicationJSON, w.body, nil}, false},
		} {
			t.Run(w.name+"/"+tt.name, func(t *testing.T) {
				srv := newServer(t, modeltest.Replies(tt.reply))
				if tt.text {
					tt.want.body = sky(t) + tt.want.body
				}
				got := askAt(t, srv, w.streamPath, w.streamBody)
				got.body = sequence.ReplaceAllString(got.body, `"sequence_number":N`)
				assertSeen(t, tt.want, got)
				r, err := srv.AwaitEnd(await(t), 0)
				require.NoError(t, err)
				assert.True(t, r.Stream)
				assert.Equal(t, "gpt-5", r.Model)
				assert.False(t, r.Disconnected)
			})
		}
	}
}

func TestWholeFaultsOnEveryWire(t *testing.T) {
	for _, w := range wires {
		for _, tt := range []struct {
			name  string
			reply modeltest.Reply
			want  func(body string) seen // of the body of "The sky"
		}{
			{"comments", modeltest.Send("The sky").KeepAlive(time.Millisecond, 2*time.Millisecond), func(b string) seen { return seen{200, applicationJSON, "\n\n" + b, nil} }},
			{"an event", modeltest.Send("The sky").Event("null"), func(string) seen { return seen{200, applicationJSON, "null", nil} }},
			{"a status", modeltest.Status(429).Error("rate", "slow down"), func(string) seen { return seen{429, applicationJSON, w.body, nil} }},
			{"a page", modeltest.Status(502).HTML("Bad Gateway"), func(string) seen { return seen{502, html, badGate, nil} }},
			{"cut before the body", modeltest.Send().Head().Cut(), func(string) seen { return seen{200, applicationJSON, "", io.ErrUnexpectedEOF} }},
			{"cut before the headers", modeltest.Send().Cut(), func(string) seen { return seen{err: io.EOF} }},
		} {
			t.Run(w.name+"/"+tt.name, func(t *testing.T) {
				body := play(t, modeltest.Send("The sky"), w.wholePath, w.wholeBody)
				body = created.ReplaceAllString(body, `"created":0`)
				srv := newServer(t, modeltest.Replies(tt.reply))
				got := askAt(t, srv, w.wholePath, w.wholeBody)
				got.body = created.ReplaceAllString(got.body, `"created":0`)
				assertSeen(t, tt.want(body), got)
				assert.False(t, srv.Requests()[0].Stream)
				assert.Equal(t, "gpt-5", srv.Requests()[0].Model)
			})
		}
		for name, reply := range map[string]modeltest.Reply{
			"malformed":         modeltest.Send("The sky").Malformed(),
			"malformed twice":   modeltest.Send("The sky").Malformed().Malformed(),
			"cut in the body":   modeltest.Send("The sky").Cut(),
			"reset in the body": modeltest.Send("The sky").Reset(),
		} {
			t.Run(w.name+"/"+name, func(t *testing.T) {
				got := askAt(t, newServer(t, modeltest.Replies(reply)), w.wholePath, w.wholeBody)
				assert.Equal(t, 200, got.status)
				assert.True(t, strings.HasPrefix(got.body, "{"))
				assert.False(t, json.Valid([]byte(got.body)), got.body)
			})
		}
	}
}

// An event breaks off in its JSON; those behind it are whole again.
func TestMalformedEventsOnEveryWire(t *testing.T) {
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			body := play(t, modeltest.Send("The sky").Malformed().Text("!").Finish(strata.FinishStop).Done(), w.streamPath, w.streamBody)
			assert.Contains(t, body, w.text)
			assert.Contains(t, body, w.finish)
			assert.True(t, strings.HasSuffix(body, w.end))
			var broken int
			for _, line := range strings.Split(body, "\n") {
				if data, ok := strings.CutPrefix(line, "data: "); ok && data != "[DONE]" && !json.Valid([]byte(data)) {
					broken++
				}
			}
			assert.Equal(t, 1, broken)
		})
	}
}

func TestFinishAndEndOnEveryWire(t *testing.T) {
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			finish := play(t, modeltest.Send("The sky").Finish(strata.FinishStop), w.streamPath, w.streamBody)
			assert.Contains(t, finish, w.finish)
			both := play(t, modeltest.Send("The sky").Finish(strata.FinishStop).Done(), w.streamPath, w.streamBody)
			assert.True(t, strings.HasSuffix(both, w.end), "the end marker")
			assert.NotContains(t, play(t, modeltest.Send("The sky").Done(), w.streamPath, w.streamBody), w.finish)
			assert.Contains(t, play(t, modeltest.Send("The sky").Finish(strata.FinishStop), w.wholePath, w.wholeBody), w.finish)

			huge := play(t, modeltest.Send().Huge(4<<20), w.streamPath, w.streamBody)
			assert.Contains(t, huge, strings.Repeat("x", 4<<20))
			assert.Contains(t, play(t, modeltest.OK("hi").Model("the model"), w.streamPath, w.streamBody), `"the model"`)
		})
	}
}

// The path says which API is asked, whatever is before it, and an error is in
// that API's form.
func TestPathsOfEveryWire(t *testing.T) {
	srv := newServer(t, modeltest.RepliesFor("m", modeltest.OK("Hi")))
	assert.Equal(t, srv.URL, srv.Address+"/v1")
	for _, tt := range []struct {
		path, body string
		status     int
		want       string
		stream     bool
	}{
		{"/v1/messages", `{"model":"m"}`, 200, `"type":"message"`, false},
		{"/v1/v1/messages", `{"model":"m"}`, 200, `"type":"message"`, false},
		{"/anthropic/v1/messages?beta=true", `{"model":"m","stream":true}`, 200, "event: message_start", true},
		{"/v1/messages", `{`, 400, `{"type":"error","error":{"message":"the body is not a JSON request","type":"invalid_request_error"}}`, false},
		{"/v1/messages", `{"model":"n"}`, 404, `"type":"model_not_found"`, false},
		{"/v1/messages/count_tokens", `{"model":"m"}`, 404, "no API at POST /v1/messages/count_tokens", false},
		{"/responses", `{"model":"m"}`, 200, `"object":"response"`, false},
		{"/openai/v1/responses", `{"model":"m","stream":true}`, 200, "event: response.created", true},
		{"/v1/responses", `[]`, 400, `"code":"invalid_request_error"`, false},
		{"/v1/responses/resp_1/cancel", `{"model":"m"}`, 404, "no API", false},
		{"/v1beta/models/m:generateContent", `{}`, 200, `"candidates"`, false},
		{"/v1beta/models/m:streamGenerateContent?alt=sse", `{}`, 200, `data: {"candidates"`, true},
		{"/v1/projects/p/locations/l/publishers/google/models/m:streamGenerateContent?alt=sse", `{}`, 200, `data: {"candidates"`, true},
		{"/v1beta/models/m:streamGenerateContent", `{}`, 404, "no API", false},
		{"/v1beta/models/m:countTokens", `{}`, 404, "no API", false},
		{"/v1beta/models/m:generateContent", `{`, 400, `{"error":{"code":400,"message":"the body is not a JSON request","status":"invalid_request_error"}}`, false},
		{"/v1beta/models/n:streamGenerateContent?alt=sse", `{}`, 404, `"status":"model_not_found"`, true},
	} {
		got := askAt(t, srv, tt.path, tt.body)
		assert.Equal(t, tt.status, got.status, tt.path)
		assert.Contains(t, got.body, tt.want, tt.path)
		all := srv.Requests()
		assert.Equal(t, tt.stream, all[len(all)-1].Stream, tt.path)
	}
	for _, path := range []string{"/v1/messages", "/v1/responses", "/v1beta/models/m:generateContent"} {
		resp, err := srv.Client().Get(srv.Address + path)
		require.NoError(t, err)
		resp.Body.Close()
		assert.Equal(t, 404, resp.StatusCode, "GET %s", path)
	}
}

// A stall in a stream comes behind what was sent before it, also where the API
// sends some pieces together.
func TestStallsOnEveryWire(t *testing.T) {
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			srv := newServer(t, modeltest.Replies(modeltest.Send().ToolCall("c1", "name_of_tool", `{"a":`, `1}`).Stall(modeltest.Forever)))
			r, err := http.NewRequestWithContext(await(t), http.MethodPost, srv.Address+w.streamPath, strings.NewReader(w.streamBody))
			require.NoError(t, err)
			resp, err := srv.Client().Do(r)
			require.NoError(t, err)
			var got strings.Builder
			for buf := make([]byte, 4096); strings.Count(got.String(), "1}") == 0; {
				n, err := resp.Body.Read(buf)
				require.NoError(t, err)
				got.Write(buf[:n])
			}
			assert.Contains(t, got.String(), "name_of_tool")
			resp.Body.Close()
			end, err := srv.AwaitEnd(await(t), 0)
			require.NoError(t, err)
			assert.True(t, end.Disconnected)
		})
	}
}

// Steps in an order that no provider has break nothing: what is sent is JSON.
func TestOddRepliesOnEveryWire(t *testing.T) {
	for name, reply := range map[string]modeltest.Reply{
		"two finishes":        modeltest.OK("a").Text("b").Finish(strata.FinishStop).Done(),
		"a call behind a cut": modeltest.Send().ToolCall("c1", "f", `{"a":`).Text("a").ToolCall("c2", "g").Finish(strata.FinishLength),
		"two refusals":        modeltest.Send().Refusal("a").Text("b").Refusal("c").Reasoning("d").Refusal("e").Finish(strata.FinishStop).Done(),
		"an empty piece":      modeltest.Send("").Reasoning("").Refusal("").ToolCall("", "", "").Finish("").Done(),
		"only an opening":     modeltest.Send().Open(),
		"only an end":         modeltest.Send().Done().Done(),
		"usage twice":         modeltest.Send().Usage(strata.Usage{InputTokens: 1, CachedInputTokens: 2}).Usage(strata.Usage{TotalTokens: 9}).Finish(strata.FinishStop),
		"an error, and text":  modeltest.Send().Error("a", "b").Text("c"),
	} {
		for _, w := range wires {
			t.Run(name+"/"+w.name, func(t *testing.T) {
				for line := range strings.SplitSeq(play(t, reply, w.streamPath, w.streamBody), "\n") {
					if data, ok := strings.CutPrefix(line, "data: "); ok && data != "[DONE]" {
						assert.True(t, json.Valid([]byte(data)), data)
					}
				}
				body := play(t, reply, w.wholePath, w.wholeBody)
				assert.True(t, json.Valid([]byte(body)), body)
			})
		}
	}
}

// quote returns text as JSON has it.
func quote(text string) string { return fmt.Sprintf("%q", text) }
