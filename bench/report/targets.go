package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A target is something that was set out to be reached.
type target struct {
	what   string
	figure string
	bound  string
	met    bool
}

func (t target) String() string {
	return fmt.Sprintf("%-4s %s: %s (target %s)", t.verdict(), strings.ReplaceAll(t.what, "`", ""), t.figure, t.bound)
}

func (t target) verdict() string {
	if t.met {
		return "met"
	}
	return "MISS"
}

// atMost is a target that a value is at most a bound.
func atMost(what string, value, bound float64, unit string) target {
	return target{what, precise(value) + unit, "≤ " + number(bound) + unit, value <= bound}
}

// precise is number with a digit more, as a value may be just beside its bound.
func precise(value float64) string {
	if value == math.Trunc(value) {
		return number(value)
	}
	return strconv.FormatFloat(value, 'g', 4, 64)
}

// below is a target that ours is less than theirs.
func below(what string, ours, theirs float64, unit string) target {
	return target{what, fmt.Sprintf("%s to %s%s", number(ours), number(theirs), unit), "less", ours < theirs}
}

const hop = "Part/channel/buffer=0"

// targets are those of the project, each with what came of it.
func (r *results) targets() []target {
	part, idle := r.above("Part/whole"), r.above("Part/whole+idle")
	channel, aiRetry := r.above(hop), r.above("Part/ai-retry")
	streams := r.value("Open/whole", "streams")
	walk := func(kind, ours string) float64 {
		return r.above("Walk/"+kind+"/"+ours) / r.above("Walk/"+kind+"/ai-retry")
	}
	return []target{
		atMost("allocations of a part through seven layers, telemetry and logging above", r.value("Part/whole", "allocs/op"), 0, ""),
		atMost("allocations of a part with an idle deadline", r.value("Part/whole+idle", "allocs/op"), 0, ""),
		atMost("time of a part through seven layers, telemetry and logging above, above bare, in hops through a channel", part/channel, .6, ""),
		atMost("time of a part with an idle deadline, above bare, in hops through a channel", idle/channel, 1.5, ""),
		atMost("time of a part through seven layers, telemetry and logging above, above bare, in that of ai-retry's one wrapper", part/aiRetry, .1, ""),
		atMost("time of a part with an idle deadline, above bare, in that of ai-retry's one wrapper", idle/aiRetry, .25, ""),
		below("time of a whole call through seven layers, to failsafe-go's three policies", r.ns("Call/layers=7"), r.ns("Call/failsafe-go"), " ns"),
		below("time of a whole call through seven layers whose model waits, to failsafe-go's three policies", r.ns("Call/layers=7/waits"), r.ns("Call/failsafe-go/waits"), " ns"),
		below("allocations of a whole call through seven layers whose model waits, to failsafe-go's three policies", r.value("Call/layers=7/waits", "allocs/op"), r.value("Call/failsafe-go/waits", "allocs/op"), ""),
		atMost("a failed attempt and the walk of a call through `Fallback`, above bare, in that of ai-retry's", walk("call", "fallback"), .25, ""),
		atMost("a failed attempt and the walk of a call through seven layers, telemetry and logging above, in that of ai-retry's", walk("call", "whole"), .25, ""),
		atMost("a failed attempt and the walk of a stream through `Fallback`, above bare, in that of ai-retry's", walk("stream", "fallback"), .25, ""),
		atMost("a failed attempt and the walk of a stream through seven layers, telemetry and logging above, in that of ai-retry's", walk("stream", "whole"), .25, ""),
		linear("a part, by layers of one kind (`Backoff`, 1 to 8)", r.alike()),
		linear("a stream through the whole stack, by parts", r.parts("whole")),
		linear("a walk, by attempts", r.attempts()),
		atMost("heap held per open stream through seven layers, telemetry and logging above, above bare", r.open("heap-B/stream"), 4096, " B"),
		{"open streams in one process that all complete", fmt.Sprintf("%.0f of %.0f", r.value("Open/whole", "complete"), streams), "100000", r.value("Open/whole", "complete") == streams && streams >= 100_000},
		atMost("goroutines beside the readers', an open stream", r.value("Open/whole", "goroutines/stream"), 0, ""),
		atMost("the stack's share of the CPU over a socket, the server's aside", r.client("Socket/whole"), 2, " %"),
		atMost("the stack's share of the CPU over a socket with an idle deadline, the server's aside", r.client("Socket/whole+idle"), 2, " %"),
	}
}

// open is what an open stream through the whole stack holds above a bare one.
func (r *results) open(unit string) float64 {
	return r.value("Open/whole", unit) - r.value("Open/bare", unit)
}

// client is the stack's share of the CPU that the client takes.
func (r *results) client(benchmark string) float64 {
	return r.share(benchmark, "stack", "sdk", "adapter", "transport", "reader", "runtime")
}

// share is the stack's share of the CPU over a socket, of that of all named, the
// stack among them.
func (r *results) share(benchmark string, of ...string) float64 {
	var all float64
	for _, whose := range of {
		all += r.sum(benchmark, whose+"-ms")
	}
	return 100 * r.sum(benchmark, "stack-ms") / all
}

// steady is how much more one thing more may cost at the end than before, so that
// the cost counts as linear; n·√n has more.
const steady = 1.6

// linear is a target that a cost grows as the number of things does: that one more
// costs at the end what it does before.
func linear(what string, points []point) target {
	return atMost("what one more adds at the end, in what it adds before: "+what, growth(points), steady, "")
}

// growth is the slope between the last two points in that between the first and the
// last but one. For a square, of numbers that double, it is 3 and more.
func growth(points []point) float64 {
	slope := func(p, q point) float64 { return (q.y - p.y) / (q.x - p.x) }
	n := len(points)
	return slope(points[n-2], points[n-1]) / slope(points[0], points[n-2])
}

// layers are the times of a part above bare, by the layers of the stack.
func (r *results) layers() (points []point) {
	points = append(points, point{0, 0})
	for n := 1; n <= 7; n++ {
		points = append(points, point{float64(n), r.above(fmt.Sprintf("Part/layers=%d", n))})
	}
	return points
}

// alike are the times of a part above bare, by the number of layers of one kind.
func (r *results) alike() (points []point) {
	points = append(points, point{0, 0})
	for _, n := range []int{1, 2, 4, 8} {
		points = append(points, point{float64(n), r.above(fmt.Sprintf("Part/backoff=%d", n))})
	}
	return points
}

// parts are the times of a stream, by its number of parts.
func (r *results) parts(subject string) (points []point) {
	for _, n := range []int{1, 10, 100, 1_000, 10_000} {
		points = append(points, point{float64(n), r.ns(fmt.Sprintf("Stream/%s/parts=%d", subject, n))})
	}
	return points
}

// attempts are the times of a walk above bare, by its number of attempts.
func (r *results) attempts() (points []point) {
	for _, n := range []int{1, 2, 4, 8, 16, 32, 64} {
		points = append(points, point{float64(n), r.above(fmt.Sprintf("Attempts/attempts=%d", n))})
	}
	return points
}
