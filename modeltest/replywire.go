package modeltest

import (
	"encoding/json"
	"net/http"

	"github.com/strata-go/strata"
)

// A wire is one API as it is spoken over HTTP. It knows nothing of faults: the
// steps of a reply do, and write through it.
type wire interface {
	// matches reports whether r asks this API.
	matches(r *http.Request) bool

	// read reads what the server must know of a request.
	read(r *http.Request, body []byte) (ask, error)

	// encoder returns what writes the server's nth answer. The usage that the
	// reply has is known ahead, since some APIs send it ahead; nil is none.
	encoder(n int, asked ask, usage *strata.Usage) encoder
}

// An ask is what the server must know of a request.
type ask struct {
	model  string
	stream bool
	usage  bool // the stream should end with the usage
}

// readBody reads what the server must know of a body that says all of it.
func readBody(body []byte) (ask, error) {
	var in struct {
		Model         string `json:"model"`
		Stream        bool   `json:"stream"`
		StreamOptions struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	err := json.Unmarshal(body, &in)
	return ask{model: in.Model, stream: in.Stream, usage: in.StreamOptions.IncludeUsage}, err
}

// An encoder writes the pieces of one answer.
type encoder interface {
	// frames returns the events that carry a piece in a stream, which may be
	// none.
	frames(p piece) []frame

	// whole returns the JSON of an answer made of pieces.
	whole(pieces []piece) string

	// event returns data as an event of the API's.
	event(data string) frame

	// keepAlive returns what the API sends to keep a stream alive.
	keepAlive() frame

	// errorEvent returns an error in a stream.
	errorEvent(code, message string) frame

	// errorBody returns the JSON of an error with an HTTP status.
	errorBody(status int, code, message string) string
}

// A frame is one event of an event stream, or a comment in one.
type frame struct {
	event   string // its type, where the API's events have one
	data    string
	comment string // in place of data
}

// plain is what wires have in common whose events have no type and whose
// servers keep a stream alive by comments.
type plain struct{}

func (plain) event(data string) frame { return frame{data: data} }

func (plain) keepAlive() frame { return frame{comment: "ping"} }

// A piece is a bit of an answer, whatever wire carries it.
type piece any

type (
	opening        struct{}
	textPiece      string
	reasoningPiece string
	refusalPiece   string
	toolStart      struct {
		index    int
		id, name string
		last     bool // there is no input
	}
	toolPiece struct {
		index int
		input string
		last  bool // the input is whole
	}
	finishPiece strata.FinishReason // one of ours, or the API's own word
	usagePiece  strata.Usage
	endMarker   struct{}
)
