package anthropic

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/anthropics/anthropic-sdk-go/v2/packages/ssestream"

	"github.com/strata-go/strata"
)

// event is an event of the wire, as in
// https://platform.claude.com/docs/en/build-with-claude/streaming. Those of other
// kinds may have any form.
type event struct {
	Type         string
	Error        json.RawMessage
	Message      json.RawMessage
	ContentBlock json.RawMessage `json:"content_block"`
	Delta        json.RawMessage
	Usage        json.RawMessage
}

type delta struct {
	Type        string
	Text        string
	Thinking    string
	Signature   string
	PartialJSON string `json:"partial_json"`
	Citation    citation
}

// event takes an event and reports whether it is the last one.
func (s *stream) event(sse ssestream.Event) (last bool) {
	data := bytes.TrimSpace(sse.Data)
	if len(data) == 0 {
		return false
	}
	if bytes.HasPrefix(data, []byte("[DONE]")) { // of servers that also speak OpenAI's wire
		return true
	}
	var e event
	err := json.Unmarshal(data, &e)
	switch {
	case err != nil:
	case given(e.Error):
		s.fail(s.Reported(string(data)))
	case sse.Type == "error" || e.Type == "error":
		s.fail(s.Reported(`{"error":` + string(data) + `}`))
	default:
		err = s.take(e)
	}
	if err != nil {
		s.fail(s.Malformed(data, err))
	}
	return e.Type == "message_stop"
}

// take takes an event that is no error. Its own error is one of form.
func (s *stream) take(e event) error {
	switch e.Type {
	case "message_start":
		return s.metadata(e.Message)
	case "content_block_start":
		b, err := readBlock(e.ContentBlock)
		if err == nil {
			s.start(b)
		}
		return err
	case "content_block_delta":
		var d delta
		err := json.Unmarshal(e.Delta, &d)
		if err == nil {
			s.delta(d)
		}
		return err
	case "content_block_stop":
		s.close()
	case "message_delta":
		var later usage
		var why stop
		if err := errors.Join(readIf(e.Usage, &later), readIf(e.Delta, &why)); err != nil {
			return err
		}
		s.usage.update(later)
		s.halt(why)
	}
	return nil
}

// readIf reads a field that some servers leave out.
func readIf(raw json.RawMessage, v any) error {
	if !given(raw) {
		return nil
	}
	return json.Unmarshal(raw, v)
}

func (s *stream) metadata(raw json.RawMessage) error {
	var message struct {
		ID    string
		Model string
		Usage usage
	}
	if err := readIf(raw, &message); err != nil {
		return err
	}
	s.usage.update(message.Usage)
	meta := strata.ResponseMetadata{ID: message.ID, Model: message.Model, Headers: s.Headers}
	if u := s.usage.counts(); u != (strata.Usage{}) {
		meta.Usage = &u
	}
	s.emit(meta)
	return nil
}

// delta takes a piece of the open block. Some servers do not tell where a block
// begins.
func (s *stream) delta(d delta) {
	switch d.Type {
	case "text_delta":
		s.within("text")
		s.text(s.block, d.Text)
	case "thinking_delta":
		s.within("thinking")
		s.thinking(s.block, d.Thinking)
	case "signature_delta":
		s.within("thinking")
		s.block.Signature += d.Signature
	case "citations_delta":
		s.within("text")
		s.block.Citations = append(s.block.Citations, d.Citation)
	case "input_json_delta":
		if s.block != nil && s.block.calls() && d.PartialJSON != "" {
			s.block.input.WriteString(d.PartialJSON)
			s.emit(strata.ToolInputDelta{ID: s.block.ID, Delta: d.PartialJSON})
		}
	}
}

// within has a block of the type be open.
func (s *stream) within(kind string) {
	if s.block == nil || s.block.Type != kind {
		s.start(&block{Type: kind})
	}
}
