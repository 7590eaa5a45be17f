package failure_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata/failure"
)

// get asks url for an answer and reads it whole, as an adapter does.
func get(ctx context.Context, client *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// deep wraps err ten times, in each of the ways that keep it in the chain.
func deep(err error) error {
	for i := range 5 {
		err = fmt.Errorf("step %d: %w", i, errors.Join(errors.New("while answering"), err))
	}
	return err
}

// flat is err as it is after somebody formatted it with %v.
func flat(err error) error { return fmt.Errorf("request failed: %v", err) }

// TestOfRealTransport breaks real connections on loopback in every way there is.
func TestOfRealTransport(t *testing.T) {
	t.Parallel()
	background := func(*testing.T) context.Context { return context.Background() }
	tests := []struct {
		name string
		ctx  func(*testing.T) context.Context
		make func(*testing.T) (client *http.Client, url string)
		want failure.Kind
		flat failure.Kind // after %v; empty: the same
	}{
		{name: "dial refused", make: refusing, want: failure.Network},
		{name: "no such host", make: noSuchHost, want: failure.Network},
		{name: "name server does not answer", make: slowDNS, want: failure.Timeout},
		{name: "certificate nobody signed", make: untrusted, want: failure.Network},
		{name: "HTTP where TLS was expected", make: plainForTLS, want: failure.Network},
		{name: "TLS refused by the server", make: oldTLS, want: failure.Network},
		{name: "closed before an answer", make: raw(""), want: failure.Network},
		{name: "not HTTP", make: raw("SSH-2.0-OpenSSH_9.6\r\n\r\n"), want: failure.Network},
		{name: "body shorter than it said", make: raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), want: failure.Network},
		{name: "chunk cut off", make: raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf"), want: failure.Network},
		{name: "chunk length that is none", make: raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhalf\r\n"), want: failure.Network},
		{name: "reset in mid-body", make: reset, want: failure.Network},
		{name: "HTTP/2 stream aborted in mid-body", make: http2(func(http.ResponseWriter) { panic(http.ErrAbortHandler) }), want: failure.Network},
		{name: "HTTP/2 connection lost in mid-body", make: http2(nil), want: failure.Network},
		{name: "client's own timeout", make: stalling(50 * time.Millisecond), want: failure.Timeout},
		{name: "caller cancelled", ctx: cancelled(nil), make: stalling(0), want: failure.Aborted},
		{name: "caller's deadline", ctx: expired(nil), make: stalling(0), want: failure.Timeout},
		{name: "cancelled with a cause that says so", ctx: cancelled(fmt.Errorf("user left: %w", context.Canceled)), make: stalling(0), want: failure.Aborted},
		{name: "deadline of a layer", ctx: cancelled(&failure.TimeoutError{Limit: failure.LimitTotal, After: time.Second}), make: stalling(0), want: failure.Timeout, flat: failure.Unknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx := background
			if tt.ctx != nil {
				ctx = tt.ctx
			}
			client, url := tt.make(t)
			err := get(ctx(t), client, url)
			require.Error(t, err)
			t.Logf("%T: %v", err, err)
			assert.Equal(t, tt.want, failure.Of(err))
			assert.Equal(t, tt.want, failure.Of(deep(err)), "wrapped ten deep")
			if tt.flat == "" {
				tt.flat = tt.want
			}
			assert.Equal(t, tt.flat, failure.Of(flat(err)), "as text")
		})
	}
}

// TestOfGoAway has a server take its connection away with GOAWAY while an answer
// is on its way.
func TestOfGoAway(t *testing.T) {
	t.Parallel()
	for code, name := range map[uint32]string{0: "NO_ERROR", 2: "INTERNAL_ERROR", 11: "ENHANCE_YOUR_CALM"} {
		client, url := frames(t, func(c net.Conn, stream uint32) {
			writeFrame(c, 7, 0, 0, []byte{0, 0, 0, 0, byte(code >> 24), byte(code >> 16), byte(code >> 8), byte(code)})
		})
		err := get(t.Context(), client, url)
		require.Error(t, err, name)
		t.Log(err)
		assert.Equal(t, failure.Network, failure.Of(deep(err)), name)
		assert.Equal(t, failure.Network, failure.Of(flat(err)), name)
	}
}

// TestOfStreamReset has a server end one stream of a connection with RST_STREAM.
func TestOfStreamReset(t *testing.T) {
	t.Parallel()
	for code, name := range map[byte]string{2: "INTERNAL_ERROR", 8: "CANCEL", 11: "ENHANCE_YOUR_CALM"} {
		client, url := frames(t, func(c net.Conn, stream uint32) {
			writeFrame(c, 3, 0, stream, []byte{0, 0, 0, code})
		})
		err := get(t.Context(), client, url)
		require.Error(t, err, name)
		t.Log(err)
		assert.Equal(t, failure.Network, failure.Of(deep(err)), name)
		assert.Equal(t, failure.Network, failure.Of(flat(err)), name)
	}
}

func listen(t *testing.T) net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

func freshClient(t *testing.T) *http.Client {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func refusing(t *testing.T) (*http.Client, string) {
	l := listen(t)
	require.NoError(t, l.Close())
	return freshClient(t), "http://" + l.Addr().String()
}

// resolver asks a name server that answers with reply, or not at all.
func resolver(t *testing.T, timeout time.Duration, reply func(query []byte) []byte) *http.Client {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { server.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := server.ReadFrom(buf)
			if err != nil {
				return
			}
			if reply != nil {
				server.WriteTo(reply(buf[:n]), from)
			}
		}
	}()
	dialer := &net.Dialer{Timeout: timeout, Resolver: &net.Resolver{PreferGo: true,
		Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
		}}}
	return &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
}

