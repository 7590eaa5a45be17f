package parity_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/embedding"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/image"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/provider/google"
	"github.com/strata-go/strata/provider/openai"
)

// api is a server of an API's that plays handlers, one a request, and then
// answers.
type api struct {
	*httptest.Server
	answer string

	mu     sync.Mutex
	faults []http.HandlerFunc
	bodies []string
	gone   chan struct{} // a value for each request whose client left it
}

func serve(t *testing.T, answer string, faults ...http.HandlerFunc) *api {
	s := &api{answer: answer, faults: faults, gone: make(chan struct{}, 10)}
	s.Server = httptest.NewServer(http.HandlerFunc(s.play))
	t.Cleanup(s.Close)
	return s
}

func (s *api) play(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	n := len(s.bodies)
	s.bodies = append(s.bodies, string(body))
	s.mu.Unlock()
	if n < len(s.faults) {
		s.faults[n](w, r)
		if r.Context().Err() != nil {
			s.gone <- struct{}{}
		}
		return
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, s.answer)
}

func (s *api) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.bodies...)
}

// A stack asks a model that has another provider's behind it, with Backoff and
// Timeout over each, and says who answered.
type stack func(ctx context.Context, base, spare *api) (by string, err error)

const limit = 500 * time.Millisecond // of an attempt

var (
	backoffs = []middleware.BackoffOption{middleware.Attempts(2), middleware.Base(time.Millisecond)}
	total    = middleware.Total(limit)
)

func embeds(base, spare func(*api) embedding.Model) stack {
	each := embedding.Chain(embedding.Batch(), embedding.Backoff(backoffs...), embedding.Timeout(total))
	return func(ctx context.Context, at, behind *api) (string, error) {
		m := embedding.Wrap(each(base(at)), embedding.Fallback(each(spare(behind))))
		resp, err := m.Embed(ctx, &embedding.Request{Values: []string{"The sky", "is blue."}, Dimensions: 3})
		if err != nil {
			return "", err
		}
		return fmt.Sprint(resp.Model.Provider, " ", resp.Embeddings), nil
	}
}

func draws(base, spare func(*api) image.Model) stack {
	each := image.Chain(image.Backoff(backoffs...), image.Timeout(total))
	return func(ctx context.Context, at, behind *api) (string, error) {
		m := image.Wrap(each(base(at)), image.Fallback(each(spare(behind))))
		resp, err := m.Generate(ctx, &image.Request{Prompt: "A blue sky"})
		if err != nil {
			return "", err
		}
		return fmt.Sprint(resp.Model.Provider, " ", string(resp.Images[0].Data)), nil
	}
}

func openaiOptions(s *api) []openai.Option {
	return []openai.Option{openai.BaseURL(s.URL), openai.APIKey(key), openai.HTTPClient(s.Client())}
}

func googleOptions(s *api) []google.Option {
	return []google.Option{google.BaseURL(s.URL), google.APIKey(key), google.HTTPClient(s.Client())}
}

func openaiEmbedding(s *api) embedding.Model { return openai.NewEmbedding("m", openaiOptions(s)...) }
func googleEmbedding(s *api) embedding.Model { return google.NewEmbedding("m", googleOptions(s)...) }
func openaiImage(s *api) image.Model         { return openai.NewImage("m", openaiOptions(s)...) }
func googleImage(s *api) image.Model         { return google.NewImage("m", googleOptions(s)...) }

const (
	openaiVectors = `{"object":"list","model":"m","data":[{"index":1,"embedding":[4,5,6]},{"index":0,"embedding":[1,2,3]}]}`
	googleVectors = `{"embeddings":[{"values":[1,2,3]},{"values":[4,5,6]}]}`
	openaiDrawn   = `{"created":1,"data":[{"b64_json":"c2t5"}]}`
	googleDrawn   = `{"candidates":[{"finishReason":"STOP","content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"c2t5"}}]}}]}`
)

// families are both families over both providers: the model that is asked first,
// its answer, and that of the other provider behind it.
var families = map[string]struct {
	ask           stack
	answer, spare string // of their servers
	by, other     string // what each stands for
}{
	"embedding by openai": {embeds(openaiEmbedding, googleEmbedding), openaiVectors, googleVectors, "openai [[1 2 3] [4 5 6]]", "google [[1 2 3] [4 5 6]]"},
	"embedding by google": {embeds(googleEmbedding, openaiEmbedding), googleVectors, openaiVectors, "google [[1 2 3] [4 5 6]]", "openai [[1 2 3] [4 5 6]]"},
	"image by openai":     {draws(openaiImage, googleImage), openaiDrawn, googleDrawn, "openai sky", "google sky"},
	"image by google":     {draws(googleImage, openaiImage), googleDrawn, openaiDrawn, "google sky", "openai sky"},
}

