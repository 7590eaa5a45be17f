package telemetry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
)

var (
	errBusy = &failure.Error{Kind: failure.Overload, Status: 503, Code: "busy", Message: "The engine is overloaded."}
	prompt  = strata.Prompt("why is the sky blue?")
)

// answer takes a second to its first content and half a second more to the next.
func answer() modeltest.Attempt {
	return modeltest.Attempt{
		modeltest.Metadata("resp-1"), modeltest.Wait(time.Second), modeltest.Text("Because "),
		modeltest.Wait(time.Second / 2), modeltest.Text("it is."), finish,
	}
}

var finish = modeltest.Part(strata.Finish{Reason: strata.FinishStop, Usage: strata.Usage{InputTokens: 10, OutputTokens: 5}})

// used tells of tokens that an attempt uses before it ends otherwise.
var used = modeltest.Part(strata.ResponseMetadata{Usage: &strata.Usage{InputTokens: 7}})

var busy = modeltest.Attempt{used, modeltest.Fail(errBusy)}

// A situation is a stack, a call to it, and what is then to be seen. %s stands for
// the operation.
type situation struct {
	model  func() strata.Model
	reads  int           // parts that the reader takes; 0: all
	cancel time.Duration // when the caller cancels; 0: never

	generate, stream string              // the tree of spans; empty: not tried
	points           map[string][]string // of a stream, else of the whole call
}

