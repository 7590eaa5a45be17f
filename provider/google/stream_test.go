package google_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/stream"
)

const (
	hi     = `{"text":"Hi"}`
	hm     = `{"text":"hm","thought":true}`
	callF  = `{"functionCall":{"id":"t1","name":"f","args":{"b":1,"a":2}}}`
	finish = "start meta:r1 text1{ Hi }1 finish:stop(STOP)"
)

func TestStreamParts(t *testing.T) {
	tests := []struct {
		name   string
		events []string
		want   string
	}{
		{"text", []string{chunk(hi), chunk(`{"text":"!"}`), used}, "start meta:r1 text1{ Hi ! }1 finish:stop(STOP)"},
		{"one event", []string{ending(hi, "STOP")}, finish},
		{"finish reason in every event", []string{ending(hi, "STOP"), ending(`{"text":"!"}`, "STOP")}, "start meta:r1 text1{ Hi ! }1 finish:stop(STOP)"},
		{"end marker of another wire", []string{ending(hi, "STOP"), "[DONE]"}, finish},
		{"empty texts", []string{chunk(`{"text":""}`), chunk(hi), chunk(`{"text":"","thought":true}`), ending(`{"text":""}`, "STOP")}, finish},
		{"no parts", []string{chunk(hi), candidate(`"content":{}`, "STOP")}, finish},
		{"another candidate", []string{chunk(hi), `{"candidates":[{"index":1,"content":{"parts":[{"text":"Ho"}]},"finishReason":"SAFETY"}]}`, candidate(`"safetyRatings":[]`, "STOP")}, finish},
		{"events of nothing known", []string{`{}`, chunk(hi), `{"somethingNew":{}}`, ending(``, "STOP")}, "start meta: meta:r1 text1{ Hi }1 finish:stop(STOP)"},
		{"parts of nothing known", []string{chunk(hi + `,{"hologram":{"x":1}}`), ending(`{"text":"!"}`, "STOP")}, "start meta:r1 text1{ Hi }1 raw text2{ ! }2 finish:stop(STOP)"},
		{"usage in every event", []string{
			`{"candidates":[{"content":{"parts":[{"text":"Hi"}]}}],"usageMetadata":{"candidatesTokenCount":1},"responseId":"r1"}`,
			`{"candidates":[{"content":{"parts":[{"text":"!"}]}}],"usageMetadata":{"candidatesTokenCount":1,"thoughtsTokenCount":1},"responseId":"r1"}`, used},
			"start meta:r1 text1{ Hi usage:1 ! usage:2 meta:r1 }1 finish:stop(STOP)"},

		{"thoughts", []string{chunk(hm), chunk(hi), used}, "start meta:r1 reasoning1{ hm }1 text2{ Hi }2 finish:stop(STOP)"},
		{"thoughts between texts", []string{chunk(hi), chunk(hm + `,{"text":"Ho"}`), used}, "start meta:r1 text1{ Hi }1 reasoning2{ hm }2 text3{ Ho }3 finish:stop(STOP)"},
		{"signature behind the text", []string{chunk(hi), chunk(`{"text":"!"}`), ending(`{"text":"","thoughtSignature":"c2ln"}`, "STOP")}, "start meta:r1 text1{ Hi ! }1 finish:stop(STOP)"},
		{"signature in mid-text", []string{chunk(`{"text":"Hi","thoughtSignature":"c2ln"}`), ending(`{"text":"!"}`, "STOP")}, "start meta:r1 text1{ Hi ! }1 finish:stop(STOP)"},
		{"two signatures", []string{chunk(`{"text":"Hi","thoughtSignature":"c2ln"}`), ending(`{"text":"!","thoughtSignature":"czI="}`, "STOP")}, "start meta:r1 text1{ Hi }1 text2{ ! }2 finish:stop(STOP)"},
		{"signature alone", []string{chunk(callF), ending(`{"thoughtSignature":"c2ln"}`, "STOP")}, `start meta:r1 tool:f{ {"b":1,"a":2} text1{ }1 }tool call:f{"b":1,"a":2} finish:tool-calls(STOP)`},

		{"tool call", []string{chunk(callF), used}, `start meta:r1 tool:f{ {"b":1,"a":2} }tool call:f{"b":1,"a":2} finish:tool-calls(STOP)`},
		{"text, then two tool calls", []string{chunk(hi), chunk(callF + `,{"functionCall":{"name":"g","args":{}}}`), used},
			`start meta:r1 text1{ Hi }1 tool:f{ {"b":1,"a":2} tool:g{ {} }tool call:f{"b":1,"a":2} }tool call:g{} finish:tool-calls(STOP)`},
		{"no arguments", []string{chunk(`{"functionCall":{"name":"f"}},{"functionCall":{"name":"g","args":null}}`), used}, `start meta:r1 tool:f{ tool:g{ }tool call:f{} }tool call:g{} finish:tool-calls(STOP)`},
		{"arguments kept to the digit", []string{chunk(`{"functionCall":{"name":"f","args":{"n": 12345678901234567890,"z":1.50}}}`), used},
			`start meta:r1 tool:f{ {"n":12345678901234567890,"z":1.50} }tool call:f{"n":12345678901234567890,"z":1.50} finish:tool-calls(STOP)`},
		{"tool call at the limit", []string{chunk(callF), ending(``, "MAX_TOKENS")}, `start meta:r1 tool:f{ {"b":1,"a":2} }tool call:f{"b":1,"a":2} finish:length(MAX_TOKENS)`},
		{"tool call cut by the limit", []string{chunk(callF + `,{"functionCall":{"name":"g"}}`), ending(``, "MAX_TOKENS")}, `start meta:r1 tool:f{ {"b":1,"a":2} tool:g{ }tool call:f{"b":1,"a":2} finish:length(MAX_TOKENS)`},
		{"tool call cut by a filter", []string{chunk(`{"functionCall":{"name":"g"}}`), ending(``, "SAFETY")}, `start meta:r1 tool:g{ finish:content-filter(SAFETY)`},
		{"tool call without a name", []string{chunk(hi + `,{"functionCall":{"args":{}}}`), used}, `start meta:r1 text1{ Hi }1 finish:stop(STOP)`},
		{"streamed arguments", []string{chunk(hi), chunk(`{"functionCall":{"name":"f","willContinue":true}}`), chunk(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","numberValue":1}]}}`), used}, `start meta:r1 text1{ Hi }1 raw raw finish:stop(STOP)`},

		{"images", []string{chunk(`{"inlineData":{"mimeType":"image/png","data":"cG5n"}},{"fileData":{"mimeType":"image/jpeg","fileUri":"gs://a/b"}}`), used}, "start meta:r1 file:image/png file:image/jpeggs://a/b finish:stop(STOP)"},
		{"code that Google ran", []string{chunk(hi), chunk(`{"executableCode":{"language":"PYTHON","code":"1+1"}}`), chunk(`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2"}},{"codeExecutionResult":{"outcome":"OUTCOME_FAILED","output":"x"}}`), used},
			`start meta:r1 text1{ Hi }1 ran:code_execution{"language":"PYTHON","code":"1+1"} result:code_execution:2:false result:code_execution:x:true finish:stop(STOP)`},
		{"searches that Google ran", []string{chunk(`{"toolCall":{"id":"s1","toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["x"]}}}`), chunk(`{"toolResponse":{"id":"s1","toolType":"GOOGLE_SEARCH_WEB","response":{"a":1}}}`), ending(hi, "STOP")},
			`start meta:r1 ran:google_search_web{"queries":["x"]} result:google_search_web:{"a":1}:false text1{ Hi }1 finish:stop(STOP)`},
		{"sources", []string{chunk(hi), candidate(`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a","title":"A"}},{"retrievedContext":{"title":"B"}},{"maps":{}}]}`, ""),
			candidate(`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a","title":"A"}}]},"citationMetadata":{"citationSources":[{"uri":"https://c"}]}`, ""),
			candidate(`"citationMetadata":{"citations":[{"uri":"https://d"}]}`, "STOP")},
			"start meta:r1 text1{ Hi source:https://a source: source:https://c source:https://d }1 finish:stop(STOP)"},
		{"log probabilities", []string{candidate(`"content":{"parts":[{"text":"Hi"}]},"logprobsResult":{"chosenCandidates":[{"token":"Hi"}]}`, "STOP")}, "start meta:r1 text1{ Hi raw }1 finish:stop(STOP)"},

		{"limit", []string{chunk(hi), ending(``, "MAX_TOKENS")}, "start meta:r1 text1{ Hi }1 finish:length(MAX_TOKENS)"},
		{"limit among the thoughts", []string{chunk(hm), ending(``, "MAX_TOKENS")}, "start meta:r1 reasoning1{ hm }1 finish:length(MAX_TOKENS)"},
		{"unspecified finish, then one", []string{ending(hi, "FINISH_REASON_UNSPECIFIED"), ending(``, "STOP")}, finish},
		{"malformed function call", []string{candidate(`"finishMessage":"Malformed function call: f("`, "MALFORMED_FUNCTION_CALL")}, "start meta:r1 finish:error(MALFORMED_FUNCTION_CALL)"},
		{"unexpected tool call", []string{ending(``, "UNEXPECTED_TOOL_CALL")}, "start meta:r1 finish:error(UNEXPECTED_TOOL_CALL)"},
		{"language", []string{ending(``, "LANGUAGE")}, "start meta:r1 finish:other(LANGUAGE)"},
		{"other", []string{ending(``, "OTHER")}, "start meta:r1 finish:other(OTHER)"},
		{"no image", []string{ending(``, "NO_IMAGE")}, "start meta:r1 finish:other(NO_IMAGE)"},
		{"a word of the future", []string{ending(hi, "ENNUI")}, "start meta:r1 text1{ Hi }1 finish:other(ENNUI)"},
		{"safety in mid-answer", []string{chunk(hi), ending(``, "SAFETY")}, "start meta:r1 text1{ Hi }1 finish:content-filter(SAFETY)"},
		{"recitation in mid-answer", []string{chunk(hi), ending(``, "RECITATION")}, "start meta:r1 text1{ Hi }1 finish:content-filter(RECITATION)"},
		{"blocked in mid-answer", []string{chunk(hi), `{"promptFeedback":{"blockReason":"OTHER"}}`}, "start meta:r1 text1{ Hi }1 finish:content-filter(OTHER)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, events(test.events...))
			parts, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
			require.NoError(t, err)
			assert.Equal(t, test.want, short(parts))
		})
	}
}

// What tells an answer that came otherwise than as plain events.
func TestStreamOfAnotherForm(t *testing.T) {
	big := strings.Repeat("x", 4<<20)
	first, last := "data: "+chunk(hi)+"\n\n", "data: "+ending(``, "STOP")+"\n\n"
	tests := []struct{ name, contentType, body, want string }{
		{"keep-alives and other fields", "text/event-stream", "\n\n: keep-alive\n\nretry: 10\nid: 1\n\nevent: message\n" + first + ": ping\n\n: ping\n\ndata:\n\n" + last, finish},
		{"Windows line ends", "text/event-stream", strings.ReplaceAll(first+": ping\n\n"+last, "\n", "\r\n"), finish},
		{"no space behind the colon", "text/event-stream", strings.ReplaceAll(first+last, "data: ", "data:"), finish},
		{"an event in lines", "text/event-stream", "data: " + strings.ReplaceAll(chunk(hi), `,"modelVersion`, ",\ndata: \"modelVersion") + "\n\n" + last, finish},
		{"no end of the last line", "text/event-stream", first + strings.TrimRight(last, "\n"), finish},
		{"half an event behind the finish", "text/event-stream", first + last + `data: {"candi`, finish},
		{"a wrong content type", "text/plain", first + last, finish},
		{"a whole answer", "application/json", "\n " + ending(hi, "STOP"), finish},
		{"a list of answers", "application/json", "[" + chunk(hi) + ",\n" + ending(``, "STOP") + "]", finish},
		{"an event of four MiB", "text/event-stream", "data: " + chunk(`{"text":"`+big+`"}`) + "\n\n" + last, "start meta:r1 text1{ " + big + " }1 finish:stop(STOP)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, whole(200, test.contentType, test.body))
			parts, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
			require.NoError(t, err)
			assert.True(t, test.want == short(parts), "%.200s", short(parts))
		})
	}
}

// A stream whose bytes come in any two pieces gives the same parts.
func TestStreamSplitAnywhere(t *testing.T) {
	body := ": ping\r\n\r\nevent: message\ndata: " + chunk(hm) + "\n\n: ping\n\ndata: " + chunk(`{"text":"Olá"}`) + "\n\ndata: " + chunk(callF) + "\r\n\r\ndata: " + used
	var cut int
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, body[:cut])
		w.(http.Flusher).Flush()
		_, _ = fmt.Fprint(w, body[cut:])
	})
	m := s.model()
	for cut = range len(body) {
		parts, err := collect(t, m.Stream(t.Context(), strata.Prompt("Hi")))
		require.NoError(t, err)
		require.Equal(t, `start meta:r1 reasoning1{ hm }1 text2{ Olá }2 tool:f{ {"b":1,"a":2} }tool call:f{"b":1,"a":2} finish:tool-calls(STOP)`, short(parts), "cut at %d", cut)
	}
}

