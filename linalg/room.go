package linalg

import (
	"fmt"
	"math"
)

// Roomy is a Source that says how many of its numbers may be in memory at once: [Hold] leaves it where
// it is when it has more, and [Load] refuses it.
type Roomy interface {
	Source
	// Room is the number of numbers.
	Room() int
}

// RoomOf is how many numbers of a source may be in memory.
func RoomOf(src Source) int {
	if r, ok := src.(Roomy); ok {
		return r.Room()
	}
	return math.MaxInt
}

// RoomError says that a method needs all rows in memory and may not have them there.
type RoomError struct{ Rows, Columns, Room int }

func (e *RoomError) Error() string {
	return fmt.Sprintf("linalg: %d x %d numbers are needed in memory at once, and %d are allowed", e.Rows, e.Columns, e.Room)
}
