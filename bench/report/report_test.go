package main

import (
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
	assert.Contains(t, r.missing(), "Part/bare")
	assert.NotContains(t, r.missing(), "Part/ai-retry")
}

func TestFitLine(t *testing.T) {
	f := fitLine([]point{{0, 1}, {1, 3}, {2, 5}})
	assert.InDelta(t, 2, f.slope, 1e-9)
	assert.InDelta(t, 1, f.intercept, 1e-9)
	assert.InDelta(t, 1, f.r2, 1e-9)
}

func TestTargets(t *testing.T) {
	assert.True(t, atMost("x", 2, 2, "").met)
	assert.Equal(t, "MISS x: 2.50 B (target ≤ 2 B)", atMost("x", 2.5, 2, " B").String())
	assert.False(t, below("x", 2, 2, "").met)
	assert.Equal(t, "2 to 3 ns", below("x", 2, 3, " ns").figure)
}

func TestNumber(t *testing.T) {
	for value, want := range map[float64]string{0: "0", 12: "12", 0.01234: "0.0123", 1.234: "1.23", 56.78: "56.8", 123.4: "123", 1234.5: "1235"} {
		assert.Equal(t, want, number(value))
	}
}
