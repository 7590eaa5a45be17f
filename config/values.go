package config

import (
	"fmt"
	"time"

	"github.com/strata-go/strata/internal/strictjson"
)

// count is a whole number from 1.
type count int

func (c *count) UnmarshalJSON(data []byte) error {
	var n int
	if err := strictjson.Decode(data, &n); err != nil {
		return err
	}
	if n < 1 {
		return fmt.Errorf("%d is less than 1", n)
	}
	*c = count(n)
	return nil
}

// limit adds the option of a duration that was given.
func limit[O any](opts []O, d *strictjson.Duration, option func(time.Duration) O) []O {
	if d == nil {
		return opts
	}
	return append(opts, option(d.Std()))
}

// either reports whether a word is the second of two. The first is the default.
func either(word *string, first, second string) (bool, error) {
	switch {
	case word == nil || *word == first:
		return false, nil
	case *word == second:
		return true, nil
	}
	return false, fmt.Errorf("%q is neither %q nor %q", *word, first, second)
}

// index returns the path of an element of the list at path.
func index(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
