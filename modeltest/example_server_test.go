package modeltest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/strata-go/strata"
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

// One reply, in the words of the API that is asked.
func ExampleServer() {
	srv := modeltest.NewServer(modeltest.Replies(
		modeltest.Send("Blue.").Finish(strata.FinishLength),
	))
	defer srv.Close()

	for _, path := range []string{"/v1/messages", "/v1beta/models/gemini-3-pro:generateContent"} {
		resp, err := srv.Client().Post(srv.Address+path, "application/json", strings.NewReader(`{"model":"claude-sonnet-5"}`))
		if err != nil {
			fmt.Println(err)
			return
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Println(string(body))
	}
	// Output:
	// {"content":[{"text":"Blue.","type":"text"}],"id":"msg_0","model":"claude-sonnet-5","role":"assistant","stop_reason":"max_tokens","stop_sequence":null,"type":"message"}
	// {"candidates":[{"content":{"parts":[{"text":"Blue."}],"role":"model"},"finishReason":"MAX_TOKENS","index":0}],"modelVersion":"gemini-3-pro","responseId":"response-1"}
}
