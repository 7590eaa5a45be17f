package config_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/config"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/retry"
)

var errGone = errors.New("gone")

// resolve knows one model, breaks over another and loses a third.
func resolve(name string) (strata.Model, error) {
	switch name {
	case "openai/b":
		return modeltest.New(name, modeltest.Answer("b")), nil
	case "openai/lost":
		return nil, nil
	}
	return nil, errGone
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ name, stack, want string }{
		{"nothing", ``, `stack: line 1: unexpected end of JSON input`},
		{"cut off", `[{"layer":"backoff"}`, `stack: line 1: unexpected end of JSON input`},
		{"trailing data", `[] []`, `stack: line 1: invalid character '[' after top-level value`},
		{"null", `null`, `stack: null is not a list`},
		{"one layer, no list", `{"layer":"backoff"}`, `stack: {"layer":"backoff"} is not a list`},
		{"null layer", `[null]`, `stack[0]: null is not an object`},
		{"string layer", `["backoff"]`, `stack[0]: "backoff" is not an object`},
		{"no name", `[{"attempts":2}]`, `stack[0]: there is no field "layer"`},
		{"name in another case", `[{"Layer":"backoff"}]`, `stack[0]: there is no field "layer"`},
		{"null name", `[{"layer":null}]`, `stack[0].layer: null is not a string`},
		{"number for a name", `[{"layer":1}]`, `stack[0].layer: 1 is not a string`},
		{"unknown layer", `[{"layer":"backoff"},{"layer":"retries"}]`,
			`stack[1]: unknown layer "retries" (there are backoff, cooldown, fallback, preamble, refusal, require_content, rules, sticky, timeout)`},
		{"layer in another case", `[{"layer":"Preamble"}]`,
			`stack[0]: unknown layer "Preamble" (there are backoff, cooldown, fallback, preamble, refusal, require_content, rules, sticky, timeout)`},
		{"unknown field", `[{"layer":"preamble"},{"layer":"backoff","atempts":3}]`, `stack[1] (backoff): unknown field "atempts"`},
		{"field of another layer", `[{"layer":"timeout","attempts":3}]`, `stack[0] (timeout): unknown field "attempts"`},
		{"field in another case", `[{"layer":"backoff","Attempts":3}]`, `stack[0] (backoff): unknown field "Attempts"`},
		{"field twice", `[{"layer":"backoff","attempts":3,"attempts":2}]`, `stack[0]: duplicate field "attempts"`},
		{"name twice", `[{"layer":"backoff","layer":"timeout"}]`, `stack[0]: duplicate field "layer"`},

		{"no duration", `[{"layer":"timeout","total":"soon"}]`, `stack[0] (timeout).total: "soon" is no duration`},
		{"no unit", `[{"layer":"timeout","idle":"5"}]`, `stack[0] (timeout).idle: "5" is no duration`},
		{"number for a duration", `[{"layer":"timeout","first_content":5}]`,
			`stack[0] (timeout).first_content: 5 is not a string: a duration is one, such as "1.5s"`},
		{"null for a duration", `[{"layer":"backoff","base":null}]`,
			`stack[0] (backoff).base: null is not a string: a duration is one, such as "1.5s"`},
		{"negative base", `[{"layer":"backoff","base":"-1s"}]`, `stack[0] (backoff).base: "-1s" is negative`},
		{"negative max", `[{"layer":"backoff","max":"-1s"}]`, `stack[0] (backoff).max: "-1s" is negative`},
		{"negative budget", `[{"layer":"backoff","budget":"-1ns"}]`, `stack[0] (backoff).budget: "-1ns" is negative`},
		{"negative wait", `[{"layer":"backoff","max_retry_after":"-1s"}]`, `stack[0] (backoff).max_retry_after: "-1s" is negative`},
		{"negative server jitter", `[{"layer":"backoff","server_jitter":"-1s"}]`, `stack[0] (backoff).server_jitter: "-1s" is negative`},
		{"unknown kind to cool down for", `[{"layer":"cooldown","for":{"rate":"1s","slow":"1s"}}]`, `stack[0] (cooldown).for["slow"]: unknown kind "slow"`},
		{"negative cooldown", `[{"layer":"cooldown","for":{"rate":"-1s"}}]`, `stack[0] (cooldown).for["rate"]: "-1s" is negative`},
		{"null cooldown", `[{"layer":"cooldown","for":{"rate":null}}]`, `stack[0] (cooldown).for["rate"]: null is not a string: a duration is one, such as "1.5s"`},
		{"negative total", `[{"layer":"timeout","total":"-1s"}]`, `stack[0] (timeout).total: "-1s" is negative`},
		{"negative first content", `[{"layer":"timeout","first_content":"-1s"}]`, `stack[0] (timeout).first_content: "-1s" is negative`},
		{"negative idle", `[{"layer":"timeout","idle":"-1s"}]`, `stack[0] (timeout).idle: "-1s" is negative`},
		{"negative silence", `[{"layer":"timeout","silence":"-1s"}]`, `stack[0] (timeout).silence: "-1s" is negative`},

		{"no attempts", `[{"layer":"backoff","attempts":0}]`, `stack[0] (backoff).attempts: 0 is less than 1`},
		{"negative attempts", `[{"layer":"backoff","attempts":-2}]`, `stack[0] (backoff).attempts: -2 is less than 1`},
		{"half an attempt", `[{"layer":"backoff","attempts":1.5}]`, `stack[0] (backoff).attempts: 1.5 is not a whole number`},
		{"string for a count", `[{"layer":"backoff","attempts":"3"}]`, `stack[0] (backoff).attempts: "3" is not a whole number`},
		{"null for a count", `[{"layer":"preamble","max_parts":null}]`, `stack[0] (preamble).max_parts: null is not a whole number`},
		{"no parts", `[{"layer":"require_content","max_parts":0}]`, `stack[0] (require_content).max_parts: 0 is less than 1`},

		{"unknown jitter", `[{"layer":"backoff","jitter":"some"}]`, `stack[0] (backoff).jitter: "some" is neither "full" nor "none"`},
		{"empty jitter", `[{"layer":"backoff","jitter":""}]`, `stack[0] (backoff).jitter: "" is neither "full" nor "none"`},
		{"boolean for jitter", `[{"layer":"backoff","jitter":false}]`, `stack[0] (backoff).jitter: false is not a string`},
		{"unknown longer", `[{"layer":"backoff","longer":"Cap"}]`, `stack[0] (backoff).longer: "Cap" is neither "give_up" nor "cap"`},

		{"unknown model", `[{"layer":"fallback","models":["openai/b","mistral/zz"]}]`, `stack[0] (fallback).models[1]: model "mistral/zz": gone`},
		{"lost model", `[{"layer":"fallback","models":["openai/lost"]}]`, `stack[0] (fallback).models[0]: model "openai/lost": the resolver returned none`},
		{"one model, no list", `[{"layer":"fallback","models":"openai/b"}]`, `stack[0] (fallback).models: "openai/b" is not a list`},
		{"null model", `[{"layer":"fallback","models":[null]}]`, `stack[0] (fallback).models[0]: null is not a string`},
		{"unknown kind", `[{"layer":"fallback","models":["openai/b"],"on":["overload","sluggish"]}]`, `stack[0] (fallback).on[1]: unknown kind "sluggish"`},
		{"empty kind", `[{"layer":"fallback","on":[""]}]`, `stack[0] (fallback).on[0]: unknown kind ""`},

		{"unknown reset", `[{"layer":"sticky","reset":"never"}]`,
			`stack[0] (sticky).reset: "never" is none of "after-request", "after-N-requests", "after-N-seconds"`},
		{"reset after nothing", `[{"layer":"sticky","reset":"after-0-requests"}]`, `stack[0] (sticky).reset: "after-0-requests": 0 is not from 1 to 3162240000`},
		{"reset after less", `[{"layer":"sticky","reset":"after--1-requests"}]`,
			`stack[0] (sticky).reset: "after--1-requests" is none of "after-request", "after-N-requests", "after-N-seconds"`},
		{"reset after eternity", `[{"layer":"sticky","reset":"after-99999999999999999999-seconds"}]`,
			`stack[0] (sticky).reset: "after-99999999999999999999-seconds": 99999999999999999999 is not from 1 to 3162240000`},
		{"field of sticky", `[{"layer":"sticky","after":"1"}]`, `stack[0] (sticky): unknown field "after"`},

		{"no phrase", `[{"layer":"refusal","phrases":[]}]`, `stack[0] (refusal).phrases: there is none`},
		{"empty phrase", `[{"layer":"refusal","phrases":["Sorry"," \t"]}]`, `stack[0] (refusal).phrases[1]: " \t" is empty`},
		{"null phrases", `[{"layer":"refusal","phrases":null}]`, `stack[0] (refusal).phrases: null is not a list`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			layer, err := config.Build([]byte(tt.stack), resolve)
			assert.EqualError(t, err, "config: "+tt.want)
			assert.Nil(t, layer)
		})
	}
}

