package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/strictjson"
)

// Load reads the cases of the *.json files in dir, in the order of the files'
// names. What is wrong with any of them is one error that names each file, case
// and place; a folder without a case is one too.
func Load(dir string) ([]Case, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("conformance: %w", err)
	}
	var (
		all  []Case
		errs []error
		seen = map[string]string{} // file by case
	)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			errs = append(errs, fmt.Errorf("conformance: %w", err))
			continue
		}
		cases, err := parse(filepath.Base(file), data)
		errs = append(errs, err)
		for _, c := range cases {
			if other, ok := seen[c.Name]; ok {
				errs = append(errs, fmt.Errorf("conformance: %s: there is a case %q in %s too", c.File, c.Name, other))
			}
			seen[c.Name] = c.File
		}
		all = append(all, cases...)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("conformance: there is no case in %s", filepath.Join(dir, "*.json"))
	}
	return all, nil
}

// parse reads the cases of one file. With an error it returns those without.
func parse(file string, data []byte) ([]Case, error) {
	var elements []json.RawMessage
	if err := strictjson.Decode(data, &elements); err != nil {
		return nil, fmt.Errorf("conformance: %s: %w", file, err)
	}
	var (
		cases []Case
		errs  []error
	)
	for i, element := range elements {
		var s spec
		err := strictjson.Decode(element, &s)
		if err == nil {
			err = s.check()
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("conformance: %s: %s: %w", file, label(element, i), err))
			continue
		}
		cases = append(cases, Case{File: file, Name: s.Name, About: s.About, spec: s})
	}
	return cases, errors.Join(errs...)
}

// label names a case that may be broken, as far as it can be read.
func label(element []byte, i int) string {
	var c struct{ Name string }
	_ = json.Unmarshal(element, &c)
	if c.Name != "" {
		return fmt.Sprintf("case %q", c.Name)
	}
	return fmt.Sprintf("case %d", i)
}

// check says what is wrong with a case that could be decoded.
func (s *spec) check() error {
	switch {
	case s.Name == "":
		return errors.New("it has no name")
	case s.Stack == nil:
		return errors.New("it has no stack")
	case (s.Build == nil) == (len(s.Runs) == 0):
		return errors.New("it has either runs or build")
	case s.Build != nil && s.Build.Has == "":
		return strictjson.Errorf(".build.has", "it is empty")
	}
	for _, id := range slices.Sorted(maps.Keys(s.Models)) {
		place := fmt.Sprintf(".models[%q]", id)
		if _, err := strata.ParseModelID(id); err != nil {
			return strictjson.At(place, err)
		}
		if len(s.Models[id]) == 0 {
			return strictjson.Errorf(place, "there is no attempt")
		}
	}
	if err := s.knows(s.Model); err != nil {
		return strictjson.At(".model", err)
	}
	for i := range s.Runs {
		if err := s.checkRun(&s.Runs[i]); err != nil {
			return strictjson.At(fmt.Sprintf(".runs[%d]", i), err)
		}
	}
	return nil
}

// knows says so if no model of the case has this ID.
func (s *spec) knows(id string) error {
	if s.Models[id] == nil {
		return fmt.Errorf("unknown model %q", id)
	}
	return nil
}

func (s *spec) checkRun(r *run) error {
	switch {
	case r.Op != "stream" && r.Op != "generate":
		return strictjson.Errorf(".op", "%q is neither stream nor generate", r.Op)
	case r.BreakAfter != nil && *r.BreakAfter < 1:
		return strictjson.Errorf(".break_after", "%d is less than 1", *r.BreakAfter)
	case r.Op == "generate" && (r.BreakAfter != nil || r.Hold != 0):
		return errors.New("break_after and hold are about the parts of a stream")
	case r.Key != nil && !slices.Contains(s.layers(), "sticky"):
		return strictjson.Errorf(".key", "there is no sticky layer that would read it")
	case r.Want == nil:
		return errors.New("it has no want")
	case r.Op == "generate" && r.Want.Parts != nil:
		return strictjson.Errorf(".want.parts", "a whole answer has none")
	}
	return strictjson.At(".want", s.checkWant(r.Want))
}

func (s *spec) checkWant(w *want) error {
	for _, id := range slices.Sorted(maps.Keys(w.Calls)) {
		if err := s.knows(id); err != nil {
			return strictjson.At(".calls", err)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(w.Seen)) {
		if err := s.knows(id); err != nil {
			return strictjson.At(".seen", err)
		}
	}
	for i, id := range w.Cancelled {
		if err := s.knows(id); err != nil {
			return strictjson.At(fmt.Sprintf(".cancelled[%d]", i), err)
		}
	}
	if w.Served != nil {
		if err := s.knows(*w.Served); err != nil {
			return strictjson.At(".served", err)
		}
	}
	if w.Panic != nil && w.Error != nil {
		return errors.New("a call that panics returns no error")
	}
	if w.Error != nil {
		return strictjson.At(".error", w.Error.check())
	}
	return nil
}

// check refuses words that are not in the format: nothing would ever be them.
func (e *errorWant) check() error {
	for _, field := range []struct {
		path  string
		value *string
		known []string
	}{
		{".kind", e.Kind, words(failure.Kinds())},
		{".type", e.Type, errorTypeNames()},
		{".timeout", e.Timeout, words([]failure.Limit{failure.LimitTotal, failure.LimitFirstContent, failure.LimitIdle})},
		{".reason", e.Reason, reasons},
	} {
		if field.value != nil && !slices.Contains(field.known, *field.value) {
			return strictjson.Errorf(field.path, "unknown word %q", *field.value)
		}
	}
	if e.Has != nil && *e.Has == "" {
		return strictjson.Errorf(".has", "it is empty")
	}
	return nil
}

func words[S ~string](values []S) []string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return names
}
