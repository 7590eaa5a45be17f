package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/telemetry"
	"github.com/strata-go/strata/modeltest"
)

const (
	key    = "sk-abcdefghijklmnopqrstuvwx"
	secret = "my secret diary"
)

func TestNothingPrivateIsRecorded(t *testing.T) {
	for name, err := range map[string]error{
		"a foreign error":    errors.New("cannot answer " + secret + " with " + key),
		"wrapped":            fmt.Errorf("ask %q: %w", secret, errors.New(key)),
		"a key in a failure": &failure.Error{Kind: failure.Auth, Status: 401, Message: "Incorrect API key provided: " + key},
		"a cause":            &failure.Error{Kind: failure.Auth, Err: errors.New("the key " + key)},
	} {
		r := newRecord()
		req := &strata.Request{Messages: []strata.Message{strata.UserMessage(secret)}, Headers: map[string][]string{"Authorization": {key}}}
		partly := modeltest.Attempt{modeltest.Text("you wrote: " + secret), modeltest.Fail(err)}
		m := r.layer()(middleware.Fallback(modeltest.New("anthropic/b", partly))(modeltest.New("openai/a", modeltest.Failure(err))))
		_, _ = m.Generate(t.Context(), req)
		_ = drain(t.Context(), m, req)
		var all strings.Builder
		for _, s := range r.spans.Ended() {
			fmt.Fprintln(&all, s.Name(), s.Status(), s.Attributes(), s.Events())
		}
		assert.NotContains(t, all.String(), secret, name)
		assert.NotContains(t, all.String(), key, name)
		assert.Contains(t, all.String(), "exception.type", name)
	}
}

func TestContent(t *testing.T) {
	const input = "gen_ai.input.messages"
	const output = "gen_ai.output.messages"
	call := modeltest.Attempt{modeltest.Reasoning("Hm."), modeltest.Text("Be"), modeltest.Text("cause"),
		modeltest.Part(strata.ToolCall{ID: "1", Name: "look", Input: `{"at":"sky"}`}), modeltest.Finish(strata.FinishToolCalls)}
	req := &strata.Request{Messages: []strata.Message{
		strata.SystemMessage("Be brief."),
		{Role: strata.RoleUser, Content: []strata.Content{strata.Text{Text: "Warum ist er so blau?"}, strata.File{Data: []byte("bytes")}}},
		strata.ToolMessage(strata.ToolResult{ID: "0", Output: "blue"}),
	}}
	for name, want := range map[string]struct {
		opts          []telemetry.Option
		input, output string
	}{
		"by default none": {},
		"all of it": {
			opts:   []telemetry.Option{telemetry.Content(1000)},
			input:  `[{"role":"system","parts":[{"type":"text","content":"Be brief."}]},{"role":"user","parts":[{"type":"text","content":"Warum ist er so blau?"},{"type":"file"}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"0","response":"blue"}]}]`,
			output: `[{"role":"assistant","parts":[{"type":"reasoning","content":"Hm."},{"type":"text","content":"Because"},{"type":"tool_call","id":"1","name":"look","arguments":"{\"at\":\"sky\"}"}],"finish_reason":"tool-calls"}]`,
		},
		"within a bound": {
			opts:   []telemetry.Option{telemetry.Content(6)},
			input:  `[{"role":"system","parts":[{"type":"text","content":"Be bri"}]}]`,
			output: `[{"role":"assistant","parts":[{"type":"reasoning","content":"Hm."},{"type":"text","content":"Bec"}],"finish_reason":"tool-calls"}]`,
		},
	} {
		for _, streamed := range []bool{false, true} {
			r := newRecord()
			m := r.layer(want.opts...)(modeltest.New("openai/a", call))
			if streamed {
				require.NoError(t, drain(t.Context(), m, req))
			} else {
				_, err := m.Generate(t.Context(), req)
				require.NoError(t, err)
			}
			attrs := attributesOf(r.root(t).Attributes())
			assert.Equal(t, want.input, attrs[input], name)
			assert.Equal(t, want.output, attrs[output], name)
		}
	}
}

// A call without a request, or without an answer, has no messages.
func TestContentThatIsNotThere(t *testing.T) {
	r := newRecord()
	m := r.layer(telemetry.Content(100))(strata.Funcs{Generate: func(context.Context, *strata.Request, strata.Model) (*strata.Response, error) {
		return nil, errBusy
	}}.Layer()(modeltest.New("openai/a", busy)))
	_, err := m.Generate(t.Context(), nil)
	assert.Error(t, err)
	assert.Error(t, drain(t.Context(), m, prompt))
	for _, s := range r.spans.Ended() {
		attrs := attributesOf(s.Attributes())
		assert.NotContains(t, attrs, "gen_ai.output.messages")
		assert.Equal(t, attrs["strata.operation"] == "stream", attrs["gen_ai.input.messages"] != "")
	}
}

// A rune that the bound cuts is left out.
func TestContentIsText(t *testing.T) {
	r := newRecord()
	_, err := r.layer(telemetry.Content(2))(modeltest.New("openai/a", modeltest.Answer("hé"))).Generate(t.Context(), strata.Prompt("é"))
	require.NoError(t, err)
	attrs := attributesOf(r.root(t).Attributes())
	assert.Contains(t, attrs["gen_ai.input.messages"], `"content":"é"`)
	assert.Contains(t, attrs["gen_ai.output.messages"], `"content":"h"`)
}
