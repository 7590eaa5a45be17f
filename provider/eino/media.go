package eino

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/cloudwego/eino/schema"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/dataurl"
)

// part is a piece of a message's content: what the parts that eino has for a
// user's, for an assistant's and for older messages have in common.
type part struct {
	kind   schema.ChatMessagePartType
	text   string
	media  schema.MessagePartCommon
	detail schema.ImageURLDetail
	name   string
	extra  map[string]any
}

// partOf is the part that a content becomes, and false for one that is none.
// What eino has no field for stands in its extra.
func partOf(c strata.Content, output bool) (part, bool) {
	var p part
	var data strata.ProviderData
	switch c := c.(type) {
	case strata.Text:
		p, data = part{kind: schema.ChatMessagePartTypeText, text: c.Text}, c.ProviderData
	case strata.Image:
		p, data = media(schema.ChatMessagePartTypeImageURL, c.MediaType, c.URL, c.Data), c.ProviderData
		p.detail = schema.ImageURLDetail(c.Detail)
	case strata.File:
		p, data = media(partType(c.MediaType), c.MediaType, c.URL, c.Data), c.ProviderData
		if p.kind == schema.ChatMessagePartTypeFileURL {
			p.name = c.Filename
		}
	default:
		return p, false
	}
	extra, _ := data[PartKey]["extra"].(map[string]any)
	p.extra = maps.Clone(extra)
	if kind, ok := data[PartKey]["type"].(string); ok && p.kind == schema.ChatMessagePartTypeFileURL {
		p.kind = schema.ChatMessagePartType(kind)
	}
	if p.kind != schema.ChatMessagePartTypeText {
		p.media.Extra = maps.Clone(data[DataKey])
	}
	if back, err := p.content(output); err != nil || !reflect.DeepEqual(back, c) {
		p.extra = withCarried(p.extra, plainContent(bare(c)))
	}
	return p, true
}

func media(kind schema.ChatMessagePartType, mediaType, url string, data []byte) part {
	p := part{kind: kind}
	p.media.MIMEType = mediaType
	if len(data) > 0 {
		encoded := base64.StdEncoding.EncodeToString(data)
		p.media.Base64Data, p.media.MIMEType = &encoded, dataurl.MediaType(mediaType, data)
	}
	if url != "" {
		p.media.URL = &url
	}
	return p
}

func partType(mediaType string) schema.ChatMessagePartType {
	family, _, _ := strings.Cut(mediaType, "/")
	switch family {
	case "image":
		return schema.ChatMessagePartTypeImageURL
	case "audio":
		return schema.ChatMessagePartTypeAudioURL
	case "video":
		return schema.ChatMessagePartTypeVideoURL
	}
	return schema.ChatMessagePartTypeFileURL
}

// bare is a content without what stands in fields of eino's own.
func bare(c strata.Content) strata.Content {
	switch c := c.(type) {
	case strata.Text:
		return strata.Text{ProviderData: foreign(c.ProviderData)}
	case strata.Image:
		c.Data, c.URL, c.ProviderData = nil, "", foreign(c.ProviderData)
		return c
	case strata.File:
		c.Data, c.URL, c.ProviderData = nil, "", foreign(c.ProviderData)
		return c
	}
	return c
}

// content is the content that a part is. An image in an answer is a File, as in
// the parts of a stream.
func (p part) content(output bool) (strata.Content, error) {
	url, data, err := p.source()
	if err != nil {
		return nil, err
	}
	mediaType := p.media.MIMEType
	if url, embedded, ok := p.embedded(url); ok {
		return part{p.kind, p.text, embedded, p.detail, p.name, p.extra}.content(output)
	} else if url == "" && data == nil && p.kind != schema.ChatMessagePartTypeText && carried(p.extra) == nil {
		return nil, fmt.Errorf("the part of type %q has neither data nor a URL", p.kind)
	}
	fields := with(with(nil, PartKey, p.besides()), DataKey, own(p.media.Extra))
	switch c := contentFrom(carried(p.extra)).(type) {
	case strata.Text:
		c.Text, c.ProviderData = p.text, merged(c.ProviderData, fields)
		return c, nil
	case strata.Image:
		c.URL, c.Data, c.ProviderData = url, data, merged(c.ProviderData, fields)
		return c, nil
	case strata.File:
		c.URL, c.Data, c.ProviderData = url, data, merged(c.ProviderData, fields)
		return c, nil
	}
	switch p.kind {
	case schema.ChatMessagePartTypeText:
		return strata.Text{Text: p.text, ProviderData: fields}, nil
	case schema.ChatMessagePartTypeImageURL:
		if !output {
			return strata.Image{MediaType: mediaType, URL: url, Data: data, Detail: string(p.detail), ProviderData: fields}, nil
		}
	case schema.ChatMessagePartTypeAudioURL, schema.ChatMessagePartTypeVideoURL, schema.ChatMessagePartTypeFileURL:
	default:
		return nil, fmt.Errorf("the part is of the unknown type %q", p.kind)
	}
	return strata.File{MediaType: mediaType, Filename: p.name, URL: url, Data: data, ProviderData: fields}, nil
}

// besides is what the part has that no content has a field for.
func (p part) besides() map[string]any {
	fields := map[string]any{}
	if extra := own(p.extra); extra != nil {
		fields["extra"] = extra
	}
	if (p.kind == schema.ChatMessagePartTypeAudioURL || p.kind == schema.ChatMessagePartTypeVideoURL) && p.kind != partType(p.media.MIMEType) {
		fields["type"] = string(p.kind)
	}
	return fields
}

