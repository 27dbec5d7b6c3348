package main

var gatherParams = []string{"k int", "src *float64", "ld int", "dst *float64", "ds int"}

const (
	packK = iota
	packSrc
	packLd
	packDst
	packDs
)

// loadGather loads the parameters that all functions of packing share.
func (p *program) loadGather() {
	p.param("k", packK)
	p.param("src", packSrc)
	p.stride("ld", packLd)
	p.param("dst", packDst)
	p.stride("ds", packDs)
}

// nextRow moves both addresses on.
func (p *program) nextRow() {
	p.op("ADD R%d, R%d, R%d", packLd, packSrc, packSrc)
	p.op("ADD R%d, R%d, R%d", packDs, packDst, packDst)
}

func (p *program) gather() {
	p.begin("gather", gatherParams, "", "copies 4 numbers from each of k rows: dst[p*ds+i] = src[p*ld+i], k at least 1.")
	p.loadGather()
	p.times("rows", packK, 1, func() {
		p.load(packSrc, 0, 1)
		p.store(0, 1, packDst)
		p.nextRow()
	})
	p.ret()
}

func (p *program) center() {
	p.begin("center", append(gatherParams[:5:5], "shift *float64", "w *float64"), "", "is gather of (src-shift[i])*w[p], k at least 1.")
	const shift, w = 5, 6
	p.loadGather()
	p.param("shift", shift)
	p.param("w", w)
	p.load(shift, 2, 1)
	p.times("rows", packK, 1, func() {
		p.load(packSrc, 0, 1)
		p.op("VLD1R.P 8(R%d), [V4.D2]", w)
		for v := range perLane {
			p.fsub(v, v, 2+v)
			p.fmul(v, v, 4)
		}
		p.store(0, 1, packDst)
		p.nextRow()
	})
	p.ret()
}

// transpose turns blocks of 4 x 4, as four blocks of 2 x 2.
func (p *program) transpose() {
	p.begin("transpose", gatherParams, "", "gathers from 4 rows: dst[p*ds+i] = src[i*ld+p], k a positive multiple of 4.")
	p.loadGather()
	address := []int{packSrc, 5, 6, 7}
	p.rows(packSrc, packLd, address[1:]...)
	const turned = 16
	p.times("block", packK, lane, func() {
		for i, r := range address {
			p.take(r, 2*i, 1) // row i is V(2i), V(2i+1)
		}
		for column := range lane {
			for pair := range 2 { // of rows
				upper := 4*pair + column/2
				p.op("VTRN%d V%d.D2, V%d.D2, V%d.D2", 1+column%2, upper+2, upper, turned+2*column+pair)
			}
		}
		for column := range lane {
			p.store(turned+2*column, 1, packDst)
			p.op("ADD R%d, R%d, R%d", packDs, packDst, packDst)
		}
	})
	p.ret()
}
