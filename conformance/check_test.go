package conformance

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
)

// problems runs the one case that data holds and returns what the runner says.
func problems(t *testing.T, data string) (found []string) {
	t.Helper()
	cases, err := parse("x.json", []byte("["+data+"]"))
	require.NoError(t, err)
	require.Len(t, cases, 1)
	require.NoError(t, cases[0].err)
	synctest.Test(t, func(*testing.T) { found = cases[0].spec.run() })
	return found
}

// answered is a case whose model is overloaded once and then answers, with parts
// of every kind.
const answered = `{"name": "answered", "model": "openai/a",
	"models": {
		"openai/a": [
			[{"start": {}}, {"error": {"status": 529, "message": "busy"}}],
			[{"start": {}}, {"meta": {"id": "r1"}}, {"reasoning_start": "1"}, {"reasoning": "hm"}, {"reasoning_end": "1"},
			 {"text_start": "0"}, {"text": "Hi"}, {"text": " you"}, {"text_end": "0"}, {"tool_input": {"id": "c1", "name": "f", "delta": "{"}},
			 {"tool_call": {"id": "c1", "name": "f", "input": "{}"}}, {"tool_result": {"id": "c1", "output": "12"}},
			 {"source": "https://example.org"}, {"file": "image/png"}, {"raw": "ping"}, {"finish": "stop"}]],
		"openai/unused": [[{"hang": true}]]},
	"stack": [{"layer": "backoff", "jitter": "none"}],
	"request": {"prompt": "Say it", "temperature": 0.5, "max_output_tokens": 9, "after_tool_result": true, "schema": {"type": "object"}},
	"runs": [{"op": %q, "want": %s}]}`

const allParts = `["start", "meta:r1", "reasoning_start:1", "reasoning:hm", "reasoning_end:1", "text_start:0", "text:Hi", "text: you",
	"text_end:0", "tool_input:{", "tool_call:f", "tool_result:c1", "source:https://example.org", "file:image/png", "raw:ping", "finish:stop"]`

