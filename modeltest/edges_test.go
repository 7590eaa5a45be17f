package modeltest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
)

// closes reports whether Close returns within a few seconds.
func closes(srv *modeltest.Server) bool {
	done := make(chan struct{})
	go func() { srv.Close(); close(done) }()
	select {
	case <-done:
		return true
	case <-time.After(5 * time.Second):
		return false
	}
}

func address(srv *modeltest.Server) string {
	return strings.TrimSuffix(strings.TrimPrefix(srv.URL, "http://"), "/v1")
}

// Close does not wait for clients, those that have just connected and say
// nothing included.
func TestCloseWhileClientsConnect(t *testing.T) {
	for round := range 200 {
		srv := modeltest.NewServer(modeltest.Replies(modeltest.OK("hi")))
		addr := address(srv)
		var mu sync.Mutex
		var conns []net.Conn
		var dialers sync.WaitGroup
		stop := make(chan struct{})
		for range 4 {
			dialers.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					conn, err := net.Dial("tcp", addr)
					if err != nil {
						return
					}
					mu.Lock()
					conns = append(conns, conn)
					full := len(conns) > 200
					mu.Unlock()
					if full {
						return
					}
				}
			})
		}
		time.Sleep(time.Duration(round%10) * 100 * time.Microsecond)
		ok := closes(srv)
		close(stop)
		dialers.Wait()
		for _, c := range conns {
			c.Close()
		}
		if !ok {
			t.Fatalf("round %d: Close waits for a client that says nothing", round)
		}
	}
}

// Close may be called from several goroutines at once, each of which returns
// when all has ended.
func TestCloseFromManyGoroutines(t *testing.T) {
	srv := newServer(t, modeltest.Replies(modeltest.Send("a").Stall(modeltest.Forever)))
	for range 20 {
		go func() {
			resp, err := srv.Client().Do(request(context.Background(), t, srv, streamed))
			if err == nil {
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		}()
	}
	_, err := srv.AwaitRequest(await(t), 19)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { assert.True(t, closes(srv)) })
	}
	wg.Wait()
}

// A client that vanishes in the body of its request, or half-way through its
// head, holds nothing up.
func TestClientsThatVanish(t *testing.T) {
	srv := newServer(t, modeltest.Replies(modeltest.OK("hi")))
	for _, sent := range []string{
		"", "POST /v1/chat/comp", "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{\"model\"",
	} {
		gone, err := net.Dial("tcp", address(srv))
		require.NoError(t, err)
		io.WriteString(gone, sent)
		gone.Close()
		stays, err := net.Dial("tcp", address(srv))
		require.NoError(t, err)
		defer stays.Close()
		io.WriteString(stays, sent)
	}
	assert.Equal(t, 200, ask(t, srv, streamed).status)
	assert.Len(t, srv.Requests(), 1)
	assert.True(t, closes(srv))
}

// An ordinary answer leaves its connection fit for the next request; a cut one
// does not.
func TestConnectionsAreReused(t *testing.T) {
	srv := newServer(t, modeltest.Replies(modeltest.OK("a"), modeltest.Status(429).Error("x", "y"), modeltest.OK("b"), modeltest.Send("c").Cut(), modeltest.OK("d")))
	for range 5 {
		resp, err := srv.Client().Do(request(await(t), t, srv, streamed))
		require.NoError(t, err)
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	r := srv.Requests()
	require.Len(t, r, 5)
	assert.Equal(t, r[0].RemoteAddr, r[1].RemoteAddr)
	assert.Equal(t, r[1].RemoteAddr, r[2].RemoteAddr)
	assert.Equal(t, r[2].RemoteAddr, r[3].RemoteAddr)
	assert.NotEqual(t, r[3].RemoteAddr, r[4].RemoteAddr)
}

// Two requests in one write over one connection get two answers in order.
func TestPipelinedRequests(t *testing.T) {
	srv := newServer(t, modeltest.Replies(modeltest.OK("first"), modeltest.OK("second")))
	conn, err := net.Dial("tcp", address(srv))
	require.NoError(t, err)
	defer conn.Close()
	one := fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(whole), whole)
	io.WriteString(conn, one+one)
	conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	in := bufio.NewReader(conn)
	for _, want := range []string{"first", "second"} {
		resp, err := http.ReadResponse(in, nil)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		assert.Contains(t, string(body), want)
	}
}

// Statuses that allow no body, bodies that are odd, names that are odd.
func TestOddRequestsAndReplies(t *testing.T) {
	for name, reply := range map[string]modeltest.Reply{
		"204":               modeltest.Status(204),
		"204 with an event": modeltest.Status(204).Text("x"),
		"304":               modeltest.Status(304).Error("a", "b"),
		"nothing":           modeltest.Send(),
		"text behind error": modeltest.Status(500).Error("a", "b").Text("c"),
		"two errors":        modeltest.Status(500).Error("a", "b").Error("c", "d"),
		"only usage":        modeltest.Send().Usage(strata.Usage{InputTokens: 1}),
		"malformed first":   modeltest.Send().Malformed(),
		"header with CRLF":  modeltest.OK("x").Header("X-A", "a\r\nX-B: b"),
	} {
		for _, body := range []string{streamed, whole, `{}`, `null`, `[]`, `"x"`, ``, `{"model":1}`, `{"stream":"yes"}`, strings.Repeat("[", 100_000)} {
			t.Run(name+" "+body[:min(len(body), 20)], func(t *testing.T) {
				srv := newServer(t, modeltest.Replies(reply))
				resp, err := srv.Client().Do(request(await(t), t, srv, body))
				if err == nil {
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
					assert.Empty(t, resp.Header.Get("X-B"))
				}
				r, err := srv.AwaitEnd(await(t), 0)
				require.NoError(t, err)
				assert.False(t, r.Disconnected)
			})
		}
	}
}

// A hundred clients, half of which leave in mid-stream.
func TestManyClientsHalfOfWhichLeave(t *testing.T) {
	srv := newServer(t, modeltest.Replies(modeltest.Send("a").Stall(20*time.Millisecond).Text("b").Finish(strata.FinishStop).Done()))
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(await(t))
			defer cancel()
			resp, err := srv.Client().Do(request(ctx, t, srv, streamed))
			if !assert.NoError(t, err) {
				return
			}
			defer resp.Body.Close()
			if i%2 == 0 {
				return
			}
			got, err := io.ReadAll(resp.Body)
			assert.NoError(t, err)
			assert.Contains(t, string(got), "[DONE]")
		})
	}
	wg.Wait()
	for i := range 100 {
		_, err := srv.AwaitEnd(await(t), i)
		require.NoError(t, err)
	}
}

// A scripted model whose calls are made from many goroutines hands each attempt
// out once.
func TestModelSharedByManyGoroutines(t *testing.T) {
	attempts := make([]modeltest.Attempt, 100)
	for i := range attempts {
		attempts[i] = modeltest.Answer(fmt.Sprint(i))
	}
	m := modeltest.New("openai/a", attempts...)
	var texts sync.Map
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			resp, err := m.Generate(context.Background(), strata.Prompt("hi"))
			if assert.NoError(t, err) {
				_, twice := texts.LoadOrStore(resp.Text(), true)
				assert.False(t, twice)
			}
		})
	}
	wg.Wait()
}
