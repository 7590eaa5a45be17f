package fantasy

import (
	"context"

	sdk "charm.land/fantasy"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/stream"
)

// LanguageModel is a strata Model as a fantasy LanguageModel. Make one with
// [Wrap]; any number of goroutines may use it.
type LanguageModel struct{ model strata.Model }

var _ sdk.LanguageModel = (*LanguageModel)(nil)

// Wrap returns the model, in the layers, as a fantasy LanguageModel. The first
// layer is the outermost, as for [strata.Wrap]. A nil model panics.
//
//	agent := sdk.NewAgent(fantasy.Wrap(fantasy.New(lm), middleware.Fallback(spare), middleware.Backoff()))
//
// Failures are *sdk.ProviderError, whose cause is the Model's own. Fantasy's agent
// retries those that are transient, behind the layers: an agent over layers that
// retry wants sdk.WithMaxRetries(0).
//
// Answers of a Model made by [New] come out as its language model gave them.
// Exceptions: the program's tool calls stand at the end of a stream, their input
// deltas are always in Delta, empty input is "{}", and a call whose input was cut
// is no call. A header's name is in its canonical form.
// Of other Models, what fantasy has no place for is in an [Extra].
func Wrap(model strata.Model, layers ...strata.Layer) *LanguageModel {
	if model == nil {
		panic("fantasy.Wrap: the model is nil")
	}
	return &LanguageModel{strata.Wrap(model, layers...)}
}

// Unwrap returns the strata Model, with its layers.
func (l *LanguageModel) Unwrap() strata.Model { return l.model }

// Provider returns the provider of the Model's ID.
func (l *LanguageModel) Provider() string { return l.model.ID().Provider }

// Model returns the name in the Model's ID.
func (l *LanguageModel) Model() string { return l.model.ID().Name }

// Generate answers the call whole.
func (l *LanguageModel) Generate(ctx context.Context, call sdk.Call) (*sdk.Response, error) {
	req, err := l.request(call)
	if err != nil {
		return nil, err
	}
	resp, err := stream.Generate(ctx, l.model, req)
	if err != nil {
		return nil, errorOf(err)
	}
	to := &sdk.Response{Warnings: callWarnings(resp.Warnings, call.Tools)}
	for _, c := range resp.Content {
		to.Content = append(to.Content, contentFor(c))
	}
	to.FinishReason, to.Usage, to.ProviderMetadata = l.end(strata.Finish{
		Reason: resp.FinishReason, RawReason: resp.RawFinishReason, Usage: resp.Usage,
		Model: resp.Model, ProviderData: resp.ProviderData,
	}, resp.Metadata)
	to.Warnings = append(to.Warnings, l.foreign(call)...)
	return to, nil
}

// request turns a call into a request.
func (l *LanguageModel) request(call sdk.Call) (*strata.Request, error) {
	req, err := requestOf(call)
	if err != nil {
		return nil, errorOf(failure.Classify(failure.Error{Model: l.model.ID(), Kind: failure.Invalid, Message: err.Error(), Err: err}))
	}
	return req, nil
}

// foreign are warnings about tools and options of a provider of fantasy's, which no
// other Model takes.
func (l *LanguageModel) foreign(call sdk.Call) []sdk.CallWarning {
	if _, ok := strata.As[*Model](l.model); ok {
		return nil
	}
	var warnings []sdk.CallWarning
	if call.ProviderOptions[l.Provider()] != nil && l.Provider() != ExtraKey {
		warnings = append(warnings, sdk.CallWarning{
			Type: sdk.CallWarningTypeUnsupportedSetting, Setting: "ProviderOptions." + l.Provider(),
			Details: "a model that is not fantasy's takes no options of fantasy's; those in an Extra reach it",
		})
	}
	for _, t := range call.Tools {
		if _, ok := functionOf(t); !ok {
			warnings = append(warnings, sdk.CallWarning{
				Type: sdk.CallWarningTypeUnsupportedTool, Tool: t, Message: "a model that is not fantasy's has no such tool",
			})
		}
	}
	return warnings
}

// end returns how an answer ended, and its metadata.
func (l *LanguageModel) end(f strata.Finish, meta strata.ResponseMetadata) (sdk.FinishReason, sdk.Usage, sdk.ProviderMetadata) {
	reason, usage, told := outcomeOf(f.Reason, f.Usage, f.ProviderData)
	meta.Usage = nil // it is counted already
	x := Extra{Metadata: meta}
	if f.Model != l.model.ID() {
		x.Model = f.Model
	}
	if f.RawReason != string(f.Reason) && !told {
		x.RawFinishReason = f.RawReason
	}
	return reason, usage, write(f.ProviderData, x)
}

