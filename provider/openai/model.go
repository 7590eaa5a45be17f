// Package openai is a [strata.Model] over the official OpenAI SDK: OpenAI itself
// and every server that speaks its wire, by base URL (Azure OpenAI, OpenRouter,
// Groq, xAI, vLLM, llama.cpp …). [New] asks over Chat Completions, which most
// servers know, and [NewResponses] over the Responses API. [NewEmbedding] and
// [NewImage] are the models of the packages embedding and image.
//
//	model := openai.New("gpt-5")
//	groq := openai.New("llama-3.3-70b-versatile",
//		openai.Provider("groq"),
//		openai.BaseURL("https://api.groq.com/openai/v1"),
//		openai.APIKey(os.Getenv("GROQ_API_KEY")))
//
// A program that imports the package can also open its models by name, as in
// strata.Open("openai/gpt-5"). Those are made by [New] without options; an
// account's key is in a variable of its own: "openai/gpt-5@eu-west" reads
// OPENAI_API_KEY_EU_WEST, and is an error where that is not set.
//
// The SDK's own retries are off: one call is one HTTP request, and layers
// decide what comes after it. Every failure of a call is a *failure.Error. It
// holds neither the key nor the request; an [sdk.Error] in its chain is a copy
// without both.
//
// What follows is about [Model]; the other types say of themselves what they do
// otherwise.
//
// # What is sent
//
// Request.ProviderOptions under the name of the [Provider] are fields of the
// JSON body, over those that the Request's own fields gave; so are the options
// of a message and of a tool in their objects. Request.Raw may be a
// func(*sdk.ChatCompletionNewParams): it edits the parameters last. TopK has no
// place on the wire and becomes a warning, unless a provider option "top_k" is
// set. Whether a tool result is an error has none either; its output must say so.
//
// Reasoning goes back to the server that sent it, in the field it came in. Of
// an assistant message's contents, text, reasoning and tool calls are sent; what
// else an answer held is left out.
//
// # What comes back
//
// Reasoning is read from the fields that compatible servers use for it:
// reasoning_content, reasoning, reasoning_text and OpenRouter's
// reasoning_details. A tool call that came without arguments gets the input
// "{}". One whose input the server cut (at a limit of tokens, say) is never
// completed: it is a ToolInput in a Response, and a ToolInputStart with no
// ToolCall in a stream. A finish reason "stop" beside tool calls is told as
// FinishToolCalls; the raw word stays. An answer in the API's refusal field is a
// failure of kind content, and so is one that the provider's filter stopped before
// it said anything; behind the first text or tool call that is a
// FinishContentFilter. Log probabilities, if asked for, are in
// Response.Raw, a *sdk.ChatCompletion, and in a stream in Raw parts that hold an
// sdk.ChatCompletionChunk. Only the first choice is read.
package openai

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// DefaultProvider is the provider's name where [Provider] gives no other.
const DefaultProvider = "openai"

// Model is a [strata.Model] that asks one model of one server. Make one with
// [New]; any number of goroutines may use it.
type Model struct {
	endpoint
	service   sdk.ChatCompletionService
	maxTokens string
}

var _ strata.Model = (*Model)(nil)

// New returns the model that its provider calls name. Without options it asks
// OpenAI with the key in OPENAI_API_KEY, and it reads the other OPENAI_*
// variables as the SDK does, OPENAI_BASE_URL among them. An empty name and
// invalid options panic.
func New(name string, opts ...Option) *Model {
	c := configure("New", name, opts)
	client, at := c.connect()
	return &Model{at, client.Chat.Completions, cmp.Or(c.maxTokens, "max_completion_tokens")}
}

// configure applies the options of the constructor by.
func configure(by, name string, opts []Option) *config {
	if name == "" {
		panic(fmt.Sprintf("openai.%s: the model's name is empty", by))
	}
	c := &config{id: strata.ModelID{Provider: DefaultProvider, Name: name}}
	for i, o := range opts {
		if o == nil {
			panic(fmt.Sprintf("openai.%s: option %d is nil", by, i))
		}
		o(c)
	}
	if c.maxTokens != "" && by != "New" {
		panic(fmt.Sprintf("openai.%s: MaxTokensField(%q) is an option of New alone", by, c.maxTokens))
	}
	return c
}

// connect returns the client to ask by, and what is asked.
func (c *config) connect() (sdk.Client, endpoint) {
	if c.client != nil {
		return *c.client, endpoint{c.id, c.options}
	}
	return sdk.NewClient(c.options...), endpoint{id: c.id}
}

// An Option sets something of a model when [New], [NewResponses],
// [NewEmbedding] or [NewImage] makes it.
type Option func(*config)

type config struct {
	id        strata.ModelID
	client    *sdk.Client
	options   []option.RequestOption
	maxTokens string
}

func (c *config) add(o option.RequestOption) { c.options = append(c.options, o) }

// APIKey sets the key that is sent as the bearer token. The default is
// OPENAI_API_KEY; without either none is sent.
func APIKey(key string) Option {
	if key == "" {
		panic(`openai.APIKey: the key is ""`)
	}
	return func(c *config) { c.add(option.WithAPIKey(key)) }
}

// BaseURL sets the address under which the server's chat/completions, responses,
// embeddings and images are found, "https://api.groq.com/openai/v1". The default is OPENAI_BASE_URL, else OpenAI.
func BaseURL(address string) Option {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		panic(fmt.Sprintf("openai.BaseURL: %q is not an absolute http or https URL", exchange.WithoutSecrets(address)))
	}
	return func(c *config) { c.add(option.WithBaseURL(address)) }
}

// HTTPClient sets the client that sends the requests. The default is the SDK's,
// with connections of this model's own.
func HTTPClient(client *http.Client) Option {
	if client == nil {
		panic("openai.HTTPClient: the client is nil")
	}
	return func(c *config) { c.add(option.WithHTTPClient(client)) }
}

// Provider names the server's provider: in the ModelID, and as the key of
// provider options and provider data. The default is "openai". Set it whenever
// the server is not OpenAI's: layers take models of one provider and account to
// share keys, quota and network, and do not walk from one to the other for a
// failure of those.
func Provider(name string) Option {
	if name == "" || strings.Contains(name, "/") {
		panic(fmt.Sprintf("openai.Provider: %q is no provider's name", name))
	}
	return func(c *config) { c.id.Provider = name }
}

// Account sets the account in the ModelID, for a program that has several with
// one provider. The default is none.
func Account(name string) Option {
	return func(c *config) { c.id.Account = name }
}

// Headers are sent with every request, over the SDK's own. The default is none.
func Headers(h http.Header) Option {
	h = h.Clone()
	return func(c *config) { c.options = append(c.options, withHeaders(h)...) }
}

// MaxTokensField sets the field of the body that carries MaxOutputTokens. The
// default is "max_completion_tokens"; older servers know only "max_tokens". It is
// an option of [New] alone, elsewhere it panics.
func MaxTokensField(name string) Option {
	if name == "" {
		panic(`openai.MaxTokensField: the name is ""`)
	}
	return func(c *config) { c.maxTokens = name }
}

// Client asks through an SDK client of the program's own; the other options
// apply over that client's. The default is a client of the model's own.
func Client(client sdk.Client) Option {
	return func(c *config) { c.client = &client }
}

// RequestOptions adds options of the SDK's own, such as those of its azure
// package, for what no other option here does. The SDK's retries stay off
// whatever they say.
func RequestOptions(opts ...option.RequestOption) Option {
	for i, o := range opts {
		if o == nil {
			panic(fmt.Sprintf("openai.RequestOptions: option %d is nil", i))
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
