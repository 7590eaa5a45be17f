// Package state holds what outlives a call: which model is sticky, which ones are
// to be left alone and until when. [Memory] keeps it in the process; other
// implementations of [Store], as the one in the module state/redis, share it with
// other processes. [Bounded] makes such a store one that calls can rely on: it
// goes on from memory while the store is slow or down.
package state

import (
	"context"
	"errors"
	"time"
)

// A Record is what a [Store] holds under a key. It is gone once its time is over.
type Record struct {
	Value string    // what the layer that wrote it makes of it, "anthropic/b"
	Left  int       // uses that are left, for [Store.Take]; below 1: uses are not counted
	Until time.Time // when it ends; zero: it does not by itself
}

func (r Record) over() bool { return !r.Until.IsZero() && !time.Now().Before(r.Until) }

// used returns what is left of the record after one use, and whether anything is.
func (r Record) used() (rest Record, ok bool) {
	switch {
	case r.Left == 1:
		return Record{}, false
	case r.Left > 1:
		r.Left--
	}
	return r, true
}

// ErrNoRecord is wrapped by the error of a [Store] that did answer, where what is
// under the key is not a record: another program wrote it. It says nothing about
// other keys.
var ErrNoRecord = errors.New("what is there is no record")

// A Store holds records under keys. Each method is atomic over all users of the
// store and costs at most one round trip to whatever holds the records. Methods
// return early with ctx's error when ctx ends. A Store may forget records, so
// what is kept there must be something that can be found out again. It is safe
// for use by any number of goroutines.
//
// The clocks of a store's users need not agree: a record ends once the time that
// it had to go when it was written is over.
type Store interface {
	// Get returns the record under key; ok is false if there is none.
	Get(ctx context.Context, key string) (r Record, ok bool, err error)

	// Take is Get that counts a use: a record whose uses are counted is returned
	// as many times as it had uses, and is then gone. Left has the use that is
	// taken still in it: it is 1 for the last.
	Take(ctx context.Context, key string) (r Record, ok bool, err error)

	// Put writes r, unless there is a record with the same Value already: then
	// that stays as it is. It reports whether it wrote.
	Put(ctx context.Context, key string, r Record) (wrote bool, err error)

	// Claim writes r if there is no record, and reports whether it did: one of
	// many users gets to do something.
	Claim(ctx context.Context, key string, r Record) (claimed bool, err error)

	// Swap writes r in place of the record whose Value is old, and reports whether
	// it did: one who decided by a record undoes no later decision. With an r that
	// is over it removes that record.
	Swap(ctx context.Context, key, old string, r Record) (swapped bool, err error)

	// Delete removes the record under key, if there is one.
	Delete(ctx context.Context, key string) error
}
