package fastblas

import "unsafe"

// portable is the kernel in plain Go. It serves processors without a kernel of their
// own, and the tests as a second opinion.
var portable = kernel{
	name: "go",
	lane: 4, mr: 4, nr: 4, mc: 96,
	tile:      []tileFunc{tileGo},
	gather:    gatherGo,
	center:    centerGo,
	transpose: transposeGo,
	dot:       dotGo,
	axpy:      axpyGo,
	dot4:      dot4Go,
	axpy4:     axpy4Go,
	below:     belowGo,
	exp:       expGo,
}

// tileGo computes its 4 x 4 tile in two halves of two rows,
// because eight running sums are what 16 registers hold.
func tileGo(k int, alpha float64, a *float64, rs, cs int, b *float64, bs int, c *float64, ldc int, _ uintptr, _ int) {
	tileHalfGo(k, alpha, a, rs, cs, b, bs, c, ldc)
	tileHalfGo(k, alpha, offset(a, 2*rs), rs, cs, b, bs, offset(c, 2*ldc), ldc)
}

func tileHalfGo(k int, alpha float64, a *float64, rs, cs int, b *float64, bs int, c *float64, ldc int) {
	var s00, s01, s02, s03, s10, s11, s12, s13 float64
	as := unsafe.Slice(a, (k-1)*cs+rs+1)
	bv := unsafe.Slice(b, (k-1)*bs+4)
	for p := range k {
		x, y := as[p*cs], as[p*cs+rs]
		row := bv[p*bs : p*bs+4 : p*bs+4]
		s00 += x * row[0]
		s01 += x * row[1]
		s02 += x * row[2]
		s03 += x * row[3]
		s10 += y * row[0]
		s11 += y * row[1]
		s12 += y * row[2]
		s13 += y * row[3]
	}
	c0 := unsafe.Slice(c, 4)
	c1 := unsafe.Slice(offset(c, ldc), 4)
	c0[0] += alpha * s00
	c0[1] += alpha * s01
	c0[2] += alpha * s02
	c0[3] += alpha * s03
	c1[0] += alpha * s10
	c1[1] += alpha * s11
	c1[2] += alpha * s12
	c1[3] += alpha * s13
}

func gatherGo(k int, src *float64, ld int, dst *float64, ds int) {
	for p := range k {
		*(*[4]float64)(unsafe.Pointer(offset(dst, p*ds))) = *(*[4]float64)(unsafe.Pointer(offset(src, p*ld)))
	}
}

func centerGo(k int, src *float64, ld int, dst *float64, ds int, shift, w *float64) {
	sh := *(*[4]float64)(unsafe.Pointer(shift))
	for p, wp := range unsafe.Slice(w, k) {
		s := (*[4]float64)(unsafe.Pointer(offset(src, p*ld)))
		d := (*[4]float64)(unsafe.Pointer(offset(dst, p*ds)))
		for i := range d {
			d[i] = (s[i] - sh[i]) * wp
		}
	}
}

func transposeGo(k int, src *float64, ld int, dst *float64, ds int) {
	for i := range 4 {
		for p, v := range unsafe.Slice(offset(src, i*ld), k) {
			*offset(dst, p*ds+i) = v
		}
	}
}

func dotGo(n int, x, y *float64) float64 {
	var s0, s1, s2, s3 float64
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	i := 0
	for ; i+4 <= n; i += 4 {
		u, v := xs[i:i+4:i+4], ys[i:i+4:i+4]
		s0 += u[0] * v[0]
		s1 += u[1] * v[1]
		s2 += u[2] * v[2]
		s3 += u[3] * v[3]
	}
	for ; i < n; i++ {
		s0 += xs[i] * ys[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func axpyGo(n int, alpha float64, x, y *float64) {
	ys := unsafe.Slice(y, n)
	for i, v := range unsafe.Slice(x, n) {
		ys[i] += alpha * v
	}
}

func dot4Go(n int, a *float64, lda int, x *float64, out *float64) {
	o := unsafe.Slice(out, 4)
	for i := range o {
		o[i] = dotGo(n, offset(a, i*lda), x)
	}
}

func axpy4Go(n int, alpha *float64, a *float64, lda int, y *float64) {
	for i, v := range unsafe.Slice(alpha, 4) {
		axpyGo(n, v, offset(a, i*lda), y)
	}
}

func belowGo(n int, x, y *float64, bound float64) int {
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	i := 0
	for ; i+4 <= n; i += 4 {
		u, v := (*[4]float64)(xs[i:]), (*[4]float64)(ys[i:])
		if u[0]-v[0] < bound || u[1]-v[1] < bound || u[2]-v[2] < bound || u[3]-v[3] < bound {
			break
		}
	}
	return i
}

// offset returns the address of the element n places after p.
func offset(p *float64, n int) *float64 {
	return (*float64)(unsafe.Add(unsafe.Pointer(p), n*8))
}
