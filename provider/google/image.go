package google

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/image"
	"github.com/strata-go/strata/internal/exchange"
)

// Image is an [image.Model] over Gemini models that draw, and over Imagen. Make one
// with [NewImage]; any number of goroutines may use it.
//
// A Gemini model is asked as a language model is, for images beside text; what it
// says of them is in Response.ProviderData as "text", and Response.Raw is a
// *genai.GenerateContentResponse. It draws as many images as it likes: N above one
// becomes a warning. Request.Raw may be a func(*genai.GenerateContentConfig).
//
// A model with "imagen" in its name is one of Vertex AI alone, which the SDK asks no
// other way; it draws from no images. Request.Raw may be a
// func(*genai.GenerateImagesConfig), and Response.Raw is a
// *genai.GenerateImagesResponse. The SDK writes once to the standard log that
// Imagen is on its way out.
//
// Size is one of Google's own ("1K", "2K", "4K"); another becomes a warning.
// Request.ProviderOptions under the name of the [Provider] are fields of the JSON
// body, as for a [Model].
//
// See https://ai.google.dev/gemini-api/docs/image-generation.
type Image struct{ *client }

var _ image.Model = (*Image)(nil)

// NewImage returns the image model that Google calls name. It takes the options of
// [New], and its defaults are the same. An empty name and invalid options panic.
func NewImage(name string, opts ...Option) *Image {
	return &Image{newClient("NewImage", name, opts)}
}

// Generate draws the images, with one HTTP request. Its errors are *failure.Error.
// An answer without an image is one that wraps failure.ErrNoImage, of kind content
// where Google filtered it or the model said why it would not draw.
func (m *Image) Generate(ctx context.Context, req *image.Request) (*image.Response, error) {
	if req == nil {
		return nil, exchange.Invalid(m.id, "the request is nil")
	}
	if strings.Contains(m.id.Name, "imagen") {
		return m.predict(ctx, req)
	}
	return m.draw(ctx, req)
}

// sizes are those that Google has.
var sizes = regexp.MustCompile(`^\d+K?$`)

// size returns the size that is sent, and a warning for one that is not.
func size(req *image.Request) (string, []strata.Warning) {
	if req.Size == "" || sizes.MatchString(req.Size) {
		return req.Size, nil
	}
	return "", []strata.Warning{{Setting: "Size", Message: "Google's sizes are 1K, 2K and 4K; it was left out"}}
}

// draw asks a Gemini model.
func (m *Image) draw(ctx context.Context, req *image.Request) (*image.Response, error) {
	message := strata.UserMessage(req.Prompt)
	for _, i := range req.Images {
		message.Content = append(message.Content, i)
	}
	config := &genai.ImageConfig{AspectRatio: req.AspectRatio}
	var own []strata.Warning
	config.ImageSize, own = size(req)
	if req.N > 1 {
		own = append(own, strata.Warning{Setting: "N", Message: "Gemini draws as many images as it likes; it was left out"})
	}
	c, warnings, err := (&Model{m.client}).ask(ctx, &strata.Request{
		Messages: []strata.Message{message}, Seed: req.Seed,
		Headers: req.Headers, ProviderOptions: req.ProviderOptions, Raw: req.Raw,
	}, false, func(p *genai.GenerateContentConfig) {
		p.ResponseModalities = []string{"TEXT", "IMAGE"}
		if config.AspectRatio != "" || config.ImageSize != "" {
			p.ImageConfig = config
		}
	})
	if err != nil {
		return nil, err
	}
	defer c.close()
	answer, err := c.response(append(own, warnings...))
	if err != nil {
		return nil, err
	}
	return c.drawn(answer)
}

// undrawn is the failure of a call that the model or a filter would not draw. It
// does not repeat the model's words.
func (c *call) undrawn(code string) error {
	return c.Fail(failure.Error{Kind: failure.Content, Code: code, Err: fmt.Errorf("%w: %w", exchange.ErrRefused, failure.ErrNoImage)})
}

