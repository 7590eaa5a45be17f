package anthropic

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/dataurl"
)

const pdf = "application/pdf"

func (e *encoder) image(c strata.Image, options strata.ProviderData) (*sdk.ImageBlockParam, error) {
	if c.Detail != "" {
		e.warn("Image.Detail", "the Messages API has no detail of images; it was left out")
	}
	p := &sdk.ImageBlockParam{}
	mediaType, data := c.MediaType, c.Data
	if t, d, ok := dataurl.Parse(c.URL); ok && len(data) == 0 {
		mediaType, data = t, d
	}
	switch {
	case len(data) > 0:
		p.Source.OfBase64 = &sdk.Base64ImageSourceParam{
			Data:      base64.StdEncoding.EncodeToString(data),
			MediaType: sdk.Base64ImageSourceMediaType(dataurl.MediaType(mediaType, data)),
		}
	case c.URL != "":
		p.Source.OfURL = &sdk.URLImageSourceParam{URL: c.URL}
	default:
		return nil, errors.New(": the image has neither data nor a URL")
	}
	e.extend(p, options, c.ProviderData)
	return p, nil
}

// file is a file as an image or as a document.
func (e *encoder) file(c strata.File, options strata.ProviderData) (*sdk.ImageBlockParam, *sdk.DocumentBlockParam, error) {
	if strings.HasPrefix(c.MediaType, "image/") {
		if c.FileID != "" {
			p := &sdk.ImageBlockParam{}
			p.Source.OfFile = &sdk.FileImageSourceParam{FileID: c.FileID}
			e.extend(p, options, c.ProviderData)
			return p, nil, nil
		}
		p, err := e.image(strata.Image{MediaType: c.MediaType, Data: c.Data, URL: c.URL, ProviderData: c.ProviderData}, options)
		return p, nil, err
	}
	source, err := documentSource(c)
	if err != nil {
		return nil, nil, err
	}
	p := &sdk.DocumentBlockParam{Source: source}
	if c.Filename != "" {
		p.Title = sdk.String(c.Filename)
	}
	e.extend(p, options, c.ProviderData)
	return nil, p, nil
}

func documentSource(c strata.File) (s sdk.DocumentBlockParamSourceUnion, err error) {
	mediaType, data := c.MediaType, c.Data
	if t, d, ok := dataurl.Parse(c.URL); ok && len(data) == 0 {
		mediaType, data = t, d
	}
	if len(data) > 0 {
		mediaType = dataurl.MediaType(mediaType, data)
	}
	switch {
	case c.FileID != "":
		s.OfFile = &sdk.FileDocumentSourceParam{FileID: c.FileID}
	case len(data) > 0 && mediaType == pdf:
		s.OfBase64 = &sdk.Base64PDFSourceParam{Data: base64.StdEncoding.EncodeToString(data)}
	case len(data) > 0 && (strings.HasPrefix(mediaType, "text/") || mediaType == "application/json"):
		s.OfText = &sdk.PlainTextSourceParam{Data: string(data)}
	case len(data) > 0:
		err = fmt.Errorf(": the Messages API takes no file of the type %q", mediaType)
	case c.URL != "":
		s.OfURL = &sdk.URLPDFSourceParam{URL: c.URL}
	default:
		err = errors.New(": the file has neither data nor a URL nor an ID")
	}
	return s, err
}
