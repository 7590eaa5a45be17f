package modeltest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/modeltest"
)

func TestScripts(t *testing.T) {
	srv := newServer(t,
		modeltest.Replies(modeltest.Send("one"), modeltest.Send("two")),
		modeltest.RepliesFor("mini", modeltest.Send("small"), modeltest.Status(503).Error("overloaded", "busy")))
	for i, tt := range []struct{ model, want string }{
		{"gpt-5", `"content":"one"`},
		{"mini", `"content":"small"`},
		{"gpt-4", `"content":"two"`}, // the rest share a script
		{"gpt-5", `"content":"two"`}, // the last repeats
		{"mini", `"busy"`},
		{"mini", `"busy"`},
		{"", `"content":"two"`},
	} {
		got := ask(t, srv, fmt.Sprintf(`{"model":%q}`, tt.model))
		assert.Contains(t, got.body, tt.want, "request %d", i)
		assert.Equal(t, tt.model, srv.Requests()[i].Model)
	}
}

func TestRequestsThatPlayNoReply(t *testing.T) {
	srv := newServer(t, modeltest.RepliesFor("gpt-5", modeltest.Send("one"), modeltest.Send("two")))
	base := strings.TrimSuffix(srv.URL, "/v1")
	for _, tt := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/v1/models", "", 404, `"no API at GET /v1/models"`},
		{"GET", "/v1/chat/completions", "", 404, `"no API at GET /v1/chat/completions"`},
		{"POST", "/v1/chat/completions", "{", 400, `"the body is not a JSON request"`},
		{"POST", "/v1/chat/completions", `{"model":5}`, 400, `"the body is not a JSON request"`},
		{"POST", "/v1/chat/completions", `{"model":"gpt-4","stream":true}`, 404, `"model_not_found"`},
		{"POST", "/v1/chat/completions", `{"model":"gpt-5"}`, 200, `"one"`},
		{"POST", "/chat/completions", `{"model":"gpt-5"}`, 200, `"two"`},
		{"POST", "/openai/deployments/d/chat/completions?api-version=1", `{"model":"gpt-5"}`, 200, `"two"`},
	} {
		r, err := http.NewRequestWithContext(await(t), tt.method, base+tt.path, strings.NewReader(tt.body))
		require.NoError(t, err)
		resp, err := srv.Client().Do(r)
		require.NoError(t, err)
		got, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		resp.Body.Close()
		assert.Equal(t, tt.status, resp.StatusCode, tt.body)
		assert.Equal(t, "application/json", resp.Header.Get("Content-Type"))
		assert.Contains(t, string(got), tt.want)
	}
	requests := srv.Requests()
	require.Len(t, requests, 8, "all are recorded")
	assert.Equal(t, "/openai/deployments/d/chat/completions", requests[7].Path)
}

func TestRequestRecord(t *testing.T) {
	srv := newServer(t, modeltest.Replies(modeltest.OK("Hi")))
	before := time.Now()
	r := request(await(t), t, srv, streamed)
	for _, name := range []string{"Authorization", "Proxy-Authorization", "Cookie", "Api-Key", "X-Api-Key", "X-Goog-Api-Key", "X-Auth-Token"} {
		r.Header.Set(name, "sk-secret")
	}
	r.Header.Set("X-Tenant", "a")
	resp, err := srv.Client().Do(r)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	resp.Body.Close()
	ask(t, srv, whole)

	got, err := srv.AwaitEnd(await(t), 0)
	require.NoError(t, err)
	assert.Equal(t, "POST", got.Method)
	assert.Equal(t, "/v1/chat/completions", got.Path)
	assert.Equal(t, streamed, string(got.Body))
	assert.Equal(t, "gpt-5", got.Model)
	assert.True(t, got.Stream)
	assert.False(t, got.Disconnected)
	assert.Equal(t, "a", got.Header.Get("X-Tenant"))
	assert.Equal(t, "REDACTED", got.Header.Get("Authorization"), "it shows that there was one")
	assert.NotContains(t, fmt.Sprintf("%#v", got), "sk-secret")
	assert.False(t, got.Arrived.Before(before))
	assert.False(t, got.Ended.Before(got.Arrived))
	assert.Equal(t, `POST /v1/chat/completions "gpt-5" stream`, got.String())

	second, err := srv.AwaitEnd(await(t), 1)
	require.NoError(t, err)
	assert.False(t, second.Stream)
	assert.Equal(t, got.RemoteAddr, second.RemoteAddr, "a connection is used again after an answer")
}

