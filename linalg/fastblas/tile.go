package fastblas

import "unsafe"

// panel returns the panel of B at column j of the block, packed or in place, and its width.
func (p *product) panel(s, j, depth int) (*float64, int) {
	if p.narrow {
		return &p.b.data[(p.k0+s)*p.b.ld+j], min(p.kn.nr, p.n-j)
	}
	width := min(p.kn.nr, roundUp(p.nb, p.kn.lane)-j)
	return &p.packed[s*roundUp(p.nb, p.kn.lane)+j*depth], width
}

// addTile adds alpha*A*B to the tile of C at (i,j) with the given rows and columns. A tile
// that is cut by the edge or by the diagonal goes through a copy, so that each of its
// elements still sees the same operations.
func (p *product) addTile(ws *workspace, i, rows, j, columns, depth int, a *float64, rs, cs int, b *float64, width int, next uintptr, step int) {
	kn := p.kn
	straddles := false
	switch p.region {
	case upper:
		if j+columns <= i {
			return
		}
		straddles = j < i+rows-1
	case lower:
		if i+rows <= j {
			return
		}
		straddles = i < j+columns-1
	}
	tile, bs := kn.tile[width/kn.lane-1], width
	if p.narrow {
		bs = p.b.ld
	}
	if rows == kn.mr && columns == width && !straddles {
		tile(depth, p.alpha, a, rs, cs, b, bs, &p.c[i*p.ldc+j], p.ldc, next, step)
		return
	}
	for r := range rows {
		copy(ws.tile[r*width:], p.c[(i+r)*p.ldc+j:(i+r)*p.ldc+j+columns])
	}
	tile(depth, p.alpha, a, rs, cs, b, bs, &ws.tile[0], width, next, step)
	for r := range rows {
		from, to := 0, columns
		switch p.region {
		case upper:
			from = min(max(0, i+r-j), columns)
		case lower:
			to = max(min(columns, i+r-j+1), 0)
		}
		copy(p.c[(i+r)*p.ldc+j+from:(i+r)*p.ldc+j+to], ws.tile[r*width+from:r*width+to])
	}
}

// scale multiplies a part of C by beta. With beta = 0 it is set to 0, whatever it holds.
func (p *product) scale(i, rows, j, columns int) {
	if p.beta == 1 {
		return
	}
	for r := i; r < i+rows; r++ {
		from, to := j, j+columns
		switch p.region {
		case upper:
			from = min(max(from, r), to)
		case lower:
			to = max(from, min(to, r+1))
		}
		row := p.c[r*p.ldc+from : r*p.ldc+to]
		if p.beta == 0 {
			clear(row)
			continue
		}
		for q := range row {
			row[q] *= p.beta
		}
	}
}

// addRow adds the tiles of C that share a strip of A, from column j of the block on.
// The first tile fetches from next on.
func (p *product) addRow(ws *workspace, i, rows, j, columns, s, depth int, a *float64, rs, cs int, next uintptr, step int) {
	for jr := 0; jr < columns; jr += p.kn.nr {
		b, width := p.panel(s, j+jr, depth)
		p.addTile(ws, i, rows, p.j0+j+jr, min(p.kn.nr, columns-jr), depth, a, rs, cs, b, width, next, step)
		step = 0
	}
}

// afterPanel tells what the tiles of so many rows fetch while they work on a panel of B: each its part
// of the panel that follows, step bytes for every term. Otherwise it would come from the third-level
// cache when its first tile needs it.
func (p *product) afterPanel(ws *workspace, b *float64, width, depth, rows int) (next uintptr, step int) {
	if !p.kn.ahead {
		return address(ws.a), 0
	}
	const line, terms = 64, 4 // a kernel may fetch once in so many terms
	return uintptr(unsafe.Pointer(b)) + uintptr(8*width*depth), min((8*p.kn.nr*p.kn.mr+rows-1)/rows, line/terms)
}

// address is used for fetching ahead only, where it may run past the end.
func address(x []float64) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(x))) }
