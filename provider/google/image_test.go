package google_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/image"
	"github.com/strata-go/strata/provider/google"
)

const png = `{"inlineData":{"mimeType":"image/png","data":"cG5n"},"thoughtSignature":"c2ln"}`

func TestDraw(t *testing.T) {
	answer := `{"candidates":[{"content":{"parts":[{"thought":true,"inlineData":{"mimeType":"image/png","data":"ZHJhZnQ="}},{"text":"Here you are"},` + png + `]},"finishReason":"STOP"}],` + usage + `,"responseId":"r1"}`
	s := serve(t, whole(200, "application/json", answer))
	m := google.NewImage("gemini-3-pro-image", geminiAPI(s)...)
	resp, err := m.Generate(t.Context(), &image.Request{Prompt: "a cat", Images: []strata.Image{{MediaType: "image/png", Data: []byte("old")}},
		AspectRatio: "16:9", Size: "2K", Seed: ptr(int64(7)), ProviderOptions: data(map[string]any{"generationConfig": map[string]any{"topK": 3}})})
	require.NoError(t, err)
	assert.Equal(t, "/v1beta/models/gemini-3-pro-image:generateContent", s.path)
	assert.JSONEq(t, `{"contents":[{"role":"user","parts":[{"text":"a cat"},{"inlineData":{"mimeType":"image/png","data":"b2xk"}}]}],
		"generationConfig":{"responseModalities":["TEXT","IMAGE"],"imageConfig":{"aspectRatio":"16:9","imageSize":"2K"},"seed":7,"topK":3}}`, string(s.body))
	assert.Equal(t, []strata.Image{{MediaType: "image/png", Data: []byte("png"), ProviderData: strata.ProviderData{"google": {"thoughtSignature": "c2ln"}}}}, resp.Images)
	assert.Equal(t, "Here you are", resp.ProviderData["google"]["text"])
	assert.Equal(t, int64(12), resp.Usage.TotalTokens)
	assert.Equal(t, "r1", resp.Metadata.ID)
	assert.Equal(t, m.ID(), resp.Model)
	assert.Empty(t, resp.Warnings)
	assert.IsType(t, (*genai.GenerateContentResponse)(nil), resp.Raw)

	resp, err = m.Generate(t.Context(), &image.Request{Prompt: "a cat", N: 2, Size: "1024x1024", Raw: func(c *genai.GenerateContentConfig) { c.ResponseModalities = []string{"IMAGE"} }})
	require.NoError(t, err)
	assert.JSONEq(t, `{"contents":[{"role":"user","parts":[{"text":"a cat"}]}],"generationConfig":{"responseModalities":["IMAGE"]}}`, string(s.body))
	assert.Len(t, resp.Warnings, 2)
}

func TestImagen(t *testing.T) {
	clearEnv(t)
	s := serve(t, whole(200, "application/json", `{"predictions":[{"bytesBase64Encoded":"cG5n","mimeType":"image/png","prompt":"a fine cat"},{"raiFilteredReason":"filtered"}]}`))
	m := google.NewImage("imagen-4.0-generate-001", vertexAI(s)...)
	resp, err := m.Generate(t.Context(), &image.Request{Prompt: "a cat", N: 2, AspectRatio: "1:1", Size: "1K", Seed: ptr(int64(7)),
		ProviderOptions: data(map[string]any{"parameters": map[string]any{"language": "en"}}),
		Raw:             func(c *genai.GenerateImagesConfig) { c.NegativePrompt = "dogs" }})
	require.NoError(t, err)
	assert.Equal(t, "/v1beta1/projects/acme/locations/us/publishers/google/models/imagen-4.0-generate-001:predict", s.path)
	assert.JSONEq(t, `{"instances":[{"prompt":"a cat"}],"parameters":{"sampleCount":2,"aspectRatio":"1:1","sampleImageSize":"1K","seed":7,"negativePrompt":"dogs","includeRaiReason":true,"language":"en"}}`, string(s.body))
	assert.Equal(t, []strata.Image{{MediaType: "image/png", Data: []byte("png"), ProviderData: strata.ProviderData{"google": {"prompt": "a fine cat"}}}}, resp.Images)
	assert.Len(t, resp.Raw.(*genai.GenerateImagesResponse).GeneratedImages, 2)
	assert.Empty(t, resp.Warnings)

	resp, err = m.Generate(t.Context(), &image.Request{Prompt: "a cat", Images: []strata.Image{{}}, Size: "big", Seed: ptr(int64(1) << 40)})
	require.NoError(t, err)
	assert.Len(t, resp.Warnings, 3)
}

