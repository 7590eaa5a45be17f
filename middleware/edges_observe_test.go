package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	mt "github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/stream"
	"github.com/strata-go/strata/when"
)

type edgeReport struct {
	success, failure []middleware.CallInfo
	done             []strata.AttemptDoneInfo
	started          int
}

func (r *edgeReport) layer() strata.Layer {
	return middleware.Observe(
		middleware.OnAttempt(func(context.Context, strata.AttemptInfo) { r.started++ }),
		middleware.OnAttemptDone(func(_ context.Context, i strata.AttemptDoneInfo) { r.done = append(r.done, i) }),
		middleware.OnSuccess(func(_ context.Context, i middleware.CallInfo) { r.success = append(r.success, i) }),
		middleware.OnFailure(func(_ context.Context, i middleware.CallInfo) { r.failure = append(r.failure, i) }))
}

// Exactly one of OnSuccess and OnFailure per call, whatever its end; each
// attempt that was started is done.
func TestEdgeOneReportPerEnding(t *testing.T) {
	content := []mt.Step{mt.Start(), mt.Text("x"), mt.Text("y"), mt.Finish(strata.FinishStop)}
	filtered := mt.Attempt{mt.Start(), mt.Metadata("r"), mt.Finish(strata.FinishContentFilter)}
	leave := func(n int) func(context.Context, strata.Model) error {
		return func(ctx context.Context, m strata.Model) error {
			for _, err := range m.Stream(ctx, strata.Prompt("hi")) {
				if err != nil {
					return err
				}
				if n--; n == 0 {
					break
				}
			}
			return nil
		}
	}
	quietly := func(f func(context.Context, strata.Model) error) func(context.Context, strata.Model) error {
		return func(ctx context.Context, m strata.Model) (err error) {
			defer func() {
				if p := recover(); p != nil {
					err = fmt.Errorf("panic: %v", p)
				}
			}()
			return f(ctx, m)
		}
	}
	all := leave(-1)
	generate := func(ctx context.Context, m strata.Model) error {
		_, err := m.Generate(ctx, strata.Prompt("hi"))
		return err
	}
	goexit := func(ctx context.Context, m strata.Model) error {
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range m.Stream(ctx, strata.Prompt("hi")) {
				runtime.Goexit()
			}
		}()
		<-done
		return errors.New("goexit")
	}
	exits := mt.Attempt{func(context.Context, func(strata.Part, error) bool) bool { runtime.Goexit(); return false }}
	onOther := func(f func(context.Context, strata.Model) error) func(context.Context, strata.Model) error {
		return func(ctx context.Context, m strata.Model) error {
			done := make(chan struct{})
			go func() { defer close(done); _ = f(ctx, m) }()
			<-done
			return errors.New("goexit")
		}
	}
	panics := func(ctx context.Context, m strata.Model) error {
		for range m.Stream(ctx, strata.Prompt("hi")) {
			panic("reader")
		}
		return nil
	}
	for name, test := range map[string]struct {
		base   mt.Attempt
		ask    func(context.Context, strata.Model) error
		cancel time.Duration
		fails  bool
	}{
		"stream":                      {content, all, 0, false},
		"generate":                    {content, generate, 0, false},
		"break at the first":          {content, leave(1), 0, false},
		"break in the flush":          {content, leave(2), 0, false},
		"break at content":            {content, leave(3), 0, false},
		"break at the finish":         {content, leave(4), 0, false},
		"rejected, accepted":          {filtered, all, 0, false},
		"rejected, accepted, whole":   {filtered, generate, 0, false},
		"rejected, break in flush":    {filtered, leave(1), 0, false},
		"panic":                       {mt.Attempt{mt.Panic("boom")}, quietly(all), 0, true},
		"panic behind content":        {mt.Attempt{mt.Text("x"), mt.Panic("boom")}, quietly(all), 0, true},
		"panic, whole":                {mt.Attempt{mt.Panic("boom")}, quietly(generate), 0, true},
		"panic of the reader":         {content, quietly(panics), 0, true},
		"goexit of the reader":        {content, goexit, 0, true},
		"goexit of the model":         {exits, onOther(all), 0, true},
		"goexit of the model, whole":  {exits, onOther(generate), 0, true},
		"error behind content":        {mt.Attempt{mt.Text("x"), mt.Fail(edgeBusy)}, all, 0, true},
		"cancel in a wait":            {mt.Failure(edgeBusy), all, time.Second, true},
		"cancel in a wait, whole":     {mt.Failure(edgeBusy), generate, time.Second, true},
		"cancel in an attempt":        {mt.Attempt{mt.Hang()}, all, time.Second, true},
		"just stops":                  {mt.Attempt{mt.Text("x")}, all, 0, true},
		"cancelled beforehand":        {content, all, -1, true},
		"cancelled beforehand, whole": {content, generate, -1, true},
		"fails for good":              {mt.Failure(&failure.Error{Kind: failure.Invalid}), all, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var outer, inner edgeReport
				a := edgeModel("openai/a", test.base)
				m := strata.Wrap(a, outer.layer(), middleware.Rules(
					when.Kind(failure.Overload, failure.Network).Retry(retry.Delay(time.Minute), retry.Attempts(3)),
					when.FinishReason(strata.FinishContentFilter).Retry()), inner.layer(), middleware.Backoff(middleware.Attempts(1)))
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				switch {
				case test.cancel < 0:
					cancel()
				case test.cancel > 0:
					time.AfterFunc(test.cancel, cancel)
				}
				err := test.ask(ctx, m)
				assert.Equal(t, test.fails, err != nil)
				assert.Equal(t, 1, len(outer.success)+len(outer.failure), "%+v", outer)
				assert.Equal(t, test.fails, len(outer.failure) == 1)
				assert.Equal(t, outer.started, len(outer.done))
				assert.Equal(t, inner.started, len(inner.done))
				assert.Equal(t, len(inner.done), len(inner.success)+len(inner.failure))
				for _, f := range outer.failure {
					if err.Error() == "goexit" || len(err.Error()) > 6 && err.Error()[:6] == "panic:" {
						continue
					}
					assert.Equal(t, err, f.Err, "the error that the caller gets")
				}
			})
		})
	}
}

