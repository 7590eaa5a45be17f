package main

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The format is that of both sides: values by unit, a name without its count of
// processors, settings, and everything else passed over.
func TestParse(t *testing.T) {
	r, err := parse(strings.NewReader(`
goos: linux
cpu: Some CPU
node: v20.0.0
BenchmarkPart/layers=7-2   100   40.0 ns/op   4.0 bare-ns/op   0 allocs/op
BenchmarkPart/layers=7-2   100   60.0 ns/op   8.0 bare-ns/op   0 allocs/op
BenchmarkPart/layers=7-2   100   90.0 ns/op   2.0 bare-ns/op   0 allocs/op
BenchmarkPart/ai-retry 100 500.0 ns/op 100.0 bare-ns/op
PASS
`))
	require.NoError(t, err)
	assert.Equal(t, "Some CPU", r.config["cpu"])
	assert.Equal(t, "v20.0.0", r.config["node"])
	assert.Equal(t, "2", r.config["procs"])
	assert.Equal(t, 60., r.ns("Part/layers=7"))
	assert.Equal(t, 52., r.above("Part/layers=7"))
	assert.Equal(t, 190., r.sum("Part/layers=7", "ns/op"))
	assert.Equal(t, 400., r.above("Part/ai-retry"))
	assert.Empty(t, r.lacking)
	r.above("Part/bare")
	r.value("Part/ai-retry", "allocs/op")
	assert.Equal(t, map[string]bool{"Part/bare ns/op": true, "Part/bare bare-ns/op": true, "Part/ai-retry allocs/op": true}, r.lacking)
}

// render makes all that is written.
func render(r *results) string {
	return r.document() + r.layersChart().svg() + r.partsChart().svg()
}

// whole returns results of all benchmarks that are asked for, each value 1.
func whole(t *testing.T) *results {
	r, err := parse(strings.NewReader(""))
	require.NoError(t, err)
	render(r)
	require.NotEmpty(t, r.lacking)
	for what := range r.lacking {
		name, unit, _ := strings.Cut(what, " ")
		if r.rounds[name] == nil {
			r.rounds[name] = []map[string]float64{{}}
		}
		r.rounds[name][0][unit] = 1
		if unit == "ns/op" {
			r.rounds[name][0][unit] = 2
		}
	}
	clear(r.lacking)
	render(r)
	require.Empty(t, r.lacking)
	return r
}

// What there is no result of is an error, and none is taken for nothing.
func TestLacking(t *testing.T) {
	r, err := parse(strings.NewReader(""))
	require.NoError(t, err)
	render(r) // and does not hang
	for _, what := range []string{"Part/whole allocs/op", "Stream/whole/parts=10000 ns/op", "Stream/channel/buffer=0/parts=100 ns/op", "Attempts/attempts=64 ns/op", "Open/whole heap-B/stream", "Socket/whole+idle sdk-ms"} {
		assert.True(t, r.lacking[what], what)
	}
	whole(t)
}

func TestVerdicts(t *testing.T) {
	r := whole(t)
	assert.Contains(t, r.document(), "| time of a part through seven layers, telemetry and logging above, above bare, in that of ai-retry's one wrapper | 1 | ≤ 0.100 | **missed** |")
	assert.Contains(t, r.document(), "Missed:\n\n- ")
	for _, name := range []string{"Part/ai-retry", hop} {
		r.rounds[name][0]["ns/op"] = 1000
	}
	assert.Contains(t, r.document(), "above bare, in that of ai-retry's one wrapper | 0.001001 | ≤ 0.100 | met |")
	assert.NotContains(t, r.document(), "a part through seven layers, telemetry and logging above: 1.00")

	r.rounds["Retry/backoff"][0]["ns/op"] = 5
	assert.Contains(t, r.document(), "- a second attempt by `Backoff`: 4 × that of sethvargo/go-retry\n")
}

// A cost that grows faster than the number of things is not linear.
func TestGrowth(t *testing.T) {
	of := func(cost func(float64) float64) (points []point) {
		for _, x := range []float64{0, 1, 2, 4, 8, 16} {
			points = append(points, point{x, cost(x)})
		}
		return points
	}
	assert.InDelta(t, 1, growth(of(func(x float64) float64 { return 7 + 3*x })), 1e-9)
	assert.True(t, linear("", of(func(x float64) float64 { return 7 + 3*x })).met)
	assert.False(t, linear("", of(func(x float64) float64 { return x * math.Sqrt(x) })).met)
	assert.False(t, linear("", of(func(x float64) float64 { return x * x })).met)
}

func TestParseNamesTheLine(t *testing.T) {
	_, err := parse(strings.NewReader("PASS\nBenchmarkX 1 abc ns/op\n"))
	assert.EqualError(t, err, `line 2: BenchmarkX: "abc" is not a number`)
}

func TestFitLine(t *testing.T) {
	f := fitLine([]point{{0, 1}, {1, 3}, {2, 5}})
	assert.InDelta(t, 2, f.slope, 1e-9)
	assert.InDelta(t, 1, f.intercept, 1e-9)
	assert.InDelta(t, 1, f.r2, 1e-9)
}

func TestTargets(t *testing.T) {
	assert.True(t, atMost("x", 2, 2, "").met)
	assert.Equal(t, "MISS x: 2.5 B (target ≤ 2 B)", atMost("x", 2.5, 2, " B").String())
	assert.False(t, below("x", 2, 2, "").met)
	assert.Equal(t, "2 to 3 ns", below("x", 2, 3, " ns").figure)
}

func TestNumber(t *testing.T) {
	for value, want := range map[float64]string{0: "0", 12: "12", 0.01234: "0.0123", 1.234: "1.23", 56.78: "56.8", 123.4: "123", 1234.5: "1235"} {
		assert.Equal(t, want, number(value))
	}
}
