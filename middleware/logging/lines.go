package logging

import (
	"context"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/internal/watch"
)

// again writes the line of an attempt that another one follows.
func (l *layer) again(ctx context.Context, a *watch.Attempt) {
	if a.Next.IsZero() {
		return
	}
	message := "model fell back"
	if a.Next == a.Model {
		message = "model retried"
	}
	line := l.log.Check(zapcore.WarnLevel, message)
	if line == nil {
		return
	}
	fields := append(l.fields(ctx),
		zap.String("layer", a.Layer),
		zap.String("model", a.Model.String()),
		zap.String("next", a.Next.String()),
		zap.Int("attempt", a.Number),
		zap.Duration("waited", a.Waited),
	)
	if a.FinishReason != "" {
		fields = append(fields, zap.String("finish_reason", string(a.FinishReason)))
	}
	line.Write(append(fields, problem(a.Err, a.Kind)...)...)
}

// ended writes the line of a call.
func (l *layer) ended(ctx context.Context, c *watch.Call) {
	level, message := l.success, "model call answered"
	switch c.Outcome {
	case watch.Failure:
		level, message = zapcore.ErrorLevel, "model call failed"
	case watch.Cancelled:
		level, message = zapcore.DebugLevel, "model call cancelled"
	}
	line := l.log.Check(level, message)
	if line == nil {
		return
	}
	operation := "generate"
	if c.Streamed {
		operation = "stream"
	}
	fields := append(l.fields(ctx),
		zap.String("operation", operation),
		zap.String("outcome", string(c.Outcome)),
		zap.String("model", c.Final.String()),
		zap.String("asked", c.Asked.String()),
		zap.Int("attempts", c.Attempts),
		zap.Duration("duration", c.Duration),
		zap.Int64("input_tokens", c.Usage.InputTokens),
		zap.Int64("output_tokens", c.Usage.OutputTokens),
	)
	if c.Committed {
		fields = append(fields, zap.Duration("first_content", c.FirstContent))
	}
	if c.FinishReason != "" {
		fields = append(fields, zap.String("finish_reason", string(c.FinishReason)))
	}
	line.Write(append(fields, problem(c.Err, c.Kind)...)...)
}

// fields returns a list of the program's own, to which others are added.
func (l *layer) fields(ctx context.Context) []zap.Field {
	if l.perCall == nil {
		return nil
	}
	own := l.perCall(ctx)
	return own[:len(own):len(own)]
}

func problem(err error, kind failure.Kind) []zap.Field {
	if kind == "" {
		return nil
	}
	fields := []zap.Field{zap.String("kind", string(kind))}
	if err == nil {
		return fields
	}
	p := watch.Describe(err)
	fields = append(fields, zap.String("error", p.Message))
	if p.Status != 0 {
		fields = append(fields, zap.Int("status", p.Status))
	}
	if p.Code != "" {
		fields = append(fields, zap.String("code", p.Code))
	}
	return fields
}
