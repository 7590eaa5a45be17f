package modeltest

import (
	"fmt"
	"html"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/strata-go/strata"
)

// Forever is the length of a stall that only the client or [Server.Close] ends.
const Forever time.Duration = math.MaxInt64

// A Reply is what a [Server] does with one request: a status, headers, and
// steps that are played in their order. [OK], [Send] and [Status] begin
// one, and every method returns a new Reply with one thing more:
//
//	modeltest.OK("The sky", " is blue.")
//	modeltest.OK("One", "token", "a", "second").Pace(time.Second)
//	modeltest.Send().Stall(modeltest.Forever)                          // before the headers
//	modeltest.Send().Head().Stall(modeltest.Forever)                   // before the first event
//	modeltest.Send("The sky").Stall(time.Second).Text(" is").Cut()     // in mid-answer, then gone
//	modeltest.Send("The sky").Error("server_error", "try again")       // inside a 200 stream
//	modeltest.Send("The sky").Done()                                   // no finish reason
//	modeltest.Send("The sky").Finish(strata.FinishStop)                // no end marker
//	modeltest.Send("The sky").Malformed()                              // broken JSON
//	modeltest.Send().Huge(4 << 20)                                     // an event line of 4 MiB
//	modeltest.Send().Reset()                                           // connection reset by peer
//	modeltest.Status(429).Header("Retry-After", "2").Error("rate_limit_exceeded", "slow down")
//	modeltest.Status(502).HTML("Bad Gateway")
//
// The steps say what happens; how it is written is up to the API that was
// asked. Where the request asks for a stream, and the status is 2xx, each piece
// of the answer is an event of its own, sent at once, with the events around it
// that the API has where text, reasoning and tool calls take turns. Otherwise
// the pieces are collected and sent as one JSON body when the steps are done,
// and a step that is about events does there what its comment says.
//
// Nothing is sent that is not asked for: a Reply that ends without Finish has
// no finish reason, and one without Done no end marker. When the steps are done
// the HTTP response ends cleanly, unless Cut or Reset was the last.
//
// A Reply is a value that never changes: several servers and requests may play
// the same one, also at the same time. The zero Reply is an empty answer with
// status 200. Methods panic on what can not be played, naming it.
type Reply struct {
	status int // 0: 200
	header http.Header
	model  string
	pace   time.Duration
	tools  int           // tool calls so far
	usage  *strata.Usage // the last one
	over   bool
	steps  []step
}

// A step does one thing on the connection. It returns an error when nothing
// more can be done there.
type step func(*player) error

// OK returns an ordinary answer: text in pieces, the finish reason "stop", a
// usage of one token in and one token out for each piece, and the end marker.
func OK(pieces ...string) Reply {
	return Send(pieces...).
		Finish(strata.FinishStop).
		Usage(strata.Usage{InputTokens: 1, OutputTokens: int64(len(pieces))}).
		Done()
}

// Send begins a reply of status 200 with pieces of text, or with nothing.
func Send(pieces ...string) Reply { return Reply{}.Text(pieces...) }

// Status begins a reply of the status code, from 200 to 599. Nothing but a 2xx is
// ever a stream.
func Status(code int) Reply {
	if code < 200 || code > 599 {
		panic(fmt.Sprintf("modeltest: Status(%d): not from 200 to 599", code))
	}
	return Reply{status: code}
}

// Header sets a header of the response, wherever in the reply it is called. The
// default Content-Type is text/event-stream or application/json.
func (r Reply) Header(name, value string) Reply {
	if name == "" {
		panic(fmt.Sprintf("modeltest: Reply.Header(%q, %q): no name", name, value))
	}
	if r.header = r.header.Clone(); r.header == nil {
		r.header = http.Header{}
	}
	r.header.Set(name, value)
	return r
}

// Model sets the name that the answer gives as its model's, wherever in the
// reply it is called. By default that is the name in the request.
func (r Reply) Model(name string) Reply {
	r.model = name
	return r
}