// Overrides: the attempt's computed ones over the rule's over the request's, and
// of two Observes the inner one's last; each for its attempt alone.
func TestEdgeOverridesThroughNestedLayers(t *testing.T) {
	edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
		n := func(i int) *strata.Request { return &strata.Request{MaxOutputTokens: i} }
		a := edgeModel("openai/a", mt.Failure(edgeBusy))
		b := edgeModel("anthropic/b", mt.Failure(edgeBusy), mt.Answer("b"))
		seed := int64(7)
		m := strata.Wrap(a,
			middleware.Observe(middleware.OnRetry(func(_ context.Context, r strata.RetryInfo) *strata.Request {
				if r.Layer == "rules" {
					return &strata.Request{MaxOutputTokens: 3, Seed: &seed}
				}
				return nil
			})),
			middleware.Observe(middleware.OnRetry(func(_ context.Context, r strata.RetryInfo) *strata.Request {
				if r.Layer == "rules" {
					return n(4)
				}
				return &strata.Request{StopSequences: []string{"backoff"}}
			})),
			middleware.Rules(when.Retryable().Switch(
				middleware.Backoff(middleware.Base(0))(b),
				retry.Set(strata.Request{MaxOutputTokens: 1, ReasoningEffort: "low", Headers: http.Header{"X": {"rule"}}}),
				retry.SetFunc(func(_ context.Context, h *retry.History) (strata.Request, error) {
					return strata.Request{MaxOutputTokens: 2, Headers: http.Header{"Y": {fmt.Sprint(len(h.Attempts))}}}, nil
				}))))
		_, err := ask(t.Context(), m)
		require.NoError(t, err)
		assert.Zero(t, a.Calls()[0].Request.MaxOutputTokens)
		require.Len(t, b.Calls(), 2)
		first, second := b.Calls()[0].Request, b.Calls()[1].Request
		for _, r := range []*strata.Request{first, second} {
			assert.Equal(t, 4, r.MaxOutputTokens)
			assert.Equal(t, strata.ReasoningEffort("low"), r.ReasoningEffort)
			assert.Equal(t, http.Header{"Y": {"1"}}, r.Headers)
			assert.Equal(t, int64(7), *r.Seed)
			assert.Equal(t, "hi", r.Messages[0].Content[0].(strata.Text).Text)
		}
		assert.Empty(t, first.StopSequences)
		assert.Equal(t, []string{"backoff"}, second.StopSequences)
	})
}

