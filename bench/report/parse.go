package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// results are the lines of benchmarks, of one round after another.
type results struct {
	config  map[string]string               // "cpu", "node", …
	rounds  map[string][]map[string]float64 // by a benchmark's name: each round's values by unit
	lacking map[string]bool                 // what was asked for and is not there: "Part/bare ns/op"
}

var (
	cores   = regexp.MustCompile(`-\d+$`) // which Go adds to a name
	setting = regexp.MustCompile(`^([a-z][a-z-]*): (.+)$`)
)

// parse reads what `go test -bench` and peers/bench.js print; see
// https://go.dev/design/14313-benchmark-format.
func parse(in io.Reader) (*results, error) {
	r := &results{config: map[string]string{"procs": "1"}, rounds: map[string][]map[string]float64{}, lacking: map[string]bool{}}
	lines := bufio.NewScanner(in)
	for number := 1; lines.Scan(); number++ {
		if m := setting.FindStringSubmatch(lines.Text()); m != nil {
			r.config[m[1]] = m[2]
			continue
		}
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		values := map[string]float64{}
		for i := 2; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, fmt.Errorf("line %d: %s: %q is not a number", number, fields[0], fields[i])
			}
			values[fields[i+1]] = value
		}
		if count := cores.FindString(fields[0]); count != "" {
			r.config["procs"] = count[1:]
		}
		name := strings.TrimPrefix(cores.ReplaceAllString(fields[0], ""), "Benchmark")
		r.rounds[name] = append(r.rounds[name], values)
	}
	return r, lines.Err()
}

// has reports whether the benchmark has values of a unit.
func (r *results) has(name, unit string) bool {
	for _, values := range r.rounds[name] {
		if _, ok := values[unit]; !ok {
			return false
		}
	}
	return len(r.rounds[name]) > 0
}

// each returns a unit's value of each round. What is not there is noted as lacking.
func (r *results) each(name, unit string) (all []float64) {
	if !r.has(name, unit) {
		r.lacking[name+" "+unit] = true
	}
	for _, values := range r.rounds[name] {
		all = append(all, values[unit])
	}
	return all
}

// value is the median of a unit.
func (r *results) value(name, unit string) float64 { return median(r.each(name, unit)) }

// sum is a unit added up over the rounds.
func (r *results) sum(name, unit string) (sum float64) {
	for _, value := range r.each(name, unit) {
		sum += value
	}
	return sum
}

// ns is the time of an operation.
func (r *results) ns(name string) float64 { return r.value(name, "ns/op") }

// above is the time of an operation above that of the bare model in turns with it.
func (r *results) above(name string) float64 {
	above, bare := r.each(name, "ns/op"), r.each(name, "bare-ns/op")
	for i := range above {
		above[i] -= bare[i]
	}
	return median(above)
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}

// A point is one of a series.
type point struct{ x, y float64 }

// fit is the straight line of least squares through points, and how much of what
// they differ by it explains.
type fit struct{ slope, intercept, r2 float64 }

func fitLine(points []point) fit {
	var sx, sy, sxx, sxy, syy float64
	for _, p := range points {
		sx, sy, sxx, sxy, syy = sx+p.x, sy+p.y, sxx+p.x*p.x, sxy+p.x*p.y, syy+p.y*p.y
	}
	n := float64(len(points))
	slope := (n*sxy - sx*sy) / (n*sxx - sx*sx)
	return fit{
		slope:     slope,
		intercept: (sy - slope*sx) / n,
		r2:        (n*sxy - sx*sy) * (n*sxy - sx*sy) / ((n*sxx - sx*sx) * (n*syy - sy*sy)),
	}
}
