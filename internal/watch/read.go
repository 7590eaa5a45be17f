package watch

import (
	"context"
	"time"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/stream"
)

// Generate makes a whole call of which the hooks hear.
func Generate(ctx context.Context, m strata.Model, req *strata.Request, hooks Hooks) (*strata.Response, error) {
	c, ctx := begin(ctx, m.ID(), hooks)
	defer c.end()
	resp, err := stream.Generate(ctx, m, req)
	if c.Err = err; err == nil {
		c.answered(resp.Model, resp.FinishReason, resp.Usage)
		c.metadata(resp.Metadata)
	}
	return resp, err
}

// Stream makes a streamed call of which the hooks hear.
func Stream(ctx context.Context, m strata.Model, req *strata.Request, hooks Hooks, yield func(strata.Part, error) bool) {
	c, ctx := begin(ctx, m.ID(), hooks)
	defer c.end()
	c.Streamed = true
	outcome, failed := Left, error(nil) // unless the stream is seen to end
	stream.Each(ctx, m, req, func(p strata.Part, err error) bool {
		switch p := p.(type) {
		case nil:
			outcome, failed = Failure, err
			return yield(nil, err)
		case strata.ResponseMetadata:
			c.metadata(p)
		case strata.Finish:
			outcome = Success
			c.answered(p.Model, p.Reason, p.Usage)
		}
		if !c.Committed && p.Commits() {
			c.Committed, c.FirstContent = true, time.Since(c.Begun)
		}
		if c.hooks.Part != nil {
			c.hooks.Part(p)
		}
		return yield(p, err)
	})
	c.Outcome, c.Err = outcome, failed
}

func (c *Call) answered(by strata.ModelID, reason strata.FinishReason, usage strata.Usage) {
	c.by, c.FinishReason, c.answer = by, reason, usage
}

func (c *Call) metadata(m strata.ResponseMetadata) {
	if m.ID != "" {
		c.ResponseID = m.ID
	}
	if m.Model != "" {
		c.ResponseModel = m.Model
	}
	if m.Usage != nil {
		c.answer = *m.Usage
	}
}
