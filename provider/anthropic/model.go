// Package anthropic is a [strata.Model] over the Messages API of the official
// Anthropic SDK, version 2026-10-21 of the API
// (https://platform.claude.com/docs/en/api/messages): Anthropic itself and
// servers that speak its wire, by base URL.
//
//	model := anthropic.New("claude-sonnet-5")
//
// A program that imports the package can also open its models by name, as in
// strata.Open("anthropic/claude-sonnet-5"). Those are made by [New] without
// options; an account's key is in a variable of its own:
// "anthropic/claude-sonnet-5@eu-west" reads ANTHROPIC_API_KEY_EU_WEST, and is an
// error where that is not set.
//
// The SDK's own retries and its time limits for whole answers are off: one call is
// one HTTP request, and layers decide what comes after it and how long it may
// take. Every failure of a call is a *failure.Error. It holds neither the key nor
// the request; an [sdk.Error] in its chain is a copy without both.
//
// # What is sent
//
// Request.ProviderOptions under the name of the [Provider] are fields of the
// JSON body, over those that the Request's own fields gave; so are the options of
// contents and tools in their objects. The wire's messages have no options: those
// of a Message go to the block of its last content, which is where a
// cache_control belongs. Request.Raw may be a func(*sdk.MessageNewParams): it
// edits the parameters last.
//
// The wire requires max_tokens: [DefaultMaxTokens] where the Request has no
// MaxOutputTokens. ReasoningEffort is output_config.effort, and a warning for
// the older models that have none; "none" turns thinking off, which some models
// refuse. Whether and how a model thinks is otherwise its
// own default or the provider option "thinking". A JSON schema is
// output_config.format, which is always strict; its name and description have no
// place. Temperature, TopP and TopK are no longer part of the API: they become
// warnings, unless the provider options have them, for a server that still takes
// them. So do the penalties, Seed, and JSON without a schema.
//
// System messages are the top-level system blocks wherever they stand, since not
// every model takes them between turns. Consecutive messages of one side are one
// turn, results of tools are the user's. A Tool whose options have a type
// ("web_search_20260318") is one of Anthropic's own, and all of its options are
// its object. Images and PDFs go by bytes, address or file ID, other text files by
// bytes or ID.
//
// Thinking goes back with the signature that came with it, redacted thinking as it
// came, and so do citations and the blocks of tools that Anthropic runs. What else
// an assistant message holds (reasoning of other providers, sources, files) is
// left out, and so is thinking that nothing follows. The ID of another provider's
// call is written in the characters that the API takes, and an input that is no
// JSON object goes in one, as Anthropic asks for it. Texts of white space alone,
// which the API refuses anywhere, are left out.
//
// # What comes back
//
// Thinking is Reasoning, its signature (or the data of redacted thinking) is in
// ProviderData. Calls of Anthropic's own tools and their results are ToolCalls and
// ToolResults that are ProviderExecuted; they come in their order, a result's
// Output is the JSON of its content. Citations are Sources behind the text they
// stand in. A block of a kind that has no part is a Raw of an
// [sdk.ContentBlockUnion]. The stop sequence that was met, the container and the
// details of a refusal are in the provider data of the Finish or Response.
//
// A tool call that came without input gets the input "{}". One whose input the
// server cut (at a limit of tokens, say) is never completed: it is a ToolInput in
// a Response, and a ToolInputStart with no ToolCall in a stream. The stop reason
// "refusal" is a failure of kind content where nothing but reasoning came before
// it, else it ends the answer as FinishContentFilter; "pause_turn", which asks for
// the answer to be sent back, is FinishOther.
package anthropic

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// DefaultProvider is the provider's name where [Provider] gives no other.
const DefaultProvider = "anthropic"

// DefaultMaxTokens is the limit of output tokens, thinking included, of a request
// that has none of its own: the wire requires one.
const DefaultMaxTokens = 16384

// Model is a [strata.Model] that asks one model of one server. Make one with
// [New]; any number of goroutines may use it.
type Model struct {
	id      strata.ModelID
	client  sdk.Client
	options []option.RequestOption // of each request, over those of the client
}

var _ strata.Model = (*Model)(nil)

