// Package strata is the boundary between a program and the language models it
// calls: one small [Model] interface, the requests and answers that cross it,
// and the [Layer] that wraps one Model in another.
//
// Layers are independent of one another. They are stacked with [Chain] or
// [Wrap]; their order is the whole configuration:
//
//	model := strata.Wrap(openai.New("gpt-5"),
//		middleware.Timeout(middleware.Total(time.Minute)), // of the whole call
//		middleware.Fallback(other),
//		middleware.Backoff(), // of each attempt of the first model
//	)
//
// The package imports nothing else of this module. The ready-made layers are in
// the packages middleware and refusal, what went wrong is in the package
// failure, and the package stream has what a layer of one's own needs to read
// streams safely.
package strata

import (
	"context"
	"fmt"
	"iter"
	"strings"
)

// A Model answers a [Request] whole or part by part. Providers implement it and
// layers wrap it. One Model serves any number of goroutines at once.
//
// A Model that wraps another has a method Unwrap() Model; see [As].
type Model interface {
	// ID names the model: which one is asked, and, in [Response.Model] and
	// [Finish.Model], which one answered. It is the same at every call.
	ID() ModelID

	// Generate answers the request whole. It returns a Response, which the
	// caller owns, or an error, never neither. It does not change the request.
	Generate(ctx context.Context, req *Request) (*Response, error)

	// Stream answers the request part by part. It sends nothing before it is
	// ranged over; ranging again is a new request. It ends with a [Finish] part
	// or with the first non-nil error, beside which the part is nil. Breaking
	// out of the range abandons the request: by the time the range statement
	// returns its context is cancelled and its connection closed. The function
	// given to the iterator is not called again after it returned false, and
	// never from another goroutine. It does not change the request.
	Stream(ctx context.Context, req *Request) iter.Seq2[Part, error]
}

// ModelID names a model of a provider and, where a program has several accounts
// with one provider, the account. Failures of one provider or account say
// nothing about another; package failure holds those rules.
type ModelID struct {
	Provider string // "openai"
	Name     string // the provider's name for the model, "gpt-5"
	Account  string // empty unless a program tells its accounts apart
}

// String returns "provider/name" or "provider/name@account".
func (id ModelID) String() string {
	s := id.Name
	if id.Provider != "" {
		s = id.Provider + "/" + s
	}
	if id.Account != "" {
		s += "@" + id.Account
	}
	return s
}

// IsZero reports whether id names no model.
func (id ModelID) IsZero() bool { return id == ModelID{} }

// Covers reports whether other is the model id, or an account of it where id names
// none: a pool of accounts goes by the ID without one.
func (id ModelID) Covers(other ModelID) bool {
	return id == other || id.Account == "" && id.Provider == other.Provider && id.Name == other.Name
}

// ParseModelID reads what [ModelID.String] writes. The provider ends at the
// first slash, so a name may hold slashes of its own; the account begins behind
// the last "@". A model whose own name holds an "@" needs a ModelID literal.
func ParseModelID(s string) (ModelID, error) {
	provider, name, ok := strings.Cut(s, "/")
	if !ok || provider == "" || name == "" {
		return ModelID{}, fmt.Errorf("strata: model ID %q is not of the form provider/name", s)
	}
	id := ModelID{Provider: provider, Name: name}
	if i := strings.LastIndexByte(name, '@'); i >= 0 {
		id.Name, id.Account = name[:i], name[i+1:]
		if id.Name == "" || id.Account == "" {
			return ModelID{}, fmt.Errorf("strata: model ID %q is not of the form provider/name@account", s)
		}
	}
	return id, nil
}

// As returns the first model that is a T, looking at m and then down the models
// it wraps, as errors.As looks down a chain of errors. T is a concrete type or
// an interface with an extra ability of some models, which so survives any
// number of layers. As returns false for a nil m.
func As[T any](m Model) (T, bool) {
	for m != nil {
		if t, ok := m.(T); ok {
			return t, true
		}
		u, ok := m.(interface{ Unwrap() Model })
		if !ok {
			break
		}
		m = u.Unwrap()
	}
	var zero T
	return zero, false
}
