package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/when"
)

const (
	primary = "gpt-5"
	spare   = "gpt-5-mini"
)

// A scene is one call in which the primary model misbehaves, and what must come
// of it.
type scene struct {
	title    string
	primary  modeltest.Reply
	policy   retry.Policy[string]
	streamed bool
	deadline time.Duration // the caller's own; 0: none

	requests []string // the models that the server was asked for, in order
	answer   string
	least    time.Duration // that the call takes
}

var (
	sky      = []string{"Blue light ", "scatters ", "the most."}
	throttle = modeltest.Status(429).Header("Retry-After", "1").Error("rate_limit_exceeded", "Slow down, please.")
	stall    = modeltest.Send().Open().Stall(modeltest.Forever)
)

var scenes = []scene{
	{
		title:   "The primary throttles twice: it is asked again after the second it asks for, then another model is",
		primary: throttle,
		policy:  retry.Models(primary, spare).Rules(retry.Retry[string](when.Retryable())),

		requests: []string{primary, primary, spare}, answer: strings.Join(sky, ""), least: time.Second,
	},
	{
		title:    "A stream of the primary's stalls before its first content: the attempt's timeout ends it",
		primary:  stall,
		policy:   retry.Models(primary, spare).Timeout(time.Second),
		streamed: true,

		requests: []string{primary, spare}, answer: strings.Join(sky, ""), least: time.Second,
	},
	{
		title:    "The same up to the caller's own deadline: a rule gives another model time of its own",
		primary:  stall,
		policy:   retry.Models(primary).Rules(retry.Switch(when.Timeout(), spare, retry.PastDeadline(2*time.Second))),
		streamed: true,
		deadline: 500 * time.Millisecond,

		requests: []string{primary, spare}, answer: strings.Join(sky, ""), least: 500 * time.Millisecond,
	},
}

// play makes the scene's call over real HTTP, shows it, and says what was not as
// it should be.
func (s scene) play(ctx context.Context, out io.Writer) error {
	server := modeltest.NewServer(modeltest.RepliesFor(primary, s.primary), modeltest.RepliesFor(spare, modeltest.OK(sky...)))
	defer server.Close()
	if s.deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.deadline)
		defer cancel()
	}
	begun := time.Now()
	answer, model, err := s.call(strata.WithTrace(ctx, trace(out, begun)), newClient(server))
	took := time.Since(begun)
	line(out, begun, "%s: %s (error: %v)", model, answer, err)

	var asked []string
	for _, r := range server.Requests() {
		asked = append(asked, r.Model)
	}
	var wrong []error
	expect := func(what string, ok bool, got any) {
		if !ok {
			wrong = append(wrong, fmt.Errorf("%s: got %v", what, got))
		}
	}
	expect("the error", err == nil, err)
	expect("the requests that the server saw", slices.Equal(asked, s.requests), asked)
	expect("who answered", model == spare, model)
	expect("the answer", answer == s.answer, answer)
	expect("the time it took", took >= s.least, took)
	return errors.Join(wrong...)
}

// call makes the call and returns the answer and the model that gave it, as the
// server says.
func (s scene) call(ctx context.Context, client openai.Client) (answer, model string, err error) {
	if !s.streamed {
		whole, err := ask(ctx, client, s.policy)
		if err != nil {
			return "", "", err
		}
		return whole.Choices[0].Message.Content, whole.Model, nil
	}
	var text strings.Builder
	for chunk, err := range askStreaming(ctx, client, s.policy) {
		if err != nil {
			return text.String(), model, err
		}
		model = chunk.Model
		for _, choice := range chunk.Choices {
			text.WriteString(choice.Delta.Content)
		}
	}
	return text.String(), model, nil
}

// trace shows the attempts of a call and the waits between them.
func trace(out io.Writer, begun time.Time) *strata.Trace {
	return &strata.Trace{
		AttemptStart: func(ctx context.Context, a strata.AttemptInfo) context.Context {
			line(out, begun, "asks %s, attempt %d", a.Model.Name, a.Number)
			return ctx
		},
		AttemptDone: func(_ context.Context, a strata.AttemptDoneInfo) {
			if a.Err != nil {
				line(out, begun, "fails (%s): %v", failure.Of(a.Err), a.Err)
			}
		},
		Wait: func(_ context.Context, w strata.WaitInfo) {
			line(out, begun, "waits %v (as the server asks: %v)", w.Duration, w.FromServer)
		},
	}
}

func line(out io.Writer, begun time.Time, format string, args ...any) {
	fmt.Fprintf(out, "%7.2fs  %s\n", time.Since(begun).Seconds(), fmt.Sprintf(format, args...))
}
