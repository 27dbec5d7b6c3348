package checkpoint

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"
)

// A part is a byte that tells its kind, how many numbers it has, and these in eight bytes each.
const (
	fixed     = 'f' // as many as there is room for
	rowsOf    = 'r' // numbers of rows
	perColumn = 'c' // none, or one for each column
)

// part is where numbers stand, as 64 bits.
type part struct {
	kind  byte
	count int
	get   func(i int) uint64
	set   func(i int, v uint64) // called with rising i
}

func partOf(at any) part {
	bits, number := math.Float64bits, math.Float64frombits
	switch p := at.(type) {
	case *float64:
		return part{fixed, 1, func(int) uint64 { return bits(*p) }, func(_ int, v uint64) { *p = number(v) }}
	case *int:
		return part{fixed, 1, func(int) uint64 { return uint64(*p) }, func(_ int, v uint64) { *p = int(v) }}
	case *bool:
		return part{fixed, 1, func(int) uint64 {
			if *p {
				return 1
			}
			return 0
		}, func(_ int, v uint64) { *p = v != 0 }}
	case []float64:
		return part{fixed, len(p), func(i int) uint64 { return bits(p[i]) }, func(i int, v uint64) { p[i] = number(v) }}
	case *mat.Dense:
		rows, d := p.Dims()
		return part{fixed, rows * d, func(i int) uint64 { return bits(p.At(i/d, i%d)) }, func(i int, v uint64) { p.Set(i/d, i%d, number(v)) }}
	case *[]float64:
		return part{perColumn, len(*p), func(i int) uint64 { return bits((*p)[i]) }, func(i int, v uint64) { *p = append((*p)[:i], number(v)) }}
	case *[]int:
		return part{rowsOf, len(*p), func(i int) uint64 { return uint64((*p)[i]) }, func(i int, v uint64) { *p = append((*p)[:i], int(v)) }}
	}
	panic(fmt.Sprintf("checkpoint: a part of type %T", at))
}

// bytes is how long a part is in the file.
func (p part) bytes() uint64 { return 9 + 8*uint64(p.count) }

// write writes the numbers.
func (p part) write(out io.Writer) error {
	room := binary.LittleEndian.AppendUint64([]byte{p.kind}, uint64(p.count))
	for i := range p.count {
		if len(room) > 1<<15 {
			if _, err := out.Write(room); err != nil {
				return err
			}
			room = room[:0]
		}
		room = binary.LittleEndian.AppendUint64(room, p.get(i))
	}
	_, err := out.Write(room)
	return err
}

// reader reads parts of a file that anybody may have made: none is longer than the file, or than the table allows.
type reader struct {
	in            io.Reader
	left          uint64 // bytes
	rows, columns int
}

// take fills b, or tells that it cannot.
func (r *reader) take(b []byte) bool {
	if uint64(len(b)) > r.left {
		return false
	}
	r.left -= uint64(len(b))
	_, err := io.ReadFull(r.in, b)
	return err == nil
}

// read fills a part, or tells that what there is does not fit it.
func (r *reader) read(p part) bool {
	head := make([]byte, 9)
	if !r.take(head) || head[0] != p.kind {
		return false
	}
	count := binary.LittleEndian.Uint64(head[1:])
	switch p.kind {
	case fixed:
		if count != uint64(p.count) {
			return false
		}
	case rowsOf:
		if count > uint64(r.rows) {
			return false
		}
	case perColumn:
		if count != 0 && count != uint64(r.columns) {
			return false
		}
	}
	room := make([]byte, 8)
	for i := range int(count) {
		if !r.take(room) {
			return false
		}
		v := binary.LittleEndian.Uint64(room)
		if p.kind == rowsOf && v >= uint64(r.rows) {
			return false
		}
		p.set(i, v)
	}
	return true
}
