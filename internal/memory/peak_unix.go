//go:build unix

// Package memory tells how much memory this process has taken.
package memory

import (
	"os"
	"runtime"
	"syscall"
)

// Peak is the largest resident size that this process has had, in bytes; 0 when
// the system does not tell.
func Peak() int64 {
	if peak := resident("/proc/self/status"); peak > 0 {
		return peak
	}
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return bytesOf(&used)
}

// PeakOf is the largest resident size that a process has had that has ended, in bytes; 0 when the system does not tell.
// On Linux it is no less than that of the process that started it.
func PeakOf(p *os.ProcessState) int64 {
	if used, ok := p.SysUsage().(*syscall.Rusage); ok {
		return bytesOf(used)
	}
	return 0
}

// Processor is the time that all threads of this process have taken so far, user and system, in seconds.
func Processor() float64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
}

func bytesOf(used *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(used.Maxrss) // bytes there, kilobytes elsewhere
	}
	return int64(used.Maxrss) << 10
}