// contentFor returns a content of an answer as fantasy's. What fantasy has no form
// for is in the Extra of an empty reasoning.
func contentFor(c strata.Content) sdk.Content {
	switch c := c.(type) {
	case strata.Text:
		return sdk.TextContent{Text: c.Text, ProviderMetadata: write(c.ProviderData, Extra{})}
	case strata.Reasoning:
		return sdk.ReasoningContent{Text: c.Text, ProviderMetadata: write(c.ProviderData, Extra{})}
	case strata.Image:
		return fileFor(c, c.MediaType, c.Data, c.URL == "" && c.Detail == "", c.ProviderData)
	case strata.File:
		return fileFor(c, c.MediaType, c.Data, c.URL == "" && c.FileID == "" && c.Filename == "", c.ProviderData)
	case strata.Source:
		return sdk.SourceContent{
			SourceType: sourceTypeOf(c), ID: c.ID, URL: c.URL, Title: c.Title, MediaType: c.MediaType, Filename: c.Filename,
			ProviderMetadata: write(c.ProviderData, Extra{}),
		}
	case strata.ToolCall:
		to := sdk.ToolCallContent{
			ToolCallID: c.ID, ToolName: c.Name, Input: c.Input, ProviderExecuted: c.ProviderExecuted,
			ProviderMetadata: write(c.ProviderData, Extra{}),
		}
		if problem, ok := c.ProviderData[Key][invalidKey]; ok {
			to.Invalid = true
			to.ValidationError, _ = problem.(error)
		}
		return to
	case strata.ToolResult:
		return resultFor(c)
	case strata.Raw:
		if own, ok := c.Value.(sdk.Content); ok {
			return own
		}
	}
	return sdk.ReasoningContent{ProviderMetadata: write(nil, Extra{Content: c})}
}

// fileFor returns a file as fantasy's; plain says that bytes are all it has.
func fileFor(c strata.Content, mediaType string, data []byte, plain bool, pd strata.ProviderData) sdk.Content {
	switch {
	case len(data) == 0 && !plain:
		return sdk.ReasoningContent{ProviderMetadata: write(nil, Extra{Content: c})}
	case plain && sameKind(c, fileOf(mediaType, "", data, pd)):
		return sdk.FileContent{MediaType: mediaType, Data: data, ProviderMetadata: write(pd, Extra{})}
	}
	return sdk.FileContent{MediaType: mediaType, Data: data, ProviderMetadata: write(pd, Extra{Content: c})}
}

// sameKind reports whether both are images, or both are files.
func sameKind(a, b strata.Content) bool {
	_, image := a.(strata.Image)
	_, other := b.(strata.Image)
	return image == other
}

// resultFor returns the result of a tool as fantasy's. A result of more than
// fantasy has a form for is in its Extra too.
func resultFor(r strata.ToolResult) sdk.ToolResultContent {
	to := sdk.ToolResultContent{ToolCallID: r.ID, ToolName: r.Name, ProviderExecuted: r.ProviderExecuted}
	to.ClientMetadata, _ = r.ProviderData[Key][clientMetadataKey].(string)
	to.StopTurn, _ = r.ProviderData[Key][stopTurnKey].(bool)
	output, err := outputOf(r)
	if err != nil {
		output = sdk.ToolResultOutputContentText{Text: r.Output}
	}
	to.Result = output
	x := Extra{}
	if len(r.Content) > 0 && !mediaOnly(r) {
		x.Content = r
	}
	to.ProviderMetadata = write(r.ProviderData, x)
	return to
}

// mediaOnly reports whether fantasy's form of a result's contents loses nothing.
func mediaOnly(r strata.ToolResult) bool {
	media := r.Content
	if t, ok := media[0].(strata.Text); ok && t.ProviderData == nil && t.Text != "" {
		media = media[1:]
	}
	if len(media) != 1 || r.IsError || r.Output != "" {
		return false
	}
	switch f := media[0].(type) {
	case strata.Image:
		return len(f.Data) > 0 && f.MediaType != "" && f.URL == "" && f.Detail == "" && f.ProviderData == nil && sameKind(f, fileOf(f.MediaType, "", nil, nil))
	case strata.File:
		return len(f.Data) > 0 && f.MediaType != "" && f.URL == "" && f.FileID == "" && f.Filename == "" && f.ProviderData == nil && sameKind(f, fileOf(f.MediaType, "", nil, nil))
	}
	return false
}
