package schema

// Cached counts the schemas that are kept.
func Cached() int {
	cache.Lock()
	defer cache.Unlock()
	return len(cache.schemas)
}
