package elm

import (
	"fmt"

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
