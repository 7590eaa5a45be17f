package openai_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/openai"
	"github.com/strata-go/strata/stream"
)

// faults are what a server may do to a request: what kind of failure each is,
// whether a stream has handed on output by then, and whether it is a fault of a
// stream alone.
var faults = map[string]struct {
	reply      modeltest.Reply
	kind       failure.Kind // empty: any
	committed  bool         // in a stream
	streamOnly bool
}{
	"throttled":                 {modeltest.Status(429).Error("rate_limit_exceeded", "slow down"), failure.Rate, false, false},
	"overloaded":                {modeltest.Status(503).Error("overloaded_error", "busy"), failure.Overload, false, false},
	"bad gateway page":          {modeltest.Status(502).HTML("502 Bad Gateway"), failure.Overload, false, false},
	"page with status 200":      {modeltest.Send().HTML("Just a moment"), "", false, false},
	"key refused":               {modeltest.Status(401).Error("invalid_api_key", "Incorrect API key provided."), failure.Auth, false, false},
	"no such model":             {modeltest.Status(404).Error("model_not_found", "The model does not exist."), failure.Model, false, false},
	"reset before the headers":  {modeltest.Send().Reset(), failure.Network, false, false},
	"cut before the headers":    {modeltest.Send().Cut(), failure.Network, false, false},
	"stall before the headers":  {modeltest.Send().Stall(modeltest.Forever), failure.Timeout, false, false},
	"stall before the content":  {modeltest.Send().Head().Open().Stall(modeltest.Forever), failure.Timeout, false, false},
	"only comments":             {modeltest.Send().Head().KeepAlive(20*time.Millisecond, 10*time.Second), failure.Timeout, false, false},
	"error event":               {modeltest.Send().Open().Error("overloaded_error", "busy"), failure.Overload, false, false},
	"malformed before content":  {modeltest.Send().Open().Malformed(), "", false, false},
	"no finish, nothing at all": {modeltest.Send().Open().Done(), failure.Network, false, true},
	"stall in mid-answer":       {modeltest.Send("The sky").Stall(modeltest.Forever), failure.Timeout, true, false},
	"cut in mid-answer":         {modeltest.Send("The sky").Cut(), failure.Network, true, false},
	"reset in mid-answer":       {modeltest.Send("The sky").Reset(), failure.Network, true, false},
	"error in mid-answer":       {modeltest.Send("The sky").Error("overloaded_error", "busy"), failure.Overload, true, false},
	"malformed in mid-answer":   {modeltest.Send("The sky").Malformed(), "", true, false},
	"no finish":                 {modeltest.Send("The sky").Done(), failure.Network, true, true},
	"neither finish nor end":    {modeltest.Send("The sky"), failure.Network, true, true},
}

const canary = "sk-canary-0123456789abcdef"

// ask makes a call, streamed or whole.
func ask(ctx context.Context, m strata.Model, streamed bool) (text string, err error) {
	if !streamed {
		resp, err := m.Generate(ctx, strata.Prompt("Why is the sky blue?"))
		if err != nil {
			return "", err
		}
		return resp.Text(), nil
	}
	for p, e := range m.Stream(ctx, strata.Prompt("Why is the sky blue?")) {
		if d, ok := p.(strata.TextDelta); ok {
			text += d.Text
		}
		err = e
	}
	return text, err
}

// Each fault is of the kind it should be, gives no key away, leaves no request
// behind, and is survived by a stack unless output was handed on.
func TestFaultsOverTheWire(t *testing.T) {
	limit := middleware.Timeout(middleware.Total(2*time.Second), middleware.FirstContent(time.Second), middleware.Idle(time.Second))
	forEachWire(t, func(t *testing.T, wire string, streamed bool) {
		for name, fault := range faults {
			if fault.streamOnly && !streamed {
				continue // a whole answer is whole without a finish reason
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				server := modeltest.NewServer(
					modeltest.RepliesFor("gpt-5", fault.reply),
					modeltest.RepliesFor("spare", modeltest.OK("from ", "the spare")),
				)
				defer server.Close()
				at := func(model, provider string) strata.Model {
					return limit(wires[wire].at(model, openai.Provider(provider), openai.BaseURL(server.URL), openai.APIKey(canary), openai.HTTPClient(server.Client())))
				}
				bare := at("gpt-5", "openai")

				text, err := ask(t.Context(), bare, streamed)
				require.Error(t, err)
				if fault.kind != "" {
					assert.Equal(t, fault.kind, failure.Of(err), "%v", err)
				}
				assert.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), canary)
				assert.Len(t, server.Requests(), 1, "the SDK makes no attempts of its own")
				_, ended := server.AwaitEnd(t.Context(), 0)
				assert.NoError(t, ended, "nothing is left of the request")

				walked, err := ask(t.Context(), middleware.Fallback(at("spare", "other"))(bare), streamed)
				if streamed && fault.committed {
					var told *stream.CommittedError
					require.True(t, errors.As(err, &told), "%v", err)
					assert.Equal(t, "The sky", text)
					assert.Equal(t, "The sky", walked)
				} else {
					require.NoError(t, err)
					assert.Equal(t, "from the spare", walked)
				}
			})
		}
	})
}

func forEachWire(t *testing.T, test func(t *testing.T, wire string, streamed bool)) {
	for wire := range wires {
		for _, streamed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, streamed %v", wire, streamed), func(t *testing.T) { test(t, wire, streamed) })
		}
	}
}

// What only looks like a fault is none.
func TestSlowAndOddAnswersComeThrough(t *testing.T) {
	replies := map[string]modeltest.Reply{
		"comments between":     modeltest.Send("The ").Comment("ping").KeepAlive(5*time.Millisecond, 20*time.Millisecond).Text("sky").Finish(strata.FinishStop).Done(),
		"a token at a time":    modeltest.OK("The ", "sky").Pace(20 * time.Millisecond),
		"no end marker":        modeltest.Send("The ", "sky").Finish(strata.FinishStop),
		"cut behind the end":   modeltest.OK("The ", "sky").Cut(),
		"reasoning before":     modeltest.Send().Reasoning("hm").Text("The sky").Finish(strata.FinishStop).Done(),
		"an event of four MiB": modeltest.Send("The sky").Finish(strata.FinishStop).Huge(4 << 20).Done(),
	}
	forEachWire(t, func(t *testing.T, wire string, streamed bool) {
		for name, reply := range replies {
			if !streamed && (strings.HasPrefix(name, "cut") || strings.HasPrefix(name, "an event")) {
				continue // a body that breaks off is a failure, and one of 4 MiB is all answer
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				server := modeltest.NewServer(modeltest.Replies(reply))
				defer server.Close()
				m := wires[wire].at("gpt-5", openai.BaseURL(server.URL), openai.APIKey(canary), openai.HTTPClient(server.Client()))
				text, err := ask(t.Context(), m, streamed)
				require.NoError(t, err)
				assert.True(t, strings.HasPrefix(text, "The sky"), "%.20q", text)
			})
		}
	})
}