// Pace sets the time from one event to the next, wherever in the reply it is
// called. It comes on top of stalls; comments do not count as events. A whole
// answer takes the time of its pieces before it is sent. The default is 0.
func (r Reply) Pace(d time.Duration) Reply {
	notNegative("Pace", d)
	r.pace = d
	return r
}

// Head sends the status and the headers now, and not with the first byte of
// the body.
func (r Reply) Head() Reply { return r.then((*player).head) }

// Open sends what opens a stream, which says who speaks and has no content. It
// is otherwise sent with the first piece of the answer. A whole answer and the
// Gemini API have none.
func (r Reply) Open() Reply { return r.send(opening{}) }

// Text adds pieces of text.
func (r Reply) Text(pieces ...string) Reply {
	for _, p := range pieces {
		r = r.send(textPiece(p))
	}
	return r
}

// Reasoning adds pieces of reasoning. Where the API signs reasoning, or encrypts
// it, the signature follows where it has its place: at the end of an Anthropic
// block and of a Responses item, in the Gemini part behind the thought.
func (r Reply) Reasoning(pieces ...string) Reply {
	for _, p := range pieces {
		r = r.send(reasoningPiece(p))
	}
	return r
}

// Refusal adds pieces of a refusal, in the field that the OpenAI APIs have for
// it. With the others a refusal is a reason to end: nothing is sent until
// Finish, which then says, whatever its reason, "refusal" (Anthropic), or
// "SAFETY" (Gemini: of the prompt, where no content went before), and brings
// the pieces as the explanation.
func (r Reply) Refusal(pieces ...string) Reply {
	for _, p := range pieces {
		r = r.send(refusalPiece(p))
	}
	return r
}

// ToolCall adds a call of the tool name, with its input (JSON) in pieces. An
// event with the ID and the name comes before them. The Gemini API sends a call
// whole, and so are all in a whole answer. Where the input is not JSON by then,
// and the API has no text there, it is a JSON string.
func (r Reply) ToolCall(id, name string, input ...string) Reply {
	index := r.tools
	r.tools++
	r = r.send(toolStart{index: index, id: id, name: name, last: len(input) == 0})
	for i, p := range input {
		r = r.send(toolPiece{index: index, input: p, last: i == len(input)-1})
	}
	return r
}

// Huge adds one piece of text of n bytes, so that its event is a single line
// longer than that.
func (r Reply) Huge(n int) Reply {
	if n <= 0 {
		panic(fmt.Sprintf("modeltest: Reply.Huge(%d): not positive", n))
	}
	return r.Text(strings.Repeat("x", n))
}

// Finish adds the reason why the answer ended. The reasons of package strata
// are sent in the words of the API that was asked, as far as it has one; any
// other is sent as it is. The Responses API has a status and its last event for
// it: [strata.FinishError] is "failed", a reason of no other status makes the
// response "incomplete" for that reason.
func (r Reply) Finish(reason strata.FinishReason) Reply { return r.send(finishPiece(reason)) }

// Usage adds the usage, which is sent as the API counts it and where the API
// sends it, wherever in the reply it is called: in a whole answer; at the start
// of a stream, with its input alone, and with the finish (Anthropic, Gemini);
// with the finish (Responses). In a stream of the Chat Completions API it is
// sent here, when asked for by stream_options.include_usage. Where an API sends
// a total, one of 0 is sent as the sum. Of several the last counts.
func (r Reply) Usage(u strata.Usage) Reply {
	r.usage = &u
	return r.send(usagePiece(u))
}

// Done sends the marker that ends a stream: "[DONE]" or, with Anthropic,
// message_stop. A whole answer, the Responses and the Gemini API have none.
func (r Reply) Done() Reply { return r.send(endMarker{}) }

// Stall does nothing for d, or [Forever]. It ends early when the client
// disconnects or the server closes, and the reply with it.
func (r Reply) Stall(d time.Duration) Reply {
	notNegative("Stall", d)
	return r.then(func(p *player) error { return p.sleep(d) })
}

