package main

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
)

// A table compares subjects.
type table struct {
	title, about string
	rows         []row
	peers        []string // the rows' names that others are set against
}

type row struct{ what, name string }

var tables = []table{
	{
		"A part of a long stream", "One operation is one part. Above bare is what stands between the model and the reader.",
		[]row{
			{"bare model", "Part/bare"},
			{"1 layer", "Part/layers=1"},
			{"3 layers", "Part/layers=3"},
			{"7 layers", "Part/layers=7"},
			{"7 layers, telemetry and logging above", "Part/whole"},
			{"the same, with an idle deadline", "Part/whole+idle"},
			{"one hop through a channel", hop},
			{"one hop, buffer of 16", "Part/channel/buffer=16"},
			{"eino Pipe", "Part/eino-pipe/buffer=0"},
			{"eino Pipe, buffer of 16", "Part/eino-pipe/buffer=16"},
			{"eino StreamReader over an array", "Part/eino-array"},
			{"eino StreamReader.Copy(2), both read", "Part/eino-copy"},
			{"AI SDK: bare model", "Part/ai-sdk"},
			{"AI SDK: ai-retry", "Part/ai-retry"},
			{"AI SDK: ai-fallback", "Part/ai-fallback"},
		},
		[]string{hop, "Part/eino-copy", "Part/ai-retry", "Part/ai-fallback"},
	},
	{
		"A part before the refusal detector", "A part of four bytes, through the detector alone.",
		[]row{
			{"bare model", "Refusal/bare"},
			{"undecided", "Refusal/undecided"},
			{"decided", "Refusal/decided"},
		}, nil,
	},
	{
		"A whole call that succeeds", "`Timeout` starts its timer when somebody waits for the context of the call: that costs too, where the model waits.",
		[]row{
			{"bare model", "Call/bare"},
			{"1 layer", "Call/layers=1"},
			{"3 layers", "Call/layers=3"},
			{"7 layers", "Call/layers=7"},
			{"7 layers, telemetry and logging above", "Call/whole"},
			{"`Backoff` alone", "Call/backoff"},
			{"failsafe-go: retry, fallback, timeout", "Call/failsafe-go"},
			{"7 layers, telemetry and logging above; the model waits", "Call/whole/waits"},
			{"failsafe-go; the model waits", "Call/failsafe-go/waits"},
			{"sethvargo/go-retry", "Call/go-retry"},
			{"cenkalti/backoff", "Call/cenkalti"},
			{"AI SDK: bare model", "Call/ai-sdk"},
			{"AI SDK: ai-retry", "Call/ai-retry"},
			{"AI SDK: ai-fallback", "Call/ai-fallback"},
		},
		[]string{"Call/failsafe-go", "Call/ai-retry", "Call/ai-fallback"},
	},
	{
		"A call whose first model fails and whose second answers", "Above bare is the failed attempt and the walk to the next model.",
		[]row{
			{"bare model", "Walk/call/bare"},
			{"`Fallback`", "Walk/call/fallback"},
			{"7 layers, telemetry and logging above", "Walk/call/whole"},
			{"failsafe-go: retry, fallback, timeout", "Walk/call/failsafe-go"},
			{"AI SDK: bare model", "Walk/call/ai-sdk"},
			{"AI SDK: ai-retry", "Walk/call/ai-retry"},
			{"AI SDK: ai-fallback", "Walk/call/ai-fallback"},
		},
		[]string{"Walk/call/failsafe-go", "Walk/call/ai-retry", "Walk/call/ai-fallback"},
	},
	{
		"A stream whose first model fails and whose second answers", "The second answers with one part and a finish.",
		[]row{
			{"bare model", "Walk/stream/bare"},
			{"`Fallback`", "Walk/stream/fallback"},
			{"7 layers, telemetry and logging above", "Walk/stream/whole"},
			{"AI SDK: bare model", "Walk/stream/ai-sdk"},
			{"AI SDK: ai-retry", "Walk/stream/ai-retry"},
			{"AI SDK: ai-fallback", "Walk/stream/ai-fallback"},
		},
		[]string{"Walk/stream/ai-retry", "Walk/stream/ai-fallback"},
	},
	{
		"A call whose first attempt fails and whose second answers", "The same model, after a wait of a nanosecond. The bare model answers without allocating.",
		[]row{
			{"bare model", "Retry/bare"},
			{"`Backoff`", "Retry/backoff"},
			{"sethvargo/go-retry", "Retry/go-retry"},
			{"cenkalti/backoff", "Retry/cenkalti"},
		},
		[]string{"Retry/go-retry", "Retry/cenkalti"},
	},
}