func TestImageFailures(t *testing.T) {
	clearEnv(t)
	prompt := &image.Request{Prompt: "the prompt"}
	gemini, imagen := "gemini-test", "imagen-test"
	tests := []struct {
		name, model string
		req         *image.Request
		handler     http.HandlerFunc
		kind        failure.Kind
		is          error
		has         string
	}{
		{"nil request", gemini, nil, nil, failure.Invalid, nil, "the request is nil"},
		{"nothing in an image", gemini, &image.Request{Images: []strata.Image{{}}}, nil, failure.Invalid, nil, "neither data nor a URL"},
		{"text alone", gemini, prompt, whole(200, "application/json", ending(hi, "STOP")), failure.Content, failure.ErrNoImage, ""},
		{"an empty image", gemini, prompt, whole(200, "application/json", ending(`{"inlineData":{"mimeType":"image/png","data":""}}`, "STOP")), failure.Unknown, failure.ErrNoImage, ""},
		{"no image", gemini, prompt, whole(200, "application/json", ending(``, "NO_IMAGE")), failure.Unknown, failure.ErrNoImage, "NO_IMAGE"},
		{"filtered behind text", gemini, prompt, whole(200, "application/json", ending(hi, "IMAGE_SAFETY")), failure.Content, nil, "IMAGE_SAFETY"},
		{"filtered", gemini, prompt, whole(200, "application/json", ending(``, "IMAGE_SAFETY")), failure.Content, nil, "IMAGE_SAFETY"},
		{"blocked", gemini, prompt, whole(200, "application/json", `{"promptFeedback":{"blockReason":"IMAGE_SAFETY"}}`), failure.Content, nil, "IMAGE_SAFETY"},
		{"busy", gemini, prompt, whole(503, "application/json", `{"error":{"code":503,"message":"busy"}}`), failure.Overload, nil, ""},
		{"Imagen by the Gemini API", imagen, prompt, nil, failure.Invalid, nil, "only supported in"},
		{"Imagen filtered", imagen, prompt, whole(200, "application/json", `{"predictions":[{"raiFilteredReason":"x"}]}`), failure.Content, nil, "raiFilteredReason"},
		{"Imagen with nothing", imagen, prompt, whole(200, "application/json", `{}`), failure.Unknown, failure.ErrNoImage, ""},
		{"Imagen with an error", imagen, prompt, whole(200, "application/json", `{"error":{"message":"No capacity"}}`), failure.Overload, nil, "No capacity"},
		{"Imagen page", imagen, prompt, whole(200, "text/html", `<html>`), "", nil, ""},
		{"Imagen busy", imagen, prompt, whole(503, "application/json", `{"error":{"code":503,"message":"busy"}}`), failure.Overload, nil, ""},
		{"Imagen with an empty body", imagen, prompt, whole(200, "application/json", ``), failure.Network, nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, test.handler)
			opts := geminiAPI(s)
			if test.model == imagen && test.handler != nil {
				opts = vertexAI(s)
			}
			resp, err := google.NewImage(test.model, opts...).Generate(t.Context(), test.req)
			assert.Nil(t, resp)
			e, ok := failure.Find[*failure.Error](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, test.model, e.Model.Name)
			if test.kind != "" {
				assert.Equal(t, test.kind, failure.Of(err))
			}
			if test.is != nil {
				assert.ErrorIs(t, err, test.is)
			}
			assert.ErrorContains(t, err, test.has)
			requireNoSecret(t, err)
		})
	}
}