// Comment sends an event stream's comment, ": text", as servers do to keep a
// connection alive. Where the answer is whole it is an empty line ahead of the
// JSON.
func (r Reply) Comment(text string) Reply {
	return r.then(func(p *player) error { return p.format.comment(text) })
}

// KeepAlive stalls for d, or [Forever], and sends now, and every so often while
// it does, what keeps a stream alive: a ping event (Anthropic), a keepalive event
// (Responses), or a comment, ": ping". Gemini itself sends nothing of the kind,
// but gateways before it do.
func (r Reply) KeepAlive(every, d time.Duration) Reply {
	if every <= 0 {
		panic(fmt.Sprintf("modeltest: Reply.KeepAlive: every %v: not positive", every))
	}
	notNegative("KeepAlive", d)
	return r.then(func(p *player) error {
		for left := d; ; left -= every {
			if err := p.format.keepAlive(); err != nil {
				return err
			}
			if left <= every {
				return p.sleep(left)
			}
			if err := p.sleep(every); err != nil {
				return err
			}
		}
	})
}

// Error sends an error in the API's own form: an event in a stream, else the
// body, in place of the pieces so far. The code is sent as it is, so it should
// be one of the API's words: "rate_limit_exceeded" (OpenAI), "rate_limit_error"
// (Anthropic), "RESOURCE_EXHAUSTED" (Gemini). A Gemini error has a number as
// well: the status of the response, or in a 2xx that of the code, or 500.
func (r Reply) Error(code, message string) Reply {
	return r.then(func(p *player) error { return p.format.fail(code, message) })
}

// Event sends data as an event, whatever it holds. Where the API names its
// events, the name is the "type" in data, if that has one. Where the answer is
// whole, data is the body, in place of the pieces so far.
func (r Reply) Event(data string) Reply {
	return r.then(func(p *player) error { return p.format.event(data) })
}

// Malformed sends an event that holds half the JSON of a piece of text. Where the
// answer is whole, the body is half the JSON of the pieces so far.
func (r Reply) Malformed() Reply {
	return r.then(func(p *player) error { return p.format.malformed() })
}

// Body sends body byte for byte, with no event around it, in place of the
// pieces so far where the answer is whole, and sets the Content-Type.
func (r Reply) Body(contentType, body string) Reply {
	return r.Header("Content-Type", contentType).
		then(func(p *player) error { return p.format.raw(body) })
}

// HTML sends a page such as proxies and gateways answer with.
func (r Reply) HTML(title string) Reply {
	t := html.EscapeString(title)
	return r.Body("text/html; charset=utf-8", "<!DOCTYPE html>\n<html>\n<head><title>"+t+
		"</title></head>\n<body><h1>"+t+"</h1></body>\n</html>\n")
}

// Cut closes the connection with the response unfinished: the client sees an
// unexpected end of file. Where the answer is whole, half the JSON of the
// pieces so far goes first. Nothing may follow.
func (r Reply) Cut() Reply { return r.hangUp((*player).cut) }

// Reset is Cut with a TCP reset in place of an orderly close: the client sees
// "connection reset by peer". What was sent before it may be lost on the way,
// as resets have it. Nothing may follow.
func (r Reply) Reset() Reply { return r.hangUp((*player).reset) }

func (r Reply) send(p piece) Reply {
	return r.then(func(player *player) error { return player.format.send(p) })
}

func (r Reply) hangUp(s step) Reply {
	r = r.then(s)
	r.over = true
	return r
}

func (r Reply) then(s step) Reply {
	if r.over {
		panic("modeltest: Reply: a step after Cut or Reset: the connection is closed")
	}
	r.steps = append(slices.Clip(r.steps), s)
	return r
}

func notNegative(method string, d time.Duration) {
	if d < 0 {
		panic(fmt.Sprintf("modeltest: Reply.%s: %v: negative", method, d))
	}
}