// TestWantsOfAnAnswer shows for every field that the right want passes and a
// wrong one fails.
func TestWantsOfAnAnswer(t *testing.T) {
	for _, tt := range []struct {
		op, want string
		problem  string // empty: none
	}{
		{"stream", `{}`, ``},
		{"stream", `{"text": "Hi you"}`, ``},
		{"stream", `{"text": "Hi"}`, `run 0: text: got "Hi you", want "Hi"`},
		{"stream", `{"text": ""}`, `run 0: text: got "Hi you", want ""`},
		{"generate", `{"text": "Hi you"}`, ``},
		{"generate", `{"text": "Hi"}`, `run 0: text: got "Hi you", want "Hi"`},

		{"stream", `{"parts": ` + allParts + `}`, ``},
		{"stream", `{"parts": []}`, `run 0: parts: got ["start" `},
		{"stream", `{"parts": ` + strings.Replace(allParts, "ping", "pong", 1) + `}`, `run 0: parts: got ["start" `},

		{"stream", `{"error": null}`, ``},
		{"stream", `{"error": {}}`, `run 0: error: got none, want one`},
		{"generate", `{"error": {}}`, `run 0: error: got none, want one`},

		{"stream", `{"served": "openai/a"}`, ``},
		{"stream", `{"served": "openai/unused"}`, `run 0: served: got "openai/a", want "openai/unused"`},
		{"generate", `{"served": "openai/a"}`, ``},
		{"generate", `{"served": "openai/unused"}`, `run 0: served: got "openai/a", want "openai/unused"`},

		{"stream", `{"calls": {"openai/a": 2}}`, ``},
		{"stream", `{"calls": {"openai/a": 1}}`, `run 0: calls: got map[openai/a:2], want map[openai/a:1]`},
		{"stream", `{"calls": {}}`, `run 0: calls: got map[openai/a:2], want map[]`},
		{"stream", `{"calls": {"openai/a": 2, "openai/unused": 0}}`, `run 0: calls: got map[openai/a:2], want map[openai/a:2 openai/unused:0]`},

		{"stream", `{"elapsed": "1s"}`, ``},
		{"stream", `{"elapsed": ["1s", "2s"]}`, ``},
		{"stream", `{"elapsed": ["0s", "1s"]}`, ``},
		{"stream", `{"elapsed": "1001ms"}`, `run 0: elapsed: got 1s, want 1.001s`},
		{"stream", `{"elapsed": ["2s", "3s"]}`, `run 0: elapsed: got 1s, want 2s to 3s`},
		{"stream", `{"elapsed": ["0s", "999ms"]}`, `run 0: elapsed: got 1s, want 0s to 999ms`},

		{"stream", `{"cancelled": ["openai/a"]}`, ``},
		{"stream", `{"cancelled": ["openai/unused"]}`, `run 0: cancelled: the last attempt of openai/unused was not`},
		{"generate", `{"cancelled": ["openai/a"]}`, `run 0: cancelled: the last attempt of openai/a was not`},

		{"stream", `{"panic": "boom"}`, `run 0: panic: got <nil>, want "boom"`},

		{"stream", `{"seen": {"openai/a": {"prompt": "Say it", "temperature": 0.5, "max_output_tokens": 9, "after_tool_result": true, "schema": { "type":"object" }}}}`, ``},
		{"stream", `{"seen": {"openai/unused": {}}}`, `run 0: seen: openai/unused was not called`},
		{"stream", `{"seen": {"openai/a": {"prompt": "Say"}}}`, `run 0: seen: openai/a: prompt: got Say it, want Say`},
		{"stream", `{"seen": {"openai/a": {"temperature": 0.6}}}`, `run 0: seen: openai/a: temperature: got 0.5, want 0.6`},
		{"stream", `{"seen": {"openai/a": {"max_output_tokens": 0}}}`, `run 0: seen: openai/a: max_output_tokens: got 9, want 0`},
		{"stream", `{"seen": {"openai/a": {"after_tool_result": false}}}`, `run 0: seen: openai/a: after_tool_result: got true, want false`},
		{"stream", `{"seen": {"openai/a": {"schema": {}}}}`, `run 0: seen: openai/a: schema: got {"type":"object"}, want {}`},
	} {
		t.Run(tt.op+" "+tt.want, func(t *testing.T) {
			assertProblem(t, problems(t, fmt.Sprintf(answered, tt.op, tt.want)), tt.problem)
		})
	}
}

// failing is a case with one script of a, over which another stack stands.
const failing = `{"name": "failing", "model": "openai/a",
	"models": {"openai/a": [%s], "anthropic/b": [[{"error": {"status": 401, "message": "no key"}}]]},
	"stack": %s, "runs": [%s]}`

const (
	busy      = `[{"start": {}}, {"error": {"status": 529, "message": "busy"}}]`
	cutOff    = `[{"text": "Hi"}, {"error": {"status": 200, "kind": "network", "message": "cut"}}]`
	stalls    = `[{"text": "Hi"}, {"hang": true}]`
	retries   = `[{"layer": "fallback", "models": ["anthropic/b"]}]`
	bare      = `[]`
	preamble  = `[{"layer": "preamble"}]`
	streams   = `{"op": "stream", "want": {"error": %s}}`
	cancelled = `{"op": "stream", "cancel_after": "0s", "want": {"error": %s}}`
)

