package state_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/strata-go/strata/state"
)

// unplugged is a store that is down.
type unplugged struct{ state.Store }

func (unplugged) Take(context.Context, string) (state.Record, bool, error) {
	return state.Record{}, false, errors.New("connection refused")
}

func Example() {
	ctx := context.Background()
	var store state.Memory
	store.Put(ctx, "chat", state.Record{Value: "anthropic/claude", Left: 2})
	for range 3 {
		r, ok, _ := store.Take(ctx, "chat")
		fmt.Println(ok, r.Value, r.Left)
	}
	// Output:
	// true anthropic/claude 2
	// true anthropic/claude 1
	// false  0
}

func ExampleBounded() {
	store := state.Bounded(unplugged{}, state.OnOutage(func(err error) {
		fmt.Println("working from memory:", err)
	}))
	for range 3 {
		_, ok, err := store.Take(context.Background(), "chat")
		fmt.Println(ok, err)
	}
	// Output:
	// working from memory: connection refused
	// false <nil>
	// false <nil>
	// false <nil>
}
