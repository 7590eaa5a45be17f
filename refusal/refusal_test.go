package refusal_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/stream"
)

var prompt = strata.Prompt("hello")

// detect streams text, cut into deltas, through a detector.
func detect(t testing.TB, deltas []string, opts ...refusal.Option) (got []string, err error) {
	attempt := modeltest.Attempt{modeltest.Start()}
	for _, d := range deltas {
		attempt = append(attempt, modeltest.Text(d))
	}
	attempt = append(attempt, modeltest.Finish(strata.FinishStop))
	m := refusal.Detect(opts...)(modeltest.New("openai/a", attempt))
	for p, e := range m.Stream(t.Context(), prompt) {
		if d, ok := p.(strata.TextDelta); ok {
			got = append(got, d.Text)
		}
		if e != nil {
			err = e
		}
	}
	return got, err
}

func TestPhrases(t *testing.T) {
	const phrase = "I'm sorry, but I can't"
	for text, refused := range map[string]bool{
		"I'm sorry, but I can't do that.":             true,
		"I'm sorry, but I can't":                      true,
		"I’m sorry, but I can’t do that.":             true,
		"I‘m sorry, but I can`t do that.":             true,
		"i'M SORRY, BUT I CAN'T DO THAT":              true,
		"  \n\tI'm sorry, but I can't do that.":       true,
		"I'm  sorry,\nbut I\u00a0can't do that.":      true,
		"I'm sorry, but I can":                        false,
		"I'm sorry, but I could":                      false,
		"I'm sorry,but I can't":                       false,
		"\"I'm sorry, but I can't\" is what he said.": false,
		"Well, I'm sorry, but I can't":                false,
		"":                                            false,
		" ":                                           false,
		"Good morning!":                               false,
	} {
		t.Run(text, func(t *testing.T) {
			for name, deltas := range map[string][]string{
				"whole": {text}, "letter by letter": strings.Split(text, ""), "byte by byte": bytesOf(text),
			} {
				got, err := detect(t, deltas, refusal.Phrases("something else", phrase))
				var refusedErr *refusal.Error
				if assert.Equal(t, refused, errors.As(err, &refusedErr), name); refused {
					assert.Empty(t, got)
					assert.Equal(t, phrase, refusedErr.Phrase)
					assert.Equal(t, failure.Content, failure.Of(err))
				} else {
					assert.NoError(t, err)
					assert.Equal(t, fmt.Sprint(deltas), fmt.Sprint(got), "handed on as it came")
				}
			}
			_, err := refusal.Detect(refusal.Phrases(phrase))(modeltest.New("openai/a", modeltest.Answer(text))).Generate(t.Context(), prompt)
			assert.Equal(t, refused, errors.As(err, new(*refusal.Error)), "Generate")
		})
	}
}

func bytesOf(s string) (pieces []string) {
	for i := range len(s) {
		pieces = append(pieces, s[i:i+1])
	}
	if pieces == nil {
		pieces = []string{""}
	}
	return pieces
}

func TestTheErrorKeepsTheAnswerToItself(t *testing.T) {
	_, err := detect(t, []string{"I'm sorry, but I can't discuss the secret."}, refusal.Phrases("I'm sorry"))
	assert.EqualError(t, err, `refusal: openai/a refused to answer ("I'm sorry")`)
	var refused *refusal.Error
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "I'm sorry", refused.Text, "what was read")
	assert.Equal(t, "openai/a", refused.Model.String())
}

func TestWhatComesBeforeTheText(t *testing.T) {
	no := modeltest.Text("I'm sorry, no.")
	call := modeltest.ToolCall("c", "f", "{}")
	thought := modeltest.Reasoning("hm")
	finish := modeltest.Finish(strata.FinishStop)
	phrases := refusal.Phrases("I'm sorry")
	for name, test := range map[string]struct {
		attempt         modeltest.Attempt
		opts            []refusal.Option
		whole, streamed bool // refused
	}{
		"text":                          {modeltest.Attempt{no, finish}, nil, true, true},
		"a tool call":                   {modeltest.Attempt{call, no, finish}, nil, false, false},
		"a tool call inside the phrase": {modeltest.Attempt{modeltest.TextStart("0"), modeltest.Text("I'm "), modeltest.TextEnd("0"), call, modeltest.TextStart("1"), modeltest.Text("sorry"), finish}, nil, false, false},
		"reasoning":                     {modeltest.Attempt{thought, no, finish}, nil, true, false},
		"reasoning that is held":        {modeltest.Attempt{thought, no, finish}, []refusal.Option{refusal.HoldReasoning()}, true, true},
		"more reasoning than is held":   {modeltest.Attempt{thought, thought, no, finish}, []refusal.Option{refusal.HoldReasoning(), refusal.MaxParts(1)}, true, false},
		"two blocks of text":            {modeltest.Attempt{modeltest.TextStart("0"), modeltest.Text("I'm "), modeltest.TextEnd("0"), modeltest.TextStart("1"), modeltest.Text("sorry"), finish}, nil, true, true},
		"nothing":                       {modeltest.Attempt{finish}, nil, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := refusal.Detect(append(test.opts, phrases)...)(modeltest.New("openai/a", test.attempt))
			_, err := m.Generate(t.Context(), prompt)
			assert.Equal(t, test.whole, err != nil, "whole: %v", err)
			_, err = stream.Collect(m.Stream(t.Context(), prompt))
			assert.Equal(t, test.streamed, err != nil, "streamed: %v", err)
		})
	}
}

func TestTheRequestIsTornDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := modeltest.New("openai/a", modeltest.Attempt{modeltest.Text("I'm sorry"), modeltest.Hang()})
		_, err := stream.Collect(refusal.Detect(refusal.Phrases("I'm sorry"))(base).Stream(t.Context(), prompt))
		require.ErrorAs(t, err, new(*refusal.Error))
		assert.Error(t, base.Calls()[0].Context.Err())
	})
}

func TestReaderLeavesInTheFlush(t *testing.T) {
	m := refusal.Detect(refusal.Phrases("I'm sorry"))(modeltest.New("openai/a", modeltest.Attempt{modeltest.Text("I'm "), modeltest.Text("so"), modeltest.Text(" glad"), modeltest.Finish("stop")}))
	n := 0
	for _, err := range m.Stream(t.Context(), prompt) {
		require.NoError(t, err)
		n++
		break
	}
	assert.Equal(t, 1, n)
}

func TestOptionsThatMakeNoSense(t *testing.T) {
	for want, make := range map[string]func(){
		"refusal.Phrases(): there is no phrase":                        func() { refusal.Phrases() },
		`refusal.Phrases: phrase 1, " ", is empty`:                     func() { refusal.Phrases("no", " ") },
		"refusal.MaxParts(0): the count is less than 1":                func() { refusal.MaxParts(0) },
		"refusal.Patterns(): there is no pattern":                      func() { refusal.Patterns() },
		"refusal.Patterns: pattern 0 is nil":                           func() { refusal.Patterns(nil) },
		`refusal.Patterns: pattern 0, "no|", matches the empty text`:   func() { refusal.Patterns(regexp.MustCompile("no|")) },
		"refusal.Threshold(1): the score is not between 0.02 and 1":    func() { refusal.Threshold(1) },
		"refusal.Threshold(0.01): the score is not between 0.02 and 1": func() { refusal.Threshold(0.01) },
		"refusal.Threshold(NaN): the score is not between 0.02 and 1":  func() { refusal.Threshold(math.NaN()) },
		"refusal.MaxText(0): the count is less than 1":                 func() { refusal.MaxText(0) },
		"refusal.Classifier(nil): the function is nil":                 func() { refusal.Classifier(nil) },
		"refusal.Detect: option 0 is nil":                              func() { refusal.Detect(nil) },
		"refusal.Detect: the model is nil":                             func() { refusal.Detect()(nil) },
	} {
		assert.PanicsWithValue(t, want, make)
	}
}

// The verdict is the same however the text is split.
func FuzzSplits(f *testing.F) {
	f.Add("I'm sorry, but I can’t", uint64(3))
	f.Add("I’m\u2003sorry", uint64(0xffff))
	f.Add("\xe2\x80", uint64(1))
	for _, fixture := range fixtures {
		f.Add(fixture.refusals[0], uint64(0xaaaa))
		f.Add(fixture.answers[0], uint64(0x1248))
	}
	rules := map[string][]refusal.Option{
		"rules":    nil,
		"few":      {refusal.MaxText(30), refusal.Threshold(0.2)},
		"phrases":  {refusal.Phrases("I'm sorry", "no, \xff", "é")},
		"patterns": {refusal.Patterns(regexp.MustCompile(`(?i)^\W*i\W+m\b`), regexp.MustCompile(`é$`))},
		"all":      {refusal.Phrases("é"), refusal.Patterns(regexp.MustCompile(`(?m)^no$`)), refusal.Rules()},
		"asks": {refusal.Phrases("I'm sorry to"), refusal.Rules(), refusal.Classifier(func(_ context.Context, d refusal.Doubt) (bool, error) {
			return len(d.Text)%2 == 0, nil
		})},
	}
	f.Fuzz(func(t *testing.T, text string, cuts uint64) {
		var deltas []string
		begin := 0
		for i := range len(text) {
			if cuts>>(i%64)&1 == 1 {
				deltas = append(deltas, text[begin:i])
				begin = i
			}
		}
		deltas = append(deltas, text[begin:])
		for name, opts := range rules {
			_, whole := detect(t, []string{text}, opts...)
			got, split := detect(t, deltas, opts...)
			require.Equal(t, whole != nil, split != nil, name)
			if w, ok := errors.AsType[*refusal.Error](whole); ok {
				s, _ := errors.AsType[*refusal.Error](split)
				require.Equal(t, w, s, name)
			}
			if split == nil {
				require.Equal(t, text, strings.Join(got, ""), name)
			}
			_, generated := refusal.Detect(opts...)(modeltest.New("openai/a", modeltest.Answer(text))).Generate(t.Context(), prompt)
			require.Equal(t, whole != nil, errors.As(generated, new(*refusal.Error)), name)
		}
		score, rule := refusal.Score(text)
		_, err := detect(t, deltas)
		require.Equal(t, score >= refusal.DefaultThreshold, err != nil, "%v %s", score, rule)
	})
}

func ExampleDetect() {
	model := refusal.Detect(refusal.Phrases("I'm sorry, but I can't"))(
		modeltest.New("openai/gpt-5", modeltest.Answer("I’m sorry, but I can’t help with that.")))
	_, err := model.Generate(context.Background(), strata.Prompt("Open the pod bay doors."))
	fmt.Println(err)
	// Output: refusal: openai/gpt-5 refused to answer ("I'm sorry, but I can't")
}

func ExampleScore() {
	for _, text := range []string{
		"I'm sorry, but I can't help with that.",
		"I'm sorry to hear about your hamster. Here is how to bury it.",
		"I cannot give you his passport number, as he is a fictional character.",
		"To kill a Python process, find its number first.",
	} {
		score, rule := refusal.Score(text)
		fmt.Printf("%.2f %q\n", score, rule)
	}
	// Output:
	// 1.00 "en: cannot help"
	// 0.00 "en: sorry"
	// 0.02 "en: cannot give"
	// 0.02 ""
}
