package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tailMask makes a mask of the lowest n lanes, n below 8.
func tailMask(n GPVirtual) {
	mask := GP64()
	MOVQ(U32(1), mask)
	SHLXQ(n, mask, mask)
	DECQ(mask)
	KMOVW(mask.As32(), K1)
}

// whileAtLeast repeats body as long as n counts at least step elements.
func whileAtLeast(label string, n GPVirtual, step int, body func()) {
	Label(label)
	CMPQ(n, U8(step))
	JL(LabelRef(label + "done"))
	body()
	SUBQ(U8(step), n)
	JMP(LabelRef(label))
	Label(label + "done")
}

// tail runs the rest of fewer than lane elements: at once under a mask with AVX-512,
// one by one with AVX2.
func (s set) tail(n GPVirtual, masked, single func()) {
	if s.lane == 8 {
		TESTQ(n, n)
		JZ(LabelRef("finish"))
		tailMask(n)
		masked()
	} else {
		whileAtLeast("single", n, 1, single)
	}
	Label("finish")
}

// sumLanes adds the lanes of v into its lowest one. The order is fixed.
func (s set) sumLanes(v VecPhysical, scratch Register) {
	x, y := v.AsX(), scratch.(VecPhysical)
	if s.lane == 8 {
		VEXTRACTF64X4(U8(1), v, y.AsY())
		VADDPD(y.AsY(), v.AsY(), v.AsY())
	}
	VEXTRACTF128(U8(1), v.AsY(), y.AsX())
	VADDPD(y.AsX(), x, x)
	VUNPCKHPD(x, x, y.AsX())
	VADDSD(y.AsX(), x, x)
}

func dot(s set) {
	s.begin("dot", "(n int, x *float64, y *float64) float64", "returns the sum of x[i]*y[i].")
	n, x, y := param("n"), param("x"), param("y")
	const chains = 4
	sums, v := s.regs[:chains], s.regs[8:12]
	for _, r := range sums {
		s.zero(r)
	}
	step := func(chains int) func() {
		return func() {
			for i := range chains {
				VMOVUPD(at(x, i*s.bytes()), v[i])
				VFMADD231PD(at(y, i*s.bytes()), v[i], sums[i])
			}
			ADDQ(U32(chains*s.bytes()), x)
			ADDQ(U32(chains*s.bytes()), y)
		}
	}
	whileAtLeast("wide", n, chains*s.lane, step(chains))
	whileAtLeast("vector", n, s.lane, step(1))
	VADDPD(sums[1], sums[0], sums[0])
	VADDPD(sums[3], sums[2], sums[2])
	VADDPD(sums[2], sums[0], sums[0])
	// The rest: under a mask it joins the lanes, one by one it joins their sum.
	if s.lane == 4 {
		s.sumLanes(sums[0], s.regs[8])
	}
	s.tail(n, func() {
		VMOVUPD_Z(at(x, 0), K1, v[0])
		VMOVUPD_Z(at(y, 0), K1, v[1])
		VFMADD231PD(v[1], v[0], sums[0])
	}, func() {
		VMOVSD(at(x, 0), v[0].AsX())
		VFMADD231SD(at(y, 0), v[0].AsX(), sums[0].AsX())
		ADDQ(U8(8), x)
		ADDQ(U8(8), y)
	})
	if s.lane == 8 {
		s.sumLanes(sums[0], s.regs[8])
	}
	Store(sums[0].AsX(), ReturnIndex(0))
	end()
}

func axpy(s set) {
	s.begin("axpy", "(n int, alpha float64, x *float64, y *float64)", "adds alpha*x[i] to y[i].")
	n, x, y := param("n"), param("x"), param("y")
	alpha, v := s.regs[0], s.regs[8:12]
	VBROADCASTSD(NewParamAddr("alpha", 8), alpha)
	step := func(chains int) func() {
		return func() {
			for i := range chains {
				VMOVUPD(at(y, i*s.bytes()), v[i])
				VFMADD231PD(at(x, i*s.bytes()), alpha, v[i])
				VMOVUPD(v[i], at(y, i*s.bytes()))
			}
			ADDQ(U32(chains*s.bytes()), x)
			ADDQ(U32(chains*s.bytes()), y)
		}
	}
	whileAtLeast("wide", n, 4*s.lane, step(4))
	whileAtLeast("vector", n, s.lane, step(1))
	s.tail(n, func() {
		VMOVUPD_Z(at(x, 0), K1, v[0])
		VMOVUPD_Z(at(y, 0), K1, v[1])
		VFMADD231PD(v[0], alpha, v[1])
		VMOVUPD(v[1], K1, at(y, 0))
	}, func() {
		VMOVSD(at(y, 0), v[0].AsX())
		VFMADD231SD(at(x, 0), alpha.AsX(), v[0].AsX())
		VMOVSD(v[0].AsX(), at(y, 0))
		ADDQ(U8(8), x)
		ADDQ(U8(8), y)
	})
	end()
}

