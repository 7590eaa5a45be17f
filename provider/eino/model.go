// Package eino joins Strata and the framework [github.com/cloudwego/eino], both
// ways: [New] makes any chat model of eino's a [strata.Model], so that every
// provider eino has an implementation for can stand in a stack of layers, and
// [Wrap] makes any strata.Model, with all its layers, a chat model of eino's, so
// that an eino program gets layers by wrapping one value:
//
//	ark := eino.New("doubao-seed-1.6", arkModel, eino.Provider("ark"))
//
//	agent, err := react.NewAgent(ctx, &react.AgentConfig{
//		ToolCallingModel: eino.Wrap(ark, middleware.Fallback(other), middleware.Backoff()),
//		…
//	})
//
// # What goes where
//
// Text is Content, reasoning ReasoningContent, a tool call one of ToolCalls, the
// results in a tool message one message each, images and other media parts of
// UserInputMultiContent and AssistantGenMultiContent; the deprecated MultiContent
// is read too. Where a message has parts, they stand in place of Content, as with
// eino's own models; only in an answer, whose stream may hold both, both are read.
// A data URL becomes data. An Extra of eino's is provider data under [DataKey],
// [PartKey] or [MessageKey], and goes back where it came from. What has no field
// in eino (the order of text and calls, provider data such as signatures, errors
// of tools, sources, who answered, response headers …) stands under [ExtraKey] in
// an Extra. It comes through chunks, ConcatMessages, checkpoints and JSON. Where a
// program changes a message's fields they are the truth, and what the Extra says of
// the changed text is dropped. [ResponseOf] reads an answer's.
//
// New(Wrap(m)) and Wrap(New(m)) therefore answer as m does, except that an
// answer of the first names the Model that New made.
package eino

import (
	"fmt"
	"strings"

	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/components/model"

	"github.com/strata-go/strata"
)

// DefaultProvider is the provider's name where neither [Provider] nor the chat
// model's own GetType gives one.
const DefaultProvider = "eino"

// Model is a [strata.Model] that asks a chat model of eino's. Make one with
// [New]; any number of goroutines may use it, if they may use the chat model.
//
// One call is one call of the chat model. Whether that makes attempts of its own
// is its own affair: turn its retries off, and leave them to layers.
//
// Its errors are *failure.Error, and wrap the chat model's own, as it is. Errors
// that say their kind themselves, such as those of a [Wrap] below, come through
// unchanged.
//
// # What is sent
//
// MaxOutputTokens, Temperature, TopP, StopSequences, Tools and ToolChoice are
// eino's common options; a ToolChoice of one tool is "forced" with the tool's
// name as the only one allowed. Request.Raw may be a []model.Option: they are
// applied last, so a chat model's own options reach it. The other settings (TopK,
// the penalties, Seed, ReasoningEffort, ResponseFormat, Headers, a tool's Strict,
// provider options under the Provider's name) have no place in eino and become
// warnings, except over a [ChatModel], which takes them. All of an assistant's
// reasoning goes to the chat model, whoever thought it: what its provider takes
// back is for the chat model to know. Whether a tool's result is an error has no
// place in eino; its output must say so.
//
// # What comes back
//
// Eino has no mark for the end of an answer. The last finish reason given counts;
// a stream that ends cleanly without one is whole and ends with FinishUnknown, but
// a stream with nothing in it, neither content nor a finish reason nor a usage, is
// a failure of kind network that wraps io.ErrUnexpectedEOF. Once there was a
// finish reason, an error behind it costs nothing. A block by the provider's filter
// before any content is a failure of kind content.
//
// The pieces of tool calls are joined by their index, as schema.ConcatMessages
// does, and the calls are handed on when the answer is whole. One whose input was
// cut is never completed: it is a ToolInput in a Response, and a ToolInputStart
// with no ToolCall in a stream. Log probabilities are in Response.Raw, the
// *schema.Message, and in a stream in Raw parts that hold a *schema.LogProbs.
type Model struct {
	id       strata.ModelID
	chat     model.BaseChatModel
	sendName bool
}

var _ strata.Model = (*Model)(nil)

// New returns chat as the model called name. The name is for layers and logs; the
// chat model asks for the one that it was made with, unless [SendName] is given.
// An empty name, a nil chat model and invalid options panic.
func New(name string, chat model.BaseChatModel, opts ...Option) *Model {
	if name == "" {
		panic("eino.New: the model's name is empty")
	}
	if chat == nil {
		panic(fmt.Sprintf("eino.New(%q): the chat model is nil", name))
	}
	m := &Model{id: strata.ModelID{Provider: DefaultProvider, Name: name}, chat: chat}
	if kind, ok := components.GetType(chat); ok && kind != "" && !strings.Contains(kind, "/") {
		m.id.Provider = strings.ToLower(kind)
	}
	for i, o := range opts {
		if o == nil {
			panic(fmt.Sprintf("eino.New(%q): option %d is nil", name, i))
		}
		o(m)
	}
	return m
}

// ID returns the provider, the name and the account that the model was made with.
func (m *Model) ID() strata.ModelID { return m.id }

// ChatModel returns the chat model that New was given.
func (m *Model) ChatModel() model.BaseChatModel { return m.chat }

// An Option sets something of a [Model] when [New] makes it.
type Option func(*Model)

// Provider names the provider in the ModelID. The default is the chat model's type
// in lower case, as its GetType says it ("openai", "ark", "ollama"), else "eino".
// Layers take models of one provider and account to share keys, quota and network,
// and do not walk from one to the other for a failure of those.
func Provider(name string) Option {
	if name == "" || strings.Contains(name, "/") {
		panic(fmt.Sprintf("eino.Provider: %q is no provider's name", name))
	}
	return func(m *Model) { m.id.Provider = name }
}

// Account sets the account in the ModelID, for a program that has several with
// one provider. The default is none.
func Account(name string) Option {
	return func(m *Model) { m.id.Account = name }
}

// SendName has the chat model asked for the Model's name, by model.WithModel, so
// that one chat model serves several. The default is the name that it was made
// with.
func SendName() Option {
	return func(m *Model) { m.sendName = true }
}
