package state

import (
	"context"
	"sync"
)

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
		rest, left := r.used()
		m.set(key, rest, left)
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
	m.set(key, r, true)
	return true, nil
}

// Claim implements [Store].
func (m *Memory) Claim(_ context.Context, key string, r Record) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.get(key); ok {
		return false, nil
	}
	m.set(key, r, true)
	return true, nil
}

// Swap implements [Store].
func (m *Memory) Swap(_ context.Context, key, old string, r Record) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if was, ok := m.get(key); !ok || was.Value != old {
		return false, nil
	}
	m.set(key, r, true)
	return true, nil
}

// Delete implements [Store].
func (m *Memory) Delete(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.set(key, Record{}, false)
	return nil
}

// follow makes the record under key r, or none.
func (m *Memory) follow(key string, r Record, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.set(key, r, ok)
}

// get returns a record that is not over.
func (m *Memory) get(key string) (Record, bool) {
	r, ok := m.records[key]
	if ok && r.over() {
		delete(m.records, key)
		return Record{}, false
	}
	return r, ok
}

// set makes the record under key r, or none, and makes room for it.
func (m *Memory) set(key string, r Record, ok bool) {
	if !ok || r.over() {
		delete(m.records, key)
		return
	}
	if m.records == nil {
		m.records = map[string]Record{}
	}
	if _, ok := m.records[key]; !ok && len(m.records) >= maxRecords {
		for forgotten := range m.records {
			delete(m.records, forgotten)
			break
		}
	}
	m.records[key] = r
}
