package main

// chains is how many sums of a lane each run side by side in long vectors.
const chains = 4

// sumLanes adds the numbers of a lane in registers v and v+1 into the lower half of v.
func (p *program) sumLanes(v int) {
	p.fadd(v, v, v+1)
	p.sumPair(v, v)
}

func (p *program) dot() {
	p.begin("dot", []string{"n int", "x *float64", "y *float64"}, "float64", "returns the sum of x[i]*y[i].")
	const n, x, y, sums, vx, vy = 0, 1, 2, 0, 16, 24
	p.param("n", n)
	p.param("x", x)
	p.param("y", y)
	p.zero(sums, chains*perLane)
	step := func(chains int) func() {
		return func() {
			p.take(x, vx, chains)
			p.take(y, vy, chains)
			for i := range chains * perLane {
				p.fmla(sums+i, vx+i, vy+i)
			}
		}
	}
	p.whileAtLeast("wide", n, chains*lane, step(chains))
	p.whileAtLeast("vector", n, lane, step(1))
	for _, pair := range [][2]int{{0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}} {
		p.fadd(sums+pair[0], sums+pair[0], sums+pair[1])
	}
	p.sumLanes(sums)
	p.whileAtLeast("single", n, 1, func() {
		p.op("FMOVD.P 8(R%d), F%d", x, vx)
		p.op("FMOVD.P 8(R%d), F%d", y, vy)
		p.op("FMADDD F%d, F%d, F%d, F%d", vy, sums, vx, sums)
	})
	p.op("FMOVD F%d, %s", sums, p.place("ret"))
	p.ret()
}

func (p *program) axpy() {
	p.begin("axpy", []string{"n int", "alpha float64", "x *float64", "y *float64"}, "", "adds alpha*x[i] to y[i].")
	const n, x, y, alpha, vx, vy = 0, 1, 2, 0, 16, 24
	p.param("n", n)
	p.param("x", x)
	p.param("y", y)
	p.op("FMOVD %s, F%d", p.place("alpha"), alpha)
	step := func(chains int) func() {
		return func() {
			p.take(x, vx, chains)
			p.load(y, vy, chains)
			for i := range chains * perLane {
				p.fmlaBy(vy+i, vx+i, alpha, 0)
			}
			p.put(vy, chains, y)
		}
	}
	p.whileAtLeast("wide", n, chains*lane, step(chains))
	p.whileAtLeast("vector", n, lane, step(1))
	p.whileAtLeast("single", n, 1, func() {
		p.op("FMOVD.P 8(R%d), F%d", x, vx)
		p.op("FMOVD (R%d), F%d", y, vy)
		p.op("FMADDD F%d, F%d, F%d, F%d", alpha, vy, vx, vy)
		p.op("FMOVD.P F%d, 8(R%d)", vy, y)
	})
	p.ret()
}

func (p *program) dot4() {
	p.begin("dot4", []string{"n int", "a *float64", "lda int", "x *float64", "out *float64"}, "", "writes the products of four rows of a with x to out.")
	const n, a, lda, x, out, chains, perRow, vx, va = 0, 1, 2, 3, 4, 2, 2 * perLane, 16, 20
	p.param("n", n)
	p.param("a", a)
	p.stride("lda", lda)
	p.param("x", x)
	p.param("out", out)
	address := []int{a, 5, 6, 7}
	p.rows(a, lda, address[1:]...)
	p.zero(0, len(address)*perRow)
	step := func(chains int) func() {
		return func() {
			p.take(x, vx, chains)
			for i, r := range address {
				p.take(r, va, chains)
				for v := range chains * perLane {
					p.fmla(perRow*i+v, va+v, vx+v)
				}
			}
		}
	}
	p.whileAtLeast("wide", n, chains*lane, step(chains))
	p.whileAtLeast("vector", n, lane, step(1))
	for i := range address {
		for v := range perLane {
			p.fadd(perRow*i+v, perRow*i+v, perRow*i+perLane+v)
		}
		p.sumLanes(perRow * i)
	}
	p.whileAtLeast("single", n, 1, func() {
		p.op("FMOVD.P 8(R%d), F%d", x, vx)
		for i, r := range address {
			p.op("FMOVD.P 8(R%d), F%d", r, va)
			p.op("FMADDD F%d, F%d, F%d, F%d", va, perRow*i, vx, perRow*i)
		}
	})
	for i := range address {
		p.op("FMOVD F%d, %d(R%d)", perRow*i, 8*i, out)
	}
	p.ret()
}

func (p *program) axpy4() {
	p.begin("axpy4", []string{"n int", "alpha *float64", "a *float64", "lda int", "y *float64"}, "", "adds to y four rows of a, row i multiplied by alpha[i].")
	const n, alpha, a, lda, y, factor, vy, va = 0, 1, 2, 3, 4, 0, 16, 24
	p.param("n", n)
	p.param("alpha", alpha)
	p.param("a", a)
	p.stride("lda", lda)
	p.param("y", y)
	p.load(alpha, factor, 1)
	address := []int{a, 5, 6, 7}
	p.rows(a, lda, address[1:]...)
	step := func(chains int) func() {
		return func() {
			p.load(y, vy, chains)
			for i, r := range address {
				p.take(r, va, chains)
				for v := range chains * perLane {
					p.fmlaBy(vy+v, va+v, factor+i/2, i%2)
				}
			}
			p.put(vy, chains, y)
		}
	}
	p.whileAtLeast("wide", n, chains*lane, step(chains))
	p.whileAtLeast("vector", n, lane, step(1))
	p.whileAtLeast("single", n, 1, func() {
		p.op("FMOVD (R%d), F%d", y, vy)
		for i, r := range address {
			p.op("FMOVD.P 8(R%d), F%d", r, va)
			p.fmlaBy(vy, va, factor+i/2, i%2) // the upper half is not used
		}
		p.op("FMOVD.P F%d, 8(R%d)", vy, y)
	})
	p.ret()
}
