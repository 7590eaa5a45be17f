// Package fantasy is the bridge to charm.land/fantasy, both ways: any of its
// language models as a [strata.Model], and any strata Model, with all its layers,
// as a fantasy LanguageModel. Bedrock, Azure, OpenRouter, Vercel and whatever
// else fantasy speaks to so get layers, and a program built on fantasy gets them
// by wrapping one value.
//
//	import sdk "charm.land/fantasy"
//
//	lm, err := provider.LanguageModel(ctx, "anthropic.claude-sonnet-5") // fantasy's
//	model := strata.Wrap(fantasy.New(lm), middleware.Fallback(other))   // strata's
//
//	agent := sdk.NewAgent(fantasy.Wrap(fantasy.New(lm), middleware.Fallback(other)))
//
// # Provider options and metadata
//
// Fantasy's are Go values of a type that a provider registers by name. Such a
// value stands in [strata.ProviderData] under [Key] and fantasy's name of the
// provider, as it is, and goes back in unchanged:
//
//	req.ProviderOptions = strata.ProviderData{fantasy.Key: {
//		"anthropic": &anthropic.ProviderOptions{Effort: &effort},
//	}}
//
// Its JSON does as well, {"type": "anthropic.options", "data": {…}}, as a
// conversation has it that was stored and read again, where the provider's
// package is linked. Plain fields in Request.ProviderOptions, {"anthropic":
// {"effort": "low"}}, are read as fantasy's own type "anthropic.options"; fields
// that it has not are told as a warning.
//
// Other plain fields, which fantasy has no type for, cross it in an [Extra]. So a
// program of fantasy's sets what strata's own adapters take, which do not read
// fantasy's values:
//
//	sdk.ProviderOptions{fantasy.ExtraKey: &fantasy.Extra{ProviderData: strata.ProviderData{
//		"anthropic": {"cache_control": map[string]any{"type": "ephemeral"}},
//	}}}
//
// # What is sent
//
// Request.Raw may be a func(*sdk.Call): it edits the call last. StopSequences,
// Seed, ReasoningEffort and a tool's Strict have no place in a call and become
// warnings; options of the provider's own may say the same. Tools that a provider
// defines are under the key "tools" of ProviderOptions[Key], as a []sdk.Tool, and
// are sent behind the request's own. Images and files are sent by their bytes or
// a data URL; any other address, and a file's ID, is a failure of kind invalid,
// as is a tool result of more than one file. Of what an assistant message holds, sources,
// raw contents and tool inputs without a call are left out.
//
// A ResponseFormat with a schema, where there are no tools, asks by fantasy's
// GenerateObject and StreamObject, whose text is the answer: the object as JSON.
// Request.Raw may be a func(*sdk.ObjectCall) then. Whether it follows the schema
// is not checked here. StreamObject has objects and no text: each becomes an
// [Object] part, and the text comes at the end. Keywords that fantasy's schemas do
// not have become a warning, and so does a format without a schema, or beside
// tools.
//
// # What comes back
//
// Counts of tokens mean one thing for every provider, see [CountsCached]. The
// raw finish reason is fantasy's word; it does not tell the provider's own.
// Fantasy keeps neither response headers nor the server's name of the model; the
// headers are seen where its provider was given an [HTTPClient]. Fantasy has one
// word for a Gemini prompt that was blocked and an answer that has nothing in
// it, "no response from model": that failure is of kind unknown.
//
// # Versions
//
// This is for fantasy v0.41.2; newer ones want Go 1.27. Its OpenAI provider, and
// those over it (Azure, OpenRouter, Vercel and compatible servers), do not build
// with the openai-go v3.99 that strata's provider/openai needs: one program cannot
// have both. This package links none of fantasy's providers.
package fantasy

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	sdk "charm.land/fantasy"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// Model is a [strata.Model] that asks a fantasy LanguageModel. Make one with
// [New]; any number of goroutines may use it, if they may use the LanguageModel.
type Model struct {
	id     strata.ModelID
	lm     sdk.LanguageModel
	counts counts
}

var _ strata.Model = (*Model)(nil)

