package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tileSingle writes the micro-kernel on factors of float32, both packed: a tile of C is summed up in single precision
// over k, each element in order of k, and then added to memory in double precision.
func tileSingle(s set, w int) {
	rows := s.lane
	s.begin(fmt.Sprintf("single%dx%d", rows, 2*w*s.lane), "(k int, a *float32, b *float32, c *float64, ldc int)",
		"adds A*B to a tile of C, k at least 1.")
	sums, rest := s.regs[:rows*w], s.regs[rows*w:]
	vb, va := rest[:w], rest[w:]
	c, ldc := param("c"), stride("ldc")
	prefetchTile(c, ldc, rows, 2*w*s.bytes())
	k, a, b := param("k"), param("a"), param("b")
	for _, v := range sums {
		s.zero(v)
	}
	Label("terms")
	for j, v := range vb {
		VMOVUPD(at(b, j*s.bytes()), v)
	}
	for j := 0; j < w*s.bytes(); j += 64 {
		PREFETCHT0(at(b, prefetchB+j))
	}
	for i := range rows {
		v := va[i%len(va)]
		VBROADCASTSS(at(a, 4*i), v)
		for j := range w {
			VFMADD231PS(vb[j], v, sums[i*w+j])
		}
	}
	ADDQ(U8(2*4*s.lane), a)
	ADDQ(U32(w*s.bytes()), b)
	DECQ(k)
	JNZ(LabelRef("terms"))
	for i := range rows {
		for j := range w {
			v, half := sums[i*w+j], vb[0]
			upper := at(c, (2*j+1)*s.bytes())
			if s.lane == 8 {
				VEXTRACTF64X4(U8(1), v, half.AsY())
				VCVTPS2PD(half.AsY(), half)
				VCVTPS2PD(v.AsY(), v)
			} else {
				VEXTRACTF128(U8(1), v, half.AsX())
				VCVTPS2PD(half.AsX(), half)
				VCVTPS2PD(v.AsX(), v)
			}
			addTo(at(c, 2*j*s.bytes()), v)
			addTo(upper, half)
		}
		if i < rows-1 {
			ADDQ(ldc, c)
		}
	}
	end()
}

func addTo(m Mem, v VecPhysical) {
	VADDPD(m, v, v)
	VMOVUPD(v, m)
}

// centerSingle writes the packing of one vector of float32 from each of k rows.
func centerSingle(s set) {
	s.begin("centerSingle", "(k int, src *float32, ld int, dst *float32, ds int, shift *float32, w *float32)",
		"sets dst[p*ds+i] to (src[p*ld+i]-shift[i])*w[p], k at least 1.")
	k, src, dst := param("k"), param("src"), param("dst")
	ld, ds := param("ld"), param("ds")
	SHLQ(U8(2), ld)
	SHLQ(U8(2), ds)
	shift, w := param("shift"), param("w")
	x, sh, weight := s.regs[0], s.regs[1], s.regs[2]
	VMOVUPD(at(shift, 0), sh)
	Label("rows")
	VMOVUPD(at(src, 0), x)
	VBROADCASTSS(at(w, 0), weight)
	VSUBPS(sh, x, x)
	VMULPS(weight, x, x)
	VMOVUPD(x, at(dst, 0))
	ADDQ(ld, src)
	ADDQ(ds, dst)
	ADDQ(U8(4), w)
	DECQ(k)
	JNZ(LabelRef("rows"))
	end()
}
