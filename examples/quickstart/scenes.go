package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/openai"
	"github.com/strata-go/strata/stream"
)

const (
	primary = "gpt-5"
	spare   = "gpt-5-mini"
)

// A scene is one call in which the primary model misbehaves, and what must come
// of it.
type scene struct {
	title   string
	primary []modeltest.Reply

	requests  []string // the models that the server was asked for, in order
	served    string   // who answered
	answer    string
	waits     time.Duration // at least
	committed bool          // the caller is told that the answer broke off
}

var (
	sky      = []string{"The air ", "scatters ", "blue light ", "more than red."}
	spareSky = []string{"Blue light ", "scatters ", "the most."}
)

var scenes = []scene{
	{
		title: "The primary throttles, and says for how long",
		primary: []modeltest.Reply{
			modeltest.Status(429).Header("Retry-After", "1").Error("rate_limit_exceeded", "Slow down, please."),
			modeltest.OK(sky...).Pace(150 * time.Millisecond),
		},
		requests: []string{primary, primary}, served: "openai/" + primary, answer: strings.Join(sky, ""), waits: time.Second,
	},
	{
		title:    "The primary accepts the request, then stalls before the first token",
		primary:  []modeltest.Reply{modeltest.Send().Head().Stall(modeltest.Forever)},
		requests: []string{primary, primary, spare}, served: "openai/" + spare, answer: strings.Join(spareSky, ""),
	},
	{
		title:    "The primary refuses: nothing of it reaches the caller",
		primary:  []modeltest.Reply{modeltest.OK("I'm sorry, ", "but I can't ", "talk about ", "the sky.").Pace(50 * time.Millisecond)},
		requests: []string{primary, spare}, served: "openai/" + spare, answer: strings.Join(spareSky, ""),
	},
	{
		title:    "The primary breaks off in mid-answer: told, never answered twice",
		primary:  []modeltest.Reply{modeltest.Send(sky[:2]...).Pace(150 * time.Millisecond).Cut()},
		requests: []string{primary}, served: "openai/" + primary, answer: strings.Join(sky[:2], ""), committed: true,
	},
}

// play runs the scene over real HTTP and says what was not as it should be.
func (s scene) play(ctx context.Context) error {
	server := modeltest.NewServer(
		modeltest.RepliesFor(primary, s.primary...),
		modeltest.RepliesFor(spare, modeltest.OK(spareSky...).Pace(150*time.Millisecond)),
	)
	defer server.Close()
	at := func(name string) strata.Model {
		return openai.New(name, openai.BaseURL(server.URL), openai.APIKey("none"), openai.HTTPClient(server.Client()))
	}
	var t timeline
	model := stack(at(primary), at(spare), 2*time.Second, t.layer())
	t.begin()
	err := t.show(model.Stream(ctx, strata.Prompt("Why is the sky blue?")))

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
	var committed *stream.CommittedError
	expect("the error", errors.As(err, &committed) == s.committed && (err != nil) == s.committed, err)
	expect("the requests that the server saw", slices.Equal(asked, s.requests), asked)
	expect("the attempts that were shown", len(t.attempts) == len(s.requests), t.attempts)
	expect("who answered", t.served == s.served, t.served)
	expect("the answer", t.answer.String() == s.answer, t.answer.String())
	expect("the waits", t.waited >= s.waits, t.waited)
	return errors.Join(wrong...)
}
