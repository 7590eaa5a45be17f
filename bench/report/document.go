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
		"A part of a long stream", "One operation is one part. Above bare is what stands between the model and the reader. The streams are endless, but those\nof eino's arrays and of Node, where ai-fallback holds all that it has read: they have 1,000 parts each.",
		[]row{
			{"bare model", "Part/bare"},
			{"1 layer", "Part/layers=1"},
			{"3 layers", "Part/layers=3"},
			{"7 layers", "Part/layers=7"},
			{"7 layers, telemetry and logging above", "Part/whole"},
			{"the same, with an idle deadline", "Part/whole+idle"},
			{"8 of `Backoff`", "Part/backoff=8"},
			{"16 of `Backoff`, beyond what the processor predicts of returns", "Part/backoff=16"},
			{"one hop: a goroutine, a channel, a select on the context", hop},
			{"one hop, buffer of 16", "Part/channel/buffer=16"},
			{"eino Pipe", "Part/eino-pipe/buffer=0"},
			{"eino Pipe, buffer of 16", "Part/eino-pipe/buffer=16"},
			{"eino StreamReader of an array", "Part/eino-array"},
			{"eino StreamReader with a Convert", "Part/eino-convert"},
			{"eino StreamReader.Copy(2) of one with a Convert, both read", "Part/eino-copy"},
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
		"A whole call that succeeds", "These models answer from memory and wait for nothing, so that `Timeout` starts no timer for them, where failsafe-go starts\none. A real model waits: compare the rows that say so.",
		[]row{
			{"bare model", "Call/bare"},
			{"1 layer", "Call/layers=1"},
			{"3 layers", "Call/layers=3"},
			{"7 layers", "Call/layers=7"},
			{"7 layers, telemetry and logging above", "Call/whole"},
			{"`Backoff` alone", "Call/backoff"},
			{"failsafe-go: retry, fallback, timeout", "Call/failsafe-go"},
			{"3 layers; the model waits", "Call/layers=3/waits"},
			{"7 layers; the model waits", "Call/layers=7/waits"},
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
		"A call whose first attempt fails and whose second answers", "The same model, after a wait of a nanosecond.",
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
slows both; a ratio of two figures is that of their medians. "Above bare" is what is left of an operation's time without
the bare model's.

| | |
| --- | --- |
| machine | %s, %s processors (%s/%s) |
| Go | %s |
| Node | %s |
| AI SDK | ai %s, ai-retry %s, ai-fallback %s |

The stack's seven layers are Fallback, Backoff, Timeout, Observe, RequireContent, Preamble and refusal.Detect; "telemetry
and logging above" means both layers with nobody listening to either: OpenTelemetry is not set up, the logger writes
nothing. The models answer from memory.

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
	if missed != nil {
		fmt.Fprintf(b, "\nMissed:\n\n%s\n", strings.Join(missed, "\n"))
	} else {
		b.WriteString("\nNone is missed.\n")
	}
	held, share := r.open("heap-B/stream")+r.open("stack-B/stream"), r.share("Socket/whole", "stack", "sdk")
	fmt.Fprintf(b, `
What an open stream holds is read as its heap, and the stack's share of the CPU over a socket as that of what the client
takes. With the stack of the reader's goroutine, which is as deep as the layers, a stream holds %s B above bare, %s 4096.
Of its own CPU and the OpenAI SDK's alone, the stack takes %s %%, %s 2.

`, number(held), against(held, 4096), precise(share), against(share, 2))
	r.writeAhead(b)
}

// against says how a value is to a bound.
func against(value, bound float64) string {
	if value > bound {
		return "more than"
	}
	return "at most"
}

// rivals are what of ours is set against which peers that do the same.
var rivals = []struct {
	what, ours string
	peers      []string
}{
	{"a part through seven layers, telemetry and logging above", "Part/whole", []string{hop, "Part/channel/buffer=16", "Part/eino-pipe/buffer=0", "Part/eino-pipe/buffer=16", "Part/eino-array", "Part/eino-convert", "Part/eino-copy", "Part/ai-retry", "Part/ai-fallback"}},
	{"a whole call through `Backoff` alone", "Call/backoff", []string{"Call/go-retry", "Call/cenkalti", "Call/ai-retry"}},
	{"a whole call through three layers", "Call/layers=3", []string{"Call/failsafe-go", "Call/ai-retry", "Call/ai-fallback"}},
	{"a whole call through three layers whose model waits", "Call/layers=3/waits", []string{"Call/failsafe-go/waits"}},
	{"a whole call through seven layers", "Call/layers=7", []string{"Call/failsafe-go", "Call/ai-retry", "Call/ai-fallback"}},
	{"a whole call through seven layers whose model waits", "Call/layers=7/waits", []string{"Call/failsafe-go/waits"}},
	{"a whole call through seven layers, telemetry and logging above, whose model waits", "Call/whole/waits", []string{"Call/failsafe-go/waits"}},
	{"a call's walk through `Fallback`", "Walk/call/fallback", []string{"Walk/call/failsafe-go", "Walk/call/ai-retry", "Walk/call/ai-fallback"}},
	{"a call's walk through seven layers, telemetry and logging above", "Walk/call/whole", []string{"Walk/call/failsafe-go", "Walk/call/ai-retry", "Walk/call/ai-fallback"}},
	{"a stream's walk through `Fallback`", "Walk/stream/fallback", []string{"Walk/stream/ai-retry", "Walk/stream/ai-fallback"}},
	{"a stream's walk through seven layers, telemetry and logging above", "Walk/stream/whole", []string{"Walk/stream/ai-retry", "Walk/stream/ai-fallback"}},
	{"a second attempt by `Backoff`", "Retry/backoff", []string{"Retry/go-retry", "Retry/cenkalti"}},
}

// writeAhead lists the peers that take less time above bare than ours does.
func (r *results) writeAhead(b *strings.Builder) {
	var ahead []string
	for _, rival := range rivals {
		for _, peer := range rival.peers {
			if times := r.above(rival.ours) / r.above(peer); times > 1 {
				ahead = append(ahead, fmt.Sprintf("- %s: %s × that of %s", rival.what, number(times), called(peer)))
			}
		}
	}
	if ahead == nil {
		b.WriteString("No peer takes less time above bare than we do for the same.\n\n")
		return
	}
	fmt.Fprintf(b, "Where a peer takes less time above bare than we do for the same:\n\n%s\n\n", strings.Join(ahead, "\n"))
}

// called is what the tables call a benchmark.
func called(name string) string {
	for _, t := range tables {
		for _, row := range t.rows {
			if row.name == name {
				return row.what
			}
		}
	}
	return name
}

func (r *results) writeTable(b *strings.Builder, t table) {
	fmt.Fprintf(b, "## %s\n\n", t.title)
	if t.about != "" {
		fmt.Fprintf(b, "%s\n\n", t.about)
	}
	b.WriteString("| | ns | × bare | above bare, ns | allocations |")
	for _, peer := range t.peers {
		fmt.Fprintf(b, " of %s |", label(peer))
	}
	b.WriteString("\n| --- | ---: | ---: | ---: | ---: |" + strings.Repeat(" ---: |", len(t.peers)) + "\n")
	for _, row := range t.rows {
		base := row.what == "bare model" || row.what == "AI SDK: bare model"
		above := "–"
		if !base {
			above = number(r.above(row.name))
		}
		allocations := "–"
		if r.has(row.name, "allocs/op") {
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

// label is what a column calls a benchmark: its row's name, cut short.
func label(name string) string {
	what, _, _ := strings.Cut(strings.TrimPrefix(called(name), "AI SDK: "), ":")
	what, _, _ = strings.Cut(what, ",")
	return what
}

func (r *results) writeFits(b *strings.Builder) {
	b.WriteString("## Linear costs\n\nStraight lines of least squares.\n\n| cost | slope, ns | r² |\n| --- | ---: | ---: |\n")
	for _, line := range []struct {
		what   string
		points []point
	}{
		{"a part, by layers of one kind (`Backoff`, 1 to 8)", r.alike()},
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
	fmt.Fprintf(b, "## Open streams\n\n%s streams open at once in one process, content handed on by each, each read by a goroutine of its own.\nA goroutine's stack doubles when it grows: it is 2 KiB, 4, 8 or 16.\n\n", number(r.value("Open/bare", "streams")))
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

Streams of 200 parts over loopback, through the seven layers, telemetry and logging above, provider/openai and the OpenAI
SDK, from CPU profiles of all rounds, a sample each 10 ms. Layers call the adapter and are called back by it: a sample
belongs to the package of ours, or the SDK's, that is nearest its leaf. The server runs in the same process.

| whose | CPU, ms | with an idle deadline, ms |
| --- | ---: | ---: |
`)
	for _, row := range []row{
		{"the stack's", "stack"}, {"the OpenAI SDK's, its reading and decoding", "sdk"}, {"provider/openai's", "adapter"}, {"the HTTP transport's", "transport"},
		{"the reader's", "reader"}, {"the server's", "server"}, {"the runtime's, on its own", "runtime"},
	} {
		fmt.Fprintf(b, "| %s | %s | %s |\n", row.what, number(r.sum("Socket/whole", row.name+"-ms")), number(r.sum("Socket/whole+idle", row.name+"-ms")))
	}
	fmt.Fprintf(b, "| the stack's share, the server's aside | %s %% | %s %% |\n", precise(r.client("Socket/whole")), precise(r.client("Socket/whole+idle")))
	fmt.Fprintf(b, "| the stack's share of its own and the SDK's | %s %% | %s %% |\n", precise(r.share("Socket/whole", "stack", "sdk")), precise(r.share("Socket/whole+idle", "stack", "sdk")))
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
			{name: "strata, 7 layers and 2", color: "#06c", points: r.parts("whole")},
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
