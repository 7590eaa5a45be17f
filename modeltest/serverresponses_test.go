package modeltest_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
)

const responsesUsed = `{"input_tokens":10,"input_tokens_details":{"cached_tokens":4,"cache_write_tokens":1},` +
	`"output_tokens":7,"output_tokens_details":{"reasoning_tokens":3},"total_tokens":17}`

// response returns a response object. The details are those of a response that
// is incomplete, or the error of one that failed.
func response(status, incomplete, failed, output, usage string) string {
	return `{"id":"resp_0","object":"response","created_at":0,"model":"gpt-5","status":"` + status + `","error":` + failed +
		`,"incomplete_details":` + incomplete + `,"output":` + output + `,"usage":` + usage + `}`
}

func completed(output, usage string) string {
	return response("completed", "null", "null", output, usage)
}

// numbered returns events with their sequence numbers.
func numbered(events ...string) []string {
	for i, e := range events {
		events[i] = e[:len(e)-1] + `,"sequence_number":` + strconv.Itoa(i) + `}`
	}
	return events
}

// inItem returns an event about what is in an item.
func inItem(kind string, index int, id, rest string) string {
	return `{"type":"response.` + kind + `","output_index":` + strconv.Itoa(index) + `,"item_id":"` + id + `",` + rest + `}`
}

func aboutItem(kind string, index int, item string) string {
	return `{"type":"response.output_item.` + kind + `","output_index":` + strconv.Itoa(index) + `,"item":` + item + `}`
}

func messageItem(id, status, content string) string {
	return `{"type":"message","id":"` + id + `","status":"` + status + `","role":"assistant","content":[` + content + `]}`
}

func outputText(text string) string {
	return `{"type":"output_text","text":` + quote(text) + `,"annotations":[],"logprobs":[]}`
}

func callItem(id, status, call, name, arguments string) string {
	return `{"type":"function_call","id":"` + id + `","status":"` + status + `","call_id":"` + call + `","name":"` + name + `","arguments":` + quote(arguments) + `}`
}

// opening are the events that open a response.
func opening() []string {
	in := response("in_progress", "null", "null", "[]", "null")
	return []string{`{"type":"response.created","response":` + in + `}`, `{"type":"response.in_progress","response":` + in + `}`}
}

// textItem are the events of a message of pieces, to its last delta.
func textItem(index int, id string, pieces ...string) []string {
	events := []string{
		aboutItem("added", index, messageItem(id, "in_progress", "")),
		inItem("content_part.added", index, id, `"content_index":0,"part":`+outputText("")),
	}
	for _, p := range pieces {
		events = append(events, inItem("output_text.delta", index, id, `"content_index":0,"delta":`+quote(p)))
	}
	return events
}

// textDone are the events that end a message.
func textDone(index int, id, status, text string) []string {
	return []string{
		inItem("output_text.done", index, id, `"content_index":0,"text":`+quote(text)),
		inItem("content_part.done", index, id, `"content_index":0,"part":`+outputText(text)),
		aboutItem("done", index, messageItem(id, status, outputText(text))),
	}
}

