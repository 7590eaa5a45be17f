package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/strictjson"
	"github.com/strata-go/strata/modeltest"
)

// step is one thing that a scripted model does: an object of one field, whose
// name says what.
type step struct {
	of func(strata.ModelID) modeltest.Step
}

func (s *step) UnmarshalJSON(data []byte) error {
	var fields map[string]json.RawMessage
	if err := strictjson.Decode(data, &fields); err != nil {
		return err
	}
	if len(fields) != 1 {
		return fmt.Errorf("a step has one field, this has %d", len(fields))
	}
	for name, value := range fields {
		read := steps[name]
		if read == nil {
			return fmt.Errorf("unknown field %q", name)
		}
		of, err := read(value)
		if err != nil {
			return strictjson.At("."+name, err)
		}
		s.of = of
	}
	return nil
}

// attempt returns the steps of one attempt of a model.
func attempt(id strata.ModelID, script []step) modeltest.Attempt {
	a := make(modeltest.Attempt, len(script))
	for i, s := range script {
		a[i] = s.of(id)
	}
	return a
}

// stepReader reads the value of a step.
type stepReader func(value []byte) (func(strata.ModelID) modeltest.Step, error)

var steps = map[string]stepReader{
	"start":           plain(func(struct{}) modeltest.Step { return modeltest.Start() }),
	"meta":            plain(func(v metaStep) modeltest.Step { return modeltest.Metadata(v.ID) }),
	"text_start":      plain(modeltest.TextStart),
	"text":            plain(modeltest.Text),
	"text_end":        plain(modeltest.TextEnd),
	"reasoning_start": plain(modeltest.ReasoningStart),
	"reasoning":       plain(modeltest.Reasoning),
	"reasoning_end":   plain(modeltest.ReasoningEnd),
	"tool_input":      plain(func(v toolInputStep) modeltest.Step { return modeltest.ToolInput(v.ID, v.Delta) }),
	"tool_call":       plain(func(v toolCallStep) modeltest.Step { return modeltest.ToolCall(v.ID, v.Name, v.Input) }),
	"tool_result": plain(func(v toolResultStep) modeltest.Step {
		return modeltest.Part(strata.ToolResult{ID: v.ID, Output: v.Output})
	}),
	"source": plain(func(url string) modeltest.Step { return modeltest.Part(strata.Source{URL: url}) }),
	"file":   plain(func(mediaType string) modeltest.Step { return modeltest.Part(strata.File{MediaType: mediaType}) }),
	"raw":    plain(func(value string) modeltest.Step { return modeltest.Part(strata.Raw{Value: value}) }),
	"finish": checked(checkFinish, func(reason strata.FinishReason, _ strata.ModelID) modeltest.Step {
		return modeltest.Finish(reason)
	}),
	"error": checked(errorStep.check, errorStep.step),
	"wait":  plain(func(d strictjson.Duration) modeltest.Step { return modeltest.Wait(d.Std()) }),
	"hang":  checked(checkHang, func(bool, strata.ModelID) modeltest.Step { return modeltest.Hang() }),
	"panic": plain(func(value string) modeltest.Step { return modeltest.Panic(value) }),
}

// checked reads a step whose value may be wrong, or whose model matters.
func checked[V any](check func(V) error, of func(V, strata.ModelID) modeltest.Step) stepReader {
	return func(data []byte) (func(strata.ModelID) modeltest.Step, error) {
		var v V
		if err := strictjson.Decode(data, &v); err != nil {
			return nil, err
		}
		return func(id strata.ModelID) modeltest.Step { return of(v, id) }, check(v)
	}
}

// plain reads any other step.
func plain[V any](of func(V) modeltest.Step) stepReader {
	return checked(func(V) error { return nil }, func(v V, _ strata.ModelID) modeltest.Step { return of(v) })
}

type metaStep struct {
	ID string `json:"id"`
}

// toolInputStep becomes one delta, which does not carry the tool's name.
type toolInputStep struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Delta string `json:"delta"`
}

type toolCallStep struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Input string `json:"input"`
}

type toolResultStep struct {
	ID     string `json:"id"`
	Output string `json:"output"`
}

var finishReasons = []strata.FinishReason{
	strata.FinishStop, strata.FinishLength, strata.FinishContentFilter, strata.FinishToolCalls,
	strata.FinishError, strata.FinishOther, strata.FinishUnknown,
}

func checkFinish(reason strata.FinishReason) error {
	if !slices.Contains(finishReasons, reason) {
		return fmt.Errorf("unknown finish reason %q", string(reason))
	}
	return nil
}

func checkHang(hang bool) error {
	if !hang {
		return errors.New("false does nothing")
	}
	return nil
}
