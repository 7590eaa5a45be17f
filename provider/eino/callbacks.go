package eino

import (
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

// told is what callbacks are told of a question.
func told(in []*schema.Message, o *model.Options, name string) *model.CallbackInput {
	config := &model.Config{Model: name, Stop: o.Stop}
	if o.MaxTokens != nil {
		config.MaxTokens = *o.MaxTokens
	}
	if o.Temperature != nil {
		config.Temperature = *o.Temperature
	}
	if o.TopP != nil {
		config.TopP = *o.TopP
	}
	return &model.CallbackInput{Messages: in, Tools: o.Tools, ToolChoice: o.ToolChoice, Config: config}
}

// output is what callbacks are told of an answer or of a chunk.
func (q *question) output(msg *schema.Message) *model.CallbackOutput {
	out := &model.CallbackOutput{Message: msg, Config: q.told.Config}
	if msg.ResponseMeta != nil && msg.ResponseMeta.Usage != nil {
		u := msg.ResponseMeta.Usage
		out.TokenUsage = &model.TokenUsage{
			PromptTokens:            u.PromptTokens,
			PromptTokenDetails:      model.PromptTokenDetails{CachedTokens: u.PromptTokenDetails.CachedTokens},
			CompletionTokens:        u.CompletionTokens,
			CompletionTokensDetails: model.CompletionTokensDetails{ReasoningTokens: u.CompletionTokensDetails.ReasoningTokens},
			TotalTokens:             u.TotalTokens,
		}
	}
	return out
}
