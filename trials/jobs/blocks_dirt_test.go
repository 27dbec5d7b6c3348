package jobs

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
)

// dirty puts dirt into a table as dirtyRows makes it: one cell or one number that is absurd, or a mark for missing numbers in a twentieth of a column.
func dirty(kind string, n int) []float64 {
	rows := dirtyRows(n, 1)
	width, at := rows.Shape[1], n/2+33
	switch kind {
	case "cell":
		rows.Data[at*width+2] = 1e300
	case "target":
		rows.Data[at*width+8] = 1e300
	case "sentinel":
		for i := 3; i < n; i += 20 {
			rows.Data[i*width+4] = -9999
		}
	}
	return rows.Data
}

// bothWays fits in memory and in blocks.
func bothWays(t *testing.T, f inlier.Fit) (whole, parts *inlier.FitResult) {
	t.Helper()
	whole = fitOf(t, f)
	f.Data.Memory = 1 << 17
	if parts = fitOf(t, f); parts.Reads == 0 {
		t.Fatal("the table was not read in blocks")
	}
	return whole, parts
}

func predictions(t *testing.T, r *inlier.FitResult, rows inlier.Data) *inlier.PredictResult {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.npz")
	if err := r.Save(path); err != nil {
		t.Fatal(err)
	}
	p, err := inlier.Predict{Model: inlier.Model{Path: path}, Data: rows}.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// everyRowPulls are methods without a robust loss: what is absurd is all that they see, in memory and in blocks.
var everyRowPulls = []string{"pca", "2dsvd", "relm", "kmeans"}

// TestDirtInBlocks: what is absurd in a row costs a robust fit in blocks what it costs one in memory. The loss of regmaxcem is not convex: which of its
// minima is found may differ.
func TestDirtInBlocks(t *testing.T) {
	folder := t.TempDir()
	for _, kind := range []string{"cell", "target", "sentinel"} {
		learned := filepath.Join(folder, kind+".npy")
		table := dirtyRows(2700, 1)
		table.Data = dirty(kind, 2700)
		writeRows(t, learned, table)
		for _, c := range blockCases {
			if kind == "target" && c.target != "number" || slices.Contains(everyRowPulls, c.method) {
				continue
			}
			t.Run(kind+c.method+c.target, func(t *testing.T) {
				whole, parts := bothWays(t, inlier.Fit{Method: c.method, Data: blockData(learned, c.target, c.shape), Parameters: c.parameters, Seed: 5})
				if a, b := float64(whole.Objective), float64(parts.Objective); c.method != "regmaxcem" && !(math.Abs(a-b) <= 0.15*a) {
					t.Errorf("objective %.4g in memory and %.4g in blocks", a, b)
				}
				if a, b := whole.Outliers, parts.Outliers; 3*b > 4*a+30 || 3*a > 4*b+30 {
					t.Errorf("%d outliers in memory and %d in blocks", a, b)
				}
			})
		}
	}
}

// TestFarTargetOfRidge: a target of 1e300 drowns ridge regression, whose scale of errors is then that of what it does to all other outputs, in blocks as in
// memory: in blocks it was the largest that was counted, and every row was flagged.
func TestFarTargetOfRidge(t *testing.T) {
	for _, n := range []int{2700, 9000} {
		for _, far := range []float64{1e6, 1e30, 1e300} {
			learned := filepath.Join(t.TempDir(), "learned.npy")
			table := dirtyRows(n, 1)
			table.Data[(n/2+33)*table.Shape[1]+8] = far
			writeRows(t, learned, table)
			whole, parts := bothWays(t, inlier.Fit{Method: "relm", Data: blockData(learned, "number", ""), Parameters: catalog.Parameters{"hidden": "25"}, Seed: 5})
			if a, b := whole.Outliers, parts.Outliers; 10*b > 11*a+50 || 10*a > 11*b+50 {
				t.Errorf("%d rows, %g: %d outliers in memory and %d in blocks", n, far, a, b)
			}
		}
	}
}

// TestLoneRowTold: methods in which every row has the same say tell that they follow a single one.
func TestLoneRowTold(t *testing.T) {
	for _, c := range blockCases {
		if !slices.Contains([]string{"pca", "2dsvd", "relm"}, c.method) || c.target == "class" {
			continue
		}
		for _, far := range []float64{1, 1e6} {
			learned := filepath.Join(t.TempDir(), "learned.npy")
			table := dirtyRows(9000, 1)
			for j := range 9 { // machines leave out rows whose inputs are absurd
				if j == 8 || c.target == "" {
					table.Data[4533*table.Shape[1]+j] *= far
				}
			}
			writeRows(t, learned, table)
			whole, parts := bothWays(t, inlier.Fit{Method: c.method, Data: blockData(learned, c.target, c.shape), Parameters: c.parameters, Seed: 5})
			for _, r := range []*inlier.FitResult{whole, parts} {
				if told := strings.Count(strings.Join(r.Warnings, " "), "one row makes up"); told != int(math.Log10(far)/6) {
					t.Errorf("%s, %g: warnings %q", c.method, far, r.Warnings)
				}
			}
		}
	}
}

// TestFarRowInClusters: in ordinary k-means a row at 1e300 has a cluster of its own, in blocks as in memory; it was refused as too large for the memory.
func TestFarRowInClusters(t *testing.T) {
	folder := t.TempDir()
	learned, others := filepath.Join(folder, "learned.npy"), filepath.Join(folder, "others.npy")
	table := dirtyRows(9000, 1)
	table.Data = dirty("cell", 9000)
	writeRows(t, learned, table)
	writeRows(t, others, dirtyRows(300, 2))
	whole, parts := bothWays(t, inlier.Fit{Method: "kmeans", Data: blockData(learned, "", ""), Parameters: catalog.Parameters{"clusters": "3"}, Seed: 5})
	a, b := predictions(t, whole, blockData(others, "", "")).Prediction.Labels, predictions(t, parts, blockData(others, "", "")).Prediction.Labels
	same := 0
	for i := range a {
		for k := range i {
			if (a[i] == a[k]) == (b[i] == b[k]) {
				same++
			}
		}
	}
	if pairs := len(a) * (len(a) - 1) / 2; same < pairs*98/100 || slices.Max(b) == slices.Min(b) {
		t.Errorf("%d of %d pairs of rows are grouped alike", same, pairs)
	}
}

// TestDrownedComponents: ordinary PCA tells that one absurd row leaves no digits for components beyond the first.
func TestDrownedComponents(t *testing.T) {
	for kind, wants := range map[string]bool{"cell": true, "none": false} {
		learned := filepath.Join(t.TempDir(), "learned.npy")
		table := dirtyRows(9000, 1)
		table.Data = dirty(kind, 9000)
		writeRows(t, learned, table)
		whole, parts := bothWays(t, inlier.Fit{Method: "pca", Data: blockData(learned, "", ""), Parameters: catalog.Parameters{"components": "3"}, Seed: 5})
		for _, r := range []*inlier.FitResult{whole, parts} {
			if told := strings.Contains(strings.Join(r.Warnings, " "), "rounding hides what components 2 to 3"); told != wants {
				t.Errorf("%s: warnings %q", kind, r.Warnings)
			}
		}
	}
}

// TestFarTargetOfHuber: a target of 1e300 pulls no more than one of 1e5 by a loss whose pull is bounded. The fit in memory had ended before the others
// had their say, a quarter of a standard error away.
func TestFarTargetOfHuber(t *testing.T) {
	for text, most := range map[string]float64{"huber": 1e-3, "l1": 2e-3} { // l1 stands still anywhere near a corner
		var said [2][]float64
		for k, far := range []float64{1e5, 1e300} {
			folder := t.TempDir()
			learned, others := filepath.Join(folder, "learned.npy"), filepath.Join(folder, "others.npy")
			table := dirtyRows(9000, 1)
			table.Data[4533*table.Shape[1]+8] = far
			writeRows(t, learned, table)
			writeRows(t, others, dirtyRows(300, 2))
			r := fitOf(t, inlier.Fit{Method: "linear-robust", Data: blockData(learned, "number", ""), Parameters: catalog.Parameters{"loss": text}, Seed: 5})
			said[k] = predictions(t, r, blockData(others, "number", "")).Prediction.Values
		}
		for i, v := range said[0] {
			if !(math.Abs(v-said[1][i]) <= most) {
				t.Fatalf("%s: row %d is %.6f with a target of 1e5 and %.6f with one of 1e300", text, i+1, v, said[1][i])
			}
		}
	}
}
