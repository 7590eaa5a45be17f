package modeltest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
)

const (
	geminiStream = "/v1beta/models/gpt-5:streamGenerateContent?alt=sse"
	geminiWhole  = "/v1beta/models/gpt-5:generateContent"
	geminiHead   = `"modelVersion":"gpt-5","responseId":"response-0"`
)

func geminiPart(part string) string {
	return `{"candidates":[{"content":{"parts":[` + part + `],"role":"model"},"index":0}],` + geminiHead + `}`
}

func geminiFinish(reason string) string {
	return `{"candidates":[{"finishReason":"` + reason + `","index":0}],` + geminiHead + `}`
}

const (
	geminiSoFar = `"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":1,"cachedContentTokenCount":4,"totalTokenCount":11}`
	geminiUsed  = `"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":4,"thoughtsTokenCount":3,"cachedContentTokenCount":4,"totalTokenCount":17}`
	blocked     = `{"promptFeedback":{"blockReason":"SAFETY","blockReasonMessage":"I can't help"},` + geminiHead + `}`
)

func TestGeminiStreams(t *testing.T) {
	counted := func(chunk, usage string) string { return chunk[:len(chunk)-1] + "," + usage + "}" }
	for _, tt := range []struct {
		name  string
		reply modeltest.Reply
		want  []string
	}{
		{"an opening", modeltest.Send().Open(), nil},
		{"text", modeltest.Send("The", " sky").Finish(strata.FinishStop).Done(),
			[]string{geminiPart(`{"text":"The"}`), geminiPart(`{"text":" sky"}`), geminiFinish("STOP")}},
		{"a turn", turn, []string{
			counted(geminiPart(`{"text":"H","thought":true}`), geminiSoFar),
			counted(geminiPart(`{"text":"m","thought":true}`), geminiSoFar),
			counted(geminiPart(`{"text":"The","thoughtSignature":"`+signature+`"}`), geminiSoFar),
			counted(geminiPart(`{"text":" sky"}`), geminiSoFar),
			counted(geminiPart(`{"functionCall":{"id":"c1","name":"f","args":{"a":1}}}`), geminiSoFar),
			counted(geminiPart(`{"functionCall":{"id":"c2","name":"g","args":{}}}`), geminiSoFar),
			counted(geminiPart(`{"text":"?"}`), geminiSoFar),
			counted(geminiFinish("STOP"), geminiUsed)}},
		{"reasoning before a call", modeltest.Send().Reasoning("Hm").ToolCall("", "f", `{}`).ToolCall("", "g", `{}`), []string{
			geminiPart(`{"text":"Hm","thought":true}`),
			geminiPart(`{"functionCall":{"name":"f","args":{}},"thoughtSignature":"` + signature + `"}`),
			geminiPart(`{"functionCall":{"name":"g","args":{}}}`)}},
		{"reasoning before the finish", modeltest.Send().Reasoning("Hm").Finish(strata.FinishStop), []string{
			geminiPart(`{"text":"Hm","thought":true}`),
			`{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"` + signature + `"}],"role":"model"},"finishReason":"STOP","index":0}],` + geminiHead + `}`}},
		{"a blocked prompt", modeltest.Send().Refusal("I can't", " help").Finish(strata.FinishStop).Done(), []string{blocked}},
		{"a refusal in the answer", modeltest.Send("a").Refusal("I can't help").Finish(strata.FinishStop), []string{
			geminiPart(`{"text":"a"}`), `{"candidates":[{"finishReason":"SAFETY","finishMessage":"I can't help","index":0}],` + geminiHead + `}`}},
		{"a refusal that is not finished", modeltest.Send().Refusal("I can't help"), nil},
		{"usage alone", modeltest.Send().Usage(cost), []string{`{` + geminiUsed + `,` + geminiHead + `}`}},
		{"usage before the finish", modeltest.Send("a").Usage(cost).Text("b"), []string{
			counted(geminiPart(`{"text":"a"}`), geminiSoFar), `{` + geminiUsed + `,` + geminiHead + `}`, counted(geminiPart(`{"text":"b"}`), geminiUsed)}},
		{"an error with a code", modeltest.Send().Error("RESOURCE_EXHAUSTED", "slow down"),
			[]string{`{"error":{"code":429,"message":"slow down","status":"RESOURCE_EXHAUSTED"}}`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assertEvents(t, false, tt.want, play(t, tt.reply, geminiStream, `{}`))
		})
	}
}

func TestGeminiAnswers(t *testing.T) {
	answer := func(parts, finish string) string {
		return `{"candidates":[{"content":{"parts":` + parts + `,"role":"model"},` + finish + `"index":0}],` + geminiHead + `}`
	}
	for _, tt := range []struct {
		name  string
		reply modeltest.Reply
		want  string
	}{
		{"a turn", turn, `{"candidates":[{"content":{"parts":[{"text":"Hm","thought":true},{"text":"The sky","thoughtSignature":"` + signature + `"},` +
			`{"functionCall":{"id":"c1","name":"f","args":{"a":1}}},{"functionCall":{"id":"c2","name":"g","args":{}}},{"text":"?"}],"role":"model"},` +
			`"finishReason":"STOP","index":0}],` + geminiUsed + `,` + geminiHead + `}`},
		{"nothing", modeltest.Send(), answer(`[]`, ``)},
		{"no finish", modeltest.Send("a", "b"), answer(`[{"text":"ab"}]`, ``)},
		{"a blocked prompt", modeltest.Send().Refusal("I can't", " help").Finish(strata.FinishStop), blocked},
		{"a refusal in the answer", modeltest.Send("a").Refusal("I can't help").Finish(strata.FinishStop),
			answer(`[{"text":"a"}]`, `"finishReason":"SAFETY","finishMessage":"I can't help",`)},
		{"an error with a code, and status 200", modeltest.Send("a").Error("UNAVAILABLE", "busy"), `{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}`},
		{"an error with a status", modeltest.Status(500).Error("UNAVAILABLE", "busy"), `{"error":{"code":500,"message":"busy","status":"UNAVAILABLE"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.JSONEq(t, tt.want, play(t, tt.reply, geminiWhole, `{}`))
		})
	}
}

func TestGeminiReasons(t *testing.T) {
	for reason, want := range map[strata.FinishReason]string{
		strata.FinishStop: "STOP", strata.FinishLength: "MAX_TOKENS", strata.FinishToolCalls: "STOP", strata.FinishContentFilter: "SAFETY",
		strata.FinishOther: "OTHER", strata.FinishUnknown: "FINISH_REASON_UNSPECIFIED", "RECITATION": "RECITATION",
	} {
		assertEvents(t, false, []string{geminiFinish(want)}, play(t, modeltest.Send().Finish(reason), geminiStream, `{}`))
	}
}
