package redis_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// server is a redis-server on loopback that belongs to a test.
type server struct {
	addr string
	args []string
	cmd  *exec.Cmd
}

// startServer starts the redis-server on the PATH, with nothing in it, and skips
// the test where there is none.
func startServer(t testing.TB, args ...string) *server {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("there is no redis-server on the PATH")
	}
	s := &server{args: append([]string{"--bind", "127.0.0.1", "--save", "", "--dir", t.TempDir()}, args...)}
	t.Cleanup(s.kill)
	for range 20 { // until a port is free; those from 32768 on come and go with connections
		port := 20000 + rand.N(2000)
		s.addr = fmt.Sprintf("127.0.0.1:%d", port)
		if s.start(t) {
			return s
		}
	}
	t.Fatal("redis-server does not start on any port")
	return nil
}

// start starts the server, again, and reports whether it listens.
func (s *server) start(t testing.TB) bool {
	_, port, _ := strings.Cut(s.addr, ":")
	s.cmd = exec.Command("redis-server", append([]string{"--port", port}, s.args...)...)
	out, err := s.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.Contains(lines.Text(), "Ready to accept connections") {
			go func() { _, _ = io.Copy(io.Discard, out) }() // until the server ends
			return true
		}
	}
	s.kill()
	return false
}

// kill ends the server at once, if it runs.
func (s *server) kill() {
	if s.cmd != nil && s.cmd.ProcessState == nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	}
}

// signal stops the server, or lets it go on.
func (s *server) signal(t *testing.T, sig syscall.Signal) {
	require.NoError(t, s.cmd.Process.Signal(sig))
}

// client returns a client of the server, as programs make it.
func (s *server) client(t testing.TB) goredis.UniversalClient {
	c := goredis.NewClient(&goredis.Options{Addr: s.addr})
	t.Cleanup(func() { _ = c.Close() })
	return c
}
