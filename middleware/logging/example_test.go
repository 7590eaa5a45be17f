package logging_test

import (
	"context"
	"fmt"
	"os"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/middleware/logging"
	"github.com/strata-go/strata/modeltest"
)

func Example() {
	// Messages alone, so that the lines are always the same.
	encoder := zapcore.NewConsoleEncoder(zapcore.EncoderConfig{LevelKey: "level", MessageKey: "message", EncodeLevel: zapcore.LowercaseLevelEncoder})
	logger := zap.New(withoutFields{zapcore.NewCore(encoder, zapcore.AddSync(os.Stdout), zapcore.InfoLevel)})

	model := strata.Wrap(modeltest.New("openai/gpt-5", modeltest.Failure(&failure.Error{Kind: failure.Overload, Status: 503})),
		logging.Layer(logger),
		middleware.Fallback(modeltest.New("anthropic/claude-sonnet-5", modeltest.Answer("Hello."))),
	)
	if _, err := model.Generate(context.Background(), strata.Prompt("Hi")); err != nil {
		fmt.Println(err)
	}
	// Output:
	// warn	model fell back
	// info	model call answered
}

type withoutFields struct{ zapcore.Core }

func (c withoutFields) Check(e zapcore.Entry, checked *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	return checked.AddCore(e, c)
}

func (c withoutFields) Write(e zapcore.Entry, _ []zapcore.Field) error { return c.Core.Write(e, nil) }
