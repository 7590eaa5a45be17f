package strata

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// Trace is a set of hooks that hear what the layers of a call do: the attempts
// they make, the waits between them, and who answered. It travels in the
// call's context, as in net/http/httptrace, so it hears every layer below the
// place where [WithTrace] put it, however the layers nest. A nil hook is not
// called. Hooks run on the goroutine of the call, one at a time but for layers
// that make attempts side by side, and the call waits for them.
//
// Layers that make attempts tell a Trace through its methods, which do nothing
// on a nil Trace:
//
//	trace := strata.ContextTrace(ctx)
//	ctx, attempt := trace.BeginAttempt(ctx, strata.AttemptInfo{Layer: "mine", Model: m.ID(), Number: 1})
//	resp, err := m.Generate(ctx, req)
//	attempt.Done(strata.AttemptDoneInfo{Err: err})
type Trace struct {
	// AttemptStart is called before an attempt begins. The attempt runs with
	// the context it returns, which derives from ctx; nil stands for ctx.
	AttemptStart func(ctx context.Context, info AttemptInfo) context.Context

	// AttemptDone is called when an attempt has ended, with the attempt's own
	// context; for a stream, when the stream has ended.
	AttemptDone func(ctx context.Context, info AttemptDoneInfo)

	// Wait is called before a wait between two attempts begins.
	Wait func(ctx context.Context, info WaitInfo)

	// Retry is called before each attempt of a layer but its first, after the
	// wait. What it returns overrides the request of that attempt alone, over
	// what the layer itself overrides: for language models a *Request whose
	// fields that are not zero replace the request's, or nil.
	Retry func(ctx context.Context, info RetryInfo) any

	// Commit is called at the commit point of a stream, just before its first
	// part that commits is handed on, with the attempt's own context.
	Commit func(ctx context.Context, info AttemptInfo)

	// Served is called when an answer is accepted, for a stream at its commit
	// point: once a retrying layer, inner layers first.
	Served func(ctx context.Context, info ServedInfo)

	// Refusal is called when an answer is found to be a refusal.
	Refusal func(ctx context.Context, info RefusalInfo)

	// Bytes is called when bytes of a response arrive, by adapters that see
	// them: n of them, keep-alives included, or 0 for its head. They say that
	// the server is alive where no part does. It may be called on a goroutine
	// of the transport's.
	Bytes func(ctx context.Context, n int)
}

// AttemptInfo says which attempt a hook is about.
type AttemptInfo struct {
	Layer  string  // the layer that makes it: "backoff", "fallback", …
	Model  ModelID // the model that is asked
	Number int     // counted over the layer's call, from 1
}

// AttemptDoneInfo says how an attempt ended.
type AttemptDoneInfo struct {
	AttemptInfo

	// Err is the failure, as the model returned it. It is nil for an answer and
	// for a stream whose reader left.
	Err error

	// Left says that the reader stopped ranging before the stream's end.
	Left bool

	// Committed says that a part that commits was handed on.
	Committed bool

	// Nested says that an inner layer made attempts within this one. Tokens and
	// requests are summed over the attempts that are not nested.
	Nested bool

	FinishReason FinishReason // empty where there was none
	Usage        Usage        // the last that was reported, of a failed attempt too
	Duration     time.Duration
}

// WaitInfo says what a layer waits for.
type WaitInfo struct {
	AttemptInfo // the attempt to come

	Duration   time.Duration
	FromServer bool  // the server asked for the wait
	Err        error // why there is another attempt; nil for a rejected answer
}

// RetryInfo says what an attempt comes after.
type RetryInfo struct {
	AttemptInfo // the attempt to come

	After   ModelID // the model that was asked last
	Err     error   // its failure; nil for a rejected answer
	Request any     // as the layer got it, not to be changed: for language models a *Request
}

// ServedInfo says who answered.
type ServedInfo struct {
	Layer string  // the layer that accepted the answer
	Asked ModelID // the model that this layer asked
	Model ModelID // the model that answered, as an inner layer told; else Asked
}

