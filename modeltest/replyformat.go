package modeltest

import "strings"

// A format is how the body of a response is laid out: as events, or whole.
// Both play the same steps.
type format interface {
	contentType() string
	send(piece) error
	comment(text string) error
	keepAlive() error
	fail(code, message string) error
	event(data string) error
	malformed() error
	raw(body string) error
	half() error // sends what is there before the connection is closed
	end() error
}

// An eventStream sends each piece at once as server-sent events, laid out as in
// the HTML standard, section 9.2.
type eventStream struct {
	*player
	enc encoder
}

func (*eventStream) contentType() string { return "text/event-stream" }

func (s *eventStream) send(p piece) error { return s.frames(s.enc.frames(p)) }

// frames sends the events of one piece together.
func (s *eventStream) frames(frames []frame) error {
	if len(frames) == 0 {
		return nil
	}
	if err := s.pause(); err != nil {
		return err
	}
	var b strings.Builder
	for _, f := range frames {
		b.WriteString(f.String())
	}
	return s.write(b.String())
}

// String returns the frame as it is sent.
func (f frame) String() string {
	switch {
	case f.comment != "":
		return ": " + strings.ReplaceAll(f.comment, "\n", "\n: ") + "\n\n"
	case f.event != "":
		return "event: " + f.event + "\n" + frame{data: f.data}.String()
	}
	return "data: " + strings.ReplaceAll(f.data, "\n", "\ndata: ") + "\n\n"
}

func (s *eventStream) comment(text string) error { return s.write(frame{comment: text}.String()) }

func (s *eventStream) keepAlive() error { return s.write(s.enc.keepAlive().String()) }

func (s *eventStream) fail(code, message string) error {
	return s.frames([]frame{s.enc.errorEvent(code, message)})
}

func (s *eventStream) event(data string) error { return s.frames([]frame{s.enc.event(data)}) }

func (s *eventStream) malformed() error {
	frames := s.enc.frames(textPiece("malformed"))
	last := &frames[len(frames)-1]
	last.data = last.data[:len(last.data)/2]
	return s.frames(frames)
}

func (s *eventStream) raw(body string) error { return s.write(body) }

func (s *eventStream) half() error { return nil }

func (s *eventStream) end() error { return s.head() }

// A wholeBody collects the pieces and sends one JSON body, unless a step sent
// another body in its place.
type wholeBody struct {
	*player
	enc    encoder
	pieces []piece
	sent   bool
}

func (*wholeBody) contentType() string { return "application/json" }

func (b *wholeBody) send(p piece) error {
	b.pieces = append(b.pieces, p)
	return b.pause()
}

// comment sends white space, which JSON allows and some servers use to keep a
// connection alive.
func (b *wholeBody) comment(string) error { return b.write("\n") }

func (b *wholeBody) keepAlive() error { return b.comment("") }

func (b *wholeBody) fail(code, message string) error {
	return b.raw(b.enc.errorBody(b.reply.status, code, message))
}

func (b *wholeBody) event(data string) error { return b.raw(data) }

func (b *wholeBody) malformed() error {
	body := b.enc.whole(b.pieces)
	return b.raw(body[:len(body)/2])
}

func (b *wholeBody) raw(body string) error {
	b.sent = true
	return b.write(body)
}

func (b *wholeBody) half() error {
	if b.sent || len(b.pieces) == 0 {
		return nil
	}
	return b.malformed()
}

func (b *wholeBody) end() error {
	if b.sent {
		return nil
	}
	return b.raw(b.enc.whole(b.pieces))
}
