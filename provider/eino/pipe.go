package eino

import (
	"context"
	"io"
	"sync"

	"github.com/cloudwego/eino/schema"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/stream"
)

// open asks the model and returns the chunks of its answer once there is content.
func (c *ChatModel) open(ctx context.Context, q *question) (*schema.StreamReader[*schema.Message], error) {
	attempt, cancel := context.WithCancel(ctx)
	opened := false
	defer func() {
		if !opened {
			cancel()
		}
	}()
	answer, err := stream.Open(attempt, c.model, q.request)
	if err != nil {
		return nil, err
	}
	opened = true
	p := &pipe{ctx: ctx, cancel: cancel, answer: answer, w: newWriter()}
	p.w.chunks, p.w.live = true, c.live
	p.w.part(strata.StreamStart{Warnings: q.warnings})
	return p.reader(), nil
}

// pipe hands on an answer as chunks. The model is pulled by the goroutine that
// calls Recv, so that it is never ahead of its reader, a panic in it is the
// reader's, and a reader that stays away holds up nothing but the model.
//
// All that eino's pipe is for is to learn of the Close: what goes through it are
// turns to pull a chunk. One goroutine offers them until the reader is closed; it
// is closed too when the answer has ended, and when ctx ends. Then a turn is left
// over, in which the reader is told why.
type pipe struct {
	ctx    context.Context
	cancel context.CancelFunc
	turns  *schema.StreamReader[struct{}]

	mu     sync.Mutex // of what follows; held while the model is pulled
	answer *stream.Stream
	w      *writer
	ended  bool // its end was handed on
	taken  int  // turns
	late   bool // the next turn is the last

	offers  sync.Mutex // of what follows
	more    *sync.Cond // there is another, or there will be none
	offered int        // turns
	closed  bool       // there will be none
}

func (p *pipe) reader() *schema.StreamReader[*schema.Message] {
	turns, offers := schema.Pipe[struct{}](1)
	turns.SetAutomaticClose() // lets it be closed more than once
	p.turns, p.more = turns, sync.NewCond(&p.offers)
	forget := context.AfterFunc(p.ctx, p.expire)
	go func() {
		for !offers.Send(struct{}{}, nil) {
			p.offer(false)
		}
		p.offer(true)
		forget()
		p.release()
		offers.Close()
	}()
	return schema.StreamReaderWithConvert(turns, p.next)
}

// offer says that there is another turn, or that there will be none.
func (p *pipe) offer(closed bool) {
	p.offers.Lock()
	defer p.offers.Unlock()
	if p.closed = closed; !closed {
		p.offered++
	}
	p.more.Signal()
}

// expire closes the reader when ctx ends, once there is a turn left over.
func (p *pipe) expire() {
	p.cancel() // first: the model may be running
	p.mu.Lock()
	defer p.mu.Unlock()
	p.offers.Lock()
	defer p.offers.Unlock()
	for p.offered <= p.taken && !p.closed {
		p.more.Wait()
	}
	p.late = true
	p.turns.Close()
}

// release abandons what is left of the answer.
func (p *pipe) release() {
	p.cancel() // first: the model may be running
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.answer.Close()
}

// next pulls the model for the next chunk.
func (p *pipe) next(struct{}) (_ *schema.Message, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken++
	if p.ended {
		return nil, io.EOF
	}
	going := false
	defer func() { // the end, an error or a panic
		if !going {
			p.ended = true
			p.turns.Close()
		}
	}()
	if p.late {
		return nil, p.why()
	}
	for {
		part, err := p.answer.Next()
		if err == io.ErrClosedPipe { // released while this waited
			err = p.why()
		}
		if err != nil {
			return nil, err
		}
		p.w.part(part)
		msg := p.w.take()
		if _, end := part.(strata.Finish); end {
			return msg, nil
		}
		if msg != nil {
			going = true
			return msg, nil
		}
	}
}

// why says why an answer was let go before its end.
func (p *pipe) why() error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	return schema.ErrRecvAfterClosed
}
