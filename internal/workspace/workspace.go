// Package workspace lends working memory to functions that treat one row at a time and should
// leave nothing for the garbage collector.
package workspace

import "sync"

// Small is the number of float64 that such functions keep on the stack; more come from here.
const Small = 64

// Room is a stretch of numbers that one goroutine works in.
type Room struct {
	numbers []float64
	taken   int
}

var rooms = sync.Pool{New: func() any { return new(Room) }}

// Get returns a room for n numbers. It goes back with Put.
func Get(n int) *Room {
	r := rooms.Get().(*Room)
	if cap(r.numbers) < n {
		r.numbers = make([]float64, n)
	}
	r.numbers, r.taken = r.numbers[:cap(r.numbers)], 0
	return r
}

// Take returns the next n numbers of the room, whatever they hold.
func (r *Room) Take(n int) []float64 {
	r.taken += n
	return r.numbers[r.taken-n : r.taken : r.taken]
}

// Put gives the room back; what was taken from it must not be used any more.
func (r *Room) Put() { rooms.Put(r) }
