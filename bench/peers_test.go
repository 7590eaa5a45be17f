package bench_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/cloudwego/eino/schema"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/fallback"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
	goretry "github.com/sethvargo/go-retry"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// newFailsafe returns a call of the model through failsafe-go's retry, fallback
// and timeout, set as Backoff, Fallback and Timeout are: the fallback outermost,
// a timeout for each attempt, no retry of what a second attempt does not fix.
func newFailsafe(m strata.Model) func(context.Context, *strata.Request) (*strata.Response, error) {
	spare := bare{n: 1, id: spareID}
	executor := failsafe.With(
		fallback.NewWithFunc(func(e failsafe.Execution[*strata.Response]) (*strata.Response, error) {
			return spare.Generate(e.Context(), prompt)
		}),
		retrypolicy.NewBuilder[*strata.Response]().
			HandleIf(func(_ *strata.Response, err error) bool { return transient(err) }).
			WithMaxAttempts(3).WithBackoff(time.Second, 30*time.Second).WithJitterFactor(.5).
			Build(),
		timeout.New[*strata.Response](time.Hour),
	)
	return func(ctx context.Context, req *strata.Request) (*strata.Response, error) {
		return executor.WithContext(ctx).GetWithExecution(func(e failsafe.Execution[*strata.Response]) (*strata.Response, error) {
			return m.Generate(e.Context(), req)
		})
	}
}

func transient(err error) bool {
	f, ok := errors.AsType[*failure.Error](err)
	return ok && f.Kind == failure.Overload
}

// goRetry calls the model through sethvargo/go-retry, with three attempts.
func goRetry(ctx context.Context, m strata.Model, wait time.Duration) (*strata.Response, error) {
	policy := goretry.WithMaxRetries(2, goretry.WithFullJitter(goretry.NewConstant(wait)))
	return goretry.DoValue(ctx, policy, func(ctx context.Context) (*strata.Response, error) {
		resp, err := m.Generate(ctx, prompt)
		if transient(err) {
			err = goretry.RetryableError(err)
		}
		return resp, err
	})
}

// cenkalti calls the model through cenkalti/backoff, with three attempts.
func cenkalti(ctx context.Context, m strata.Model, wait time.Duration) (*strata.Response, error) {
	waits := backoff.NewExponentialBackOff(backoff.WithInitialInterval(wait))
	policy := backoff.WithContext(backoff.WithMaxRetries(waits, 2), ctx)
	return backoff.RetryWithData(func() (*strata.Response, error) {
		resp, err := m.Generate(ctx, prompt)
		if err != nil && !transient(err) {
			err = backoff.Permanent(err)
		}
		return resp, err
	}, policy)
}

// item is what a channel of parts carries.
type item struct {
	part strata.Part
	err  error
}

// relay reads the model's stream on a goroutine of its own, which sends each part
// through a channel to the reader: one hop, the shape that wrappers of streams
// have in frameworks without iterators.
func relay(ctx context.Context, m strata.Model, buffer int, read func(strata.Part)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	parts := make(chan item, buffer)
	go func() {
		defer close(parts)
		for part, err := range m.Stream(ctx, prompt) {
			select {
			case parts <- item{part, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	for i := range parts {
		read(i.part)
	}
}

// einoPipe is relay by eino's own stream, of which a goroutine is the writer.
func einoPipe(ctx context.Context, m strata.Model, buffer int) *schema.StreamReader[strata.Part] {
	reader, writer := schema.Pipe[strata.Part](buffer)
	go func() {
		defer writer.Close()
		for part, err := range m.Stream(ctx, prompt) {
			if writer.Send(part, err) {
				return
			}
		}
	}()
	return reader
}

// einoStreams reads n parts of eino streams that need no goroutine, as they are of an
// array; of 1,000 parts each.
func einoStreams(read func(*schema.StreamReader[strata.Part])) func(n int) {
	parts := slices.Repeat([]strata.Part{token}, 1000)
	return func(n int) {
		for ; n > 0; n -= len(parts) {
			read(schema.StreamReaderFromArray(parts[:min(n, len(parts))]))
		}
	}
}

// converted is a stream that passes through a function, as one does that is made of
// another's: eino knows it for no array then, of which all copies are the array.
func converted(s *schema.StreamReader[strata.Part]) *schema.StreamReader[strata.Part] {
	return schema.StreamReaderWithConvert(s, func(p strata.Part) (strata.Part, error) { return p, nil })
}

// drain reads all the streams in turns.
func drain(streams ...*schema.StreamReader[strata.Part]) {
	for {
		for _, s := range streams {
			if _, err := s.Recv(); err == io.EOF {
				return
			}
		}
	}
}
