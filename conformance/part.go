package conformance

import (
	"fmt"

	"github.com/strata-go/strata"
)

// short is a part in the form that a want lists it in.
func short(p strata.Part) string {
	switch p := p.(type) {
	case strata.StreamStart:
		return "start"
	case strata.ResponseMetadata:
		return "meta:" + p.ID
	case strata.TextStart:
		return "text_start:" + p.ID
	case strata.TextDelta:
		return "text:" + p.Text
	case strata.TextEnd:
		return "text_end:" + p.ID
	case strata.ReasoningStart:
		return "reasoning_start:" + p.ID
	case strata.ReasoningDelta:
		return "reasoning:" + p.Text
	case strata.ReasoningEnd:
		return "reasoning_end:" + p.ID
	case strata.ToolInputDelta:
		return "tool_input:" + p.Delta
	case strata.ToolCall:
		return "tool_call:" + p.Name
	case strata.ToolResult:
		return "tool_result:" + p.ID
	case strata.Source:
		return "source:" + p.URL
	case strata.File:
		return "file:" + p.MediaType
	case strata.Raw:
		return fmt.Sprintf("raw:%v", p.Value)
	case strata.Finish:
		return "finish:" + string(p.Reason)
	}
	return fmt.Sprintf("%T", p) // no step yields it
}
