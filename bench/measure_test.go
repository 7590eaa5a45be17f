package bench_test

import (
	"testing"
	"time"
)

// turns is how often a benchmark changes between its subject and the bare model.
const turns = 20

// measure times n operations of a subject and, in turns with them, as many of
// what it is measured against. It reports both and their ratio; allocations are
// the subject's alone.
func measure(b *testing.B, subject, against func(n int)) {
	b.Helper()
	b.ReportAllocs()
	subject(min(b.N, 100)) // what is made once is not an operation's
	b.ResetTimer()
	var beside time.Duration
	for left, turn := b.N, turns; left > 0; turn-- {
		n := left / max(turn, 1)
		if n == 0 {
			n = left
		}
		left -= n
		b.StopTimer()
		begun := time.Now()
		against(n)
		beside += time.Since(begun)
		b.StartTimer()
		subject(n)
	}
	b.StopTimer()
	b.ReportMetric(float64(beside.Nanoseconds())/float64(b.N), "bare-ns/op")
	b.ReportMetric(float64(b.Elapsed())/float64(beside), "x-bare")
}

// subject is one thing that is measured.
type subject struct {
	name string
	run  func(n int)
}

// measureAll measures each subject against the first one, which is measured
// against itself.
func measureAll(b *testing.B, subjects []subject) {
	for _, s := range subjects {
		b.Run(s.name, func(b *testing.B) { measure(b, s.run, subjects[0].run) })
	}
}
