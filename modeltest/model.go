package modeltest

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/stream"
)

// A Model plays a script: its nth call plays the nth attempt, the last attempt
// repeats. It records its calls. Its waits are those of the time package, so in
// a testing/synctest bubble they take no real time. It is safe for use by any
// number of goroutines, which share the script.
type Model struct {
	id       strata.ModelID
	attempts []Attempt

	mu    sync.Mutex
	calls []Call
}

// An Attempt is what one call of a Model does, step by step. One that ends with
// neither a finish nor an error is a stream that just stops.
type Attempt []Step

// A Step does one thing in an attempt and reports whether to go on. Steps of
// one's own are functions like any other.
type Step func(ctx context.Context, yield func(strata.Part, error) bool) bool

// A Call is one call that a Model received.
type Call struct {
	Request *strata.Request // a copy, as it was at the time
	Stream  bool
	Context context.Context // that the call was made with
	Time    time.Time
}

// New returns a Model with a script of at least one attempt. The ID is of the
// form "provider/name"; New panics if it is not, as it does for an empty script
// or a nil step.
func New(id string, attempts ...Attempt) *Model {
	parsed, err := strata.ParseModelID(id)
	if err != nil {
		panic("modeltest.New: " + err.Error())
	}
	if len(attempts) == 0 {
		panic(fmt.Sprintf("modeltest.New(%q): there is no attempt", id))
	}
	for i, attempt := range attempts {
		for j, step := range attempt {
			if step == nil {
				panic(fmt.Sprintf("modeltest.New(%q): step %d of attempt %d is nil", id, j, i))
			}
		}
	}
	return &Model{id: parsed, attempts: attempts}
}

// ID returns the model's ID.
func (m *Model) ID() strata.ModelID { return m.id }

// Generate plays the next attempt and collects it into a Response.
func (m *Model) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	attempt := m.begin(ctx, req, false)
	return stream.Collect(func(yield func(strata.Part, error) bool) { m.play(ctx, attempt, yield) })
}

// Stream plays the next attempt, once it is ranged over.
func (m *Model) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		m.play(ctx, m.begin(ctx, req, true), yield)
	}
}

// Calls returns the calls so far, in order.
func (m *Model) Calls() []Call {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Call(nil), m.calls...)
}

func (m *Model) begin(ctx context.Context, req *strata.Request, stream bool) Attempt {
	m.mu.Lock()
	defer m.mu.Unlock()
	attempt := m.attempts[min(len(m.calls), len(m.attempts)-1)]
	m.calls = append(m.calls, Call{Request: req.Clone(), Stream: stream, Context: ctx, Time: time.Now()})
	return attempt
}

// play runs the steps. It fills what a script leaves out: the ID of a delta
// whose block has begun, and who answered.
func (m *Model) play(ctx context.Context, attempt Attempt, yield func(strata.Part, error) bool) {
	text, reasoning := "0", "0"
	fill := func(p strata.Part, err error) bool {
		switch part := p.(type) {
		case strata.TextStart:
			text = part.ID
		case strata.ReasoningStart:
			reasoning = part.ID
		case strata.TextDelta:
			if part.ID == "" {
				part.ID = text
				p = part
			}
		case strata.ReasoningDelta:
			if part.ID == "" {
				part.ID = reasoning
				p = part
			}
		case strata.Finish:
			if part.Model.IsZero() {
				part.Model = m.id
				p = part
			}
		}
		return yield(p, err)
	}
	for _, step := range attempt {
		if !step(ctx, fill) {
			return
		}
	}
}
