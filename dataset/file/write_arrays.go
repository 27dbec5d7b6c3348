package file

import (
	"encoding/binary"
	"io"
	"math"
	"strconv"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/npy"
)

// arrayShape is n x d, or n x the shape of a sample.
func arrayShape(s *dataset.Set) []int {
	n, d := s.X.Dims()
	if s.Shape != nil {
		return append([]int{n}, s.Shape...)
	}
	return []int{n, d}
}

// writeEntries writes the matrix row by row.
func writeEntries(out *npy.Writer, s *dataset.Set) error {
	for i := range s.Rows() {
		if err := out.Write(s.X.RawRowView(i)); err != nil {
			return err
		}
	}
	return out.Close()
}

func writeNPY(w io.Writer, path string, s *dataset.Set) error {
	if s.Target != nil {
		return noTarget(path)
	}
	out, err := npy.NewWriter(w, npy.Header{Type: npy.Float64, Shape: arrayShape(s)})
	if err != nil {
		return err
	}
	return writeEntries(out, s)
}

func noTarget(path string) error {
	return problem(path, "an NPY file has no place for the target").WithHint("write an .npz file, or read with {target} none")
}

// writeNPZ writes the arrays X, y, and columns when the columns have names.
func writeNPZ(w io.Writer, s *dataset.Set) error {
	archive := npy.NewArchiveWriter(w, true)
	out, err := archive.Create("X", npy.Header{Type: npy.Float64, Shape: arrayShape(s)})
	if err != nil {
		return err
	}
	if err := writeEntries(out, s); err != nil {
		return err
	}
	if s.Target != nil {
		c := targetColumn(s.Target)
		if err := archive.Array("y", c.array()); err != nil {
			return err
		}
	}
	if !s.Unnamed && s.Shape == nil {
		if err := archive.Array("columns", &npy.Array{Shape: []int{len(s.Columns)}, Text: s.Columns}); err != nil {
			return err
		}
	}
	return archive.Close()
}

// array is a column as an array of one dimension.
func (c *Column) array() *npy.Array {
	a := &npy.Array{Shape: []int{c.Len()}, Data: c.Numbers, Text: c.Texts}
	for _, v := range c.Integers {
		a.Data = append(a.Data, float64(v))
	}
	for _, v := range c.Flags {
		one := 0.0
		if v {
			one = 1
		}
		a.Data = append(a.Data, one)
	}
	return a
}

// writeColumnsNPZ writes every column as an array of its own type.
func writeColumnsNPZ(w io.Writer, columns []Column) error {
	archive := npy.NewArchiveWriter(w, true)
	for i := range columns {
		c := &columns[i]
		h := npy.Header{Type: npy.Float64, Shape: []int{c.Len()}}
		switch {
		case c.Texts != nil:
			if err := archive.Array(c.Name, c.array()); err != nil {
				return err
			}
			continue
		case c.Integers != nil:
			h.Type = npy.Int64
		case c.Flags != nil:
			h.Type = npy.Bool
		}
		out, err := archive.Create(c.Name, h)
		if err != nil {
			return err
		}
		if err := out.Write(c.array().Data); err != nil {
			return err
		}
		if err := out.Close(); err != nil {
			return err
		}
	}
	return archive.Close()
}

// whole reports whether all values are whole numbers from 0 to 255.
func whole(values []float64) bool {
	for _, v := range values {
		if v != math.Trunc(v) || v < 0 || v > 255 {
			return false
		}
	}
	return true
}

// appendIDX appends big-endian entries: bytes, or numbers of 64 bits.
func appendIDX(dst []byte, values []float64, small bool) []byte {
	for _, v := range values {
		if small {
			dst = append(dst, byte(v))
		} else {
			dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(v))
		}
	}
	return dst
}

func idxStart(shape []int, small bool) []byte {
	head := []byte{0, 0, 0x0E, byte(len(shape))}
	if small {
		head[2] = 0x08
	}
	for _, n := range shape {
		head = binary.BigEndian.AppendUint32(head, uint32(n))
	}
	return head
}

// writeIDX writes bytes where all values are whole and fit, else 64-bit numbers.
func writeIDX(w io.Writer, path string, s *dataset.Set) error {
	shape := arrayShape(s)
	if len(shape) > idxMostDimensions {
		return problem(path, "IDX files have at most %d dimensions", idxMostDimensions)
	}
	small := true
	for i := range s.Rows() {
		small = small && whole(s.X.RawRowView(i))
	}
	if _, err := w.Write(idxStart(shape, small)); err != nil {
		return err
	}
	var line []byte
	for i := range s.Rows() {
		line = appendIDX(line[:0], s.X.RawRowView(i), small)
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

func writeLabelsIDX(w io.Writer, path string, t *dataset.Target) error {
	values, err := targetNumbers(t, path)
	if err != nil {
		return err
	}
	small := whole(values)
	if _, err := w.Write(idxStart([]int{len(values)}, small)); err != nil {
		return err
	}
	_, err = w.Write(appendIDX(nil, values, small))
	return err
}

// numbers is the target for formats that hold only numbers.
func targetNumbers(t *dataset.Target, path string) ([]float64, error) {
	if t.Values != nil {
		return t.Values, nil
	}
	values := make([]float64, len(t.Labels))
	for i := range values {
		v, err := strconv.ParseFloat(t.Class(i), 64)
		if err != nil {
			return nil, problem(path, "class %q is not a number, and this format holds only numbers", t.Class(i)).WithHint("write .csv, .npz or .parquet")
		}
		values[i] = v
	}
	return values, nil
}