// A stream and a whole answer say the same.
func TestGenerateAsStream(t *testing.T) {
	body := `{"candidates":[{"content":{"parts":[` + hm + `,{"text":"Hi","thoughtSignature":"c2ln"},
		{"functionCall":{"name":"f","args":{"b": 1, "a": 2}},"thoughtSignature":"czI="},
		{"inlineData":{"mimeType":"image/png","data":"cG5n"}}],"role":"model"},"finishReason":"STOP",
		"groundingMetadata":{"webSearchQueries":["q"],"groundingChunks":[{"web":{"uri":"https://a","title":"A"}}]},"safetyRatings":[]}],
		"createTime":"2026-11-30T10:00:00.5Z",` + usage + `,"modelVersion":"gemini-test-1","responseId":"r1"}`
	s := serve(t, whole(200, "application/json", body))
	got, err := s.model().Generate(t.Context(), strata.Prompt("Hi"))
	require.NoError(t, err)
	assert.Equal(t, "/v1beta/models/gemini-test:generateContent", s.path)

	google := func(fields map[string]any) strata.ProviderData { return strata.ProviderData{"google": fields} }
	signed := google(map[string]any{"thoughtSignature": "c2ln"})
	require.Len(t, got.Content, 5)
	call := got.Content[2].(strata.ToolCall)
	assert.NotEmpty(t, call.ID)
	assert.Equal(t, []strata.Content{
		strata.Reasoning{Text: "hm"},
		strata.Text{Text: "Hi", ProviderData: signed},
		strata.ToolCall{ID: call.ID, Name: "f", Input: `{"b":1,"a":2}`, ProviderData: google(map[string]any{"thoughtSignature": "czI="})},
		strata.File{MediaType: "image/png", Data: []byte("png")},
		strata.Source{URL: "https://a", Title: "A"},
	}, got.Content)
	assert.Equal(t, strata.FinishToolCalls, got.FinishReason)
	assert.Equal(t, "STOP", got.RawFinishReason)
	assert.Equal(t, strata.Usage{InputTokens: 7, OutputTokens: 5, TotalTokens: 12, CachedInputTokens: 4, ReasoningTokens: 2}, got.Usage)
	assert.Equal(t, strata.ModelID{Provider: "google", Name: "gemini-test"}, got.Model)
	assert.Equal(t, "r1", got.Metadata.ID)
	assert.Equal(t, "gemini-test-1", got.Metadata.Model)
	assert.Equal(t, 2026, got.Metadata.Timestamp.Year())
	assert.NotEmpty(t, got.Metadata.Headers)
	assert.Equal(t, []any{"q"}, got.ProviderData["google"]["groundingMetadata"].(map[string]any)["webSearchQueries"])
	assert.Contains(t, got.ProviderData["google"], "safetyRatings")
	raw, ok := got.Raw.(*genai.GenerateContentResponse)
	require.True(t, ok)
	assert.Equal(t, "r1", raw.ResponseID)

	streamed, err := stream.Collect(s.model().Stream(t.Context(), strata.Prompt("Hi")))
	require.NoError(t, err)
	assert.Equal(t, "/v1beta/models/gemini-test:streamGenerateContent", s.path)
	again := streamed.Content[2].(strata.ToolCall)
	again.ID = call.ID
	streamed.Content[2] = again
	assert.Equal(t, got.Content, streamed.Content)
	assert.Equal(t, got.Usage, streamed.Usage)
	assert.Equal(t, got.ProviderData, streamed.ProviderData)
}

