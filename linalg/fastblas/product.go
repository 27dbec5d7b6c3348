package fastblas

import (
	"sync"
	"sync/atomic"
)

// region is the part of C that a product computes.
type region int

const (
	whole region = iota
	upper        // on and above the diagonal
	lower        // on and below the diagonal
)

const (
	// maxDepth is the largest number of terms of the sum over k that is handled at a
	// time: a strip of A of this depth and a part of one of B fit the first-level cache.
	maxDepth = 384
	// packedB is the number of elements of B that are held packed for each thread, up to
	// maxPackedB (3 and 9 MB): shared, so that threads meet less often.
	packedB    = 1024 * maxDepth
	maxPackedB = 3 * packedB
	// thinColumns is the number of columns of C up to which a row-major A is read in
	// place: each element is then used too seldom to repay its packing.
	thinColumns = 120
	// thinDepth and thinRows are the sizes of the packed block of A where C has few
	// columns and A is stored by depth: wide, as its rows come from main memory.
	thinDepth = 192
	thinRows  = 400
)

// product is C = beta*C + alpha*A*B on one region of C, with the state of its
// computation. Products are pooled, as they own the packing buffers.
type product struct {
	m, n, k     int
	alpha, beta float64
	a, b        operand
	c           []float64
	ldc         int
	region      region
	threads     int

	kn     *kernel
	depth  int  // terms of the sum in one panel
	thin   bool // C has few columns
	direct bool // A is read in place
	// narrow: the rows of B are short, whole and plain, and its panels are read in place.
	narrow bool

	// The block at work: columns [j0,j0+nb) and terms [k0,k0+kb).
	j0, nb, k0, kb int
	chunkRows      int // C is cut into chunks, which threads take one after the other
	chunkColumns   int
	rowChunks      int
	packedColumns  int // columns of B packed by one thread at a time
	packed         []float64
	phase          func(*product, *workspace, int)
	chunks         int
	next           atomic.Int64
	helpers        sync.WaitGroup
}

// workspace is what one thread needs.
type workspace struct {
	a    []float64        // packed rows of A
	tile [maxTile]float64 // a tile of C that is not stored whole
}

var (
	products   = sync.Pool{New: func() any { return new(product) }}
	workspaces = sync.Pool{New: func() any { return new(workspace) }}
)

// multiply computes the product described by the fields up to threads, and returns
// it to the pool.
func (p *product) multiply() {
	if p.m > 0 && p.n > 0 {
		if p.k == 0 || p.alpha == 0 {
			p.scale(0, p.m, 0, p.n)
		} else {
			p.blocks()
		}
	}
	p.a, p.b, p.c = operand{}, operand{}, nil
	products.Put(p)
}

// evenly cuts n into as few parts of at most limit as possible and returns their size,
// a multiple of unit.
func evenly(n, limit, unit int) int {
	limit -= limit % unit
	parts := (n + limit - 1) / limit
	return roundUp((n+parts-1)/parts, unit)
}

// blocks runs over the blocks of B that fit the packing buffer. For each, all threads
// pack it, and then multiply chunks of rows of A by it.
func (p *product) blocks() {
	p.kn = current.Load()
	kn := p.kn
	p.threads = resolveThreads(p.threads, float64(p.m)*float64(p.n)*float64(p.k))
	p.thin = p.n <= thinColumns
	p.direct = p.thin && !p.a.byDepth && p.a.storage == dense
	p.depth = min(p.k, evenly(p.k, maxDepth, 8))
	if p.thin && !p.direct {
		p.depth = min(p.k, evenly(p.k, thinDepth, 8))
	}

	p.narrow = p.n%kn.lane == 0 && p.b.panelInPlace(kn)

	budget := min(p.threads*packedB, maxPackedB)
	columns := evenly(p.n, budget/maxDepth, kn.nr)
	terms := min(p.k, budget/columns/p.depth*p.depth)
	if need := columns * terms; cap(p.packed) < need && !p.narrow {
		p.packed = make([]float64, roundUp(need, 1<<12))
	}
	for p.j0 = 0; p.j0 < p.n; p.j0 += columns {
		p.nb = min(columns, p.n-p.j0)
		for p.k0 = 0; p.k0 < p.k; p.k0 += terms {
			p.kb = min(terms, p.k-p.k0)
			if !p.narrow {
				p.packB()
			}
			p.cut()
			p.each((p.nb+p.chunkColumns-1)/p.chunkColumns*p.rowChunks, (*product).multiplyChunk)
		}
	}
}

// cut chooses the chunks of C: enough of them to keep all threads busy to the end,
// but as large as the cache allows, because each packs its rows of A anew.
func (p *product) cut() {
	kn := p.kn
	p.chunkColumns = roundUp(p.nb, kn.nr)
	limit := kn.mc
	if p.direct {
		limit = 16 * kn.mr
	} else if p.thin {
		limit = thinRows
	}
	if p.threads > 1 || p.region != whole {
		wanted := 4 * p.threads
		if p.region != whole {
			wanted *= 2
		}
		limit = min(limit, max((p.m+wanted-1)/wanted, 4*kn.mr))
	}
	p.chunkRows = evenly(p.m, limit+kn.mr-1, kn.mr)
	p.rowChunks = (p.m + p.chunkRows - 1) / p.chunkRows
	if p.threads > 1 && p.rowChunks < 2*p.threads {
		pieces := (2*p.threads + p.rowChunks - 1) / p.rowChunks
		p.chunkColumns = max(4*kn.nr, roundUp((p.nb+pieces-1)/pieces, kn.nr))
	}
}