func says(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// stalls sends the beginning of an answer and no more.
func stalls(w http.ResponseWriter, r *http.Request) {
	says(200, `{"data":[`)(w, r)
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

// cuts closes the connection in the middle of an answer.
func cuts(w http.ResponseWriter, _ *http.Request) {
	conn, buffer, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	buffer.WriteString("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"data\":[")
	buffer.Flush()
	conn.Close()
}

func TestTheSameLayersSaveEmbeddingsAndImages(t *testing.T) {
	busy := says(500, `{"error":{"message":"Internal error","code":500}}`)
	broken := says(200, `{"data":[{`)
	for name, test := range map[string]struct {
		faults   []http.HandlerFunc
		asked    int // requests that the first model's server saw
		spare    int // and that of the one behind it
		atLeast  time.Duration
		fellBack bool
	}{
		"no fault":             {nil, 1, 0, 0, false},
		"429 with Retry-After": {[]http.HandlerFunc{says(429, `{"error":{"message":"Slow down"}}`, "Retry-After", "1")}, 2, 0, time.Second, false},
		"500":                  {[]http.HandlerFunc{busy}, 2, 0, 0, false},
		"500 again":            {[]http.HandlerFunc{busy, busy}, 2, 1, 0, true},
		"cut":                  {[]http.HandlerFunc{cuts}, 2, 0, 0, false},
		"stall":                {[]http.HandlerFunc{stalls}, 2, 0, limit, false},
		"stall again":          {[]http.HandlerFunc{stalls, stalls}, 2, 1, 2 * limit, true},
		"malformed":            {[]http.HandlerFunc{broken, broken}, 2, 1, 0, true},
		"a page":               {[]http.HandlerFunc{says(200, "<html>Sign in</html>", "Content-Type", "text/html")}, 2, 0, 0, false},
		"an error with 200":    {[]http.HandlerFunc{says(200, `{"error":{"message":"No capacity"}}`)}, 2, 0, 0, false},
		"a key that is refused": {[]http.HandlerFunc{says(401, `{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}`)},
			1, 1, 0, true},
	} {
		for family, f := range families {
			t.Run(name+"/"+family, func(t *testing.T) {
				t.Parallel()
				base, spare := serve(t, f.answer, test.faults...), serve(t, f.spare)
				begun := time.Now()
				by, err := f.ask(t.Context(), base, spare)
				require.NoError(t, err)
				want := f.by
				if test.fellBack {
					want = f.other
				}
				assert.Equal(t, want, by)
				assert.GreaterOrEqual(t, time.Since(begun), test.atLeast)
				asked := base.asked()
				assert.Equal(t, []int{test.asked, test.spare}, []int{len(asked), len(spare.asked())})
				for _, body := range asked {
					assert.Equal(t, asked[0], body, "each attempt sends the body whole")
				}
			})
		}
	}
}

// An answer without an image is for another model, not for another attempt.
func TestNoImageOnEachWire(t *testing.T) {
	for family, nothing := range map[string]string{
		"image by openai": `{"created":1,"data":[]}`,
		"image by google": `{"candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"I cannot draw."}]}}]}`,
	} {
		f := families[family]
		base, spare := serve(t, f.answer, says(200, nothing)), serve(t, f.spare)
		by, err := f.ask(t.Context(), base, spare)
		require.NoError(t, err, family)
		assert.Equal(t, f.other, by)
		assert.Len(t, base.asked(), 1, family)
	}
}

func TestFailuresOfEmbeddingsAndImages(t *testing.T) {
	for name, test := range map[string]struct {
		fault http.HandlerFunc
		kind  failure.Kind
	}{
		"throttled": {says(429, `{"error":{"message":"Slow down"}}`, "Retry-After", "61"), failure.Rate},
		"invalid":   {says(400, `{"error":{"message":"No such field: sk-canary-0123456789abcdef"}}`), failure.Invalid},
		"blocked":   {says(400, `{"error":{"message":"blocked by the safety system","code":"content_policy_violation"}}`), failure.Content},
		"cut":       {cuts, failure.Network},
		"stalled":   {stalls, failure.Timeout},
	} {
		for family, f := range families {
			t.Run(name+"/"+family, func(t *testing.T) {
				t.Parallel()
				base, spare := serve(t, f.answer, test.fault, test.fault), serve(t, f.spare, test.fault, test.fault)
				_, err := f.ask(t.Context(), base, spare)
				assert.Equal(t, test.kind, failure.Of(err), "%v", err)
				assert.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), key)
			})
		}
	}
}

// A caller who leaves ends the request, and nobody else is asked.
func TestLeavingEndsTheCallOfEachFamily(t *testing.T) {
	for family, f := range families {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			base, spare := serve(t, f.answer, stalls), serve(t, f.spare)
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, err := f.ask(ctx, base, spare)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			select {
			case <-base.gone:
			case <-time.After(10 * time.Second):
				t.Error("the request is still there")
			}
			assert.Empty(t, spare.asked())
		})
	}
}
