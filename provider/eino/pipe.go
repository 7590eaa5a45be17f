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
// is closed too when the answer has ended, and when ctx ends.
type pipe struct {
	ctx    context.Context
	cancel context.CancelFunc
	turns  *schema.StreamReader[struct{}]

	mu     sync.Mutex // of what follows; held while the model is pulled
	answer *stream.Stream
	w      *writer
	ended  bool // its end was handed on
}

func (p *pipe) reader() *schema.StreamReader[*schema.Message] {
	turns, offer := schema.Pipe[struct{}](0)
	turns.SetAutomaticClose() // lets it be closed more than once
	p.turns = turns
	forget := context.AfterFunc(p.ctx, turns.Close)
	go func() {
		for closed := false; !closed; {
			closed = offer.Send(struct{}{}, nil)
		}
		forget()
		p.release()
		offer.Close()
	}()
	// A named stream tells its end as an error, so that this end can say what it is.
	named := schema.MergeNamedStreamReaders(map[string]*schema.StreamReader[struct{}]{"answer": turns})
	return schema.StreamReaderWithConvert(named, p.next, schema.WithErrWrapper(p.end))
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

// end is what the reader is told once there are no more turns.
func (p *pipe) end(error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return io.EOF
	}
	p.ended = true
	return p.why()
}

// why says why an answer was let go before its end.
func (p *pipe) why() error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	return schema.ErrRecvAfterClosed
}
