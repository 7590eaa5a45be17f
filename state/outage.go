package state

import (
	"sync"
	"time"
)

// outage says whether a store is down, and who asks it again.
type outage struct {
	every time.Duration
	begun func(error) // nil: nobody is told
	over  func()

	mu    sync.Mutex
	down  bool
	again time.Time // when it is down: when it may be asked next
	era   int       // counts the changes of down
}

// enter reports whether the store may be asked, and the era in which it is. In an
// outage it may once in a while.
func (o *outage) enter() (era int, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.down {
		now := time.Now()
		if now.Before(o.again) {
			return o.era, false
		}
		o.again = now.Add(o.every)
	}
	return o.era, true
}

// answered takes note that the store did.
func (o *outage) answered(era int) {
	if o.change(era, false) && o.over != nil {
		o.over()
	}
}

// failed takes note that the store did not answer.
func (o *outage) failed(era int, err error) {
	if o.change(era, true) && o.begun != nil {
		o.begun(err)
	}
}

// change takes note of what was found and reports whether it is news. What was
// found by an operation of an earlier era is old.
func (o *outage) change(era int, down bool) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if era != o.era || down == o.down {
		return false
	}
	o.down = down
	o.era++
	o.again = time.Now().Add(o.every)
	return true
}
