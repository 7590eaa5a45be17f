package state

import "context"

// WithPrefix returns a Store that keeps its records in store under keys that
// begin with prefix, so that several users of one store do not meet: two programs,
// or two stacks over the same model in one.
func WithPrefix(store Store, prefix string) Store {
	if store == nil {
		panic("state.WithPrefix: the store is nil")
	}
	return prefixed{store, prefix}
}

type prefixed struct {
	store  Store
	prefix string
}

func (p prefixed) Get(ctx context.Context, key string) (Record, bool, error) {
	return p.store.Get(ctx, p.prefix+key)
}

func (p prefixed) Take(ctx context.Context, key string) (Record, bool, error) {
	return p.store.Take(ctx, p.prefix+key)
}

func (p prefixed) Put(ctx context.Context, key string, r Record) (bool, error) {
	return p.store.Put(ctx, p.prefix+key, r)
}

func (p prefixed) Claim(ctx context.Context, key string, r Record) (bool, error) {
	return p.store.Claim(ctx, p.prefix+key, r)
}

func (p prefixed) Swap(ctx context.Context, key, old string, r Record) (bool, error) {
	return p.store.Swap(ctx, p.prefix+key, old, r)
}

func (p prefixed) Delete(ctx context.Context, key string) error {
	return p.store.Delete(ctx, p.prefix+key)
}
