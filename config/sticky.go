package config

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/strictjson"
	"github.com/strata-go/strata/middleware"
)

type sticky struct {
	named
	Reset *string `json:"reset"`
}

func (s *sticky) layer(*builder) (strata.Layer, error) {
	if s.Reset == nil {
		return middleware.Sticky(), nil
	}
	opts, err := parseReset(*s.Reset)
	if err != nil {
		return nil, strictjson.At(".reset", err)
	}
	return middleware.Sticky(opts...), nil
}

// maxReset bounds the number of a reset: of seconds, a century of them.
const maxReset = 100 * 366 * 24 * 60 * 60

var resets = regexp.MustCompile(`^after-([0-9]+)-(requests|seconds)$`)

// parseReset reads when a model that took over is done with.
func parseReset(reset string) ([]middleware.StickyOption, error) {
	if reset == "after-request" {
		return nil, nil
	}
	m := resets.FindStringSubmatch(reset)
	if m == nil {
		return nil, fmt.Errorf(`%q is none of "after-request", "after-N-requests", "after-N-seconds"`, reset)
	}
	n, err := strconv.Atoi(m[1])
	if err != nil || n < 1 || n > maxReset {
		return nil, fmt.Errorf("%q: %s is not from 1 to %d", reset, m[1], maxReset)
	}
	if m[2] == "seconds" {
		return []middleware.StickyOption{middleware.ForDuration(time.Duration(n) * time.Second)}, nil
	}
	return []middleware.StickyOption{middleware.ForRequests(n)}, nil
}
