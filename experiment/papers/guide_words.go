package papers

import (
	"fmt"
	"math"
	"strings"

	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/internal/words"
)

// rejecting are the losses of the grid whose weights fall to nothing far out.
var rejecting = []string{"welsch", "tukey", "kmpe:p=1", "kmpe:p=4", "gcorr:alpha=1"}

// muchWorse is how many times the best loss's error a loss may have before it counts as
// fallen behind.
const muchWorse = 1.3

// leastError is the error of the best loss of a task.
func leastError(v *experiment.View, data string) float64 {
	least := math.Inf(1)
	for _, l := range gridLosses {
		least = min(least, v.Stat(data, l, "error").Mean)
	}
	return least
}

// fallenBehind names the rejecting losses that are much worse than the best one, with errors.
func fallenBehind(v *experiment.View, data string) string {
	var behind []string
	for _, l := range rejecting {
		if e := v.Stat(data, l, "error").Mean; e > muchWorse*leastError(v, data) {
			behind = append(behind, fmt.Sprintf("%s (%.2f)", l, e))
		}
	}
	own := fmt.Sprintf("where Welsch has %.2f and least squares %.2f", v.Stat(data, "welsch", "error").Mean, v.Stat(data, "square", "error").Mean)
	if len(behind) == 0 {
		return "none of them falls behind " + own
	}
	return words.And(behind) + " fall behind, " + own
}

// rejectingSurvive tells whether no rejecting loss falls behind by half of the best one's
// error on any other task with outliers. Errors below a thousandth of a share rank none.
func rejectingSurvive(v *experiment.View, but string) bool {
	for _, g := range gridModels {
		if g.data == but || strings.Contains(g.data, "clean") {
			continue
		}
		for _, l := range rejecting {
			if v.Stat(g.data, l, "error").Mean > max(1.5*leastError(v, g.data), 0.01) {
				return false
			}
		}
	}
	return true
}

// tunedMeans lists the means of the tuned methods of a family over its sets, best first as
// the family has them.
func tunedMeans(v *experiment.View, family, dirt string) string {
	var parts []string
	for _, f := range tuningFamilies {
		if f.name != family {
			continue
		}
		for _, m := range f.methods {
			parts = append(parts, fmt.Sprintf("%s "+f.format, m, f.overSets(v, tunedName(m), dirt)))
		}
	}
	return strings.Join(parts, ", ")
}
