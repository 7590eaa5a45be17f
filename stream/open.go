package stream

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/strata-go/strata"
)

// A Stream is an answer that has begun: what [Open] returns. It is not safe for
// use by several goroutines at once; to end it from another, cancel the context
// that Open was given.
type Stream struct {
	held   []strata.Part // read by Open, not yet by the caller
	next   func() (strata.Part, error, bool)
	stop   func()
	cancel context.CancelFunc
	end    error // what Next returns once there is no more
}

// Open streams m's answer to req up to its commit point and returns the error
// that comes before it, or the stream, for those who need to know which it is
// before they do something of their own, as an HTTP handler does that must pick
// a status code. A stream that finishes with no content is open too, and so is
// one with more than [DefaultMaxParts] parts before its first content.
//
// The caller must read the Stream to its end or Close it.
func Open(ctx context.Context, m strata.Model, req *strata.Request) (*Stream, error) {
	ctx, cancel := context.WithCancel(ctx)
	next, stop := iter.Pull2(func(yield func(strata.Part, error) bool) {
		Each(ctx, m, req, yield)
	})
	s := &Stream{next: next, stop: stop, cancel: cancel}
	begun := false
	defer func() {
		if !begun {
			s.Close()
		}
	}()
	for len(s.held) <= DefaultMaxParts {
		p, err, ok := next()
		if err != nil {
			return nil, Cause(err)
		}
		if !ok {
			break // behind the Finish
		}
		s.held = append(s.held, p)
		if p.Commits() {
			break
		}
	}
	begun = true
	return s, nil
}

// Next returns the next part. After the last part it returns io.EOF, after a
// failure that error, and after Close io.ErrClosedPipe, each time it is called.
func (s *Stream) Next() (strata.Part, error) {
	if s.end != nil {
		return nil, s.end
	}
	var (
		p   strata.Part
		err error
		ok  = len(s.held) > 0
	)
	if ok {
		p, s.held = s.held[0], s.held[1:]
	} else {
		p, err, ok = s.pull()
	}
	if err != nil {
		s.close(err)
		return nil, err
	}
	if _, finish := p.(strata.Finish); finish || !ok {
		s.close(io.EOF)
	}
	if !ok {
		return nil, s.end
	}
	return p, nil
}

// pull is s.next, but for a panic in it, which closes the stream.
func (s *Stream) pull() (strata.Part, error, bool) {
	returned := false
	defer func() {
		if !returned {
			s.close(errPanicked)
		}
	}()
	p, err, ok := s.next()
	returned = true
	return p, err, ok
}

var errPanicked = errors.New("stream: the model panicked")

// Parts returns the rest of the stream as a sequence of the form that a Model's
// Stream has; it can be ranged over once. The Stream is closed when the range
// ends, however it ends.
func (s *Stream) Parts() iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		defer s.Close()
		for {
			p, err := s.Next()
			if err == io.EOF || !yield(p, err) || err != nil {
				return
			}
		}
	}
}

// Close abandons what has not been read: when it returns, the request behind
// the stream is torn down. It may be called more than once and returns nil.
func (s *Stream) Close() error {
	s.close(io.ErrClosedPipe)
	return nil
}

func (s *Stream) close(end error) {
	if s.end == nil {
		s.end = end
	}
	s.held = nil
	s.cancel()
	s.stop()
}
