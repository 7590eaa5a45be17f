package google

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// maxEvent bounds an event of a stream, in bytes.
const maxEvent = 32 << 20

// An event is one of a stream of server-sent events, as the HTML standard has
// them: https://html.spec.whatwg.org/multipage/server-sent-events.html
type event struct {
	name string
	data []byte // valid until the next one

	// bare says that the data is what the server sent in place of events, to the
	// end of the body.
	bare bool
	// ended says that an empty line closed the event; else the body just ended.
	ended bool
}

// events reads a stream event by event. Comments, and events without data, are
// passed over.
type events struct {
	r    *bufio.Reader
	line []byte
	data []byte
}

// next returns the next event. Its error is io.EOF where the body ended, and what
// broke it otherwise; half an event is then dropped.
func (s *events) next() (event, error) {
	e := event{}
	s.data = s.data[:0]
	for filled := false; ; {
		line, err := s.readLine()
		switch {
		case err == io.EOF && filled:
			e.data = s.data
			return e, nil
		case err != nil:
			return event{}, err
		case len(line) == 0 && filled:
			e.data, e.ended = s.data, true
			return e, nil
		case len(line) == 0:
			e = event{}
			continue
		case !filled && (line[0] == '{' || line[0] == '[' || line[0] == '<'):
			return s.rest(line)
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			e.name = string(value)
		case "data":
			if filled {
				s.data = append(s.data, '\n')
			}
			if len(s.data)+len(value) > maxEvent {
				return event{}, errTooLong
			}
			s.data, filled = append(s.data, value...), true
		}
	}
}

var errTooLong = fmt.Errorf("an event of the stream is too long: %w", bufio.ErrTooLong)

// readLine returns the next line without its end. The last one may have none.
func (s *events) readLine() ([]byte, error) {
	s.line = s.line[:0]
	for {
		piece, err := s.r.ReadSlice('\n')
		if len(s.line)+len(piece) > maxEvent {
			return nil, errTooLong
		}
		s.line = append(s.line, piece...)
		switch {
		case err == bufio.ErrBufferFull:
		case err == io.EOF && len(s.line) > 0, err == nil:
			return bytes.TrimSuffix(bytes.TrimSuffix(s.line, []byte("\n")), []byte("\r")), nil
		default:
			return nil, err
		}
	}
}

// rest is a line that is no field of an event, and all that follows it: the server
// broke off its events to say something else, an error say.
func (s *events) rest(line []byte) (event, error) {
	data := append(bytes.Clone(line), '\n')
	more, err := io.ReadAll(io.LimitReader(s.r, maxEvent))
	if err != nil {
		return event{}, err
	}
	return event{data: append(data, more...), bare: true}, nil
}
