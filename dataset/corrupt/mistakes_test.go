package corrupt

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/dataset/synthetic"
)

// Every kind of mistake changes what it says by as much as it says, and leaves all else.
func TestMistakes(t *testing.T) {
	recipe := synthetic.DefaultSensorLog()
	recipe.Spikes, recipe.Stuck, recipe.Drift, recipe.Shift = 0, 0, 0, 0
	clean := generate(t, &recipe, 3).Set
	for _, kind := range append([]string{"mixed"}, mistakeKinds...) {
		dirty, dirt := do(t, clean, "mistakes:0.05,kind="+kind, 4)
		seen := map[string]int{}
		for i := range clean.Rows() {
			changed := 0
			for j := range clean.Dim() {
				was, is := clean.X.At(i, j), dirty.X.At(i, j)
				if (was != is) != dirt.Cell(i, j) {
					t.Fatalf("%s: cell %d, %d: %g became %g without the mark", kind, i, j, was, is)
				}
				if was == is {
					continue
				}
				changed++
				ratio := is / was
				switch what := dirt.Steps[0].Kinds[i]; {
				case what == "times10" && math.Abs(ratio-10) > 1e-9, what == "tenth" && is != rounded(was/10, 2), // the log has two decimals
					what == "sign" && ratio != -1,
					what == "sentinel" && is != -999 && is != 9999:
					t.Errorf("%s: %g became %g", what, was, is)
				}
			}
			if what := dirt.Steps[0].Kinds[i]; dirt.Rows[i] {
				seen[what]++
				if want := map[bool]int{true: 2, false: 1}[what == "swapped"]; changed != want {
					t.Errorf("%s: %d cells of row %d changed, want %d", what, changed, i, want)
				}
			} else if changed > 0 {
				t.Errorf("row %d has no mark", i)
			}
		}
		if kind == "mixed" && len(seen) != len(mistakeKinds) || kind != "mixed" && seen[kind] < 10 {
			t.Errorf("%s: %v", kind, seen)
		}
	}
}

// A mistake is written as its column is: digits that no other value of the column has would give it away
// to whoever looks at the writing instead of the value.
func TestMistakesAreWrittenLikeTheirColumn(t *testing.T) {
	whole := synthetic.Clean{N: 400, D: 4, Shape: "poisson", Factors: 2}
	log := synthetic.DefaultSensorLog()
	for _, recipe := range []synthetic.Recipe{&whole, &log} {
		clean := generate(t, recipe, 2).Set
		dirty, dirt := do(t, clean, "mistakes:0.2", 3)
		for j := range clean.Dim() {
			most := 0
			for i := range clean.Rows() {
				most = max(most, decimalsOf(clean.X.At(i, j)))
			}
			for i := range clean.Rows() {
				if got := decimalsOf(dirty.X.At(i, j)); dirt.Cell(i, j) && dirt.Steps[0].Kinds[i] != "swapped" && got > most {
					t.Fatalf("%s, column %d has %d decimals, and %g (%s) has %d", clean.Name, j+1, most, dirty.X.At(i, j), dirt.Steps[0].Kinds[i], got)
				}
			}
		}
	}
}
