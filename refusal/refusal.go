// Package refusal tells refusals from answers. A refusal streams as ordinary
// text, so [Detect] holds the beginning of an answer until it is sure, and makes
// an error of a refusal before any of it was handed on: a layer above can walk
// to another model as if nothing had happened.
package refusal

import (
	"context"
	"fmt"
	"iter"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/stream"
)

// An Error says that a model refused to answer. Its kind is content: another
// model may answer.
type Error struct {
	Model  strata.ModelID
	Phrase string // the phrase that was recognised
	Text   string // the beginning of the answer, as far as it was read
}

// Error names the model and the phrase. The text of the answer is in the field
// alone.
func (e *Error) Error() string {
	return fmt.Sprintf("refusal: %s refused to answer (%q)", e.Model, e.Phrase)
}

// FailureKind returns Content.
func (*Error) FailureKind() failure.Kind { return failure.Content }

// Detect makes an error of an answer that begins with a refusal. A stream's text
// is held until it leaves every phrase, which for an ordinary answer is at its
// first letters, then handed on as it came. A refusal becomes an [*Error] with
// no part handed on, and the request behind it is torn down at once.
//
// An answer that begins with anything but text, such as a tool call, is no
// refusal, whatever it says afterwards. Reasoning in a stream is handed on at
// once and the text behind it is not examined, unless [HoldReasoning] is given;
// in Generate it is.
//
// Without [Phrases] Detect knows common openings of English refusals.
func Detect(opts ...Option) strata.Layer {
	c := config{phrases: compile(openings), maxParts: stream.DefaultMaxParts}
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("refusal.Detect: option %d is nil", i))
		}
		opt(&c)
	}
	return func(next strata.Model) strata.Model {
		if next == nil {
			panic("refusal.Detect: the model is nil")
		}
		return &detector{next: next, config: c}
	}
}

// An Option sets something of [Detect].
type Option func(*config)

// Phrases replaces the phrases that begin a refusal. They match at the start of
// the answer, whatever their case, white space and apostrophes (straight or
// curly). No phrase, or one without a letter, panics.
func Phrases(phrases ...string) Option {
	if len(phrases) == 0 {
		panic("refusal.Phrases(): there is no phrase")
	}
	compiled := compile(phrases)
	for i, p := range compiled {
		if len(p.runes) == 0 {
			panic(fmt.Sprintf("refusal.Phrases: phrase %d, %q, is empty", i, phrases[i]))
		}
	}
	return func(c *config) { c.phrases = compiled }
}

// HoldReasoning holds a stream's reasoning until the text behind it is known to
// be no refusal. A reader then sees the reasoning late.
func HoldReasoning() Option { return func(c *config) { c.holdReasoning = true } }

// MaxParts bounds the parts that are held, 1,024 by default; with one more the
// stream is handed on undecided.
func MaxParts(n int) Option {
	if n < 1 {
		panic(fmt.Sprintf("refusal.MaxParts(%d): the count is less than 1", n))
	}
	return func(c *config) { c.maxParts = n }
}

type config struct {
	phrases       []phrase
	holdReasoning bool
	maxParts      int
}

type detector struct {
	next strata.Model
	config
}

func (d *detector) ID() strata.ModelID   { return d.next.ID() }
func (d *detector) Unwrap() strata.Model { return d.next }

func (d *detector) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	resp, err := stream.Generate(ctx, d.next, req)
	if err != nil {
		return nil, err
	}
	m := newMatcher(d.phrases)
	for _, content := range resp.Content {
		switch c := content.(type) {
		case strata.Reasoning:
		case strata.Text:
			m.feed(c.Text)
		default:
			m.verdict = answer // unless it is decided
		}
		if m.verdict != undecided {
			break
		}
	}
	if m.verdict == refused {
		return nil, d.refused(resp.Model, m)
	}
	return resp, nil
}

func (d *detector) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		gate := stream.NewGate(yield, d.maxParts)
		m := newMatcher(d.phrases)
		stream.Each(ctx, d.next, req, func(p strata.Part, err error) bool {
			if err != nil {
				gate.Fail(err)
				return false
			}
			if gate.Opened() || !p.Commits() {
				return gate.Push(p)
			}
			switch p := p.(type) {
			case strata.ReasoningDelta:
				if d.holdReasoning {
					return gate.Hold(p)
				}
			case strata.TextDelta:
				m.feed(p.Text)
				switch m.verdict {
				case undecided:
					return gate.Hold(p)
				case refused:
					return false
				}
			}
			return gate.Push(p)
		})
		switch {
		case m.verdict == refused:
			gate.Fail(d.refused(strata.ModelID{}, m))
		case gate.Finish() != nil:
			gate.Flush()
		}
	}
}

// refused returns the error of a refusal. A stream does not say who answers
// before its finish.
func (d *detector) refused(by strata.ModelID, m *matcher) error {
	if by.IsZero() {
		by = d.ID()
	}
	return &Error{Model: by, Phrase: m.matched, Text: m.text.String()}
}
