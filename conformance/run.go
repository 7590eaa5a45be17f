package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/config"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/schema"
)

// outcome is what came of a run.
type outcome struct {
	parts    []strata.Part    // of a stream
	response *strata.Response // a whole answer
	err      error
	panicked any
	elapsed  time.Duration
	calls    map[string][]call // that the run made, by model
	broken   []string          // how the model broke its contract
}

// call is one call that a scripted model got, seen when the run returned.
type call struct {
	request *strata.Request
	done    bool // its context was done
	callers bool // its context was the caller's own
}

// run plays the case, in a bubble, and returns what was not as it should be.
func (s *spec) run() (problems []string) {
	defer func() {
		if r := recover(); r != nil {
			problems = append(problems, fmt.Sprintf("panic: %v", r))
		}
	}()
	models := map[string]*modeltest.Model{}
	var all []strata.Model
	for id, attempts := range s.Models {
		models[id] = newModel(id, attempts)
		all = append(all, models[id])
	}
	layer, err := config.Build(s.Stack, config.Models(all...), config.SchemaValidator(schema.Validate))
	if s.Build != nil {
		return s.Build.check(err)
	}
	if err != nil {
		return []string{err.Error()}
	}
	wrapped := layer(models[s.Model])
	for i, r := range s.Runs {
		time.Sleep(r.Before.Std())
		out := r.play(wrapped, s.Request.build(), models)
		for _, problem := range r.Want.check(out) {
			problems = append(problems, fmt.Sprintf("run %d: %s", i, problem))
		}
	}
	return problems
}

func newModel(id string, attempts [][]step) *modeltest.Model {
	parsed, _ := strata.ParseModelID(id) // is one, as the case was checked
	scripts := make([]modeltest.Attempt, len(attempts))
	for i, steps := range attempts {
		scripts[i] = attempt(parsed, steps)
	}
	return modeltest.New(id, scripts...)
}

// play makes the call of a run.
func (r *run) play(m strata.Model, req *strata.Request, models map[string]*modeltest.Model) *outcome {
	before := map[string]int{}
	for id, m := range models {
		before[id] = len(m.Calls())
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if r.Deadline != nil {
		ctx, cancel = context.WithTimeout(ctx, r.Deadline.Std())
		defer cancel()
	}
	if r.Key != nil {
		ctx = middleware.WithStickyKey(ctx, *r.Key)
	}
	if r.CancelAfter != nil {
		if d := r.CancelAfter.Std(); d == 0 {
			cancel()
		} else {
			defer time.AfterFunc(d, cancel).Stop()
		}
	}
	out := &outcome{calls: map[string][]call{}}
	begun := time.Now()
	r.ask(ctx, m, req, out)
	out.elapsed = time.Since(begun)
	for id, m := range models {
		for _, c := range m.Calls()[before[id]:] {
			out.calls[id] = append(out.calls[id], call{
				request: c.Request,
				done:    c.Context.Err() != nil,
				callers: c.Context.Done() == ctx.Done(), // a value on top changes nothing
			})
		}
	}
	return out
}

func (r *run) ask(ctx context.Context, m strata.Model, req *strata.Request, out *outcome) {
	defer func() { out.panicked = recover() }()
	if r.Op == "generate" {
		out.response, out.err = m.Generate(ctx, req)
		if out.response == nil && out.err == nil {
			out.broken = append(out.broken, "neither an answer nor an error came")
		}
		return
	}
	ended := false
	for p, err := range m.Stream(ctx, req) {
		switch {
		case ended:
			out.broken = append(out.broken, fmt.Sprintf("the stream went on behind its end with %T, %v", p, err))
			continue
		case err != nil:
			ended, out.err = true, err
			if p != nil {
				out.broken = append(out.broken, fmt.Sprintf("a part came beside the error: %T", p))
			}
			continue
		case p == nil:
			out.broken = append(out.broken, "neither a part nor an error came")
			continue
		}
		out.parts = append(out.parts, p)
		_, ended = p.(strata.Finish)
		time.Sleep(r.Hold.Std())
		if r.BreakAfter != nil && len(out.parts) == *r.BreakAfter {
			break
		}
	}
}

// build returns the request of a case.
func (r *request) build() *strata.Request {
	prompt := "Hello"
	if r.Prompt != nil {
		prompt = *r.Prompt
	}
	req := strata.Prompt(prompt)
	if r.AfterToolResult != nil && *r.AfterToolResult {
		call := strata.ToolCall{ID: "c0", Name: "look_up", Input: "{}"}
		req.Messages = append(req.Messages,
			strata.Message{Role: strata.RoleAssistant, Content: []strata.Content{call}},
			strata.ToolMessage(strata.ToolResult{ID: call.ID, Name: call.Name, Output: "found"}))
	}
	req.Temperature = r.Temperature
	if r.MaxOutputTokens != nil {
		req.MaxOutputTokens = *r.MaxOutputTokens
	}
	if r.Schema != nil {
		req.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: r.Schema}
	}
	return req
}

// read returns a request in the form in which a case states one.
func read(req *strata.Request) request {
	r := request{Temperature: req.Temperature, MaxOutputTokens: &req.MaxOutputTokens}
	var prompt strings.Builder
	afterToolResult := false
	for _, m := range req.Messages {
		afterToolResult = m.Role == strata.RoleTool
		for _, c := range m.Content {
			if text, ok := c.(strata.Text); ok && m.Role == strata.RoleUser {
				prompt.WriteString(text.Text)
			}
		}
	}
	text := prompt.String()
	r.Prompt, r.AfterToolResult = &text, &afterToolResult
	if f := req.ResponseFormat; f != nil {
		r.Schema = json.RawMessage(f.Schema)
	}
	return r
}
