package anthropic_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/provider/anthropic"
)

// A server of one's own stands for Anthropic.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, data := range []string{
			`{"type":"message_start","message":{"id":"msg_1","model":"claude-sonnet-5","content":[],"usage":{"input_tokens":12,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			`{"type":"ping"}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Because of "}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Rayleigh scattering."}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}`,
			`{"type":"message_stop"}`,
		} {
			fmt.Fprintf(w, "data: %s\n\n", data)
		}
	}))
	defer server.Close()

	model := anthropic.New("claude-sonnet-5", anthropic.BaseURL(server.URL), anthropic.APIKey("not needed"))
	for part, err := range model.Stream(context.Background(), strata.Prompt("Why is the sky blue?")) {
		if err != nil {
			fmt.Println(failure.Of(err), err)
			return
		}
		switch p := part.(type) {
		case strata.TextDelta:
			fmt.Print(p.Text)
		case strata.Finish:
			fmt.Printf("\n-- %v: %v, %d tokens\n", p.Model, p.Reason, p.Usage.TotalTokens)
		}
	}
	// Output:
	// Because of Rayleigh scattering.
	// -- anthropic/claude-sonnet-5: stop, 16 tokens
}
