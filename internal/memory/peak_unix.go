//go:build unix

// Package memory tells how much memory this process has taken.
package memory

import (
	"bufio"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// Peak is the largest resident size that this process has had, in bytes; 0 when
// the system does not tell.
func Peak() int64 {
	if f, err := os.Open("/proc/self/status"); err == nil {
		defer f.Close()
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			// "VmHWM:     12345 kB"
			if rest, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
				if kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 10, 64); err == nil {
					return kb << 10
				}
			}
		}
	}
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(used.Maxrss) // bytes there, kilobytes elsewhere
	}
	return int64(used.Maxrss) << 10
}
