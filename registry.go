package strata

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// registry holds the factory of each provider.
var registry struct {
	sync.RWMutex
	factories map[string]func(ModelID) (Model, error)
}

// Register makes a provider's models known to [Open], as sql.Register does for
// drivers. An adapter calls it from an init function, so that a program that
// imports the adapter can open its models by name. The factory gets the whole
// ID, the account included, and returns the model or an error; it may be called
// by any number of goroutines. An empty provider, one with a slash in it, a nil
// factory and a provider that is registered already panic.
func Register(provider string, factory func(id ModelID) (Model, error)) {
	if provider == "" || strings.Contains(provider, "/") {
		panic(fmt.Sprintf("strata.Register: %q is no provider's name", provider))
	}
	if factory == nil {
		panic(fmt.Sprintf("strata.Register(%q): the factory is nil", provider))
	}
	registry.Lock()
	defer registry.Unlock()
	if registry.factories[provider] != nil {
		panic(fmt.Sprintf("strata.Register(%q): the provider is registered already", provider))
	}
	if registry.factories == nil {
		registry.factories = map[string]func(ModelID) (Model, error){}
	}
	registry.factories[provider] = factory
}

// Open returns the model that an ID names, "openai/gpt-5" or
// "openai/gpt-5@team", made by the factory that its provider registered. Each
// call makes a model anew. An ID that is none, a provider that is not registered
// and the factory's own failure are errors; the last is wrapped. Any number of
// goroutines may call it.
func Open(id string) (Model, error) {
	parsed, err := ParseModelID(id)
	if err != nil {
		return nil, err
	}
	registry.RLock()
	factory := registry.factories[parsed.Provider]
	registry.RUnlock()
	if factory == nil {
		known := strings.Join(Providers(), ", ")
		if known == "" {
			known = "none"
		}
		return nil, fmt.Errorf("strata: open %q: unknown provider %q (registered: %s); a program imports the package of its adapter", id, parsed.Provider, known)
	}
	m, err := factory(parsed)
	if err == nil && m == nil {
		err = errNoModel
	}
	if err != nil {
		return nil, fmt.Errorf("strata: open %q: %w", id, err)
	}
	return m, nil
}

// Providers returns the names of the registered providers, sorted.
func Providers() []string {
	registry.RLock()
	defer registry.RUnlock()
	return slices.Sorted(maps.Keys(registry.factories))
}

var errNoModel = errors.New("the factory returned neither a model nor an error")
