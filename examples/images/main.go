// Images draws by a model that is overloaded and then draws nothing, and by another
// behind it. The server is on loopback, so that no key is needed.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/image"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/provider/openai"
	"github.com/strata-go/strata/retry"
	"github.com/strata-go/strata/when"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer) error {
	at := httptest.NewServer(&server{})
	defer at.Close()
	open := func(name string) image.Model {
		return openai.NewImage(name, openai.BaseURL(at.URL), openai.APIKey("none"))
	}

	model := image.Wrap(open("shy"),
		image.Observe(middleware.OnError(func(_ context.Context, a strata.AttemptDoneInfo) {
			fmt.Fprintln(w, "attempt", a.Number, "failed:", a.Err)
		})),
		image.Timeout(middleware.Total(2*time.Minute)), // of the whole call
		image.Rules(
			retry.Switch[image.Model](when.NoImage(), open("bold"), retry.Set(image.Request{Size: "1024x1024"})),
			when.Retryable().Retry(retry.Delay(10*time.Millisecond)),
		),
	)
	resp, err := model.Generate(ctx, &image.Request{Prompt: "A blue sky", Size: "512x512"})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s drew %q\n", resp.Model, resp.Images[0].Data)
	return nil
}

// server speaks the images API for two models: "shy" is overloaded at first and then
// draws nothing, "bold" draws.
type server struct{ requests atomic.Int64 }

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct{ Model, Size string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case s.requests.Add(1) == 1:
		w.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(w, `{"error":{"message":"The engine is overloaded.","code":"overloaded"}}`)
	case in.Model == "shy":
		io.WriteString(w, `{"data":[]}`)
	default:
		json.NewEncoder(w).Encode(map[string]any{"data": []map[string]any{{"b64_json": []byte("a picture of " + in.Size)}}})
	}
}