// RefusalInfo says how a model refused to answer.
type RefusalInfo struct {
	Model   ModelID
	Rule    string  // what told it from an answer
	Score   float64 // how surely, from 0 to 1
	Text    string  // the beginning of the answer, which is private as any answer
	LogOnly bool    // the call goes on with it
}

// traceContext is a context with what it carries for the layers below.
type traceContext struct {
	context.Context
	traceState
}

type traceKey struct{}

type traceState struct {
	trace   *Trace
	attempt *AttemptTrace // the attempt that is under way; nil: none
	start   *ModelID      // where a call is to begin; nil: at the model that is wrapped
}

// Value is that of the context around, but for the state.
func (c *traceContext) Value(key any) any {
	if _, ok := key.(traceKey); ok {
		return c
	}
	return c.Context.Value(key)
}

// String names the context as those of package context do.
func (c *traceContext) String() string {
	if s, ok := c.Context.(fmt.Stringer); ok {
		return s.String() + ".WithTrace"
	}
	return fmt.Sprintf("%T.WithTrace", c.Context)
}

func contextState(ctx context.Context) traceState {
	if c, ok := ctx.Value(traceKey{}).(*traceContext); ok {
		return c.traceState
	}
	return traceState{}
}

// WithTrace returns a context in which t's hooks are installed, beside those
// that are there already: both hear. Of two, the one installed first hears an
// attempt's start first and its end last.
func WithTrace(ctx context.Context, t *Trace) context.Context {
	if t == nil {
		return ctx
	}
	state := contextState(ctx)
	state.trace = compose(state.trace, t)
	return &traceContext{ctx, state}
}

// WithStart returns a context in which a call begins at the model with this ID,
// if a layer below can ask it: the outermost one that knows it does, and takes
// the hint off. The zero ID takes it off.
func WithStart(ctx context.Context, id ModelID) context.Context {
	state := contextState(ctx)
	if state.start = &id; id.IsZero() {
		state.start = nil
	}
	return &traceContext{ctx, state}
}

// ContextTraceStart returns the hooks installed in ctx, or nil, and where a call
// is to begin, as [WithStart] says, or the zero ID.
func ContextTraceStart(ctx context.Context) (*Trace, ModelID) {
	state := contextState(ctx)
	if state.start == nil {
		return state.trace, ModelID{}
	}
	return state.trace, *state.start
}

// ContextTrace returns the hooks installed in ctx, or nil if there are none.
func ContextTrace(ctx context.Context) *Trace {
	return contextState(ctx).trace
}

// AttemptTrace tells a Trace about one attempt that is under way. Its methods
// do nothing on nil.
type AttemptTrace struct {
	ctx    context.Context // the attempt's own
	trace  *Trace
	parent *AttemptTrace // of an outer layer, whose attempt holds this one; nil: none
	info   AttemptInfo
	begun  time.Time
	nested atomic.Bool
	commit bool // it has committed
	served atomic.Pointer[ModelID]
}

// BeginAttempt tells that an attempt begins. It returns the context to make it
// with, and what tells the rest; whoever begins an attempt calls Done.
func (t *Trace) BeginAttempt(ctx context.Context, info AttemptInfo) (context.Context, *AttemptTrace) {
	if t == nil {
		return ctx, nil
	}
	a := &AttemptTrace{trace: t, info: info, begun: time.Now()}
	state := contextState(ctx)
	if state.attempt != nil {
		a.parent = state.attempt
		a.parent.nested.Store(true)
	}
	if t.AttemptStart != nil {
		if started := a.start(ctx); started != nil {
			ctx = started
			state = contextState(ctx) // a hook may install a Trace for what is below
		}
	}
	if state.trace == nil {
		state.trace = t
	}
	state.attempt = a
	a.ctx = &traceContext{ctx, state}
	return a.ctx, a
}

// start calls the hook. If one of several panics, those that have heard the start
// hear the end.
func (a *AttemptTrace) start(ctx context.Context) context.Context {
	a.ctx = ctx
	returned := false
	defer func() {
		if !returned {
			a.Done(AttemptDoneInfo{Err: errHookPanicked})
		}
	}()
	started := a.trace.AttemptStart(ctx, a.info)
	returned = true
	return started
}

