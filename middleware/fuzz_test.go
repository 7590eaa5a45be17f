package middleware_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/stream"
)

// FuzzStack stacks layers at random over models that fail at random, under a
// reader that leaves, cancels or dawdles at random, and checks what holds for
// every stack: no output twice or from two attempts, no attempt behind output or
// the caller's end, nothing lost, nothing left running.
func FuzzStack(f *testing.F) {
	for seed := range uint64(400) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		synctest.Test(t, func(t *testing.T) { newTrial(seed).run(t) })
	})
}

// trial is one random stack, its models, and its reader.
type trial struct {
	*rand.Rand
	models []*modeltest.Model
	model  strata.Model
	about  []string

	leaveAfter  int // parts; 0: never
	cancelAfter time.Duration
	hold        time.Duration
}

func newTrial(seed uint64) *trial {
	r := &trial{Rand: rand.New(rand.NewPCG(seed, 7))}
	r.model = r.newModel()
	for range 1 + r.IntN(5) {
		r.model = r.newLayer()(r.model)
	}
	if r.IntN(3) == 0 {
		r.leaveAfter = 1 + r.IntN(8)
	}
	if r.IntN(3) == 0 {
		r.cancelAfter = r.upTo(10 * time.Second)
	}
	if r.IntN(4) == 0 {
		r.hold = r.upTo(3 * time.Second)
	}
	return r
}

// upTo returns a time no two of which are likely to fall together.
func (r *trial) upTo(d time.Duration) time.Duration { return 1 + time.Duration(r.Int64N(int64(d))) }

func (r *trial) newModel() *modeltest.Model {
	id := []string{"openai/a", "openai/a2", "anthropic/b", "google/c"}[r.IntN(4)]
	model := len(r.models)
	var attempts []modeltest.Attempt
	for call := range 6 {
		attempts = append(attempts, r.newAttempt(fmt.Sprintf("%d.%d", model, call)))
	}
	m := modeltest.New(id, attempts...)
	r.models = append(r.models, m)
	return m
}

// newAttempt returns a random attempt whose parts carry its tag.
func (r *trial) newAttempt(tag string) modeltest.Attempt {
	attempt := modeltest.Attempt{modeltest.Start(), modeltest.Metadata(tag)}
	texts := 0
	for range r.IntN(8) {
		switch r.IntN(8) {
		case 0:
			attempt = append(attempt, modeltest.Wait(r.upTo(3*time.Second)))
		case 1:
			attempt = append(attempt, modeltest.Part(strata.ReasoningDelta{Text: tag}))
		case 2, 3, 4:
			attempt = append(attempt, modeltest.Text(fmt.Sprintf("%s:%d", tag, texts)))
			texts++
		case 5:
			attempt = append(attempt, modeltest.Text(""))
		case 6:
			return append(attempt, modeltest.Fail(r.newError()))
		case 7:
			if r.IntN(3) == 0 {
				return append(attempt, modeltest.Hang())
			}
		}
	}
	if r.IntN(6) == 0 {
		return attempt // a stream that just stops
	}
	return append(attempt, modeltest.Part(strata.Finish{Reason: strata.FinishStop, RawReason: fmt.Sprintf("%s:%d", tag, texts)}))
}

func (r *trial) newError() error {
	kinds := failure.Kinds()
	e := &failure.Error{Kind: kinds[r.IntN(len(kinds))]}
	if r.IntN(3) == 0 {
		e.RetryAfter = r.upTo(5 * time.Second)
	}
	return e
}

func (r *trial) newLayer() strata.Layer {
	var (
		name  string
		layer strata.Layer
	)
	switch r.IntN(7) {
	case 0, 1:
		name, layer = "backoff", middleware.Backoff(middleware.Attempts(1+r.IntN(3)), middleware.MaxRetryAfter(3*time.Second))
	case 2:
		name, layer = "fallback", middleware.Fallback(r.newModel(), r.newModel())
	case 3:
		name, layer = "timeout", middleware.Timeout(middleware.Total(r.upTo(20*time.Second)), middleware.FirstContent(r.upTo(5*time.Second)), middleware.Idle(r.upTo(5*time.Second)))
	case 4:
		name, layer = "preamble", middleware.Preamble(middleware.MaxParts(1+r.IntN(6)), middleware.HoldReasoning(r.upTo(3*time.Second)))
	case 5:
		name, layer = "require content", middleware.RequireContent(middleware.HoldReasoning(r.upTo(3*time.Second)))
	case 6:
		name, layer = "refusal", refusal.Detect(refusal.Phrases("0.0:0 0.0:1", "1.0:01"))
	}
	r.about = append(r.about, name)
	return layer
}

func (r *trial) calls() (calls []modeltest.Call) {
	for _, m := range r.models {
		calls = append(calls, m.Calls()...)
	}
	return calls
}

func (r *trial) run(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	deadline := time.AfterFunc(time.Hour, cancel) // for a stack in which nothing ends a hang
	defer deadline.Stop()
	var cancelled time.Time
	if r.cancelAfter > 0 {
		cancelled = time.Now().Add(r.cancelAfter)
		defer time.AfterFunc(r.cancelAfter, cancel).Stop()
	}

	var (
		seen      []string // tags of what was seen
		texts     int
		finish    string
		failed    error
		parts     int
		committed int // calls that had been made at the first output
		left      bool
	)
	for p, err := range r.model.Stream(ctx, prompt) {
		require.Empty(t, finish, "nothing follows the finish")
		require.NoError(t, failed, "nothing follows an error")
		if err != nil {
			failed = err
			continue
		}
		parts++
		if p.Commits() && committed == 0 {
			committed = len(r.calls())
		}
		switch p := p.(type) {
		case strata.StreamStart:
			seen = append(seen, "start")
		case strata.ResponseMetadata:
			seen = append(seen, p.ID)
		case strata.ReasoningDelta:
			require.Contains(t, seen, p.Text, "output belongs to the preamble before it")
		case strata.TextDelta:
			if p.Text != "" {
				tag, n, _ := strings.Cut(p.Text, ":")
				require.Contains(t, seen, tag, "output belongs to the preamble before it")
				require.Equal(t, fmt.Sprint(texts), n, "no output is lost or comes twice")
				texts++
			}
		case strata.Finish:
			finish = p.RawReason
		}
		if left = parts == r.leaveAfter; left {
			break
		}
		time.Sleep(r.hold)
	}

	what := fmt.Sprintf("%v over each other, innermost first; saw %d parts, error %v", r.about, parts, failed)
	require.LessOrEqual(t, len(seen), 2, "one preamble: "+what)
	calls := r.calls()
	if committed > 0 {
		require.Equal(t, committed, len(calls), "nobody is asked behind output: "+what)
	}
	switch {
	case left:
	case failed == nil:
		tag, n, ok := strings.Cut(finish, ":")
		require.True(t, ok, "a stream ends with a finish or an error: "+what)
		require.Contains(t, seen, tag, what)
		require.Equal(t, fmt.Sprint(texts), n, "a whole answer is whole: "+what)
	case len(r.about) > 0 && r.about[len(r.about)-1] != "timeout" && committed == 0:
		require.NotErrorAs(t, failed, new(*stream.CommittedError), what)
	}
	for _, call := range calls {
		if !cancelled.IsZero() {
			require.False(t, call.Time.After(cancelled), "nobody is asked behind the caller's cancel: "+what)
		}
		if call.Context != ctx {
			require.Error(t, call.Context.Err(), "every attempt is torn down: "+what)
		}
	}
}
