package bench_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudwego/eino/schema"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/refusal"
)

// read reads a stream to its end.
func read(m strata.Model) {
	for _, err := range m.Stream(context.Background(), prompt) {
		if err != nil {
			panic(err)
		}
	}
}

// call asks for a whole answer n times.
func call(m strata.Model) func(n int) {
	return func(n int) {
		for range n {
			if _, err := m.Generate(context.Background(), prompt); err != nil {
				panic(err)
			}
		}
	}
}

// stream reads n streams.
func stream(m strata.Model) func(n int) {
	return func(n int) {
		for range n {
			read(m)
		}
	}
}

// parts reads n parts of one stream of the given texts through the layers.
func parts(layer strata.Layer, text strata.Part) func(n int) {
	return func(n int) { read(layer(bare{n: n, text: text})) }
}

// BenchmarkPart measures a part on its way: one operation is one part of a long
// stream, so that what a stream costs once does not show.
func BenchmarkPart(b *testing.B) {
	subjects := []subject{{"bare", parts(strata.Chain(), nil)}}
	for n := range 7 {
		subjects = append(subjects, subject{fmt.Sprintf("layers=%d", n+1), parts(layers(n+1), nil)})
	}
	subjects = append(subjects, subject{"whole", parts(whole(), nil)}, subject{"whole+idle", parts(wholeIdle(), nil)})
	for _, n := range []int{1, 2, 4, 8, 16} { // of one kind, as kinds differ
		subjects = append(subjects, subject{fmt.Sprintf("backoff=%d", n), parts(strata.Chain(slices.Repeat([]strata.Layer{middleware.Backoff()}, n)...), nil)})
	}
	nothing := func(strata.Part) {}
	for _, buffer := range []int{0, 16} {
		subjects = append(subjects,
			subject{fmt.Sprintf("channel/buffer=%d", buffer), func(n int) { relay(context.Background(), bare{n: n}, buffer, nothing) }},
			subject{fmt.Sprintf("eino-pipe/buffer=%d", buffer), func(n int) { drain(einoPipe(context.Background(), bare{n: n}, buffer)) }},
		)
	}
	subjects = append(subjects,
		subject{"eino-array", einoStreams(func(s *schema.StreamReader[strata.Part]) { drain(s) })},
		subject{"eino-convert", einoStreams(func(s *schema.StreamReader[strata.Part]) { drain(converted(s)) })},
		subject{"eino-copy", einoStreams(func(s *schema.StreamReader[strata.Part]) { drain(converted(s).Copy(2)...) })},
	)
	measureAll(b, subjects)
}

// BenchmarkRefusal measures a part of four bytes before the detector, while the
// text may yet be a refusal and once it is known to be none.
func BenchmarkRefusal(b *testing.B) {
	suspect := cut("I understand that " + strings.Repeat("you would like to know what the cannot of a refusal looks like in a sentence that goes on and on ", 40))
	ordinary := cut("The kettle sings." + strings.Repeat(" It sings a song of tea.", 160))
	detect := refusal.Detect(refusal.MaxText(1<<20), refusal.MaxParts(1<<20))
	of := func(m strata.Model, parts int) func(n int) {
		return func(n int) {
			for ; n > 0; n -= parts {
				read(m)
			}
		}
	}
	measureAll(b, []subject{
		{"bare", of(suspect, len(suspect))},
		{"undecided", of(detect(suspect), len(suspect))},
		{"decided", of(detect(ordinary), len(ordinary))},
	})
}

// BenchmarkCall measures a whole call that succeeds.
func BenchmarkCall(b *testing.B) {
	m := bare{n: 1}
	failsafe := func(m strata.Model) func(n int) {
		guarded := newFailsafe(m)
		return each(func(ctx context.Context) error { _, err := guarded(ctx, prompt); return err })
	}
	measureAll(b, []subject{
		{"bare", call(m)},
		{"layers=1", call(layers(1)(m))},
		{"layers=3", call(layers(3)(m))},
		{"layers=7", call(layers(7)(m))},
		{"whole", call(whole()(m))},
		{"backoff", call(middleware.Backoff()(m))},
		{"failsafe-go", failsafe(m)},
		{"layers=3/waits", call(layers(3)(waiting{m}))},
		{"layers=7/waits", call(layers(7)(waiting{m}))},
		{"whole/waits", call(whole()(waiting{m}))},
		{"failsafe-go/waits", failsafe(waiting{m})},
		{"go-retry", each(func(ctx context.Context) error { _, err := goRetry(ctx, m, time.Second); return err })},
		{"cenkalti", each(func(ctx context.Context) error { _, err := cenkalti(ctx, m, time.Second); return err })},
	})
}