var errHookPanicked = errors.New("strata: a hook of a Trace panicked")

// BeginWait tells that a wait begins.
func (t *Trace) BeginWait(ctx context.Context, info WaitInfo) {
	if t != nil && t.Wait != nil {
		t.Wait(ctx, info)
	}
}

// BeginRetry tells that a layer is about to make an attempt that is not its
// first, and returns the overrides of its request, to be laid over it one after
// the other.
func (t *Trace) BeginRetry(ctx context.Context, info RetryInfo) []any {
	if t == nil || t.Retry == nil {
		return nil
	}
	switch override := t.Retry(ctx, info).(type) {
	case nil:
		return nil
	case []any:
		return override
	default:
		return []any{override}
	}
}

// Refused tells that an answer is a refusal.
func (t *Trace) Refused(ctx context.Context, info RefusalInfo) {
	if t != nil && t.Refusal != nil {
		t.Refusal(ctx, info)
	}
}

// ReceivedBytes tells that n bytes of a response have arrived, 0 for its head.
func (t *Trace) ReceivedBytes(ctx context.Context, n int) {
	if t != nil && t.Bytes != nil {
		t.Bytes(ctx, n)
	}
}

// Commit tells that the attempt's stream is about to commit.
func (a *AttemptTrace) Commit() {
	if a == nil {
		return
	}
	a.commit = true
	if a.trace.Commit != nil {
		a.trace.Commit(a.ctx, a.info)
	}
}

// Served tells that the attempt's answer is accepted. Who answered is what an
// inner layer told, else the model that this attempt asked.
func (a *AttemptTrace) Served() {
	if a == nil {
		return
	}
	by := a.served.Load()
	if by == nil {
		by = &a.info.Model
	}
	if a.parent != nil {
		a.parent.served.Store(by)
	}
	if a.trace.Served != nil {
		a.trace.Served(a.ctx, ServedInfo{Layer: a.info.Layer, Asked: a.info.Model, Model: *by})
	}
}

// Done tells that the attempt has ended. It fills the AttemptInfo, Nested and
// Duration.
func (a *AttemptTrace) Done(info AttemptDoneInfo) {
	if a == nil || a.trace.AttemptDone == nil {
		return
	}
	info.AttemptInfo = a.info
	info.Nested = a.nested.Load()
	info.Committed = info.Committed || a.commit
	info.Duration = time.Since(a.begun)
	a.trace.AttemptDone(a.ctx, info)
}

// compose returns a Trace of which both outer and inner hear.
func compose(outer, inner *Trace) *Trace {
	if outer == nil {
		return inner
	}
	c := &Trace{
		AttemptDone: both(inner.AttemptDone, outer.AttemptDone),
		Wait:        both(outer.Wait, inner.Wait),
		Commit:      both(outer.Commit, inner.Commit),
		Served:      both(outer.Served, inner.Served),
		Refusal:     both(outer.Refusal, inner.Refusal),
		Bytes:       both(outer.Bytes, inner.Bytes),
	}
	switch {
	case outer.Retry == nil:
		c.Retry = inner.Retry
	case inner.Retry == nil:
		c.Retry = outer.Retry
	default:
		c.Retry = func(ctx context.Context, info RetryInfo) any {
			return append(outer.BeginRetry(ctx, info), inner.BeginRetry(ctx, info)...)
		}
	}
	switch {
	case outer.AttemptStart == nil:
		c.AttemptStart = inner.AttemptStart
	case inner.AttemptStart == nil:
		c.AttemptStart = outer.AttemptStart
	default:
		c.AttemptStart = func(ctx context.Context, info AttemptInfo) context.Context {
			if started := outer.AttemptStart(ctx, info); started != nil {
				ctx = started
			}
			if started := inner.AttemptStart(ctx, info); started != nil {
				ctx = started
			}
			return ctx
		}
	}
	return c
}

func both[I any](first, second func(context.Context, I)) func(context.Context, I) {
	if first == nil {
		return second
	}
	if second == nil {
		return first
	}
	return func(ctx context.Context, info I) {
		first(ctx, info)
		second(ctx, info)
	}
}
