package failure

import (
	"errors"
	"net/http"
	"regexp"
)

// Classify returns a copy of e in which the fields that follow from others are
// filled: Code and Message from the body, Kind from all there is, RetryAfter
// from headers, body and message. A field that is set already stays (a wait if it
// is believable), and counts as evidence as the body does.
//
// What the payload says outright outranks the status; with no such evidence the
// status speaks, then the cause, as in [Of]. An error inside a stream that
// nothing explains is an overload. InStream is set by status 200.
//
// What may carry a key is left out: of the headers the ones that [ScrubHeaders]
// drops, and in message, body and code whatever looks like a key. So is what a
// payload quotes of the prompt, where that can be told. The message is
// one line of at most 500 bytes; the body is cut at [MaxBody]. Evidence is looked
// for in the first 64 KiB of the body.
func Classify(e Error) *Error {
	if e.Status == http.StatusOK {
		e.InStream = true
	}
	e.Headers = ScrubHeaders(e.Headers)
	f := read(&e)
	if e.Kind == "" {
		e.Kind = f.kind(&e)
	}
	if !believable(e.RetryAfter) {
		e.RetryAfter = f.wait(&e)
	}
	if e.Code == "" {
		e.Code = f.code
	}
	if e.Message == "" {
		e.Message = f.message
	}
	e.Code, e.Message = line(e.Code, maxCode), line(e.Message, maxMessage)
	e.Body = cut(scrub(mute(head(e.Body, MaxBody+slack))), MaxBody)
	return &e
}

// kind says what the failure is: by the evidence, else by the status, else by
// the cause.
func (f *facts) kind(e *Error) Kind {
	if k := f.evidence(); k != "" {
		return k
	}
	if k := f.byStatus(); k != "" {
		return k
	}
	if k := Of(e.Err); k != Unknown {
		return k
	}
	if e.InStream && !errors.Is(e.Err, ErrNoImage) {
		return Overload
	}
	return Unknown
}

// byStatus is what a status means where nothing else is known (RFC 9110, 6585;
// 522 and 524 are Cloudflare's, 529 Anthropic's). The empty Kind means that the
// status is not that of a failure.
func (f *facts) byStatus() Kind {
	switch s := f.status; {
	case s == 408, s == 504, s == 522, s == 524:
		return Timeout
	case s == 409, s == 425, s >= 500:
		return Overload
	case s == 429:
		return Rate
	case s == 402:
		return Quota
	case s == 401, s == 403:
		return Auth
	case s == 404 && f.namesModel():
		return Model
	case s == 413:
		return Context
	case s >= 400:
		return Invalid
	}
	return ""
}

// namesModel reports whether the payload speaks of a model, other than as part
// of a path (/v1/models).
func (f *facts) namesModel() bool {
	return naming.MatchString(f.text)
}

// naming finds the word, or the name of a family of models with its version.
var naming = regexp.MustCompile(`(?:^|[^/\w])(?:model|deployment|claude [\w.-]+ \d|(?:gpt|claude|gemini)-\d)`)