var situations = map[string]situation{
	"plain success": {
		model: func() strata.Model {
			return middleware.Backoff()(modeltest.New("openai/a", answer()))
		},
		generate: `
chat a operation=generate outcome=success attempts=1 start_model=openai/a final_model=openai/a finish_reasons=["stop"]
  attempt a backoff#1 outcome=success finish_reasons=["stop"]
`,
		stream: `
chat a operation=stream outcome=success attempts=1 start_model=openai/a final_model=openai/a finish_reasons=["stop"] committed
  attempt a backoff#1 outcome=success finish_reasons=["stop"] committed
`,
		points: map[string][]string{
			"gen_ai.client.operation.duration":              {"model=a model=a operation=stream outcome=success 1: 1.5s"},
			"gen_ai.client.operation.time_to_first_chunk":   {"model=a operation=stream 1: 1s"},
			"gen_ai.client.operation.time_per_output_chunk": {"model=a operation=stream 1: 0.5s"},
			"gen_ai.client.token.usage":                     {"model=a type=input 1: 10", "model=a type=output 1: 5"},
			"strata.attempts":                               {"layer=backoff model=openai/a nested=false outcome=success 1"},
			"strata.retries":                                {},
			"strata.fallbacks":                              {},
			"strata.refusals":                               {},
			"strata.wait.duration":                          {},
		},
	},
	"no layer makes attempts": {
		model: func() strata.Model { return modeltest.New("openai/a", answer()) },
		generate: `
chat a operation=generate outcome=success attempts=0 start_model=openai/a final_model=openai/a finish_reasons=["stop"]
`,
		stream: `
chat a operation=stream outcome=success attempts=0 start_model=openai/a final_model=openai/a finish_reasons=["stop"] committed
`,
		points: map[string][]string{
			"gen_ai.client.token.usage": {"model=a type=input 1: 10", "model=a type=output 1: 5"},
			"strata.attempts":           {},
		},
	},
	"fallback over backoff over timeout": {
		model: func() strata.Model {
			each := strata.Chain(middleware.Backoff(middleware.Attempts(2), middleware.NoJitter()), middleware.Timeout(middleware.Total(8*time.Second)))
			a := modeltest.New("openai/a", busy, modeltest.Attempt{modeltest.Hang()})
			return middleware.Fallback(each(modeltest.New("anthropic/b", busy, answer())))(each(a))
		},
		generate: `
chat a operation=generate outcome=success attempts=4 start_model=openai/a final_model=anthropic/b finish_reasons=["stop"]
  attempt a fallback#1 outcome=retry kind=timeout limit=total nested !exception Error
    attempt a backoff#1 outcome=retry kind=overload duration=1 server=false !exception Error
    attempt a backoff#2 outcome=failure kind=timeout limit=total !exception Error
  attempt b fallback#2 outcome=success finish_reasons=["stop"] nested
    attempt b backoff#1 outcome=retry kind=overload duration=1 server=false !exception Error
    attempt b backoff#2 outcome=success finish_reasons=["stop"]
`,
		stream: `
chat a operation=stream outcome=success attempts=4 start_model=openai/a final_model=anthropic/b finish_reasons=["stop"] committed
  attempt a fallback#1 outcome=retry kind=timeout limit=total nested !exception Error
    attempt a backoff#1 outcome=retry kind=overload duration=1 server=false !exception Error
    attempt a backoff#2 outcome=failure kind=timeout limit=total !exception Error
  attempt b fallback#2 outcome=success finish_reasons=["stop"] nested committed
    attempt b backoff#1 outcome=retry kind=overload duration=1 server=false !exception Error
    attempt b backoff#2 outcome=success finish_reasons=["stop"] committed
`,
		points: map[string][]string{
			"gen_ai.client.operation.duration":            {"model=a model=b operation=stream outcome=success 1: 11.5s"},
			"gen_ai.client.operation.time_to_first_chunk": {"model=a operation=stream 1: 11s"},
			"gen_ai.client.token.usage": {
				"model=a type=input 1: 7", "model=b type=input 2: 17", "model=b type=output 1: 5",
			},
			"strata.attempts": {
				"layer=backoff model=anthropic/b nested=false outcome=retry 1", "layer=backoff model=anthropic/b nested=false outcome=success 1",
				"layer=backoff model=openai/a nested=false outcome=failure 1", "layer=backoff model=openai/a nested=false outcome=retry 1",
				"layer=fallback model=anthropic/b nested=true outcome=success 1", "layer=fallback model=openai/a nested=true outcome=retry 1",
			},
			"strata.retries":       {"kind=overload layer=backoff model=anthropic/b 1", "kind=overload layer=backoff model=openai/a 1"},
			"strata.fallbacks":     {"from=openai/a kind=timeout layer=fallback to=anthropic/b 1"},
			"strata.wait.duration": {"layer=backoff model=anthropic/b server=false 1: 1s", "layer=backoff model=openai/a server=false 1: 1s"},
		},
	},
	"a refusal is walked": {
		model: func() strata.Model {
			a := refusal.Detect()(modeltest.New("openai/a", modeltest.Answer("I'm sorry, but I can't help with that.")))
			return middleware.Fallback(modeltest.New("anthropic/b", answer()))(a)
		},
		generate: `
chat a operation=generate outcome=success attempts=2 start_model=openai/a final_model=anthropic/b finish_reasons=["stop"]
  attempt a fallback#1 outcome=retry kind=content !strata.refusal !exception Error
  attempt b fallback#2 outcome=success finish_reasons=["stop"]
`,
		stream: `
chat a operation=stream outcome=success attempts=2 start_model=openai/a final_model=anthropic/b finish_reasons=["stop"] committed
  attempt a fallback#1 outcome=retry kind=content !strata.refusal !exception Error
  attempt b fallback#2 outcome=success finish_reasons=["stop"] committed
`,
		points: map[string][]string{
			"strata.refusals":  {"model=openai/a rule=en: cannot help 1"},
			"strata.fallbacks": {"from=openai/a kind=content layer=fallback to=anthropic/b 1"},
		},
	},
	"cut after the commit point": {
		model: func() strata.Model {
			a := modeltest.New("openai/a", modeltest.Attempt{modeltest.Text("Because "), modeltest.Fail(errBusy)})
			return middleware.Fallback(modeltest.New("anthropic/b", answer()))(middleware.Backoff()(a))
		},
		stream: `
chat a operation=stream outcome=failure kind=overload attempts=1 start_model=openai/a final_model=openai/a committed !exception Error
  attempt a fallback#1 outcome=failure kind=overload nested committed !exception Error
    attempt a backoff#1 outcome=failure kind=overload committed !exception Error
`,
		points: map[string][]string{
			"gen_ai.client.operation.duration": {"type=overload model=a operation=stream outcome=failure 1: 0s"},
			"strata.fallbacks":                 {},
			"strata.attempts":                  {"layer=backoff model=openai/a nested=false outcome=failure 1", "layer=fallback model=openai/a nested=true outcome=failure 1"},
		},
	},
	"the reader leaves": {
		model: func() strata.Model { return middleware.Backoff()(modeltest.New("openai/a", answer())) },
		reads: 2,
		stream: `
chat a operation=stream outcome=left attempts=1 start_model=openai/a final_model=openai/a committed
  attempt a backoff#1 outcome=success committed left
`,
		points: map[string][]string{
			"gen_ai.client.operation.duration": {"model=a operation=stream outcome=left 1: 1s"},
		},
	},
	"the caller cancels in a wait": {
		model: func() strata.Model {
			return middleware.Backoff(middleware.NoJitter(), middleware.Base(20*time.Second))(modeltest.New("openai/a", busy))
		},
		cancel: 3 * time.Second,
		generate: `
chat a operation=generate outcome=cancelled kind=aborted attempts=1 start_model=openai/a final_model=openai/a !exception
  attempt a backoff#1 outcome=failure kind=overload duration=20 server=false !exception Error
`,
		stream: `
chat a operation=stream outcome=cancelled kind=aborted attempts=1 start_model=openai/a final_model=openai/a !exception
  attempt a backoff#1 outcome=failure kind=overload duration=20 server=false !exception Error
`,
		points: map[string][]string{
			"gen_ai.client.operation.duration": {"model=a operation=stream outcome=cancelled 1: 3s"},
			"strata.wait.duration":             {"layer=backoff model=openai/a server=false 1: 3s"},
			"strata.retries":                   {},
		},
	},
	"the caller cancels an attempt": {
		model: func() strata.Model {
			return middleware.Backoff()(modeltest.New("openai/a", modeltest.Attempt{modeltest.Hang()}))
		},
		cancel: 3 * time.Second,
		generate: `
chat a operation=generate outcome=cancelled kind=aborted attempts=1 start_model=openai/a final_model=openai/a !exception
  attempt a backoff#1 outcome=failure kind=aborted !exception
`,
		stream: `
chat a operation=stream outcome=cancelled kind=aborted attempts=1 start_model=openai/a final_model=openai/a !exception
  attempt a backoff#1 outcome=failure kind=aborted !exception
`,
	},
	"the server says when": {
		model: func() strata.Model {
			wait := &failure.Error{Kind: failure.Rate, Status: 429, RetryAfter: 5 * time.Second}
			return middleware.Backoff()(modeltest.New("openai/a", modeltest.Failure(wait), answer()))
		},
		stream: `
chat a operation=stream outcome=success attempts=2 start_model=openai/a final_model=openai/a finish_reasons=["stop"] committed
  attempt a backoff#1 outcome=retry kind=rate duration=5 server=true !exception Error
  attempt a backoff#2 outcome=success finish_reasons=["stop"] committed
`,
		points: map[string][]string{
			"strata.retries":       {"kind=rate layer=backoff model=openai/a 1"},
			"strata.wait.duration": {"layer=backoff model=openai/a server=true 1: 5s"},
		},
	},
	"every model fails": {
		model: func() strata.Model {
			return middleware.Fallback(modeltest.New("anthropic/b", modeltest.Failure(errBusy)))(modeltest.New("openai/a", busy))
		},
		generate: `
chat a operation=generate outcome=failure kind=overload attempts=2 start_model=openai/a final_model=anthropic/b !exception Error
  attempt a fallback#1 outcome=retry kind=overload !exception Error
  attempt b fallback#2 outcome=failure kind=overload !exception Error
`,
		stream: `
chat a operation=stream outcome=failure kind=overload attempts=2 start_model=openai/a final_model=anthropic/b !exception Error
  attempt a fallback#1 outcome=retry kind=overload !exception Error
  attempt b fallback#2 outcome=failure kind=overload !exception Error
`,
		points: map[string][]string{
			"gen_ai.client.operation.time_to_first_chunk": {},
			"gen_ai.client.token.usage":                   {"model=a type=input 1: 7"},
		},
	},
}

func (s situation) play(t *testing.T, generate bool) *record {
	r := newRecord()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if s.cancel > 0 {
		defer time.AfterFunc(s.cancel, cancel).Stop()
	}
	m := r.layer()(s.model())
	if generate {
		_, _ = m.Generate(ctx, prompt) // what comes of it the spans say
		return r
	}
	read := 0
	for range m.Stream(ctx, prompt) {
		if read++; read == s.reads {
			break
		}
	}
	return r
}

func TestSituations(t *testing.T) {
	for name, s := range situations {
		for _, generate := range []bool{true, false} {
			kind, tree := "stream", s.stream
			if generate {
				kind, tree = "generate", s.generate
			}
			if tree == "" {
				continue
			}
			t.Run(name+"/"+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r := s.play(t, generate)
					assert.Equal(t, tree, "\n"+r.tree())
					assert.Len(t, r.spans.Ended(), len(r.spans.Started()), "a span did not end")
					if !generate {
						for instrument, points := range s.points {
							assert.Equal(t, points, r.points(t, instrument), instrument)
						}
					}
				})
			})
		}
	}
}
