package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/image"
	"github.com/strata-go/strata/internal/dataurl"
	"github.com/strata-go/strata/internal/exchange"
)

// Image is an [image.Model] over the images API. Make one with [NewImage]; any
// number of goroutines may use it.
//
// A Request with images asks for an edit of them (images/edits); they must be
// given by their bytes or a data URL. AspectRatio and Seed have no place on the
// wire and become warnings, unless a provider option "aspect_ratio" or "seed" is
// set. Request.ProviderOptions under the name of the [Provider] are fields of the
// request's body, over those that the Request's own fields gave. Request.Raw may
// be a func(*sdk.ImageGenerateParams), or for an edit a func(*sdk.ImageEditParams):
// it edits the parameters last, to add a mask say.
//
// An image comes by its bytes or, as from older models, by a URL that does not last
// long. The prompt that the server made of the program's is in its provider data as
// "revised_prompt". Response.Raw is a *sdk.ImagesResponse.
//
// See https://platform.openai.com/docs/api-reference/images.
type Image struct {
	endpoint
	service sdk.ImageService
}

var _ image.Model = (*Image)(nil)

// NewImage returns the image model that its provider calls name. It takes the
// options of [New] but for [MaxTokensField], and its defaults are the same. An
// empty name and invalid options panic.
func NewImage(name string, opts ...Option) *Image {
	client, at := configure("NewImage", name, opts).connect()
	return &Image{at, client.Images}
}

// Generate draws the images, with one HTTP request. Its errors are *failure.Error.
// An answer without an image is one that wraps failure.ErrNoImage.
func (m *Image) Generate(ctx context.Context, req *image.Request) (*image.Response, error) {
	if req == nil {
		return nil, exchange.Invalid(m.id, "the request is nil")
	}
	ask := m.draw
	if len(req.Images) > 0 {
		ask = m.edit
	}
	c, err := ask(ctx, req)
	if err != nil {
		return nil, err
	}
	body, err := c.body(ctx)
	if err != nil {
		return nil, err
	}
	raw := &sdk.ImagesResponse{}
	if err := json.Unmarshal(body, raw); err != nil {
		return nil, c.Malformed(body, err)
	}
	if failed := raw.JSON.ExtraFields["error"].Raw(); given(failed) {
		return nil, c.reported(failed)
	}
	images := m.images(raw)
	if len(images) == 0 {
		return nil, c.Fail(failure.Error{Err: failure.ErrNoImage})
	}
	return &image.Response{
		Model:  m.id,
		Images: images,
		Usage: strata.Usage{
			InputTokens: raw.Usage.InputTokens, OutputTokens: raw.Usage.OutputTokens, TotalTokens: raw.Usage.TotalTokens,
		},
		Metadata: metadataOf("", "", raw.Created, c.Headers),
		Warnings: m.warnings(req),
		Raw:      raw,
	}, nil
}

// draw asks for new images.
func (m *Image) draw(ctx context.Context, req *image.Request) (*call, error) {
	params := sdk.ImageGenerateParams{Model: m.id.Name, Prompt: req.Prompt, Size: sdk.ImageGenerateParamsSize(req.Size)}
	if req.N != 0 {
		params.N = sdk.Int(int64(req.N))
	}
	m.extend(&params, req.ProviderOptions)
	if edit, ok := req.Raw.(func(*sdk.ImageGenerateParams)); ok && edit != nil {
		edit(&params)
	}
	return m.send(ctx, params, req.Headers, func(opts []option.RequestOption) error {
		_, err := m.service.Generate(ctx, params, opts...)
		return err
	})
}

// edit asks for images made of others.
func (m *Image) edit(ctx context.Context, req *image.Request) (*call, error) {
	params := sdk.ImageEditParams{Model: m.id.Name, Prompt: req.Prompt, Size: sdk.ImageEditParamsSize(req.Size)}
	if req.N != 0 {
		params.N = sdk.Int(int64(req.N))
	}
	var files []io.Reader
	for i, img := range req.Images {
		mediaType, data := img.MediaType, img.Data
		if len(data) == 0 {
			var ok bool
			if mediaType, data, ok = dataurl.Parse(img.URL); !ok {
				return nil, exchange.Invalid(m.id, "images[%d]: the image has no data, and images/edits takes no address", i)
			}
		}
		mediaType = dataurl.MediaType(mediaType, data)
		name := fmt.Sprintf("image%d.%s", i, strings.TrimPrefix(mediaType, "image/"))
		files = append(files, sdk.File(bytes.NewReader(data), name, mediaType))
	}
	if len(files) == 1 {
		params.Image.OfFile = files[0] // the one form that all models take
	} else {
		params.Image.OfFileArray = files
	}
	m.extend(&params, req.ProviderOptions)
	if edit, ok := req.Raw.(func(*sdk.ImageEditParams)); ok && edit != nil {
		edit(&params)
	}
	return m.send(ctx, params, req.Headers, func(opts []option.RequestOption) error {
		_, err := m.service.Edit(ctx, params, opts...)
		return err
	})
}

func (m *Image) warnings(req *image.Request) (warnings []strata.Warning) {
	options := req.ProviderOptions[m.id.Provider]
	warn := func(setting, field string, set bool) {
		if _, given := options[field]; set && !given {
			warnings = append(warnings, strata.Warning{Setting: setting, Message: fmt.Sprintf("the images API has no %s; it was left out", field)})
		}
	}
	warn("AspectRatio", "aspect_ratio", req.AspectRatio != "")
	warn("Seed", "seed", req.Seed != nil)
	return warnings
}

// images are the images of the answer.
func (m *Image) images(raw *sdk.ImagesResponse) (images []strata.Image) {
	for _, d := range raw.Data {
		img := strata.Image{URL: d.URL}
		if mediaType, data, ok := dataurl.Parse(d.URL); ok {
			img = strata.Image{MediaType: mediaType, Data: data}
		}
		if data, err := base64.StdEncoding.DecodeString(d.B64JSON); err == nil && len(data) > 0 {
			img = strata.Image{MediaType: imageType(string(raw.OutputFormat), data), Data: data}
		}
		if img.URL == "" && img.Data == nil {
			continue
		}
		if d.RevisedPrompt != "" {
			img.ProviderData = strata.ProviderData{m.id.Provider: {"revised_prompt": d.RevisedPrompt}}
		}
		images = append(images, img)
	}
	return images
}

// imageType is the media type of an image, by the wire's word for its format or,
// without one, by its bytes.
func imageType(format string, data []byte) string {
	if format == "" {
		return http.DetectContentType(data)
	}
	return "image/" + cmp.Or(map[string]string{"jpg": "jpeg", "svg": "svg+xml"}[format], format)
}