func TestResolverErrorsAreWrapped(t *testing.T) {
	_, err := config.Build([]byte(`[{"layer":"fallback","models":["openai/c"]}]`), resolve)
	assert.ErrorIs(t, err, errGone)
}

// Without a resolver names are those of the registry.
func TestNoResolver(t *testing.T) {
	_, err := config.Build([]byte(`[{"layer":"fallback","models":["openai/b"]}]`), nil)
	assert.EqualError(t, err, `config: stack[0] (fallback).models[0]: model "openai/b": strata: open "openai/b": `+
		`unknown provider "openai" (registered: config-test); a program imports the package of its adapter`)
	for _, resolve := range []config.Resolver{nil, strata.Open} {
		layer, err := config.Build([]byte(`[{"layer":"fallback","models":["config-test/b@team"]}]`), resolve)
		require.NoError(t, err)
		resp, err := layer(modeltest.New("openai/a", modeltest.Failure(&failure.Error{Kind: failure.Auth}))).Generate(t.Context(), strata.Prompt("hello"))
		require.NoError(t, err)
		assert.Equal(t, "config-test/b@team", resp.Model.String())
	}
	_, err = config.Build([]byte(`[{"layer":"backoff"}]`), nil)
	assert.NoError(t, err, "no model is named")
}

