// Package wrap is what the layers of this module have in common: each wraps a
// model, goes by its ID, and keeps the contract of strata.Model over any model.
package wrap

import "github.com/strata-go/strata"

// A Model is what a layer has embedded. All that its Stream yields comes through
// package stream, which holds the wrapped model to the contract: over such a layer
// nobody need do that again. See [Keeps].
type Model struct {
	Next strata.Model // that is wrapped
	id   strata.ModelID
}

// Over returns a Model that wraps next. It asks for the ID once, as that is the same
// at every call: each layer that asked the one below at each call would make a call
// cost the square of the layers.
func Over(next strata.Model) Model { return Model{next, next.ID()} }

// ID returns the ID of the wrapped model.
func (m *Model) ID() strata.ModelID { return m.id }

// Unwrap returns the wrapped model.
func (m *Model) Unwrap() strata.Model { return m.Next }

// KeepsContract marks the layer.
func (*Model) KeepsContract() {}

// Keeps reports whether m is such a layer.
func Keeps(m strata.Model) bool {
	_, keeps := m.(interface{ KeepsContract() })
	return keeps
}
