package failure_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/retry"
)

// asksFor is an error that says its own wait.
type asksFor time.Duration

func (asksFor) Error() string               { return "come back later" }
func (w asksFor) RetryAfter() time.Duration { return time.Duration(w) }

func TestNotAskedAndTheWaitOfAWalk(t *testing.T) {
	s := time.Second
	asked := func(wait time.Duration) error { return &failure.Error{Kind: failure.Rate, RetryAfter: wait} }
	benched := func(wait time.Duration) error {
		return &failure.Error{Kind: failure.Rate, RetryAfter: wait, Err: failure.ErrNotAsked}
	}
	walk := func(errs ...error) error { return &retry.Error{Errs: errs} }
	for name, test := range map[string]struct {
		err      error
		notAsked bool
		wait     time.Duration
	}{
		"nil":                             {nil, false, 0},
		"asked":                           {asked(3 * s), false, 3 * s},
		"not asked":                       {benched(3 * s), true, 3 * s},
		"wrapped":                         {fmt.Errorf("so: %w", benched(3*s)), true, 3 * s},
		"a walk goes by its last":         {walk(asked(3*s), asked(9*s)), false, 9 * s},
		"a walk that asked nobody":        {walk(benched(9*s), benched(3*s), benched(5*s)), true, 3 * s},
		"a walk within a walk":            {walk(benched(9*s), walk(benched(3*s), benched(5*s))), true, 3 * s},
		"one was asked, the last":         {walk(benched(3*s), asked(9*s)), false, 3 * s},
		"one was asked, the first":        {walk(asked(3*s), benched(9*s)), false, 3 * s},
		"one was asked, within":           {walk(benched(3*s), walk(asked(s), benched(9*s))), false, s},
		"the last says nothing":           {walk(benched(3*s), asked(0)), false, 0},
		"the caller ended the walk":       {&retry.Error{Errs: []error{benched(s)}, Ended: errors.New("left")}, false, 0},
		"an empty walk":                   {walk(), false, 0},
		"an error of one's own":           {asksFor(3 * s), false, 3 * s},
		"inside a provider's it is not":   {&failure.Error{Kind: failure.Rate, RetryAfter: s, Err: asksFor(9 * s)}, false, s},
		"an error of one's own, nonsense": {asksFor(-3 * s), false, 0},
		"more than 31 days is no wait":    {asked(31*24*time.Hour + 1), false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.notAsked, failure.NotAsked(test.err))
			assert.Equal(t, test.wait, failure.RetryAfter(test.err))
		})
	}
	assert.EqualError(t, &retry.Error{Layer: "fallback", Errs: []error{benched(9 * s), benched(3 * s)}, Reason: retry.ReasonKind},
		"fallback: gave up after 2 attempts (none may be asked for another 3s): rate: the model was not asked")
}
