package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
	collecting "github.com/strata-go/strata/stream"
)

// Responses is a [strata.Model] that asks one model of one server over the
// Responses API. Make one with [NewResponses]; any number of goroutines may use
// it.
//
// # What is sent
//
// Provider options are fields of the JSON body as for [Model]; an object under
// "reasoning" or "text" adds to what the Request's own fields put there, so that
// {"reasoning": {"summary": "auto"}} asks for summaries at the effort of the
// Request. Request.Raw may be a func(*responses.ResponseNewParams): it edits the
// parameters last, to add the provider's own tools say. TopK, the penalties, stop
// sequences and the seed have no place on the wire and become warnings, unless a
// provider option is set in their place. Whether a tool result is an error has none
// either; its output must say so. A tool that does not say whether it is strict is,
// by the provider's default.
//
// By default nothing is stored ("store" is false), so that a conversation goes on
// with any server, account and policy of retention: all of it is in the messages,
// but for encrypted reasoning, which goes back to the [Account] it came from alone.
// Servers that share an account's name but not its keys need different [Provider]s.
// Reasoning models are asked for their reasoning in encrypted form ("include" has
// "reasoning.encrypted_content"), which lets them take it up again in the next
// turn. A model is taken for one by an OpenAI name (o1 and later, gpt-5 and later)
// or by Request.ReasoningEffort; others refuse the wish. Where neither tells, as for
// a deployment of a name of one's own, the reasoning of earlier turns is left out
// unless the provider option "include" asks for it; for a server that does not know
// the wish the option may be an empty list. With the provider option "store" the
// server keeps the answers, and their items go back with their IDs; set it for all
// turns of a conversation or for none.
//
// See https://platform.openai.com/docs/api-reference/responses.
//
// # What comes back
//
// Each part of a reasoning's summary is a block of reasoning. The last one of an
// item, or an empty one where there is no summary, holds the item in its provider
// data, and goes back as the item it was. The ID of a tool call is its call_id.
// What else the server says of a message or a call, its phase or namespace, is in
// the provider data and goes back too.
//
// Annotations are Sources. A tool that the provider runs itself is a ToolCall that
// is ProviderExecuted, with a ToolResult where the server shows one, and an image
// that it drew is a File. Every other item of the output is a Raw that holds a
// responses.ResponseOutputItemUnion; in an assistant message it goes back as it
// came, and a Raw with a responses.ResponseInputItemUnionParam, there or in a tool
// message, is sent as that item. Log probabilities, if asked for, come in a stream
// as Raw parts that hold a responses.ResponseStreamEventUnion.
//
// The raw finish reason is the reason why an answer is incomplete, else its
// status. An answer that the server says has failed is a failure, of the kind that
// its error tells. A refusal part is one of kind content, and so is an answer that
// the provider's filter stopped before it said anything.
type Responses struct {
	endpoint
	service responses.ResponseService
}

var _ strata.Model = (*Responses)(nil)

// NewResponses returns the model that its provider calls name, asked over the
// Responses API. It takes the options of [New] but for [MaxTokensField], and its
// defaults are the same. An empty name and invalid options panic.
func NewResponses(name string, opts ...Option) *Responses {
	client, at := configure("NewResponses", name, opts).connect()
	return &Responses{at, client.Responses}
}

var errNoOutput = errors.New("the answer has no output")

// Generate answers the request whole, with one HTTP request. Its errors are
// *failure.Error. Response.Raw is a *responses.Response.
func (m *Responses) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	c, warnings, err := m.ask(ctx, req, false)
	if err != nil {
		return nil, err
	}
	body, err := c.body(ctx)
	if err != nil {
		return nil, err
	}
	raw := &responses.Response{}
	if err := json.Unmarshal(body, raw); err != nil {
		return nil, c.Malformed(body, err)
	}
	// The parts of a whole answer are those of its stream; they make the Response.
	var answer collecting.Collector
	var failed error
	s := c.responsesStream(func(p strata.Part, err error) bool {
		if failed = err; err == nil {
			answer.Add(p)
		}
		return err == nil
	})
	s.whole(body)
	s.end()
	if failed != nil {
		return nil, failed
	}
	resp := answer.Response()
	resp.Warnings, resp.Raw = warnings, raw
	return resp, nil
}

