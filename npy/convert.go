package npy

import (
	"encoding/binary"
	"math"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/inlier-ml/inlier/internal/half"
)

// asInMemory tells whether entries lie in a file as this machine has float64 in memory.
func (t Type) asInMemory() bool {
	one := [2]byte{1}
	return t == Float64 && binary.NativeEndian.Uint16(one[:]) == 1
}

// bytesOf is the memory of numbers.
func bytesOf(x []float64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 8*len(x))
}

// decode turns the bytes of len(dst) entries into numbers.
func (t Type) decode(dst []float64, src []byte) {
	var order binary.ByteOrder = binary.LittleEndian
	if t.BigEndian {
		order = binary.BigEndian
	}
	switch (Type{Kind: t.Kind, Size: t.Size}) {
	case Float64:
		if !t.BigEndian { // by far the most common, so without the indirection
			for i := range dst {
				dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:]))
			}
			return
		}
		for i := range dst {
			dst[i] = math.Float64frombits(order.Uint64(src[8*i:]))
		}
	case Float32:
		for i := range dst {
			dst[i] = float64(math.Float32frombits(order.Uint32(src[4*i:])))
		}
	case Type{Kind: 'f', Size: 2}:
		for i := range dst {
			dst[i] = half.Float64(order.Uint16(src[2*i:]))
		}
	case Int64:
		for i := range dst {
			dst[i] = float64(int64(order.Uint64(src[8*i:])))
		}
	case Int32:
		for i := range dst {
			dst[i] = float64(int32(order.Uint32(src[4*i:])))
		}
	case Type{Kind: 'i', Size: 2}:
		for i := range dst {
			dst[i] = float64(int16(order.Uint16(src[2*i:])))
		}
	case Type{Kind: 'i', Size: 1}:
		for i := range dst {
			dst[i] = float64(int8(src[i]))
		}
	case Type{Kind: 'u', Size: 8}:
		for i := range dst {
			dst[i] = float64(order.Uint64(src[8*i:]))
		}
	case Type{Kind: 'u', Size: 4}:
		for i := range dst {
			dst[i] = float64(order.Uint32(src[4*i:]))
		}
	case Type{Kind: 'u', Size: 2}:
		for i := range dst {
			dst[i] = float64(order.Uint16(src[2*i:]))
		}
	case Uint8:
		for i := range dst {
			dst[i] = float64(src[i])
		}
	case Bool:
		for i := range dst {
			dst[i] = 0
			if src[i] != 0 {
				dst[i] = 1
			}
		}
	}
}

// encode appends the entries in little-endian order. Integers are rounded to nearest;
// a value that its type cannot hold is refused.
func (t Type) encode(dst []byte, src []float64) ([]byte, error) {
	little := binary.LittleEndian
	for _, v := range src {
		switch t {
		case Float64:
			dst = little.AppendUint64(dst, math.Float64bits(v))
			continue
		case Float32:
			dst = little.AppendUint32(dst, math.Float32bits(float32(v)))
			continue
		case Bool:
			one := byte(0)
			if v != 0 {
				one = 1
			}
			dst = append(dst, one)
			continue
		}
		low, high := 0.0, math.Ldexp(1, 8*t.Size)
		if t.Kind == 'i' {
			low, high = -high/2, high/2
		}
		r := math.RoundToEven(v)
		if !(r >= low && r < high) {
			return nil, bad("%v does not fit into entries of type %s", v, t)
		}
		var b uint64
		if t.Kind == 'i' {
			b = uint64(int64(r))
		} else {
			b = uint64(r)
		}
		for k := range t.Size {
			dst = append(dst, byte(b>>(8*k)))
		}
	}
	return dst, nil
}

// writable reports whether encode knows the type.
func (t Type) writable() bool {
	switch {
	case t.BigEndian:
		return false
	case t.Kind == 'f':
		return t.Size == 4 || t.Size == 8
	case t.Kind == 'i', t.Kind == 'u':
		return t.Size == 1 || t.Size == 2 || t.Size == 4 || t.Size == 8
	}
	return t == Bool || t.Kind == 'U'
}

// text decodes one text entry; trailing zeros are padding.
func (t Type) text(src []byte) string {
	if t.Kind == 'S' {
		return strings.ToValidUTF8(strings.TrimRight(string(src), "\x00"), "\uFFFD")
	}
	var order binary.ByteOrder = binary.LittleEndian
	if t.BigEndian {
		order = binary.BigEndian
	}
	out := make([]byte, 0, len(src)/4)
	for i := 0; i+4 <= len(src); i += 4 {
		out = utf8.AppendRune(out, rune(order.Uint32(src[i:])&0x7fffffff))
	}
	return strings.TrimRight(string(out), "\x00")
}

// textType is the narrowest Unicode type that holds all texts.
func textType(texts []string) Type {
	widest := 1
	for _, s := range texts {
		widest = max(widest, utf8.RuneCountInString(s))
	}
	return Type{Kind: 'U', Size: 4 * widest}
}

// appendText appends one text entry, padded with zeros.
func (t Type) appendText(dst []byte, s string) []byte {
	end := len(dst) + t.Size
	for _, r := range s {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(r))
	}
	for len(dst) < end {
		dst = append(dst, 0)
	}
	return dst[:end]
}
