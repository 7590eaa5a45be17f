package middleware_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
)

// seen is a part and when it was handed on.
type seen struct {
	part string
	at   time.Duration
}

func readTimes(t *testing.T, m strata.Model) (got []seen, err error) {
	begun := time.Now()
	for p, e := range m.Stream(t.Context(), prompt) {
		switch p := p.(type) {
		case strata.TextDelta:
			got = append(got, seen{p.Text, time.Since(begun)})
		case strata.ReasoningDelta:
			got = append(got, seen{"(" + p.Text + ")", time.Since(begun)})
		case strata.ToolInputDelta:
			got = append(got, seen{p.Delta, time.Since(begun)})
		case strata.ToolCall:
			got = append(got, seen{"call", time.Since(begun)})
		}
		if e != nil {
			err = e
		}
	}
	return got, err
}

func TestHolding(t *testing.T) {
	reasoning := func(wait time.Duration) modeltest.Step {
		return func(ctx ctxType, yield yieldType) bool {
			return modeltest.Wait(wait)(ctx, yield) && modeltest.Reasoning("hm")(ctx, yield)
		}
	}
	s := time.Second
	for name, test := range map[string]struct {
		layer   strata.Layer
		attempt modeltest.Attempt
		want    []seen
		kind    failure.Kind // of the error; empty: none
	}{
		"reasoning is handed on at once": {middleware.Preamble(),
			modeltest.Attempt{reasoning(s), modeltest.Wait(s), modeltest.Text("a"), modeltest.Finish("stop")},
			[]seen{{"(hm)", s}, {"a", 2 * s}}, ""},
		"held until the text": {middleware.Preamble(middleware.HoldReasoning(5 * s)),
			modeltest.Attempt{reasoning(s), reasoning(s), modeltest.Text("a"), modeltest.Finish("stop")},
			[]seen{{"(hm)", 2 * s}, {"(hm)", 2 * s}, {"a", 2 * s}}, ""},
		"held for the window, counted from the first part": {middleware.Preamble(middleware.HoldReasoning(15 * s)),
			modeltest.Attempt{modeltest.Start(), reasoning(10 * s), reasoning(4 * s), reasoning(s), reasoning(s), modeltest.Finish("stop")},
			[]seen{{"(hm)", 15 * s}, {"(hm)", 15 * s}, {"(hm)", 15 * s}, {"(hm)", 16 * s}}, ""},
		"what does not commit ends the window too": {middleware.Preamble(middleware.HoldReasoning(5 * s)),
			modeltest.Attempt{reasoning(s), modeltest.Wait(6 * s), modeltest.ReasoningEnd("0"), modeltest.Wait(s), modeltest.Text("a"), modeltest.Finish("stop")},
			[]seen{{"(hm)", 7 * s}, {"a", 8 * s}}, ""},
		"held reasoning is dropped by a failure": {middleware.Preamble(middleware.HoldReasoning(5 * s)),
			modeltest.Attempt{reasoning(s), modeltest.Fail(provider("openai/a", failure.Rate))},
			nil, failure.Rate},
		"tool input held until the call is whole": {middleware.Preamble(middleware.HoldToolInput(5 * s)),
			modeltest.Attempt{modeltest.ToolInput("c", "{"), modeltest.Wait(s), modeltest.ToolInput("c", "}"), modeltest.ToolCall("c", "f", "{}"), modeltest.Finish("tool-calls")},
			[]seen{{"{", s}, {"}", s}, {"call", s}}, ""},
		"half a tool call is dropped": {middleware.Preamble(middleware.HoldToolInput(5 * s)),
			modeltest.Attempt{modeltest.ToolInput("c", "{"), modeltest.Wait(s)},
			nil, failure.Network},
		"reasoning alone is something in a stream": {middleware.RequireContent(),
			modeltest.Attempt{reasoning(s), modeltest.Finish("stop")},
			[]seen{{"(hm)", s}}, ""},
		"and nothing where it is held": {middleware.RequireContent(middleware.HoldReasoning(5 * s)),
			modeltest.Attempt{reasoning(s), modeltest.Finish("stop")},
			nil, failure.Overload},
		"but not behind the window": {middleware.RequireContent(middleware.HoldReasoning(5 * s)),
			modeltest.Attempt{reasoning(s), reasoning(6 * s), modeltest.Finish("stop")},
			[]seen{{"(hm)", 7 * s}, {"(hm)", 7 * s}}, ""},
		"an empty window holds nothing": {middleware.Preamble(middleware.HoldReasoning(0)),
			modeltest.Attempt{reasoning(s), modeltest.Wait(s), modeltest.Finish("stop")},
			[]seen{{"(hm)", s}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, err := readTimes(t, test.layer(modeltest.New("openai/a", test.attempt)))
				assert.Equal(t, test.want, got)
				if test.kind == "" {
					assert.NoError(t, err)
				} else {
					assert.Equal(t, test.kind, failure.Of(err))
				}
			})
		})
	}
}

func TestRequireContent(t *testing.T) {
	afterTool := &strata.Request{Messages: []strata.Message{
		strata.UserMessage("look it up"),
		{Role: strata.RoleAssistant, Content: []strata.Content{strata.ToolCall{ID: "c", Name: "f", Input: "{}"}}},
		strata.ToolMessage(strata.ToolResult{ID: "c", Output: "42"}),
	}}
	for name, test := range map[string]struct {
		req     *strata.Request
		attempt modeltest.Attempt
		passes  bool
	}{
		"text":                           {prompt, modeltest.Answer("hi"), true},
		"a tool call":                    {prompt, modeltest.Attempt{modeltest.ToolCall("c", "f", "{}"), modeltest.Finish("tool-calls")}, true},
		"a source":                       {prompt, modeltest.Attempt{modeltest.Part(strata.Source{}), modeltest.Finish("stop")}, true},
		"nothing":                        {prompt, modeltest.Attempt{modeltest.Finish("stop")}, false},
		"an empty text":                  {prompt, modeltest.Answer(""), false},
		"no messages, nothing":           {&strata.Request{}, modeltest.Answer(""), false},
		"an empty message, nothing":      {&strata.Request{Messages: []strata.Message{{}}}, modeltest.Answer(""), false},
		"nothing behind a tool result":   {afterTool, modeltest.Attempt{modeltest.Finish("stop")}, true},
		"cut short behind a tool result": {afterTool, modeltest.Attempt{modeltest.Finish("length")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := middleware.RequireContent()(modeltest.New("openai/a", test.attempt))
			_, whole := m.Generate(t.Context(), test.req)
			var streamed error
			for _, err := range m.Stream(t.Context(), test.req) {
				streamed = err
			}
			for _, err := range []error{whole, streamed} {
				if test.passes {
					assert.NoError(t, err)
					continue
				}
				require.Error(t, err)
				assert.Equal(t, failure.Overload, failure.Of(err))
				assert.Equal(t, "openai/a", failure.Owner(err, strata.ModelID{}).String())
			}
		})
	}
}

// Above a walk the failure is that of the model that answered.
func TestRequireContentNamesWhoAnswered(t *testing.T) {
	m := strata.Wrap(modeltest.New("openai/a", modeltest.Failure(busy("openai/a"))),
		middleware.RequireContent(), middleware.Fallback(modeltest.New("anthropic/b", modeltest.Answer(""))))
	_, err := m.Generate(t.Context(), prompt)
	assert.EqualError(t, err, "anthropic/b: overload: the answer has nothing in it (finish stop)")
	_, err = read(t.Context(), m)
	assert.EqualError(t, err, "anthropic/b: overload: the answer has nothing in it (finish stop)")
}
