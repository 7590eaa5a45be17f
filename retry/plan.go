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

// Again is the plan behind middleware.Backoff: the same model again after a
// transient failure.
type Again[M, R any] struct {
	Model    M
	Attempts int             // the first included
	Policy   backoff.BackOff // of this call; computes the waits, and may end the retries
	Budget   time.Duration   // within which a further attempt may begin, from the first failure on
	Retries  *Budget         // shared with others; nil: none

	MaxRetryAfter time.Duration // the longest wait a server may ask for
	CapRetryAfter bool          // wait that long where it asks for longer, instead of stopping
	ServerJitter  time.Duration // what may be added to a server's wait
}

// Next implements [Plan].
func (p *Again[M, R]) Next(ctx context.Context, tries []Try[M, R]) (Step[M], Reason) {
	if len(tries) == 0 {
		p.Retries.Request()
		return Step[M]{Model: p.Model}, ""
	}
	last := tries[len(tries)-1]
	switch {
	case last.Err == nil:
		return Step[M]{}, ReasonAccepted
	case !failure.Transient(last.Err):
		return Step[M]{}, ReasonKind
	case len(tries) >= p.Attempts:
		return Step[M]{}, ReasonAttempts
	}
	wait := p.Policy.NextBackOff()
	if wait == backoff.Stop {
		return Step[M]{}, ReasonAttempts
	}
	asked, fits := serverWait(last.Err, p.MaxRetryAfter, p.CapRetryAfter)
	if !fits {
		return Step[M]{}, ReasonWait
	}
	if asked > 0 {
		wait = asked + Uniform(p.ServerJitter)
	}
	step := Step[M]{Model: p.Model, Wait: wait, FromServer: asked > 0}
	if wait > p.Budget-time.Since(tries[0].Ended) || step.fits(ctx) && !p.Retries.Retry() {
		return Step[M]{}, ReasonBudget
	}
	return step, ""
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

// Walk is the plan behind middleware.Fallback: one model after the other, each
// once and at once, while another may fix the failure.
type Walk[M, R any] struct {
	Candidates []M
	ID         func(M) strata.ModelID
	On         []failure.Kind // move on after these kinds alone, to whichever is next; nil: as the kind says

	next  int // index of the next candidate
	ruled []ruling
}

// A ruling is what a failure says about other models, if it rules any out.
type ruling struct {
	kind  failure.Kind
	owner strata.ModelID // without its name, which says nothing
}

// Next implements [Plan].
func (p *Walk[M, R]) Next(_ context.Context, tries []Try[M, R]) (Step[M], Reason) {
	if len(tries) > 0 {
		last := tries[len(tries)-1]
		if last.Err == nil {
			return Step[M]{}, ReasonAccepted
		}
		if !p.note(last.Err, last.ID) {
			return Step[M]{}, ReasonKind
		}
	}
	for ; p.next < len(p.Candidates); p.next++ {
		if m := p.Candidates[p.next]; len(p.ruled) == 0 || !p.ruledOut(p.ID(m)) {
			p.next++
			return Step[M]{Model: m}, ""
		}
	}
	return Step[M]{}, ReasonKind
}

// Start implements [Starter]: behind that model the walk goes on to its end, and
// then from the first model.
func (p *Walk[M, R]) Start(id strata.ModelID) bool {
	i := find(p.Candidates, id, p.ID)
	if i < 1 {
		return false
	}
	p.Candidates = slices.Concat(p.Candidates[i:], p.Candidates[:i])
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
func (p *Walk[M, R]) note(err error, asked strata.ModelID) bool {
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
func (p *Walk[M, R]) ruledOut(candidate strata.ModelID) bool {
	return slices.ContainsFunc(p.ruled, func(r ruling) bool { return !r.kind.FixedBy(r.owner, candidate) })
}
