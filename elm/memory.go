package elm

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"

	"github.com/inlier-ml/inlier/refusal"
)

func size(bytes float64) string {
	units := []string{"bytes", "kB", "MB", "GB", "TB", "PB"}
	k := 0
	for bytes >= 1000 && k < len(units)-1 {
		bytes /= 1000
		k++
	}
	return fmt.Sprintf("%.3g %s", bytes, units[k])
}

// checkMemory refuses layers whose smallest working set does not fit: the layer, the
// triangular factor or Gram matrix and its copy, a few blocks of rows and the weights.
func (o Options) checkMemory(n, d, k int) error {
	rows, l, width := float64(n), float64(o.Hidden), float64(k)
	need := l*float64(d) + 4*rows*width + 2*blockRows*l
	if rows < l {
		need += 3*rows*l + 3*rows*rows
	} else {
		need += 4 * l * (l + width)
	}
	if need *= 8; need > float64(o.Memory) {
		return &refusal.MemoryError{
			Need: need, Have: float64(o.Memory), Advice: "choose a smaller hidden",
			Problem: fmt.Sprintf("a hidden layer of %d nodes needs %s of memory; %s are free", o.Hidden, size(need), size(float64(o.Memory))),
		}
	}
	return nil
}

// assumedMemory is what counts as free where the system does not tell.
const assumedMemory = 4 << 30

// freeMemory is how much memory the process may still take: what Linux calls available,
// less if a control group allows less.
func freeMemory() int64 {
	free := int64(assumedMemory)
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