func init() {
	strata.Register("config-test", func(id strata.ModelID) (strata.Model, error) {
		return modeltest.New(id.String(), modeltest.Answer("opened")), nil
	})
}

func TestIdentity(t *testing.T) {
	base := modeltest.New("openai/a", modeltest.Answer("a"))
	for _, stack := range []string{`[]`, ` [ ] `, `[{"layer":"timeout"}]`, `[{"layer":"fallback"}]`, `[{"layer":"fallback","models":[]}]`} {
		assert.Same(t, base, build(t, stack)(base), stack)
	}
}

func TestModels(t *testing.T) {
	a := modeltest.New("openai/a", modeltest.Answer("a"))
	eu := modeltest.New("openai/a@eu", modeltest.Answer("eu"))
	models := config.Models(a, eu)
	got, err := models("openai/a@eu")
	require.NoError(t, err)
	assert.Same(t, eu, got)
	_, err = models("openai/A")
	assert.EqualError(t, err, "not known")
	assert.PanicsWithValue(t, "config.Models: model 1 is nil", func() { config.Models(a, nil) })
	assert.PanicsWithValue(t, `config.Models: there are two models "openai/a"`, func() { config.Models(a, a) })
}

// TestFields proves for each field that it reaches its option.
func TestFields(t *testing.T) {
	busy := modeltest.Failure(&failure.Error{Kind: failure.Overload})
	throttled := modeltest.Failure(&failure.Error{Kind: failure.Rate, RetryAfter: 90 * time.Second})
	invalid := modeltest.Failure(&failure.Error{Kind: failure.Invalid})
	hold := func(n int) modeltest.Attempt { // n parts that do not commit, then a failure
		return append(modeltest.Attempt{}, append(starts(n), busy...)...)
	}
	for _, tt := range []struct {
		name, stack string
		script      []modeltest.Attempt
		want        want
	}{
		{"attempts", `[{"layer":"backoff","attempts":2,"jitter":"none"}]`, []modeltest.Attempt{busy},
			want{err: new(*retry.Error), calls: 2, elapsed: time.Second}},
		{"defaults of backoff", `[{"layer":"backoff","jitter":"none"}]`, []modeltest.Attempt{busy},
			want{err: new(*retry.Error), calls: 3, elapsed: 3 * time.Second}},
		{"base", `[{"layer":"backoff","attempts":2,"base":"5s","jitter":"none"}]`, []modeltest.Attempt{busy},
			want{err: new(*retry.Error), calls: 2, elapsed: 5 * time.Second}},
		{"max", `[{"layer":"backoff","max":"1500ms","jitter":"none"}]`, []modeltest.Attempt{busy},
			want{err: new(*retry.Error), calls: 3, elapsed: 2500 * time.Millisecond}},
		{"budget", `[{"layer":"backoff","budget":"2s","jitter":"none"}]`, []modeltest.Attempt{busy},
			want{err: new(*retry.Error), calls: 2, elapsed: time.Second}},
		{"longer waits end the retries", `[{"layer":"backoff","longer":"give_up"}]`, []modeltest.Attempt{throttled},
			want{err: new(*failure.Error), calls: 1}},
		{"longer waits are capped", `[{"layer":"backoff","attempts":2,"longer":"cap"}]`, []modeltest.Attempt{throttled},
			want{err: new(*retry.Error), calls: 2, elapsed: time.Minute}},
		{"max_retry_after", `[{"layer":"backoff","attempts":2,"budget":"2m","max_retry_after":"90s"}]`, []modeltest.Attempt{throttled},
			want{err: new(*retry.Error), calls: 2, elapsed: 90 * time.Second}},
		{"cooldown", `[{"layer":"backoff","jitter":"none"},{"layer":"cooldown","for":{"overload":"5s"}}]`, []modeltest.Attempt{busy, modeltest.Answer("hi")},
			want{parts: 5, calls: 2, elapsed: 5 * time.Second}},
		{"total", `[{"layer":"timeout","total":"3s"}]`, []modeltest.Attempt{{modeltest.Hang()}},
			want{err: new(*middleware.TimeoutError), calls: 1, elapsed: 3 * time.Second}},
		{"first_content", `[{"layer":"timeout","first_content":"4s"}]`, []modeltest.Attempt{{modeltest.Start(), modeltest.Hang()}},
			want{parts: 1, err: new(*middleware.TimeoutError), calls: 1, elapsed: 4 * time.Second}},
		{"idle", `[{"layer":"timeout","idle":"5s"}]`, []modeltest.Attempt{{modeltest.Text("a"), modeltest.Hang()}},
			want{parts: 1, err: new(*middleware.TimeoutError), calls: 1, elapsed: 5 * time.Second}},
		{"silence", `[{"layer":"timeout","silence":"6s"}]`, []modeltest.Attempt{{modeltest.Hang()}},
			want{err: new(*middleware.TimeoutError), calls: 1, elapsed: 6 * time.Second}},
		{"preamble holds", `[{"layer":"preamble"}]`, []modeltest.Attempt{hold(3)},
			want{err: new(*failure.Error), calls: 1}},
		{"max_parts of preamble", `[{"layer":"preamble","max_parts":2}]`, []modeltest.Attempt{hold(3)},
			want{parts: 3, err: new(*failure.Error), calls: 1}},
		{"require_content", `[{"layer":"require_content"}]`, []modeltest.Attempt{{modeltest.Finish(strata.FinishStop)}},
			want{err: new(*failure.Error), calls: 1}},
		{"max_parts of require_content", `[{"layer":"require_content","max_parts":2}]`, []modeltest.Attempt{hold(3)},
			want{parts: 3, err: new(*failure.Error), calls: 1}},
		{"built-in detector", `[{"layer":"refusal"}]`, []modeltest.Attempt{modeltest.Answer("I'm sorry, but I can't help with that.")},
			want{err: new(*refusal.Error), calls: 1}},
		{"phrases", `[{"layer":"refusal","phrases":["No way"]}]`, []modeltest.Attempt{modeltest.Answer("No way, José")},
			want{err: new(*refusal.Error), calls: 1}},
		{"fallback", `[{"layer":"fallback","models":["openai/b"]}]`, []modeltest.Attempt{busy},
			want{parts: 5, calls: 1}},
		{"fallback by its rule", `[{"layer":"fallback","models":["openai/b"]}]`, []modeltest.Attempt{invalid},
			want{err: new(*failure.Error), calls: 1}},
		{"on", `[{"layer":"fallback","models":["openai/b"],"on":["rate","invalid"]}]`, []modeltest.Attempt{invalid},
			want{parts: 5, calls: 1}},
		{"on no kind", `[{"layer":"fallback","models":["openai/b"],"on":[]}]`, []modeltest.Attempt{busy},
			want{err: new(*failure.Error), calls: 1}},
		{"the first is outermost", `[{"layer":"backoff","attempts":2,"jitter":"none"},{"layer":"timeout","total":"1s"}]`,
			[]modeltest.Attempt{{modeltest.Hang()}}, want{err: new(*retry.Error), calls: 2, elapsed: 3 * time.Second}},
		{"the last is innermost", `[{"layer":"timeout","total":"1500ms"},{"layer":"backoff","attempts":2,"jitter":"none"}]`,
			[]modeltest.Attempt{busy, {modeltest.Hang()}}, want{err: new(*middleware.TimeoutError), calls: 2, elapsed: 1500 * time.Millisecond}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base := modeltest.New("openai/a", tt.script...)
				model := build(t, tt.stack)(base)
				begun := time.Now()
				parts, err := read(model)
				assert.Equal(t, tt.want.parts, parts, "parts")
				if tt.want.err == nil {
					assert.NoError(t, err)
				} else {
					assert.ErrorAs(t, err, tt.want.err)
				}
				assert.Len(t, base.Calls(), tt.want.calls)
				assert.Equal(t, tt.want.elapsed, time.Since(begun))
			})
		})
	}
}