func TestGenerate(t *testing.T) {
	tests := []struct {
		name, body string
		reason     strata.FinishReason
		text       string
	}{
		{"no finish reason", ending(hi, ""), strata.FinishUnknown, "Hi"},
		{"limit", ending(hi, "MAX_TOKENS"), strata.FinishLength, "Hi"},
		{"texts stay apart", ending(hi+`,{"text":" there"}`, "STOP"), strata.FinishStop, "Hi there"},
		{"filter in mid-answer", ending(hi, "SPII"), strata.FinishContentFilter, "Hi"},
		{"malformed call", ending(``, "MALFORMED_FUNCTION_CALL"), strata.FinishError, ""},
		{"nothing", ending(``, "STOP"), strata.FinishStop, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", test.body))
			resp, err := s.model().Generate(t.Context(), strata.Prompt("Hi"))
			require.NoError(t, err)
			assert.Equal(t, test.reason, resp.FinishReason)
			assert.Equal(t, test.text, resp.Text())
		})
	}
	s := serve(t, whole(200, "application/json", ending(callF+`,{"functionCall":{"id":"t2","name":"g"}}`, "MAX_TOKENS")))
	resp, err := s.model().Generate(t.Context(), strata.Prompt("Hi"))
	require.NoError(t, err)
	assert.Equal(t, []strata.Content{strata.ToolCall{ID: "t1", Name: "f", Input: `{"b":1,"a":2}`}, strata.ToolInput{ID: "t2", Name: "g"}}, resp.Content)
}

// The signature of a block comes with its end.
func TestStreamedSignatures(t *testing.T) {
	s := serve(t, events(chunk(hm), chunk(`{"text":"","thought":true,"thoughtSignature":"czE="}`), chunk(hi), chunk(`{"text":"","thoughtSignature":"czI="}`),
		ending(`{"functionCall":{"name":"f","args":{}},"thoughtSignature":"czM="}`, "STOP")))
	resp, err := stream.Collect(s.model().Stream(t.Context(), strata.Prompt("Hi")))
	require.NoError(t, err)
	var signatures []any
	for _, c := range resp.Content {
		switch c := c.(type) {
		case strata.Reasoning:
			signatures = append(signatures, c.Text, c.ProviderData["google"]["thoughtSignature"])
		case strata.Text:
			signatures = append(signatures, c.Text, c.ProviderData["google"]["thoughtSignature"])
		case strata.ToolCall:
			signatures = append(signatures, c.Name, c.ProviderData["google"]["thoughtSignature"])
		}
	}
	assert.Equal(t, []any{"hm", "czE=", "Hi", "czI=", "f", "czM="}, signatures)
}