// document is benchmarks.md.
func (r *results) document() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Benchmarks

This page is written by `+"`bench/run`"+`, whole: figures, verdicts and charts are its output. Each figure is the median of
%d rounds. In each, what is measured takes turns with the bare model in one process, so that what else the machine does
slows both; ratios are those of one round. "Above bare" is what is left of an operation's time without the bare model's.

| | |
| --- | --- |
| machine | %s, %s processors (%s/%s) |
| Go | %s |
| Node | %s |
| AI SDK | ai %s, ai-retry %s, ai-fallback %s |

The stack's seven layers are Fallback, Backoff, Timeout, Observe, RequireContent, Preamble and refusal.Detect; "telemetry
and logging above" means both layers with nobody listening to either. The models answer from memory.

`, len(r.rounds["Part/whole"]), r.config["cpu"], r.config["procs"], runtime.GOOS, runtime.GOARCH, runtime.Version(),
		r.config["node"], r.config["ai"], r.config["ai-retry"], r.config["ai-fallback"])
	r.writeTargets(&b)
	b.WriteString("![cost against layers](benchmarks-layers.svg)\n\n![cost against parts](benchmarks-parts.svg)\n\n")
	for _, t := range tables {
		r.writeTable(&b, t)
	}
	r.writeFits(&b)
	r.writeOpen(&b)
	r.writeSocket(&b)
	return b.String()
}

func (r *results) writeTargets(b *strings.Builder) {
	b.WriteString("## Targets\n\n| target | figure | bound | |\n| --- | ---: | ---: | --- |\n")
	var missed []string
	for _, t := range r.targets() {
		verdict := "met"
		if !t.met {
			verdict = "**missed**"
			missed = append(missed, fmt.Sprintf("- %s: %s, where %s was set", t.what, t.figure, t.bound))
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", t.what, t.figure, t.bound, verdict)
	}
	if missed == nil {
		b.WriteString("\nNone is missed.\n\n")
		return
	}
	fmt.Fprintf(b, "\nMissed:\n\n%s\n\n", strings.Join(missed, "\n"))
}

func (r *results) writeTable(b *strings.Builder, t table) {
	fmt.Fprintf(b, "## %s\n\n", t.title)
	if t.about != "" {
		fmt.Fprintf(b, "%s\n\n", t.about)
	}
	b.WriteString("| | ns | × bare | above bare, ns | allocations |")
	for _, peer := range t.peers {
		fmt.Fprintf(b, " of %s |", t.label(peer))
	}
	b.WriteString("\n| --- | ---: | ---: | ---: | ---: |" + strings.Repeat(" ---: |", len(t.peers)) + "\n")
	for _, row := range t.rows {
		base := row.what == "bare model" || row.what == "AI SDK: bare model"
		above := "–"
		if !base {
			above = number(r.above(row.name))
		}
		allocations := "–"
		if _, counted := r.rounds[row.name][0]["allocs/op"]; counted {
			allocations = number(r.value(row.name, "allocs/op"))
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |", row.what, number(r.ns(row.name)), number(r.value(row.name, "x-bare")), above, allocations)
		for _, peer := range t.peers {
			of := "–"
			if !base {
				of = number(r.above(row.name)/r.above(peer)) + " ×"
			}
			fmt.Fprintf(b, " %s |", of)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	if len(t.peers) > 0 {
		b.WriteString("The columns \"of …\" are times above bare over that peer's, each above its own bare model.\n\n")
	}
}

// label is what a table calls a benchmark, cut to its name.
func (t *table) label(name string) string {
	for _, row := range t.rows {
		if row.name == name {
			what, _, _ := strings.Cut(strings.TrimPrefix(row.what, "AI SDK: "), ":")
			what, _, _ = strings.Cut(what, ",")
			return what
		}
	}
	return name
}

func (r *results) writeFits(b *strings.Builder) {
	b.WriteString("## Linear costs\n\nStraight lines of least squares.\n\n| cost | slope, ns | r² |\n| --- | ---: | ---: |\n")
	for _, line := range []struct {
		what   string
		points []point
	}{
		{"a part, by layers of one kind (`Backoff`, 1 to 16)", r.alike()},
		{"a part, by the layers of the stack, which differ", r.layers()},
		{"a stream through the whole stack, by parts", r.parts("whole")},
		{"the same with an idle deadline, by parts", r.parts("whole+idle")},
		{"a hop through a channel, by parts", r.parts("channel/buffer=0")},
		{"a walk, by attempts", r.attempts()},
	} {
		f := fitLine(line.points)
		fmt.Fprintf(b, "| %s | %s | %.4f |\n", line.what, number(f.slope), f.r2)
	}
	b.WriteString("\n")
}

func (r *results) writeOpen(b *strings.Builder) {
	fmt.Fprintf(b, "## Open streams\n\n%s streams open at once in one process, content handed on by each, each read by a goroutine of its own.\nThe heap is what a stream holds. The reader's stack is its goroutine's own, and as deep as the layers that call each other\non it; it doubles when it grows, from 2 KiB to 4 and 8. With it, a stream through the whole stack has %s B above bare.\n\n",
		number(r.value("Open/bare", "streams")), number(r.open("heap-B/stream")+r.open("stack-B/stream")))
	b.WriteString("| | heap, B a stream | stack, B a stream | goroutines beside the readers', a stream | complete |\n| --- | ---: | ---: | ---: | ---: |\n")
	for _, row := range []row{
		{"bare model", "Open/bare"}, {"7 layers", "Open/layers=7"}, {"7 layers, telemetry and logging above", "Open/whole"},
		{"the same, with an idle deadline", "Open/whole+idle"}, {"one hop through a channel", "Open/channel"},
	} {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", row.what, number(r.value(row.name, "heap-B/stream")), number(r.value(row.name, "stack-B/stream")),
			number(r.value(row.name, "goroutines/stream")), number(r.value(row.name, "complete")))
	}
	b.WriteString("\n")
}

func (r *results) writeSocket(b *strings.Builder) {
	b.WriteString(`## Over a socket

