package main

import (
	"fmt"
	"runtime/debug"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/words"
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
		shown.show(e.Part, progressText(e))
	}, func() { shown.close(); shown = nil }
}

// progressText says what is worked on.
func progressText(e inlier.Event) string {
	text := e.Label
	if e.Total > 1 {
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%d of %d", e.Done, e.Total)
	}
	if e.Step != nil {
		if e.Total <= 1 {
			text = ""
		} else if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("step %d, objective %.6g", e.Step.Number, e.Step.Objective)
	}
	return text
}

// limit sets the garbage collection when a table is read, by its size as soon as that is known, where no bound on
// memory has done so.
func (a *app) limit(e inlier.Event) {
	switch {
	case a.memory != 0:
	case e.Blocks:
		debug.SetGCPercent(gcBlocks)
	case e.Phase == "reading":
		debug.SetGCPercent(percentOf(gcFloor, e.Total<<10, gcReading))
	case e.Phase != "read":
	case e.Rows == 0:
		debug.SetGCPercent(gcReading)
	default:
		tightenMemory(e.Rows, e.Columns, int(e.Beside))
	}
}

const (
	// gcReading is the garbage, in percent of the data, that may pile up while a table of
	// unknown size is read.
	gcReading = 10
	// gcBlocks is that of a table that is read in blocks, of which little is in memory.
	gcBlocks = 50
	// gcFloor may pile up however small the file is: collecting a small heap often is all that a program does.
	gcFloor = 16 << 20
	// gcRoom and gcShare bound what may pile up afterwards: so many bytes, and so small a
	// part of the data, but never less than leastRoom.
	gcRoom    = 24 << 20
	gcShare   = 32
	leastRoom = 4 << 20
	// heldPerRow are the bytes that a check holds of every row: where its text begins, and the looks at it.
	heldPerRow = 128
	// gcLarge is the size of data from which freed memory goes back to the system.
	gcLarge = 64 << 20
)

// bound reads --memory and keeps what the program takes below it, as far as what must be held allows. The
// system counts more than the collector does: the program's code, stacks, pages not given back yet.
func (a *app) bound(text string) (int64, error) {
	const uncounted = 24 << 20
	if text == "" {
		return 0, nil
	}
	bytes, ok := words.ParseSize(text)
	if !ok || bytes < 2*uncounted {
		return 0, usage("it is a size of at least 48MiB, such as 256MiB or 2GB", "--memory %s is no bound that can be kept", text)
	}
	a.memory = bytes
	debug.SetGCPercent(gcBlocks)
	debug.SetMemoryLimit(bytes - uncounted)
	return bytes, nil
}

// tightenMemory keeps the peak of what follows near the size of the data, and of what is held beside
// them. A table of numbers holds no pointers, so collecting often costs next to nothing beside it; but
// below what must be held the collector would never rest.
func tightenMemory(rows, columns, beside int) {
	bytes := 8 * rows * columns
	room := max(leastRoom, min(gcRoom, bytes/gcShare))
	if beside > 0 {
		bytes += beside + heldPerRow*rows
	}
	debug.SetGCPercent(percentOf(room, bytes, 2))
	if bytes > gcLarge {
		// Near this limit freed memory goes back to the system at once instead of lying
		// around for later use.
		debug.SetMemoryLimit(int64(bytes)*9/8 + int64(room))
	}
}

// percentOf is the share of garbage that lets so much pile up beside so many bytes.
func percentOf(room, bytes, least int) int {
	return min(400, max(least, 100*room/max(1, bytes)))
}