// Every field of a request can be overridden, alone.
func TestEdgeEveryFieldIsOverridden(t *testing.T) {
	base := strata.Prompt("hi")
	for i := range reflect.TypeFor[strata.Request]().NumField() {
		f := reflect.TypeFor[strata.Request]().Field(i)
		var o strata.Request
		v := reflect.ValueOf(&o).Elem().Field(i)
		switch v.Kind() {
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		case reflect.Map:
			v.Set(reflect.MakeMap(v.Type()))
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
		case reflect.Int, reflect.Int64:
			v.SetInt(9)
		case reflect.String:
			v.SetString("x")
		case reflect.Interface:
			v.Set(reflect.ValueOf("x"))
		default:
			t.Errorf("%s: a %v", f.Name, v.Kind())
		}
		got := base.With(&o)
		for j := range reflect.TypeFor[strata.Request]().NumField() {
			from := reflect.ValueOf(base).Elem().Field(j)
			if i == j {
				from = v
			}
			assert.Equal(t, from.Interface(), reflect.ValueOf(got).Elem().Field(j).Interface(), "%s, set %s", reflect.TypeFor[strata.Request]().Field(j).Name, f.Name)
		}
	}
}

// Callbacks and conditions that panic release everything and pass through.
func TestEdgePanics(t *testing.T) {
	boom := func() { panic("boom") }
	b := func() *mt.Model { return edgeModel("anthropic/b", mt.Answer("b")) }
	for name, layer := range map[string]strata.Layer{
		"condition": middleware.Rules(when.Error(func(context.Context, error) bool { boom(); return true }).Switch(b())),
		"SetFunc": middleware.Rules(when.Retryable().Switch(b(), retry.SetFunc(func(context.Context, *retry.History) (strata.Request, error) {
			boom()
			return strata.Request{}, nil
		}))),
		"disabled": middleware.Rules(b(), middleware.Disabled(func() bool { boom(); return false })),
		"OnRetry": strata.Chain(middleware.Observe(middleware.OnRetry(func(context.Context, strata.RetryInfo) *strata.Request { boom(); return nil })),
			middleware.Rules(when.Retryable().Switch(b(), retry.Timeout(time.Hour), retry.PastDeadline(time.Hour)))),
		"OnAttempt": strata.Chain(middleware.Observe(middleware.OnAttempt(func(_ context.Context, i strata.AttemptInfo) {
			if i.Number == 2 {
				boom()
			}
		})), middleware.Rules(when.Retryable().Switch(b(), retry.PastDeadline(time.Hour)))),
		"OnCommit/OnServed": strata.Chain(middleware.Observe(middleware.OnServed(func(context.Context, strata.ServedInfo) { boom() })),
			middleware.Rules(when.Retryable().Switch(b(), retry.Timeout(time.Hour)))),
		"OnSuccess": strata.Chain(middleware.Observe(middleware.OnSuccess(func(context.Context, middleware.CallInfo) { boom() })),
			middleware.Rules(when.Retryable().Switch(b(), retry.Timeout(time.Hour)))),
		"OnWait": strata.Chain(middleware.Observe(middleware.OnWait(func(context.Context, strata.WaitInfo) { boom() })),
			middleware.Rules(when.Retryable().Switch(b(), retry.Delay(time.Second), retry.PastDeadline(time.Hour)))),
	} {
		t.Run(name, func(t *testing.T) {
			edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
				var outer edgeReport
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				a := edgeModel("openai/a", mt.Failure(edgeBusy))
				m := strata.Wrap(a, outer.layer(), layer)
				assert.PanicsWithValue(t, "boom", func() { ask(ctx, m) })
				assert.Len(t, outer.failure, 1)
				assert.Empty(t, outer.success)
				assert.Len(t, outer.done, outer.started, "started attempts are done")
			})
		})
	}
}

