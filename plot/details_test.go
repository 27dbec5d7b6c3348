package plot

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/random"
)

// The squared error of PCA falls by one eigenvalue with every component (Eckart and
// Young), and strips measure the same distances as a sweep.
func TestSweepFallsByEigenvalues(t *testing.T) {
	m := modelsForTest(t)["pca"]
	kinds := map[string]Kind{}
	for _, k := range Kinds() {
		kinds[k.Name] = k
	}
	swept, err := kinds["sweep"].Draw(context.Background(), Input{Names: []string{"pca"}, Data: m.set, Params: Params{"grid": {"components=1..3"}}})
	if err != nil {
		t.Fatal(err)
	}
	points := swept.Result.(map[string]any)["points"].([]sweepPoint)
	variances := Spectrum(m.Model.Model, "").Values
	rows := float64(m.set.Rows())
	if len(points) != 3 || len(variances) != 3 {
		t.Fatalf("%d points, %d variances", len(points), len(variances))
	}
	for k := 1; k < 3; k++ {
		got, want := float64(points[k-1].Squared-points[k].Squared), variances[k]*(rows-1)/rows
		if math.Abs(got-want) > 1e-8*want {
			t.Errorf("component %d lowers the error by %g, want %g", k+1, got, want)
		}
	}
	shown, err := kinds["strips"].Draw(context.Background(), Input{Models: []Model{m.Model}, Data: m.set})
	if err != nil {
		t.Fatal(err)
	}
	line := shown.Result.(map[string]any)["models"].([]stripLine)[0]
	if got, want := float64(line.Intact), float64(points[2].Mean); math.Abs(got-want) > 1e-9*want {
		t.Errorf("strips measure %g, a sweep %g", got, want)
	}
}

// decomposition draws a decomposition with orthonormal factors and falling variances.
func decomposition(shape, rank []int) *modes {
	p := &modes{Shape: shape}
	r := random.New(1, "factors")
	for k, n := range shape {
		a := mat.NewDense(n, rank[k], nil)
		for i := range n {
			for j := range rank[k] {
				a.Set(i, j, r.NormFloat64())
			}
		}
		var qr mat.QR
		qr.Factorize(a)
		var q mat.Dense
		qr.QTo(&q)
		variances := make([]float64, rank[k])
		for j := range variances {
			variances[j] = r.ExpFloat64()
		}
		p.Factors, p.Variances = append(p.Factors, mat.DenseCopyOf(q.Slice(0, n, 0, rank[k]))), append(p.Variances, variances)
	}
	return p
}

// Outer products of orthonormal directions are orthonormal, and the strongest are those
// that a full search finds.
func TestStrongestOuterProducts(t *testing.T) {
	p := decomposition([]int{5, 4, 3}, []int{3, 4, 2})
	terms := strongest(p, 7)
	if len(terms) != 7 {
		t.Fatalf("%d terms", len(terms))
	}
	variance := func(e coreEntry) float64 { return p.Variances[0][e[0]] * p.Variances[1][e[1]] * p.Variances[2][e[2]] }
	var all []float64
	for i := range 3 {
		for j := range 4 {
			for k := range 2 {
				all = append(all, variance(coreEntry{i, j, k}))
			}
		}
	}
	slices.Sort(all)
	for n, a := range terms {
		if got, want := variance(a), all[len(all)-1-n]; math.Abs(got-want) > 1e-12 {
			t.Errorf("term %d has variance %g, want %g", n, got, want)
		}
		for m, b := range terms {
			want := 0.0
			if n == m {
				want = 1
			}
			if got := floats.Dot(a.image(p), b.image(p)); math.Abs(got-want) > 1e-12 {
				t.Errorf("terms %d and %d have product %g, want %g", n, m, got, want)
			}
		}
	}
	// A mode that is kept whole is constant.
	p.Factors[0] = mat.NewDense(5, 5, nil)
	for i := range 5 {
		p.Factors[0].Set(i, i, 1)
	}
	for _, e := range strongest(p, 3) {
		if image := e.image(p); e[0] != -1 || !slices.Equal(image[:12], image[12:24]) {
			t.Errorf("term %v is not constant along the first mode", e)
		}
	}
}

func TestParseRows(t *testing.T) {
	for text, want := range map[string][]int{"": nil, "1": {0}, "3,1-2": {2, 0, 1}, " 5 , 4": {4, 3}} {
		if got, err := parseRows(text, 5); err != nil || !slices.Equal(got, want) {
			t.Errorf("rows %q are %v (%v), want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"0", "6", "2-1", "a", "1,,2", "1-", "-1", "1-999999999999"} {
		if got, err := parseRows(text, 5); err == nil {
			t.Errorf("rows %q are %v", text, got)
		}
	}
	if _, err := parseRows("1-300", 1000); err == nil {
		t.Error("300 rows in one picture")
	}
}

func TestWithinAndBetween(t *testing.T) {
	// Rows 0 and 2 are one cluster, row 1 is the other.
	s := mat.NewDense(3, 3, []float64{1, 0.8, 0.1, 0.8, 1, 0.3, 0.1, 0.3, 1})
	_, lines := withinBetween(s, []int{0, 2, 1}, []int{0, 1, 0}, []string{"a", "b"})
	if len(lines) != 2 || lines[0].Cluster != "a" || lines[0].Rows != 2 || lines[1].Rows != 1 {
		t.Fatalf("lines are %+v", lines)
	}
	if math.Abs(float64(lines[0].Within)-0.8) > 1e-12 || math.Abs(float64(lines[0].Between)-0.2) > 1e-12 {
		t.Errorf("within %g, between %g, want 0.8 and 0.2", lines[0].Within, lines[0].Between)
	}
	if !math.IsNaN(float64(lines[1].Within)) || math.Abs(float64(lines[1].Between)-0.2) > 1e-12 {
		t.Errorf("a single row: within %g, between %g", lines[1].Within, lines[1].Between)
	}
}

func TestDistanceLeavesMissingValuesOut(t *testing.T) {
	if got := distance([]float64{1, math.NaN(), 5}, []float64{4, 100, 1}); got != 5 {
		t.Errorf("the distance is %g, want 5", got)
	}
}

// Probabilities that are not numbers are left out of the reliability curve.
func TestCalibrationLeavesOutMissing(t *testing.T) {
	p := mat.NewDense(3, 2, []float64{0.2, 0.8, math.NaN(), math.NaN(), 1.1, -0.1})
	c := calibration(&catalog.Prediction{Probabilities: p}, []int{1, 1, 0})
	if len(c.Predicted) != 2 || c.Count[0] != 1 || c.Count[1] != 1 || c.Observed[1] != 1 {
		t.Errorf("%+v", c)
	}
}

// A row of 1e300 does not set the range of a learned function.
func TestBulkLeavesOutTheWild(t *testing.T) {
	values := []float64{-1e300}
	for i := range 50 {
		values = append(values, float64(i))
	}
	low, high := bulk(values)
	if low < -120 || high > 60 {
		t.Errorf("from %g to %g", low, high)
	}
}
