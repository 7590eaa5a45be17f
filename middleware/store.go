package middleware

import "github.com/strata-go/strata/state"

// Store keeps the state of a layer in s, where all that are given the same store
// share it, by the IDs of the models that they wrap; [state.WithPrefix] keeps
// apart what is not to be shared. By default a layer's state is in memory, of each
// model its own.
//
// A store that fails never fails a call: nothing is then known. One that is
// elsewhere belongs in [state.Bounded], which knows what was known last and makes
// no call wait longer than its bound:
//
//	middleware.Store(state.Bounded(redis.New(client)))
func Store(s state.Store) StoreOption {
	if s == nil {
		panic("middleware.Store(nil): the store is nil")
	}
	return storeOption{s}
}

// A StoreOption is an option of every layer with a state; see [Store].
type StoreOption interface {
	StickyOption
	CooldownOption
	KeyPoolOption
}

type storeOption struct{ state.Store }

func (o storeOption) sticky(c *stickyConfig)     { c.store = o.Store }
func (o storeOption) cooldown(c *cooldownConfig) { c.store = o.Store }
func (o storeOption) keyPool(c *keyPoolConfig)   { c.store = o.Store }