// drawn are the images of a Gemini model's answer.
func (c *call) drawn(answer *strata.Response) (*image.Response, error) {
	resp := &image.Response{
		Model: answer.Model, Usage: answer.Usage, Metadata: answer.Metadata, Warnings: answer.Warnings,
		ProviderData: answer.ProviderData.Clone(), Raw: answer.Raw,
	}
	provider := c.Model.Provider
	for _, content := range answer.Content {
		f, ok := content.(strata.File)
		if thought, _ := f.ProviderData[provider]["thought"].(bool); ok && !thought && (len(f.Data) > 0 || f.URL != "") { // it may draw to think
			resp.Images = append(resp.Images, strata.Image{MediaType: f.MediaType, Data: f.Data, URL: f.URL, ProviderData: f.ProviderData})
		}
	}
	switch {
	case len(resp.Images) > 0:
	case answer.FinishReason == strata.FinishContentFilter, answer.Text() != "": // which says why not
		return nil, c.undrawn(answer.RawFinishReason)
	default:
		return nil, c.Fail(failure.Error{Code: answer.RawFinishReason, Err: failure.ErrNoImage})
	}
	if text := answer.Text(); text != "" {
		if resp.ProviderData == nil {
			resp.ProviderData = strata.ProviderData{provider: {}}
		}
		resp.ProviderData[provider]["text"] = text
	}
	return resp, nil
}

// predict asks an Imagen model.
func (m *Image) predict(ctx context.Context, req *image.Request) (*image.Response, error) {
	params := &genai.GenerateImagesConfig{
		NumberOfImages: int32(req.N), AspectRatio: req.AspectRatio,
		IncludeRAIReason: true, // without it an image that was filtered is just not there
	}
	var warnings []strata.Warning
	params.ImageSize, warnings = size(req)
	if len(req.Images) > 0 {
		warnings = append(warnings, strata.Warning{Setting: "Images", Message: "Imagen draws from words alone here; they were left out"})
	}
	if s := req.Seed; s != nil && int64(int32(*s)) != *s {
		warnings = append(warnings, longSeed)
	} else {
		params.Seed = number[int32](s)
	}
	if edit, ok := req.Raw.(func(*genai.GenerateImagesConfig)); ok && edit != nil {
		edit(params)
	}
	o := genai.HTTPOptions{}
	if params.HTTPOptions != nil {
		o = *params.HTTPOptions
	}
	params.HTTPOptions = &o
	edit := func(body map[string]any) { merge(body, req.ProviderOptions[m.id.Provider]) }
	c, err := m.send(ctx, params, &o, req.Headers, edit, func(ctx context.Context) error {
		_, err := m.models.GenerateImages(ctx, m.id.Name, req.Prompt, params)
		return err
	})
	if err != nil {
		return nil, err
	}
	defer c.close()
	resp, err := c.predictions()
	if err != nil {
		return nil, err
	}
	resp.Warnings = warnings
	return resp, nil
}

// predictions are the images of an Imagen model's answer.
func (c *call) predictions() (*image.Response, error) {
	body, err := c.body()
	if err != nil {
		return nil, err
	}
	var wire struct {
		Predictions []struct {
			BytesBase64Encoded                          []byte
			MimeType, GCSURI, RaiFilteredReason, Prompt string
		}
		Error json.RawMessage
	}
	if err := json.Unmarshal(body, &wire); err != nil {
		return nil, c.Malformed(body, err)
	}
	if given(wire.Error) {
		return nil, c.Reported(string(body))
	}
	raw := &genai.GenerateImagesResponse{}
	resp := &image.Response{Model: c.Model, Metadata: strata.ResponseMetadata{Headers: c.Headers}, Raw: raw}
	filtered := false
	for _, p := range wire.Predictions {
		filtered = filtered || p.RaiFilteredReason != ""
		drawn := &genai.GeneratedImage{RAIFilteredReason: p.RaiFilteredReason, EnhancedPrompt: p.Prompt}
		if len(p.BytesBase64Encoded) > 0 || p.GCSURI != "" {
			drawn.Image = &genai.Image{ImageBytes: p.BytesBase64Encoded, MIMEType: p.MimeType, GCSURI: p.GCSURI}
			i := strata.Image{MediaType: p.MimeType, Data: p.BytesBase64Encoded, URL: p.GCSURI}
			if p.Prompt != "" {
				i.ProviderData = strata.ProviderData{c.Model.Provider: {"prompt": p.Prompt}}
			}
			resp.Images = append(resp.Images, i)
		}
		raw.GeneratedImages = append(raw.GeneratedImages, drawn)
	}
	switch {
	case len(resp.Images) > 0:
		return resp, nil
	case filtered:
		return nil, c.undrawn("raiFilteredReason")
	}
	return nil, c.Fail(failure.Error{Err: failure.ErrNoImage})
}