func TestWantsOfAnError(t *testing.T) {
	const inWait = `{"op": "generate", "cancel_after": "300ms", "want": {"error": %s}}`
	const tooShort = `{"op": "stream", "deadline": "100ms", "want": {"error": %s}}`
	const backsOff = `[{"layer": "backoff", "jitter": "none"}]`
	for _, tt := range []struct {
		name, script, stack, run, want string
		problem                        string
	}{
		{"any", busy, bare, streams, `{}`, ``},
		{"none", busy, bare, streams, `null`, `error: got openai/a: overload (529): busy, want none`},

		{"kind", busy, bare, streams, `{"kind": "overload"}`, ``},
		{"another kind", busy, bare, streams, `{"kind": "rate"}`, `error kind: got overload, want rate`},
		{"kind of the last", busy, retries, streams, `{"kind": "auth"}`, ``},
		{"kind of the first", busy, retries, streams, `{"kind": "overload"}`, `error kind: got auth, want overload`},
		{"kind of the cause", cutOff, retries, streams, `{"kind": "network", "committed": true}`, ``},

		{"status of the last", busy, retries, streams, `{"status": 401}`, ``},
		{"status of the first", busy, retries, streams, `{"status": 529}`, `error status: got 401, want 529`},
		{"status where there is none", `[]`, bare, streams, `{"status": 529}`, `error: got none, want one`},
		{"status of a plain error", `[{"error": {"plain": "busy"}}]`, bare, streams, `{"status": 529}`, `error status: got 0, want 529`},

		{"has of the last", busy, retries, streams, `{"has": "no key"}`, ``},
		{"has of the first", busy, retries, streams, `{"has": "busy"}`, `error has: got anthropic/b: auth (401): no key, want busy`},
		{"has of the RetryError", busy, retries, streams, `{"has": "gave up"}`, `error has: got anthropic/b: auth (401): no key, want gave up`},
		{"has of an error within", cutOff, retries, streams, `{"has": "cut"}`, ``},

		{"attempts", busy, retries, streams, `{"attempts": 2}`, ``},
		{"too few attempts", busy, retries, streams, `{"attempts": 1}`, `error attempts: got 2, want 1`},
		{"too many attempts", busy, retries, streams, `{"attempts": 3}`, `error attempts: got 2, want 3`},
		{"one attempt, bare", busy, bare, streams, `{"attempts": 1}`, ``},
		{"bare is not two", busy, bare, streams, `{"attempts": 2}`, `error attempts: got 1, want 2`},
		{"bare is no RetryError", busy, bare, streams, `{"attempts": 1, "type": "retry"}`, `error type: got none, want retry`},
		{"a RetryError of one", busy, backsOff, inWait, `{"attempts": 1, "type": "retry"}`, ``},
		{"a RetryError of one is not bare", busy, backsOff, inWait, `{"attempts": 1}`, `error attempts: got -1, want 1`},

		{"type retry", busy, retries, streams, `{"type": "retry"}`, ``},
		{"type timeout", stalls, `[{"layer": "timeout", "idle": "1s"}]`, streams, `{"type": "timeout", "timeout": "idle", "kind": "timeout"}`, ``},
		{"no timeout", busy, bare, streams, `{"type": "timeout"}`, `error type: got none, want timeout`},
		{"a deadline is no timeout", stalls, bare, tooShort, `{"type": "timeout"}`, `error type: got none, want timeout`},
		{"a timeout is no deadline", stalls, `[{"layer": "timeout", "idle": "1s"}]`, streams, `{"type": "deadline"}`, `error type: got none, want deadline`},
		{"type refusal", `[{"text": "I'm sorry, but I can't help with that."}]`, `[{"layer": "refusal"}]`, streams, `{"type": "refusal", "kind": "content"}`, ``},
		{"no refusal", busy, `[{"layer": "refusal"}]`, streams, `{"type": "refusal"}`, `error type: got none, want refusal`},
		{"type committed", cutOff, retries, streams, `{"type": "committed"}`, ``},
		{"not committed", busy, retries, streams, `{"type": "committed"}`, `error type: got none, want committed`},
		{"type cancelled", stalls, bare, cancelled, `{"type": "cancelled", "kind": "aborted"}`, ``},
		{"not cancelled", stalls, bare, tooShort, `{"type": "cancelled"}`, `error type: got none, want cancelled`},
		{"type deadline", stalls, bare, tooShort, `{"type": "deadline", "kind": "timeout"}`, ``},
		{"no deadline", stalls, bare, cancelled, `{"type": "deadline"}`, `error type: got none, want deadline`},
		{"cancelled through a RetryError", busy, backsOff, inWait, `{"type": "cancelled", "reason": "cancelled"}`, ``},

		{"another limit", stalls, `[{"layer": "timeout", "idle": "1s"}]`, streams, `{"timeout": "total"}`, `error timeout: got idle, want total`},
		{"no limit", busy, bare, streams, `{"timeout": "total"}`, `error timeout: got , want total`},

		{"committed", cutOff, retries, streams, `{"committed": true}`, ``},
		{"committed, not wanted", cutOff, retries, streams, `{"committed": false}`, `error committed: got true, want false`},
		{"uncommitted", cutOff, preamble, streams, `{"committed": false}`, ``},
		{"uncommitted, not wanted", cutOff, preamble, streams, `{"committed": true}`, `error committed: got false, want true`},

		{"reason", busy, retries, streams, `{"reason": "kind"}`, ``},
		{"another reason", busy, retries, streams, `{"reason": "budget"}`, `error reason: got kind, want budget`},
		{"no reason", busy, bare, streams, `{"reason": "attempts"}`, `error reason: got , want attempts`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := problems(t, fmt.Sprintf(failing, tt.script, tt.stack, fmt.Sprintf(tt.run, tt.want)))
			if tt.problem != "" {
				tt.problem = "run 0: " + tt.problem
			}
			assertProblem(t, got, tt.problem)
		})
	}
}

