package modeltest

import (
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"time"
)

// errHungUp ends a reply that closed its connection, as it was meant to.
var errHungUp = errors.New("modeltest: the reply closed the connection")

// A player plays one reply on one connection.
type player struct {
	ctx    context.Context // ends when the client disconnects or the server closes
	w      http.ResponseWriter
	reply  Reply
	format format
	begun  bool // the head was sent
	events int
}

// play plays the reply. It returns nil when all of it was played, errHungUp when
// its last step closed the connection, and another error when it was
// interrupted.
func play(ctx context.Context, w http.ResponseWriter, reply Reply, stream bool, enc encoder) error {
	p := &player{ctx: ctx, w: w, reply: reply}
	if reply.status == 0 {
		p.reply.status = http.StatusOK
	}
	if stream && p.reply.status/100 == 2 {
		p.format = &eventStream{p, enc}
	} else {
		p.format = &wholeBody{player: p, enc: enc}
	}
	for _, s := range reply.steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s(p); err != nil {
			return err
		}
	}
	return p.format.end()
}

// head sends the status and the headers, at once.
func (p *player) head() error { return p.write("") }

// write sends bytes of the body, at once, behind the status and the headers.
func (p *player) write(body string) error {
	if !p.begun {
		p.begun = true
		h := p.w.Header()
		h.Set("Content-Type", p.format.contentType())
		maps.Copy(h, p.reply.header)
		p.w.WriteHeader(p.reply.status)
	}
	if _, err := io.WriteString(p.w, body); err != nil {
		return err
	}
	return http.NewResponseController(p.w).Flush()
}

// pause keeps the pace: it is called before each event.
func (p *player) pause() error {
	p.events++
	if p.events == 1 {
		return nil
	}
	return p.sleep(p.reply.pace)
}

func (p *player) sleep(d time.Duration) error {
	if d == 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
}

// cut closes the connection under the response, so that no end of it is sent.
func (p *player) cut() error {
	conn, err := p.hijack()
	if err != nil {
		return err
	}
	conn.Close()
	return errHungUp
}

// reset makes the close a reset: with no time to linger, TCP sends an RST.
func (p *player) reset() error {
	conn, err := p.hijack()
	if err != nil {
		return err
	}
	err = conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
	if err != nil {
		return err
	}
	return errHungUp
}

func (p *player) hijack() (net.Conn, error) {
	if err := p.format.half(); err != nil {
		return nil, err
	}
	conn, _, err := http.NewResponseController(p.w).Hijack()
	return conn, err
}
