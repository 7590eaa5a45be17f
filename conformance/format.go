package conformance

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/strata-go/strata/internal/strictjson"
)

// spec is a case as it stands in a file.
type spec struct {
	Name    string              `json:"name"`
	About   string              `json:"about"`
	Models  map[string][][]step `json:"models"` // by ID
	Model   string              `json:"model"`  // the ID of the base model
	Stack   json.RawMessage     `json:"stack"`  // for package config
	Request request             `json:"request"`
	Runs    []run               `json:"runs"`
	Build   *buildWant          `json:"build"` // in place of runs
}

// buildWant says that the stack must be refused.
type buildWant struct {
	Has string `json:"has"` // a substring of the error
}

// request is what a model is to be asked, or must have been asked.
type request struct {
	Prompt          *string         `json:"prompt"`
	Temperature     *float64        `json:"temperature"`
	MaxOutputTokens *int            `json:"max_output_tokens"`
	AfterToolResult *bool           `json:"after_tool_result"`
	Schema          json.RawMessage `json:"schema"`
}

// run is one call.
type run struct {
	Op          string               `json:"op"`
	Before      strictjson.Duration  `json:"before"`
	CancelAfter *strictjson.Duration `json:"cancel_after"`
	Deadline    *strictjson.Duration `json:"deadline"`
	BreakAfter  *int                 `json:"break_after"`
	Hold        strictjson.Duration  `json:"hold"`
	Key         *string              `json:"key"`
	Want        *want                `json:"want"`
}

// want is what must come of a run. What is nil is not checked, but for the
// error: nil is none.
type want struct {
	Text      *string            `json:"text"`
	Parts     []string           `json:"parts"`
	Error     *errorWant         `json:"error" strictjson:"null"`
	Served    *string            `json:"served"`
	Calls     map[string]int     `json:"calls"`
	Seen      map[string]request `json:"seen"`
	Elapsed   *interval          `json:"elapsed"`
	Cancelled []string           `json:"cancelled"`
	Panic     *string            `json:"panic"`
}

// errorWant is what must be true of an error.
type errorWant struct {
	Kind      *string `json:"kind"`
	Status    *int    `json:"status"`
	Type      *string `json:"type"`
	Attempts  *int    `json:"attempts"`
	Has       *string `json:"has"`
	Timeout   *string `json:"timeout"`
	Committed *bool   `json:"committed"`
	Reason    *string `json:"reason"`
}

// interval is a range of times, ends included: ["0s","1s"], or "1s" for one.
type interval struct{ from, to time.Duration }

func (i *interval) UnmarshalJSON(data []byte) error {
	if data[0] != '[' {
		var at strictjson.Duration
		if err := strictjson.Decode(data, &at); err != nil {
			return err
		}
		*i = interval{at.Std(), at.Std()}
		return nil
	}
	var ends []strictjson.Duration
	if err := strictjson.Decode(data, &ends); err != nil {
		return err
	}
	if len(ends) != 2 || ends[0] > ends[1] {
		return fmt.Errorf("%s is no range: want its first and its last time", data)
	}
	*i = interval{ends[0].Std(), ends[1].Std()}
	return nil
}

func (i interval) String() string {
	if i.from == i.to {
		return i.from.String()
	}
	return fmt.Sprintf("%v to %v", i.from, i.to)
}
