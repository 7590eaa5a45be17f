package modeltest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Request is one that a [Server] received. Its Header and Body are shared with
// the server's record: do not change them.
type Request struct {
	Method string
	Path   string
	Header http.Header // with "REDACTED" for the values of those that carry keys
	Body   []byte

	Model  string // named in the request; empty where the server could not tell
	Stream bool   // it asked for a stream

	RemoteAddr string    // of the client's end: the same for two requests over one connection
	Arrived    time.Time // when it was read to its end
	Ended      time.Time // when its handler ended; zero while that runs

	// Disconnected tells that the client had gone before the reply was done.
	Disconnected bool
}

// String returns the method, the path and the model; no header and no body.
func (r Request) String() string {
	s := fmt.Sprintf("%s %s %q", r.Method, r.Path, r.Model)
	if r.Stream {
		s += " stream"
	}
	switch {
	case r.Ended.IsZero():
		s += ", running"
	case r.Disconnected:
		s += ", the client left"
	}
	return s
}

const redacted = "REDACTED"

// redact returns a copy of h that shows which headers carried a key, and no key.
func redact(h http.Header) http.Header {
	h = h.Clone()
	for name, values := range h {
		switch lower := strings.ToLower(name); {
		case lower == "authorization", lower == "proxy-authorization", lower == "cookie",
			strings.HasSuffix(lower, "api-key"), strings.HasSuffix(lower, "-token"):
			for i := range values {
				values[i] = redacted
			}
		}
	}
	return h
}

// A requestLog holds the requests in the order in which they arrived.
type requestLog struct {
	mu       sync.Mutex
	requests []Request
	closed   bool
	changed  chan struct{} // closed and replaced at every change
}

func newRequestLog() *requestLog { return &requestLog{changed: make(chan struct{})} }

// add appends r and returns where it stands.
func (l *requestLog) add(r Request) (n int) {
	l.change(func() {
		n = len(l.requests)
		l.requests = append(l.requests, r)
	})
	return n
}

func (l *requestLog) end(n int, disconnected bool) {
	l.change(func() {
		l.requests[n].Ended = time.Now()
		l.requests[n].Disconnected = disconnected
	})
}

func (l *requestLog) close() { l.change(func() { l.closed = true }) }

func (l *requestLog) change(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *requestLog) all() []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.requests)
}

// await waits until the nth request is there and satisfies is.
func (l *requestLog) await(ctx context.Context, n int, is func(Request) bool) (Request, error) {
	for {
		l.mu.Lock()
		var r Request
		there := n < len(l.requests)
		if there {
			r = l.requests[n]
		}
		closed, changed := l.closed, l.changed
		l.mu.Unlock()

		switch {
		case there && is(r):
			return r, nil
		case closed:
			return r, fmt.Errorf("modeltest: waiting for request %d: the server is closed", n)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return r, fmt.Errorf("modeltest: waiting for request %d: %w", n, context.Cause(ctx))
		}
	}
}
