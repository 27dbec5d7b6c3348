package fastblas

import "golang.org/x/sys/cpu"

// supported lists the kernels this machine can run, best first.
func supported() []kernel { return detected }

// detected rests on golang.org/x/sys/cpu, which reports a vector extension only if the
// operating system saves its registers too.
var detected = func() []kernel {
	var list []kernel
	x := &cpu.X86
	if x.HasAVX512F && x.HasBMI2 && x.HasFMA {
		list = append(list, kernelAVX512)
	}
	if x.HasAVX2 && x.HasFMA {
		list = append(list, kernelAVX2)
	}
	return append(list, portable)
}()

var kernelAVX512 = kernel{
	name: "avx512",
	lane: 8, mr: 8, nr: 24, mc: 192,
	tile:      []tileFunc{tile8x8AVX512, tile8x16AVX512, tile8x24AVX512},
	gather:    gatherAVX512,
	center:    centerAVX512,
	transpose: transposeAVX512,
	dot:       dotAVX512,
	axpy:      axpyAVX512,
	dot4:      dot4AVX512,
	axpy4:     axpy4AVX512,
	below:     belowAVX512,
	exp:       expAVX512,
	single:    &singleKernel{16, []func(int, *float32, *float32, *float64, int){single8x16AVX512, single8x32AVX512, single8x48AVX512}, centerSingleAVX512},
}

var kernelAVX2 = kernel{
	name: "avx2",
	lane: 4, mr: 4, nr: 12, mc: 96, ahead: true,
	tile:      []tileFunc{tile4x4AVX2, tile4x8AVX2, tile4x12AVX2},
	gather:    gatherAVX2,
	center:    centerAVX2,
	transpose: transposeAVX2,
	dot:       dotAVX2,
	axpy:      axpyAVX2,
	dot4:      dot4AVX2,
	axpy4:     axpy4AVX2,
	below:     belowAVX2,
	exp:       expAVX2,
	single:    &singleKernel{8, []func(int, *float32, *float32, *float64, int){single4x8AVX2, single4x16AVX2, single4x24AVX2}, centerSingleAVX2},
}
