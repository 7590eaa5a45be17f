package retry

import (
	"context"
	"math"
	"time"

	"github.com/strata-go/strata"
)

// Rules is the plan behind middleware.Rules: after each attempt the rules are
// tried from the top, like a chain of if and else; the first that holds and
// whose model has attempts left says what is next. Where there is none, a
// result is the answer and an error is the call's. A Rules is the plan of one call.
type Rules[M, R any] struct {
	Base    M                      // asked first
	ID      func(M) strata.ModelID // must be set
	Rules   []Rule[M]
	Request any     // as the caller made it, for conditions
	Retries *Budget // shared with others; nil: none

	first   *M  // where the call began, if not at Base
	spent   int // rules at the top whose models have had their attempts
	history History
	counted map[strata.ModelID]int // attempts
	used    map[use]int            // of a rule for a model
}

type use struct {
	rule  int
	model strata.ModelID
}

// Next implements [Plan].
func (p *Rules[M, R]) Next(ctx context.Context, tries []Try[M, R]) (*Step[M], Reason) {
	return p.count(p.next(ctx, tries, false))
}

// PastDeadline implements [PastDeadliner].
func (p *Rules[M, R]) PastDeadline(ctx context.Context, tries []Try[M, R]) (*Step[M], Reason) {
	return p.count(p.next(ctx, tries, true))
}

// count counts the first attempt at a model as a request.
func (p *Rules[M, R]) count(step *Step[M], reason Reason) (*Step[M], Reason) {
	if reason == "" && p.Retries != nil && p.counted[p.ID(step.Model)] == 0 {
		p.Retries.Request()
	}
	return step, reason
}

func (p *Rules[M, R]) next(ctx context.Context, tries []Try[M, R], past bool) (*Step[M], Reason) {
	if len(tries) == 0 {
		if past {
			return nil, ReasonDeadline
		}
		if p.first != nil {
			return &Step[M]{Model: *p.first}, ""
		}
		return &Step[M]{Model: p.Base}, ""
	}
	last := &tries[len(tries)-1]
	p.note(last)
	held := false
	p.skip()
	for i := p.spent; i < len(p.Rules); i++ {
		r := &p.Rules[i]
		model, id := last.Model, last.ID
		if r.switches {
			model, id = r.target, p.ID(r.target)
			if id == p.ID(p.Base) {
				model = p.Base // as it is wrapped
			}
		}
		used := p.counted[id] >= r.attempts
		if used && (held || p.first == nil) {
			continue // without asking: a condition may cost something
		}
		if past && r.pastDeadline == 0 || !p.holds(ctx, r, last.Err, past) {
			continue
		}
		held = true
		if used {
			continue
		}
		step := &Step[M]{Model: model, Timeout: r.timeout, PastDeadline: r.pastDeadline}
		if !p.wait(step, r, use{i, id}, last) || past && step.Wait > r.pastDeadline || p.counted[id] > 0 && step.fits(ctx) && !p.Retries.Retry() {
			continue
		}
		p.used[use{i, id}]++
		p.override(ctx, step, r, past)
		return step, ""
	}
	if p.first != nil && held && !past && p.counted[p.ID(p.Base)] == 0 {
		return &Step[M]{Model: p.Base}, ""
	}
	return nil, ReasonRules
}

// Start implements [Starter], for a model that one of the rules switches to. The
// rule lends it neither its overrides nor its timeout. Its failure is taken from
// the top of the rules; where some hold and none is left, the base is asked once.
func (p *Rules[M, R]) Start(id strata.ModelID) bool {
	targets := []*M{&p.Base}
	for i := range p.Rules {
		if r := &p.Rules[i]; r.switches {
			targets = append(targets, &r.target)
		}
	}
	i := find(targets, id, func(m *M) strata.ModelID { return p.ID(*m) })
	if i < 0 || p.ID(*targets[i]) == p.ID(p.Base) {
		return false
	}
	p.first = targets[i]
	return true
}

// skip passes over the rules at the top that can never fire again in this call, so
// that a long list of models is walked once.
func (p *Rules[M, R]) skip() {
	for p.first == nil && p.spent < len(p.Rules) {
		r := &p.Rules[p.spent]
		if !r.switches || p.counted[p.ID(r.target)] < r.attempts {
			return
		}
		p.spent++
	}
}

// note adds the last attempt to the history.
func (p *Rules[M, R]) note(last *Try[M, R]) {
	if p.counted == nil {
		p.counted, p.used = map[strata.ModelID]int{}, map[use]int{}
		p.history.Request = p.Request
	}
	if last.Number == len(p.history.Attempts) {
		return // seen already, before the caller's deadline
	}
	p.counted[last.ID]++
	record := Record{Model: last.ID, Number: last.Number, Err: last.Err, FinishReason: last.finish, Request: last.request}
	if record.Request == nil {
		record.Request = p.Request
	}
	if last.Err == nil {
		record.Result = last.Result
	}
	p.history.Attempts = append(p.history.Attempts, record)
}

func (p *Rules[M, R]) holds(ctx context.Context, r *Rule[M], err error, past bool) bool {
	if r.when == nil {
		return err != nil
	}
	ctx, cancel := r.bound(ctx, past)
	defer cancel()
	return r.when.Match(ctx, &p.history)
}

// bound bounds a context of a call that is past its deadline, which has no end.
func (r *Rule[M]) bound(ctx context.Context, past bool) (context.Context, context.CancelFunc) {
	if !past {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, r.pastDeadline)
}

// wait sets the step's wait, unless the server asks for too long a one. The
// series of delays goes on behind a server's wait.
func (p *Rules[M, R]) wait(step *Step[M], r *Rule[M], u use, last *Try[M, R]) bool {
	delay := time.Duration(min(float64(r.delay)*math.Pow(r.factor, float64(p.used[u])), math.MaxInt64/2))
	if r.jitter {
		delay = Uniform(delay)
	}
	step.Wait = delay
	if last.Err != nil && u.model == last.ID {
		asked, fits := serverWait(last.Err, r.maxRetryAfter, r.capRetryAfter)
		if !fits {
			return false
		}
		if asked > 0 {
			step.Wait, step.FromServer = asked, true
		}
	}
	return true
}

func (p *Rules[M, R]) override(ctx context.Context, step *Step[M], r *Rule[M], past bool) {
	ctx, cancel := r.bound(ctx, past)
	defer cancel()
	if r.set != nil {
		step.Overrides = append(step.Overrides, r.set)
	}
	if r.setFunc != nil {
		override, err := r.setFunc(ctx, &p.history)
		if err != nil {
			step.Err = err
			return
		}
		step.Overrides = append(step.Overrides, override)
	}
}
