// Package embedding is the boundary of embedding models, which turn texts into
// vectors.
package embedding

import (
	"context"
	"net/http"
	"slices"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/lift"
)

// Model turns texts into vectors, one a text, in their order. Any number of
// goroutines may use one.
//
// Embed returns a Response or an error, never both and never neither. It must
// not change the Request.
type Model interface {
	ID() strata.ModelID
	Embed(ctx context.Context, req *Request) (*Response, error)
}

// A Layer wraps a Model in another that adds one concern.
type Layer func(Model) Model

// A Request is what a model is asked. Its zero fields leave the choice to the
// provider. Layers change a [Request.Clone], never the Request they are given.
type Request struct {
	Values     []string // without one the call fails, of kind invalid
	Dimensions int      // of the vectors; 0: the model's own

	// Headers are sent with the provider's HTTP request, beside its own.
	Headers http.Header

	// ProviderOptions are settings of one provider's own, as in
	// [strata.Request].
	ProviderOptions strata.ProviderData

	// Raw is a value that one adapter knows what to do with, as its
	// documentation says.
	Raw any
}

// Clone returns a copy that shares nothing with r that either could change, but
// for values inside ProviderOptions and Raw.
func (r *Request) Clone() *Request {
	c := *r
	c.Values = slices.Clone(r.Values)
	c.Headers = r.Headers.Clone()
	c.ProviderOptions = r.ProviderOptions.Clone()
	return &c
}

// With returns a Clone of r in which each field of override that is not zero
// stands in place of r's, whole.
func (r *Request) With(override *Request) *Request {
	return lift.With(r.Clone(), override.Clone())
}

// A Response is the vectors of a Request's values.
type Response struct {
	Model      strata.ModelID // the Model that answered, whatever layers it passed
	Embeddings [][]float32    // as many as values, in their order
	Usage      strata.Usage
	Metadata   strata.ResponseMetadata
	Warnings   []strata.Warning

	// ProviderData is what the provider says beside the vectors.
	ProviderData strata.ProviderData

	// Raw is the SDK's own answer, where the adapter has one.
	Raw any
}