func dot4(s set) {
	s.begin("dot4", "(n int, a *float64, lda int, x *float64, out *float64)", "writes the products of four rows of a with x to out.")
	n, a, x, out := param("n"), param("a"), param("x"), param("out")
	rows := rowAddresses(a, stride("lda"), 4)
	sums, v := s.regs[:8], s.regs[8:12]
	for _, r := range sums {
		s.zero(r)
	}
	step := func(chains int) func() {
		return func() {
			for c := range chains {
				VMOVUPD(at(x, c*s.bytes()), v[c])
				for i, m := range rows {
					m.Disp += c * s.bytes()
					VFMADD231PD(m, v[c], sums[2*i+c])
				}
			}
			ADDQ(U32(chains*s.bytes()), x)
			ADDQ(U32(chains*s.bytes()), a)
		}
	}
	whileAtLeast("wide", n, 2*s.lane, step(2))
	whileAtLeast("vector", n, s.lane, step(1))
	for i := range rows {
		VADDPD(sums[2*i+1], sums[2*i], sums[2*i])
		if s.lane == 4 {
			s.sumLanes(sums[2*i], s.regs[8])
		}
	}
	s.tail(n, func() {
		VMOVUPD_Z(at(x, 0), K1, v[0])
		for i, m := range rows {
			VMOVUPD_Z(m, K1, v[1])
			VFMADD231PD(v[1], v[0], sums[2*i])
		}
	}, func() {
		VMOVSD(at(x, 0), v[0].AsX())
		for i, m := range rows {
			VFMADD231SD(m, v[0].AsX(), sums[2*i].AsX())
		}
		ADDQ(U8(8), x)
		ADDQ(U8(8), a)
	})
	for i := range rows {
		if s.lane == 8 {
			s.sumLanes(sums[2*i], s.regs[8])
		}
		VMOVSD(sums[2*i].AsX(), at(out, 8*i))
	}
	end()
}

func axpy4(s set) {
	s.begin("axpy4", "(n int, alpha *float64, a *float64, lda int, y *float64)", "adds to y four rows of a, row i multiplied by alpha[i].")
	n, alpha, a, y := param("n"), param("alpha"), param("a"), param("y")
	rows := rowAddresses(a, stride("lda"), 4)
	factor, v := s.regs[:4], s.regs[8:12]
	for i, r := range factor {
		VBROADCASTSD(at(alpha, 8*i), r)
	}
	step := func(chains int) func() {
		return func() {
			for c := range chains {
				VMOVUPD(at(y, c*s.bytes()), v[c])
			}
			for i, m := range rows {
				for c := range chains {
					VFMADD231PD(m, factor[i], v[c])
					m.Disp += s.bytes()
				}
			}
			for c := range chains {
				VMOVUPD(v[c], at(y, c*s.bytes()))
			}
			ADDQ(U32(chains*s.bytes()), a)
			ADDQ(U32(chains*s.bytes()), y)
		}
	}
	whileAtLeast("wide", n, 4*s.lane, step(4))
	whileAtLeast("vector", n, s.lane, step(1))
	s.tail(n, func() {
		VMOVUPD_Z(at(y, 0), K1, v[0])
		for i, m := range rows {
			VMOVUPD_Z(m, K1, v[1])
			VFMADD231PD(v[1], factor[i], v[0])
		}
		VMOVUPD(v[0], K1, at(y, 0))
	}, func() {
		VMOVSD(at(y, 0), v[0].AsX())
		for i, m := range rows {
			VFMADD231SD(m, factor[i].AsX(), v[0].AsX())
		}
		VMOVSD(v[0].AsX(), at(y, 0))
		ADDQ(U8(8), a)
		ADDQ(U8(8), y)
	})
	end()
}

func below(s set) {
	s.begin("below", "(n int, x *float64, y *float64, bound float64) int", "returns the first of the vectors in which x[i]-y[i] is below a bound somewhere, or n.")
	n, x, y := param("n"), param("x"), param("y")
	bound, v := s.regs[0], s.regs[1]
	VBROADCASTSD(NewParamAddr("bound", 24), bound)
	i, found := GP64(), GP64()
	XORQ(i, i)
	Label("next")
	CMPQ(i, n)
	JGE(LabelRef("done"))
	from := func(base GPVirtual) Mem { return Mem{Base: base, Index: i, Scale: 8} }
	VMOVUPD(from(x), v)
	VSUBPD(from(y), v, v)
	if s.lane == 8 {
		VCMPPD(U8(1), bound, v, K1)
		KORTESTW(K1, K1)
	} else {
		VCMPPD(U8(1), bound, v, v)
		VMOVMSKPD(v, found.As32())
		TESTL(found.As32(), found.As32())
	}
	JNZ(LabelRef("done"))
	ADDQ(U8(s.lane), i)
	JMP(LabelRef("next"))
	Label("done")
	Store(i, ReturnIndex(0))
	end()
}