func TestResponsesStreams(t *testing.T) {
	const (
		summary   = `{"type":"summary_text","text":"Hm"}`
		reasoning = `{"type":"reasoning","id":"rs_0_0","summary":[` + summary + `],"encrypted_content":"` + signature + `"}`
		refusal   = `{"type":"refusal","refusal":"I can't help"}`
	)
	said := messageItem("msg_0_1", "completed", outputText("The sky"))
	f, g := callItem("fc_0_2", "completed", "c1", "f", `{"a":1}`), callItem("fc_0_3", "completed", "c2", "g", "")
	asked := messageItem("msg_0_4", "completed", outputText("?"))
	cut := callItem("fc_0_0", "incomplete", "c1", "f", `{"a":`)
	for _, tt := range []struct {
		name  string
		reply modeltest.Reply
		want  [][]string
	}{
		{"an opening", modeltest.Send().Open().Open(), [][]string{opening()}},
		{"text", modeltest.Send("The", " sky").Finish(strata.FinishStop).Done(), [][]string{
			opening(), textItem(0, "msg_0_0", "The", " sky"), textDone(0, "msg_0_0", "completed", "The sky"),
			{`{"type":"response.completed","response":` + completed("["+messageItem("msg_0_0", "completed", outputText("The sky"))+"]", "null") + `}`}}},
		{"a turn", turn, [][]string{
			opening(), {
				aboutItem("added", 0, `{"type":"reasoning","id":"rs_0_0","summary":[]}`),
				inItem("reasoning_summary_part.added", 0, "rs_0_0", `"summary_index":0,"part":{"type":"summary_text","text":""}`),
				inItem("reasoning_summary_text.delta", 0, "rs_0_0", `"summary_index":0,"delta":"H"`),
				inItem("reasoning_summary_text.delta", 0, "rs_0_0", `"summary_index":0,"delta":"m"`),
				inItem("reasoning_summary_text.done", 0, "rs_0_0", `"summary_index":0,"text":"Hm"`),
				inItem("reasoning_summary_part.done", 0, "rs_0_0", `"summary_index":0,"part":`+summary),
				aboutItem("done", 0, reasoning)},
			textItem(1, "msg_0_1", "The", " sky"), textDone(1, "msg_0_1", "completed", "The sky"), {
				aboutItem("added", 2, callItem("fc_0_2", "in_progress", "c1", "f", "")),
				inItem("function_call_arguments.delta", 2, "fc_0_2", `"delta":"{\"a\":"`),
				inItem("function_call_arguments.delta", 2, "fc_0_2", `"delta":"1}"`),
				inItem("function_call_arguments.done", 2, "fc_0_2", `"arguments":"{\"a\":1}"`),
				aboutItem("done", 2, f),
				aboutItem("added", 3, callItem("fc_0_3", "in_progress", "c2", "g", "")),
				inItem("function_call_arguments.done", 3, "fc_0_3", `"arguments":""`),
				aboutItem("done", 3, g)},
			textItem(4, "msg_0_4", "?"), textDone(4, "msg_0_4", "completed", "?"),
			{`{"type":"response.completed","response":` + completed("["+reasoning+","+said+","+f+","+g+","+asked+"]", responsesUsed) + `}`}}},
		{"a refusal", modeltest.Send().Refusal("I can't", " help").Finish(strata.FinishStop), [][]string{
			opening(), {
				aboutItem("added", 0, messageItem("msg_0_0", "in_progress", "")),
				inItem("content_part.added", 0, "msg_0_0", `"content_index":0,"part":{"type":"refusal","refusal":""}`),
				inItem("refusal.delta", 0, "msg_0_0", `"content_index":0,"delta":"I can't"`),
				inItem("refusal.delta", 0, "msg_0_0", `"content_index":0,"delta":" help"`),
				inItem("refusal.done", 0, "msg_0_0", `"content_index":0,"refusal":"I can't help"`),
				inItem("content_part.done", 0, "msg_0_0", `"content_index":0,"part":`+refusal),
				aboutItem("done", 0, messageItem("msg_0_0", "completed", refusal)),
				`{"type":"response.completed","response":` + completed("["+messageItem("msg_0_0", "completed", refusal)+"]", "null") + `}`}}},
		{"a refusal behind text", modeltest.Send("a").Refusal("no"), [][]string{
			opening(), textItem(0, "msg_0_0", "a"), textDone(0, "msg_0_0", "", "a")[:2], {
				inItem("content_part.added", 0, "msg_0_0", `"content_index":1,"part":{"type":"refusal","refusal":""}`),
				inItem("refusal.delta", 0, "msg_0_0", `"content_index":1,"delta":"no"`)}}},
		{"input that is cut", modeltest.Send().ToolCall("c1", "f", `{"a":`).Finish(strata.FinishLength), [][]string{
			opening(), {
				aboutItem("added", 0, callItem("fc_0_0", "in_progress", "c1", "f", "")),
				inItem("function_call_arguments.delta", 0, "fc_0_0", `"delta":"{\"a\":"`),
				aboutItem("done", 0, cut),
				`{"type":"response.incomplete","response":` + response("incomplete", `{"reason":"max_output_tokens"}`, "null", "["+cut+"]", "null") + `}`}}},
		{"a failure", modeltest.Send("a").Finish(strata.FinishError), [][]string{
			opening(), textItem(0, "msg_0_0", "a"), {`{"type":"response.failed","response":` + response("failed", "null",
				`{"code":"server_error","message":"The server had an error."}`, "["+messageItem("msg_0_0", "in_progress", outputText("a"))+"]", "null") + `}`}}},
		{"an end alone", modeltest.Send("a").Done(), [][]string{opening(), textItem(0, "msg_0_0", "a")}},
		{"usage alone", modeltest.Send().Usage(cost), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var want []string
			for _, events := range tt.want {
				want = append(want, events...)
			}
			assertEvents(t, true, numbered(want...), play(t, tt.reply, "/v1/responses", streamed))
		})
	}
}

func TestResponsesAnswers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		reply modeltest.Reply
		want  string
	}{
		{"a turn", turn, completed(`[{"type":"reasoning","id":"rs_0_0","summary":[{"type":"summary_text","text":"Hm"}],"encrypted_content":"`+signature+`"},`+
			messageItem("msg_0_1", "completed", outputText("The sky"))+`,`+callItem("fc_0_2", "completed", "c1", "f", `{"a":1}`)+`,`+
			callItem("fc_0_3", "completed", "c2", "g", "")+`,`+messageItem("msg_0_4", "completed", outputText("?"))+`]`, responsesUsed)},
		{"nothing", modeltest.Send(), response("in_progress", "null", "null", "[]", "null")},
		{"no finish, but usage", modeltest.Send("a").Usage(cost),
			response("in_progress", "null", "null", "["+messageItem("msg_0_0", "in_progress", outputText("a"))+"]", responsesUsed)},
		{"a refusal", modeltest.Send().Refusal("I can't", " help").Finish(strata.FinishStop),
			completed("["+messageItem("msg_0_0", "completed", `{"type":"refusal","refusal":"I can't help"}`)+"]", "null")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.JSONEq(t, tt.want, play(t, tt.reply, "/v1/responses", whole))
		})
	}
}

func TestResponsesReasons(t *testing.T) {
	for reason, want := range map[strata.FinishReason]string{
		strata.FinishStop:          response("completed", "null", "null", "[]", "null"),
		strata.FinishToolCalls:     response("completed", "null", "null", "[]", "null"),
		"completed":                response("completed", "null", "null", "[]", "null"),
		strata.FinishLength:        response("incomplete", `{"reason":"max_output_tokens"}`, "null", "[]", "null"),
		strata.FinishContentFilter: response("incomplete", `{"reason":"content_filter"}`, "null", "[]", "null"),
		"max_tool_calls":           response("incomplete", `{"reason":"max_tool_calls"}`, "null", "[]", "null"),
		strata.FinishError:         response("failed", "null", `{"code":"server_error","message":"The server had an error."}`, "[]", "null"),
		"failed":                   response("failed", "null", `{"code":"server_error","message":"The server had an error."}`, "[]", "null"),
	} {
		assert.JSONEq(t, want, play(t, modeltest.Send().Finish(reason), "/v1/responses", whole), string(reason))
	}
}
