package fastblas

// storage tells which elements of an operand are written in memory.
type storage int

const (
	dense    storage = iota
	symUpper         // symmetric; the elements on and above the diagonal are stored
	symLower         // symmetric; those on and below
)

// operand is one factor of a product, seen as a family of columns of length k:
// element (i,p) is a(i,p) for the left factor and b(p,i) for the right one. So both
// factors are packed by the same code.
type operand struct {
	data    []float64
	ld      int
	byDepth bool // element (i,p) stands at data[p*ld+i] instead of data[i*ld+p]
	storage storage
	// shift is subtracted from elements with its index i, weight multiplies elements
	// with its index p. nil means none. Only with byDepth and dense.
	shift, weight []float64
}

// panelInPlace tells whether the columns of a panel stand side by side as they are wanted, in rows short
// enough that those of one depth after the other stay in the cache.
func (o *operand) panelInPlace(kn *kernel) bool {
	return o.byDepth && o.storage == dense && o.shift == nil && o.weight == nil && o.ld <= 2*kn.nr
}

// subRows is the number of consecutive rows of a byDepth operand that are packed
// before moving to the next strip, so that memory is read row after row while the
// pages in use stay few.
const subRows = 32

// pack copies the elements with i in [i0,i0+count) and p in [p0,p0+depth) to dst in
// panels of width (a multiple of lane) columns. Panel q begins at dst[q*width*depth]
// and holds element (i0+q*width+r, p0+s) at s*w+r, where w is width for all panels
// but the last, which is only as wide as needed, rounded up to lane. Missing elements are 0.
func (o *operand) pack(kn *kernel, i0, count, p0, depth, width int, dst []float64) {
	if o.byDepth && o.storage == dense {
		for s := 0; s < depth; s += subRows {
			o.packSlab(kn, i0, count, p0, depth, s, min(subRows, depth-s), width, dst)
		}
		return
	}
	o.packSlab(kn, i0, count, p0, depth, 0, depth, width, dst)
}

// packSlab is pack for the depths [p0+s0, p0+s0+sn) alone.
func (o *operand) packSlab(kn *kernel, i0, count, p0, depth, s0, sn, width int, dst []float64) {
	for q := 0; q < count; q += width {
		used := min(width, count-q)
		w := roundUp(used, kn.lane)
		panel := dst[q*depth : q*depth+w*depth]
		for r := 0; r < w; r += kn.lane {
			o.packStrip(kn, i0+q+r, min(kn.lane, used-r), p0+s0, sn, panel[s0*w+r:], w)
		}
	}
}

// packStrip packs the lane-wide strip that starts at element i, of which used exist.
func (o *operand) packStrip(kn *kernel, i, used, p, depth int, dst []float64, stride int) {
	switch {
	case used < kn.lane:
		o.packSlowly(kn.lane, i, used, p, 0, depth, dst, stride)
	case o.storage == dense && !o.byDepth:
		o.packRows(kn, i, p, 0, depth, dst, stride)
	case o.storage == dense:
		o.packColumns(kn, i, p, depth, dst, stride)
	default:
		// Before and after the diagonal, a symmetric matrix is a dense one.
		before := min(max(0, i-p), depth)
		after := max(before, min(depth, i+kn.lane-p))
		if o.storage == symUpper {
			o.packColumns(kn, i, p, before, dst, stride)
			o.packRows(kn, i, p, after, depth, dst, stride)
		} else {
			o.packRows(kn, i, p, 0, before, dst, stride)
			if after < depth {
				o.packColumns(kn, i, p+after, depth-after, dst[after*stride:], stride)
			}
		}
		o.packSlowly(kn.lane, i, used, p, before, after, dst, stride)
	}
}

// packRows packs the depths [p+from,p+to) of a strip whose element (i,p) stands at
// data[i*ld+p].
func (o *operand) packRows(kn *kernel, i, p, from, to int, dst []float64, stride int) {
	whole := (to - from) / kn.lane * kn.lane
	if whole > 0 {
		kn.transpose(whole, &o.data[i*o.ld+p+from], o.ld, &dst[from*stride], stride)
	}
	for s := from + whole; s < to; s++ {
		for r := range kn.lane {
			dst[s*stride+r] = o.data[(i+r)*o.ld+p+s]
		}
	}
}

// packColumns packs a strip whose element (i,p) stands at data[p*ld+i].
func (o *operand) packColumns(kn *kernel, i, p, depth int, dst []float64, stride int) {
	if depth == 0 {
		return
	}
	src := &o.data[p*o.ld+i]
	if o.shift == nil && o.weight == nil {
		kn.gather(depth, src, o.ld, &dst[0], stride)
		return
	}
	shift, weight := &zeros[0], &ones[0]
	if o.shift != nil {
		shift = &o.shift[i]
	}
	if o.weight != nil {
		weight = &o.weight[p]
	}
	kn.center(depth, src, o.ld, &dst[0], stride, shift, weight)
}

// packSlowly handles what the kernels do not: ragged ends and diagonals.
func (o *operand) packSlowly(lane, i, used, p, from, to int, dst []float64, stride int) {
	for s := from; s < to; s++ {
		clear(dst[s*stride+used : s*stride+lane])
	}
	if o.storage == dense && !o.byDepth {
		for r := range used {
			for s, v := range o.data[(i+r)*o.ld+p+from : (i+r)*o.ld+p+to] {
				dst[(from+s)*stride+r] = v
			}
		}
		return
	}
	plain := o.storage == dense && o.shift == nil && o.weight == nil
	for s := from; s < to; s++ {
		row := dst[s*stride : s*stride+used]
		if plain {
			copy(row, o.data[(p+s)*o.ld+i:])
			continue
		}
		for r := range row {
			row[r] = o.at(i+r, p+s)
		}
	}
}

// at returns one element of a symmetric or byDepth operand.
func (o *operand) at(i, p int) float64 {
	switch o.storage {
	case symUpper:
		return o.data[min(i, p)*o.ld+max(i, p)]
	case symLower:
		return o.data[max(i, p)*o.ld+min(i, p)]
	}
	v := o.data[p*o.ld+i]
	if o.shift != nil {
		v -= o.shift[i]
	}
	if o.weight != nil {
		v *= o.weight[p]
	}
	return v
}

// zeros and ones stand for a missing shift and for missing weights of one slab.
var (
	zeros [maxTile]float64
	ones  = func() (v [subRows]float64) {
		for i := range v {
			v[i] = 1
		}
		return v
	}()
)

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