func TestAwait(t *testing.T) {
	srv := newServer(t, modeltest.Replies(modeltest.Send().Stall(modeltest.Forever)))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := srv.AwaitRequest(gone, 0)
	assert.ErrorIs(t, err, context.Canceled)

	ctx, leave := context.WithCancel(await(t))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		srv.Client().Do(request(ctx, t, srv, whole))
	}()
	r, err := srv.AwaitRequest(await(t), 0)
	require.NoError(t, err)
	assert.Equal(t, `POST /v1/chat/completions "gpt-5", running`, r.String())
	r, err = srv.AwaitEnd(gone, 0)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, "gpt-5", r.Model, "what there is of it")
	leave()
	<-ended
	r, err = srv.AwaitEnd(await(t), 0)
	require.NoError(t, err)
	assert.Equal(t, `POST /v1/chat/completions "gpt-5", the client left`, r.String())

	waiting := make(chan error, 1)
	go func() {
		_, err := srv.AwaitRequest(await(t), 1)
		waiting <- err
	}()
	srv.Close()
	assert.EqualError(t, <-waiting, "modeltest: waiting for request 1: the server is closed")
	srv.Close() // again
}

func TestManyClients(t *testing.T) {
	const n = 20
	replies := make([]modeltest.Reply, n)
	for i := range replies {
		replies[i] = modeltest.OK(fmt.Sprint(i))
	}
	srv := newServer(t, modeltest.Replies(replies...))
	var mu sync.Mutex
	texts := map[string]bool{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			resp, err := srv.Client().Do(request(await(t), t, srv, streamed))
			if !assert.NoError(t, err) {
				return
			}
			defer resp.Body.Close()
			got, err := io.ReadAll(resp.Body)
			assert.NoError(t, err)
			srv.Requests()
			mu.Lock()
			defer mu.Unlock()
			texts[strings.Split(string(got), "\n\n")[1]] = true
		})
	}
	wg.Wait()
	assert.Len(t, texts, n, "each reply was played once")
}

func TestBadArguments(t *testing.T) {
	send := modeltest.Send()
	for want, do := range map[string]func(){
		"modeltest: Status(101): not from 200 to 599":                            func() { modeltest.Status(101) },
		"modeltest: Status(600): not from 200 to 599":                            func() { modeltest.Status(600) },
		`modeltest: Reply.Header("", "a"): no name`:                              func() { send.Header("", "a") },
		"modeltest: Reply.Stall: -1s: negative":                                  func() { send.Stall(-time.Second) },
		"modeltest: Reply.Pace: -1s: negative":                                   func() { send.Pace(-time.Second) },
		"modeltest: Reply.KeepAlive: -1s: negative":                              func() { send.KeepAlive(1, -time.Second) },
		"modeltest: Reply.KeepAlive: every 0s: not positive":                     func() { send.KeepAlive(0, 1) },
		"modeltest: Reply.Huge(0): not positive":                                 func() { send.Huge(0) },
		"modeltest: Reply: a step after Cut or Reset: the connection is closed":  func() { send.Cut().Text("a") },
		"modeltest: Reply: a step after Cut or Reset: the connection is closed ": func() { send.Reset().Done() },
		"modeltest: Replies: no reply":                                           func() { modeltest.Replies() },
		`modeltest: RepliesFor("a"): no reply`:                                   func() { modeltest.RepliesFor("a") },
		`modeltest: ReasoningField(""): no name`:                                 func() { modeltest.ReasoningField("") },
		"modeltest: NewServer: option 1: nil":                                    func() { modeltest.NewServer(modeltest.ReasoningField("a"), nil) },
	} {
		assert.PanicsWithValue(t, strings.TrimSpace(want), do)
	}
}
