// Package google is a [strata.Model] over Google's Gen AI SDK: Gemini models by
// the Gemini API, and by Vertex AI. [NewEmbedding] and [NewImage] ask Google's
// other models through the same options.
//
//	model := google.New("gemini-3-pro-preview")
//	vertex := google.New("gemini-2.5-flash",
//		google.Provider("vertex"),
//		google.Config(genai.ClientConfig{Backend: genai.BackendVertexAI, Project: "acme", Location: "europe-west4"}))
//
// A program that imports the package can also open its models by name, as in
// strata.Open("google/gemini-2.5-flash"). Those are made by [New] without
// options; an account's key is in a variable of its own:
// "google/gemini-2.5-flash@eu-west" reads GEMINI_API_KEY_EU_WEST, and is an error
// where that is not set.
//
// The SDK's own retries and continuations are off: one call is one HTTP request,
// and layers decide what comes after it. Every failure of a call is a
// *failure.Error. It holds neither the key nor the request; a [genai.APIError] in
// its chain is what the server said. A client that cannot be made, for want of a
// key say, is a failure of kind auth of every call, not a panic: a program may
// hold models that it never asks.
//
// # What is sent
//
// Request.ProviderOptions under the name of the [Provider] are fields of the JSON
// body, as the API's reference has them (https://ai.google.dev/api), over those
// that the Request's own fields gave; objects are merged, so that a
// "generationConfig" with one field leaves the others. The options of a message
// are fields of its content object, those of a tool of its declaration; the
// provider data of a content are fields of its part. Request.Raw may be a
// func(*genai.GenerateContentConfig): it edits the SDK's parameters last, to add
// Google's own tools say.
//
// System messages, wherever they stand, are the system instruction. An image or a
// file without bytes goes by its URL or its ID, which Google takes of its Files
// API ("files/abc"), of Cloud Storage, of YouTube and of public addresses. An
// Image.Detail is sent if it is one of the API's media resolutions
// ("MEDIA_RESOLUTION_LOW"). The output of a tool is sent as it is if it is a JSON
// object, else as {"output": …}, and that of a failed one as {"error": …}.
//
// Request.ReasoningEffort is the thinking level of a model, in capitals, and asks
// for its thoughts. Gemini 2 has a budget of tokens in its place: 0 for none,
// 1,024 for minimal and low, 8,192 for medium and 24,576 for high, as Google maps
// them (https://ai.google.dev/gemini-api/docs/openai#thinking). A model that
// cannot do with so little gets the least it takes; that none did not stop it
// from thinking is a warning.
//
// # Signatures
//
// What Gemini wants back with a part, such as its thoughtSignature, is in the
// ProviderData of the Text, Reasoning, ToolCall or File, and goes back in with
// it (https://ai.google.dev/gemini-api/docs/thought-signatures). Reasoning without
// it is not sent. Gemini 3 refuses a function call that has no signature; where
// another model made the first call of a message, the value that Google gives for
// such a case is sent in its place.
//
// # What comes back
//
// In a whole answer each part is a content; in a stream the pieces of a text are
// one, unless two of them are signed. Google gives an ID to some function calls; the others
// get one here. What Google runs itself (code, searches) is a ToolCall and a
// ToolResult with ProviderExecuted. Web pages and documents that the answer was
// drawn from are Sources; whatever else Google says of its answer, such as
// groundingMetadata and safetyRatings, is in the ProviderData of the Finish. Log
// probabilities, if asked for, are in Response.Raw, a
// *genai.GenerateContentResponse, and in a stream in Raw parts that hold one. Only
// the first candidate is read. Function calls whose arguments Vertex AI streams
// (streamFunctionCallArguments) are Raw parts.
//
// A blocked prompt, and an answer that Google stopped before any text, tool call
// or file of it, are failures of kind content, whose code is Google's word; one
// that was stopped later ends with FinishContentFilter.
package google

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"google.golang.org/genai"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// DefaultProvider is the provider's name where [Provider] gives no other.
const DefaultProvider = "google"

