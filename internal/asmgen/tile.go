package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tile writes the micro-kernel: a tile of C of lane rows and w vectors is summed up in
// registers over all k, each element in order of k, and then added to memory once.
func tile(s set, w int) {
	rows := s.lane
	s.begin(fmt.Sprintf("tile%dx%d", rows, w*s.lane),
		"(k int, alpha float64, a *float64, rs int, cs int, b *float64, bs int, c *float64, ldc int, next uintptr, step int)",
		"adds alpha*A*B to a tile of C, k at least 1, and fetches k places from next on, step bytes apart.")
	sums, rest := s.regs[:rows*w], s.regs[rows*w:]
	vb, va := rest[:w], rest[w:]

	c, ldc := param("c"), stride("ldc")
	prefetchTile(c, ldc, rows, w*s.bytes())

	k, a, b := param("k"), param("a"), param("b")
	rs, cs, bs := stride("rs"), stride("cs"), stride("bs")
	next, step := param("next"), param("step")
	element := rowAddresses(a, rs, rows)
	for _, v := range sums {
		s.zero(v)
	}
	loop, add := fmt.Sprintf("terms%d", w), fmt.Sprintf("add%d", w)
	if s.lane == 4 {
		s.packedTerms(w, k, a, b, rs, cs, bs, next, step, loop, add)
	}
	Label(loop)
	for j, v := range vb {
		VMOVUPD(at(b, j*s.bytes()), v)
	}
	if s.lane == 8 && w == 3 {
		PREFETCHT0(at(b, prefetchB))
		PREFETCHT0(at(b, prefetchB+64))
		PREFETCHT0(at(b, prefetchB+128))
	}
	PREFETCHT1(at(next, 0))
	ADDQ(step, next)
	for i := range rows {
		v := va[i%len(va)]
		VBROADCASTSD(element[i], v)
		for j := range w {
			VFMADD231PD(vb[j], v, sums[i*w+j])
		}
	}
	ADDQ(cs, a)
	ADDQ(bs, b)
	DECQ(k)
	JNZ(LabelRef(loop))

	if s.lane == 4 {
		Label(add)
	}
	alpha := vb[0]
	VBROADCASTSD(NewParamAddr("alpha", 8), alpha)
	for i := range rows {
		for j := range w {
			m := at(c, j*s.bytes())
			VFMADD213PD(m, alpha, sums[i*w+j])
			VMOVUPD(sums[i*w+j], m)
		}
		if i < rows-1 {
			ADDQ(ldc, c)
		}
	}
	end()
}

// packedTerms writes the loop over packed factors with at most a line to fetch in four terms: these
// are taken at once, at addresses that need no arithmetic, as 12 sums leave the decoder no room
// for it. What remains falls through to the loop for any strides.
func (s set) packedTerms(w int, k, a, b, rs, cs, bs, next, step GPVirtual, otherwise, add string) {
	const terms = 4
	packed, rest := fmt.Sprintf("packed%d", w), fmt.Sprintf("rest%d", w)
	CMPQ(rs, U8(8))
	JNE(LabelRef(otherwise))
	CMPQ(cs, U8(s.bytes()))
	JNE(LabelRef(otherwise))
	CMPQ(bs, U8(w*s.bytes()))
	JNE(LabelRef(otherwise))
	CMPQ(step, U8(64/terms))
	JA(LabelRef(otherwise))
	rows := s.lane
	sums, vb, va := s.regs[:rows*w], s.regs[rows*w:rows*w+w], s.regs[rows*w+w:]
	SUBQ(U8(terms), k)
	JL(LabelRef(rest))
	Label(packed)
	lines := 0
	for term := range terms {
		for j, v := range vb {
			VMOVUPD(at(b, (term*w+j)*s.bytes()), v)
		}
		for ; lines < (term+1)*w*s.bytes()/64; lines++ {
			PREFETCHT0(at(b, aheadB+64*lines))
		}
		if term%2 == 0 {
			PREFETCHT0(at(a, aheadA+term*s.bytes()))
		}
		for i := range rows {
			v := va[i%len(va)]
			VBROADCASTSD(at(a, term*s.bytes()+8*i), v)
			for j := range w {
				VFMADD231PD(vb[j], v, sums[i*w+j])
			}
		}
	}
	PREFETCHT1(at(next, 0))
	LEAQ(indexed(next, step, terms), next)
	ADDQ(U32(terms*s.bytes()), a)
	ADDQ(U32(terms*w*s.bytes()), b)
	SUBQ(U8(terms), k)
	JGE(LabelRef(packed))
	Label(rest)
	ADDQ(U8(terms), k)
	JZ(LabelRef(add))
}

// aheadA and aheadB are how far ahead packed factors are fetched from the second-level cache, in bytes.
const aheadA, aheadB = 512, 768

// prefetchB is how far ahead B is fetched from the second-level cache, in bytes.
const prefetchB = 8 * 192

// prefetchTile asks for the lines of C that the end of the kernel will need.
func prefetchTile(c, ldc GPVirtual, rows, width int) {
	row := GP64()
	MOVQ(c, row)
	for i := range rows {
		for d := 0; d < width; d += 64 {
			PREFETCHT0(at(row, d))
		}
		PREFETCHT0(at(row, width-8))
		if i < rows-1 {
			ADDQ(ldc, row)
		}
	}
}

// rowAddresses gives the addresses of up to 8 numbers that are rs bytes apart.
func rowAddresses(a, rs GPVirtual, rows int) []Mem {
	multiple := func(n int) GPVirtual {
		r := GP64()
		IMUL3Q(U8(n), rs, r)
		return r
	}
	rs3 := multiple(3)
	list := []Mem{at(a, 0), indexed(a, rs, 1), indexed(a, rs, 2), indexed(a, rs3, 1)}
	if rows == 8 {
		list = append(list, indexed(a, rs, 4), indexed(a, multiple(5), 1), indexed(a, rs3, 2), indexed(a, multiple(7), 1))
	}
	return list
}
