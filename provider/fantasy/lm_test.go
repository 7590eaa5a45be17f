package fantasy_test

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"sync"
	"testing"

	sdk "charm.land/fantasy"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
)

// scripted is a fantasy model that plays what it was given, and keeps what it was
// asked.
type scripted struct {
	provider, name string

	resp    *sdk.Response
	parts   []sdk.StreamPart
	object  *sdk.ObjectResponse
	objects []sdk.ObjectStreamPart
	err     error
	hang    bool // behind the parts

	mu         sync.Mutex
	call       sdk.Call
	objectCall sdk.ObjectCall
	calls      int
	ctx        context.Context
}

func (s *scripted) Provider() string { return s.provider }
func (s *scripted) Model() string    { return s.name }

func (s *scripted) asked(ctx context.Context, call sdk.Call, object sdk.ObjectCall) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	s.call, s.objectCall, s.ctx = call, object, ctx
}

func (s *scripted) Generate(ctx context.Context, call sdk.Call) (*sdk.Response, error) {
	s.asked(ctx, call, sdk.ObjectCall{})
	return s.resp, s.err
}

func (s *scripted) Stream(ctx context.Context, call sdk.Call) (sdk.StreamResponse, error) {
	s.asked(ctx, call, sdk.ObjectCall{})
	if s.err != nil {
		return nil, s.err
	}
	return func(yield func(sdk.StreamPart) bool) {
		for _, p := range s.parts {
			if !yield(p) {
				return
			}
		}
		if s.hang {
			<-ctx.Done()
			yield(sdk.StreamPart{Type: sdk.StreamPartTypeError, Error: ctx.Err()})
		}
	}, nil
}

func (s *scripted) GenerateObject(ctx context.Context, call sdk.ObjectCall) (*sdk.ObjectResponse, error) {
	s.asked(ctx, sdk.Call{}, call)
	return s.object, s.err
}

func (s *scripted) StreamObject(ctx context.Context, call sdk.ObjectCall) (sdk.ObjectStreamResponse, error) {
	s.asked(ctx, sdk.Call{}, call)
	if s.err != nil {
		return nil, s.err
	}
	return func(yield func(sdk.ObjectStreamPart) bool) {
		for _, p := range s.objects {
			if !yield(p) {
				return
			}
		}
	}, nil
}

func lm() *scripted { return &scripted{provider: "acme", name: "one"} }

// through is a fantasy model around another, as a program may write one: what New
// takes out of Wrap is not to be seen through it.
type through struct{ sdk.LanguageModel }

// identity is a layer that changes nothing and hides what it wraps no more than
// any other.
var identity = strata.Funcs{
	Stream: func(ctx context.Context, req *strata.Request, next strata.Model) iter.Seq2[strata.Part, error] {
		return next.Stream(ctx, req)
	},
}.Layer()

// note is provider metadata as fantasy's providers have it.
type note struct {
	Text string `json:"text"`
}

const noteType = "acme.note"

func init() {
	sdk.RegisterProviderType(noteType, func(data []byte) (sdk.ProviderOptionsData, error) {
		n := &note{}
		return n, n.UnmarshalJSON(data)
	})
	sdk.RegisterProviderType("acme.options", func(data []byte) (sdk.ProviderOptionsData, error) {
		o := &acmeOptions{}
		return o, o.UnmarshalJSON(data)
	})
}

func (*note) Options() {}

func (n note) MarshalJSON() ([]byte, error) {
	type plain note
	return sdk.MarshalProviderType(noteType, plain(n))
}

func (n *note) UnmarshalJSON(data []byte) error {
	type plain note
	return sdk.UnmarshalProviderType(data, (*plain)(n))
}

// acmeOptions are options of a call.
type acmeOptions struct {
	Effort string `json:"effort"`
}

func (*acmeOptions) Options() {}

func (o acmeOptions) MarshalJSON() ([]byte, error) {
	type plain acmeOptions
	return sdk.MarshalProviderType("acme.options", plain(o))
}

func (o *acmeOptions) UnmarshalJSON(data []byte) error {
	type plain acmeOptions
	return sdk.UnmarshalProviderType(data, (*plain)(o))
}

// collect ranges over a stream and returns its parts and its error. It fails the
// test where the stream breaks its contract.
func collect(t *testing.T, stream iter.Seq2[strata.Part, error]) ([]strata.Part, error) {
	t.Helper()
	var parts []strata.Part
	var failed error
	ended := false
	for part, err := range stream {
		require.False(t, ended, "a part behind the end: %#v", part)
		if err != nil {
			require.Nil(t, part, "a part beside an error")
			ended, failed = true, err
			continue
		}
		require.NotNil(t, part)
		_, ended = part.(strata.Finish)
		parts = append(parts, part)
	}
	require.True(t, ended, "the stream ended with neither a finish nor an error")
	return parts, failed
}

// received ranges over a stream of fantasy's.
func received(t *testing.T, model sdk.LanguageModel, call sdk.Call) []sdk.StreamPart {
	t.Helper()
	stream, err := model.Stream(t.Context(), call)
	require.NoError(t, err)
	var parts []sdk.StreamPart
	for p := range stream {
		parts = append(parts, p)
	}
	return parts
}

func header(name, value string) http.Header {
	h := http.Header{}
	h.Set(name, value)
	return h
}

var errBoom = errors.New("boom")

func ptr[T any](v T) *T { return &v }