Streams of 200 parts over loopback, through the whole stack with an idle deadline, provider/openai and the OpenAI SDK, from
a CPU profile of all rounds. Layers call the adapter and are called back by it: a sample belongs to the package of ours, or
the SDK's, that is nearest its leaf. The server runs in the same process.

| whose | CPU, ms |
| --- | ---: |
`)
	for _, row := range []row{
		{"the stack's", "stack"}, {"the OpenAI SDK's, its decoding and the adapter's", "adapter"}, {"the HTTP transport's", "transport"},
		{"the reader's", "reader"}, {"the server's", "server"}, {"the runtime's, on its own", "runtime"},
	} {
		fmt.Fprintf(b, "| %s | %s |\n", row.what, number(r.sum("Socket", row.name+"-ms")))
	}
}

func (r *results) layersChart() *chart {
	line := fitLine(r.layers())
	flat := func(name, color, benchmark string) series {
		y := r.above(benchmark)
		return series{name: name, color: color, points: []point{{0, y}, {7, y}}}
	}
	return &chart{
		title: "What a part costs above bare, by layers", x: "layers", y: "ns a part",
		series: []series{
			{name: "strata", color: "#06c", points: r.layers(), fit: &line},
			flat("one channel hop", "#c60", hop),
			flat("eino Copy(2)", "#693", "Part/eino-copy"),
			flat("ai-retry, one wrapper", "#b0b", "Part/ai-retry"),
			flat("ai-fallback", "#777", "Part/ai-fallback"),
		},
	}
}

func (r *results) partsChart() *chart {
	return &chart{
		title: "What a stream costs, by parts", x: "parts", y: "ns a stream", log: true,
		series: []series{
			{name: "bare model", color: "#777", points: r.parts("bare")},
			{name: "strata, 7 layers", color: "#06c", points: r.parts("whole")},
			{name: "and an idle deadline", color: "#0aa", points: r.parts("whole+idle")},
			{name: "one channel hop", color: "#c60", points: r.parts("channel/buffer=0")},
		},
	}
}

// number writes a value with three digits that count.
func number(v float64) string {
	if math.IsNaN(v) || v == math.Trunc(v) || math.Abs(v) >= 1000 {
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	digits := 2 - int(math.Floor(math.Log10(math.Abs(v))))
	return strconv.FormatFloat(v, 'f', max(digits, 0), 64)
}