// merged is data with the fields of more besides.
func merged(data, more strata.ProviderData) strata.ProviderData {
	if data == nil {
		return more
	}
	maps.Copy(data, more)
	return data
}

// source is where a part's media is.
func (p part) source() (url string, data []byte, err error) {
	if p.media.URL != nil {
		url = *p.media.URL
	}
	if p.media.Base64Data != nil && *p.media.Base64Data != "" {
		if data, err = decode(*p.media.Base64Data); err != nil {
			return "", nil, errors.New("the data is not in base64")
		}
	}
	return url, data, nil
}

func decode(s string) ([]byte, error) {
	if _, data, ok := dataurl.Parse(s); ok {
		return data, nil
	}
	return base64.StdEncoding.DecodeString(s)
}

// embedded is the media of a URL that holds it itself: not every model takes
// those, and eino's own advice is to keep data and URL apart.
func (p part) embedded(url string) (string, schema.MessagePartCommon, bool) {
	mediaType, data, ok := dataurl.Parse(url)
	if !ok || p.media.Base64Data != nil {
		return url, p.media, false
	}
	encoded, m := base64.StdEncoding.EncodeToString(data), p.media
	m.URL, m.Base64Data = nil, &encoded
	if m.MIMEType == "" {
		m.MIMEType = mediaType
	}
	return "", m, true
}

// input is the part as one of a user's message or of a tool's result.
func (p part) input() schema.MessageInputPart {
	in := schema.MessageInputPart{Type: p.kind, Text: p.text, Extra: p.extra}
	switch p.kind {
	case schema.ChatMessagePartTypeImageURL:
		in.Image = &schema.MessageInputImage{MessagePartCommon: p.media, Detail: p.detail}
	case schema.ChatMessagePartTypeAudioURL:
		in.Audio = &schema.MessageInputAudio{MessagePartCommon: p.media}
	case schema.ChatMessagePartTypeVideoURL:
		in.Video = &schema.MessageInputVideo{MessagePartCommon: p.media}
	case schema.ChatMessagePartTypeFileURL:
		in.File = &schema.MessageInputFile{MessagePartCommon: p.media, Name: p.name}
	}
	return in
}

// output is the part as one of an assistant's message, and false for one that
// eino has no such part for.
func (p part) output() (schema.MessageOutputPart, bool) {
	out := schema.MessageOutputPart{Type: p.kind, Text: p.text, Extra: p.extra}
	switch p.kind {
	case schema.ChatMessagePartTypeText:
		return out, true
	case schema.ChatMessagePartTypeImageURL:
		out.Image = &schema.MessageOutputImage{MessagePartCommon: p.media}
	case schema.ChatMessagePartTypeAudioURL:
		out.Audio = &schema.MessageOutputAudio{MessagePartCommon: p.media}
	case schema.ChatMessagePartTypeVideoURL:
		out.Video = &schema.MessageOutputVideo{MessagePartCommon: p.media}
	}
	return out, p.kind != schema.ChatMessagePartTypeFileURL && (p.media.URL != nil || p.media.Base64Data != nil)
}

func fromInput(in schema.MessageInputPart) part {
	p := part{kind: in.Type, text: in.Text, extra: in.Extra}
	switch {
	case in.Image != nil:
		p.media, p.detail = in.Image.MessagePartCommon, in.Image.Detail
	case in.Audio != nil:
		p.media = in.Audio.MessagePartCommon
	case in.Video != nil:
		p.media = in.Video.MessagePartCommon
	case in.File != nil:
		p.media, p.name = in.File.MessagePartCommon, in.File.Name
	}
	return p
}

func fromOutput(out schema.MessageOutputPart) part {
	p := part{kind: out.Type, text: out.Text, extra: out.Extra}
	switch {
	case out.Image != nil:
		p.media = out.Image.MessagePartCommon
	case out.Audio != nil:
		p.media = out.Audio.MessagePartCommon
	case out.Video != nil:
		p.media = out.Video.MessagePartCommon
	}
	return p
}

// fromOlder is a part of the deprecated MultiContent.
func fromOlder(old schema.ChatMessagePart) part {
	p := part{kind: old.Type, text: old.Text}
	switch {
	case old.ImageURL != nil:
		p.older(old.ImageURL.URL, old.ImageURL.URI, old.ImageURL.MIMEType, old.ImageURL.Extra)
		p.detail = old.ImageURL.Detail
	case old.AudioURL != nil:
		p.older(old.AudioURL.URL, old.AudioURL.URI, old.AudioURL.MIMEType, old.AudioURL.Extra)
	case old.VideoURL != nil:
		p.older(old.VideoURL.URL, old.VideoURL.URI, old.VideoURL.MIMEType, old.VideoURL.Extra)
	case old.FileURL != nil:
		p.older(old.FileURL.URL, old.FileURL.URI, old.FileURL.MIMEType, old.FileURL.Extra)
		p.name = old.FileURL.Name
	}
	return p
}

// older sets the media. Its URL may also be plain base64: that is how older
// messages held audio.
func (p *part) older(url, uri, mediaType string, extra map[string]any) {
	p.media.MIMEType, p.media.Extra = mediaType, extra
	switch {
	case uri != "":
		p.media.URL = &uri
	case url == "":
	case strings.Contains(url, ":"):
		p.media.URL = &url
	default:
		if _, err := base64.StdEncoding.DecodeString(url); err == nil {
			p.media.Base64Data = &url
		} else {
			p.media.URL = &url
		}
	}
}
