package main

import "fmt"

const (
	widest = 3 // lanes in a row of the largest tile
	rows   = lane
)

// tile writes the micro-kernel: a tile of C of 4 rows and w lanes is summed up in
// registers over all k, each element in order of k, and then added to memory once.
// With w = 3 its 24 sums, 6 registers of B and 2 of A are all the 32 there are.
func (p *program) tile(w int) {
	p.begin(fmt.Sprintf("tile%dx%d", rows, w*lane),
		[]string{"k int", "alpha float64", "a *float64", "rs int", "cs int", "b *float64", "bs int", "c *float64", "ldc int", "next uintptr", "step int"}, "",
		"adds alpha*A*B to a tile of C, k at least 1, and fetches k places from next on, step bytes apart.")
	const k, a, b, bs, c, ldc, next, step, rs, cs, row = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	perRow := perLane * w
	vb := rows * perRow
	va := vb + perRow

	p.param("c", c)
	p.stride("ldc", ldc)
	p.prefetchTile(c, ldc, row, w*laneBytes)
	p.param("k", k)
	p.param("a", a)
	p.stride("rs", rs)
	p.stride("cs", cs)
	p.param("b", b)
	p.stride("bs", bs)
	p.param("next", next)
	p.param("step", step)
	p.zero(0, rows*perRow)
	p.op("CMP $8, R%d", rs)
	p.op("BNE strided")
	p.op("CMP $%d, R%d", laneBytes, cs)
	p.op("BNE strided")

	term := func(add func()) func() {
		return func() {
			p.load(b, vb, w)
			p.op("ADD R%d, R%d, R%d", bs, b, b)
			p.op("PRFM (R%d), PLDL2KEEP", next)
			p.op("ADD R%d, R%d, R%d", step, next, next)
			add()
		}
	}
	// A packed: its four numbers are two registers, each half of which multiplies a row.
	p.times("packed", k, 1, term(func() {
		p.take(a, va, 1)
		for i := range rows {
			for j := range perRow {
				p.fmlaBy(i*perRow+j, vb+j, va+i/2, i%2)
			}
		}
	}))
	p.op("B add")
	// A in place: every number is spread over a register.
	p.label("strided")
	address := []int{a, 11, 12, 13}
	p.rows(a, rs, address[1:]...)
	p.times("terms", k, 1, term(func() {
		for i, r := range address {
			p.op("VLD1R.P (R%d)(R%d), [V%d.D2]", r, cs, va+i%2)
			for j := range perRow {
				p.fmla(i*perRow+j, vb+j, va+i%2)
			}
		}
	}))

	p.label("add")
	alpha, old := va, vb
	p.op("FMOVD %s, F%d", p.place("alpha"), alpha)
	for i := range rows {
		p.load(c, old, w)
		for j := range perRow {
			p.fmlaBy(old+j, i*perRow+j, alpha, 0)
		}
		p.store(old, w, c)
		if i < rows-1 {
			p.op("ADD R%d, R%d, R%d", ldc, c, c)
		}
	}
	p.ret()
}

// prefetchTile asks for the lines of C that the end of the kernel will need.
func (p *program) prefetchTile(c, ldc, row, width int) {
	p.op("MOVD R%d, R%d", c, row)
	for i := range rows {
		for d := 0; d < width; d += 64 {
			p.op("PRFM %d(R%d), PLDL1KEEP", d, row)
		}
		p.op("PRFM %d(R%d), PLDL1KEEP", width-8, row)
		if i < rows-1 {
			p.op("ADD R%d, R%d, R%d", ldc, row, row)
		}
	}
}