// New returns the model that its provider calls name. Without options it asks
// Anthropic with the key in ANTHROPIC_API_KEY, and it reads the other
// ANTHROPIC_* variables as the SDK does, ANTHROPIC_BASE_URL among them. An empty
// name and invalid options panic.
func New(name string, opts ...Option) *Model {
	if name == "" {
		panic("anthropic.New: the model's name is empty")
	}
	c := config{id: strata.ModelID{Provider: DefaultProvider, Name: name}}
	for i, o := range opts {
		if o == nil {
			panic(fmt.Sprintf("anthropic.New: option %d is nil", i))
		}
		o(&c)
	}
	m := &Model{id: c.id}
	if c.client != nil {
		m.client, m.options = *c.client, c.options
	} else {
		m.client = sdk.NewClient(c.options...)
	}
	return m
}

// ID returns the provider, the name and the account that the model was made with.
func (m *Model) ID() strata.ModelID { return m.id }

// An Option sets something of a [Model] when [New] makes it.
type Option func(*config)

type config struct {
	id      strata.ModelID
	client  *sdk.Client
	options []option.RequestOption
}

func (c *config) add(o option.RequestOption) { c.options = append(c.options, o) }

// APIKey sets the key, which the SDK sends as the bearer token. The default is
// ANTHROPIC_API_KEY, else the SDK's other credentials; without any none is sent.
func APIKey(key string) Option {
	if key == "" {
		panic(`anthropic.APIKey: the key is ""`)
	}
	return func(c *config) { c.add(option.WithAPIKey(key)) }
}

// BaseURL sets the address under which the server's v1/messages is found,
// "https://api.anthropic.com". The default is ANTHROPIC_BASE_URL, else Anthropic.
func BaseURL(address string) Option {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		panic(fmt.Sprintf("anthropic.BaseURL: %q is not an absolute http or https URL", exchange.WithoutSecrets(address)))
	}
	return func(c *config) { c.add(option.WithBaseURL(address)) }
}

// HTTPClient sets the client that sends the requests. The default is the SDK's,
// with connections of this Model's own.
func HTTPClient(client *http.Client) Option {
	if client == nil {
		panic("anthropic.HTTPClient: the client is nil")
	}
	return func(c *config) { c.add(option.WithHTTPClient(client)) }
}

// Provider names the server's provider: in the ModelID, and as the key of
// provider options and provider data. The default is "anthropic". Set it whenever
// the server is not Anthropic's: layers take models of one provider and account to
// share keys, quota and network, and do not walk from one to the other for a
// failure of those.
func Provider(name string) Option {
	if name == "" || strings.Contains(name, "/") {
		panic(fmt.Sprintf("anthropic.Provider: %q is no provider's name", name))
	}
	return func(c *config) { c.id.Provider = name }
}

// Account sets the account in the ModelID, for a program that has several with
// one provider. The default is none.
func Account(name string) Option {
	return func(c *config) { c.id.Account = name }
}

// Headers are sent with every request, over the SDK's own: "anthropic-beta", or an
// older "anthropic-version". The default is none.
func Headers(h http.Header) Option {
	h = h.Clone()
	return func(c *config) { c.options = append(c.options, withHeaders(h)...) }
}

// Client asks through an SDK client of the program's own, one for Bedrock or
// Vertex say; the other options apply over that client's. The default is a client
// made by [New].
func Client(client sdk.Client) Option {
	return func(c *config) { c.client = &client }
}

// RequestOptions adds options of the SDK's own, for what no other option here
// does. The SDK's retries stay off whatever they say.
func RequestOptions(opts ...option.RequestOption) Option {
	for i, o := range opts {
		if o == nil {
			panic(fmt.Sprintf("anthropic.RequestOptions: option %d is nil", i))
		}
	}
	return func(c *config) { c.options = append(c.options, opts...) }
}

func withHeaders(h http.Header) []option.RequestOption {
	var opts []option.RequestOption
	for name, values := range h {
		for i, v := range values {
			if i == 0 {
				opts = append(opts, option.WithHeader(name, v))
			} else {
				opts = append(opts, option.WithHeaderAdd(name, v))
			}
		}
	}
	return opts
}
