package classify

import (
	"fmt"

	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/refusal"
)

// freeMemory is what tells how many bytes are free; tests replace it.
var freeMemory = memory.Free

// fits refuses features of n rows that do not fit into memory: their table, the normal
// equations and their factor; where there are more of them than rows, the basis that they are expressed in too.
func fits(how Approximation, n, features int) error {
	width := float64(min(n, features) + 1)
	table := float64(n) * float64(features+1)
	need := table + 2*width*width
	if features > n {
		need += table
	}
	advice := "choose fewer features"
	switch how {
	case Exact:
		advice = "choose approximation=nystrom"
	case "":
		advice = "use fewer rows or columns"
	}
	free := float64(freeMemory())
	if need *= 8; need <= free {
		return nil
	}
	return &refusal.MemoryError{
		Need: need, Have: free, Advice: advice,
		Problem: fmt.Sprintf("%d features of %d rows need %.2g GB of memory; %.2g GB are free", features, n, need/1e9, free/1e9),
	}
}
