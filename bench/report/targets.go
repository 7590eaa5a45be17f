package main

import (
	"fmt"
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
	return target{what, number(value) + unit, "≤ " + number(bound) + unit, value <= bound}
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
	layers, parts, attempts := fitLine(r.alike()), fitLine(r.parts("whole")), fitLine(r.attempts())
	return []target{
		atMost("a part through seven layers, telemetry and logging above: allocations", r.value("Part/whole", "allocs/op"), 0, ""),
		atMost("the same with an idle deadline: allocations", r.value("Part/whole+idle", "allocs/op"), 0, ""),
		atMost("the part's time above bare, in hops through a channel", part/channel, .6, ""),
		atMost("the same with an idle deadline", idle/channel, 1.5, ""),
		atMost("the part's time above bare, in that of ai-retry's one wrapper", part/aiRetry, .1, ""),
		atMost("the same with an idle deadline", idle/aiRetry, .25, ""),
		below("a whole call through seven layers, telemetry and logging above, to failsafe-go's three policies: time", r.ns("Call/whole"), r.ns("Call/failsafe-go"), " ns"),
		below("the same: allocations", r.value("Call/whole", "allocs/op"), r.value("Call/failsafe-go", "allocs/op"), ""),
		atMost("a failed attempt and its walk through `Fallback`, above bare, in that of ai-retry's: call", r.above("Walk/call/fallback")/r.above("Walk/call/ai-retry"), .25, ""),
		atMost("the same through the whole stack", r.above("Walk/call/whole")/r.above("Walk/call/ai-retry"), .25, ""),
		atMost("the same: stream, through `Fallback`", r.above("Walk/stream/fallback")/r.above("Walk/stream/ai-retry"), .25, ""),
		atMost("the same through the whole stack", r.above("Walk/stream/whole")/r.above("Walk/stream/ai-retry"), .25, ""),
		linear("time linear in layers (a part through 1 to 16 of `Backoff`; r²)", layers),
		linear("time linear in parts (a stream through the whole stack; r²)", parts),
		linear("time linear in attempts (a walk; r²)", attempts),
		atMost("heap held per open stream through the whole stack, above bare", r.open("heap-B/stream"), 4096, " B"),
		{"open streams in one process that all complete", fmt.Sprintf("%.0f of %.0f", r.value("Open/whole", "complete"), streams), "100000", r.value("Open/whole", "complete") == streams && streams >= 100_000},
		atMost("goroutines beside the readers', an open stream", r.value("Open/whole", "goroutines/stream"), 0, ""),
		atMost("over a socket: the stack's share of all CPU", r.share("stack", "adapter", "transport", "reader", "server", "runtime"), 2, " %"),
		atMost("the same, of the stack's and the OpenAI SDK's alone", r.share("stack", "adapter"), 2, " %"),
	}
}

// open is what an open stream through the whole stack holds above a bare one.
func (r *results) open(unit string) float64 {
	return r.value("Open/whole", unit) - r.value("Open/bare", unit)
}

// share is the stack's share of the CPU over a socket, of that of all named, the
// stack among them.
func (r *results) share(of ...string) float64 {
	var all float64
	for _, whose := range of {
		all += r.sum("Socket", whose+"-ms")
	}
	return 100 * r.sum("Socket", "stack-ms") / all
}

// straight is the r² from which on a cost counts as linear.
const straight = .95

func linear(what string, f fit) target {
	return target{what, fmt.Sprintf("%.4f", f.r2), fmt.Sprintf("≥ %v", straight), f.r2 >= straight}
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
	for _, n := range []int{1, 2, 4, 8, 16} {
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

// missing are the benchmarks of which the document tells, and no round has.
func (r *results) missing() (names []string) {
	for _, t := range tables {
		for _, row := range t.rows {
			if !r.has(row.name) {
				names = append(names, row.name)
			}
		}
	}
	for _, name := range []string{"Socket", "Open/bare", "Open/whole", "Stream/whole/parts=1", "Part/backoff=16", "Attempts/attempts=64"} {
		if !r.has(name) {
			names = append(names, name)
		}
	}
	return names
}
