package fastblas

import (
	"fmt"
	"sync"
	"sync/atomic"
)

const (
	// singleDepth is the number of terms that are summed up in single precision: their sum goes on in double.
	singleDepth = 256
	// singlePanels is how many panels of this depth are packed at a time, of tables of singleWide columns at most; of wider ones fewer.
	singlePanels, singleWide = 4, 1024
	// singleRows is how many rows of the result make a task.
	singleRows = 96
	// singleWeight is the least weight that is not taken for 0.
	singleWeight = 1e-25
)

// singleKernel are the loops on float32. A vector has lane numbers, and a tile lane/2 rows and up to three vectors.
type singleKernel struct {
	lane   int
	tile   []func(k int, a, b *float32, c *float64, ldc int)
	center func(k int, src *float32, ld int, dst *float32, ds int, shift, w *float32)
}

// singleGram is one product at work, with its packed factors.
type singleGram struct {
	*singleKernel
	n, d, ldx, ldc int
	x, shift       []float32
	w              []float64
	c              []float64
	wide           int // d, rounded up to whole vectors
	first, panels  int // row at which the packed part begins, and its panels
	a, b           []float32
}

var singleGrams = sync.Pool{New: func() any { return new(singleGram) }}

// WeightedGramSingle is [WeightedGram] of a table in single precision. Products are formed in single precision, up to 256 of them
// are added so, and these sums in double precision: elements of c are off by about a millionth of the product of two columns'
// lengths at most. It is up to twice as fast. Shifted values, weights and their products must lie within the range of single precision,
// which is not checked;
// weights below 1e-25 count as 0. Kernels without instructions for it (neon, go) compute in double precision. The result depends neither on the number of threads nor on
// whether the kernel is avx512 or avx2.
func WeightedGramSingle(threads, n, d int, x []float32, ldx int, w []float64, shift []float32, c []float64, ldc int) {
	switch {
	case n < 0 || d < 0 || ldx < max(1, d) || n > 0 && len(x) < (n-1)*ldx+d || w != nil && len(w) < n || shift != nil && len(shift) < d || !fits(d, d, c, ldc):
		panic(fmt.Sprintf("fastblas: weighted Gram of %d x %d numbers: %d with stride %d, %d weights, shift of %d, result of %d with stride %d", n, d, len(x), ldx, len(w), len(shift), len(c), ldc))
	case n == 0 || d == 0:
		return
	}
	kn := current.Load().single
	if kn == nil {
		widenedGram(threads, n, d, x, ldx, w, shift, c, ldc)
		return
	}
	g := singleGrams.Get().(*singleGram)
	g.singleKernel, g.n, g.d, g.ldx, g.ldc, g.x, g.w, g.shift, g.c = kn, n, d, ldx, ldc, x, w, shift, c
	g.wide = roundUp(d, kn.lane)
	most := min(max(singlePanels*singleWide/g.wide, 1), singlePanels, (n+singleDepth-1)/singleDepth)
	if need := most * singleDepth * g.wide; cap(g.a) < need {
		g.a, g.b = make([]float32, need), make([]float32, need)
	}
	g.a, g.b = g.a[:cap(g.a)], g.b[:cap(g.b)]
	threads = resolveThreads(threads, float64(n)*float64(d)*float64(d)/4)
	strips, chunks := g.wide/kn.lane, (d+singleRows-1)/singleRows
	for g.first = 0; g.first < n; g.first += g.panels * singleDepth {
		g.panels = min(most, (n-g.first+singleDepth-1)/singleDepth)
		side(threads, g.panels*strips, g.pack)
		side(threads, chunks*((g.wide+3*kn.lane-1)/(3*kn.lane)), g.multiply)
	}
	g.x, g.w, g.shift, g.c = nil, nil, nil, nil
	singleGrams.Put(g)
}

