// Package state holds what outlives a call: which model is sticky, which ones are
// to be left alone and until when. [Memory] keeps it in the process; other
// implementations of [Store] share it with other processes.
package state

import (
	"context"
	"sync"
	"time"
)

// A Record is what a [Store] holds under a key. It is gone once its time is over.
type Record struct {
	Value string    // what the layer that wrote it makes of it, "anthropic/b"
	Left  int       // uses that are left, for [Store.Take]; 0: uses are not counted
	Until time.Time // when it ends; zero: it does not by itself
}

// A Store holds records under keys. Each method is atomic over all users of the
// store and costs at most one round trip to whatever holds the records. Methods
// return early with ctx's error when ctx ends. A Store is safe for use by any
// number of goroutines.
type Store interface {
	// Get returns the record under key; ok is false if there is none.
	Get(ctx context.Context, key string) (r Record, ok bool, err error)

	// Take is Get that counts a use: a record whose uses are counted is returned
	// as many times as it had uses, with those that are left then, and is then
	// gone.
	Take(ctx context.Context, key string) (r Record, ok bool, err error)

	// Put writes r, unless there is a record with the same Value already: then
	// that stays as it is. It reports whether it wrote.
	Put(ctx context.Context, key string, r Record) (wrote bool, err error)

	// Claim writes r if there is no record, and reports whether it did: one of
	// many users gets to do something.
	Claim(ctx context.Context, key string, r Record) (claimed bool, err error)

	// Delete removes the record under key, if there is one.
	Delete(ctx context.Context, key string) error
}

// maxRecords bounds what a Memory holds: of more, some are forgotten.
const maxRecords = 1 << 16

// Memory is a Store in the memory of the process, for which ctx plays no part and
// errors do not occur. Its zero value is ready for use. It holds at most 65,536
// records and forgets some of more.
type Memory struct {
	mu      sync.Mutex
	records map[string]Record
}

var _ Store = (*Memory)(nil)

// Get implements [Store].
func (m *Memory) Get(_ context.Context, key string) (Record, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.get(key)
	return r, ok, nil
}

// Take implements [Store].
func (m *Memory) Take(_ context.Context, key string) (Record, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.get(key)
	if ok && r.Left > 0 {
		if r.Left--; r.Left == 0 {
			delete(m.records, key)
		} else {
			m.records[key] = r
		}
	}
	return r, ok, nil
}

// Put implements [Store].
func (m *Memory) Put(_ context.Context, key string, r Record) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if old, ok := m.get(key); ok && old.Value == r.Value {
		return false, nil
	}
	m.put(key, r)
	return true, nil
}

// Claim implements [Store].
func (m *Memory) Claim(_ context.Context, key string, r Record) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.get(key); ok {
		return false, nil
	}
	m.put(key, r)
	return true, nil
}

// Delete implements [Store].
func (m *Memory) Delete(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.records, key)
	return nil
}

// get returns a record that is not over.
func (m *Memory) get(key string) (Record, bool) {
	r, ok := m.records[key]
	if ok && !r.Until.IsZero() && !time.Now().Before(r.Until) {
		delete(m.records, key)
		return Record{}, false
	}
	return r, ok
}

func (m *Memory) put(key string, r Record) {
	if m.records == nil {
		m.records = map[string]Record{}
	}
	if len(m.records) >= maxRecords {
		for forgotten := range m.records {
			delete(m.records, forgotten)
			break
		}
	}
	m.records[key] = r
}
