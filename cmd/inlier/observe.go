package main

import (
	"runtime"
	"runtime/debug"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/linalg"
)

// observe shows the progress of a job as a bar where there is a terminal, and keeps memory
// near the size of the data. done takes the bar off.
func (a *app) observe(title string) (o inlier.Observer, done func()) {
	var shown *bar
	_, shows := terminal(a.err)
	return func(e inlier.Event) {
		a.limit(e)
		if !shows || a.quiet || e.Phase == "read" || e.Step == nil && e.Total == 0 {
			return
		}
		if shown == nil {
			shown = newBar(a.err, title, a.colour(a.err))
		}
		shown.show(e.Part, e.Text())
	}, func() { shown.close(); shown = nil }
}

// limit sets the garbage collection when a table is read, by its size as soon as that is known, where no bound on
// memory has done so.
func (a *app) limit(e inlier.Event) {
	switch {
	case a.memory != 0 && e.Blocks && e.Job == "check": // the table's mapped pages take a quarter
		debug.SetMemoryLimit(max(a.memory/4*3-uncounted, a.memory/3))
	case a.memory != 0:
	case e.Blocks:
		memory.InBlocks()
	case e.Phase == "reading":
		memory.Reading(max(1, e.Total<<10))
	case e.Phase != "read":
	case e.Rows == 0:
		memory.Reading(0)
	default:
		memory.Holding(e.Rows, e.Columns, int(e.Beside))
	}
}

// uncounted is what the collector does not count: the program's code, stacks, pages not given back yet.
const uncounted = 30 << 20

// bound reads --memory and keeps what the program takes below it, as far as what must be held allows. One more
// place to run is for what gives memory back, which may not wait for those who take it.
func (a *app) bound(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	bytes, ok := words.ParseSize(text)
	if !ok || bytes < 48<<20 {
		return 0, usage("it is a size of at least 48MiB, such as 256MiB or 2GB", "--memory %s is no bound that can be kept", text)
	}
	a.memory = bytes
	linalg.SetThreads(linalg.Threads())
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	memory.InBlocks()
	debug.SetMemoryLimit(max(bytes-uncounted, bytes/2))
	return bytes, nil
}
