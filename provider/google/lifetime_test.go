package google_test

import (
	"bytes"
	"context"
	"io"
	"log"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/provider/google"
)

func TestStreamIsLazyAndRepeats(t *testing.T) {
	s := serve(t, events(chunk(hi), used))
	stream := s.model().Stream(t.Context(), strata.Prompt("Hi"))
	assert.Zero(t, s.requests.Load(), "sent before it was ranged over")
	for range 2 {
		var parts []strata.Part
		for part, err := range stream {
			require.NoError(t, err)
			parts = append(parts, part)
		}
		assert.Equal(t, finish, short(parts))
	}
	assert.EqualValues(t, 2, s.requests.Load())
}

func TestConnectionIsUsedAgain(t *testing.T) {
	s := serve(t, events(chunk(hi), used))
	m := s.model()
	for range 3 {
		_, err := collect(t, m.Stream(t.Context(), strata.Prompt("Hi")))
		require.NoError(t, err)
	}
	assert.EqualValues(t, 3, s.requests.Load())
	assert.EqualValues(t, 1, s.conns.Load(), "a connection was not given back")
}

// piecewise is a transport whose body comes a piece a read, its end by itself.
type piecewise struct {
	pieces []string
	ended  bool
}

func (p *piecewise) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: p, Request: r}, nil
}

func (p *piecewise) Read(b []byte) (int, error) {
	if len(p.pieces) == 0 {
		p.ended = true
		return 0, io.EOF
	}
	n := copy(b, p.pieces[0])
	p.pieces = p.pieces[1:]
	return n, nil
}

func (p *piecewise) Close() error { return nil }

func TestBodyIsReadToItsEndBeforeTheFinish(t *testing.T) {
	body := &piecewise{pieces: []string{"data: " + ending(``, "STOP") + "\n\n", "data: [DONE]\n\n"}}
	m := google.New("gemini-test", google.APIKey(key), google.HTTPClient(&http.Client{Transport: body}))
	for part, err := range m.Stream(t.Context(), strata.Prompt("Hi")) {
		require.NoError(t, err)
		if _, ok := part.(strata.Finish); ok {
			assert.True(t, body.ended)
			return
		}
	}
	t.Fatal("no finish")
}

// A server that keeps the connection open behind [DONE] holds nobody up for long.
func TestServerThatDoesNotClose(t *testing.T) {
	release := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		events(chunk(hi), used, "[DONE]")(w, r)
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	parts, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
	require.NoError(t, err)
	assert.Equal(t, finish, short(parts))
}

func TestBreakClosesTheConnection(t *testing.T) {
	for _, stopAt := range []string{"start", "meta:r1", "text1{", "Hi"} {
		t.Run(stopAt, func(t *testing.T) {
			gone := make(chan struct{})
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				events(chunk(hi))(w, r)
				<-r.Context().Done()
				close(gone)
			})
			for part, err := range s.model().Stream(t.Context(), strata.Prompt("Hi")) {
				require.NoError(t, err)
				if short([]strata.Part{part}) == stopAt {
					break
				}
			}
			select {
			case <-gone:
			case <-time.After(10 * time.Second):
				t.Fatal("the server still has the connection")
			}
		})
	}
}

func TestCallerGivesUp(t *testing.T) {
	hang := func(first ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if first != nil {
				events(first...)(w, r)
			}
			<-r.Context().Done()
		}
	}
	tests := []struct {
		name    string
		handler http.HandlerFunc
		end     func(context.Context) (context.Context, context.CancelFunc)
		want    error
	}{
		{"cancel before the headers", hang(), nil, context.Canceled},
		{"cancel in mid-stream", hang(chunk(hi)), nil, context.Canceled},
		{"cancel behind the finish reason", hang(ending(hi, "STOP")), nil, context.Canceled},
		{"deadline", hang(), func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 30*time.Millisecond)
		}, context.DeadlineExceeded},
		{"deadline in mid-stream", hang(chunk(hi)), func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 30*time.Millisecond)
		}, context.DeadlineExceeded},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, stream := range []bool{true, false} {
				s := serve(t, test.handler)
				end := test.end
				if end == nil {
					end = func(ctx context.Context) (context.Context, context.CancelFunc) {
						ctx, cancel := context.WithCancelCause(ctx)
						time.AfterFunc(30*time.Millisecond, func() { cancel(errWhy) })
						return ctx, func() { cancel(nil) }
					}
				}
				ctx, cancel := end(t.Context())
				defer cancel()
				var err error
				if stream {
					_, err = collect(t, s.model().Stream(ctx, strata.Prompt("Hi")))
				} else {
					_, err = s.model().Generate(ctx, strata.Prompt("Hi"))
				}
				requireFailure(t, err)
				assert.ErrorIs(t, err, test.want)
			}
		})
	}
}

