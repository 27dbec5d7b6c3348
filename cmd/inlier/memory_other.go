//go:build !unix

package main

import "runtime"

// peakMemory is what the Go runtime has taken from the system, in bytes: an upper bound
// of the peak.
func peakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