func noSuchHost(t *testing.T) (*http.Client, string) {
	return resolver(t, 0, func(query []byte) []byte {
		query[2], query[3] = 0x81, 0x83 // a response, NXDOMAIN
		return query
	}), "http://model.example"
}

func slowDNS(t *testing.T) (*http.Client, string) {
	return resolver(t, 50*time.Millisecond, nil), "http://model.example"
}

func untrusted(t *testing.T) (*http.Client, string) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	s.Config.ErrorLog = quiet
	t.Cleanup(s.Close)
	return freshClient(t), s.URL
}

func plainForTLS(t *testing.T) (*http.Client, string) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Config.ErrorLog = quiet
	t.Cleanup(s.Close)
	return freshClient(t), "https://" + s.Listener.Addr().String()
}

func oldTLS(t *testing.T) (*http.Client, string) {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = quiet
	s.TLS = &tls.Config{MinVersion: tls.VersionTLS13}
	s.StartTLS()
	t.Cleanup(s.Close)
	client := s.Client()
	client.Transport.(*http.Transport).TLSClientConfig.MaxVersion = tls.VersionTLS12
	return client, s.URL
}

// raw answers every connection with these bytes and closes it.
func raw(answer string) func(*testing.T) (*http.Client, string) {
	return func(t *testing.T) (*http.Client, string) {
		l := listen(t)
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				http.ReadRequest(bufio.NewReader(c))
				io.WriteString(c, answer)
				c.Close()
			}
		}()
		return freshClient(t), "http://" + l.Addr().String()
	}
}

// reset ends the connection with RST once the first half of the body is out.
func reset(t *testing.T) (*http.Client, string) {
	l := listen(t)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		http.ReadRequest(bufio.NewReader(c))
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
		c.(*net.TCPConn).SetLinger(0)
		c.Close()
	}()
	return freshClient(t), "http://" + l.Addr().String()
}

// http2 serves half an answer over HTTP/2 and then does what end says, or loses
// the connection.
func http2(end func(http.ResponseWriter)) func(*testing.T) (*http.Client, string) {
	return func(t *testing.T) (*http.Client, string) {
		s := httptest.NewUnstartedServer(nil)
		s.Config.ErrorLog = quiet
		s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "half")
			w.(http.Flusher).Flush()
			if end != nil {
				end(w)
				return
			}
			s.CloseClientConnections()
			<-r.Context().Done()
		})
		s.EnableHTTP2 = true
		s.StartTLS()
		t.Cleanup(s.Close)
		return s.Client(), s.URL
	}
}

// stalling begins an answer and never ends it.
func stalling(timeout time.Duration) func(*testing.T) (*http.Client, string) {
	return func(t *testing.T) (*http.Client, string) {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}))
		t.Cleanup(s.Close)
		client := s.Client()
		client.Timeout = timeout
		return client, s.URL
	}
}

func cancelled(cause error) func(*testing.T) context.Context {
	return func(t *testing.T) context.Context {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(cause)
		return ctx
	}
}

func expired(cause error) func(*testing.T) context.Context {
	return func(t *testing.T) context.Context {
		ctx, cancel := context.WithTimeoutCause(context.Background(), time.Nanosecond, cause)
		t.Cleanup(cancel)
		<-ctx.Done()
		return ctx
	}
}
