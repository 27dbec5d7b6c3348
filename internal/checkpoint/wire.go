package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// someRows is the kind of a matrix that is told by some of its rows.
const someRows = 's'

// shared is a matrix of which several accumulators each fill rows of their own: those that are not zero are told, one after
// another, by their number and numbers.
type shared struct{ x *mat.Dense }

// errWire is bytes that are not those of a finding.
var errWire = errors.New("what was found elsewhere is damaged")

// Encode writes parts as bytes that end with their SHA-256. Those that are among the parts of another accumulator too have
// only what is not zero written; a matrix alone may be such a part.
func Encode(parts, another []any) ([]byte, error) {
	var out bytes.Buffer
	for i, p := range parts {
		if another != nil && same(p, another[i]) {
			m, ok := p.(*mat.Dense)
			if !ok {
				return nil, errors.New("this pass cannot be made in parts: they share what is not a matrix")
			}
			shared{m}.write(&out)
			continue
		}
		if err := partOf(p).write(&out); err != nil {
			return nil, err
		}
	}
	sum := sha256.Sum256(out.Bytes())
	return append(out.Bytes(), sum[:]...), nil
}

// Decode fills parts with what Encode wrote, of a table of so many rows and columns. Those that are shared keep what is not told.
func Decode(data []byte, parts, another []any, rows, columns int) error {
	if len(data) < sumBytes {
		return errWire
	}
	data, sum := data[:len(data)-sumBytes], data[len(data)-sumBytes:]
	if own := sha256.Sum256(data); !bytes.Equal(own[:], sum) {
		return errWire
	}
	in := &reader{in: bytes.NewReader(data), left: uint64(len(data)), rows: rows, columns: columns}
	for i, p := range parts {
		if m, ok := p.(*mat.Dense); ok && another != nil && same(p, another[i]) {
			if !(shared{m}).read(in) {
				return errWire
			}
		} else if !in.read(partOf(p)) {
			return errWire
		}
	}
	if in.left != 0 {
		return errWire
	}
	return nil
}

// same tells whether two parts are one.
func same(a, b any) bool {
	x, ok := a.([]float64)
	if !ok {
		return a == b
	}
	y := b.([]float64)
	return len(x) > 0 && len(y) > 0 && &x[0] == &y[0]
}

// Clear empties what parts share with those of another accumulator.
func Clear(parts, another []any) {
	for i, p := range parts {
		if m, ok := p.(*mat.Dense); ok && same(p, another[i]) {
			m.Zero()
		}
	}
}

func (s shared) write(out *bytes.Buffer) {
	n, _ := s.x.Dims()
	var kept []int
	for i := range n {
		for _, v := range s.x.RawRowView(i) {
			if math.Float64bits(v) != 0 {
				kept = append(kept, i)
				break
			}
		}
	}
	out.Write(binary.LittleEndian.AppendUint64([]byte{someRows}, uint64(len(kept))))
	for _, i := range kept {
		out.Write(binary.LittleEndian.AppendUint64(nil, uint64(i)))
		row := make([]byte, 0, 8*len(s.x.RawRowView(i)))
		for _, v := range s.x.RawRowView(i) {
			row = binary.LittleEndian.AppendUint64(row, math.Float64bits(v))
		}
		out.Write(row)
	}
}

func (s shared) read(in *reader) bool {
	n, d := s.x.Dims()
	head, number, row := make([]byte, 9), make([]byte, 8), make([]byte, 8*d)
	if !in.take(head) {
		return false
	}
	count, whole := binary.LittleEndian.Uint64(head[1:]), head[0] == fixed
	if whole {
		if count != uint64(n)*uint64(d) {
			return false
		}
		count = uint64(n)
	} else if head[0] != someRows {
		return false
	}
	for i := range count {
		if !whole {
			if !in.take(number) {
				return false
			}
			i = binary.LittleEndian.Uint64(number)
		}
		if i >= uint64(n) || !in.take(row) {
			return false
		}
		for j, to := 0, s.x.RawRowView(int(i)); j < d; j++ {
			to[j] = math.Float64frombits(binary.LittleEndian.Uint64(row[8*j:]))
		}
	}
	return true
}
