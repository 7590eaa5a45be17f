// Quickstart shows a stack of layers keeping a program's calls alive. With no
// key in the environment it starts a server on loopback that speaks the OpenAI
// API and misbehaves: it throttles, stalls before the first token, refuses, and
// breaks off in mid-answer. With OPENAI_API_KEY set (and OPENAI_BASE_URL, for a
// compatible server) the same stack asks the real thing.
//
// It exits with 0 only if what it shows is what happened.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/provider/openai"
	"github.com/strata-go/strata/refusal"
)

// stack is what this example is about. Each model gets attempts, deadlines and
// checks of its own; the call as a whole has a deadline, and a model to fall
// back to.
func stack(primary, spare strata.Model, firstContent time.Duration, watch strata.Layer) strata.Model {
	each := strata.Chain(
		middleware.Backoff(middleware.Attempts(2)),
		middleware.Timeout(middleware.FirstContent(firstContent), middleware.Idle(10*time.Second)),
		middleware.RequireContent(),
		refusal.Detect(),
	)
	return strata.Wrap(each(primary),
		watch,
		middleware.Timeout(middleware.Total(time.Minute)),
		middleware.Fallback(each(spare)),
	)
}

func main() {
	run := rehearse
	if os.Getenv("OPENAI_API_KEY") != "" {
		run = askTheRealThing
	}
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// rehearse plays every scene against a server on loopback.
func rehearse(ctx context.Context) error {
	fmt.Println("No OPENAI_API_KEY is set: the answers come from a server on loopback that misbehaves.")
	fmt.Println("The stack: a minute for the call; two attempts a model, 2 s to the first content; gpt-5, then gpt-5-mini.")
	var failed error
	for i, s := range scenes {
		fmt.Printf("\n%d. %s\n", i+1, s.title)
		if err := s.play(ctx); err != nil {
			failed = errors.Join(failed, fmt.Errorf("scene %d: %w", i+1, err))
		}
	}
	if failed == nil {
		fmt.Printf("\nAll %d scenes went as they should.\n", len(scenes))
	}
	return failed
}

// askTheRealThing asks the same stack over the provider's models, which
// OPENAI_MODEL and OPENAI_FALLBACK_MODEL name.
func askTheRealThing(ctx context.Context) error {
	var t timeline
	first, second := openai.New(envOr("OPENAI_MODEL", "gpt-5-mini")), openai.New(envOr("OPENAI_FALLBACK_MODEL", "gpt-4.1-mini"))
	fmt.Printf("OPENAI_API_KEY is set: this asks the real %s, then %s.\n", first.ID(), second.ID())
	model := stack(first, second, 20*time.Second, t.layer())
	t.begin()
	if t.show(model.Stream(ctx, strata.Prompt("Why is the sky blue? Answer in two sentences."))) != nil {
		return errors.New("there is no answer")
	}
	return nil
}

func envOr(name, value string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return value
}
