package strata

import "maps"

// SaveRegistry returns the function that puts the registry back as it is now.
func SaveRegistry() func() {
	registry.RLock()
	defer registry.RUnlock()
	saved := maps.Clone(registry.factories)
	return func() {
		registry.Lock()
		defer registry.Unlock()
		registry.factories = saved
	}
}
