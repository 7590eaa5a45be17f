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
// names. A case that is not of the format is returned with the rest and fails
// when it is run. A file that is no list, two cases of one name and a folder
// without a case are errors.
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
	if len(all) == 0 {
		errs = append(errs, fmt.Errorf("conformance: there is no case in %s", filepath.Join(dir, "*.json")))
	}
	return all, errors.Join(errs...)
}

// parse reads the cases of one file.
func parse(file string, data []byte) ([]Case, error) {
	var elements []json.RawMessage
	if err := strictjson.Decode(data, &elements); err != nil {
		return nil, fmt.Errorf("conformance: %s: %w", file, err)
	}
	cases := make([]Case, len(elements))
	for i, element := range elements {
		c := Case{File: file, Name: name(element, i)}
		err := strictjson.Decode(element, &c.spec)
		if err == nil {
			err = c.spec.check()
		}
		if err != nil {
			c.err = fmt.Errorf("conformance: %s: case %q: %w", file, c.Name, err)
		}
		c.About = c.spec.About
		cases[i] = c
	}
	return cases, nil
}

// name returns the name of a case that may be broken; without one, its place.
func name(element []byte, i int) string {
	var c struct{ Name string }
	_ = json.Unmarshal(element, &c)
	if c.Name != "" {
		return c.Name
	}
	return fmt.Sprintf("[%d]", i)
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
	case r.Want == nil:
		return errors.New("it has no want")
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
		{".timeout", e.Timeout, words([]failure.Limit{failure.LimitTotal, failure.LimitFirstContent, failure.LimitIdle, failure.LimitSilence})},
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
