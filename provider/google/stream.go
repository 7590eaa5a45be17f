package google

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"

	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// Stream answers the request part by part, with one HTTP request each time it is
// ranged over. Its errors are *failure.Error: an error event, an event that is
// not JSON, a cut, and an end without a finish reason, which is of kind network
// and wraps io.ErrUnexpectedEOF. Once the server has given a finish reason the
// answer is whole: a cut behind it costs only the usage.
//
// Tool calls are handed on when the answer is whole. An event of up to 32 MiB is
// read; a longer one is an error that wraps bufio.ErrTooLong.
func (m *Model) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		c, warnings, err := m.ask(ctx, req, true)
		if err != nil {
			yield(nil, err)
			return
		}
		defer c.close()
		r := &reader{call: c, yield: yield}
		r.emit(strata.StreamStart{Warnings: warnings})
		r.read()
	}
}

// reader turns what the server sends into parts. Its first error, or the caller
// leaving, stops it: from then on it hands nothing on.
type reader struct {
	*call
	yield   func(strata.Part, error) bool
	stopped bool
	whole   bool // each part is a content of its own

	generating bool // the SDK's answer is kept beside the parts

	meta       strata.ResponseMetadata // as last handed on, if named
	named      bool
	usage      strata.Usage
	candidates int    // how many came
	finish     string // the raw finish reason; empty: none yet
	blocked    bool   // the finish is the reason for which the prompt was blocked
	given      bool   // text, a tool call or a file came
	rest       map[string]any
	sources    []strata.Source // handed on
	block      block
	blocks     int
	tools      []*toolInput
	executed   string // the ID of the tool that Google ran last
}

func (r *reader) emit(p strata.Part) {
	if !r.stopped {
		r.stopped = !r.yield(p, nil)
	}
}

func (r *reader) stop(err error) {
	if !r.stopped {
		r.stopped = true
		r.yield(nil, err)
	}
}

// read reads the response to its end. It looks at its first byte and not at its
// content type: what stands in for a server may send the answer whole, proxies
// send pages, and both may say what they like.
func (r *reader) read() {
	if r.stopped {
		return
	}
	body := bufio.NewReader(r.Response.Body)
	first, err := exchange.FirstByte(body)
	switch {
	case err == io.EOF:
		r.stop(r.Unfinished())
	case err != nil:
		r.stop(r.Broken(r.ctx, err))
	case first == '{' || first == '<' || first == '[':
		r.whole = true
		data, err := io.ReadAll(body)
		if err != nil {
			r.stop(r.Broken(r.ctx, err))
			return
		}
		r.readBody(data)
	default:
		r.readEvents(&events{r: body})
	}
	if r.finish == "" {
		r.stop(r.Unfinished())
	}
	r.end()
}

func (r *reader) readEvents(events *events) {
	for !r.stopped {
		e, err := events.next()
		switch {
		case err == io.EOF:
			return
		case err != nil:
			if r.finish == "" || r.ctx.Err() != nil {
				r.stop(r.Broken(r.ctx, err))
			}
			return
		case bytes.HasPrefix(e.data, []byte("[DONE]")): // Google sends none, but what stands in for it may
			r.Drain(r.cancel)
			return
		case e.bare:
			r.readBody(e.data)
		default:
			r.event(e)
		}
	}
}

func (r *reader) event(e event) {
	data := bytes.TrimSpace(e.data)
	if len(data) == 0 {
		return
	}
	var a answer
	err := json.Unmarshal(data, &a)
	switch {
	case err != nil && !e.ended && !json.Valid(data):
		return // the body ended within it
	case err != nil:
		r.stop(r.Malformed(data, err))
	case e.name == "error" && !given(a.Error):
		r.stop(r.Reported(`{"error":` + string(data) + `}`))
	default:
		r.answer(data, &a)
	}
}

// answer hands on an answer or a piece of one, whose JSON is data.
func (r *reader) answer(data []byte, a *answer) {
	if given(a.Error) {
		r.stop(r.Reported(string(data)))
		return
	}
	r.metadata(a.metadata())
	if reason := a.PromptFeedback.BlockReason; reason != "" && len(a.Candidates) == 0 {
		r.finish, r.blocked = reason, true
	}
	r.candidates += len(a.Candidates)
	for _, c := range a.Candidates {
		if c.Index == 0 {
			r.candidate(data, c)
		}
	}
	if a.UsageMetadata == nil {
		return
	}
	if usage := a.UsageMetadata.usage(); usage != r.usage && usage != (strata.Usage{}) {
		r.usage = usage
		if r.finish == "" {
			r.emit(strata.ResponseMetadata{Usage: &usage})
		}
	}
}

// metadata hands on what is new of the metadata; the headers come with the first.
func (r *reader) metadata(meta strata.ResponseMetadata) {
	meta.ID, meta.Model = cmp.Or(meta.ID, r.meta.ID), cmp.Or(meta.Model, r.meta.Model)
	if r.named && meta.ID == r.meta.ID && meta.Model == r.meta.Model {
		return
	}
	if !r.named {
		meta.Headers = r.Headers
	}
	r.meta, r.named = meta, true
	r.emit(meta)
}

func (r *reader) candidate(data []byte, c candidate) {
	for i := range c.Content.Parts {
		r.part(&c.Content.Parts[i])
	}
	for _, s := range c.sources {
		if !slices.ContainsFunc(r.sources, func(t strata.Source) bool { return t.URL == s.URL && t.Title == s.Title }) {
			r.sources = append(r.sources, s)
			r.emit(s)
		}
	}
	if c.logprobs && !r.generating {
		if raw := sdkResponse(data); raw != nil {
			r.emit(strata.Raw{Value: raw})
		}
	}
	if r.rest == nil {
		r.rest = map[string]any{}
	}
	maps.Copy(r.rest, c.rest)
	// Old models repeat "STOP" in every event: the last word counts.
	if f := c.FinishReason; f != "" && f != string(genai.FinishReasonUnspecified) {
		r.finish = f
	}
}

// end hands on what ends a whole answer.
func (r *reader) end() {
	r.close()
	filtered := r.blocked || filters[genai.FinishReason(r.finish)]
	if filtered && !r.given {
		r.stop(r.Refused(r.finish))
	}
	called := false
	for _, t := range r.tools {
		if t.cut(r.finish, filtered) {
			continue
		}
		called = true
		r.emit(strata.ToolInputEnd{ID: t.id})
		r.emit(strata.ToolCall{ID: t.id, Name: t.name, Input: cmp.Or(t.input, noInput), ProviderData: r.data(t.extra)})
	}
	reason := finishReason(r.finish, called)
	if r.blocked {
		reason = strata.FinishContentFilter
	}
	r.emit(strata.Finish{
		Reason:       reason,
		RawReason:    r.finish,
		Usage:        r.usage,
		Model:        r.Model,
		ProviderData: r.data(r.rest),
	})
}

// data are provider data of the given fields.
func (r *reader) data(fields map[string]any) strata.ProviderData {
	if len(fields) == 0 {
		return nil
	}
	return strata.ProviderData{r.Model.Provider: fields}
}

func (r *reader) blockID() string { return strconv.Itoa(r.blocks) }
