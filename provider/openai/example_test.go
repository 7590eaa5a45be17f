package openai_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/provider/openai"
)

// A server of one's own stands for OpenAI: any server that speaks its wire will do.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"id":"1","model":"tiny-2","choices":[{"index":0,"delta":{"content":"Because of "}}]}`+"\n\n")
		fmt.Fprint(w, `data: {"id":"1","model":"tiny-2","choices":[{"index":0,"delta":{"content":"Rayleigh scattering."},"finish_reason":"stop"}]}`+"\n\n")
		fmt.Fprint(w, `data: {"id":"1","model":"tiny-2","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":4,"total_tokens":16}}`+"\n\n")
		fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	defer server.Close()

	model := openai.New("tiny", openai.Provider("local"), openai.BaseURL(server.URL+"/v1"), openai.APIKey("not needed"))
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
	// -- local/tiny: stop, 16 tokens
}

// The Responses API says more of a model's reasoning, and takes it back in the next
// turn.
func ExampleNewResponses() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":"resp_1","model":"gpt-5-2025-08-07","status":"completed","output":[
			{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"It scatters."}],"encrypted_content":"gAAA"},
			{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Because of Rayleigh scattering."}]}],
			"usage":{"input_tokens":12,"output_tokens":40,"output_tokens_details":{"reasoning_tokens":32},"total_tokens":52}}`)
	}))
	defer server.Close()

	model := openai.NewResponses("gpt-5", openai.BaseURL(server.URL+"/v1"), openai.APIKey("not needed"))
	req := strata.Prompt("Why is the sky blue?")
	req.ProviderOptions = strata.ProviderData{"openai": {"reasoning": map[string]any{"summary": "auto"}}}
	resp, err := model.Generate(context.Background(), req)
	if err != nil {
		fmt.Println(failure.Of(err), err)
		return
	}
	fmt.Println(resp.Reasoning())
	fmt.Println(resp.Text())
	fmt.Println(resp.FinishReason, resp.Usage.ReasoningTokens)
	// Output:
	// It scatters.
	// Because of Rayleigh scattering.
	// stop 32
}
