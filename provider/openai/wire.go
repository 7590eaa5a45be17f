package openai

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/dataurl"
)

// message is what a choice says: the whole message of an answer or the delta of
// a chunk, which differ in little. It is read from the raw JSON, since
// compatible servers put more into it than the SDK's types have.
type message struct {
	text      string
	refusal   string
	reasoning string
	field     string // that the reasoning came in; empty: in the details alone
	details   []map[string]any
	tools     []toolPiece
	sources   []strata.Source
	files     []strata.File
}

// toolPiece is a tool call or a piece of one.
type toolPiece struct {
	Index    *number
	ID       string
	Function functionPiece
	extra    map[string]any // fields of the server's own, a signature say
}

type functionPiece struct {
	Name      string
	Arguments json.RawMessage
}

// readMessage reads a message or a delta.
func readMessage(raw string) (message, error) {
	if raw == "" || raw == "null" {
		return message{}, nil
	}
	var wire struct {
		Content          json.RawMessage
		Refusal          json.RawMessage
		ReasoningContent json.RawMessage `json:"reasoning_content"`
		Reasoning        json.RawMessage
		ReasoningText    json.RawMessage   `json:"reasoning_text"`
		ReasoningDetails json.RawMessage   `json:"reasoning_details"`
		ToolCalls        []json.RawMessage `json:"tool_calls"`
		FunctionCall     *functionPiece    `json:"function_call"`
		Annotations      json.RawMessage
		Images           json.RawMessage
	}
	if err := json.Unmarshal([]byte(raw), &wire); err != nil {
		return message{}, err
	}
	m := message{refusal: str(wire.Refusal)}
	m.readContent(wire.Content)
	for _, f := range []struct {
		name string
		raw  json.RawMessage
	}{{"reasoning_content", wire.ReasoningContent}, {"reasoning", wire.Reasoning}, {"reasoning_text", wire.ReasoningText}} {
		if s := str(f.raw); s != "" {
			m.reasoning, m.field = s, f.name
			break
		}
	}
	_ = json.Unmarshal(wire.ReasoningDetails, &m.details) // what is no list of objects says nothing
	m.details = slices.DeleteFunc(m.details, func(d map[string]any) bool { return d == nil })
	if m.field == "" {
		for _, d := range m.details {
			m.reasoning += detailText(d)
		}
	}
	for _, raw := range wire.ToolCalls {
		t, err := readTool(raw)
		if err != nil {
			return message{}, err
		}
		m.tools = append(m.tools, t)
	}
	if f := wire.FunctionCall; f != nil {
		m.tools = append(m.tools, toolPiece{Function: *f})
	}
	m.readAnnotations(wire.Annotations)
	m.readImages(wire.Images)
	return m, nil
}

// readContent reads a content that is a string, or, as Mistral has it, a list
// of texts and thoughts.
func (m *message) readContent(raw json.RawMessage) {
	if m.text = str(raw); m.text != "" {
		return
	}
	type piece struct{ Type, Text string }
	var pieces []struct {
		piece
		Thinking []piece
	}
	_ = json.Unmarshal(raw, &pieces) // neither a string nor a list: null
	for _, p := range pieces {
		m.text += p.Text
		for _, t := range p.Thinking {
			m.reasoning += t.Text
		}
	}
}

func readTool(raw json.RawMessage) (toolPiece, error) {
	var t toolPiece
	if err := json.Unmarshal(raw, &t); err != nil {
		return t, err
	}
	if err := json.Unmarshal(raw, &t.extra); err != nil {
		return t, err
	}
	for _, known := range []string{"index", "id", "type", "function"} {
		delete(t.extra, known)
	}
	return t, nil
}

// arguments is the piece of input in f: a string of JSON, or from lenient
// servers the JSON itself.
func (f functionPiece) arguments() string {
	if s := str(f.Arguments); s != "" {
		return s
	}
	if len(f.Arguments) > 0 && f.Arguments[0] == '{' {
		return string(f.Arguments)
	}
	return ""
}

func (m *message) readAnnotations(raw json.RawMessage) {
	var annotations []sdk.ChatCompletionMessageAnnotation
	_ = json.Unmarshal(raw, &annotations) // null, or not of this form
	for _, a := range annotations {
		if a.URLCitation.URL != "" {
			m.sources = append(m.sources, strata.Source{URL: a.URLCitation.URL, Title: a.URLCitation.Title})
		}
	}
}

// readImages reads the images that OpenRouter's models make.
func (m *message) readImages(raw json.RawMessage) {
	var images []struct {
		ImageURL struct{ URL string } `json:"image_url"`
	}
	_ = json.Unmarshal(raw, &images) // null, or not of this form
	for _, i := range images {
		if i.ImageURL.URL != "" {
			m.files = append(m.files, readFile(i.ImageURL.URL))
		}
	}
}

// readFile reads an address, which may be a data URL that holds the file.
func readFile(address string) strata.File {
	if mediaType, data, ok := dataurl.Parse(address); ok {
		return strata.File{MediaType: mediaType, Data: data}
	}
	return strata.File{URL: address}
}

// str is the string in raw, or empty where it holds something else.
func str(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// number is a whole number. Servers that have no such type send 12.0, or a string;
// what is no number at all is 0.
type number int64

// UnmarshalJSON reads any of these forms.
func (n *number) UnmarshalJSON(raw []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err == nil {
		*n = number(f)
	}
	return nil
}

// given reports whether a field is there and not null.
func given(raw string) bool { return raw != "" && raw != "null" }
