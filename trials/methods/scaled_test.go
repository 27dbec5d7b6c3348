package methods

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/tensor"
	"github.com/inlier-ml/inlier/verdict"
)

// sixColumns are rows about a plane, two of them far off, whose columns are in these units.
func sixColumns(t *testing.T, units [6]float64) *dataset.Set {
	t.Helper()
	g := rand.New(rand.NewPCG(3, 9))
	x := mat.NewDense(60, 6, nil)
	for i := range 60 {
		a, b := g.NormFloat64(), g.NormFloat64()
		for j, unit := range units {
			v := 5 + a*float64(j+1) - b*float64(j*j%4) + 0.1*g.NormFloat64()
			if i >= 58 && j == i-55 {
				v += 40
			}
			x.Set(i, j, unit*v)
		}
	}
	set, err := dataset.FromMatrix(x, nil)
	if err != nil {
		t.Fatal(err)
	}
	set.Shape = []int{2, 3}
	return set
}

// close tells whether two tables differ by rounding, column by column.
func alike(a, b *mat.Dense) bool {
	_, d := a.Dims()
	for j := range d {
		x, y := mat.Col(nil, j, a), mat.Col(nil, j, b)
		top := math.Abs(slices.MaxFunc(y, func(p, q float64) int { return int(math.Copysign(1, math.Abs(p)-math.Abs(q))) }))
		for i := range x {
			if !(math.Abs(x[i]-y[i]) <= 1e-6*top) {
				return false
			}
		}
	}
	return true
}

// Every subspace method can bring columns to a common size first: it is then what it is on columns scaled by hand, whatever
// their units; rows come back in their units, and files keep it all.
func TestSubspacesScaleColumns(t *testing.T) {
	units := [6]float64{1, 1e-6, 1e4, 3, 1e-3, 50}
	data := sixColumns(t, units)
	seen := 0
	for _, m := range catalog.Methods() {
		if p, _ := m.Param("scaling"); p.Default == "none" {
			seen++
			t.Run(m.Name, func(t *testing.T) { scaledIsByHand(t, m, data, sixColumns(t, [6]float64{1, 1, 1, 1, 1, 1})) })
		}
	}
	if seen < 15 {
		t.Errorf("%d methods", seen)
	}
}

func scaledIsByHand(t *testing.T, m *catalog.Method, data, plain *dataset.Set) {
	params := map[string]string{"scaling": "standard"}
	if _, ok := m.Param("components"); ok {
		params["components"] = "2"
	} else if params["rank"] = "2x2"; strings.Contains(m.Title, "rows") || strings.Contains(m.Title, "neighbourhood") {
		params["rank"] = "2"
	}
	got := mustFit(t, m, data, params, catalog.Run{Seed: 1})
	byHand, offset, deviation := standardized(data)
	raw := maps.Clone(params)
	raw["scaling"] = "none"
	want := mustFit(t, m, byHand, raw, catalog.Run{Seed: 1})
	if d := got.Describe(); d.Parameters["scaling"] != "standard" || want.Describe().Parameters["scaling"] != "none" {
		t.Errorf("scaling is %q", d.Parameters["scaling"])
	}
	a, b := judged(t, got, data), judged(t, want, byHand)
	for i := range a.Outlier {
		if a.Outlier[i] != b.Outlier[i] || math.Abs(a.OrthogonalDistance[i]-b.OrthogonalDistance[i]) > 1e-6*(1+b.OrthogonalDistance[i]) {
			t.Fatalf("row %d: %v at %g, by hand %v at %g", i+1, a.Outlier[i], a.OrthogonalDistance[i], b.Outlier[i], b.OrthogonalDistance[i])
		}
	}
	if known, ok := got.(catalog.Rememberer); !ok || !slices.Equal(known.TrainingOutliers(), want.(catalog.Rememberer).TrainingOutliers()) {
		t.Error("verdicts on training rows are forgotten")
	}
	kept, err := got.(catalog.Transformer).Reconstruct(t.Context(), data.X)
	if err != nil {
		t.Fatal(err)
	}
	back, err := want.(catalog.Transformer).Reconstruct(t.Context(), byHand.X)
	if err != nil {
		t.Fatal(err)
	}
	back.Apply(func(_, j int, v float64) float64 { return offset[j] + deviation[j]*v }, back)
	if !alike(kept, back) {
		t.Error("rows do not come back in their units")
	}
	if c := a.Cells; c != nil {
		if back := mat.DenseCopyOf(b.Cells.Expected); c.Count() != b.Cells.Count() {
			t.Errorf("%d cells are wrong, by hand %d", c.Count(), b.Cells.Count())
		} else if back.Apply(func(_, j int, v float64) float64 { return offset[j] + deviation[j]*v }, back); !alike(c.Expected, back) {
			t.Error("what is expected of cells is not in their units")
		}
	}
	file := whole(t, m, got)
	if again := judged(t, file, data); !slices.Equal(again.Outlier, a.Outlier) || !slices.Equal(again.OrthogonalDistance, a.OrthogonalDistance) {
		t.Error("a file changes the verdicts")
	}
	other := judged(t, mustFit(t, m, plain, params, catalog.Run{Seed: 1}), plain)
	for i := range a.Outlier {
		if a.Outlier[i] != other.Outlier[i] {
			t.Errorf("row %d: the units of columns change the verdict", i+1)
		}
	}
	_, one := pca.Restore(got.State())
	_, two := tensor.Restore(got.State())
	if one == nil || two == nil {
		t.Error("a typed model takes scaled columns for its own")
	}
	rowsOfScaled(t, file.(catalog.Transformer), data, a)
}