// TestJitter looks at the two fields whose effect is random.
func TestJitter(t *testing.T) {
	script := []modeltest.Attempt{
		modeltest.Failure(&failure.Error{Kind: failure.Rate, RetryAfter: 10 * time.Second}),
		modeltest.Failure(&failure.Error{Kind: failure.Overload}),
		modeltest.Answer("a"),
	}
	waits := func(stack string) (server, computed time.Duration) {
		base := modeltest.New("openai/a", script...)
		_, err := read(build(t, stack)(base))
		require.NoError(t, err)
		calls := base.Calls()
		return calls[1].Time.Sub(calls[0].Time), calls[2].Time.Sub(calls[1].Time)
	}
	synctest.Test(t, func(t *testing.T) {
		jittered, full := map[time.Duration]bool{}, map[time.Duration]bool{}
		for range 20 {
			server, computed := waits(`[{"layer":"backoff","jitter":"full","server_jitter":"5s"}]`)
			assert.GreaterOrEqual(t, server, 10*time.Second)
			assert.Less(t, server, 15*time.Second)
			assert.Less(t, computed, 2*time.Second)
			jittered[server], full[computed] = true, true
		}
		assert.Greater(t, len(jittered), 1, "server_jitter varies")
		assert.Greater(t, len(full), 1, "full jitter varies")
		server, computed := waits(`[{"layer":"backoff","jitter":"none"}]`)
		assert.Equal(t, 10*time.Second, server)
		assert.Equal(t, 2*time.Second, computed)
	})
}

