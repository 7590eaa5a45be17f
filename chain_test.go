package strata_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/stream"
)

// tag is a layer that leaves its name in the request, so that the order in
// which layers run can be read off.
func tag(name string) strata.Layer {
	return strata.Funcs{
		Request: func(_ context.Context, req *strata.Request) (*strata.Request, error) {
			req = req.Clone()
			req.StopSequences = append(req.StopSequences, name)
			return req, nil
		},
	}.Layer()
}

func TestChainOrder(t *testing.T) {
	a, b, c := tag("a"), tag("b"), tag("c")
	for name, layer := range map[string]strata.Layer{
		"Chain(a, b, c)":        strata.Chain(a, b, c),
		"Chain(Chain(a, b), c)": strata.Chain(strata.Chain(a, b), c),
		"Chain(a, Chain(b, c))": strata.Chain(a, strata.Chain(b, c)),
		"by hand":               func(m strata.Model) strata.Model { return a(b(c(m))) },
	} {
		t.Run(name, func(t *testing.T) {
			m := modeltest.New("openai/a", modeltest.Answer("hi"))
			_, err := layer(m).Generate(t.Context(), strata.Prompt("hello"))
			require.NoError(t, err)
			assert.Equal(t, []string{"a", "b", "c"}, m.Calls()[0].Request.StopSequences)
		})
	}
}

func TestEmptyChainIsTheIdentity(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Answer("hi"))
	assert.Same(t, m, strata.Chain()(m))
	assert.Same(t, m, strata.Wrap(m))
}

func TestChainKeepsItsLayers(t *testing.T) {
	layers := []strata.Layer{tag("a")}
	chain := strata.Chain(layers...)
	layers[0] = nil
	m := modeltest.New("openai/a", modeltest.Answer("hi"))
	assert.NotPanics(t, func() { chain(m) })
}

func TestChainRefusesNil(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Answer("hi"))
	none := func(strata.Model) strata.Model { return nil }
	assert.PanicsWithValue(t, "strata.Chain: layer 1 is nil", func() { strata.Chain(tag("a"), nil) })
	assert.PanicsWithValue(t, "strata.Chain: the model is nil", func() { strata.Wrap(nil) })
	assert.PanicsWithValue(t, "strata.Chain: layer 1 returned a nil model", func() { strata.Wrap(m, tag("a"), none) })
	assert.PanicsWithValue(t, "strata.Funcs: the model is nil", func() { strata.Funcs{}.Layer()(nil) })
}

func TestFuncsChangeNothingByDefault(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Answer("hi"))
	wrapped := strata.Funcs{}.Layer()(m)
	req := strata.Prompt("hello")

	resp, err := wrapped.Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, "hi", resp.Text())
	resp, err = stream.Collect(wrapped.Stream(t.Context(), req))
	require.NoError(t, err)
	assert.Equal(t, "hi", resp.Text())
	assert.Equal(t, m.ID(), wrapped.ID())
	assert.Equal(t, m.ID(), resp.Model)
}

func TestFuncsRequest(t *testing.T) {
	boom := errors.New("boom")
	for name, test := range map[string]struct {
		request func(context.Context, *strata.Request) (*strata.Request, error)
		want    string
	}{
		"fails": {func(context.Context, *strata.Request) (*strata.Request, error) { return nil, boom }, "boom"},
		"returns nothing": {func(context.Context, *strata.Request) (*strata.Request, error) { return nil, nil },
			"strata: Funcs.Request returned neither a request nor an error"},
	} {
		t.Run(name, func(t *testing.T) {
			m := modeltest.New("openai/a", modeltest.Answer("hi"))
			wrapped := strata.Funcs{Request: test.request}.Layer()(m)
			_, err := wrapped.Generate(t.Context(), strata.Prompt("hello"))
			assert.EqualError(t, err, test.want)
			_, err = stream.Collect(wrapped.Stream(t.Context(), strata.Prompt("hello")))
			assert.EqualError(t, err, test.want)
			assert.Empty(t, m.Calls())
		})
	}
}

