package failure

// ErrNotAsked is the cause of the failure of a call that was sent to nobody,
// because a layer knows that its model would fail: a cooldown runs, a breaker is
// open. It says nothing new about the model; see [NotAsked].
var ErrNotAsked error = notAsked{}

type notAsked struct{}

func (notAsked) Error() string  { return "the model was not asked" }
func (notAsked) NotAsked() bool { return true }

// NotAsked reports whether err is the failure of a call that was sent to nobody.
// Of a walk over several attempts that holds if it does of every one. Layers that
// learn from failures learn nothing from such a one.
func NotAsked(err error) bool {
	for link := range chain(err) {
		if e, ok := link.(interface{ NotAsked() bool }); ok {
			return e.NotAsked()
		}
	}
	return false
}
