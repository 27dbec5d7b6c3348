package spill

import (
	"iter"
	"reflect"
	"slices"
	"unsafe"
)

// Make is an array of so many zeros, in the room where it is large. Elements hold no pointers.
func Make[T any](r *Room, n int) []T {
	size := int64(unsafe.Sizeof(*new(T))) * int64(n)
	if r == nil || size < small {
		return make([]T, n)
	}
	if !plain(reflect.TypeFor[T]()) {
		panic("spill: elements with pointers")
	}
	m, err := r.space(size)
	if err != nil {
		panic(err)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(m))), n)
}

// Append appends to an array of a room, or of memory where the room is nil; the array that was there is used no more.
func Append[T any](r *Room, to []T, more ...T) []T {
	if r == nil || len(to)+len(more) <= cap(to) {
		return append(to, more...)
	}
	grown := Make[T](r, max(2*cap(to), len(to)+len(more), 1024))[:len(to)+len(more)]
	carry(grown, to)
	copy(grown[len(to):], more)
	Free(to)
	return grown
}

// Of is the room that an array is kept in; nil: it is in memory.
func Of[T any](array []T) *Room {
	if cap(array) == 0 {
		return nil
	}
	rooms.Lock()
	defer rooms.Unlock()
	r, _ := find(uintptr(unsafe.Pointer(unsafe.SliceData(array))))
	return r
}

// Clone is a copy of an array, where that is kept.
func Clone[T any](array []T) []T {
	copied := Make[T](Of(array), len(array))
	carry(copied, array)
	return copied
}

// carry copies an array part by part, and lets pages be given back on the way.
func carry[T any](to, from []T) {
	room := Of(to)
	for first := 0; first < len(from); first += paced {
		n := copy(to[first:], from[first:min(first+paced, len(from))])
		room.Passed(2 * int64(n) * int64(unsafe.Sizeof(*new(T))))
	}
}

// Free gives back an array that is used no more; one in memory is left to the collector.
func Free[T any](array []T) {
	if cap(array) == 0 {
		return
	}
	rooms.Lock()
	first := unsafe.Pointer(unsafe.SliceData(array))
	r, at := find(uintptr(first))
	if r == nil || unsafe.Pointer(unsafe.SliceData(r.maps[at])) != first { // in memory, or a part of another
		rooms.Unlock()
		return
	}
	r.lock.Lock()
	m := r.maps[at]
	r.maps = slices.Delete(r.maps, at, at+1)
	r.lock.Unlock()
	rooms.Unlock()
	_ = unmap(m) // what cannot be given back goes with the program
}

// plain tells that a type holds no pointers.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if !plain(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Array:
		return plain(t.Elem())
	}
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128
}

// paced is how many elements are visited before it is told.
const paced = 1 << 13

// Each visits the elements of an array in their order, and lets pages be given back on the way.
func Each[T any](array []T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		room := Of(array)
		for first := 0; first < len(array); first += paced {
			for i, v := range array[first:min(first+paced, len(array))] {
				if !yield(first+i, v) {
					return
				}
			}
			room.Passed(paced * int64(unsafe.Sizeof(*new(T))))
		}
	}
}
