package image_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/image"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/when"
)

// painter draws as many images as it is asked for, behind failures.
type painter struct {
	name  string
	fails []error
	drawn int // images; as many as it is asked for if that is 0, none below
	asked []*image.Request
}

func (p *painter) ID() strata.ModelID { return strata.ModelID{Provider: p.name, Name: "painter"} }

func (p *painter) Generate(_ context.Context, req *image.Request) (*image.Response, error) {
	p.asked = append(p.asked, req.Clone())
	if call := len(p.asked); call <= len(p.fails) {
		return nil, p.fails[call-1]
	}
	n := p.drawn
	if n == 0 {
		n = max(req.N, 1)
	}
	return &image.Response{Model: p.ID(), Images: make([]strata.Image, max(n, 0))}, nil
}

func TestWithReplacesTheFieldsThatAreSet(t *testing.T) {
	one, two := int64(1), int64(2)
	full := &image.Request{
		Prompt: "a", Images: []strata.Image{{URL: "a"}}, N: 1, Size: "1x1", AspectRatio: "1:1", Seed: &one,
		Headers: http.Header{"A": {"1"}}, ProviderOptions: strata.ProviderData{"openai": {"user": "ann"}}, Raw: 1,
	}
	other := &image.Request{
		Prompt: "b", Images: []strata.Image{{URL: "b"}}, N: 2, Size: "2x2", AspectRatio: "2:1", Seed: &two,
		Headers: http.Header{"B": {"2"}}, ProviderOptions: strata.ProviderData{"google": {"x": 1}}, Raw: 2,
	}
	before := full.Clone()
	assert.Equal(t, full, full.With(&image.Request{}))
	assert.Equal(t, other, full.With(other))
	assert.Equal(t, other, (&image.Request{}).With(other))

	c := full.With(&image.Request{N: 5})
	c.Images[0].URL, c.ProviderOptions["openai"]["user"], *c.Seed = "changed", "bob", 9
	c.Headers.Set("A", "changed")
	assert.Equal(t, before, full, "it shares nothing with the copy")
}

// An answer without an image is a failure, whichever layer is the first to see it.
func TestNoImage(t *testing.T) {
	for name, layer := range map[string]image.Layer{
		"lifted": image.Lift(), "backoff": image.Backoff(), "fallback": image.Fallback(), "rules": image.Rules(),
		"observed": image.Observe(), "with a timeout": image.Timeout(),
	} {
		_, err := layer(&painter{name: "a", drawn: -1}).Generate(t.Context(), &image.Request{Prompt: "A sky"})
		assert.ErrorIs(t, err, failure.ErrNoImage, name)
		assert.EqualError(t, err, "a/painter: unknown: image: no image was generated", name)
	}
	spare := &painter{name: "b"}
	for _, layer := range []image.Layer{image.Fallback(spare), image.Rules(retry.Switch[image.Model](when.NoImage(), spare))} {
		resp, err := layer(&painter{name: "a", drawn: -1}).Generate(t.Context(), &image.Request{Prompt: "A sky"})
		require.NoError(t, err)
		assert.Equal(t, spare.ID(), resp.Model)
	}
}

func ExampleWrap() {
	busy := &failure.Error{Kind: failure.Overload, Message: "busy"}
	gpt, imagen := &painter{name: "openai", fails: []error{busy, busy}}, &painter{name: "google"}
	model := image.Wrap(gpt,
		image.Fallback(imagen),
		image.Backoff(middleware.Attempts(2), middleware.Base(0)),
	)
	resp, err := model.Generate(context.Background(), &image.Request{Prompt: "A blue sky", N: 2, Size: "1024x1024"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Model, len(resp.Images))
	// Output: google/painter 2
}

func ExampleRules() {
	model := image.Wrap(&painter{name: "openai", drawn: -1}, image.Rules(
		retry.Switch[image.Model](when.NoImage(), &painter{name: "google"}, retry.Set(image.Request{N: 1, AspectRatio: "16:9"})),
		when.Retryable().Retry(retry.Attempts(3)),
	))
	resp, err := model.Generate(context.Background(), &image.Request{Prompt: "A blue sky", N: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Model, len(resp.Images))
	// Output: google/painter 1
}
