package modeltest_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/strata-go/strata/modeltest"
)

// A server that throttles the first request and breaks off in the second.
func ExampleNewServer() {
	srv := modeltest.NewServer(modeltest.Replies(
		modeltest.Status(429).Header("Retry-After", "2").Error("rate_limit_exceeded", "slow down"),
		modeltest.Send("The sky").Cut(),
	))
	defer srv.Close()

	for range 2 {
		resp, err := srv.Client().Post(srv.URL+"/chat/completions", "application/json",
			strings.NewReader(`{"model":"gpt-5","stream":true,"messages":[{"role":"user","content":"Why is the sky blue?"}]}`))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s, retry after %q\n", resp.Status, resp.Header.Get("Retry-After"))
		if resp.StatusCode == http.StatusOK {
			lines := bufio.NewScanner(resp.Body)
			for lines.Scan() {
				if strings.Contains(lines.Text(), "The sky") {
					fmt.Println("a piece of text")
				}
			}
			fmt.Println(lines.Err())
		}
		resp.Body.Close()
	}
	second, _ := srv.AwaitEnd(context.Background(), 1)
	fmt.Println(second)
	// Output:
	// 429 Too Many Requests, retry after "2"
	// 200 OK, retry after ""
	// a piece of text
	// unexpected EOF
	// POST /v1/chat/completions "gpt-5" stream
}
