package modeltest_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/modeltest"
)

func TestTime(t *testing.T) {
	const d = 10 * time.Millisecond
	for _, tt := range []struct {
		name        string
		reply       modeltest.Reply
		head, whole time.Duration // the least time to the headers and to the end, in a stream
	}{
		{"a stall before the headers", modeltest.Send().Stall(d).Text("Hi"), d, d},
		{"a stall before an error", modeltest.Status(503).Stall(d).Error("overloaded", "busy"), d, d},
		{"a stall before the first event", modeltest.Send().Head().Stall(d).Text("Hi"), 0, d},
		{"a stall between events", modeltest.Send("a").Stall(d).Text("b").Stall(d), 0, 2 * d},
		{"comments", modeltest.Send().KeepAlive(d/3, d).Text("Hi"), 0, d},
		{"a token at a time", modeltest.Send("a", "b", "c").Finish("stop").Done().Pace(d), 0, 4 * d},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := newServer(t, modeltest.Replies(tt.reply))
			start := time.Now()
			resp, err := srv.Client().Do(request(await(t), t, srv, streamed))
			require.NoError(t, err)
			defer resp.Body.Close()
			assert.GreaterOrEqual(t, time.Since(start), tt.head)
			_, err = io.Copy(io.Discard, resp.Body)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, time.Since(start), tt.whole)

			start = time.Now()
			ask(t, srv, whole)
			assert.GreaterOrEqual(t, time.Since(start), tt.whole, "a whole answer takes as long")
		})
	}
}

// What was sent before a stall has arrived while it lasts.
func TestStallsShowWhatCameBefore(t *testing.T) {
	for _, tt := range []struct {
		name  string
		reply modeltest.Reply
		want  string
	}{
		{"headers", modeltest.Send().Head(), ""},
		{"a comment", modeltest.Send().Comment("ping"), ": ping\n\n"},
		{"an opening", modeltest.Send().Open(), opened},
		{"text", modeltest.Send("The sky"), sky},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := newServer(t, modeltest.Replies(tt.reply.Stall(modeltest.Forever)))
			ctx, cancel := context.WithCancel(await(t))
			resp, err := srv.Client().Do(request(ctx, t, srv, streamed))
			require.NoError(t, err)
			defer resp.Body.Close()

			got := make([]byte, len(tt.want)+9*strings.Count(tt.want, `"created"`))
			_, err = io.ReadFull(resp.Body, got)
			require.NoError(t, err)
			assert.Equal(t, tt.want, created.ReplaceAllString(string(got), `"created":0`))
			assert.Zero(t, srv.Requests()[0].Ended, "the handler still stalls")

			cancel()
			_, err = resp.Body.Read(make([]byte, 1))
			assert.ErrorIs(t, err, context.Canceled)
			r, err := srv.AwaitEnd(await(t), 0)
			require.NoError(t, err)
			assert.True(t, r.Disconnected)
		})
	}
}

// Whatever a reply is at, it ends when the client leaves and when the server
// closes, and only the first is a disconnect.
func TestStallsEnd(t *testing.T) {
	for name, reply := range map[string]modeltest.Reply{
		"before the headers":     modeltest.Send().Stall(modeltest.Forever),
		"before the first event": modeltest.Send().Head().Stall(modeltest.Forever),
		"between events":         modeltest.Send("a").Stall(modeltest.Forever).Text("b"),
		"among comments":         modeltest.Send().KeepAlive(time.Millisecond, modeltest.Forever),
		"between tokens":         modeltest.Send("a", "b").Pace(time.Hour),
		"before an error":        modeltest.Status(500).Stall(time.Hour).Error("a", "b"),
		"among bytes":            modeltest.Send().Huge(16 << 20).Stall(modeltest.Forever), // more than sockets hold
	} {
		for _, body := range []string{streamed, whole} {
			t.Run(name+" "+body, func(t *testing.T) {
				srv := newServer(t, modeltest.Replies(reply))
				ctx, leave := context.WithCancel(await(t))
				ended := make(chan error, 2)
				call := func(ctx context.Context) {
					resp, err := srv.Client().Do(request(ctx, t, srv, body))
					if err == nil {
						<-ctx.Done() // reads nothing
						err = resp.Body.Close()
					}
					ended <- err
				}

				go call(ctx)
				_, err := srv.AwaitRequest(await(t), 0)
				require.NoError(t, err)
				leave()
				r, err := srv.AwaitEnd(await(t), 0)
				require.NoError(t, err)
				assert.True(t, r.Disconnected, "the client left")
				<-ended

				ctx, leave = context.WithCancel(await(t))
				defer leave()
				go call(ctx)
				_, err = srv.AwaitRequest(await(t), 1)
				require.NoError(t, err)
				srv.Close()
				r, err = srv.AwaitEnd(await(t), 1)
				require.NoError(t, err)
				assert.False(t, r.Disconnected, "the server closed")
				leave()
				<-ended
			})
		}
	}
}
