package failure

import (
	"fmt"
	"slices"

	"github.com/strata-go/strata"
)

// Kind says what went wrong, named by what fixes it. The empty Kind is not yet
// classified and counts as Unknown.
type Kind string

// The kinds of failure.
const (
	Aborted     Kind = "aborted"     // the caller gave up: nothing fixes it
	Timeout     Kind = "timeout"     // no answer in time, the caller's own deadline included: try again, or another model
	Network     Kind = "network"     // the connection failed: try again, or another provider
	Overload    Kind = "overload"    // the provider has no capacity: try again, or another model
	Rate        Kind = "rate"        // a throttle that lifts soon: wait, or another model
	Quota       Kind = "quota"       // an allowance is used up: another provider or account
	Entitlement Kind = "entitlement" // not allowed for this account or place: another provider or account
	Auth        Kind = "auth"        // the key is refused: another provider or account
	Model       Kind = "model"       // the model is not there: another model
	Context     Kind = "context"     // the request is too large: send less
	Content     Kind = "content"     // refused or filtered: another model
	Invalid     Kind = "invalid"     // the request is wrong: mend it
	Unknown     Kind = "unknown"     // nobody can say: another model, for want of better
)

var kinds = []Kind{Aborted, Timeout, Network, Overload, Rate, Quota, Entitlement, Auth, Model, Context, Content, Invalid, Unknown}

// Kinds returns all kinds.
func Kinds() []Kind { return slices.Clone(kinds) }

// ParseKind returns the kind named s, or an error that names it.
func ParseKind(s string) (Kind, error) {
	if k := Kind(s); slices.Contains(kinds, k) {
		return k, nil
	}
	return "", fmt.Errorf("failure: unknown kind %q", s)
}

// Transient reports whether the same model may answer if it is asked again.
// Where a server says so itself (x-should-retry), [Transient] believes it.
func (k Kind) Transient() bool {
	return k == Timeout || k == Network || k == Overload || k == Rate
}

// FixedBy reports whether candidate may answer where failed did not:
//
//	overload, rate, timeout, content, model, unknown   any other candidate may
//	network                                            one of another provider
//	quota, entitlement, auth                           one of another provider or account
//	aborted, context, invalid                          none
func (k Kind) FixedBy(failed, candidate strata.ModelID) bool {
	switch k {
	case Overload, Rate, Timeout, Content, Model, Unknown, "":
		return true
	case Network:
		return candidate.Provider != failed.Provider
	case Quota, Entitlement, Auth:
		return candidate.Provider != failed.Provider || candidate.Account != failed.Account
	}
	return false
}
