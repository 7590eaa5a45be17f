package main

import (
	"fmt"
	"math"
	"strings"
)

// A series is one line of a chart.
type series struct {
	name   string
	color  string
	points []point
	fit    *fit // drawn thin beside the points; nil: the points are joined
}

// A chart is a picture of series.
type chart struct {
	title, x, y string
	log         bool // both axes
	series      []series
}

const (
	width, height            = 720, 420
	left, right, top, bottom = 80, 190, 44, 52
)

// svg draws the chart.
func (c *chart) svg() string {
	x, y := c.axes()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<text x="%d" y="24" font-size="15" font-weight="bold">%s</text>`+"\n", left, c.title)
	for _, tick := range x.ticks {
		fmt.Fprintf(&b, `<path d="M%.1f %d V%d" stroke="#eee"/><text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", x.at(tick), top, height-bottom, x.at(tick), height-bottom+18, number(tick))
	}
	for _, tick := range y.ticks {
		fmt.Fprintf(&b, `<path d="M%d %.1f H%d" stroke="#eee"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n", left, y.at(tick), width-right, left-8, y.at(tick)+4, number(tick))
	}
	fmt.Fprintf(&b, `<path d="M%d %d V%d H%d" fill="none" stroke="#444"/>`+"\n", left, top, height-bottom, width-right)
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", (left+width-right)/2, height-12, c.x)
	fmt.Fprintf(&b, `<text transform="translate(20 %d) rotate(-90)" text-anchor="middle">%s</text>`+"\n", (top+height-bottom)/2, c.y)
	for i, s := range c.series {
		c.line(&b, s, x, y)
		at := top + 8 + 22*i
		fmt.Fprintf(&b, `<path d="M%d %d h18" stroke="%s" stroke-width="2"/><text x="%d" y="%d">%s</text>`+"\n", width-right+14, at, s.color, width-right+38, at+4, s.name)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (c *chart) line(b *strings.Builder, s series, x, y axis) {
	var path []string
	for _, p := range s.points {
		path = append(path, fmt.Sprintf("%.1f,%.1f", x.at(p.x), y.at(p.y)))
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", x.at(p.x), y.at(p.y), s.color)
	}
	if s.fit != nil {
		first, last := s.points[0].x, s.points[len(s.points)-1].x
		path = []string{
			fmt.Sprintf("%.1f,%.1f", x.at(first), y.at(s.fit.intercept+s.fit.slope*first)),
			fmt.Sprintf("%.1f,%.1f", x.at(last), y.at(s.fit.intercept+s.fit.slope*last)),
		}
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", strings.Join(path, " "), s.color)
}

// An axis maps values to places.
type axis struct {
	low, high float64 // the values at from and to
	from, to  float64
	log       bool
	ticks     []float64
}

func (a axis) at(v float64) float64 {
	low, high := a.low, a.high
	if a.log {
		v, low, high = math.Log10(max(v, a.low)), math.Log10(low), math.Log10(high)
	}
	return a.from + (v-low)/(high-low)*(a.to-a.from)
}

func (c *chart) axes() (x, y axis) {
	var xs, ys []float64
	for _, s := range c.series {
		for _, p := range s.points {
			xs, ys = append(xs, p.x), append(ys, p.y)
		}
	}
	return newAxis(xs, left, width-right, c.log), newAxis(ys, height-bottom, top, c.log)
}

func newAxis(values []float64, from, to float64, log bool) axis {
	a := axis{from: from, to: to, log: log, low: math.Inf(1)}
	for _, v := range values {
		a.low, a.high = min(a.low, v), max(a.high, v)
	}
	if log && a.low <= 0 { // it has no place there
		return a
	}
	if log {
		a.low, a.high = math.Pow(10, math.Floor(math.Log10(a.low))), math.Pow(10, math.Ceil(math.Log10(a.high)))
		for tick := a.low; tick <= a.high*1.01; tick *= 10 {
			a.ticks = append(a.ticks, tick)
		}
		return a
	}
	step := math.Pow(10, math.Floor(math.Log10(a.high)))
	for _, part := range []float64{5, 2} {
		if a.high/step < 4 && step > 1 {
			step = step / 10 * part
			break
		}
	}
	a.low, a.high = 0, math.Ceil(a.high/step)*step
	for tick := 0.; tick <= a.high; tick += step {
		a.ticks = append(a.ticks, tick)
	}
	return a
}