// TestRuns shows what each field of a run does.
func TestRuns(t *testing.T) {
	const slow = `[{"text": "a"}, {"wait": "1s"}, {"text": "b"}, {"wait": "1s"}, {"finish": "stop"}]`
	for _, tt := range []struct{ name, script, run, problem string }{
		{"before is not counted", slow, `{"op": "stream", "before": "5s", "want": {"elapsed": "2s"}}`, ``},
		{"hold, the finish too", slow, `{"op": "stream", "hold": "10s", "want": {"elapsed": "32s", "text": "ab"}}`, ``},
		{"break_after", slow, `{"op": "stream", "break_after": 2, "want": {"elapsed": "1s", "parts": ["text:a", "text:b"], "error": null}}`, ``},
		{"deadline", slow, `{"op": "stream", "deadline": "1500ms", "want": {"elapsed": "1500ms", "text": "ab", "error": {"type": "deadline"}}}`, ``},
		{"cancel_after", slow, `{"op": "generate", "cancel_after": "500ms", "want": {"elapsed": "500ms", "text": "", "error": {"type": "cancelled"}}}`, ``},
		{"cancelled before", slow, `{"op": "stream", "cancel_after": "0s", "want": {"elapsed": "0s", "text": "a", "error": {"type": "cancelled"}}}`, ``},
		{"panic", `[{"text": "a"}, {"panic": "boom"}]`, `{"op": "stream", "want": {"text": "a", "panic": "boom"}}`, ``},
		{"panic of another value", `[{"panic": "boom"}]`, `{"op": "stream", "want": {"panic": "bang"}}`, `run 0: panic: got boom, want "bang"`},
		{"panic not wanted", `[{"panic": "boom"}]`, `{"op": "generate", "want": {}}`, `run 0: panic: got boom, want none`},
		{"panic in place of an error", `[{"panic": "boom"}]`, `{"op": "generate", "want": {"error": {}}}`, `run 0: panic: got boom, want none`},
		{"the second run", `[{"text": "a"}, {"finish": "stop"}], [{"text": "b"}, {"finish": "stop"}]`,
			`{"op": "stream", "want": {"text": "a"}}, {"op": "stream", "want": {"text": "a", "calls": {"openai/a": 1}}}`, `run 1: text: got "b", want "a"`},
		{"the last attempt repeats", `[{"text": "a"}, {"finish": "stop"}]`,
			`{"op": "stream", "want": {"text": "a"}}, {"op": "generate", "want": {"text": "a"}}`, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assertProblem(t, problems(t, fmt.Sprintf(failing, tt.script, bare, tt.run)), tt.problem)
		})
	}
}

