package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The exponential is computed as 2^n * e^r with n = round(x/ln 2), so |r| <= ln(2)/2,
// and e^r by its Taylor polynomial of degree 13, whose remainder there is below 5e-18.
// x is first clamped to where the result has long been 0 or infinite, which lets
// infinities pass; the order of the operands of min and max lets NaN pass.
const (
	expDegree  = 13
	expLowest  = -746
	expHighest = 710
)

// expTable writes the constants, each repeated n times, and returns their addresses:
// the reciprocal factorials first, then log2(e), ln 2 in two parts, the bounds, and 1023
// as an integer.
func expTable(name string, n int) (coefficient func(i int) Mem, log2e, ln2high, ln2low, lowest, highest, bias Mem) {
	table := GLOBL(name, RODATA|NOPTR)
	var values []uint64
	factorial := 1.0
	for i := 0; i <= expDegree; i++ {
		if i > 1 {
			factorial *= float64(i)
		}
		values = append(values, math.Float64bits(1/factorial))
	}
	const low = 2.319046813846299558417771e-17 // ln 2 minus its nearest float64
	for _, v := range []float64{math.Log2E, math.Ln2, low, expLowest, expHighest} {
		values = append(values, math.Float64bits(v))
	}
	values = append(values, 1023)
	for i, v := range values {
		for j := range n {
			DATA(8*(i*n+j), U64(v))
		}
	}
	place := func(i int) Mem { return table.Offset(8 * n * i) }
	return place, place(expDegree + 1), place(expDegree + 2), place(expDegree + 3), place(expDegree + 4), place(expDegree + 5), place(expDegree + 6)
}

const expSignature = "(n int, dst *float64, src *float64)"

func expAVX512() {
	coefficient, log2e, ln2high, ln2low, lowest, highest, _ := expTable("expConstants", 1)
	s := avx512
	s.begin("exp", expSignature, "sets dst[i] to the exponential of src[i], n a positive multiple of 8.")
	n, dst, src := param("n"), param("dst"), param("src")
	x, q, m := s.regs[0], s.regs[1], s.regs[2]
	constant := s.regs[8:]
	take := func(m Mem) VecPhysical {
		v := constant[0]
		constant = constant[1:]
		VBROADCASTSD(m, v)
		return v
	}
	vLog2e, vHigh, vLow, vMin, vMax := take(log2e), take(ln2high), take(ln2low), take(lowest), take(highest)
	var c [expDegree + 1]VecPhysical
	for i := 1; i <= expDegree; i++ { // the coefficients of degree 0 and 1 are both 1
		c[i] = take(coefficient(i))
	}
	c[0] = c[1]
	Label("vector")
	VMOVUPD(at(src, 0), x)
	VMAXPD(x, vMin, x)
	VMINPD(x, vMax, x)
	VMULPD(vLog2e, x, m)
	VRNDSCALEPD(U8(8), m, m)
	VFNMADD231PD(vHigh, m, x)
	VFNMADD231PD(vLow, m, x)
	VMOVAPD(c[expDegree], q)
	for i := expDegree - 1; i >= 0; i-- {
		VFMADD213PD(c[i], x, q)
	}
	VSCALEFPD(m, q, q)
	VMOVUPD(q, at(dst, 0))
	ADDQ(U8(64), src)
	ADDQ(U8(64), dst)
	SUBQ(U8(8), n)
	JNZ(LabelRef("vector"))
	end()
}

// expAVX2 multiplies by 2^n in two steps, as 2^n itself may be out of range. Only the
// second step can round, so denormal results are rounded once.
func expAVX2() {
	coefficient, log2e, ln2high, ln2low, lowest, highest, bias := expTable("expConstants4", 4)
	s := avx2
	s.begin("exp", expSignature, "sets dst[i] to the exponential of src[i], n a positive multiple of 4.")
	n, dst, src := param("n"), param("dst"), param("src")
	x, q, m, half := s.regs[0], s.regs[1], s.regs[2], s.regs[3]
	vLog2e, vHigh, vLow, vMin, vMax, vBias := s.regs[10], s.regs[11], s.regs[12], s.regs[13], s.regs[14], s.regs[15]
	VMOVUPD(log2e, vLog2e)
	VMOVUPD(ln2high, vHigh)
	VMOVUPD(ln2low, vLow)
	VMOVUPD(lowest, vMin)
	VMOVUPD(highest, vMax)
	VMOVDQU(bias, vBias)
	Label("vector")
	VMOVUPD(at(src, 0), x)
	VMAXPD(x, vMin, x)
	VMINPD(x, vMax, x)
	VMULPD(vLog2e, x, m)
	VROUNDPD(U8(8), m, m)
	VFNMADD231PD(vHigh, m, x)
	VFNMADD231PD(vLow, m, x)
	VMOVUPD(coefficient(expDegree), q)
	for i := expDegree - 1; i >= 0; i-- {
		VFMADD213PD(coefficient(i), x, q)
	}
	VCVTPD2DQY(m, m.AsX())
	VPSRAD(U8(1), m.AsX(), half.AsX())
	VPSUBD(half.AsX(), m.AsX(), m.AsX())
	for _, v := range []VecPhysical{half, m} {
		VPMOVSXDQ(v.AsX(), v)
		VPADDQ(vBias, v, v)
		VPSLLQ(U8(52), v, v)
		VMULPD(v, q, q)
	}
	VMOVUPD(q, at(dst, 0))
	ADDQ(U8(32), src)
	ADDQ(U8(32), dst)
	SUBQ(U8(4), n)
	JNZ(LabelRef("vector"))
	end()
}
