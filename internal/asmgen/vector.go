package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// set is an instruction set: the width of its vectors and the shape of its largest
// register tile.
type set struct {
	name   string
	lane   int // float64s in a vector
	widest int // vectors in a row of the largest tile
	regs   []VecPhysical
}

var (
	avx512 = set{name: "AVX512", lane: 8, widest: 3, regs: []VecPhysical{
		Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
		Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31,
	}}
	avx2 = set{name: "AVX2", lane: 4, widest: 3, regs: []VecPhysical{
		Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15,
	}}
)

// bytes is the size of a vector.
func (s set) bytes() int { return s.lane * 8 }

// zero clears a vector.
func (s set) zero(v VecPhysical) {
	if s.lane == 8 {
		VPXORQ(v, v, v)
	} else {
		VXORPD(v, v, v)
	}
}

// begin starts a function that keeps its pointers to itself.
func (s set) begin(name, signature, doc string) {
	TEXT(name+s.name, NOSPLIT, "func"+signature)
	Pragma("noescape")
	Doc(fmt.Sprintf("%s%s %s", name, s.name, doc))
}

// param loads an integer or pointer argument.
func param(name string) GPVirtual { return Load(Param(name), GP64()).(GPVirtual) }

// stride loads an argument that counts elements, as a number of bytes.
func stride(name string) GPVirtual {
	r := param(name)
	SHLQ(U8(3), r)
	return r
}

// end returns to Go, whose own code expects clean upper halves.
func end() {
	VZEROUPPER()
	RET()
}

func at(base GPVirtual, disp int) Mem { return Mem{Base: base, Disp: disp} }

func indexed(base, index GPVirtual, scale uint8) Mem {
	return Mem{Base: base, Index: index, Scale: scale}
}
