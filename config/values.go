package config

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/strata-go/strata/internal/strictjson"
)

// duration is a string such as "1.5s" that is not negative.
type duration time.Duration

func (d *duration) UnmarshalJSON(data []byte) error {
	var s string
	if err := strictjson.Decode(data, &s); err != nil {
		return fmt.Errorf(`%w: a duration is one, such as "1.5s"`, err)
	}
	parsed, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("%q is no duration", s)
	}
	if parsed < 0 {
		return fmt.Errorf("%q is negative", s)
	}
	*d = duration(parsed)
	return nil
}

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

var _, _ json.Unmarshaler = (*duration)(nil), (*count)(nil)

// limit adds the option of a duration that was given.
func limit[O any](opts []O, d *duration, option func(time.Duration) O) []O {
	if d == nil {
		return opts
	}
	return append(opts, option(time.Duration(*d)))
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
