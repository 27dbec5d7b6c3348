package npy

import (
	"io"
)

const (
	chunkBytes = 1 << 16 // bytes converted at a time
	// firstRoom bounds what is allocated for an array whose real size is not known
	// before its entries have begun to arrive.
	firstRoom = 1 << 16 // entries
)

// Array is an array in memory, in C order (the last index runs fastest).
type Array struct {
	Shape []int
	// Data holds the entries of a numeric array.
	Data []float64
	// Text holds the entries of a text array; Data is nil then.
	Text []string
}

// Read reads a whole array into memory. The size is the number of bytes that r can
// deliver, if it is known; a negative one means unknown, and memory then grows with
// what really arrives. Arrays in Fortran order are put into C order.
func Read(r io.Reader, size int64) (*Array, error) {
	reader, err := NewReader(r, size)
	if err != nil {
		return nil, err
	}
	return reader.all(size >= 0)
}

// all reads what is left; trusted says that the header's claim has been checked
// against the real size.
func (r *Reader) all(trusted bool) (*Array, error) {
	n := r.header.Len()
	room := n
	if !trusted {
		room = min(n, firstRoom)
	}
	a := &Array{Shape: r.header.Shape}
	if r.header.Type.Text() {
		texts, err := fill(min(room, firstRoom), n, r.ReadText)
		if err != nil {
			return nil, err
		}
		a.Text = texts
	} else {
		data, err := fill(room, n, r.Read)
		if err != nil {
			return nil, err
		}
		a.Data = data
	}
	if r.header.Fortran {
		a.Data, a.Text = transpose(a.Data, a.Shape), transpose(a.Text, a.Shape)
	}
	return a, nil
}

// fill reads n entries into a slice that starts with the given room and doubles.
func fill[T any](room, n int, read func([]T) (int, error)) ([]T, error) {
	out := make([]T, room)
	done := 0
	for done < n {
		if done == len(out) {
			grown := make([]T, min(n, 2*len(out)))
			copy(grown, out)
			out = grown
		}
		k, err := read(out[done:])
		done += k
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// transpose returns entries in Fortran order as entries in C order.
func transpose[T any](data []T, shape []int) []T {
	if len(shape) < 2 || len(data) == 0 {
		return data
	}
	out := make([]T, len(data))
	stride := make([]int, len(shape)) // C strides
	step := 1
	for k := len(shape) - 1; k >= 0; k-- {
		stride[k] = step
		step *= shape[k]
	}
	index := make([]int, len(shape))
	to := 0
	for _, v := range data {
		out[to] = v
		for k := range shape { // the first index runs fastest in the file
			index[k]++
			to += stride[k]
			if index[k] < shape[k] {
				break
			}
			to -= stride[k] * shape[k]
			index[k] = 0
		}
	}
	return out
}

// Write writes an array as float64, or as Unicode text.
func Write(w io.Writer, a *Array) error {
	h := Header{Type: Float64, Shape: a.Shape}
	if a.Text != nil {
		h.Type = textType(a.Text)
	}
	out, err := NewWriter(w, h)
	if err != nil {
		return err
	}
	if a.Text != nil {
		err = out.WriteText(a.Text)
	} else {
		err = out.Write(a.Data)
	}
	if err != nil {
		return err
	}
	return out.Close()
}
