// Package refusal tells refusals from answers. A refusal streams as ordinary
// text, so [Detect] holds the beginning of an answer until it is sure, and makes
// an error of a refusal before any of it was handed on: a layer above can walk
// to another model as if nothing had happened.
//
// The built-in detector is a small grammar, a table of signs for each language:
// an opener ("I'm sorry, but"), somebody who cannot and a verb of helping ("I
// can't assist with"), a reason ("illegal", "against my guidelines"), and what
// speaks against a refusal ("here is how", a list, "a fictional character").
// Each sign has points; together they make a score. An answer whose first words
// begin no refusal is let go there. One that begins like a refusal is read on
// for up to four sentences: [Score] tells what comes of it. English, German,
// Dutch, French, Spanish, Portuguese, Italian, Russian, Chinese, Japanese and
// Korean are known, English best. Chinese and Japanese often name what is asked
// before they refuse it, so that about twenty characters of their answers are
// looked through for a hint of that, and held; a Japanese refusal that gives none
// in them is not seen. Accents may be written as marks of their own; characters
// that are not seen, such as a soft hyphen, are passed over.
package refusal

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/own"
	"github.com/strata-go/strata/internal/wrap"
	"github.com/strata-go/strata/stream"
)

// An Error says that a model refused to answer. Its kind is content: another
// model may answer.
type Error struct {
	Model  strata.ModelID
	Phrase string  // the phrase of [Phrases] that was recognised, if it was one
	Rule   string  // what decided: "phrase", "pattern", "classifier", or the strongest sign, as in "en: cannot help"
	Score  float64 // from 0 to 1; 1 for a phrase or a pattern
	Text   string  // the beginning of the answer, as far as it was read: the same however the text came
}

// Error names the model and the phrase or the rule. The text of the answer is
// in the field alone.
func (e *Error) Error() string {
	if e.Phrase != "" {
		return fmt.Sprintf("refusal: %s refused to answer (%q)", e.Model, e.Phrase)
	}
	return fmt.Sprintf("refusal: %s refused to answer (%s, score %.2f)", e.Model, e.Rule, e.Score)
}

// FailureKind returns Content.
func (*Error) FailureKind() failure.Kind { return failure.Content }

// Score says how much a text looks like a refusal, from 0 to 1, and the
// strongest sign that says so; the name is empty where there is none. It reads
// as far as [Detect] does with its defaults, which holds one of 0.5 or more for
// a refusal. A text that begins like no refusal has 0.02.
func Score(text string) (score float64, rule string) {
	var x examiner
	c := defaults
	c.begin(&x)
	x.feed(text)
	x.end()
	f := x.reader.finding()
	return f.score, f.rule
}

// Detect makes an error of an answer that begins with a refusal. A stream's text
// is held until it leaves every beginning of one, which for an ordinary answer
// is at its first words, then handed on as it came. A refusal becomes an [*Error]
// with no part handed on, and the request behind it is torn down at once. Each
// refusal is told to the [strata.Trace].
//
// An answer that begins with anything but text, such as a tool call, is no
// refusal, whatever it says afterwards. Reasoning in a stream is handed on at
// once and the text behind it is not examined, unless [HoldReasoning] is given;
// in Generate it is.
//
// Without [Phrases] and [Patterns] Detect has rules of its own.
func Detect(opts ...Option) strata.Layer {
	c := defaults
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("refusal.Detect: option %d is nil", i))
		}
		opt(&c)
	}
	examiners := &sync.Pool{New: func() any { return new(examiner) }}
	var first examiner
	c.begin(&first) // makes the rules, so that no call waits for it
	examiners.Put(&first)
	return func(next strata.Model) strata.Model {
		if next == nil {
			panic("refusal.Detect: the model is nil")
		}
		return &detector{Model: wrap.Over(next), config: c, examiners: examiners}
	}
}

type detector struct {
	own.Context
	wrap.Model
	config
	examiners *sync.Pool // each examines one answer at a time
}

func (d *detector) examiner() *examiner {
	x := d.examiners.Get().(*examiner)
	d.begin(x)
	return x
}

func (d *detector) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	resp, err := stream.Generate(ctx, d.Next, req)
	if err != nil {
		return nil, err
	}
	x := d.examiner()
	for _, content := range resp.Content {
		switch c := content.(type) {
		case strata.Reasoning:
		case strata.Text:
			x.feed(c.Text)
		default:
			x.dismiss()
		}
	}
	x.end()
	refused := d.refused(ctx, req, resp.Model, x)
	d.examiners.Put(x)
	if refused != nil && !d.logOnly {
		return nil, refused
	}
	return resp, nil
}

func (d *detector) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		ctx, cancel := own.Of(ctx, d.Next)
		defer cancel()
		gate := stream.NewGate(yield, d.maxParts)
		hold, each := gate.Hold, gate.EachHeld
		if d.logOnly { // the gate is open while there is something to examine
			hold, each = gate.Push, stream.Each
		}
		x := d.examiner() // nil: it is known what the answer is
		var refused *Error
		settle := func(p strata.Part) (stop bool) {
			finish, _ := p.(strata.Finish) // another part does not say who answers
			refused = d.refused(ctx, req, finish.Model, x)
			d.examiners.Put(x)
			x = nil
			return refused != nil && !d.logOnly
		}
		each(ctx, d.Next, req, func(p strata.Part, err error) bool {
			if err != nil {
				gate.Fail(err)
				return false
			}
			if x == nil {
				return gate.Push(p)
			}
			switch p.(type) {
			case strata.Finish: // judged here, as a reader may leave at it
				if x.end(); settle(p) {
					return false
				}
				return gate.Push(p)
			case strata.ReasoningDelta:
				if (d.holdReasoning || d.logOnly) && p.Commits() {
					return hold(p)
				}
			case strata.TextDelta:
				if x.feed(p.(strata.TextDelta).Text); x.verdict == undecided && p.Commits() {
					return hold(p)
				}
			}
			if p.Commits() {
				if x.dismiss(); settle(p) {
					return false
				}
			}
			return gate.Push(p)
		})
		switch {
		case refused != nil && !d.logOnly:
			gate.Fail(refused)
		case gate.Finished() && !gate.Opened():
			gate.Flush()
		}
	}
}

// refused returns the error of a refusal, or nil for an answer, and tells the
// Trace. A stream does not say who answers before its finish.
func (d *detector) refused(ctx context.Context, req *strata.Request, by strata.ModelID, x *examiner) *Error {
	if x.verdict != refusal && (d.classify == nil || !x.found.unsure) {
		return nil
	}
	if by.IsZero() {
		by = d.ID()
	}
	found := x.found
	if d.classify != nil && found.unsure && !d.logOnly {
		doubt := Doubt{Model: by, Request: req, Text: string(x.text), Rule: found.rule, Score: found.score}
		if refused, err := d.classify(ctx, doubt); err == nil {
			x.verdict = answer
			if refused {
				x.verdict, found.rule = refusal, "classifier"
			}
		}
	}
	if x.verdict != refusal {
		return nil
	}
	err := &Error{Model: by, Phrase: found.phrase, Rule: found.rule, Score: found.score, Text: string(x.text)}
	strata.ContextTrace(ctx).Refused(ctx, strata.RefusalInfo{Model: by, Rule: err.Rule, Score: err.Score, Text: err.Text, LogOnly: d.logOnly})
	return err
}
