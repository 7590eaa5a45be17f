package middleware_test

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/embedding"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/image"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/when"
)

// What the tests of embedding and image models share: one table of tests, which
// each family runs.

// kit is a family of models M with layers L, as the tests see it.
type kit[M middleware.Rule, L ~func(M) M, Req, Resp any] struct {
	model func(*played[Req, Resp]) M
	draw  func(id strata.ModelID, req *Req) *Resp // an answer
	none  *Resp                                   // one with nothing in it
	ask   func(M, context.Context, *Req) (*Resp, error)
	by    func(*Resp) strata.ModelID
	clone func(*Req) *Req

	request *Req // with every field that an override may replace
	fields  map[string]field[Req]

	chain           func(...L) L
	lift            func(...strata.Layer) L
	backoff         func(...middleware.BackoffOption) L
	timeout         func(...middleware.TimeoutOption) L
	sticky          func(...middleware.StickyOption) L
	cooldown        func(...middleware.CooldownOption) L
	observe         func(...middleware.ObserveOption) L
	fallback        func(...M) L
	rules           func(...middleware.Rule) L
	keyPool         func(...M) M
	keyPoolWith     func([]M, ...middleware.KeyPoolOption) M
	nextTier        func(...M) middleware.KeyPoolOption
	onRetry         func(func(context.Context, strata.RetryInfo) *Req) middleware.ObserveOption
	result          func(func(context.Context, *Resp) bool) when.Condition
	base            func(M) (*played[Req, Resp], bool)
	operation, name string
}

// field is a field of a request, and what it is in a request that is overridden.
type field[Req any] struct {
	override Req
	change   func(*Req)
}

// A reply is what a played model does in one call: it answers, unless it is told
// otherwise.
type reply struct {
	after time.Duration
	err   error
	stuck bool // until the caller goes
	none  bool // an answer with nothing in it
}

var (
	serves    = reply{}
	hangs     = reply{stuck: true}
	overload  = reply{err: rejected(529, "Overloaded")}
	throttle  = reply{err: rejected(429, "Slow down")}
	badGate   = reply{err: rejected(502, "bad gateway")}
	noField   = reply{err: rejected(400, "no such field")}
	brokenKey = reply{err: rejected(401, "bad key")}
)

// played is a model that plays a script, as modeltest's is; the last reply
// repeats.
type played[Req, Resp any] struct {
	id     strata.ModelID
	script []reply
	answer func(strata.ModelID, *Req) *Resp
	none   *Resp
	clone  func(*Req) *Req

	mu    sync.Mutex
	calls []playedCall[Req]
}

type playedCall[Req any] struct {
	Request *Req // a copy, as it was at the time
	Time    time.Time
	Context context.Context
}

func (p *played[Req, Resp]) ID() strata.ModelID { return p.id }

func (p *played[Req, Resp]) Calls() []playedCall[Req] {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]playedCall[Req](nil), p.calls...)
}

