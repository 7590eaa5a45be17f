package google_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/provider/google"
)

// A server of one's own stands for Google.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Because of "}]}}],"responseId":"1"}`+"\n\n")
		fmt.Fprint(w, `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Rayleigh scattering."}]},"finishReason":"STOP"}],`+
			`"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":4,"totalTokenCount":16},"responseId":"1"}`+"\n\n")
	}))
	defer server.Close()

	model := google.New("gemini-3-flash", google.BaseURL(server.URL), google.APIKey("not needed"))
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
	// -- google/gemini-3-flash: stop, 16 tokens
}
