package synthetic

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
)

func generate(t *testing.T, r Recipe, seed uint64) *Generated {
	t.Helper()
	g, err := r.Generate(seed)
	if err != nil {
		t.Fatal(err)
	}
	if n := g.Set.Rows(); len(g.Set.Columns) != g.Set.Dim() || (g.Truth.Outlier != nil && len(g.Truth.Outlier) != n) {
		t.Fatalf("%s: names or truth do not fit the table", g.Set.Name)
	}
	return g
}

func trueCount(marks []bool) int {
	count := 0
	for _, m := range marks {
		if m {
			count++
		}
	}
	return count
}

func TestPlaneTruth(t *testing.T) {
	c := DefaultPlane()
	c.N = 5000
	g := generate(t, &c, 3)
	vertical, leverage := 0, 0
	var noise []float64
	for i := range c.N {
		row := g.Set.X.RawRowView(i)
		clean := g.Truth.Intercept + dot(row, g.Truth.Coefficients)
		if math.Abs(clean-g.Truth.CleanY[i]) > 1e-9 {
			t.Fatal("clean target does not lie on the true plane")
		}
		residual := g.Set.Target.Values[i] - clean
		switch g.Truth.Note[i] {
		case "":
			noise = append(noise, residual)
		case "vertical":
			vertical++
			if math.Abs(residual) < 12 {
				t.Fatalf("vertical outlier is only %g off", residual)
			}
		case "leverage":
			leverage++
			if math.Sqrt(dot(row, row)) < 6 || math.Abs(residual) < 5 {
				t.Fatalf("leverage outlier at distance %g with residual %g", math.Sqrt(dot(row, row)), residual)
			}
		}
		if g.Truth.Outlier[i] != (g.Truth.Note[i] != "") {
			t.Fatal("note and mark disagree")
		}
	}
	if vertical != 500 || leverage != 500 {
		t.Errorf("%d vertical and %d leverage outliers, want 500 each", vertical, leverage)
	}
	if sd := stat.StdDev(noise, nil); math.Abs(sd-0.5) > 0.02 {
		t.Errorf("noise has standard deviation %g, want about 0.5", sd)
	}
	c.Outliers = "good-leverage"
	g = generate(t, &c, 3)
	if trueCount(g.Truth.Outlier) != 0 {
		t.Error("good leverage points are marked as outliers")
	}
	for i, note := range g.Truth.Note {
		if note == "good-leverage" && math.Abs(g.Set.Target.Values[i]-g.Truth.CleanY[i]) > 5*0.5 {
			t.Fatal("a good leverage point lies off the plane")
		}
	}
	for i, y := range g.Test.Target.Values {
		if math.Abs(y-g.Truth.Intercept-dot(g.Test.X.RawRowView(i), g.Truth.Coefficients)) > 1e-9 {
			t.Fatal("a test row lies off the plane")
		}
	}
}
