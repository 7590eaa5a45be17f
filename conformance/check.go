package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/strata-go/strata"
)

// check returns what an outcome has that is not as wanted, and what no outcome
// may have.
func (w *want) check(out *outcome) []string {
	problems := slices.Clone(out.broken)
	problem := func(format string, args ...any) {
		problems = append(problems, fmt.Sprintf(format, args...))
	}
	if w.Text != nil && out.text() != *w.Text {
		problem("text: got %q, want %q", out.text(), *w.Text)
	}
	if w.Parts != nil {
		if got := out.shortParts(); !slices.Equal(got, w.Parts) {
			problem("parts: got %q, want %q", got, w.Parts)
		}
	}
	if w.Served != nil && out.served() != *w.Served {
		problem("served: got %q, want %q", out.served(), *w.Served)
	}
	if w.Calls != nil {
		if got := out.counts(); !maps.Equal(got, w.Calls) {
			problem("calls: got %v, want %v", got, w.Calls)
		}
	}
	if w.Elapsed != nil && (out.elapsed < w.Elapsed.from || out.elapsed > w.Elapsed.to) {
		problem("elapsed: got %v, want %v", out.elapsed, *w.Elapsed)
	}
	problems = append(problems, w.checkError(out)...)
	problems = append(problems, w.checkCalls(out)...)
	return problems
}

// checkError looks at how the call ended.
func (w *want) checkError(out *outcome) []string {
	switch {
	case w.Panic != nil && out.panicked != any(*w.Panic):
		return []string{fmt.Sprintf("panic: got %v, want %q", out.panicked, *w.Panic)}
	case w.Panic == nil && out.panicked != nil:
		return []string{fmt.Sprintf("panic: got %v, want none", out.panicked)}
	case w.Error == nil && out.err != nil:
		return []string{fmt.Sprintf("error: got %v, want none", out.err)}
	case w.Error != nil && out.err == nil:
		return []string{"error: got none, want one"}
	case w.Error != nil:
		return w.Error.match(out.err)
	}
	return nil
}

// checkCalls looks at the calls that the models got.
func (w *want) checkCalls(out *outcome) (problems []string) {
	for _, id := range slices.Sorted(maps.Keys(w.Seen)) {
		calls := out.calls[id]
		if len(calls) == 0 {
			problems = append(problems, fmt.Sprintf("seen: %s was not called", id))
			continue
		}
		for _, problem := range w.Seen[id].match(read(calls[len(calls)-1].request)) {
			problems = append(problems, fmt.Sprintf("seen: %s: %s", id, problem))
		}
	}
	for _, id := range w.Cancelled {
		if calls := out.calls[id]; len(calls) == 0 || !calls[len(calls)-1].done {
			problems = append(problems, fmt.Sprintf("cancelled: the last attempt of %s was not", id))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(out.calls)) {
		for i, c := range out.calls[id] {
			if !c.done && !c.callers {
				problems = append(problems, fmt.Sprintf("the context of attempt %d of %s is not done, and is not the caller's", i+1, id))
			}
		}
	}
	return problems
}

// match returns the fields of r that are given and that got has otherwise.
func (r request) match(got request) (problems []string) {
	problem := func(field string, got, want any) {
		problems = append(problems, fmt.Sprintf("%s: got %v, want %v", field, got, want))
	}
	if r.Prompt != nil && *got.Prompt != *r.Prompt {
		problem("prompt", *got.Prompt, *r.Prompt)
	}
	if r.Temperature != nil && (got.Temperature == nil || *got.Temperature != *r.Temperature) {
		problem("temperature", show(got.Temperature), *r.Temperature)
	}
	if r.MaxOutputTokens != nil && *got.MaxOutputTokens != *r.MaxOutputTokens {
		problem("max_output_tokens", *got.MaxOutputTokens, *r.MaxOutputTokens)
	}
	if r.AfterToolResult != nil && *got.AfterToolResult != *r.AfterToolResult {
		problem("after_tool_result", *got.AfterToolResult, *r.AfterToolResult)
	}
	if r.Schema != nil && compact(got.Schema) != compact(r.Schema) {
		problem("schema", compact(got.Schema), compact(r.Schema))
	}
	return problems
}

func show(n *float64) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprint(*n)
}

// compact returns JSON without white space.
func compact(data json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, data) != nil {
		return "none"
	}
	return b.String()
}

// check looks at the error of a stack that must be refused.
func (w *buildWant) check(err error) []string {
	switch {
	case err == nil:
		return []string{fmt.Sprintf("build: the stack was built, want an error with %q", w.Has)}
	case !strings.Contains(err.Error(), w.Has):
		return []string{fmt.Sprintf("build: got %q, want an error with %q", err, w.Has)}
	}
	return nil
}

func (o *outcome) text() string {
	if o.response != nil {
		return o.response.Text()
	}
	var b strings.Builder
	for _, p := range o.parts {
		if delta, ok := p.(strata.TextDelta); ok {
			b.WriteString(delta.Text)
		}
	}
	return b.String()
}

func (o *outcome) shortParts() []string {
	names := make([]string, len(o.parts))
	for i, p := range o.parts {
		names[i] = short(p)
	}
	return names
}

// served returns the ID of the model that answered, or nothing.
func (o *outcome) served() string {
	if o.response != nil {
		return o.response.Model.String()
	}
	for _, p := range o.parts {
		if finish, ok := p.(strata.Finish); ok {
			return finish.Model.String()
		}
	}
	return ""
}

func (o *outcome) counts() map[string]int {
	counts := map[string]int{}
	for id, calls := range o.calls {
		counts[id] = len(calls)
	}
	return counts
}
