//go:build !amd64 && !arm64

package fastblas

// supported lists the kernels this machine can run, best first.
func supported() []kernel { return portableOnly }

var portableOnly = []kernel{portable}
