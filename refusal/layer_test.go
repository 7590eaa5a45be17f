package refusal_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/refusal"
	"github.com/strata-go/strata/stream"
)

const (
	clearRefusal = "I'm sorry, but I can't help with that."
	unclear      = "I cannot give you a lift." // the rules are not sure
)

// hears returns a context that writes down the refusals that are told.
func hears(t *testing.T) (context.Context, *[]strata.RefusalInfo) {
	var heard []strata.RefusalInfo
	return strata.WithTrace(t.Context(), &strata.Trace{Refusal: func(_ context.Context, info strata.RefusalInfo) {
		heard = append(heard, info)
	}}), &heard
}

func TestRefusalsAreTold(t *testing.T) {
	for text, refused := range map[string]bool{clearRefusal: true, "The tea is ready.": false} {
		for _, logOnly := range []bool{false, true} {
			opts := []refusal.Option{}
			if logOnly {
				opts = append(opts, refusal.LogOnly())
			}
			m := refusal.Detect(opts...)(modeltest.New("openai/a", modeltest.Answer(text)))
			want := []strata.RefusalInfo(nil)
			if refused {
				score, rule := refusal.Score(text)
				want = []strata.RefusalInfo{{Model: m.ID(), Rule: rule, Score: score, Text: "I'm sorry, but I can't help ", LogOnly: logOnly}} // as far as it had to be read
			}

			ctx, heard := hears(t)
			resp, err := stream.Collect(m.Stream(ctx, prompt))
			assert.Equal(t, want, *heard, text)
			if refused && !logOnly {
				assert.ErrorAs(t, err, new(*refusal.Error))
			} else if assert.NoError(t, err) {
				assert.Equal(t, text, resp.Text())
			}

			ctx, heard = hears(t)
			_, err = m.Generate(ctx, prompt)
			assert.Equal(t, want, *heard, text)
			assert.Equal(t, refused && !logOnly, err != nil, text)
		}
	}
}

func TestLogOnlyHoldsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := refusal.Detect(refusal.LogOnly())(modeltest.New("openai/a", modeltest.Attempt{
			modeltest.Reasoning("hm"), modeltest.Text("I'm sorry,"), modeltest.Wait(time.Second), modeltest.Text(" but I can't"), modeltest.Finish(strata.FinishStop),
		}))
		ctx, heard := hears(t)
		begun := time.Now()
		var at []time.Duration
		for p, err := range m.Stream(ctx, prompt) {
			require.NoError(t, err)
			if p.Commits() {
				at = append(at, time.Since(begun))
			}
		}
		assert.Equal(t, []time.Duration{0, 0, time.Second}, at)
		require.Len(t, *heard, 1, "behind reasoning too, at the end of the text")
		assert.Equal(t, "I'm sorry, but I can't", (*heard)[0].Text)
	})
}

// A call that breaks off, or that its reader leaves, is told of only when the
// text was judged before.
func TestLogOnlyOfHalfAnAnswer(t *testing.T) {
	for name, attempt := range map[string]modeltest.Attempt{
		"stops": {modeltest.Text("I'm sorry, but I can't")},
		"fails": {modeltest.Text("I'm sorry, but I can't"), modeltest.Fail(errors.New("gone"))},
		"tool":  {modeltest.Text("I'm sorry, but I can't"), modeltest.ToolCall("c", "f", "{}"), modeltest.Finish(strata.FinishStop)},
	} {
		ctx, heard := hears(t)
		_, _ = stream.Collect(refusal.Detect(refusal.LogOnly())(modeltest.New("openai/a", attempt)).Stream(ctx, prompt))
		assert.Empty(t, *heard, name)
	}
}

func TestClassifier(t *testing.T) {
	score, rule := refusal.Score(unclear)
	require.True(t, 0.1 < score && score < 0.9, "%v", score)
	failed := errors.New("no classifier today")
	for name, tt := range map[string]struct {
		text    string
		says    bool
		err     error
		opts    []refusal.Option
		asked   bool
		refused bool
		rule    string
	}{
		"says refusal":              {unclear, true, nil, nil, true, true, "classifier"},
		"says answer":               {unclear, false, nil, nil, true, false, ""},
		"fails":                     {unclear, false, failed, nil, true, score >= 0.5, rule},
		"fails, under a threshold":  {unclear, true, failed, []refusal.Option{refusal.Threshold(0.89)}, true, false, ""},
		"is not asked about a sure": {clearRefusal, false, nil, nil, false, true, "en: cannot help"},
		"nor about an answer":       {"The tea is ready.", true, nil, nil, false, false, ""},
		"nor about a phrase":        {unclear, false, nil, []refusal.Option{refusal.Phrases("I cannot"), refusal.Rules()}, false, true, "phrase"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			classify := func(ctx context.Context, d refusal.Doubt) (bool, error) {
				asked++
				assert.NoError(t, ctx.Err())
				assert.Equal(t, refusal.Doubt{Model: strata.ModelID{Provider: "openai", Name: "a"}, Request: prompt, Text: unclear, Rule: rule, Score: score}, d)
				return tt.says, tt.err
			}
			m := refusal.Detect(append(tt.opts, refusal.Classifier(classify))...)(modeltest.New("openai/a", modeltest.Answer(tt.text)))
			_, whole := m.Generate(t.Context(), prompt)
			_, streamed := stream.Collect(m.Stream(t.Context(), prompt))
			for _, err := range []error{whole, streamed} {
				var refused *refusal.Error
				require.Equal(t, tt.refused, errors.As(err, &refused), "%v", err)
				if refused != nil {
					assert.Equal(t, tt.rule, refused.Rule)
				}
			}
			assert.Equal(t, tt.asked, asked == 2, "asked %d times", asked)
		})
	}
}

// A classifier that blocks is let go by the caller's context; the rules' verdict
// stands.
func TestClassifierThatBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		m := refusal.Detect(refusal.Classifier(func(ctx context.Context, _ refusal.Doubt) (bool, error) {
			<-ctx.Done()
			return false, ctx.Err()
		}))(modeltest.New("openai/a", modeltest.Answer(unclear)))
		_, err := stream.Collect(m.Stream(ctx, prompt))
		assert.ErrorAs(t, err, new(*refusal.Error))
	})
}

// Nobody is asked and nothing is told when the reader has left.
func TestReaderLeavesWhileItIsUndecided(t *testing.T) {
	ctx, heard := hears(t)
	m := refusal.Detect(refusal.Classifier(func(context.Context, refusal.Doubt) (bool, error) {
		t.Error("the classifier was asked")
		return true, nil
	}), refusal.MaxParts(2))(modeltest.New("openai/a", modeltest.Attempt{
		modeltest.Start(), modeltest.Text("I'm sorry, "), modeltest.Text("but I can't do"), modeltest.Text(" this."), modeltest.Finish(strata.FinishStop),
	}))
	for _, err := range m.Stream(ctx, prompt) {
		require.NoError(t, err)
		break
	}
	assert.Empty(t, *heard)
}

// A reader that leaves at the finish, as layers do, does not keep LogOnly from
// telling what it found.
func TestLogOnlyTellsBeforeTheFinish(t *testing.T) {
	for _, text := range []string{clearRefusal, unclear, "I'm sorry, but I can't"} {
		m := refusal.Detect(refusal.LogOnly())(modeltest.New("openai/a", modeltest.Answer(text)))
		ctx, heard := hears(t)
		resp, err := stream.Collect(m.Stream(ctx, prompt))
		require.NoError(t, err)
		assert.Equal(t, text, resp.Text())
		assert.Len(t, *heard, 1, text)
	}
}
