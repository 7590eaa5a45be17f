package google

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/strata-go/strata"
)

// answer is what a whole response and an event of a stream hold. It is read from
// the JSON and not through the SDK's types, which have no place for fields that
// are new and none for the order of arguments.
type answer struct {
	Candidates     []candidate
	PromptFeedback struct {
		BlockReason string
	}
	UsageMetadata *usageMetadata
	ModelVersion  string
	ResponseID    string `json:"responseId"`
	CreateTime    string
	Error         json.RawMessage
}

type usageMetadata struct {
	PromptTokenCount        int64
	ToolUsePromptTokenCount int64
	CachedContentTokenCount int64
	CandidatesTokenCount    int64
	ThoughtsTokenCount      int64
	TotalTokenCount         int64
}

// usage is the usage as every provider counts: Google counts thoughts beside the
// output, and the results of its own tools beside the prompt.
func (u *usageMetadata) usage() strata.Usage {
	usage := strata.Usage{
		InputTokens:       u.PromptTokenCount + u.ToolUsePromptTokenCount,
		OutputTokens:      u.CandidatesTokenCount + u.ThoughtsTokenCount,
		TotalTokens:       u.TotalTokenCount,
		CachedInputTokens: u.CachedContentTokenCount,
		ReasoningTokens:   u.ThoughtsTokenCount,
	}
	if usage.TotalTokens == 0 {
		usage.TotalTokens = usage.InputTokens + usage.OutputTokens
	}
	return usage
}

// metadata is what the answer says of itself.
func (a *answer) metadata() strata.ResponseMetadata {
	meta := strata.ResponseMetadata{ID: a.ResponseID, Model: a.ModelVersion}
	if t, err := time.Parse(time.RFC3339Nano, a.CreateTime); err == nil { // Vertex AI alone says it
		meta.Timestamp = t.UTC()
	}
	return meta
}

type candidate struct {
	Index        int
	Content      struct{ Parts []part }
	FinishReason string

	logprobs bool
	sources  []strata.Source
	rest     map[string]any // what no part carries
}

func (c *candidate) UnmarshalJSON(data []byte) error {
	type plain candidate
	if err := json.Unmarshal(data, (*plain)(c)); err != nil {
		return err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	c.logprobs = given(fields["logprobsResult"])
	c.sources = append(groundingSources(fields["groundingMetadata"]), citationSources(fields["citationMetadata"])...)
	c.rest = others(fields, "content", "index", "finishReason", "logprobsResult", "tokenCount")
	return nil
}

// others are the fields but those named.
func others(fields map[string]json.RawMessage, but ...string) map[string]any {
	for _, name := range but {
		delete(fields, name)
	}
	if len(fields) == 0 {
		return nil
	}
	rest := make(map[string]any, len(fields))
	for name, raw := range fields {
		var v any
		_ = json.Unmarshal(raw, &v) // a piece of JSON that was read already
		rest[name] = v
	}
	return rest
}

// groundingSources are the pages, documents and places that the answer rests on.
func groundingSources(raw json.RawMessage) []strata.Source {
	type chunk struct{ URI, SourceURI, Title, DocumentName string }
	var metadata struct {
		GroundingChunks []struct{ Web, RetrievedContext, Maps, Image *chunk }
	}
	_ = json.Unmarshal(raw, &metadata) // none, or not of this form
	var sources []strata.Source
	for _, g := range metadata.GroundingChunks {
		for _, c := range []*chunk{g.Web, g.RetrievedContext, g.Maps, g.Image} {
			if c == nil {
				continue
			}
			s := strata.Source{URL: c.URI, Title: c.Title, Filename: c.DocumentName}
			if s.URL == "" {
				s.URL = c.SourceURI
			}
			if s.URL != "" || s.Title != "" {
				sources = append(sources, s)
			}
		}
	}
	return sources
}

// citationSources are what the answer quotes. The two APIs differ in the name.
func citationSources(raw json.RawMessage) []strata.Source {
	type citation struct{ URI, Title string }
	var metadata struct{ CitationSources, Citations []citation }
	_ = json.Unmarshal(raw, &metadata) // none, or not of this form
	var sources []strata.Source
	for _, c := range append(metadata.CitationSources, metadata.Citations...) {
		if c.URI != "" {
			sources = append(sources, strata.Source{URL: c.URI, Title: c.Title})
		}
	}
	return sources
}

// signatureKey is the field of a part that Google wants back with it.
const signatureKey = "thoughtSignature"

// noInput is the input of a call that came without arguments.
const noInput = "{}"

// part is a part of a content.
type part struct {
	Text         *string
	Thought      bool
	FunctionCall *functionCall
	InlineData   *struct {
		MimeType string
		Data     []byte
	}
	FileData            *struct{ MimeType, FileURI, DisplayName string }
	ExecutableCode      *struct{ ID string }
	CodeExecutionResult *struct{ ID, Outcome, Output string }
	ToolCall            *struct {
		ID, ToolType string
		Args         json.RawMessage
	}
	ToolResponse *struct {
		ID, ToolType string
		Response     json.RawMessage
	}

	raw    json.RawMessage
	fields map[string]json.RawMessage
}

type functionCall struct {
	ID           string
	Name         string
	Args         json.RawMessage
	PartialArgs  []json.RawMessage
	WillContinue bool
}

func (p *part) UnmarshalJSON(data []byte) error {
	type plain part
	if err := json.Unmarshal(data, (*plain)(p)); err != nil {
		return err
	}
	p.raw = bytes.Clone(data)
	return json.Unmarshal(data, &p.fields)
}

// extra are the fields beside those named: what goes back with the part.
func (p *part) extra(but ...string) map[string]any { return others(p.fields, but...) }

// input is the arguments on one line, or nothing where there are none.
func (f *functionCall) input() string { return compact(f.Args) }

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if !given(raw) || json.Compact(&b, raw) != nil {
		return ""
	}
	return b.String()
}

// given reports whether a field is there and not null.
func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }
