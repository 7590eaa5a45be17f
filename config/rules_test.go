package config_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/config"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/modeltest"
)

const nothingInCommon = "nothing in common: some ask about errors alone, others about answers alone"

func TestErrorsOfRules(t *testing.T) {
	const wantsCode = `want a code or a regular expression, such as "^5"`
	for _, tt := range []struct{ name, rule, want string }{
		{"null rule", `null`, `: null is not an object: a rule is one, or the name of a model`},
		{"number for a rule", `5`, `: 5 is not an object: a rule is one, or the name of a model`},
		{"list for a rule", `["openai/b"]`, `: ["openai/b"] is not an object: a rule is one, or the name of a model`},
		{"unknown bare model", `"openai/c"`, `: model "openai/c": gone`},
		{"empty bare model", `""`, `: model "": gone`},
		{"unknown model", `{"switch":"openai/c"}`, `.switch: model "openai/c": gone`},
		{"lost model", `{"switch":"openai/lost"}`, `.switch: model "openai/lost": the resolver returned none`},
		{"null model", `{"switch":null}`, `.switch: null is not a string`},
		{"unknown field", `{"swich":"openai/b"}`, `: unknown field "swich"`},
		{"field in another case", `{"Switch":"openai/b"}`, `: unknown field "Switch"`},
		{"field twice", `{"switch":"openai/b","switch":"openai/b"}`, `: duplicate field "switch"`},
		{"neither", `{"when":{"retryable":true}}`, `: a rule has either "switch" or "retry"`},
		{"nothing", `{}`, `: a rule has either "switch" or "retry"`},
		{"both", `{"switch":"openai/b","retry":true}`, `: a rule has either "switch" or "retry"`},
		{"retry false", `{"retry":false}`, `.retry: it is false; leave it out`},
		{"retry of a model", `{"retry":"openai/b"}`, `.retry: "openai/b" is not true or false`},

		{"one attempt of a retry", `{"retry":true,"attempts":1}`, `.attempts: 1 is less than 2, the first attempt of the model being one of them`},
		{"no attempt", `{"switch":"openai/b","attempts":0}`, `.attempts: 0 is less than 1`},
		{"negative attempts", `{"retry":true,"attempts":-1}`, `.attempts: -1 is less than 1`},
		{"half an attempt", `{"switch":"openai/b","attempts":1.5}`, `.attempts: 1.5 is not a whole number`},
		{"negative delay", `{"retry":true,"delay":"-1s"}`, `.delay: "-1s" is negative`},
		{"number for a delay", `{"retry":true,"delay":1}`, `.delay: 1 is not a string: a duration is one, such as "1.5s"`},
		{"negative timeout", `{"retry":true,"timeout":"-1s"}`, `.timeout: "-1s" is negative`},
		{"negative wait", `{"retry":true,"max_retry_after":"-1s"}`, `.max_retry_after: "-1s" is negative`},
		{"no factor", `{"retry":true,"factor":0}`, `.factor: 0 is not a positive number`},
		{"negative factor", `{"retry":true,"factor":-2}`, `.factor: -2 is not a positive number`},
		{"factor out of range", `{"retry":true,"factor":1e999}`, `.factor: 1e999 is not a number`},
		{"jitter true", `{"retry":true,"jitter":true}`, `.jitter: true is not a string`},
		{"unknown jitter", `{"retry":true,"jitter":"some"}`, `.jitter: "some" is neither "none" nor "full"`},
		{"unknown longer", `{"retry":true,"longer":"wait"}`, `.longer: "wait" is neither "give_up" nor "cap"`},
		{"no time past the deadline", `{"retry":true,"past_deadline":"0s"}`, `.past_deadline: 0s is no time`},
		{"negative time past the deadline", `{"retry":true,"past_deadline":"-1s"}`, `.past_deadline: "-1s" is negative`},

		{"unknown setting", `{"retry":true,"set":{"temprature":1}}`, `.set: unknown field "temprature"`},
		{"field of requests that may not be set", `{"retry":true,"set":{"messages":[]}}`, `.set: unknown field "messages"`},
		{"nothing set", `{"retry":true,"set":{}}`, `.set: it sets nothing`},
		{"null set", `{"retry":true,"set":null}`, `.set: null is not an object`},
		{"null setting", `{"retry":true,"set":{"temperature":null}}`, `.set.temperature: null is not a number`},
		{"string for a temperature", `{"retry":true,"set":{"temperature":"1"}}`, `.set.temperature: "1" is not a number`},
		{"no token", `{"retry":true,"set":{"max_output_tokens":0}}`, `.set.max_output_tokens: 0 is less than 1`},
		{"negative top_k", `{"retry":true,"set":{"top_k":-1}}`, `.set.top_k: -1 is less than 1`},
		{"half a seed", `{"retry":true,"set":{"seed":0.5}}`, `.set.seed: 0.5 is not a whole number`},
		{"one stop sequence, no list", `{"retry":true,"set":{"stop_sequences":"x"}}`, `.set.stop_sequences: "x" is not a list`},
		{"no effort", `{"retry":true,"set":{"reasoning_effort":""}}`, `.set.reasoning_effort: it is empty`},

		{"null when", `{"when":null,"retry":true}`, `.when: null is not an object`},
		{"empty when", `{"when":{},"retry":true}`, `.when: there is no condition; a rule without "when" is for every error`},
		{"unknown condition", `{"when":{"sttus":429},"retry":true}`, `.when: unknown field "sttus"`},
		{"list of conditions", `{"when":[{"status":429}],"retry":true}`, `.when: [{"status":429}] is not an object`},
		{"no status", `{"when":{"status":[]},"retry":true}`, `.when.status: there is none`},
		{"null status", `{"when":{"status":null},"retry":true}`, `.when.status: null is not a whole number: ` + wantsCode},
		{"null in statuses", `{"when":{"status":[429,null]},"retry":true}`, `.when.status[1]: null is not a whole number: ` + wantsCode},
		{"true for a status", `{"when":{"status":[true]},"retry":true}`, `.when.status[0]: true is not a whole number: ` + wantsCode},
		{"half a status", `{"when":{"status":429.5},"retry":true}`, `.when.status: 429.5 is not a whole number: ` + wantsCode},
		{"no code", `{"when":{"status":[42]},"retry":true}`, `.when.status[0]: 42 is no HTTP status code`},
		{"a bad pattern of codes", `{"when":{"status":["(5"]},"retry":true}`, `.when.status[0]: "(5" is no regular expression: error parsing regexp: missing closing ): ` + "`(5`"},
		{"a pattern of codes in slashes", `{"when":{"status":"/^5/"},"retry":true}`, `.when.status: "/^5/" matches no code: here a regular expression stands without slashes`},
		{"an empty pattern of codes", `{"when":{"status":[""]},"retry":true}`, `.when.status[0]: it is empty`},
		{"an empty message", `{"when":{"message":[""]},"retry":true}`, `.when.message[0]: it is empty`},
		{"a number for a message", `{"when":{"message":[529]},"retry":true}`, `.when.message[0]: 529 is not a string`},
		{"an empty pattern", `{"when":{"message":"//"},"retry":true}`, `.when.message: "//" begins with a slash, but is not of the form /pattern/ or /pattern/i`},
		{"one slash", `{"when":{"message":"/"},"retry":true}`, `.when.message: "/" begins with a slash, but is not of the form /pattern/ or /pattern/i`},
		{"an open pattern", `{"when":{"message":"/busy"},"retry":true}`, `.when.message: "/busy" begins with a slash, but is not of the form /pattern/ or /pattern/i`},
		{"an unknown flag", `{"when":{"http_status":["a","/busy/gi"]},"retry":true}`, `.when.http_status[1]: "/busy/gi" begins with a slash, but is not of the form /pattern/ or /pattern/i`},
		{"a bad pattern", `{"when":{"message":"/a{2,1}/"},"retry":true}`, `.when.message: "a{2,1}" is no regular expression: error parsing regexp: invalid repeat count: ` + "`{2,1}`"},
		{"true for an HTTP status", `{"when":{"http_status":true},"retry":true}`, `.when.http_status: true is not a whole number: want a code, a text or a pattern, such as "/over ?load/i"`},
		{"unknown kind", `{"when":{"kind":["rate","slow"]},"retry":true}`, `.when.kind[1]: unknown kind "slow"`},
		{"kind in another case", `{"when":{"kind":"Rate"},"retry":true}`, `.when.kind: unknown kind "Rate"`},
		{"unknown finish", `{"when":{"finish":"done"},"retry":true}`, `.when.finish: unknown finish reason "done"`},
		{"finish written otherwise", `{"when":{"finish":["content_filter"]},"retry":true}`, `.when.finish[0]: unknown finish reason "content_filter"`},
		{"retryable false", `{"when":{"retryable":false},"retry":true}`, `.when.retryable: it is false, which is no condition; use "not"`},
		{"timeout false", `{"when":{"timeout":false},"retry":true}`, `.when.timeout: it is false, which is no condition; use "not"`},
		{"aborted false", `{"when":{"aborted":false},"retry":true}`, `.when.aborted: it is false, which is no condition; use "not"`},
		{"refusal a string", `{"when":{"refusal":"yes"},"retry":true}`, `.when.refusal: "yes" is not true or false`},
		{"no validator", `{"when":{"schema_invalid":true},"retry":true}`,
			`.when.schema_invalid: there is no validator: pass config.SchemaValidator(schema.Validate) to config.Build`},
		{"no validator deep down", `{"when":{"any":[{"status":429},{"not":{"schema_invalid":true}}]},"retry":true}`,
			`.when.any[1].not.schema_invalid: there is no validator: pass config.SchemaValidator(schema.Validate) to config.Build`},

		{"nothing in all", `{"when":{"all":[]},"retry":true}`, `.when.all: there is none`},
		{"nothing in any", `{"when":{"any":[]},"retry":true}`, `.when.any: there is none`},
		{"empty in any", `{"when":{"any":[{"status":429},{}]},"retry":true}`, `.when.any[1]: there is no condition; a rule without "when" is for every error`},
		{"empty in any, alone", `{"when":{"any":{}},"retry":true}`, `.when.any: there is no condition; a rule without "when" is for every error`},
		{"empty not", `{"when":{"not":{}},"retry":true}`, `.when.not: there is no condition; a rule without "when" is for every error`},
		{"deep down", `{"when":{"all":[{"any":{"not":{"status":"("}}}]},"retry":true}`, `.when.all[0].any.not.status: "(" is no regular expression: error parsing regexp: missing closing ): ` + "`(`"},
		{"fields with nothing in common", `{"when":{"status":429,"finish":"stop"},"retry":true}`, `.when: its fields have ` + nothingInCommon},
		{"all with nothing in common", `{"when":{"all":[{"status":429},{"finish":"stop"}]},"retry":true}`, `.when.all: its conditions have ` + nothingInCommon},
		{"a field and all", `{"when":{"kind":"rate","all":{"finish":"stop"}},"retry":true}`, `.when: its fields have ` + nothingInCommon},
		{"a field and not", `{"when":{"kind":"rate","not":{"finish":"stop"}},"retry":true}`, `.when: its fields have ` + nothingInCommon},
		{"nothing in common deep down", `{"when":{"any":[{"status":429},{"not":{"refusal":true,"finish":"stop"}}]},"retry":true}`, `.when.any[1].not: its fields have ` + nothingInCommon},
	} {
		t.Run(tt.name, func(t *testing.T) {
			layer, err := config.Build([]byte(`[{"layer":"rules","rules":["openai/b",`+tt.rule+`]}]`), resolve)
			assert.EqualError(t, err, "config: stack[0] (rules).rules[1]"+tt.want)
			assert.Nil(t, layer)
		})
	}
	for _, tt := range []struct{ name, stack, want string }{
		{"no list", `{"layer":"rules","rules":"openai/b"}`, `.rules: "openai/b" is not a list`},
		{"null", `{"layer":"rules","rules":null}`, `.rules: null is not a list`},
		{"disabled by a word", `{"layer":"rules","disabled":"yes"}`, `.disabled: "yes" is not true or false`},
		{"unknown field", `{"layer":"rules","rule":[]}`, `: unknown field "rule"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := config.Build([]byte("["+tt.stack+"]"), resolve)
			assert.EqualError(t, err, "config: stack[0] (rules)"+tt.want)
		})
	}
}

// TestConditions proves for each condition what it holds for: the models answer
// or fail once, and a rule switches where the condition holds.
func TestConditions(t *testing.T) {
	provider := func(kind failure.Kind, status int, message string) error {
		return &failure.Error{Kind: kind, Status: status, Message: message}
	}
	busy, slow := provider(failure.Overload, 529, "Overloaded, sorry"), provider(failure.Rate, 429, "Slow down: 500 a minute")
	plain := errors.New("it broke (500)")
	for _, tt := range []struct {
		when  string
		holds []error
		not   []error
	}{
		{`{"status":529}`, []error{busy}, []error{slow, plain}},
		{`{"status":[429,529]}`, []error{busy, slow}, []error{plain}},
		{`{"status":"^5"}`, []error{busy}, []error{slow, plain}},
		{`{"status":[429,"^5..$"]}`, []error{busy, slow}, []error{plain}},
		{`{"message":"SORRY"}`, []error{busy}, []error{slow, plain}},
		{`{"message":["/^Slow/","it broke"]}`, []error{slow, plain}, []error{busy}},
		{`{"message":"/^slow/"}`, nil, []error{busy, slow, plain}},
		{`{"message":"/^slow/i"}`, []error{slow}, []error{busy, plain}},
		{`{"message":"/a/b/"}`, []error{provider(failure.Unknown, 0, "see a/b")}, []error{busy}},
		{`{"http_status":529}`, []error{busy}, []error{slow, plain}},
		{`{"http_status":"500"}`, []error{slow, plain}, []error{busy}},
		{`{"http_status":[529,"slow"]}`, []error{busy, slow}, []error{plain}},
		{`{"http_status":"/^5../"}`, []error{busy}, []error{slow, plain}},
		{`{"http_status":"/500 A/i"}`, []error{slow}, []error{busy, plain}},
		{`{"retryable":true}`, []error{busy, slow}, []error{plain}},
		{`{"timeout":true}`, []error{provider(failure.Timeout, 0, "")}, []error{busy}},
		{`{"aborted":true}`, []error{provider(failure.Aborted, 0, "")}, []error{busy}},
		{`{"kind":"rate"}`, []error{slow}, []error{busy, plain}},
		{`{"kind":["rate","overload"]}`, []error{slow, busy}, []error{plain}},
		{`{"not":{"kind":"rate"}}`, []error{busy, plain}, []error{slow}},
		{`{"any":[{"kind":"rate"},{"message":"broke"}]}`, []error{slow, plain}, []error{busy}},
		{`{"any":{"kind":"rate"}}`, []error{slow}, []error{plain, busy}},
		{`{"all":[{"retryable":true},{"status":"^4"}]}`, []error{slow}, []error{plain, busy}},
		{`{"retryable":true,"status":"^4"}`, []error{slow}, []error{plain, busy}},
		{`{"status":[429,529],"not":{"message":"sorry"}}`, []error{slow}, []error{plain, busy}},
		{`{"finish":"stop"}`, nil, []error{busy}},
		{`{"not":{"finish":"stop"}}`, nil, []error{busy}},
	} {
		t.Run(tt.when, func(t *testing.T) {
			layer := build(t, `[{"layer":"rules","rules":[{"when":`+tt.when+`,"switch":"openai/b"}]}]`)
			for i, err := range append(append([]error{}, tt.holds...), tt.not...) {
				resp, got := layer(modeltest.New("openai/a", modeltest.Failure(err))).Generate(t.Context(), strata.Prompt("hello"))
				if i < len(tt.holds) {
					require.NoError(t, got, err)
					assert.Equal(t, "openai/b", resp.Model.String())
				} else {
					assert.Equal(t, err, got)
				}
			}
		})
	}
}

func TestSchemaValidator(t *testing.T) {
	stack := []byte(`[{"layer":"rules","rules":[{"when":{"schema_invalid":true},"switch":"openai/b"}]}]`)
	validate := func(schema json.RawMessage, answer []byte) error {
		assert.JSONEq(t, `{"type":"string"}`, string(schema))
		if string(answer) != `"good"` {
			return errors.New("bad")
		}
		return nil
	}
	layer, err := config.Build(stack, resolve, config.SchemaValidator(validate))
	require.NoError(t, err)
	req := strata.Prompt("hello")
	req.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: json.RawMessage(`{"type":"string"}`)}
	for answer, want := range map[string]string{`"good"`: "openai/a", `"other"`: "openai/b"} {
		resp, err := layer(modeltest.New("openai/a", modeltest.Answer(answer))).Generate(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, want, resp.Model.String())
	}
	assert.PanicsWithValue(t, "config.SchemaValidator(nil): the validator is nil", func() { config.SchemaValidator(nil) })
	assert.PanicsWithValue(t, "config.Build: option 0 is nil", func() { _, _ = config.Build(stack, resolve, nil) })
}

// TestSet proves for each field of a request that a rule sets it, and it alone.
func TestSet(t *testing.T) {
	for _, tt := range []struct {
		set  string
		want strata.Request
	}{
		{`{"temperature":0}`, strata.Request{Temperature: new(0.0)}},
		{`{"top_p":0.5}`, strata.Request{TopP: new(0.5)}},
		{`{"top_k":5}`, strata.Request{TopK: new(5)}},
		{`{"max_output_tokens":9}`, strata.Request{MaxOutputTokens: 9}},
		{`{"seed":0}`, strata.Request{Seed: new(int64(0))}},
		{`{"stop_sequences":["a","b"]}`, strata.Request{StopSequences: []string{"a", "b"}}},
		{`{"stop_sequences":[]}`, strata.Request{StopSequences: []string{}}},
		{`{"presence_penalty":-1}`, strata.Request{PresencePenalty: new(-1.0)}},
		{`{"frequency_penalty":1.5}`, strata.Request{FrequencyPenalty: new(1.5)}},
		{`{"reasoning_effort":"low"}`, strata.Request{ReasoningEffort: strata.ReasoningLow}},
		{`{"temperature":1,"seed":3}`, strata.Request{Temperature: new(1.0), Seed: new(int64(3))}},
	} {
		t.Run(tt.set, func(t *testing.T) {
			base := modeltest.New("openai/a", modeltest.Failure(errGone), modeltest.Answer("a"))
			req := strata.Prompt("hello")
			req.MaxOutputTokens, req.Temperature, req.StopSequences = 50, new(0.9), []string{"x"}
			_, err := build(t, `[{"layer":"rules","rules":[{"retry":true,"set":`+tt.set+`}]}]`)(base).Generate(t.Context(), req)
			require.NoError(t, err)
			calls := base.Calls()
			require.Len(t, calls, 2)
			assert.Equal(t, req, calls[0].Request)
			assert.Equal(t, req.With(&tt.want), calls[1].Request)
		})
	}
}

// TestFieldsOfRules proves for each field of a rule that it reaches its option.
func TestFieldsOfRules(t *testing.T) {
	busy := modeltest.Failure(&failure.Error{Kind: failure.Overload})
	throttled := modeltest.Failure(&failure.Error{Kind: failure.Rate, RetryAfter: 90 * time.Second})
	hangs := modeltest.Attempt{modeltest.Hang()}
	for _, tt := range []struct {
		name, rules string
		script      []modeltest.Attempt
		calls       int
		elapsed     time.Duration
	}{
		{"no rules", `[]`, []modeltest.Attempt{busy}, 1, 0},
		{"retry", `[{"retry":true}]`, []modeltest.Attempt{busy}, 2, 0},
		{"attempts", `[{"retry":true,"attempts":3}]`, []modeltest.Attempt{busy}, 3, 0},
		{"delay", `[{"retry":true,"attempts":3,"delay":"2s"}]`, []modeltest.Attempt{busy}, 3, 4 * time.Second},
		{"factor", `[{"retry":true,"attempts":4,"delay":"2s","factor":1.5}]`, []modeltest.Attempt{busy}, 4, 9500 * time.Millisecond},
		{"no jitter", `[{"retry":true,"delay":"2s","jitter":"none"}]`, []modeltest.Attempt{busy}, 2, 2 * time.Second},
		{"timeout", `[{"retry":true,"timeout":"3s"}]`, []modeltest.Attempt{busy, hangs}, 2, 3 * time.Second},
		{"longer waits are passed over", `[{"retry":true}]`, []modeltest.Attempt{throttled}, 1, 0},
		{"longer waits are passed over, said", `[{"retry":true,"longer":"give_up"}]`, []modeltest.Attempt{throttled}, 1, 0},
		{"longer waits are capped", `[{"retry":true,"longer":"cap"}]`, []modeltest.Attempt{throttled}, 2, time.Minute},
		{"max_retry_after", `[{"retry":true,"max_retry_after":"90s"}]`, []modeltest.Attempt{throttled}, 2, 90 * time.Second},
		{"max_retry_after, capped", `[{"retry":true,"max_retry_after":"5s","longer":"cap"}]`, []modeltest.Attempt{throttled}, 2, 5 * time.Second},
		{"past_deadline", `[{"retry":true,"past_deadline":"7s"}]`, []modeltest.Attempt{hangs}, 2, time.Hour + 7*time.Second},
		{"nothing past the deadline", `[{"retry":true}]`, []modeltest.Attempt{hangs}, 1, time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				base := modeltest.New("openai/a", tt.script...)
				begun := time.Now()
				_, err := build(t, `[{"layer":"rules","rules":`+tt.rules+`}]`)(base).Generate(ctx, strata.Prompt("hello"))
				require.Error(t, err)
				assert.Len(t, base.Calls(), tt.calls)
				assert.Equal(t, tt.elapsed, time.Since(begun))
			})
		})
	}
	t.Run("jitter", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			waits := map[time.Duration]bool{}
			for range 20 {
				begun := time.Now()
				_, err := read(build(t, `[{"layer":"rules","rules":[{"retry":true,"delay":"2s","jitter":"full"}]}]`)(modeltest.New("openai/a", busy)))
				require.Error(t, err)
				waits[time.Since(begun)] = true
				assert.Less(t, time.Since(begun), 2*time.Second)
			}
			assert.Greater(t, len(waits), 1)
		})
	})
	t.Run("disabled", func(t *testing.T) {
		for disabled, calls := range map[string]int{"true": 1, "false": 2} {
			base := modeltest.New("openai/a", busy)
			_, err := read(build(t, `[{"layer":"rules","disabled":`+disabled+`,"rules":[{"retry":true}]}]`)(base))
			require.Error(t, err)
			assert.Len(t, base.Calls(), calls)
		}
	})
}