func TestFuncsWrapCalls(t *testing.T) {
	m := modeltest.New("openai/a", modeltest.Answer("hi"))
	wrapped := strata.Funcs{
		Generate: func(ctx context.Context, req *strata.Request, next strata.Model) (*strata.Response, error) {
			resp, err := next.Generate(ctx, req)
			resp.Content = append(resp.Content, strata.Text{Text: "!"})
			return resp, err
		},
		Stream: func(ctx context.Context, req *strata.Request, next strata.Model) iter.Seq2[strata.Part, error] {
			return func(yield func(strata.Part, error) bool) {
				for p, err := range next.Stream(ctx, req) {
					if d, ok := p.(strata.TextDelta); ok {
						d.Text += "?"
						p = d
					}
					if !yield(p, err) {
						return
					}
				}
			}
		},
	}.Layer()(m)
	resp, err := wrapped.Generate(t.Context(), strata.Prompt("hello"))
	require.NoError(t, err)
	assert.Equal(t, "hi!", resp.Text())
	resp, err = stream.Collect(wrapped.Stream(t.Context(), strata.Prompt("hello")))
	require.NoError(t, err)
	assert.Equal(t, "hi?", resp.Text())
}

func TestFuncsStreamOfNil(t *testing.T) {
	wrapped := strata.Funcs{
		Stream: func(context.Context, *strata.Request, strata.Model) iter.Seq2[strata.Part, error] { return nil },
	}.Layer()(modeltest.New("openai/a", modeltest.Answer("hi")))
	_, err := stream.Collect(wrapped.Stream(t.Context(), strata.Prompt("hello")))
	assert.EqualError(t, err, "strata: Stream returned a nil iterator")
}

func TestFuncsIDRewritesWhoAnswered(t *testing.T) {
	alias := strata.Funcs{ID: func(id strata.ModelID) strata.ModelID {
		id.Account = "eu"
		return id
	}}.Layer()
	own := modeltest.New("openai/a", modeltest.Answer("hi"))
	other := modeltest.New("openai/a", modeltest.Attempt{
		modeltest.Text("hi"),
		modeltest.Part(strata.Finish{Reason: strata.FinishStop, Model: strata.ModelID{Provider: "anthropic", Name: "b"}}),
	})
	for name, test := range map[string]struct {
		model strata.Model
		want  string
	}{
		"the wrapped model answered": {own, "openai/a@eu"},
		"another model answered":     {other, "anthropic/b"},
	} {
		t.Run(name, func(t *testing.T) {
			m := alias(test.model)
			assert.Equal(t, "openai/a@eu", m.ID().String())
			resp, err := m.Generate(t.Context(), strata.Prompt("hello"))
			require.NoError(t, err)
			assert.Equal(t, test.want, resp.Model.String())
			resp, err = stream.Collect(m.Stream(t.Context(), strata.Prompt("hello")))
			require.NoError(t, err)
			assert.Equal(t, test.want, resp.Model.String())
		})
	}
}

type prefiller struct{ strata.Model }

func (prefiller) Prefill() string { return "yes" }

func TestAsFindsAbilitiesBelow(t *testing.T) {
	base := prefiller{modeltest.New("openai/a", modeltest.Answer("hi"))}
	m := strata.Wrap(base, tag("a"), tag("b"))

	p, ok := strata.As[interface{ Prefill() string }](m)
	require.True(t, ok)
	assert.Equal(t, "yes", p.Prefill())
	_, ok = strata.As[prefiller](m)
	assert.True(t, ok)
	_, ok = strata.As[interface{ BatchLimit() int }](m)
	assert.False(t, ok)
	_, ok = strata.As[prefiller](nil)
	assert.False(t, ok)
}

func TestModelIDText(t *testing.T) {
	for text, id := range map[string]strata.ModelID{
		"openai/gpt-5":            {Provider: "openai", Name: "gpt-5"},
		"openai/gpt-5@eu":         {Provider: "openai", Name: "gpt-5", Account: "eu"},
		"openrouter/openai/gpt-5": {Provider: "openrouter", Name: "openai/gpt-5"},
	} {
		assert.Equal(t, text, id.String())
		parsed, err := strata.ParseModelID(text)
		assert.NoError(t, err)
		assert.Equal(t, id, parsed)
	}
	for _, text := range []string{"", "gpt-5", "/gpt-5", "openai/", "openai/gpt-5@", "openai/@eu"} {
		_, err := strata.ParseModelID(text)
		assert.ErrorContains(t, err, fmt.Sprintf("%q", text))
	}
}

func TestModelIDCovers(t *testing.T) {
	all, x, y := strata.ModelID{Provider: "p", Name: "m"}, strata.ModelID{Provider: "p", Name: "m", Account: "x"}, strata.ModelID{Provider: "p", Name: "m", Account: "y"}
	assert.True(t, all.Covers(all))
	assert.True(t, all.Covers(x))
	assert.True(t, x.Covers(x))
	assert.False(t, x.Covers(all))
	assert.False(t, x.Covers(y))
	assert.False(t, all.Covers(strata.ModelID{Provider: "p", Name: "n"}))
}