// TestScriptedErrors shows what the fields of an error step make.
func TestScriptedErrors(t *testing.T) {
	const backsOff = `[{"layer": "backoff", "jitter": "none", "attempts": 2}]`
	for _, tt := range []struct{ name, step, stack, want string }{
		{"kind from the status", `{"status": 402}`, bare, `{"error": {"kind": "quota", "status": 402}}`},
		{"kind outright", `{"status": 402, "kind": "rate", "code": "slow", "message": "later"}`, bare, `{"error": {"kind": "rate", "has": "openai/a: rate (402 slow): later"}}`},
		{"kind from the body", `{"status": 400, "body": "{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"long\"}}"}`, bare, `{"error": {"kind": "context", "has": "long"}}`},
		{"in a stream", `{"status": 200, "message": "odd"}`, bare, `{"error": {"kind": "overload"}}`},
		{"plain", `{"plain": "odd"}`, bare, `{"error": {"kind": "unknown", "has": "odd"}}`},
		{"headers", `{"status": 429, "headers": {"Retry-After": "7"}}`, backsOff, `{"error": {"attempts": 2}, "elapsed": "7s"}`},
		{"milliseconds", `{"status": 429, "headers": {"retry-after-ms": "1500"}}`, backsOff, `{"error": {"attempts": 2}, "elapsed": "1500ms"}`},
		{"date, by the clock of the case", `{"status": 429, "headers": {"retry-after": "Sat, 01 Jan 2000 00:00:09 GMT"}}`, backsOff, `{"error": {"attempts": 2}, "elapsed": "9s"}`},
		{"permanent", `{"status": 503, "permanent": true}`, backsOff, `{"error": {"attempts": 1, "kind": "overload"}}`},
		{"not permanent", `{"status": 503, "permanent": false}`, backsOff, `{"error": {"attempts": 2}}`},
		{"plain and permanent", `{"plain": "odd", "permanent": true}`, bare, `{"error": {"has": "odd"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := fmt.Sprintf(`[{"error": %s}]`, tt.step)
			assert.Empty(t, problems(t, fmt.Sprintf(failing, script, tt.stack, `{"op": "stream", "want": `+tt.want+`}`)))
		})
	}
}

func TestStacksThatMustBeRefused(t *testing.T) {
	const c = `{"name": "refused", "model": "openai/a", "models": {"openai/a": [[]]}, "stack": %s, "build": {"has": "atempts"}}`
	for _, tt := range []struct{ name, stack, problem string }{
		{"refused", `[{"layer": "backoff", "atempts": 1}]`, ``},
		{"built", `[{"layer": "backoff", "attempts": 1}]`, `build: the stack was built, want an error with "atempts"`},
		{"for another reason", `[{"layer": "retries"}]`, `build: got "config: stack[0]: unknown layer`},
		{"no list", `5`, `build: got "config: stack: 5 is not a list"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assertProblem(t, problems(t, fmt.Sprintf(c, tt.stack)), tt.problem)
		})
	}
	t.Run("not wanted", func(t *testing.T) {
		got := problems(t, fmt.Sprintf(failing, `[]`, `[{"layer": "retries"}]`, `{"op": "stream", "want": {}}`))
		assertProblem(t, got, `config: stack[0]: unknown layer "retries"`)
	})
}

// TestWhatIsCheckedUnasked wraps a model in layers that break the contract.
func TestWhatIsCheckedUnasked(t *testing.T) {
	text := strata.TextDelta{Text: "more"}
	after := func(p strata.Part, err error) strata.Funcs {
		return strata.Funcs{Stream: func(ctx context.Context, req *strata.Request, next strata.Model) iter.Seq2[strata.Part, error] {
			return func(yield func(strata.Part, error) bool) {
				next.Stream(ctx, req)(yield)
				yield(p, err)
			}
		}}
	}
	only := func(p strata.Part, err error) strata.Funcs {
		return strata.Funcs{Stream: func(context.Context, *strata.Request, strata.Model) iter.Seq2[strata.Part, error] {
			return func(yield func(strata.Part, error) bool) { yield(p, err) }
		}}
	}
	type key struct{}
	within := func(of func(context.Context) context.Context) strata.Funcs {
		return strata.Funcs{
			Generate: func(ctx context.Context, req *strata.Request, next strata.Model) (*strata.Response, error) {
				return next.Generate(of(ctx), req)
			},
			Stream: func(ctx context.Context, req *strata.Request, next strata.Model) iter.Seq2[strata.Part, error] {
				return next.Stream(of(ctx), req)
			},
		}
	}
	for _, tt := range []struct {
		name, op string
		layer    strata.Funcs
		fails    bool // the model
		problem  string
	}{
		{"nothing is broken", "stream", strata.Funcs{}, false, ``},
		{"a part behind the finish", "stream", after(text, nil), false, `the stream went on behind its end with strata.TextDelta`},
		{"an error behind the finish", "stream", after(nil, errors.New("late")), false, `the stream went on behind its end with <nil>, late`},
		{"a part behind the error", "stream", after(text, nil), true, `the stream went on behind its end with strata.TextDelta`},
		{"a second finish", "stream", after(strata.Finish{}, nil), false, `the stream went on behind its end with strata.Finish`},
		{"a part beside the error", "stream", only(text, errors.New("odd")), true, `a part came beside the error: strata.TextDelta`},
		{"neither a part nor an error", "stream", only(nil, nil), false, `neither a part nor an error came`},
		{"the context is left open", "stream", within(context.WithoutCancel), false, `the context of attempt 1 of openai/a is not done, and is not the caller's`},
		{"the context is left open", "generate", within(context.WithoutCancel), false, `the context of attempt 1 of openai/a is not done, and is not the caller's`},
		{"the caller's context", "generate", within(func(ctx context.Context) context.Context { return ctx }), false, ``},
		{"the caller's context with a value", "stream", within(func(ctx context.Context) context.Context { return context.WithValue(ctx, key{}, 1) }), false, ``},
	} {
		t.Run(tt.name+", "+tt.op, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script, w := modeltest.Answer("Hi"), want{}
				if tt.fails {
					script, w = modeltest.Failure(errors.New("odd")), want{Error: &errorWant{}}
				}
				model := modeltest.New("openai/a", script)
				r := run{Op: tt.op}
				out := r.play(tt.layer.Layer()(model), strata.Prompt("Hello"), map[string]*modeltest.Model{"openai/a": model})
				assertProblem(t, w.check(out), tt.problem)
			})
		})
	}
}

func TestTheClockOfACase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		assert.Equal(t, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), time.Now().UTC())
	})
}

// assertProblem asserts that there is one problem that begins like this, or
// none.
func assertProblem(t *testing.T, got []string, want string) {
	t.Helper()
	if want == "" {
		assert.Empty(t, got)
		return
	}
	if assert.Len(t, got, 1, "%q", got) {
		assert.True(t, strings.HasPrefix(got[0], want), "got  %q\nwant %q …", got[0], want)
	}
}

// silent is a model that says nothing.
type silent struct{ strata.Model }

func (silent) Generate(context.Context, *strata.Request) (*strata.Response, error) { return nil, nil }

func TestNeitherAnAnswerNorAnError(t *testing.T) {
	var out outcome
	(&run{Op: "generate"}).ask(t.Context(), silent{}, strata.Prompt(""), &out)
	assert.Equal(t, []string{"neither an answer nor an error came"}, out.broken)
}
