package state

// MaxAsking sets how many operations a store works on at a time. 1,024 that hang
// are more goroutines than the race detector bears.
func MaxAsking(n int64) BoundedOption { return func(b *bounded) { b.maxAsking = n } }
