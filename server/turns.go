package server

import (
	"context"
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// turns bound how much work that takes memory is done at a time. A request waits for its turn.
type turns chan struct{}

// How many previews are made, pairs of models compared, tables read for models, and how many of them are held in memory as a whole, at a time.
const (
	mostPreviews = 2
	mostPairs    = 2
	mostTables   = 16
	mostLarge    = 2
)

// take waits for a turn, but not for ever; done gives it back.
func (t turns) take(ctx context.Context, patience time.Duration) (done func(), err error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case t <- struct{}{}:
		return func() { <-t }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-late.C:
		return nil, fmt.Errorf("%d others are at it: %w", cap(t), errBusy)
	}
}

// largeHeap is from how many bytes on memory that is no longer needed goes back to the system at once.
const largeHeap = 256 << 20

// release gives memory back that a large table took: the collector alone kept 1.2 GiB for minutes after a packed file that was refused.
func release() {
	held := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
	metrics.Read(held)
	if held[0].Value.Uint64()+held[1].Value.Uint64()+held[2].Value.Uint64() > largeHeap {
		debug.FreeOSMemory()
	}
}
