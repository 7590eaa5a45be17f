package retry

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// Again makes the plans behind middleware.Backoff: the same model again after a
// transient failure. All calls share it.
type Again[M, R any] struct {
	Step     Step[M]                         // the first attempt, and but for the wait the others
	Attempts int                             // the first included; less than 2: none is made again
	Wait     func(retries int) time.Duration // computes the wait behind so many retries
	Policy   func() backoff.BackOff          // makes what computes a call's waits in place of Wait, and may end its retries; nil: Wait must be set
	Budget   time.Duration                   // within which a further attempt may begin, from the first failure on
	Retries  *Budget                         // shared with others; nil: none

	MaxRetryAfter time.Duration // the longest wait a server may ask for
	CapRetryAfter bool          // wait that long where it asks for longer, instead of stopping
	ServerJitter  time.Duration // what may be added to a server's wait
}

// Plan returns the plan of a call.
func (a *Again[M, R]) Plan() Plan[M, R] { return &again[M, R]{Again: a} }

// again is the plan of a call.
type again[M, R any] struct {
	*Again[M, R]
	policy backoff.BackOff // nil: none
}

// Next implements [Plan].
func (p *again[M, R]) Next(ctx context.Context, tries []Try[M, R]) (*Step[M], Reason) {
	if len(tries) == 0 {
		p.Retries.Request()
		if p.Policy != nil {
			p.policy = p.Policy() // now, as it may count the time from the first attempt on
		}
		return &p.Step, ""
	}
	last := tries[len(tries)-1]
	switch {
	case last.Err == nil:
		return nil, ReasonAccepted
	case !failure.Transient(last.Err):
		return nil, ReasonKind
	case len(tries) >= p.Attempts:
		return nil, ReasonAttempts
	}
	wait := p.wait(len(tries) - 1)
	if wait == backoff.Stop {
		return nil, ReasonAttempts
	}
	asked, fits := serverWait(last.Err, p.MaxRetryAfter, p.CapRetryAfter)
	if !fits {
		return nil, ReasonWait
	}
	if asked > 0 {
		wait = asked + Uniform(p.ServerJitter)
	}
	step := p.Step
	step.Wait, step.FromServer = wait, asked > 0
	if wait > p.Budget-time.Since(tries[0].Ended) || step.fits(ctx) && !p.Retries.Retry() {
		return nil, ReasonBudget
	}
	return &step, ""
}

func (p *again[M, R]) wait(retries int) time.Duration {
	if p.policy != nil {
		return p.policy.NextBackOff()
	}
	return p.Wait(retries)
}

// serverWait returns the wait that the server asked for in err, cut to longest if
// it may be. It does not fit if it is longer and may not.
func serverWait(err error, longest time.Duration, capped bool) (wait time.Duration, fits bool) {
	asked := failure.RetryAfter(err)
	if asked > longest {
		return longest, capped
	}
	return asked, true
}

// Uniform returns a time that is uniform in [0, d), or 0 where that is empty.
func Uniform(d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return rand.N(d)
}

// Walk makes the plans behind middleware.Fallback: one model after the other, each
// once and at once, while another may fix the failure. All calls share it.
type Walk[M, R any] struct {
	Steps []Step[M]              // in turn; see [Steps]
	ID    func(M) strata.ModelID // must be set
	On    []failure.Kind         // move on after these kinds alone, to whichever is next; nil: as the kind says
}

// Steps returns the steps of a Walk: one for each model, which accepts any result.
func Steps[M any](models ...M) []Step[M] {
	steps := make([]Step[M], len(models))
	for i, m := range models {
		steps[i] = Step[M]{Model: m, Accepts: true}
	}
	return steps
}

// Plan returns the plan of a call.
func (w *Walk[M, R]) Plan() Plan[M, R] { return &walk[M, R]{Walk: w} }

// walk is the plan of a call.
type walk[M, R any] struct {
	*Walk[M, R]
	first int // index of the step it begins at
	seen  int // steps that were taken, or passed over
	ruled []ruling
}

// A ruling is what a failure says about other models, if it rules any out.
type ruling struct {
	kind  failure.Kind
	owner strata.ModelID // without its name, which says nothing
}

// Next implements [Plan].
func (p *walk[M, R]) Next(_ context.Context, tries []Try[M, R]) (*Step[M], Reason) {
	if n := len(tries); n > 0 {
		last := &tries[n-1]
		if last.Err == nil {
			return nil, ReasonAccepted
		}
		if !p.note(last.Err, last.ID) {
			return nil, ReasonKind
		}
	}
	for p.seen < len(p.Steps) {
		step := &p.Steps[(p.first+p.seen)%len(p.Steps)]
		p.seen++
		if len(p.ruled) == 0 || !p.ruledOut(p.ID(step.Model)) {
			return step, ""
		}
	}
	return nil, ReasonKind
}

// Start implements [Starter]: behind that model the walk goes on to its end, and
// then from the first model.
func (p *walk[M, R]) Start(id strata.ModelID) bool {
	i := find(p.Steps, id, func(s Step[M]) strata.ModelID { return p.ID(s.Model) })
	if i < 1 {
		return false
	}
	p.first = i
	return true
}

// find returns the index of the model with this ID, or of one that covers it, or
// -1.
func find[M any](models []M, id strata.ModelID, of func(M) strata.ModelID) int {
	if i := slices.IndexFunc(models, func(m M) bool { return of(m) == id }); i >= 0 {
		return i
	}
	return slices.IndexFunc(models, func(m M) bool { return of(m).Covers(id) })
}

// note takes note of a failure of asked and reports whether to move on from it.
func (p *walk[M, R]) note(err error, asked strata.ModelID) bool {
	kind := failure.Of(err)
	if p.On != nil {
		return slices.Contains(p.On, kind)
	}
	owner := failure.Owner(err, asked)
	owner.Name = ""
	if r := (ruling{kind, owner}); !kind.FixedBy(owner, owner) && !slices.Contains(p.ruled, r) {
		p.ruled = append(p.ruled, r)
	}
	return true
}

// ruledOut reports whether one of the failures says that candidate would fail
// the same way.
func (p *walk[M, R]) ruledOut(candidate strata.ModelID) bool {
	return slices.ContainsFunc(p.ruled, func(r ruling) bool { return !r.kind.FixedBy(r.owner, candidate) })
}
