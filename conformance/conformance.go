// Package conformance runs cases that are written in JSON against the layers:
// each scripts some models, stacks layers over one of them as package config
// does, makes calls, and says what must come out of them. Time is virtual, so
// waits take none and what a run takes is exact.
//
// The cases in testdata are Strata's own. A program tests stacks of its own
// with a folder of its own:
//
//	func TestCases(t *testing.T) { conformance.Run(t, "testdata/cases") }
//
// A file is a list of cases:
//
//	[{"name": "busy-then-ok", "about": "One failure is retried.",
//	  "models": {"openai/a": [[{"error": {"status": 503}}], [{"text": "hi"}, {"finish": "stop"}]]},
//	  "model": "openai/a",
//	  "stack": [{"layer": "backoff", "jitter": "none"}],
//	  "runs": [{"op": "stream", "want": {"text": "hi", "calls": {"openai/a": 2}, "elapsed": "1s"}}]}]
//
// The nth call to a model plays its nth list of steps, the last one repeats. A
// field that is not known, at any level, is an error, so that no expectation
// goes unchecked for being misspelt.
//
// Beside what a run wants, every case checks that no goroutine is left, that the
// context of every attempt is done when the call returns (but for the caller's
// own), and that no part follows an error or a finish.
package conformance

import (
	"fmt"
	"testing"
	"testing/synctest"
)

// A Case is one case of a file.
type Case struct {
	File  string // its name without the folder
	Name  string // unique among those that were loaded together
	About string // what it shows, in a sentence

	spec spec
	err  error // why it cannot be run
}

// Run runs every case of the *.json files in dir as a subtest named after it,
// and prints "cases: N passed, M failed, K skipped" to standard output. A file
// that cannot be read fails the test as well.
func Run(t *testing.T, dir string) {
	t.Helper()
	cases, err := Load(dir)
	if err != nil {
		t.Error(err)
	}
	var passed, failed, skipped int
	for _, c := range cases {
		var ran, skip bool
		ok := t.Run(c.Name, func(t *testing.T) {
			ran = true
			defer func() { skip = t.Skipped() }()
			c.Run(t)
		})
		switch {
		case !ran: // -run chose others
		case skip:
			skipped++
		case ok:
			passed++
		default:
			failed++
		}
	}
	fmt.Printf("cases: %d passed, %d failed, %d skipped\n", passed, failed, skipped)
}

// Run runs the case in a testing/synctest bubble and reports each expectation
// that was not met as an error of t. It skips a case that needs a layer that is
// not built yet.
func (c Case) Run(t *testing.T) {
	t.Helper()
	if c.err != nil {
		t.Fatal(c.err)
	}
	defer func() {
		if r := recover(); r != nil { // the bubble is stuck, or a goroutine was left in it
			t.Errorf("%v", r)
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		for _, problem := range c.spec.run() {
			t.Error(problem)
		}
	})
}