// The timeouts of an HTTP client and of a configuration bind the whole exchange,
// and not only the SDK's part of it.
func TestTimeouts(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request) {
		events(chunk(hi))(w, r)
		<-r.Context().Done()
	}
	limit := 50 * time.Millisecond
	for name, opt := range map[string]google.Option{
		"of the HTTP client":   google.HTTPClient(&http.Client{Timeout: limit}),
		"of the configuration": google.Config(genai.ClientConfig{HTTPOptions: genai.HTTPOptions{Timeout: &limit}}),
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, hang)
			m := google.New("gemini-test", google.BaseURL(s.URL), google.APIKey(key), opt)
			_, streamed := collect(t, m.Stream(t.Context(), strata.Prompt("Hi")))
			_, generated := m.Generate(t.Context(), strata.Prompt("Hi"))
			for _, err := range []error{streamed, generated} {
				requireFailure(t, err)
				assert.Equal(t, failure.Timeout, failure.Of(err))
			}
			done := serve(t, events(chunk(hi), used))
			m = google.New("gemini-test", google.BaseURL(done.URL), google.APIKey(key), google.HTTPClient(&http.Client{Timeout: time.Minute}))
			_, err := collect(t, m.Stream(t.Context(), strata.Prompt("Hi")))
			require.NoError(t, err, "an answer within the timeout")
		})
	}
}

func TestBodyIsSentWholeAgain(t *testing.T) {
	var bodies []string
	s := serve(t, nil)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bodies = append(bodies, string(body)); len(bodies) == 1 {
			whole(503, "application/json", `{"error":{"message":"busy"}}`)(w, r)
			return
		}
		events(chunk(hi), used)(w, r)
	})
	again := middleware.Backoff(middleware.Policy(func() backoff.BackOff { return &backoff.ZeroBackOff{} }))
	_, err := collect(t, again(s.model()).Stream(t.Context(), strata.Prompt(strings.Repeat("long ", 1000))))
	require.NoError(t, err)
	require.Len(t, bodies, 2)
	assert.Equal(t, bodies[0], bodies[1])
}

func TestBytesAreReported(t *testing.T) {
	s := serve(t, whole(200, "text/event-stream", ": keep-alive\n\ndata: "+ending(hi, "STOP")+"\n\n"))
	heads, bytes := 0, 0
	ctx := strata.WithTrace(t.Context(), &strata.Trace{Bytes: func(_ context.Context, n int) {
		if bytes += n; n == 0 {
			heads++
		}
	}})
	_, err := collect(t, s.model().Stream(ctx, strata.Prompt("Hi")))
	require.NoError(t, err)
	assert.Equal(t, 1, heads)
	assert.Equal(t, len(": keep-alive\n\ndata: "+ending(hi, "STOP")+"\n\n"), bytes)
}

func TestNoGoroutineIsLeft(t *testing.T) {
	s := serve(t, events(chunk(hi), chunk(hi), used))
	client := s.Client()
	m := s.model(google.HTTPClient(client))
	settle := func() int {
		client.CloseIdleConnections()
		n := runtime.NumGoroutine()
		for range 200 {
			time.Sleep(5 * time.Millisecond)
			if now := runtime.NumGoroutine(); now < n {
				n = now
			} else if now == n {
				break
			}
		}
		return n
	}
	before := settle()
	for range 50 {
		for range m.Stream(t.Context(), strata.Prompt("Hi")) {
			break
		}
		_, err := collect(t, m.Stream(t.Context(), strata.Prompt("Hi")))
		require.NoError(t, err)
	}
	assert.Eventually(t, func() bool { return settle() <= before+2 }, 10*time.Second, 10*time.Millisecond)
}

// The SDK writes what breaks in a stream to the standard log.
func TestNothingIsLogged(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	for _, test := range brokenAnswers {
		s := serve(t, test.handler)
		_, err := collect(t, s.model().Stream(t.Context(), strata.Prompt("Hi")))
		require.Error(t, err)
		s.Close()
	}
	assert.Empty(t, logged.String())
}

func TestRedirectIsFollowed(t *testing.T) {
	there := serve(t, events(chunk(hi), used))
	here := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, there.URL+r.URL.String(), http.StatusTemporaryRedirect)
	})
	parts, err := collect(t, here.model().Stream(t.Context(), strata.Prompt("Hi")))
	require.NoError(t, err)
	assert.Equal(t, finish, short(parts))
	assert.JSONEq(t, hello+`}`, string(there.body))
}

func TestManyAtOnce(t *testing.T) {
	s := serve(t, events(chunk(hi), used))
	m := s.model(google.Headers(http.Header{"User-Agent": {"tests"}}))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			parts, err := collect(t, m.Stream(t.Context(), strata.Prompt("Hi")))
			assert.NoError(t, err)
			assert.Equal(t, finish, short(parts))
		})
	}
	all.Wait()
}