// want is what comes of a stream through a stack.
type want struct {
	parts   int
	err     any // a pointer to the type of the error; nil: no error
	calls   int // of the base model
	elapsed time.Duration
}

func build(t *testing.T, stack string) strata.Layer {
	t.Helper()
	layer, err := config.Build([]byte(stack), resolve)
	require.NoError(t, err)
	return layer
}

// read streams an answer and counts its parts.
func read(m strata.Model) (parts int, err error) {
	for _, err := range m.Stream(context.Background(), strata.Prompt("hello")) {
		if err != nil {
			return parts, err
		}
		parts++
	}
	return parts, nil
}

func starts(n int) []modeltest.Step {
	steps := make([]modeltest.Step, n)
	for i := range steps {
		steps[i] = modeltest.TextStart("0")
	}
	return steps
}

func FuzzBuild(f *testing.F) {
	for _, seed := range []string{
		`[]`, `null`, `[null]`, `[{}]`, `{"layer":"backoff"}`, `[{"layer":"backoff"}] x`,
		`[{"layer":"fallback","models":["openai/b"],"on":["overload","rate"]}]`,
		`[{"layer":"fallback","models":["openai/lost"]}]`,
		`[{"layer":"backoff","attempts":3,"base":"1s","max":"30s","jitter":"none","budget":"60s","max_retry_after":"60s","longer":"cap","server_jitter":"1s"}]`,
		`[{"layer":"backoff","attempts":-1}]`, `[{"layer":"backoff","base":"-9223372036854775808ns"}]`,
		`[{"layer":"timeout","total":"30s","first_content":"5s","idle":"2562047h47m16.854775807s"}]`,
		`[{"layer":"preamble","max_parts":1024},{"layer":"require_content","max_parts":9223372036854775807}]`,
		`[{"layer":"refusal","phrases":["I'm sorry, but I cannot assist","\ufffd"]}]`,
		`[{"layer":"refusal","phrases":["\u00a0"]}]`,
		`[{"layer":"rules","disabled":true,"rules":["openai/b",{"when":{"status":[529,"^5"],"not":{"any":[{"message":"/a/i"},{"http_status":"b"}]}},"switch":"openai/b","set":{"seed":1}}]}]`,
		`[{"layer":"rules","rules":[{"when":{"finish":"stop","schema_invalid":true},"retry":true,"attempts":2,"delay":"1s","factor":2.5,"jitter":"full","past_deadline":"1s"}]}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		layer, err := config.Build(data, resolve)
		if err != nil {
			assert.Nil(t, layer)
			assert.True(t, strings.HasPrefix(err.Error(), "config: stack"), "no place in %q", err)
			return
		}
		base := modeltest.New("openai/a", modeltest.Answer("a"))
		assert.Equal(t, base.ID(), layer(base).ID())
	})
}
