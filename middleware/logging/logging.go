// Package logging writes with zap what a stack of layers does: a line for each
// call, and one for each retry and fallback of the layers below, however they
// nest.
//
//	model := strata.Wrap(openai.New("gpt-5"),
//		logging.Layer(logger.Named("llm")),
//		middleware.Fallback(openai.New("gpt-5-mini")),
//		middleware.Backoff(),
//	)
//
// Put it outermost, once. The lines, whose messages are always the same so that
// zap can sample them:
//
//	info   model call answered   also of a reader who left early; see SuccessLevel
//	error  model call failed
//	debug  model call cancelled  by the caller
//	warn   model retried         the same model is asked again, its wait over
//	warn   model fell back       another model is asked
//
// A call's line has operation, outcome, model (that answered, else that was
// asked last), asked (that was wrapped), attempts, duration, first_content (of a
// stream), finish_reason, the tokens of all attempts, and of a failure kind,
// status, code and error. A retry's has layer, model, next, attempt, kind,
// status, code, error, and waited.
//
// No key, prompt or answer is written. Messages of failures are cleared of keys
// and quotations; errors that package failure does not know give their kind
// alone.
//
// A program that logs with log/slog can send both to one place: the package
// go.uber.org/zap/exp/zapslog, a module of its own, makes a slog.Handler over the
// core of a zap logger.
//
// While the logger writes no level that the layer uses, calls and parts pass
// through.
package logging

import (
	"context"
	"fmt"
	"iter"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/watch"
	"github.com/strata-go/strata/internal/wrap"
	"github.com/strata-go/strata/stream"
)

// An Option sets something of [Layer].
type Option func(*config)

type config struct {
	success zapcore.Level
	perCall func(context.Context) []zap.Field
}

// SuccessLevel gives the level of the lines of calls that did not fail. Default:
// info.
func SuccessLevel(level zapcore.Level) Option {
	return func(c *config) { c.success = level }
}

// FieldsOf adds to each line the fields that f reads from the call's context: a
// tenant, a session, a trace. Default: none.
func FieldsOf(f func(context.Context) []zap.Field) Option {
	if f == nil {
		panic("logging.FieldsOf(nil): the function is nil")
	}
	return func(c *config) { c.perCall = f }
}

// Layer writes a line for each call, and one for each retry and fallback below,
// to log. Sampling is the logger's.
func Layer(log *zap.Logger, opts ...Option) strata.Layer {
	if log == nil {
		panic("logging.Layer: the logger is nil")
	}
	c := config{success: zapcore.InfoLevel}
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("logging.Layer: option %d is nil", i))
		}
		opt(&c)
	}
	return func(next strata.Model) strata.Model {
		if next == nil {
			panic("logging.Layer: the model is nil")
		}
		return &layer{config: c, Model: wrap.Over(next), log: log}
	}
}

type layer struct {
	config
	wrap.Model
	log *zap.Logger
}

func (l *layer) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	if !l.listens() {
		return stream.Generate(ctx, l.Next, req)
	}
	return watch.Generate(ctx, l.Next, req, l.hooks(ctx))
}

func (l *layer) Stream(ctx context.Context, req *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		if l.listens() {
			l.write(ctx, req, yield)
			return
		}
		stream.Each(ctx, l.Next, req, yield)
	}
}

// write streams and writes what comes of that.
func (l *layer) write(ctx context.Context, req *strata.Request, yield func(strata.Part, error) bool) {
	watch.Stream(ctx, l.Next, req, l.hooks(ctx), yield)
}

// listens reports whether the logger writes anything that the layer may say.
func (l *layer) listens() bool {
	core := l.log.Core()
	return core.Enabled(zapcore.ErrorLevel) || core.Enabled(zapcore.WarnLevel) || core.Enabled(l.success) || core.Enabled(zapcore.DebugLevel)
}

func (l *layer) hooks(ctx context.Context) watch.Hooks {
	return watch.Hooks{
		AttemptEnd: func(a *watch.Attempt) { l.again(ctx, a) },
		End:        func(c *watch.Call) { l.ended(ctx, c) },
	}
}
