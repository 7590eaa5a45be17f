package modeltest_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
)

const anthropicStart = `{"type":"message_start","message":{"id":"msg_0","type":"message","role":"assistant","model":"gpt-5",` +
	`"content":[],"stop_reason":null,"stop_sequence":null}}`

func anthropicBlock(index int, block string) string {
	return `{"type":"content_block_start","index":` + strconv.Itoa(index) + `,"content_block":` + block + `}`
}

func anthropicDelta(index int, delta string) string {
	return `{"type":"content_block_delta","index":` + strconv.Itoa(index) + `,"delta":` + delta + `}`
}

func anthropicStop(index int) string {
	return `{"type":"content_block_stop","index":` + strconv.Itoa(index) + `}`
}

func anthropicEnd(reason string) string {
	return `{"type":"message_delta","delta":{"stop_reason":"` + reason + `","stop_sequence":null}}`
}

func TestAnthropicStreams(t *testing.T) {
	const (
		text       = `{"type":"text","text":""}`
		stop       = `{"type":"message_stop"}`
		startUsage = `"usage":{"input_tokens":5,"cache_creation_input_tokens":1,"cache_read_input_tokens":4,"output_tokens":1}`
		endUsage   = `"usage":{"input_tokens":5,"cache_creation_input_tokens":1,"cache_read_input_tokens":4,"output_tokens":7,` +
			`"output_tokens_details":{"thinking_tokens":3}}`
		refused = `"stop_details":{"type":"refusal","category":null,"explanation":"I can't help"}`
	)
	textOf := func(index int, pieces ...string) []string {
		events := []string{anthropicBlock(index, text)}
		for _, p := range pieces {
			events = append(events, anthropicDelta(index, `{"type":"text_delta","text":`+quote(p)+`}`))
		}
		return events
	}
	for _, tt := range []struct {
		name  string
		reply modeltest.Reply
		want  [][]string
	}{
		{"an opening", modeltest.Send().Open().Open(), [][]string{{anthropicStart}}},
		{"text", modeltest.Send("The", " sky").Finish(strata.FinishStop).Done(), [][]string{
			{anthropicStart}, textOf(0, "The", " sky"), {anthropicStop(0), anthropicEnd("end_turn"), stop}}},
		{"a turn", turn, [][]string{
			{anthropicStart[:len(anthropicStart)-2] + "," + startUsage + "}}",
				anthropicBlock(0, `{"type":"thinking","thinking":"","signature":""}`),
				anthropicDelta(0, `{"type":"thinking_delta","thinking":"H"}`),
				anthropicDelta(0, `{"type":"thinking_delta","thinking":"m"}`),
				anthropicDelta(0, `{"type":"signature_delta","signature":"`+signature+`"}`),
				anthropicStop(0)},
			textOf(1, "The", " sky"), {anthropicStop(1),
				anthropicBlock(2, `{"type":"tool_use","id":"c1","name":"f","input":{}}`),
				anthropicDelta(2, `{"type":"input_json_delta","partial_json":"{\"a\":"}`),
				anthropicDelta(2, `{"type":"input_json_delta","partial_json":"1}"}`),
				anthropicStop(2),
				anthropicBlock(3, `{"type":"tool_use","id":"c2","name":"g","input":{}}`),
				anthropicStop(3)},
			textOf(4, "?"), {anthropicStop(4),
				`{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},` + endUsage + `}`, stop}}},
		{"reasoning that breaks off", modeltest.Send().Reasoning("H"), [][]string{{anthropicStart,
			anthropicBlock(0, `{"type":"thinking","thinking":"","signature":""}`),
			anthropicDelta(0, `{"type":"thinking_delta","thinking":"H"}`)}}},
		{"a refusal", modeltest.Send().Refusal("I can't", " help").Finish(strata.FinishStop).Done(), [][]string{{anthropicStart,
			`{"type":"message_delta","delta":{"stop_reason":"refusal","stop_sequence":null,` + refused + `}}`, stop}}},
		{"a refusal in the answer", modeltest.Send("a").Refusal("I can't help").Finish(strata.FinishStop), [][]string{
			{anthropicStart}, textOf(0, "a"), {anthropicStop(0),
				`{"type":"message_delta","delta":{"stop_reason":"refusal","stop_sequence":null,` + refused + `}}`}}},
		{"a refusal that is not finished", modeltest.Send().Refusal("I can't help"), nil},
		{"an end alone", modeltest.Send("a").Done(), [][]string{{anthropicStart}, textOf(0, "a"), {anthropicStop(0), stop}}},
		{"text behind the end", modeltest.Send("a").Finish(strata.FinishStop).Text("b"), [][]string{
			{anthropicStart}, textOf(0, "a"), {anthropicStop(0), anthropicEnd("end_turn")}, textOf(1, "b")}},
		{"an event of choice", modeltest.Send().Event(anthropicStop(7)), [][]string{{anthropicStop(7)}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var want []string
			for _, events := range tt.want {
				want = append(want, events...)
			}
			assertEvents(t, true, want, play(t, tt.reply, "/v1/messages", streamed))
		})
	}
}

func TestAnthropicMessages(t *testing.T) {
	message := func(content, rest string) string {
		return `{"id":"msg_0","type":"message","role":"assistant","model":"gpt-5","content":` + content + `,"stop_sequence":null,` + rest + `}`
	}
	for _, tt := range []struct {
		name  string
		reply modeltest.Reply
		want  string
	}{
		{"a turn", turn, message(`[{"type":"thinking","thinking":"Hm","signature":"`+signature+`"},{"type":"text","text":"The sky"},`+
			`{"type":"tool_use","id":"c1","name":"f","input":{"a":1}},{"type":"tool_use","id":"c2","name":"g","input":{}},{"type":"text","text":"?"}]`,
			`"stop_reason":"tool_use","usage":{"input_tokens":5,"cache_creation_input_tokens":1,"cache_read_input_tokens":4,"output_tokens":7,`+
				`"output_tokens_details":{"thinking_tokens":3}}`)},
		{"nothing", modeltest.Send(), message(`[]`, `"stop_reason":null`)},
		{"no finish", modeltest.Send("a"), message(`[{"type":"text","text":"a"}]`, `"stop_reason":null`)},
		{"a refusal", modeltest.Send().Refusal("I can't help").Finish(strata.FinishStop),
			message(`[]`, `"stop_reason":"refusal","stop_details":{"type":"refusal","category":null,"explanation":"I can't help"}`)},
		{"input that is cut", modeltest.Send().ToolCall("c1", "f", `{"a":`).Finish(strata.FinishLength),
			message(`[{"type":"tool_use","id":"c1","name":"f","input":"{\"a\":"}]`, `"stop_reason":"max_tokens"`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.JSONEq(t, tt.want, play(t, tt.reply, "/v1/messages", whole))
		})
	}
}

func TestAnthropicReasons(t *testing.T) {
	for reason, want := range map[strata.FinishReason]string{
		strata.FinishStop: "end_turn", strata.FinishLength: "max_tokens", strata.FinishToolCalls: "tool_use",
		strata.FinishContentFilter: "refusal", strata.FinishOther: "other", "pause_turn": "pause_turn",
	} {
		assertEvents(t, true, []string{anthropicStart, anthropicEnd(want)}, play(t, modeltest.Send().Finish(reason), "/v1/messages", streamed))
	}
}