// New returns lm as a strata Model. Its ID is what lm says of itself, unless
// options say otherwise. A nil lm and invalid options panic. Without options, New
// takes out again what [Wrap] made: New(Wrap(m)) is m.
//
// Fantasy's providers make one HTTP request a call; their failures are all
// *failure.Error here. They hold neither the key nor the request; a
// *sdk.ProviderError in their chain is a copy without both.
func New(lm sdk.LanguageModel, opts ...Option) strata.Model {
	if lm == nil {
		panic("fantasy.New: the language model is nil")
	}
	if w, ok := lm.(*LanguageModel); ok && len(opts) == 0 {
		return w.model
	}
	m := &Model{lm: lm, id: strata.ModelID{Provider: lm.Provider(), Name: lm.Model()}, counts: countsOf(lm)}
	for i, o := range opts {
		if o == nil {
			panic(fmt.Sprintf("fantasy.New: option %d is nil", i))
		}
		o(m)
	}
	return m
}

// ID returns the provider, the name and the account of the model.
func (m *Model) ID() strata.ModelID { return m.id }

// LanguageModel returns the fantasy model that is asked.
func (m *Model) LanguageModel() sdk.LanguageModel { return m.lm }

// An Option sets something of a [Model] when [New] makes it.
type Option func(*Model)

// Provider names the provider in the ModelID. The default is what the language
// model says. Layers take models of one provider and account to share keys,
// quota and network.
func Provider(name string) Option {
	if name == "" || strings.Contains(name, "/") {
		panic(fmt.Sprintf("fantasy.Provider: %q is no provider's name", name))
	}
	return func(m *Model) { m.id.Provider = name }
}

// Account sets the account in the ModelID, for a program that has several with
// one provider. The default is none.
func Account(name string) Option {
	return func(m *Model) { m.id.Account = name }
}

// CountsCached says how the language model counts tokens: whether its
// InputTokens hold the cached ones, and whether its OutputTokens leave out those
// of reasoning. The default is how fantasy's providers do it: Google's have the
// one and leave out the other, Kronk's have the one, all others neither. It is
// told by the model's type, or else by its provider's name.
//
// Known to be off in fantasy v0.41.2: in a stream Google's provider adds up
// counts that the wire reports as sums so far.
func CountsCached(inInput, reasoningApart bool) Option {
	return func(m *Model) { m.counts = counts{inInput, reasoningApart} }
}

// HTTPClient returns a client to give to a fantasy provider (WithHTTPClient in
// its package), around client or, for nil, the default one. With it a [Model]
// also knows the response: its headers are in the metadata, its bytes are told to
// [strata.Trace], so that a timeout of silence works, what the request carried as
// credentials is cut out of failures, and a connection is given back behind a
// stream. It suits one HTTP request a call.
func HTTPClient(client *http.Client) *http.Client { return exchange.Client(client) }

// Opener returns the factory that [strata.Register] takes, for the models of a
// fantasy provider:
//
//	strata.Register("bedrock", fantasy.Opener(provider))
//	model, err := strata.Open("bedrock/anthropic.claude-sonnet-5")
//
// Fantasy's provider has one key, so an ID that names an account is an error.
func Opener(provider sdk.Provider) func(strata.ModelID) (strata.Model, error) {
	if provider == nil {
		panic("fantasy.Opener: the provider is nil")
	}
	return func(id strata.ModelID) (strata.Model, error) {
		if id.Account != "" {
			return nil, fmt.Errorf("fantasy: account %q: a provider of fantasy has one account", id.Account)
		}
		lm, err := provider.LanguageModel(context.Background(), id.Name)
		if err != nil {
			return nil, fmt.Errorf("fantasy: %w", err)
		}
		return New(lm, Provider(id.Provider)), nil
	}
}

// typeOf returns the last element of the package of lm's type, for one of
// fantasy's own providers.
func typeOf(lm sdk.LanguageModel) string {
	t := reflect.TypeOf(lm)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, ok := strings.CutPrefix(t.PkgPath(), "charm.land/fantasy/providers/")
	if !ok {
		return ""
	}
	return name
}
