package fastblas

// supported lists the kernels this machine can run, best first. NEON is part of every
// 64-bit ARM processor.
func supported() []kernel { return forARM }

var forARM = []kernel{kernelNEON, portable}

var kernelNEON = kernel{
	name: "neon",
	lane: 4, mr: 4, nr: 12, mc: 96,
	tile:      []tileFunc{tile4x4NEON, tile4x8NEON, tile4x12NEON},
	gather:    gatherNEON,
	center:    centerNEON,
	transpose: transposeNEON,
	dot:       dotNEON,
	axpy:      axpyNEON,
	dot4:      dot4NEON,
	axpy4:     axpy4NEON,
	below:     belowGo,
	exp:       expNEON,
}
