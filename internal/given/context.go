// Package given reads what callers may leave out.
package given

import "context"

// Context is ctx, or one that never ends where a program gave nil: the rule of every exported
// function that fits, judges, predicts, transforms or runs a job.
func Context(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}
