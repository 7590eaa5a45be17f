// Embeddings turns texts into vectors by a model that fails and another behind it,
// whose own vectors do not fit the index. The server is on loopback, so that no key
// is needed.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"time"

	"github.com/strata-go/strata/embedding"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/provider/openai"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer) error {
	s := &server{}
	at := httptest.NewServer(s)
	defer at.Close()
	open := func(name string) embedding.Model {
		return openai.NewEmbedding(name, openai.BaseURL(at.URL), openai.APIKey("none"))
	}

	each := embedding.Chain( // what every model gets for itself
		embedding.Batch(embedding.BatchSize(2)), // without a size it is what the model says
		embedding.Backoff(middleware.Attempts(2), middleware.Base(10*time.Millisecond)),
		embedding.Timeout(middleware.Total(20*time.Second)),
	)
	model := embedding.Wrap(each(open("small")), embedding.Fallback(each(open("large"))))

	texts := []string{"The sky", "is blue", "because", "air scatters", "short waves."}
	resp, err := model.Embed(ctx, &embedding.Request{Values: texts})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d vectors of %d numbers by %s after %d requests\n", len(resp.Embeddings), len(resp.Embeddings[0]), resp.Model, s.requests.Load())

	s.down.Store(true)
	_, err = model.Embed(ctx, &embedding.Request{Values: texts})
	fmt.Fprintln(w, "refused:", errors.Is(err, embedding.ErrDimensions))

	resp, err = model.Embed(ctx, &embedding.Request{Values: texts, Dimensions: 3}) // which the other can give, too
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d vectors of %d numbers by %s\n", len(resp.Embeddings), len(resp.Embeddings[0]), resp.Model)
	return nil
}

// server speaks the embeddings API for two models: "small", which is overloaded at
// its second request and whenever it is down, and "large".
type server struct {
	requests atomic.Int64
	down     atomic.Bool
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model      string
		Input      []string
		Dimensions int
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if n := s.requests.Add(1); in.Model == "small" && (n == 2 || s.down.Load()) {
		w.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(w, `{"error":{"message":"The engine is overloaded.","code":"overloaded"}}`)
		return
	}
	if in.Dimensions == 0 {
		in.Dimensions = map[string]int{"small": 3, "large": 4}[in.Model]
	}
	type vector struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	var data []vector
	for i := range in.Input {
		data = append(data, vector{i, make([]float32, in.Dimensions)})
	}
	json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": in.Model, "data": data})
}
