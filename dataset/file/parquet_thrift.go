package file

import (
	"encoding/binary"
	"errors"
)

// A Parquet footer and the headers of its pages are structures in Thrift's compact
// protocol. The library's decoder makes lists as long as they claim to be and calls
// itself as deeply as structures are nested, and neither end of that can be caught. So
// the bytes are gone through first: every element that is claimed must be there.

// mostNesting is far deeper than any footer: 5 levels, and as many again in the types.
const mostNesting = 24

var errThrift = errors.New("its description makes no sense")

// thriftLength returns the length of the structure at the beginning of b.
func thriftLength(b []byte) (int, error) {
	w := thriftWalk{rest: b}
	if err := w.structure(0); err != nil {
		return 0, err
	}
	return len(b) - len(w.rest), nil
}

type thriftWalk struct{ rest []byte }

// The types of the compact protocol.
const (
	thriftStop = iota
	thriftTrue
	thriftFalse
	thriftByte
	thriftInt16
	thriftInt32
	thriftInt64
	thriftDouble
	thriftBinary
	thriftList
	thriftSet
	thriftMap
	thriftStruct
)

func (w *thriftWalk) skip(n uint64) error {
	if n > uint64(len(w.rest)) {
		return errThrift
	}
	w.rest = w.rest[n:]
	return nil
}

func (w *thriftWalk) octet() (byte, error) {
	if len(w.rest) == 0 {
		return 0, errThrift
	}
	c := w.rest[0]
	w.rest = w.rest[1:]
	return c, nil
}

func (w *thriftWalk) varint() (uint64, error) {
	v, n := binary.Uvarint(w.rest)
	if n <= 0 {
		return 0, errThrift
	}
	w.rest = w.rest[n:]
	return v, nil
}

func (w *thriftWalk) structure(depth int) error {
	if depth > mostNesting {
		return errThrift
	}
	for {
		c, err := w.octet()
		if err != nil {
			return err
		}
		kind := c & 15
		if kind == thriftStop {
			if c != 0 {
				return errThrift
			}
			return nil
		}
		if c>>4 == 0 { // the number of the field follows
			if _, err := w.varint(); err != nil {
				return err
			}
		}
		if kind == thriftTrue || kind == thriftFalse { // the value is in the type
			continue
		}
		if err := w.value(kind, depth); err != nil {
			return err
		}
	}
}

// value goes over one value; truths stand here as elements of lists, in a byte each.
func (w *thriftWalk) value(kind byte, depth int) error {
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return w.skip(1)
	case thriftInt16, thriftInt32, thriftInt64:
		_, err := w.varint()
		return err
	case thriftDouble:
		return w.skip(8)
	case thriftBinary:
		n, err := w.varint()
		if err != nil {
			return err
		}
		return w.skip(n)
	case thriftList, thriftSet:
		return w.list(depth)
	case thriftMap:
		return w.table(depth)
	case thriftStruct:
		return w.structure(depth + 1)
	}
	return errThrift
}

func (w *thriftWalk) list(depth int) error {
	c, err := w.octet()
	if err != nil {
		return err
	}
	n := uint64(c >> 4)
	if n == 15 {
		if n, err = w.varint(); err != nil {
			return err
		}
	}
	if n > uint64(len(w.rest)) || depth > mostNesting { // an element takes a byte at least
		return errThrift
	}
	for range n {
		if err := w.value(c&15, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *thriftWalk) table(depth int) error {
	n, err := w.varint()
	if err != nil || n == 0 {
		return err
	}
	c, err := w.octet()
	if err != nil {
		return err
	}
	if n > uint64(len(w.rest)) || depth > mostNesting {
		return errThrift
	}
	for range n {
		for _, kind := range []byte{c >> 4, c & 15} {
			if err := w.value(kind, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}
