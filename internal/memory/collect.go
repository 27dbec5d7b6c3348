package memory

import "runtime/debug"

// How often garbage is collected is a setting of the whole program: what follows is for its main alone.

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
	gcRoom    = 32 << 20
	gcShare   = 32
	leastRoom = 4 << 20
	// heldPerRow are the bytes that a check holds of every row: where its text begins, and the looks at it.
	heldPerRow = 128
)

// Reading sets it for a table that is being read, of so many bytes; 0: not known yet.
func Reading(bytes int) {
	if bytes == 0 {
		debug.SetGCPercent(gcReading)
		return
	}
	debug.SetGCPercent(percentOf(gcFloor, bytes, gcReading))
}

// InBlocks sets it for a table that is read in blocks.
func InBlocks() { debug.SetGCPercent(gcBlocks) }

// Holding keeps the peak of what follows near the size of the data, and of what is held beside
// them. A table of numbers holds no pointers, so collecting often costs next to nothing beside it. There is no
// limit on memory here: a fit that must hold more than it would have the collector never rest, and every
// page that is given back at once is cleared again by the system, one core after the other.
func Holding(rows, columns, beside int) {
	bytes := 8 * rows * columns
	room := max(leastRoom, min(gcRoom, bytes/gcShare))
	if beside > 0 {
		bytes += beside + heldPerRow*rows
	}
	debug.SetGCPercent(percentOf(room, bytes, 2))
}

// percentOf is the share of garbage that lets so much pile up beside so many bytes.
func percentOf(room, bytes, least int) int {
	return min(400, max(least, 100*room/max(1, bytes)))
}
