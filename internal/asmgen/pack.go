package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func gather(s set) {
	s.begin("gather", "(k int, src *float64, ld int, dst *float64, ds int)",
		"copies one vector from each of k rows: dst[p*ds+i] = src[p*ld+i], k at least 1.")
	k, src, dst := param("k"), param("src"), param("dst")
	ld, ds := stride("ld"), stride("ds")
	Label("rows")
	VMOVUPD(at(src, 0), s.regs[0])
	VMOVUPD(s.regs[0], at(dst, 0))
	ADDQ(ld, src)
	ADDQ(ds, dst)
	DECQ(k)
	JNZ(LabelRef("rows"))
	end()
}

func center(s set) {
	s.begin("center", "(k int, src *float64, ld int, dst *float64, ds int, shift *float64, w *float64)",
		"is gather of (src-shift[i])*w[p], k at least 1.")
	k, src, dst := param("k"), param("src"), param("dst")
	ld, ds := stride("ld"), stride("ds")
	shift, w := param("shift"), param("w")
	x, sh, weight := s.regs[0], s.regs[1], s.regs[2]
	VMOVUPD(at(shift, 0), sh)
	Label("rows")
	VMOVUPD(at(src, 0), x)
	VBROADCASTSD(at(w, 0), weight)
	VSUBPD(sh, x, x)
	VMULPD(weight, x, x)
	VMOVUPD(x, at(dst, 0))
	ADDQ(ld, src)
	ADDQ(ds, dst)
	ADDQ(U8(8), w)
	DECQ(k)
	JNZ(LabelRef("rows"))
	end()
}

const transposeSignature = "(k int, src *float64, ld int, dst *float64, ds int)"

// transposeAVX512 turns blocks of 8 x 8: first pairs of rows are interleaved, then the
// pairs are distributed in two steps.
func transposeAVX512() {
	s := avx512
	s.begin("transpose", transposeSignature, "gathers from 8 rows: dst[p*ds+i] = src[i*ld+p], k a positive multiple of 8.")
	k, src, dst := param("k"), param("src"), param("dst")
	ld, ds := stride("ld"), stride("ds")
	from, to := rowAddresses(src, ld, 8), rowAddresses(dst, ds, 8)
	r, t := s.regs[:8], s.regs[8:16]
	Label("block")
	for i := range 8 {
		VMOVUPD(from[i], r[i])
	}
	for i := 0; i < 8; i += 2 {
		VUNPCKLPD(r[i+1], r[i], t[i])
		VUNPCKHPD(r[i+1], r[i], t[i+1])
	}
	for odd := range 2 { // even, then odd columns
		t0, t2, t4, t6 := t[odd], t[2+odd], t[4+odd], t[6+odd]
		u := s.regs[16:20]
		VSHUFF64X2(U8(0x88), t2, t0, u[0])
		VSHUFF64X2(U8(0xDD), t2, t0, u[1])
		VSHUFF64X2(U8(0x88), t6, t4, u[2])
		VSHUFF64X2(U8(0xDD), t6, t4, u[3])
		VSHUFF64X2(U8(0x88), u[2], u[0], r[0+odd])
		VSHUFF64X2(U8(0xDD), u[2], u[0], r[4+odd])
		VSHUFF64X2(U8(0x88), u[3], u[1], r[2+odd])
		VSHUFF64X2(U8(0xDD), u[3], u[1], r[6+odd])
	}
	for i := range 8 {
		VMOVUPD(r[i], to[i])
	}
	advance(src, dst, ds, k, 8)
	end()
}

func transposeAVX2() {
	s := avx2
	s.begin("transpose", transposeSignature, "gathers from 4 rows: dst[p*ds+i] = src[i*ld+p], k a positive multiple of 4.")
	k, src, dst := param("k"), param("src"), param("dst")
	ld, ds := stride("ld"), stride("ds")
	from, to := rowAddresses(src, ld, 4), rowAddresses(dst, ds, 4)
	r, t := s.regs[:4], s.regs[4:8]
	Label("block")
	for i := range 4 {
		VMOVUPD(from[i], r[i])
	}
	VUNPCKLPD(r[1], r[0], t[0])
	VUNPCKHPD(r[1], r[0], t[1])
	VUNPCKLPD(r[3], r[2], t[2])
	VUNPCKHPD(r[3], r[2], t[3])
	for odd := range 2 {
		VPERM2F128(U8(0x20), t[2+odd], t[odd], r[odd])
		VPERM2F128(U8(0x31), t[2+odd], t[odd], r[2+odd])
	}
	for i := range 4 {
		VMOVUPD(r[i], to[i])
	}
	advance(src, dst, ds, k, 4)
	end()
}

// advance closes the loop over blocks of n x n.
func advance(src, dst, ds, k GPVirtual, n int) {
	ADDQ(U8(8*n), src)
	step := GP64()
	MOVQ(ds, step)
	SHLQ(U8(map[int]int{4: 2, 8: 3}[n]), step)
	ADDQ(step, dst)
	SUBQ(U8(n), k)
	JNZ(LabelRef("block"))
}
