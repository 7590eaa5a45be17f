package modeltest

import (
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

	// encoder returns what writes the server's nth answer.
	encoder(n int, asked ask) encoder

	// failure returns an error: an event, of which the data is also a body.
	failure(code, message string) frame
}

// An ask is what the server must know of a request.
type ask struct {
	model  string
	stream bool
	usage  bool // the stream should end with the usage
}

// An encoder writes the pieces of one answer.
type encoder interface {
	// frames returns the events that carry a piece in a stream, which may be
	// none.
	frames(p piece) []frame

	// whole returns the JSON of an answer made of pieces.
	whole(pieces []piece) string

	// failure returns an error, as that of the wire does.
	failure(code, message string) frame
}

// A frame is one event of an event stream.
type frame struct {
	event string // its type; most APIs have none
	data  string
}

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
	}
	toolPiece struct {
		index int
		input string
	}
	finishPiece strata.FinishReason // one of ours, or the API's own word
	usagePiece  strata.Usage
	endMarker   struct{}
)
