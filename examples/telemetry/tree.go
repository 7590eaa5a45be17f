package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"
)

// tree is an exporter that keeps spans to show them as a tree.
type tree struct{ spans []trace.ReadOnlySpan }

func (t *tree) ExportSpans(_ context.Context, spans []trace.ReadOnlySpan) error {
	t.spans = append(t.spans, spans...)
	return nil
}

func (t *tree) Shutdown(context.Context) error { return nil }

func (t *tree) String() string {
	var b strings.Builder
	t.write(&b, false)
	return b.String()
}

// write writes the tree, each span with how long it took if timed.
func (t *tree) write(out io.Writer, timed bool) {
	t.writeBelow(out, oteltrace.SpanID{}, "", timed)
}

func (t *tree) writeBelow(out io.Writer, parent oteltrace.SpanID, indent string, timed bool) {
	children := slices.DeleteFunc(slices.Clone(t.spans), func(s trace.ReadOnlySpan) bool { return s.Parent().SpanID() != parent })
	slices.SortFunc(children, func(a, b trace.ReadOnlySpan) int { return a.StartTime().Compare(b.StartTime()) })
	for _, s := range children {
		line := indent + s.Name() + details(s)
		if timed {
			line = fmt.Sprintf("%6v %s", s.EndTime().Sub(s.StartTime()).Round(time.Millisecond), line)
		}
		fmt.Fprintln(out, line)
		t.writeBelow(out, s.SpanContext().SpanID(), indent+"  ", timed)
	}
}

// shown are the attributes that are shown, of those a span has.
var shown = []string{"strata.layer", "strata.outcome", "strata.kind", "strata.attempts", "strata.final_model", "http.response.status_code"}

func details(s trace.ReadOnlySpan) string {
	var b strings.Builder
	for _, key := range shown {
		for _, a := range s.Attributes() {
			if string(a.Key) == key {
				fmt.Fprintf(&b, " %s=%s", key[strings.LastIndexByte(key, '.')+1:], a.Value.Emit())
			}
		}
	}
	return b.String()
}
