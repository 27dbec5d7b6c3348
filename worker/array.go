package worker

import (
	"fmt"
	"unsafe"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// array says which frame of a message holds an array, and how.
type array struct {
	Frame int    `json:"frame"`
	Type  string `json:"type"` // as NumPy calls it: float64, float32, int64, ..., bool
	Shape []int  `json:"shape"`
}

// widths are the bytes of an element.
var widths = map[string]int{"float64": 8, "int64": 8, "uint64": 8, "float32": 4, "int32": 4, "uint32": 4, "int16": 2, "uint16": 2, "int8": 1, "uint8": 1, "bool": 1}

// bytes are the memory of the array, after a look at what the message claims of it.
func (a *array) bytes(frames [][]byte) ([]byte, error) {
	width := widths[a.Type]
	if a.Frame < 0 || a.Frame >= len(frames) || width == 0 {
		return nil, fmt.Errorf("worker: an array of type %.20q in frame %d of %d is not known", a.Type, a.Frame, len(frames))
	}
	frame, elements := frames[a.Frame], 1
	for _, length := range a.Shape {
		if length < 0 || length > 0 && elements > len(frame)/length {
			return nil, fmt.Errorf("worker: %d bytes are no array of shape %v", len(frame), a.Shape)
		}
		elements *= length
	}
	if elements*width != len(frame) {
		return nil, fmt.Errorf("worker: %d bytes are no %s array of shape %v", len(frame), a.Type, a.Shape)
	}
	return frame, nil
}

// floats are the numbers of the array: its own memory where these are float64, else a copy.
func (a *array) floats(frames [][]byte) ([]float64, error) {
	b, err := a.bytes(frames)
	if err != nil || len(b) == 0 {
		return nil, err
	}
	switch a.Type {
	case "float64":
		return view[float64](b), nil
	case "float32":
		return widen(view[float32](b)), nil
	case "int64":
		return widen(view[int64](b)), nil
	case "uint64":
		return widen(view[uint64](b)), nil
	case "int32":
		return widen(view[int32](b)), nil
	case "uint32":
		return widen(view[uint32](b)), nil
	case "int16":
		return widen(view[int16](b)), nil
	case "uint16":
		return widen(view[uint16](b)), nil
	case "int8":
		return widen(view[int8](b)), nil
	}
	return widen(b), nil
}

// matrix is an array of two dimensions.
func (a *array) matrix(frames [][]byte) (*mat.Dense, error) {
	if len(a.Shape) != 2 {
		return nil, fmt.Errorf("worker: an array of shape %v is no table", a.Shape)
	}
	v, err := a.floats(frames)
	if err != nil || len(v) == 0 {
		return &mat.Dense{}, err
	}
	return mat.NewDense(a.Shape[0], a.Shape[1], v), nil
}

// view looks at memory as numbers.
func view[T any](b []byte) []T {
	var one T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(one)))
}

// raw looks at numbers as memory.
func raw[T any](v []T) []byte {
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(one)))
}

// widen makes float64 of other numbers, on all cores.
func widen[T float32 | int64 | uint64 | int32 | uint32 | int16 | uint16 | int8 | uint8](v []T) []float64 {
	out := make([]float64, len(v))
	const block = 1 << 16
	linalg.Parallel((len(v)+block-1)/block, func(k int) {
		from := k * block
		for i, x := range v[from:min(len(v), from+block)] {
			out[from+i] = float64(x)
		}
	})
	return out
}
