package failure_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// TestKinds has what may fix each kind: the same model again, another model,
// another account, another provider.
func TestKinds(t *testing.T) {
	failed := strata.ModelID{Provider: "p", Name: "a"}
	model := strata.ModelID{Provider: "p", Name: "b"}
	account := strata.ModelID{Provider: "p", Name: "a", Account: "second"}
	provider := strata.ModelID{Provider: "q", Name: "a"}
	tests := []struct {
		kind                            failure.Kind
		again, model, account, provider bool
	}{
		{failure.Aborted, false, false, false, false},
		{failure.Timeout, true, true, true, true},
		{failure.Network, true, false, false, true},
		{failure.Overload, true, true, true, true},
		{failure.Rate, true, true, true, true},
		{failure.Quota, false, false, true, true},
		{failure.Entitlement, false, false, true, true},
		{failure.Auth, false, false, true, true},
		{failure.Model, false, true, true, true},
		{failure.Context, false, false, false, false},
		{failure.Content, false, true, true, true},
		{failure.Invalid, false, false, false, false},
		{failure.Unknown, false, true, true, true},
		{"", false, true, true, true},
	}
	for _, tt := range tests {
		got := []bool{tt.kind.Transient(), tt.kind.FixedBy(failed, model), tt.kind.FixedBy(failed, account), tt.kind.FixedBy(failed, provider)}
		assert.Equal(t, []bool{tt.again, tt.model, tt.account, tt.provider}, got, tt.kind)
		parsed, err := failure.ParseKind(string(tt.kind))
		if tt.kind == "" {
			assert.Error(t, err)
			continue
		}
		assert.NoError(t, err)
		assert.Equal(t, tt.kind, parsed)
		assert.True(t, slices.Contains(failure.Kinds(), tt.kind))
	}
	assert.Len(t, failure.Kinds(), len(tests)-1)
	_, err := failure.ParseKind("overlaod")
	assert.ErrorContains(t, err, `"overlaod"`)
}

func TestErrorTexts(t *testing.T) {
	id := strata.ModelID{Provider: "p", Name: "a"}
	cause := errors.New("kaboom")
	tests := []struct {
		err  error
		want string
	}{
		{&failure.Error{}, "unknown"},
		{&failure.Error{Model: id, Kind: failure.Rate, Status: 429, Code: "slow", Message: "Slow down."}, "p/a: rate (429 slow): Slow down."},
		{&failure.Error{Model: id, Kind: failure.Network, Err: cause}, "p/a: network: kaboom"},
		{&failure.TimeoutError{Model: id, Limit: failure.LimitTotal, After: time.Minute}, "timeout: p/a: not done within 1m0s"},
		{&failure.TimeoutError{Limit: failure.LimitFirstContent, After: time.Second}, "timeout: no content within 1s"},
		{&failure.TimeoutError{Limit: failure.LimitIdle, After: time.Second, Below: cause}, "timeout: nothing for 1s in mid-stream"},
	}
	for _, tt := range tests {
		assert.EqualError(t, tt.err, tt.want)
	}
	assert.ErrorIs(t, tests[2].err, cause)
	assert.NotErrorIs(t, tests[5].err, cause, "what a deadline cut short is not unwrapped")
}