// packB packs the block of B, one panel depth and a number of columns at a time.
func (p *product) packB() {
	kn := p.kn
	p.packedColumns = roundUp(p.nb, kn.nr)
	panels := (p.kb + p.depth - 1) / p.depth
	if p.threads > 1 && panels < 2*p.threads && p.nb*p.kb > 1<<14 {
		pieces := (2*p.threads + panels - 1) / panels
		p.packedColumns = max(kn.nr, roundUp(p.nb/pieces, kn.nr))
	}
	chunks := panels * ((p.nb + p.packedColumns - 1) / p.packedColumns)
	if p.nb*p.kb <= 1<<14 {
		for i := range chunks {
			p.packChunk(nil, i)
		}
		return
	}
	p.each(chunks, (*product).packChunk)
}

func (p *product) packChunk(_ *workspace, chunk int) {
	panels := (p.kb + p.depth - 1) / p.depth
	s := chunk % panels * p.depth
	j := chunk / panels * p.packedColumns
	depth := min(p.depth, p.kb-s)
	dst := p.packed[s*roundUp(p.nb, p.kn.lane)+j*depth : cap(p.packed)]
	p.b.pack(p.kn, p.j0+j, min(p.packedColumns, p.nb-j), p.k0+s, depth, p.kn.nr, dst)
}

// multiplyChunk adds the terms of the block to one chunk of C.
func (p *product) multiplyChunk(ws *workspace, chunk int) {
	i := chunk % p.rowChunks
	if p.region == lower {
		i = p.rowChunks - 1 - i // the longest rows first
	}
	i *= p.chunkRows
	rows := min(p.chunkRows, p.m-i)
	j := chunk / p.rowChunks * p.chunkColumns
	columns := min(p.chunkColumns, p.nb-j)
	switch p.region {
	case upper: // columns left of the first row's diagonal are not wanted
		if skip := (i - p.j0 - j) / p.kn.nr * p.kn.nr; skip > 0 {
			if skip >= columns {
				return
			}
			j, columns = j+skip, columns-skip
		}
	case lower:
		if p.j0+j > i+rows-1 {
			return
		}
		columns = min(columns, i+rows-p.j0-j)
	}
	if p.k0 == 0 {
		p.scale(i, rows, p.j0+j, columns)
	}
	if p.direct {
		p.multiplyInPlace(ws, i, rows, j, columns)
		return
	}
	kn := p.kn
	ws.reserve(roundUp(rows, kn.mr) * p.depth)
	for s := 0; s < p.kb; s += p.depth {
		depth := min(p.depth, p.kb-s)
		p.a.pack(kn, i, rows, p.k0+s, depth, kn.mr, ws.a)
		if p.thin {
			for ir := 0; ir < rows; ir += kn.mr {
				// Meanwhile fetch what will be packed next.
				next := address(p.a.data) + uintptr(8*((p.k0+s+depth)*p.a.ld+i+ir))
				p.addRow(ws, i+ir, min(kn.mr, rows-ir), j, columns, s, depth, &ws.a[ir*depth], 1, kn.mr, next, 8*p.a.ld)
			}
			continue
		}
		for jr := 0; jr < columns; jr += kn.nr {
			b, width := p.panel(s, j+jr, depth)
			next, step := p.afterPanel(ws, b, width, depth, rows)
			for ir := 0; ir < rows; ir += kn.mr {
				p.addTile(ws, i+ir, min(kn.mr, rows-ir), p.j0+j+jr, min(kn.nr, columns-jr), depth, &ws.a[ir*depth], 1, kn.mr, b, width, next, step)
				next += uintptr(step * depth)
			}
		}
	}
}

// multiplyInPlace is multiplyChunk without packing A, one tile of rows at a time, so
// that the rows of A are read from end to end.
func (p *product) multiplyInPlace(ws *workspace, i, rows, j, columns int) {
	kn := p.kn
	for ir := 0; ir < rows; ir += kn.mr {
		used := min(kn.mr, rows-ir)
		for s := 0; s < p.kb; s += p.depth {
			depth := min(p.depth, p.kb-s)
			a, rs, cs := &p.a.data[(i+ir)*p.a.ld+p.k0+s], p.a.ld, 1
			if used < kn.mr {
				ws.reserve(kn.mr * depth)
				p.a.pack(kn, i+ir, used, p.k0+s, depth, kn.mr, ws.a)
				a, rs, cs = &ws.a[0], 1, kn.mr
			}
			// Meanwhile fetch the next rows, which follow if there is no gap between rows.
			next := address(p.a.data) + uintptr(8*((i+ir+kn.mr)*p.a.ld+kn.mr*(p.k0+s)))
			p.addRow(ws, i+ir, used, j, columns, s, depth, a, rs, cs, next, 8*kn.mr)
		}
	}
}

func (ws *workspace) reserve(n int) {
	if cap(ws.a) < n {
		ws.a = make([]float64, roundUp(n, 1<<12))
	}
	ws.a = ws.a[:cap(ws.a)]
}
