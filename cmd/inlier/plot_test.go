package main

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/tensor"
)

// plotted runs the program in a folder of its own and decodes the result of `plot --json`.
func plotted(t *testing.T, result any, args ...string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := runWith(newRoot, args, strings.NewReader(""), &out, &errs); code != exitDone {
		t.Fatalf("inlier %s: exit code %d, %s", strings.Join(args, " "), code, errs.String())
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal(out.Bytes(), &struct{ Result any }{result}); err != nil {
		t.Fatalf("inlier %s: %v", strings.Join(args, " "), err)
	}
}

// The squared error of PCA falls by one eigenvalue with every component (Eckart and
// Young), and `strips` and `score` measure the same distances as `sweep`.
func TestSweepFallsByEigenvalues(t *testing.T) {
	dir := t.TempDir()
	data, model, picture := filepath.Join(dir, "d.csv"), filepath.Join(dir, "m.npz"), filepath.Join(dir, "p.svg")
	plotted(t, nil, "data", "generate", "sensors", "--out", data, "--quiet")
	plotted(t, nil, "fit", "pca", data, "--set", "components=5", "--out", model, "--quiet")
	var sweep struct {
		Points []struct{ Mean, Squared float64 }
	}
	plotted(t, &sweep, "plot", "sweep", "pca", data, "--grid", "components=1..5", "--json", "--out", picture)
	var scree []struct{ Variances []float64 }
	plotted(t, &scree, "plot", "scree", model, "--json", "--out", picture)
	var strips struct {
		Models []struct {
			Intact float64 `json:"intact_error"`
		}
	}
	plotted(t, &strips, "plot", "strips", model, data, "--json", "--out", picture)
	const rows = 240
	if len(sweep.Points) != 5 || len(scree[0].Variances) != 5 {
		t.Fatalf("%d points, %d variances", len(sweep.Points), len(scree[0].Variances))
	}
	for m := 1; m < 5; m++ {
		got := sweep.Points[m-1].Squared - sweep.Points[m].Squared
		want := scree[0].Variances[m]
		if math.Abs(got-want*(rows-1)/rows) > 1e-8*want {
			t.Errorf("component %d lowers the error by %g, its variance is %g", m+1, got, want)
		}
	}
	if got, want := strips.Models[0].Intact, sweep.Points[4].Mean; math.Abs(got-want) > 1e-9*want {
		t.Errorf("strips measures %g, sweep %g", got, want)
	}
}

// factors draws a decomposition with orthonormal factors and falling variances.
func factors(shape, rank []int) tensor.Parts {
	p := tensor.Parts{Shape: shape}
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
	p := factors([]int{5, 4, 3}, []int{3, 4, 2})
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
	if !isNaN(lines[1].Within) || math.Abs(float64(lines[1].Between)-0.2) > 1e-12 {
		t.Errorf("a single row: within %g, between %g", lines[1].Within, lines[1].Between)
	}
}

func TestDistanceLeavesMissingValuesOut(t *testing.T) {
	if got := distance([]float64{1, math.NaN(), 5}, []float64{4, 100, 1}); got != 5 {
		t.Errorf("the distance is %g, want 5", got)
	}
}

func TestShortName(t *testing.T) {
	for name, want := range map[string]string{"a.csv": "a.csv", "/home/me/a.csv": "a.csv", "faces/": "faces", `C:\data\a.csv`: "a.csv", "/": "data", "": "data", "standard input": "standard input"} {
		if got := shortName(name); got != want {
			t.Errorf("%q is named %q, want %q", name, got, want)
		}
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
