// Sdkdirect keeps calls alive in code that talks to an SDK itself, here the
// official OpenAI SDK, in its own types: no Model and no layers, only retry.Call
// and retry.Stream around the SDK's methods. It talks to a server on loopback
// that misbehaves.
//
// It exits with 0 only if what it shows is what happened.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/retry"
)

// newClient returns the SDK's client. Its own retries are off: they would come
// below those of the policy, and multiply with them.
func newClient(server *modeltest.Server) openai.Client {
	return openai.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"),
		option.WithHTTPClient(server.Client()), option.WithMaxRetries(0))
}

func question(model string) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model:    model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Why is the sky blue?")},
	}
}

// ask makes a whole call, which may take several attempts.
func ask(ctx context.Context, client openai.Client, policy retry.Policy[string]) (*openai.ChatCompletion, error) {
	return retry.Call(ctx, policy, func(ctx context.Context, try retry.Attempt[string]) (*openai.ChatCompletion, error) {
		return client.Chat.Completions.New(ctx, question(try.Model))
	})
}

// askStreaming makes a streamed call. An attempt that fails before a chunk with
// content leaves nothing behind.
func askStreaming(ctx context.Context, client openai.Client, policy retry.Policy[string]) iter.Seq2[openai.ChatCompletionChunk, error] {
	return retry.Stream(ctx, policy, func(ctx context.Context, try retry.Attempt[string]) iter.Seq2[openai.ChatCompletionChunk, error] {
		return chunks(func() *ssestream.Stream[openai.ChatCompletionChunk] {
			return client.Chat.Completions.NewStreaming(ctx, question(try.Model))
		})
	}, retry.Commits(hasContent))
}

// chunks is a stream of the SDK's as retry.Stream takes it: the request is sent
// once it is ranged over, and closed when the range ends, however it ends. The
// SDK says nothing of a stream that just stops, so one in which no choice
// finished is an error here.
func chunks(open func() *ssestream.Stream[openai.ChatCompletionChunk]) iter.Seq2[openai.ChatCompletionChunk, error] {
	return func(yield func(openai.ChatCompletionChunk, error) bool) {
		stream := open()
		defer stream.Close()
		finished := false
		for stream.Next() {
			chunk := stream.Current()
			for _, choice := range chunk.Choices {
				finished = finished || choice.FinishReason != ""
			}
			if !yield(chunk, nil) {
				return
			}
		}
		err := stream.Err()
		if err == nil && !finished {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			yield(openai.ChatCompletionChunk{}, err)
		}
	}
}

// hasContent reports whether a reader who has seen the chunk has seen something
// of the answer.
func hasContent(chunk openai.ChatCompletionChunk) bool {
	for _, choice := range chunk.Choices {
		if d := choice.Delta; d.Content != "" || d.Refusal != "" || len(d.ToolCalls) > 0 {
			return true
		}
	}
	return false
}

func main() {
	if err := rehearse(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sdkdirect:", err)
		os.Exit(1)
	}
}

// rehearse plays every scene and returns what did not go as it should.
func rehearse(ctx context.Context, out io.Writer) error {
	var failed error
	for i, s := range scenes {
		fmt.Fprintf(out, "%d. %s\n", i+1, s.title)
		if err := s.play(ctx, out); err != nil {
			failed = errors.Join(failed, fmt.Errorf("scene %d: %w", i+1, err))
		}
	}
	return failed
}