// Disabled is asked once a call: what it says in mid-call changes nothing.
func TestEdgeDisabledFlips(t *testing.T) {
	edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
		off, asked := false, 0
		a := edgeModel("openai/a", mt.Failure(edgeBusy))
		b := edgeModel("anthropic/b", mt.Failure(edgeBusy))
		c := edgeModel("google/c", mt.Answer("c"))
		m := middleware.Rules(
			when.Error(func(context.Context, error) bool { off = true; return true }).Switch(b), c,
			middleware.Disabled(func() bool { asked++; return off }))(a)
		resp, err := ask(t.Context(), m)
		require.NoError(t, err)
		assert.Equal(t, "c", resp.Text())
		_, err = ask(t.Context(), m)
		assert.Equal(t, edgeBusy, err)
		assert.Equal(t, 2, asked)
		resp, err = ask(strata.WithStart(t.Context(), b.ID()), m)
		assert.Nil(t, resp)
		assert.Equal(t, edgeBusy, err)
		assert.Len(t, b.Calls(), 1)
	})
}

// A rejected answer leaves nothing: no part, no usage, up to the gate's bound.
func TestEdgeRejectedPreamble(t *testing.T) {
	for n, want := range map[int]string{1023: "b", 1024: ""} { // with the finish: 1024 and 1025 parts
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var steps mt.Attempt
			for i := range n {
				steps = append(steps, mt.Metadata(fmt.Sprint("a", i)))
			}
			a := edgeModel("openai/a", append(steps, mt.Part(strata.Finish{Reason: strata.FinishContentFilter, Usage: strata.Usage{}})))
			b := edgeModel("anthropic/b", mt.Answer("b"))
			m := middleware.Rules(when.FinishReason(strata.FinishContentFilter).Switch(b))(a)
			var c stream.Collector
			parts := 0
			for p, err := range m.Stream(t.Context(), strata.Prompt("hi")) {
				require.NoError(t, err)
				c.Add(p)
				parts++
			}
			assert.Equal(t, want, c.Response().Text())
			if want == "" {
				assert.Equal(t, n+1, parts)
			} else {
				assert.Equal(t, 5, parts)
				assert.Empty(t, c.Response().Metadata.ID)
			}
		})
	}
}

// Attempts are counted by the ID that the candidate has in the layer.
func TestEdgeCountsByRenamedID(t *testing.T) {
	edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
		account := func(name string) strata.Layer {
			return strata.Funcs{ID: func(id strata.ModelID) strata.ModelID { id.Account = name; return id }}.Layer()
		}
		a := edgeModel("openai/a", mt.Failure(edgeBusy))
		m := middleware.Rules(account("x")(a), account("y")(a), account("x")(a), a)(a)
		_, err := ask(t.Context(), m)
		walk, ok := errors.AsType[*retry.Error](err)
		require.True(t, ok)
		assert.Equal(t, "[openai/a openai/a@x openai/a@y]", fmt.Sprint(walk.Models))
	})
}

func TestEdgeHugeHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lens := 0
		a := edgeModel("openai/a", mt.Failure(edgeBusy))
		m := middleware.Rules(retry.Retry[strata.Model](retry.MatchFunc(func(_ context.Context, h *retry.History) bool {
			lens += len(h.Attempts)
			return h.Last().Number == len(h.Attempts)
		}), retry.Attempts(5000), retry.Factor(3)))(a)
		_, err := m.Generate(t.Context(), strata.Prompt("hi"))
		walk, ok := errors.AsType[*retry.Error](err)
		require.True(t, ok)
		assert.Len(t, walk.Errs, 5000)
		assert.Equal(t, 4999*5000/2, lens)
		assert.ErrorIs(t, err, edgeBusy)
		var none *failure.TimeoutError
		assert.False(t, errors.As(err, &none))
	})
}