// BenchmarkStream measures a whole stream of k parts.
func BenchmarkStream(b *testing.B) {
	for _, k := range []int{1, 10, 100, 1_000, 10_000} {
		m := bare{n: k}
		for _, s := range []subject{
			{"bare", stream(m)},
			{"whole", stream(whole()(m))},
			{"whole+idle", stream(wholeIdle()(m))},
			{"channel/buffer=0", func(n int) {
				for range n {
					relay(context.Background(), m, 0, func(strata.Part) {})
				}
			}},
		} {
			b.Run(fmt.Sprintf("%s/parts=%d", s.name, k), func(b *testing.B) { measure(b, s.run, stream(m)) })
		}
	}
}

// BenchmarkWalk measures a call whose first model fails and whose second
// answers, against one call of a model that answers: what is above it is the
// failed attempt and the walk to the next.
func BenchmarkWalk(b *testing.B) {
	broken := failing{baseID}
	walk := layers(1)
	guarded := newFailsafe(broken)
	b.Run("call", func(b *testing.B) {
		measureAll(b, []subject{
			{"bare", call(bare{n: 1})},
			{"fallback", call(walk(broken))},
			{"whole", call(whole()(broken))},
			{"failsafe-go", each(func(ctx context.Context) error { _, err := guarded(ctx, prompt); return err })},
		})
	})
	b.Run("stream", func(b *testing.B) {
		measureAll(b, []subject{
			{"bare", stream(bare{n: 1})},
			{"fallback", stream(walk(broken))},
			{"whole", stream(whole()(broken))},
		})
	})
}

// BenchmarkRetry measures a call whose first attempt fails and whose second, to
// the same model and after a wait of at most a nanosecond, answers.
func BenchmarkRetry(b *testing.B) {
	m := &flaky{}
	again := middleware.Backoff(middleware.Base(time.Nanosecond), middleware.NoJitter())(m)
	measureAll(b, []subject{
		{"bare", call(m.bare)},
		{"backoff", call(again)},
		{"go-retry", each(func(ctx context.Context) error { _, err := goRetry(ctx, m, time.Nanosecond); return err })},
		{"cenkalti", each(func(ctx context.Context) error { _, err := cenkalti(ctx, m, time.Nanosecond); return err })},
	})
}

// BenchmarkAttempts measures a walk in which all candidates but the last fail.
func BenchmarkAttempts(b *testing.B) {
	for _, n := range []int{1, 2, 4, 8, 16, 32, 64} {
		models := make([]strata.Model, n)
		for i := range models {
			models[i] = failing{strata.ModelID{Provider: fmt.Sprint(i), Name: "m"}}
		}
		models[n-1] = bare{n: 1}
		m := middleware.Fallback(models[1:]...)(models[0])
		b.Run(fmt.Sprintf("attempts=%d", n), func(b *testing.B) { measure(b, call(m), call(bare{n: 1})) })
	}
}

// each calls f n times.
func each(f func(context.Context) error) func(n int) {
	return func(n int) {
		for range n {
			if err := f(context.Background()); err != nil {
				panic(err)
			}
		}
	}
}

// flaky fails every other call with what a second attempt may fix. It is for one
// goroutine.
type flaky struct {
	bare
	failed bool
}

var errBusy = &failure.Error{Model: baseID, Kind: failure.Overload, Status: 503, Message: "busy"}

func (m *flaky) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	if m.failed = !m.failed; m.failed {
		return nil, errBusy
	}
	return m.bare.Generate(ctx, req)
}
