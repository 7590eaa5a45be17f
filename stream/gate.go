package stream

import (
	"errors"
	"strings"

	"github.com/strata-go/strata"
)

// DefaultMaxParts is how many parts a Gate holds unless told otherwise.
const DefaultMaxParts = 1024

// A Gate stands between a model's stream and its reader. It holds the leading
// parts until one commits, so that a layer whose attempt failed before can drop
// them and try another, and the reader sees one preamble: that of the model
// that answered.
//
// It has three moves: Push a part, Hold one that would commit, Flush what is
// held. All report whether the reader wants more. A Gate serves one reader on
// one goroutine; it is made with [NewGate].
type Gate struct {
	yield  func(strata.Part, error) bool
	open   bool // something was handed on
	left   bool // the reader wants no more
	commit func()
	max    int

	held   []strata.Part
	few    [3]strata.Part // where they are while there are no more
	usage  *strata.Usage  // before the finish
	finish strata.Part    // a Finish, or nil
}

// NewGate returns a Gate before a reader. It holds at most maxParts parts; with
// one more it is flushed, and so commits. With less than 1 it holds none.
func NewGate(yield func(strata.Part, error) bool, maxParts int) *Gate {
	g := &Gate{yield: yield, max: maxParts}
	g.held = g.few[:0]
	return g
}

// Begin makes the gate ready for another attempt: parts that are still held are
// dropped. The attempt's commit, which may be nil, is called once when the first
// part is about to be handed on because it commits or because the gate is full.
// Begin must not be called once the gate is open.
func (g *Gate) Begin(commit func()) {
	g.Drop()
	g.commit, g.usage, g.finish = commit, nil, nil
}

// Push hands p on if it commits or if something was handed on before;
// else it holds p.
func (g *Gate) Push(p strata.Part) bool {
	g.note(p)
	switch {
	case g.open:
		return g.hand(p)
	case p.Commits(): // as release does, without its frame
		if g.commit != nil {
			g.commit()
		}
		return g.Flush() && g.hand(p)
	}
	return g.hold(p)
}

// Hold holds p even if it commits, unless something was handed on before. The
// layer that holds it must flush or drop it in the end.
func (g *Gate) Hold(p strata.Part) bool {
	g.note(p)
	if g.open {
		return g.hand(p)
	}
	return g.hold(p)
}

func (g *Gate) hold(p strata.Part) bool {
	if len(g.held) < g.max {
		g.held = append(g.held, p)
		return true
	}
	return g.release(p)
}

// Flush hands on what is held, as an accepted answer. From then on every part
// is handed on at once.
func (g *Gate) Flush() bool {
	g.open = true
	held := g.held
	g.held = nil
	for _, p := range held {
		if !g.hand(p) {
			return false
		}
	}
	clear(held)
	return !g.left
}

// Drop forgets what is held.
func (g *Gate) Drop() {
	clear(g.held)
	g.held = g.held[:0]
}

// Fail ends the stream with err, unless the reader has left. Where nothing was
// handed on it drops what is held and passes on the bare [Cause] of err: no
// layer above is bound by a commit that its own stream never saw.
func (g *Gate) Fail(err error) {
	if g.left {
		return
	}
	if !g.open {
		g.Drop()
		err = Cause(err)
	}
	g.left = true
	g.yield(nil, err)
}

// Opened reports whether something was handed on, so that a failure from here on
// can only be reported.
func (g *Gate) Opened() bool { return g.open }

// Left reports whether the reader has stopped ranging.
func (g *Gate) Left() bool { return g.left }

// Usage returns the last usage that the attempt's stream reported, or nil; that of
// its Finish, where it has one.
//
//go:noinline
func (g *Gate) Usage() *strata.Usage {
	if finish := g.Finish(); finish != nil {
		return &finish.Usage
	}
	return g.usage
}

// Response returns what is held as an answer.
func (g *Gate) Response() *strata.Response {
	var c Collector
	for _, p := range g.held {
		c.Add(p)
	}
	return c.Response()
}

// Finished reports whether the attempt has a Finish.
func (g *Gate) Finished() bool { return g.finish != nil }

// Finish returns a copy of the attempt's Finish, or nil if it has none.
func (g *Gate) Finish() *strata.Finish {
	if g.finish == nil {
		return nil
	}
	finish := g.finish.(strata.Finish)
	return &finish
}

// release opens the gate at p.
func (g *Gate) release(p strata.Part) bool {
	if g.commit != nil {
		g.commit()
	}
	return g.Flush() && g.hand(p)
}

func (g *Gate) hand(p strata.Part) bool {
	if !g.left && g.yield(p, nil) {
		return true
	}
	g.left = true
	return false
}

func (g *Gate) note(p strata.Part) {
	switch p.(type) {
	case strata.ResponseMetadata:
		g.noteUsage(p)
	case strata.Finish:
		g.finish = p
	}
}

// noteUsage stands apart, for the part is large: the stack of whoever reads a stream
// is as deep as the layers, with the frames of each that a part passes through.
//
//go:noinline
func (g *Gate) noteUsage(p strata.Part) {
	if usage := p.(strata.ResponseMetadata).Usage; usage != nil {
		g.usage = usage
	}
}

// A CommittedError is the failure of a stream whose output a retrying layer has
// already handed on: what the reader has seen is not the whole answer, and
// nobody else is asked for it. It wraps the cause; after earlier attempts of the
// layer, their *retry.Error. It is there for the caller: layers decide by what
// they have themselves handed on.
type CommittedError struct {
	Err   error
	Usage *strata.Usage // the last that was reported; nil: none
}

// Error returns the message of the cause, marked.
func (e *CommittedError) Error() string { return mark + e.Err.Error() }

const mark = "stream broke off after output: "

// Unwrap returns the cause.
func (e *CommittedError) Unwrap() error { return e.Err }

// Cause returns err without the mark of a CommittedError: what the mark wraps,
// with what others said around it.
func Cause(err error) error {
	for {
		marked, ok := err.(*CommittedError)
		if !ok {
			break
		}
		err = marked.Err
	}
	if marked, ok := errors.AsType[*CommittedError](err); ok {
		return &unmarked{err, Cause(marked.Err)}
	}
	return err
}

// unmarked is an error with a mark somewhere inside, which it hides.
type unmarked struct{ err, cause error }

func (e *unmarked) Error() string        { return strings.Replace(e.err.Error(), mark, "", 1) }
func (e *unmarked) Unwrap() error        { return e.cause }
func (e *unmarked) Is(target error) bool { return errors.Is(e.err, target) }

func (e *unmarked) As(target any) bool {
	_, marked := target.(**CommittedError)
	return !marked && errors.As(e.err, target)
}