// rowsOfScaled holds single rows against all of them at once.
func rowsOfScaled(t *testing.T, m catalog.Transformer, data *dataset.Set, all *verdict.Rows) {
	t.Helper()
	row, ok := catalog.As[interface {
		TransformRow(dst, row []float64) []float64
		JudgeRow(row []float64) verdict.Row
	}](m)
	if !ok {
		t.Fatal("no rows one at a time")
	}
	scores, err := m.Transform(t.Context(), data.X)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, len(m.ScoreNames()))
	for i := range all.Outlier {
		for c, z := range row.TransformRow(dst, data.X.RawRowView(i)) {
			if want := scores.At(i, c); math.Abs(z-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("row %d: score %g, among others %g", i+1, z, want)
			}
		}
		if v := row.JudgeRow(data.X.RawRowView(i)); v.Outlier != all.Outlier[i] || math.Abs(v.OrthogonalDistance-all.OrthogonalDistance[i]) > 1e-9*(1+all.OrthogonalDistance[i]) {
			t.Errorf("row %d: %+v, among others %v at %g", i+1, v, all.Outlier[i], all.OrthogonalDistance[i])
		}
	}
	bad := slices.Clone(data.X.RawRowView(0))
	bad[0] = math.Inf(1)
	if v := row.JudgeRow(bad); v.Kind != verdict.Missing {
		t.Errorf("an infinite number: %+v", v)
	}
	if n := testing.AllocsPerRun(20, func() { row.TransformRow(dst, data.X.RawRowView(0)); row.JudgeRow(data.X.RawRowView(0)) }); n >= 1 && !workspace.Forgets {
		t.Errorf("%v allocations", n)
	}
}

// standardized is a table by mean and standard deviation (divisor n), with these.
func standardized(data *dataset.Set) (out *dataset.Set, mean, deviation []float64) {
	n, d := data.X.Dims()
	mean, deviation = make([]float64, d), make([]float64, d)
	copied := *data
	copied.X = mat.DenseCopyOf(data.X)
	for j := range d {
		column := mat.Col(nil, j, data.X)
		for _, v := range column {
			mean[j] += v / float64(n)
		}
		for _, v := range column {
			deviation[j] += (v - mean[j]) * (v - mean[j]) / float64(n)
		}
		deviation[j] = math.Sqrt(deviation[j])
		for i, v := range column {
			copied.X.Set(i, j, (v-mean[j])/deviation[j])
		}
	}
	return &copied, mean, deviation
}

// By medians a column's far value costs its row alone: the scale of the others stays, and a target says nothing.
func TestRobustScalingOfSubspaces(t *testing.T) {
	data := sixColumns(t, [6]float64{1, 1e-6, 1e4, 3, 1e-3, 50})
	data.Shape = nil
	params := map[string]string{"scaling": "robust", "components": "2"}
	before := judged(t, fitByName(t, catalog.Default(), data, params), data)
	data.X.Set(7, 1, 1e300)
	data.Target = &dataset.Target{Name: "y", Labels: make([]int, 60), Classes: []string{"p", "q"}}
	for i := range 60 {
		data.Target.Labels[i] = i % 2
	}
	after := judged(t, fitByName(t, catalog.Default(), data, params), data)
	for i := range before.Outlier {
		if want := before.Outlier[i] || i == 7; after.Outlier[i] != want {
			t.Errorf("row %d is an outlier: %v, not %v", i+1, after.Outlier[i], want)
		}
	}
	m, err := catalog.Lookup("nearest-subspace")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Check(map[string]string{"reduce": "pca", "reduce.scaling": "robust"}); err == nil || !strings.Contains(err.Error(), "reduce.scaling") {
		t.Errorf("classes scaled apart: %v", err)
	}
}
