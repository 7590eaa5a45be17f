package fantasy_test

import (
	"context"
	"errors"
	"testing"

	sdk "charm.land/fantasy"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/provider/fantasy"
)

func TestID(t *testing.T) {
	m := lm()
	assert.Equal(t, strata.ModelID{Provider: "acme", Name: "one"}, fantasy.New(m).ID())
	own := fantasy.New(m, fantasy.Provider("eu"), fantasy.Account("team"))
	assert.Equal(t, strata.ModelID{Provider: "eu", Name: "one", Account: "team"}, own.ID())
	found, ok := strata.As[*fantasy.Model](strata.Wrap(own, identity))
	require.True(t, ok)
	assert.Same(t, m, found.LanguageModel())
	assert.Same(t, own, fantasy.Wrap(own).Unwrap())
}

func TestInvalidOptionsPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"nil model":        func() { fantasy.New(nil) },
		"nil option":       func() { fantasy.New(lm(), nil) },
		"empty provider":   func() { fantasy.Provider("") },
		"slashed provider": func() { fantasy.Provider("a/b") },
		"nothing to wrap":  func() { fantasy.Wrap(nil) },
		"no provider":      func() { fantasy.Opener(nil) },
	} {
		assert.Panics(t, f, name)
	}
}

// Counts mean the same whoever counted.
func TestUsage(t *testing.T) {
	told := sdk.Usage{InputTokens: 100, OutputTokens: 20, TotalTokens: 120, ReasoningTokens: 5, CacheReadTokens: 40, CacheCreationTokens: 10}
	for name, test := range map[string]struct {
		provider string
		opts     []fantasy.Option
		told     sdk.Usage
		want     strata.Usage
	}{
		"cached ones apart, as most": {"openai", nil, told, strata.Usage{InputTokens: 150, OutputTokens: 20, TotalTokens: 170, ReasoningTokens: 5, CachedInputTokens: 40, CacheWriteTokens: 10}},
		"all in all, as Google":      {"google", nil, told, strata.Usage{InputTokens: 100, OutputTokens: 25, TotalTokens: 125, ReasoningTokens: 5, CachedInputTokens: 40, CacheWriteTokens: 10}},
		"as Kronk":                   {"kronk", nil, told, strata.Usage{InputTokens: 100, OutputTokens: 20, TotalTokens: 120, ReasoningTokens: 5, CachedInputTokens: 40, CacheWriteTokens: 10}},
		"as told":                    {"mine", []fantasy.Option{fantasy.CountsCached(true, false)}, told, strata.Usage{InputTokens: 100, OutputTokens: 20, TotalTokens: 120, ReasoningTokens: 5, CachedInputTokens: 40, CacheWriteTokens: 10}},
		"nothing":                    {"openai", nil, sdk.Usage{}, strata.Usage{}},
	} {
		m := &scripted{provider: test.provider, name: "m"}
		m.resp = &sdk.Response{Usage: test.told, FinishReason: "stop"}
		m.parts = []sdk.StreamPart{{Type: sdk.StreamPartTypeFinish, Usage: test.told, FinishReason: "stop"}}
		resp, err := fantasy.New(m, test.opts...).Generate(t.Context(), strata.Prompt("why"))
		require.NoError(t, err)
		assert.Equal(t, test.want, resp.Usage, name)
		parts, err := collect(t, fantasy.New(m, test.opts...).Stream(t.Context(), strata.Prompt("why")))
		require.NoError(t, err)
		assert.Equal(t, test.want, parts[len(parts)-1].(strata.Finish).Usage, name)

		back, err := fantasy.Wrap(fantasy.New(m, test.opts...)).Generate(t.Context(), sdk.Call{})
		require.NoError(t, err)
		assert.Equal(t, test.told, back.Usage, "%s: as it was told, behind layers", name)

		changed := strata.Funcs{Generate: func(ctx context.Context, req *strata.Request, next strata.Model) (*strata.Response, error) {
			resp, err := next.Generate(ctx, req)
			resp.Usage = resp.Usage.Add(strata.Usage{InputTokens: 1000, TotalTokens: 1000})
			return resp, err
		}}.Layer()
		back, err = fantasy.Wrap(fantasy.New(m, test.opts...), changed).Generate(t.Context(), sdk.Call{})
		require.NoError(t, err)
		assert.Equal(t, test.want.TotalTokens+1000, back.Usage.TotalTokens, "%s: as a layer changed it", name)
	}
}

// opened is a provider of fantasy's.
type opened struct{ err error }

func (opened) Name() string { return "acme" }
func (o opened) LanguageModel(_ context.Context, name string) (sdk.LanguageModel, error) {
	return &scripted{provider: "acme", name: name}, o.err
}

func init() { strata.Register("fantasy-acme", fantasy.Opener(opened{})) }

func TestOpener(t *testing.T) {
	m, err := strata.Open("fantasy-acme/models/one")
	require.NoError(t, err)
	assert.Equal(t, strata.ModelID{Provider: "fantasy-acme", Name: "models/one"}, m.ID())
	_, err = strata.Open("fantasy-acme/one@team")
	assert.Error(t, err)
	_, err = fantasy.Opener(opened{errBoom})(strata.ModelID{Provider: "x", Name: "y"})
	assert.True(t, errors.Is(err, errBoom))
}
