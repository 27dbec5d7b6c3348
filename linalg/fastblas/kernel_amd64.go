package fastblas

// supported lists the kernels this machine can run, best first.
func supported() []kernel { return amd64Kernels }

var amd64Kernels = []kernel{portable}
