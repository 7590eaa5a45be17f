// Package parity has no code of its own: its tests hold the adapters to one
// another. The same turn gives the same parts on every wire, the same failure the
// same kind, and the same layers save it.
package parity
