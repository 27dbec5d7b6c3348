//go:build !unix

// Package memory tells how much memory this process has taken.
package memory

import (
	"os"
	"runtime"
)

// Peak is what the Go runtime has taken from the system, in bytes: an upper bound
// of the peak.
func Peak() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}

// PeakOf is not told here.
func PeakOf(*os.ProcessState) int64 { return 0 }

// Processor is not told here.
func Processor() float64 { return 0 }
