// Package image is the boundary of image models, which draw what a prompt says.
package image

import (
	"context"
	"net/http"
	"slices"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/lift"
)

// Model draws images. Any number of goroutines may use one.
//
// Generate returns a Response or an error, never both and never neither. It must
// not change the Request. An answer without an image is an error that wraps
// failure.ErrNoImage.
type Model interface {
	ID() strata.ModelID
	Generate(ctx context.Context, req *Request) (*Response, error)
}

// A Layer wraps a Model in another that adds one concern.
type Layer func(Model) Model

// A Request is what a model is asked. Its zero fields leave the choice to the
// provider. Layers change a [Request.Clone], never the Request they are given. A
// setting that a provider cannot honour is left out and told as a
// [strata.Warning].
type Request struct {
	Prompt string

	// Images are drawn from, or drawn over, where a provider can.
	Images []strata.Image

	N           int    // how many images; 0: the provider's default, in practice one
	Size        string // "1024x1024"
	AspectRatio string // "16:9"
	Seed        *int64

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
// for the bytes of images and values inside ProviderOptions and Raw.
func (r *Request) Clone() *Request {
	c := *r
	c.Images = slices.Clone(r.Images)
	if r.Seed != nil {
		seed := *r.Seed
		c.Seed = &seed
	}
	c.Headers = r.Headers.Clone()
	c.ProviderOptions = r.ProviderOptions.Clone()
	return &c
}

// With returns a Clone of r in which each field of override that is not zero
// stands in place of r's, whole.
func (r *Request) With(override *Request) *Request {
	return lift.With(r.Clone(), override.Clone())
}

// A Response is the images that were drawn.
type Response struct {
	Model    strata.ModelID // the Model that answered, whatever layers it passed
	Images   []strata.Image
	Usage    strata.Usage
	Metadata strata.ResponseMetadata
	Warnings []strata.Warning

	// ProviderData is what the provider says beside the images.
	ProviderData strata.ProviderData

	// Raw is the SDK's own answer, where the adapter has one.
	Raw any
}