func TestEdgeRulesByManyGoroutines(t *testing.T) {
	a := edgeModel("openai/a", mt.Failure(edgeBusy))
	b := edgeModel("anthropic/b", mt.Attempt{mt.Start(), mt.Finish(strata.FinishContentFilter)})
	c := edgeModel("google/c", mt.Answer("c"))
	m := strata.Wrap(a,
		middleware.Observe(middleware.OnRetry(func(context.Context, strata.RetryInfo) *strata.Request { return &strata.Request{MaxOutputTokens: 5} })),
		middleware.Observe(middleware.OnRetry(func(context.Context, strata.RetryInfo) *strata.Request {
			return &strata.Request{ReasoningEffort: "low"}
		})),
		middleware.Rules(
			when.Retryable().Switch(b, retry.Set(strata.Request{Headers: http.Header{"A": {"b"}}}), retry.PastDeadline(time.Minute), retry.SetFunc(func(context.Context, *retry.History) (strata.Request, error) {
				return strata.Request{}, nil
			})),
			when.FinishReason(strata.FinishContentFilter).Switch(c, retry.Timeout(time.Minute)),
		))
	var all sync.WaitGroup
	req := strata.Prompt("hi")
	for i := range 100 {
		all.Go(func() {
			for range 10 {
				var resp *strata.Response
				var err error
				if i%2 == 0 {
					resp, err = m.Generate(context.Background(), req)
				} else {
					resp, err = stream.Collect(m.Stream(context.Background(), req))
				}
				if assert.NoError(t, err) {
					assert.Equal(t, "c", resp.Text())
				}
			}
		})
	}
	all.Wait()
	assert.Equal(t, []int{1000, 1000, 1000}, edgeAsked(a, b, c))
	assert.Equal(t, strata.Prompt("hi"), req)
}

// A rule that could never ask anybody is refused where it is made.
func TestEdgeNilTargetsAreRefused(t *testing.T) {
	assert.Panics(t, func() { retry.Switch[strata.Model](nil, nil) }, "retry.Switch(nil, nil)")
	assert.Panics(t, func() { middleware.Rules(retry.Switch[strata.Model](nil, nil)) }, "middleware.Rules of it")
	assert.Panics(t, func() { retry.Switch[strata.Model](retry.MatchFunc(nil), edgeModel("openai/a", mt.Answer("a"))) }, "MatchFunc(nil)")
}

// A hook that installs a Trace for its attempt is heard below.
func TestEdgeTraceInstalledByAttemptStart(t *testing.T) {
	heard := 0
	ctx := strata.WithTrace(t.Context(), &strata.Trace{AttemptStart: func(ctx context.Context, i strata.AttemptInfo) context.Context {
		if i.Layer != "fallback" {
			return ctx
		}
		return strata.WithTrace(ctx, &strata.Trace{AttemptDone: func(context.Context, strata.AttemptDoneInfo) { heard++ }})
	}})
	a := edgeModel("openai/a", mt.Answer("a"))
	m := strata.Wrap(a, middleware.Fallback(edgeModel("anthropic/b", mt.Answer("b"))), middleware.Backoff())
	_, err := m.Generate(ctx, strata.Prompt("hi"))
	require.NoError(t, err)
	assert.Equal(t, 1, heard)
}

// Where a candidate is a walk, the candidate keeps serving.
func TestEdgeStickyToAModelInsideACandidate(t *testing.T) {
	edgeBoth(t, func(t *testing.T, ask func(context.Context, strata.Model) (*strata.Response, error)) {
		a, b, c := edgeModel("openai/a", mt.Failure(edgeBusy)), edgeModel("anthropic/b", mt.Failure(edgeBusy)), edgeModel("google/c", mt.Answer("c"))
		m := strata.Wrap(a, middleware.Sticky(middleware.ForRequests(3)), middleware.Fallback(middleware.Fallback(c)(b)))
		for range 4 {
			_, err := ask(t.Context(), m)
			require.NoError(t, err)
		}
		assert.Equal(t, []int{1, 4, 4}, edgeAsked(a, b, c), "calls begin at the candidate that took over, which begins its own walk")
	})
}
