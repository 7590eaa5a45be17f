// Package own gives a stream a context of its own, which ends with the stream.
package own

import (
	"context"

	"github.com/strata-go/strata"
)

// A Context is what a layer has embedded whose streams have a context of their
// own: what stands below it goes by that one.
type Context struct{}

// OwnsContext marks the layer.
func (Context) OwnsContext() {}

// Of returns the context for a stream of next, which a layer that makes one
// stream of it ends when that stream ends, however it does. Where next gives its
// streams a context of their own that is ctx as it is: another one around it
// would end nothing that the inner one does not, and a context costs an open
// stream some 400 bytes.
func Of(ctx context.Context, next strata.Model) (context.Context, context.CancelFunc) {
	if _, owns := next.(interface{ OwnsContext() }); owns {
		return ctx, nothing
	}
	return context.WithCancel(ctx)
}

func nothing() {}
