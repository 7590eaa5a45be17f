package stream

import (
	"context"
	"iter"
	"maps"
	"strings"

	"github.com/strata-go/strata"
)

// Collect reads a stream to its end and returns it as a Response, or its error.
// A stream that just stops is an error, as for [Each]: an answer is whole or it
// is none. Where what came before an error matters, use a [Collector].
func Collect(parts iter.Seq2[strata.Part, error]) (*strata.Response, error) {
	var (
		c      Collector
		failed error
	)
	r := reading{yield: func(p strata.Part, err error) bool {
		if err != nil {
			failed = err
			return false
		}
		c.Add(p)
		return true
	}}
	r.read(context.Background(), parts)
	if failed != nil {
		return nil, failed
	}
	return c.Response(), nil
}

// A Collector makes a Response of the parts of a stream, one by one. Its zero
// value is ready for use. It may be asked for the Response at any point.
//
// Deltas of one block are joined, blocks stand in the order they began. A tool
// call takes the place of its input parts; input whose call never came becomes
// a [strata.ToolInput]. Blocks with neither text nor provider data are left
// out, and a part of a type of someone else's becomes a Raw that holds it.
type Collector struct {
	resp   strata.Response
	blocks []*block
}

// block is one piece of content: whole, or being joined from its parts.
type block struct {
	kind blockKind
	id   string
	name string
	text strings.Builder
	data strata.ProviderData
	open bool // its end has not been seen

	whole strata.Content
}

type blockKind int

const (
	wholeBlock blockKind = iota
	textBlock
	reasoningBlock
	toolInputBlock
)

// Add takes the next part of the stream.
func (c *Collector) Add(p strata.Part) {
	switch p := p.(type) {
	case strata.StreamStart:
		c.resp.Warnings = append(c.resp.Warnings, p.Warnings...)
	case strata.ResponseMetadata:
		c.metadata(p)
	case strata.TextStart:
		c.start(textBlock, p.ID, p.ProviderData)
	case strata.TextDelta:
		c.delta(textBlock, p.ID, p.Text, p.ProviderData)
	case strata.TextEnd:
		c.end(textBlock, p.ID, p.ProviderData)
	case strata.ReasoningStart:
		c.start(reasoningBlock, p.ID, p.ProviderData)
	case strata.ReasoningDelta:
		c.delta(reasoningBlock, p.ID, p.Text, p.ProviderData)
	case strata.ReasoningEnd:
		c.end(reasoningBlock, p.ID, p.ProviderData)
	case strata.ToolInputStart:
		c.start(toolInputBlock, p.ID, p.ProviderData).name = p.Name
	case strata.ToolInputDelta:
		c.delta(toolInputBlock, p.ID, p.Delta, p.ProviderData)
	case strata.ToolInputEnd:
		c.end(toolInputBlock, p.ID, p.ProviderData)
	case strata.ToolCall:
		c.call(p)
	case strata.Finish:
		c.resp.FinishReason, c.resp.RawFinishReason = p.Reason, p.RawReason
		c.resp.Usage, c.resp.Model, c.resp.ProviderData = p.Usage, p.Model, p.ProviderData
	case strata.Content: // a part that is a content as it stands
		c.blocks = append(c.blocks, &block{whole: p})
	default:
		c.blocks = append(c.blocks, &block{whole: strata.Raw{Value: p}})
	}
}

// Response returns the answer as far as it was added. The caller owns it.
func (c *Collector) Response() *strata.Response {
	resp := c.resp
	for _, b := range c.blocks {
		if content := b.content(); content != nil {
			resp.Content = append(resp.Content, content)
		}
	}
	return &resp
}

func (b *block) content() strata.Content {
	text, data := b.text.String(), b.data.Clone()
	switch {
	case b.kind == wholeBlock:
		return b.whole
	case b.kind == toolInputBlock:
		return strata.ToolInput{ID: b.id, Name: b.name, Input: text, ProviderData: data}
	case text == "" && data == nil:
		return nil
	case b.kind == reasoningBlock:
		return strata.Reasoning{Text: text, ProviderData: data}
	}
	return strata.Text{Text: text, ProviderData: data}
}

func (c *Collector) metadata(p strata.ResponseMetadata) {
	m := &c.resp.Metadata
	if p.ID != "" {
		m.ID = p.ID
	}
	if p.Model != "" {
		m.Model = p.Model
	}
	if !p.Timestamp.IsZero() {
		m.Timestamp = p.Timestamp
	}
	if p.Headers != nil {
		m.Headers = p.Headers
	}
	if p.Usage != nil {
		c.resp.Usage = *p.Usage
	}
}

func (c *Collector) start(kind blockKind, id string, data strata.ProviderData) *block {
	b := &block{kind: kind, id: id, open: true}
	b.add(data)
	c.blocks = append(c.blocks, b)
	return b
}

// find returns the open block that a part belongs to, or nil.
func (c *Collector) find(kind blockKind, id string) *block {
	for i := len(c.blocks) - 1; i >= 0; i-- {
		if b := c.blocks[i]; b.kind == kind && b.id == id && b.open {
			return b
		}
	}
	return nil
}

// delta adds to a block. One whose start never came begins here.
func (c *Collector) delta(kind blockKind, id, text string, data strata.ProviderData) {
	b := c.find(kind, id)
	if b == nil {
		b = c.start(kind, id, nil)
	}
	b.text.WriteString(text)
	b.add(data)
}

func (c *Collector) end(kind blockKind, id string, data strata.ProviderData) {
	if b := c.find(kind, id); b != nil {
		b.open = false
		b.add(data)
	}
}

// call puts a whole tool call where its input began.
func (c *Collector) call(call strata.ToolCall) {
	for i := len(c.blocks) - 1; i >= 0; i-- {
		if b := c.blocks[i]; b.kind == toolInputBlock && b.id == call.ID {
			b.add(call.ProviderData)
			call.ProviderData = b.data
			c.blocks[i] = &block{whole: call}
			return
		}
	}
	c.blocks = append(c.blocks, &block{whole: call})
}

// add merges provider data into the block's; a later field replaces an earlier.
func (b *block) add(data strata.ProviderData) {
	for provider, fields := range data {
		if b.data == nil {
			b.data = strata.ProviderData{}
		}
		if b.data[provider] == nil {
			b.data[provider] = map[string]any{}
		}
		maps.Copy(b.data[provider], fields)
	}
}