// Stream answers the request part by part, with one HTTP request each time it is
// ranged over. Its errors are *failure.Error: an error event, an event that is not
// JSON, a cut, and an end without the event that ends the answer, which is of kind
// network and wraps io.ErrUnexpectedEOF.
//
// Tool calls are handed on when the answer is whole. An event of up to 32 MiB is
// read; a longer one is an error that wraps bufio.ErrTooLong.
func (m *Responses) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		attempt, cancel := context.WithCancel(ctx)
		defer cancel()
		c, warnings, err := m.ask(attempt, req, true)
		if err != nil {
			yield(nil, err)
			return
		}
		defer c.Response.Body.Close()
		s := c.responsesStream(yield)
		s.emit(strata.StreamStart{Warnings: warnings})
		s.read(ctx, cancel, s)
	}
}

// ask sends the request.
func (m *Responses) ask(ctx context.Context, req *strata.Request, stream bool) (*call, []strata.Warning, error) {
	params, warnings, err := m.params(req)
	if err != nil {
		return nil, nil, err
	}
	var more []option.RequestOption
	if stream {
		more = append(more, streaming)
	}
	c, err := m.send(ctx, params, req.Headers, func(opts []option.RequestOption) error {
		_, err := m.service.New(ctx, params, opts...)
		return err
	}, more...)
	return c, warnings, err
}

// responsesBody is an answer as the wire has it. In a stream its events carry it.
type responsesBody struct {
	ID                string
	Model             string
	CreatedAt         exchange.Count `json:"created_at"`
	Status            string
	Store             bool
	Error             json.RawMessage
	IncompleteDetails struct{ Reason string } `json:"incomplete_details"`
	Output            []json.RawMessage       // nil: none was given
	Usage             responsesUsage
}

type responsesUsage struct {
	InputTokens        exchange.Count `json:"input_tokens"`
	OutputTokens       exchange.Count `json:"output_tokens"`
	TotalTokens        exchange.Count `json:"total_tokens"`
	InputTokensDetails struct {
		CachedTokens     exchange.Count `json:"cached_tokens"`
		CacheWriteTokens exchange.Count `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
	OutputTokensDetails struct {
		ReasoningTokens exchange.Count `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
}

func (u responsesUsage) usage() strata.Usage {
	return strata.Usage{
		InputTokens:       int64(u.InputTokens),
		OutputTokens:      int64(u.OutputTokens),
		TotalTokens:       int64(cmp.Or(u.TotalTokens, u.InputTokens+u.OutputTokens)),
		CachedInputTokens: int64(u.InputTokensDetails.CachedTokens),
		CacheWriteTokens:  int64(u.InputTokensDetails.CacheWriteTokens),
		ReasoningTokens:   int64(u.OutputTokensDetails.ReasoningTokens),
	}
}

// responsesBody reads the body of a whole answer.
func (c *call) responsesBody(body []byte) (*responsesBody, error) {
	b := &responsesBody{}
	if err := json.Unmarshal(body, b); err != nil {
		return nil, c.Malformed(body, err)
	}
	if given(string(b.Error)) || b.Status == "failed" {
		return nil, c.reported(string(b.Error))
	}
	return b, nil
}

// finish is the raw reason for which the answer ended.
func (b *responsesBody) finish() string {
	if b.IncompleteDetails.Reason != "" {
		return b.IncompleteDetails.Reason
	}
	return b.Status
}

// responsesFinish is what the raw reason means.
func responsesFinish(raw string, called bool) strata.FinishReason {
	switch raw {
	case "completed":
		if called {
			return strata.FinishToolCalls
		}
		return strata.FinishStop
	case "max_output_tokens":
		return strata.FinishLength
	case contentFilter:
		return strata.FinishContentFilter
	case "":
		return strata.FinishUnknown
	}
	return strata.FinishOther
}