// side runs tasks side by side.
func side(threads, tasks int, run func(task int)) {
	var next atomic.Int64
	work := func() {
		for {
			task := int(next.Add(1)) - 1
			if task >= tasks {
				return
			}
			run(task)
		}
	}
	var others sync.WaitGroup
	for range min(threads, tasks) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

// depth is the number of rows of a panel, and row its first.
func (g *singleGram) depth(panel int) (row, depth int) {
	row = g.first + panel*singleDepth
	return row, min(singleDepth, g.n-row)
}

// pack copies one vector of columns of a panel to both factors. In a they stand strip by strip; in b three of them side by side.
func (g *singleGram) pack(task int) {
	strips := g.wide / g.lane
	panel, strip := task/strips, task%strips
	row, depth := g.depth(panel)
	var weights, ones [singleDepth]float32
	for p := range depth {
		if weights[p], ones[p] = 1, 1; g.w != nil {
			if weights[p] = float32(g.w[row+p]); weights[p] < singleWeight {
				weights[p] = 0 // numbers that are not normal are slow
			}
		}
	}
	var shift [16]float32
	at := strip * g.lane
	used := min(g.lane, g.d-at)
	if g.shift != nil {
		copy(shift[:], g.shift[at:at+used])
	}
	width := min(3, strips-strip/3*3) * g.lane
	from := panel * singleDepth * g.wide
	a := g.a[from+strip*g.lane*singleDepth:]
	b := g.b[from+strip/3*3*g.lane*singleDepth+strip%3*g.lane:]
	if used == g.lane {
		src := &g.x[row*g.ldx+at]
		g.center(depth, src, g.ldx, &a[0], g.lane, &shift[0], &weights[0])
		g.center(depth, src, g.ldx, &b[0], width, &shift[0], &ones[0])
		return
	}
	for p := range depth {
		clear(a[p*g.lane+used : (p+1)*g.lane])
		clear(b[p*width+used : p*width+g.lane])
		for j, v := range g.x[(row+p)*g.ldx+at : (row+p)*g.ldx+g.d] {
			v -= shift[j]
			a[p*g.lane+j], b[p*width+j] = v*weights[p], v
		}
	}
}

// multiply adds the packed terms to some rows of the result in the columns of one panel of b.
func (g *singleGram) multiply(task int) {
	chunks := (g.d + singleRows - 1) / singleRows
	j0, rows := task/chunks*3*g.lane, g.lane/2
	width := min(3*g.lane, g.wide-j0)
	i0 := task % chunks * singleRows
	last := min(i0+singleRows, g.d, j0+width)
	var room [maxTile * 2]float64
	for panel := range g.panels {
		_, depth := g.depth(panel)
		from := panel * singleDepth * g.wide
		b := &g.b[from+j0*singleDepth]
		for i := i0; i < last; i += rows {
			a := &g.a[from+i/g.lane*g.lane*singleDepth+i%g.lane]
			tile := g.tile[width/g.lane-1]
			if i+rows <= g.d && j0+width <= g.d && j0 >= i+rows-1 {
				tile(depth, a, b, &g.c[i*g.ldc+j0], g.ldc)
				continue
			}
			clear(room[:rows*width]) // beyond the edge or below the diagonal
			tile(depth, a, b, &room[0], width)
			for r := i; r < min(i+rows, g.d); r++ {
				for j := max(j0, r); j < min(j0+width, g.d); j++ {
					g.c[r*g.ldc+j] += room[(r-i)*width+j-j0]
				}
			}
		}
	}
}

// widenedGram is the product in double precision.
func widenedGram(threads, n, d int, x []float32, ldx int, w []float64, shift []float32, c []float64, ldc int) {
	const rows = 1024
	room, about := make([]float64, min(n, rows)*d), make([]float64, d)
	for j := range min(d, len(shift)) {
		about[j] = float64(shift[j])
	}
	for first := 0; first < n; first += rows {
		count := min(rows, n-first)
		for i := range count {
			for j, v := range x[(first+i)*ldx : (first+i)*ldx+d] {
				room[i*d+j] = float64(v)
			}
		}
		var part []float64
		if w != nil {
			part = w[first : first+count]
		}
		WeightedGram(threads, count, d, room, d, part, about, c, ldc)
	}
}