// Model is a [strata.Model] that asks one Gemini model. Make one with [New]; any
// number of goroutines may use it.
type Model struct{ *client }

var _ strata.Model = (*Model)(nil)

// New returns the model that Google calls name. Without options it asks the Gemini
// API with the key in GOOGLE_API_KEY or GEMINI_API_KEY, or Vertex AI where
// GOOGLE_GENAI_USE_VERTEXAI says so, and it reads the other variables as the SDK
// does, now. An empty name and invalid options panic. A missing key does not: it
// is the error of each call.
func New(name string, opts ...Option) *Model {
	return &Model{newClient("New", name, opts)}
}

// ID returns the provider, the name and the account that the model was made with.
func (c *client) ID() strata.ModelID { return c.id }

// An Option sets something of a model when [New], [NewEmbedding] or [NewImage]
// makes it.
type Option func(*config)

type config struct {
	id      strata.ModelID
	sdk     genai.ClientConfig
	edits   []func(*genai.ClientConfig) // over sdk, whichever option came first
	headers http.Header
}

func (c *config) edit(e func(*genai.ClientConfig)) { c.edits = append(c.edits, e) }

// APIKey sets the key. The default is GOOGLE_API_KEY, else GEMINI_API_KEY.
func APIKey(key string) Option {
	if key == "" {
		panic(`google.APIKey: the key is ""`)
	}
	return func(c *config) { c.edit(func(sdk *genai.ClientConfig) { sdk.APIKey = key }) }
}

// BaseURL sets the address of the server, without the API's version:
// "https://generativelanguage.googleapis.com". The default is
// GOOGLE_GEMINI_BASE_URL (for Vertex AI, GOOGLE_VERTEX_BASE_URL), else Google.
func BaseURL(address string) Option {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		panic(fmt.Sprintf("google.BaseURL: %q is not an absolute http or https URL", exchange.WithoutSecrets(address)))
	}
	return func(c *config) { c.edit(func(sdk *genai.ClientConfig) { sdk.HTTPOptions.BaseURL = address }) }
}

// HTTPClient sets the client that sends the requests; it is copied. For Vertex AI
// it must see to credentials itself. The default is the SDK's.
func HTTPClient(client *http.Client) Option {
	if client == nil {
		panic("google.HTTPClient: the client is nil")
	}
	return func(c *config) { c.edit(func(sdk *genai.ClientConfig) { sdk.HTTPClient = client }) }
}

// Provider names the provider: in the ModelID, and as the key of provider options
// and provider data. The default is "google". Set it for Vertex AI where a program
// asks the Gemini API too: layers take models of one provider and account to share
// keys, quota and network, and do not walk from one to the other for a failure of
// those.
func Provider(name string) Option {
	if name == "" || strings.Contains(name, "/") {
		panic(fmt.Sprintf("google.Provider: %q is no provider's name", name))
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
	return func(c *config) {
		if c.headers == nil {
			c.headers = http.Header{}
		}
		for name, values := range h {
			c.headers[http.CanonicalHeaderKey(name)] = values
		}
	}
}

// Config makes the SDK's client of this configuration, which chooses Vertex AI, a
// project and credentials say; the other options apply over it. The default is the
// zero configuration, which the SDK fills from the environment.
func Config(cc genai.ClientConfig) Option {
	return func(c *config) { c.sdk = cc }
}

// Client asks as an SDK client of the program's own does: by its configuration,
// credentials and HTTP client. The other options apply over it. The client itself
// stays as it is.
func Client(client *genai.Client) Option {
	if client == nil {
		panic("google.Client: the client is nil")
	}
	return func(c *config) {
		c.sdk = client.ClientConfig()
		if c.sdk.Backend == genai.BackendGeminiAPI {
			c.sdk.Project, c.sdk.Location = "", "" // the SDK fills them from the environment and then refuses them
		}
	}
}