func (p *played[Req, Resp]) play(ctx context.Context, req *Req) (*Resp, error) {
	p.mu.Lock()
	r := p.script[min(len(p.calls), len(p.script)-1)]
	p.calls = append(p.calls, playedCall[Req]{p.clone(req), time.Now(), ctx})
	p.mu.Unlock()
	if r.stuck {
		<-ctx.Done()
	}
	if r.after > 0 {
		select {
		case <-time.After(r.after):
		case <-ctx.Done():
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case r.err != nil:
		return nil, r.err
	case r.none:
		return p.none, nil
	}
	return p.answer(p.id, req), nil
}

type playedEmbedding struct {
	*played[embedding.Request, embedding.Response]
}

func (p playedEmbedding) Embed(ctx context.Context, req *embedding.Request) (*embedding.Response, error) {
	return p.play(ctx, req)
}

type playedImage struct {
	*played[image.Request, image.Response]
}

func (p playedImage) Generate(ctx context.Context, req *image.Request) (*image.Response, error) {
	return p.play(ctx, req)
}

var tokens = strata.Usage{InputTokens: 3, TotalTokens: 3}

var embeddings = kit[embedding.Model, embedding.Layer, embedding.Request, embedding.Response]{
	name: "embedding", operation: "embeddings",
	model: func(p *played[embedding.Request, embedding.Response]) embedding.Model { return playedEmbedding{p} },
	draw: func(id strata.ModelID, req *embedding.Request) *embedding.Response {
		resp := &embedding.Response{Model: id, Usage: tokens, Raw: "the SDK's"}
		for _, v := range req.Values {
			resp.Embeddings = append(resp.Embeddings, []float32{float32(len(v)), 1})
		}
		return resp
	},
	none:  &embedding.Response{},
	ask:   embedding.Model.Embed,
	by:    func(r *embedding.Response) strata.ModelID { return r.Model },
	clone: (*embedding.Request).Clone,
	request: &embedding.Request{
		Values: []string{"a", "bc"}, Dimensions: 2, Raw: "raw",
		Headers:         http.Header{"X-Tenant": {"a"}, "X-Trace": {"1"}},
		ProviderOptions: strata.ProviderData{"openai": {"user": "primary", "store": true}},
	},
	fields: map[string]field[embedding.Request]{
		"values":     {embedding.Request{Values: []string{"sanitized", "too"}}, func(r *embedding.Request) { r.Values = []string{"sanitized", "too"} }},
		"headers":    {embedding.Request{Headers: http.Header{"X-Tenant": {"b"}}}, func(r *embedding.Request) { r.Headers = http.Header{"X-Tenant": {"b"}} }},
		"options":    {embedding.Request{ProviderOptions: spareOptions}, func(r *embedding.Request) { r.ProviderOptions = spareOptions }},
		"raw":        {embedding.Request{Raw: 1}, func(r *embedding.Request) { r.Raw = 1 }},
		"dimensions": {embedding.Request{Dimensions: 3}, func(r *embedding.Request) { r.Dimensions = 3 }},
	},
	chain: embedding.Chain, lift: embedding.Lift, backoff: embedding.Backoff, timeout: embedding.Timeout,
	sticky: embedding.Sticky, cooldown: embedding.Cooldown, observe: embedding.Observe, fallback: embedding.Fallback,
	rules: embedding.Rules, keyPool: embedding.KeyPool, keyPoolWith: embedding.KeyPoolWith, nextTier: embedding.NextTier,
	onRetry: embedding.OnRetry, result: embedding.Result,
	base: func(m embedding.Model) (*played[embedding.Request, embedding.Response], bool) {
		p, ok := embedding.As[playedEmbedding](m)
		return p.played, ok
	},
}

var images = kit[image.Model, image.Layer, image.Request, image.Response]{
	name: "image", operation: "generate_content",
	model: func(p *played[image.Request, image.Response]) image.Model { return playedImage{p} },
	draw: func(id strata.ModelID, req *image.Request) *image.Response {
		return &image.Response{Model: id, Usage: tokens, Raw: "the SDK's", Images: make([]strata.Image, max(req.N, 1))}
	},
	none:  &image.Response{},
	ask:   image.Model.Generate,
	by:    func(r *image.Response) strata.ModelID { return r.Model },
	clone: (*image.Request).Clone,
	request: &image.Request{
		Prompt: "A sky", Images: []strata.Image{{URL: "https://example.com/sky.png"}}, N: 2, Size: "512x512", AspectRatio: "1:1",
		Seed: ptr(int64(1)), Raw: "raw",
		Headers:         http.Header{"X-Tenant": {"a"}, "X-Trace": {"1"}},
		ProviderOptions: strata.ProviderData{"openai": {"user": "primary", "store": true}},
	},
	fields: map[string]field[image.Request]{
		"prompt":       {image.Request{Prompt: "A calm sky"}, func(r *image.Request) { r.Prompt = "A calm sky" }},
		"images":       {image.Request{Images: []strata.Image{{URL: "b"}}}, func(r *image.Request) { r.Images = []strata.Image{{URL: "b"}} }},
		"n":            {image.Request{N: 1}, func(r *image.Request) { r.N = 1 }},
		"size":         {image.Request{Size: "1024x1024"}, func(r *image.Request) { r.Size = "1024x1024" }},
		"aspect_ratio": {image.Request{AspectRatio: "16:9"}, func(r *image.Request) { r.AspectRatio = "16:9" }},
		"seed":         {image.Request{Seed: ptr(int64(42))}, func(r *image.Request) { r.Seed = ptr(int64(42)) }},
		"headers":      {image.Request{Headers: http.Header{"X-Tenant": {"b"}}}, func(r *image.Request) { r.Headers = http.Header{"X-Tenant": {"b"}} }},
		"options":      {image.Request{ProviderOptions: spareOptions}, func(r *image.Request) { r.ProviderOptions = spareOptions }},
		"raw":          {image.Request{Raw: 1}, func(r *image.Request) { r.Raw = 1 }},
	},
	chain: image.Chain, lift: image.Lift, backoff: image.Backoff, timeout: image.Timeout,
	sticky: image.Sticky, cooldown: image.Cooldown, observe: image.Observe, fallback: image.Fallback,
	rules: image.Rules, keyPool: image.KeyPool, keyPoolWith: image.KeyPoolWith, nextTier: image.NextTier,
	onRetry: image.OnRetry, result: image.Result,
	base: func(m image.Model) (*played[image.Request, image.Response], bool) {
		p, ok := image.As[playedImage](m)
		return p.played, ok
	},
}

var spareOptions = strata.ProviderData{"openai": {"user": "spare"}}

// both runs each row for both families. The log of one that fails says for which.
func both(embeddings, images rows) rows {
	together := maps.Clone(embeddings)
	for name := range images {
		together[name] = func(t *testing.T) {
			t.Log("embedding models")
			embeddings[name](t)
			t.Log("image models")
			images[name](t)
		}
	}
	return together
}

// new returns a model with a script, which always answers if there is none.
func (k *kit[M, L, Req, Resp]) new(id string, script ...reply) (M, *played[Req, Resp]) {
	parsed, err := strata.ParseModelID(id)
	if err != nil {
		panic(err)
	}
	if len(script) == 0 {
		script = []reply{serves}
	}
	p := &played[Req, Resp]{id: parsed, script: script, answer: k.draw, none: k.none, clone: k.clone}
	return k.model(p), p
}

// gpt is the model that most tests wrap, and claude the one behind it.
func (k *kit[M, L, Req, Resp]) gpt(script ...reply) M {
	m, _ := k.new("openai/gpt-5", script...)
	return m
}

func (k *kit[M, L, Req, Resp]) claude(script ...reply) M {
	m, _ := k.new("anthropic/claude", script...)
	return m
}

// served returns who answers a call, or nobody's "", and the call's error.
func (k *kit[M, L, Req, Resp]) served(ctx context.Context, m M) (string, error) {
	resp, err := k.ask(m, ctx, k.request)
	if err != nil {
		return "", err
	}
	return k.by(resp).String(), nil
}

func (k *kit[M, L, Req, Resp]) mustServe(t *testing.T, want string, m M) {
	t.Helper()
	by, err := k.served(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, want, by)
}

// gapsOf returns the times between the calls of a model that answers at once.
func gapsOf[Req, Resp any](p *played[Req, Resp]) (waits []time.Duration) {
	calls := p.Calls()
	for i := 1; i < len(calls); i++ {
		waits = append(waits, calls[i].Time.Sub(calls[i-1].Time))
	}
	return waits
}

// kindOf is the kind of an error, or "" of none.
func kindOf(err error) failure.Kind {
	if err == nil {
		return ""
	}
	return failure.Of(err)
}
