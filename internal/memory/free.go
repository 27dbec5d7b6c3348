package memory

import (
	"bytes"
	"math"
	"os"
	"strconv"
)

// assumed is what counts as free where the system does not tell.
const assumed = 4 << 30

// Free is how many bytes the process may still take: what Linux calls available, less if a
// control group allows less.
func Free() int64 {
	free := int64(assumed)
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		for line := range bytes.Lines(text) {
			fields := bytes.Fields(line)
			if len(fields) >= 2 && string(fields[0]) == "MemAvailable:" {
				if kilobytes, err := strconv.ParseInt(string(fields[1]), 10, 64); err == nil {
					free = kilobytes << 10
				}
			}
		}
	}
	limit, used := number("/sys/fs/cgroup/memory.max"), number("/sys/fs/cgroup/memory.current")
	if limit < math.MaxInt64 && used < limit {
		free = min(free, limit-used)
	}
	return free
}

// number reads a file that holds one integer; the largest integer if it does not.
func number(path string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return math.MaxInt64
	}
	v, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	if err != nil {
		return math.MaxInt64
	}
	return v
}
