package limits_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/limits"
)

func TestTheFirstLimitCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limits.Begin(t.Context(), strata.ModelID{Provider: "openai", Name: "a"})
		defer l.End()
		l.After(failure.LimitTotal, 2*time.Second)
		l.After(failure.LimitFirstContent, time.Second)
		assert.Nil(t, l.After(failure.LimitIdle, 0))
		assert.False(t, l.Reached())
		assert.Nil(t, l.Explain(errors.New("boom")))
		<-l.Done()
		synctest.Wait()
		assert.True(t, l.Reached())
		boom := errors.New("boom")
		assert.Equal(t, &failure.TimeoutError{
			Model: strata.ModelID{Provider: "openai", Name: "a"}, Limit: failure.LimitFirstContent, After: time.Second, Below: boom,
		}, l.Explain(boom))
		assert.Equal(t, context.Canceled, l.Err())
		_, ok := l.Deadline()
		assert.False(t, ok)
	})
}

func TestTheCallersEndIsNoLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		parent, cancel := context.WithCancel(t.Context())
		l := limits.Begin(parent, strata.ModelID{})
		defer l.End()
		l.After(failure.LimitTotal, time.Second)
		cancel()
		<-l.Done()
		time.Sleep(2 * time.Second)
		assert.False(t, l.Reached())
	})
}

func TestEndStopsTheTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limits.Begin(t.Context(), strata.ModelID{})
		l.After(failure.LimitTotal, time.Second)
		l.End()
		assert.Error(t, l.Err())
		time.Sleep(2 * time.Second)
		assert.False(t, l.Reached())
	})
}

// Once Expire has returned the limit is reached, whoever reached it first.
func TestExpire(t *testing.T) {
	l := limits.Begin(t.Context(), strata.ModelID{})
	defer l.End()
	l.Expire(failure.LimitIdle, time.Second)
	l.Expire(failure.LimitTotal, time.Minute)
	assert.True(t, l.Reached())
	assert.Equal(t, failure.LimitIdle, l.Explain(nil).Limit)
}

func Example() {
	l := limits.Begin(context.Background(), strata.ModelID{Provider: "openai", Name: "gpt-5"})
	defer l.End()
	l.After(failure.LimitTotal, time.Millisecond)
	<-l.Done()
	fmt.Println(l.Explain(l.Err()))
	// Output: timeout: openai/gpt-5: not done within 1ms
}
