package logging_test

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
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/logging"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/when"
)

var (
	errBusy = &failure.Error{Kind: failure.Overload, Status: 503, Code: "busy", Message: "The engine is overloaded."}
	prompt  = strata.Prompt("why is the sky blue?")
	busy    = modeltest.Attempt{modeltest.Fail(errBusy)}
	answer  = modeltest.Attempt{
		modeltest.Wait(time.Second), modeltest.Text("Because "), modeltest.Text("it is."),
		modeltest.Part(strata.Finish{Reason: strata.FinishStop, Usage: strata.Usage{InputTokens: 10, OutputTokens: 5}}),
	}
)

// written returns what was logged: the level, the message, and the fields in
// their order.
func written(logs *observer.ObservedLogs) []string {
	lines := []string{}
	for _, entry := range logs.All() {
		line := []string{entry.Level.String() + " " + entry.Message}
		values := entry.ContextMap()
		for _, f := range entry.Context {
			line = append(line, fmt.Sprintf("%s=%v", f.Key, values[f.Key]))
		}
		lines = append(lines, strings.Join(line, " "))
	}
	return lines
}

func drain(ctx context.Context, m strata.Model, req *strata.Request) (err error) {
	for _, err = range m.Stream(ctx, req) {
	}
	return err
}

func TestLines(t *testing.T) {
	const failed = " kind=overload error=overload (503 busy): The engine is overloaded. status=503 code=busy"
	noJitter := middleware.NoJitter()
	for name, s := range map[string]struct {
		model            func() strata.Model
		reads            int
		cancel           time.Duration
		generate, stream []string // nil: not tried
	}{
		"success": {
			model:    func() strata.Model { return middleware.Backoff()(modeltest.New("openai/a", answer)) },
			generate: []string{"info model call answered operation=generate outcome=success model=openai/a asked=openai/a attempts=1 duration=1s input_tokens=10 output_tokens=5 finish_reason=stop"},
			stream:   []string{"info model call answered operation=stream outcome=success model=openai/a asked=openai/a attempts=1 duration=1s input_tokens=10 output_tokens=5 first_content=1s finish_reason=stop"},
		},
		"retries and a fallback": {
			model: func() strata.Model {
				a := middleware.Backoff(middleware.Attempts(2), noJitter)(modeltest.New("openai/a", busy))
				return middleware.Fallback(modeltest.New("anthropic/b", answer))(a)
			},
			generate: []string{
				"warn model retried layer=backoff model=openai/a next=openai/a attempt=1 waited=1s" + failed,
				"warn model fell back layer=fallback model=openai/a next=anthropic/b attempt=1 waited=0s" + failed,
				"info model call answered operation=generate outcome=success model=anthropic/b asked=openai/a attempts=3 duration=2s input_tokens=10 output_tokens=5 finish_reason=stop",
			},
		},
		"a rejected answer": {
			model: func() strata.Model {
				filtered := modeltest.New("openai/a", modeltest.Attempt{modeltest.Finish(strata.FinishContentFilter)})
				return middleware.Rules(when.FinishReason(strata.FinishContentFilter).Switch(modeltest.New("anthropic/b", answer)))(filtered)
			},
			generate: []string{
				"warn model fell back layer=rules model=openai/a next=anthropic/b attempt=1 waited=0s finish_reason=content-filter kind=content",
				"info model call answered operation=generate outcome=success model=anthropic/b asked=openai/a attempts=2 duration=1s input_tokens=10 output_tokens=5 finish_reason=stop",
			},
		},
		"failure": {
			model:    func() strata.Model { return modeltest.New("openai/a", busy) },
			generate: []string{"error model call failed operation=generate outcome=failure model=openai/a asked=openai/a attempts=0 duration=0s input_tokens=0 output_tokens=0" + failed},
			stream:   []string{"error model call failed operation=stream outcome=failure model=openai/a asked=openai/a attempts=0 duration=0s input_tokens=0 output_tokens=0" + failed},
		},
		"cut after the commit point": {
			model: func() strata.Model {
				return middleware.Backoff()(modeltest.New("openai/a", modeltest.Attempt{modeltest.Text("Be"), modeltest.Fail(errBusy)}))
			},
			stream: []string{"error model call failed operation=stream outcome=failure model=openai/a asked=openai/a attempts=1 duration=0s input_tokens=0 output_tokens=0 first_content=0s" + failed},
		},
		"the reader leaves": {
			model:  func() strata.Model { return modeltest.New("openai/a", answer) },
			reads:  1,
			stream: []string{"info model call answered operation=stream outcome=left model=openai/a asked=openai/a attempts=0 duration=1s input_tokens=0 output_tokens=0 first_content=1s"},
		},
		"the caller cancels in a wait": {
			model: func() strata.Model {
				return middleware.Backoff(middleware.Base(9*time.Second), noJitter)(modeltest.New("openai/a", busy))
			},
			cancel:   time.Second,
			generate: []string{"debug model call cancelled operation=generate outcome=cancelled model=openai/a asked=openai/a attempts=1 duration=1s input_tokens=0 output_tokens=0 kind=aborted error=aborted"},
			stream:   []string{"debug model call cancelled operation=stream outcome=cancelled model=openai/a asked=openai/a attempts=1 duration=1s input_tokens=0 output_tokens=0 kind=aborted error=aborted"},
		},
	} {
		play := func(t *testing.T, call func(context.Context, strata.Model), want []string) {
			if want == nil {
				return
			}
			synctest.Test(t, func(t *testing.T) {
				core, logs := observer.New(zapcore.DebugLevel)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if s.cancel > 0 {
					defer time.AfterFunc(s.cancel, cancel).Stop()
				}
				call(ctx, logging.Layer(zap.New(core))(s.model()))
				assert.Equal(t, want, written(logs))
			})
		}
		t.Run(name+"/generate", func(t *testing.T) {
			play(t, func(ctx context.Context, m strata.Model) { _, _ = m.Generate(ctx, prompt) }, s.generate) // the lines say what came of it
		})
		t.Run(name+"/stream", func(t *testing.T) {
			play(t, func(ctx context.Context, m strata.Model) {
				read := 0
				for range m.Stream(ctx, prompt) {
					if read++; read == s.reads {
						break
					}
				}
			}, s.stream)
		})
	}
}

