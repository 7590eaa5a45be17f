package main

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
)

// timeline prints what happens in one call, as it happens, and keeps what was
// seen.
type timeline struct {
	begun    time.Time
	inAnswer bool // the cursor is behind a piece of the answer

	attempts []string // the models that were asked, one an attempt
	waited   time.Duration
	answer   strings.Builder
	served   string
	err      error
}

func (t *timeline) begin() { t.begun = time.Now() }

func (t *timeline) line(format string, args ...any) {
	if t.inAnswer {
		fmt.Println()
		t.inAnswer = false
	}
	fmt.Printf("%7.2fs  %s\n", time.Since(t.begun).Seconds(), fmt.Sprintf(format, args...))
}

// layer listens to the attempts that Backoff makes and to where Fallback goes.
func (t *timeline) layer() strata.Layer {
	return middleware.Observe(
		middleware.OnAttempt(func(_ context.Context, a strata.AttemptInfo) {
			if a.Layer == "fallback" {
				if a.Number > 1 {
					t.line("falls back to %s", a.Model)
				}
				return
			}
			t.attempts = append(t.attempts, a.Model.String())
			t.line("asks %s, attempt %d", a.Model, a.Number)
		}),
		middleware.OnAttemptDone(func(_ context.Context, a strata.AttemptDoneInfo) {
			if a.Err != nil && a.Layer == "backoff" {
				t.line("fails: %v", a.Err)
			}
		}),
		middleware.OnWait(func(_ context.Context, w strata.WaitInfo) {
			t.waited += w.Duration
			why := "with jitter"
			if w.FromServer {
				why = "as the server asks"
			}
			t.line("waits %v, %s", w.Duration.Round(time.Millisecond), why)
		}),
		middleware.OnServed(func(_ context.Context, s strata.ServedInfo) {
			if s.Layer == "fallback" {
				t.served = s.Model.String()
				t.line("%s answers:", s.Model)
			}
		}),
	)
}

// show prints an answer as it streams, and returns its error.
func (t *timeline) show(parts iter.Seq2[strata.Part, error]) error {
	for part, err := range parts {
		if err != nil {
			t.err = err
			t.line("the caller gets: %v", err)
			continue
		}
		switch p := part.(type) {
		case strata.TextDelta:
			if !t.inAnswer {
				fmt.Print(strings.Repeat(" ", 10))
				t.inAnswer = true
			}
			fmt.Print(p.Text)
			t.answer.WriteString(p.Text)
		case strata.Finish:
			t.line("finished: %s", p.Reason)
		}
	}
	return t.err
}
