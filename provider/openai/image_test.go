package openai_test

import (
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/image"
	"github.com/strata-go/strata/provider/openai"
)

func (s *server) image(opts ...openai.Option) *openai.Image {
	return openai.NewImage("gpt-test", append([]openai.Option{openai.BaseURL(s.URL + "/v1"), openai.APIKey(key)}, opts...)...)
}

const drawn = `{"created":1700000000,"data":[{"b64_json":"cG5n"}],"output_format":"webp","usage":{"input_tokens":7,"output_tokens":5,"total_tokens":12}}`

func TestImage(t *testing.T) {
	s := serve(t, whole(200, "application/json", drawn))
	m := s.image(openai.Provider("azure"))
	resp, err := m.Generate(t.Context(), &image.Request{
		Prompt: "A sky", N: 2, Size: "1024x1024", AspectRatio: "1:1", Seed: ptr(int64(1)),
		ProviderOptions: strata.ProviderData{"azure": {"quality": "low", "seed": 3}, "openai": {"x": 1}},
		Headers:         http.Header{"X-Call": {"1"}},
		Raw:             func(p *sdk.ImageGenerateParams) { p.User = sdk.String("ann") },
	})
	require.NoError(t, err)
	assert.JSONEq(t, `{"model":"gpt-test","prompt":"A sky","n":2,"size":"1024x1024","quality":"low","seed":3,"user":"ann"}`, string(s.body))
	assert.Equal(t, "/v1/images/generations", s.path)
	assert.Equal(t, "1", s.headers.Get("X-Call"))
	assert.Equal(t, m.ID(), resp.Model)
	assert.Equal(t, []strata.Image{{MediaType: "image/webp", Data: []byte("png")}}, resp.Images)
	assert.Equal(t, strata.Usage{InputTokens: 7, OutputTokens: 5, TotalTokens: 12}, resp.Usage)
	assert.Equal(t, time.Unix(1700000000, 0).UTC(), resp.Metadata.Timestamp)
	assert.Equal(t, []strata.Warning{{Setting: "AspectRatio", Message: "the images API has no aspect_ratio; it was left out"}}, resp.Warnings)
	assert.IsType(t, &sdk.ImagesResponse{}, resp.Raw)
}

func TestImageForms(t *testing.T) {
	tests := []struct {
		name, data string
		want       []strata.Image
	}{
		{"by address", `[{"url":"https://example.com/a.png","revised_prompt":"A blue sky"}]`,
			[]strata.Image{{URL: "https://example.com/a.png", ProviderData: strata.ProviderData{"openai": {"revised_prompt": "A blue sky"}}}}},
		{"in the address", `[{"url":"data:image/png;base64,cG5n"}]`, []strata.Image{{MediaType: "image/png", Data: []byte("png")}}},
		{"of an unknown type", `[{"b64_json":"iVBORw0KGgo="},{"b64_json":""}]`, []strata.Image{{MediaType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n")}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", `{"data":`+test.data+`}`))
			resp, err := s.image().Generate(t.Context(), &image.Request{Prompt: "A sky"})
			require.NoError(t, err)
			assert.Equal(t, test.want, resp.Images)
		})
	}
}

func TestImageEdit(t *testing.T) {
	png := strata.Image{MediaType: "image/png", Data: []byte("png")}
	tests := []struct {
		name   string
		images []strata.Image
		want   []string // the files of the form
	}{
		{"one", []strata.Image{png}, []string{"image image0.png image/png png"}},
		{"two", []strata.Image{png, {URL: "data:image/webp;base64,cG5n"}}, []string{"image[] image0.png image/png png", "image[] image1.webp image/webp png"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", drawn))
			m := s.image()
			for range 2 { // a second call sends all of it again
				_, err := m.Generate(t.Context(), &image.Request{
					Prompt: "A sky", Images: test.images, N: 1, Size: "1024x1024",
					ProviderOptions: strata.ProviderData{"openai": {"quality": "low"}},
					Raw:             func(p *sdk.ImageEditParams) { p.User = sdk.String("ann") },
				})
				require.NoError(t, err)
				assert.Equal(t, "/v1/images/edits", s.path)
				fields, files := form(t, s)
				assert.Equal(t, map[string]string{"model": "gpt-test", "prompt": "A sky", "n": "1", "size": "1024x1024", "quality": "low", "user": "ann"}, fields)
				assert.Equal(t, test.want, files)
			}
		})
	}
}

// form reads the form that was sent.
func form(t *testing.T, s *server) (fields map[string]string, files []string) {
	t.Helper()
	_, params, err := mime.ParseMediaType(s.headers.Get("Content-Type"))
	require.NoError(t, err)
	fields = map[string]string{}
	for r := multipart.NewReader(strings.NewReader(string(s.body)), params["boundary"]); ; {
		part, err := r.NextPart()
		if err == io.EOF {
			return fields, files
		}
		require.NoError(t, err)
		data, err := io.ReadAll(part)
		require.NoError(t, err)
		if part.FileName() == "" {
			fields[part.FormName()] = string(data)
			continue
		}
		files = append(files, strings.Join([]string{part.FormName(), part.FileName(), part.Header.Get("Content-Type"), string(data)}, " "))
	}
}

func TestImageFailures(t *testing.T) {
	edit := []strata.Image{{MediaType: "image/png", Data: []byte("png")}}
	for _, test := range wrongAnswers {
		for _, images := range [][]strata.Image{nil, edit} {
			t.Run(fmt.Sprintf("%s, from %d images", test.name, len(images)), func(t *testing.T) {
				s := serve(t, test.handler)
				m := s.image(openai.HTTPClient(&http.Client{Transport: &http.Transport{}}))
				resp, err := m.Generate(t.Context(), &image.Request{Prompt: "the prompt", Images: images})
				assert.Nil(t, resp)
				requireFailure(t, err)
				requireNoSecret(t, err)
				if test.kind != "" {
					assert.Equal(t, test.kind, failure.Of(err))
				}
				assert.ErrorContains(t, err, test.has)
				assert.EqualValues(t, 1, s.requests.Load())
				assert.Equal(t, test.name == "something else", failure.Of(err) == failure.Unknown)
				assert.Equal(t, test.name == "something else", strings.Contains(err.Error(), failure.ErrNoImage.Error()))
			})
		}
	}
}

func TestImageBadRequest(t *testing.T) {
	unwritable := strata.ProviderData{"openai": {"f": func() {}}}
	tests := []struct {
		name string
		req  *image.Request
		want string
	}{
		{"nil", nil, "the request is nil"},
		{"image by address", &image.Request{Images: []strata.Image{{URL: "https://example.com/a.png"}}}, "images[0]: the image has no data"},
		{"option that is no JSON", &image.Request{ProviderOptions: unwritable}, "unsupported type: func()"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, whole(200, "application/json", drawn))
			_, err := s.image().Generate(t.Context(), test.req)
			assert.Equal(t, failure.Invalid, failure.Of(err), "%v", err)
			assert.ErrorContains(t, err, test.want)
			assert.Zero(t, s.requests.Load())
		})
	}
}
