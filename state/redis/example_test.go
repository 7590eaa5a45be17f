package redis_test

import (
	"context"
	"fmt"
	"net"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/state"
	"github.com/strata-go/strata/state/redis"
)

// A stack that shares its state through Redis, here while no server can be
// reached: it works from memory.
func Example() {
	client := goredis.NewClient(&goredis.Options{
		Dialer: func(context.Context, string, string) (net.Conn, error) { return nil, net.ErrClosed },
	})
	defer client.Close()
	shared := state.Bounded(redis.New(client), state.Limit(20*time.Millisecond), state.OnOutage(func(error) {
		fmt.Println("working from memory")
	}))

	gpt := modeltest.New("openai/gpt-5", modeltest.Failure(&failure.Error{Kind: failure.Overload}), modeltest.Answer("hello"))
	claude := modeltest.New("anthropic/claude", modeltest.Answer("hello"))
	model := strata.Wrap(gpt, middleware.Sticky(middleware.ForRequests(1), middleware.Store(shared)), middleware.Fallback(claude))
	for range 3 {
		resp, err := model.Generate(context.Background(), strata.Prompt("Say hello."))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(resp.Model)
	}
	// Output:
	// working from memory
	// anthropic/claude
	// anthropic/claude
	// openai/gpt-5
}
