package main

import (
	"fmt"
	"math"
)

// expDegree is that of the Taylor polynomial; the reduction, the constants and the order of
// operations are those of the kernel for AVX2, where they are explained.
const expDegree = 13

// expTable writes the constants and returns the registers, from V13 on, that they are loaded to.
func expConstants() (values []uint64) {
	factorial := 1.0
	for i := 1; i <= expDegree; i++ { // the coefficients of degree 0 and 1 are both 1
		factorial *= float64(i)
		values = append(values, math.Float64bits(1/factorial))
	}
	const low = 2.319046813846299558417771e-17 // ln 2 minus its nearest float64
	for _, v := range []float64{math.Log2E, math.Ln2, low, -746, 710} {
		values = append(values, math.Float64bits(v))
	}
	return append(values, 1023)
}

func (p *program) exp() {
	values := expConstants()
	p.code.WriteString("\n")
	for i, v := range values {
		fmt.Fprintf(&p.code, "DATA expConstantsNEON<>+%d(SB)/8, $0x%016x\n", 8*i, v)
	}
	fmt.Fprintf(&p.code, "GLOBL expConstantsNEON<>(SB), RODATA|NOPTR, $%d\n", 8*len(values))
	p.begin("exp", []string{"n int", "dst *float64", "src *float64"}, "", "sets dst[i] to the exponential of src[i], n a positive multiple of 4.")
	const n, dst, src, table = 0, 1, 2, 3
	const first = 13 // register of the first constant
	coefficient := func(degree int) int { return first + max(degree, 1) - 1 }
	const log2e, high, low, lowest, highest, bias = first + expDegree, first + expDegree + 1, first + expDegree + 2, first + expDegree + 3, first + expDegree + 4, first + expDegree + 5
	p.param("n", n)
	p.param("dst", dst)
	p.param("src", src)
	p.op("MOVD $expConstantsNEON<>(SB), R%d", table)
	for i := range values {
		p.op("VLD1R.P 8(R%d), [V%d.D2]", table, first+i)
	}
	// Both registers of a lane go through every step side by side.
	const x, q, m, next = 0, 2, 4, 6
	both := func(step func(v int)) {
		for v := range perLane {
			step(v)
		}
	}
	p.times("vector", n, lane, func() {
		p.take(src, x, 1)
		both(func(v int) { p.fmax(x+v, x+v, lowest) })
		both(func(v int) { p.fmin(x+v, x+v, highest) })
		both(func(v int) { p.fmul(m+v, x+v, log2e) })
		both(func(v int) { p.frintn(m+v, m+v) })
		both(func(v int) { p.fmls(x+v, m+v, high) })
		both(func(v int) { p.fmls(x+v, m+v, low) })
		both(func(v int) { p.move(q+v, coefficient(expDegree)) })
		sum, other := q, next
		for i := expDegree - 1; i >= 0; i-- {
			both(func(v int) { p.move(other+v, coefficient(i)) })
			both(func(v int) { p.fmla(other+v, sum+v, x+v) })
			sum, other = other, sum
		}
		both(func(v int) { p.fcvtzs(m+v, m+v) })
		half := x // x is used up
		both(func(v int) { p.halve(half+v, m+v) })
		both(func(v int) { p.op("VSUB V%d.D2, V%d.D2, V%d.D2", half+v, m+v, m+v) })
		for _, power := range []int{half, m} { // 2^m in two steps, as it may be out of range
			both(func(v int) { p.op("VADD V%d.D2, V%d.D2, V%d.D2", bias, power+v, power+v) })
			both(func(v int) { p.op("VSHL $52, V%d.D2, V%d.D2", power+v, power+v) })
			both(func(v int) { p.fmul(sum+v, sum+v, power+v) })
		}
		p.put(sum, 1, dst)
	})
	p.ret()
}

func (p *program) move(to, from int) { p.op("VMOV V%d.B16, V%d.B16", from, to) }
