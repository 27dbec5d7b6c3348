// Package given reads what callers may leave out.
package given

import (
	"context"
	"io"
)

// Context is ctx, or one that never ends where a program gave nil: the rule of every exported
// function that fits, judges, predicts, transforms or runs a job.
func Context(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

type nothingElse struct{}

// AllOrNothing is ctx for those who throw away what has not ended by itself: see [Rest].
func AllOrNothing(ctx context.Context) context.Context {
	return context.WithValue(Context(ctx), nothingElse{}, true)
}

// Rest is the context of what is left to do once a fit has a whole state. It never ends, so that a cancelled fit still becomes a
// model, unless nobody wants that model: judging all rows of a large table takes longer than people wait.
func Rest(ctx context.Context) context.Context {
	if ctx.Value(nothingElse{}) != nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// Writer takes nothing any more once its context has ended.
type Writer struct {
	Context context.Context
	io.Writer
}

func (w Writer) Write(p []byte) (int, error) {
	if err := w.Context.Err(); err != nil {
		return 0, err
	}
	return w.Writer.Write(p)
}