func TestAPanicIsAFailure(t *testing.T) {
	core, logs := observer.New(zapcore.InfoLevel)
	m := logging.Layer(zap.New(core))(modeltest.New("openai/a", modeltest.Attempt{modeltest.Panic("out of order")}))
	assert.PanicsWithValue(t, "out of order", func() { _, _ = m.Generate(t.Context(), prompt) })
	assert.PanicsWithValue(t, "out of order", func() { _ = drain(t.Context(), m, prompt) })
	require.Equal(t, 2, logs.Len())
	for _, entry := range logs.All() {
		assert.Equal(t, "model call failed", entry.Message)
	}
}

func TestNothingPrivateIsWritten(t *testing.T) {
	const key, secret = "sk-abcdefghijklmnopqrstuvwx", "my secret diary"
	for _, err := range []error{
		errors.New("cannot answer " + secret + " with " + key),
		&failure.Error{Kind: failure.Overload, Message: "Incorrect API key provided: " + key},
	} {
		core, logs := observer.New(zapcore.DebugLevel)
		partly := modeltest.Attempt{modeltest.Text("you wrote: " + secret), modeltest.Fail(err)}
		m := logging.Layer(zap.New(core))(middleware.Fallback(modeltest.New("anthropic/b", partly))(modeltest.New("openai/a", modeltest.Failure(err))))
		_, _ = m.Generate(t.Context(), strata.Prompt(secret))
		_ = drain(t.Context(), m, strata.Prompt(secret))
		all := strings.Join(written(logs), "\n")
		assert.Equal(t, 4, logs.Len())
		assert.NotContains(t, all, secret)
		assert.NotContains(t, all, key)
	}
}

func TestOptions(t *testing.T) {
	type tenant struct{}
	core, logs := observer.New(zapcore.DebugLevel)
	m := logging.Layer(zap.New(core), logging.SuccessLevel(zapcore.DebugLevel), logging.FieldsOf(func(ctx context.Context) []zap.Field {
		return []zap.Field{zap.String("tenant", ctx.Value(tenant{}).(string))}
	}))(middleware.Fallback(modeltest.New("anthropic/b", modeltest.Answer("hi")))(modeltest.New("openai/a", busy)))
	require.NoError(t, drain(context.WithValue(t.Context(), tenant{}, "t1"), m, prompt))
	require.Equal(t, 2, logs.Len())
	assert.Equal(t, zapcore.DebugLevel, logs.All()[1].Level)
	for _, line := range written(logs) {
		assert.Contains(t, line, " tenant=t1 ")
	}
}

// A level that is off writes nothing, and the others what is theirs.
func TestLevels(t *testing.T) {
	for level, want := range map[zapcore.Level]int{zapcore.InfoLevel: 2, zapcore.WarnLevel: 1, zapcore.ErrorLevel: 0, zapcore.FatalLevel: 0} {
		core, logs := observer.New(level)
		m := logging.Layer(zap.New(core))(middleware.Fallback(modeltest.New("anthropic/b", modeltest.Answer("hi")))(modeltest.New("openai/a", busy)))
		require.NoError(t, drain(t.Context(), m, prompt))
		assert.Equal(t, want, logs.Len(), level)
	}
}

func TestTheModelIsTheSame(t *testing.T) {
	base := modeltest.New("openai/a", modeltest.Answer("hi"))
	m := logging.Layer(zap.NewNop())(base)
	assert.Equal(t, base.ID(), m.ID())
	found, ok := strata.As[*modeltest.Model](m)
	assert.True(t, ok)
	assert.Same(t, base, found)
}

func TestWhatMakesNoSensePanics(t *testing.T) {
	for message, f := range map[string]func(){
		"logging.Layer: the logger is nil":           func() { logging.Layer(nil) },
		"logging.Layer: option 0 is nil":             func() { logging.Layer(zap.NewNop(), nil) },
		"logging.Layer: the model is nil":            func() { logging.Layer(zap.NewNop())(nil) },
		"logging.FieldsOf(nil): the function is nil": func() { logging.FieldsOf(nil) },
	} {
		assert.PanicsWithValue(t, message, f)
	}
}

// noStream is a model that breaks its contract.
type noStream struct{ *modeltest.Model }

func (noStream) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] { return nil }

func TestANilStreamIsAnError(t *testing.T) {
	base := noStream{modeltest.New("openai/a", modeltest.Answer("hi"))}
	core, _ := observer.New(zapcore.DebugLevel)
	assert.Error(t, drain(t.Context(), logging.Layer(zap.New(core))(base), prompt))
	assert.Error(t, drain(t.Context(), logging.Layer(zap.NewNop())(base), prompt))
}
