package memory

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Watch is the largest resident size of a process while it ran, in bytes, looked up every few milliseconds until ended is closed; 0 where
// the system does not tell. What it reports when it ends ([PeakOf]) is on Linux no less than the size of the process that started it.
func Watch(pid int, ended <-chan bool) int64 {
	peak, again := int64(0), time.NewTicker(20*time.Millisecond)
	defer again.Stop()
	for {
		peak = max(peak, resident(fmt.Sprintf("/proc/%d/status", pid)))
		select {
		case <-ended:
			return peak
		case <-again.C:
		}
	}
}

// resident is the largest size so far that a file such as /proc/self/status tells; 0 without one.
func resident(path string) int64 {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
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
	return 0
}
