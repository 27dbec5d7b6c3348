// Package npy reads and writes NumPy's array files: NPY, one array, and NPZ, a zip
// archive of named arrays that may also hold ordinary files beside them.
//
// Start at [Read] and [Write] for one array, at [NewReader] and [NewWriter] to go
// through an array that should not be held in memory, and at [NewArchive] and
// [NewArchiveWriter] for archives.
//
// Numbers of every real type become float64 (integers beyond 2^53 are rounded), texts
// become strings. A file is foreign input: what its header claims is compared with
// the bytes that are really there before anything of that size is allocated.
// Content that is wrong gives an [*Error]; other errors come from the reader below.
package npy

import (
	"fmt"
	"strconv"
)

// Error says what is wrong with the content of a file.
type Error struct {
	// Problem is the complaint without any prefix.
	Problem string
}

func (e *Error) Error() string { return "npy: " + e.Problem }

func bad(format string, args ...any) error { return &Error{Problem: fmt.Sprintf(format, args...)} }

// Type is the type of the entries of an array.
type Type struct {
	// Kind is 'f' for floating point, 'i' and 'u' for signed and unsigned integers,
	// 'b' for booleans, 'U' for Unicode text and 'S' for byte text.
	Kind byte
	// Size is the number of bytes of an entry.
	Size int
	// BigEndian tells the byte order of entries longer than a byte.
	BigEndian bool
}

// The types that arrays are commonly written in.
var (
	Float64 = Type{Kind: 'f', Size: 8}
	Float32 = Type{Kind: 'f', Size: 4}
	Int64   = Type{Kind: 'i', Size: 8}
	Int32   = Type{Kind: 'i', Size: 4}
	Uint8   = Type{Kind: 'u', Size: 1}
	Bool    = Type{Kind: 'b', Size: 1}
)

// Text reports whether entries are text.
func (t Type) Text() bool { return t.Kind == 'U' || t.Kind == 'S' }

// String is the description that stands in the header, such as "<f8".
func (t Type) String() string {
	order := "<"
	switch {
	case t.Size == 1 && t.Kind != 'U' || t.Kind == 'S':
		order = "|"
	case t.BigEndian:
		order = ">"
	}
	size := t.Size
	if t.Kind == 'U' {
		size /= 4
	}
	return order + string(t.Kind) + strconv.Itoa(size)
}

// parseType reads a description such as "<f8", "|u1", ">i4" or "<U12".
func parseType(text string) (Type, error) {
	var t Type
	rest := text
	if rest != "" {
		switch rest[0] {
		case '>', '!':
			t.BigEndian = true
			rest = rest[1:]
		case '<', '|', '=':
			rest = rest[1:]
		}
	}
	if rest == "?" {
		return Bool, nil
	}
	if len(rest) < 1 {
		return t, bad("entry type %q is not understood", text)
	}
	t.Kind = rest[0]
	size := 0
	if len(rest) > 1 {
		n, err := strconv.ParseUint(rest[1:], 10, 20)
		if err != nil {
			return t, bad("entry type %q is not understood", text)
		}
		size = int(n)
	}
	ok := false
	switch t.Kind {
	case 'f':
		ok = size == 2 || size == 4 || size == 8
	case 'i', 'u':
		ok = size == 1 || size == 2 || size == 4 || size == 8
	case 'b':
		ok = size == 1
	case 'U':
		size *= 4
		ok = true
	case 'S', 'a':
		t.Kind = 'S'
		ok = true
	case 'O':
		return t, bad("the array holds pickled Python objects, which are not read")
	case 'c':
		return t, bad("complex numbers are not supported")
	}
	if !ok {
		return t, bad("entry type %q is not supported", text)
	}
	t.Size = size
	if size <= 1 {
		t.BigEndian = false
	}
	return t, nil
}
