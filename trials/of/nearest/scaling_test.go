package nearest

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/nearest"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/verdict"
)

// unlike are two classes apart in a column of small numbers, beside a column of large ones that
// says nothing and one that never changes.
func unlike(n int) (*mat.Dense, []int) {
	g := rand.New(rand.NewPCG(7, 7))
	x, labels := mat.NewDense(n, 4, nil), make([]int, n)
	for i := range n {
		labels[i] = i % 2
		a := g.NormFloat64()
		x.SetRow(i, []float64{1e-3 * (8*float64(labels[i]) + a), 1e4 * g.NormFloat64(), 5, 1e-3 * (a + 0.2*g.NormFloat64())})
	}
	return x, labels
}

type classifier interface {
	Predict(ctx context.Context, x *mat.Dense) (*verdict.Prediction, error)
	Judge(ctx context.Context, x *mat.Dense, given []int) (*verdict.Rows, error)
	JudgeRow(row []float64, given int) verdict.Row
	limits() []float64
}

type centersOf struct{ *nearest.Model }
type subspacesOf struct{ *nearest.Subspaces }

func (m centersOf) limits() []float64   { return m.Cutoffs() }
func (m subspacesOf) limits() []float64 { return m.Cutoffs }

// scaledFits are the two models of this package with a scaling.
var scaledFits = map[string]func(t *testing.T, x *mat.Dense, labels []int, weights []float64, how nearest.Scaling) classifier{
	"centers": func(t *testing.T, x *mat.Dense, labels []int, weights []float64, how nearest.Scaling) classifier {
		m, err := nearest.Centers{Scaling: how, Weights: weights}.Fit(t.Context(), linalg.FromDense(x), labels, 2)
		if err != nil {
			t.Fatal(err)
		}
		return centersOf{m}
	},
	"subspaces": func(t *testing.T, x *mat.Dense, labels []int, weights []float64, how nearest.Scaling) classifier {
		m, err := nearest.FitScaledSubspaces(t.Context(), linalg.FromDense(x), labels, weights, 2, how, func(_ int, scaled *mat.Dense, rows []int) (nearest.Subspace, error) {
			var part *mat.Dense
			var own []float64
			for _, i := range rows {
				if part == nil {
					part = mat.DenseCopyOf(scaled.Slice(i, i+1, 0, 4))
				} else {
					var more mat.Dense
					more.Stack(part, scaled.Slice(i, i+1, 0, 4))
					part = &more
				}
				if weights != nil {
					own = append(own, weights[i])
				}
			}
			return pca.Classic{Options: pca.Options{Components: 1, Weights: own}}.Fit(t.Context(), linalg.FromDense(part))
		})
		if err != nil {
			t.Fatal(err)
		}
		return subspacesOf{m}
	},
}

func right(t *testing.T, m classifier, x *mat.Dense, labels []int) float64 {
	t.Helper()
	p, err := m.Predict(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for i, k := range p.Labels {
		if k == labels[i] {
			count++
		}
	}
	return float64(count) / float64(len(labels))
}

// Columns of unlike units have an equal say with every scaling, and units do not matter: a
// column times a thousand changes nothing.
func TestScalingOfUnlikeUnits(t *testing.T) {
	x, labels := unlike(200)
	other := mat.DenseCopyOf(x)
	for i := range 200 {
		other.Set(i, 0, 1e3*x.At(i, 0)+7)
	}
	for name, fit := range scaledFits {
		if share := right(t, fit(t, x, labels, nil, nearest.ScaleNone), x, labels); name == "centers" && share > 0.8 {
			t.Errorf("%s: without scaling %.3f are right: the data do not show what they should", name, share)
		}
		for _, how := range []nearest.Scaling{nearest.ScaleRobust, nearest.ScaleMinMax, nearest.ScaleStandard} {
			m := fit(t, x, labels, nil, how)
			if share := right(t, m, x, labels); share < 0.95 {
				t.Errorf("%s: scaling %s: %.3f are right", name, how, share)
			}
			if share := right(t, fit(t, other, labels, nil, how), other, labels); math.Abs(share-right(t, m, x, labels)) > 1e-12 {
				t.Errorf("%s: scaling %s depends on units", name, how)
			}
		}
	}
	if _, err := (nearest.Centers{Scaling: "lots"}).Fit(t.Context(), linalg.FromDense(x), labels, 2); err == nil {
		t.Error("a scaling that is none is taken")
	}
}

// A weight of two is a row that stands there twice.
func TestScalingWeights(t *testing.T) {
	x, labels := unlike(60)
	weights := make([]float64, 60)
	var rows []int
	for i := range weights {
		weights[i] = float64(i % 3)
		rows = append(rows, slices.Repeat([]int{i}, i%3)...)
	}
	repeated, more := mat.NewDense(len(rows), 4, nil), make([]int, len(rows))
	for k, i := range rows {
		repeated.SetRow(k, x.RawRowView(i))
		more[k] = labels[i]
	}
	for name, fit := range scaledFits {
		a, b := fit(t, x, labels, weights, nearest.ScaleRobust), fit(t, repeated, more, nil, nearest.ScaleRobust)
		for k, c := range a.limits() {
			if d := b.limits()[k]; math.Abs(c-d) > 1e-9*d {
				t.Errorf("%s: cut-off %d is %g with weights, %g with rows repeated", name, k, c, d)
			}
		}
	}
}

// One cell of 1e300, of either sign, costs its row; one row is judged as a table is; what is no
// number has no class.
func TestScalingOfFarRowsAndSingleOnes(t *testing.T) {
	x, labels := unlike(120)
	dirty := mat.DenseCopyOf(x)
	dirty.Set(3, 1, 1e300)
	dirty.Set(8, 0, -1e300)
	for name, fit := range scaledFits {
		if name == "subspaces" { // classical ones are not robust
			dirty = x
		}
		m := fit(t, dirty, labels, nil, nearest.ScaleRobust)
		if c, ok := m.(centersOf); ok {
			robust, err := nearest.Centers{Scaling: nearest.ScaleRobust, Loss: robust(t, "gcorr:alpha=2,beta=auto")}.Fit(t.Context(), linalg.FromDense(dirty), labels, 2)
			if err != nil {
				t.Fatal(err)
			}
			c.Model = robust
			m = c
			if share := right(t, m, x, labels); share < 0.95 {
				t.Errorf("%s: with two far cells %.3f are right", name, share)
			}
		}
		odd := mat.DenseCopyOf(x)
		odd.Set(0, 1, math.Inf(1))
		odd.Set(1, 2, math.NaN())
		odd.Set(2, 0, 1e300)
		odd.Set(3, 2, 6)
		all, err := m.Judge(t.Context(), odd, labels)
		if err != nil {
			t.Fatal(err)
		}
		for i := range labels {
			one, want := m.JudgeRow(odd.RawRowView(i), labels[i]), all.Row(i)
			if one.Kind != want.Kind || one.Outlier != want.Outlier || math.Abs(one.Residual-want.Residual) > 1e-9*want.Residual {
				t.Fatalf("%s: row %d: %+v alone, %+v in a table", name, i, one, want)
			}
		}
		if all.Kind[0] != verdict.Missing || all.Kind[1] != verdict.Missing || !all.Outlier[2] || math.IsInf(all.Residual[2], 0) || math.IsNaN(all.Residual[2]) {
			t.Errorf("%s: kinds %v, %v, %v, residual %g", name, all.Kind[0], all.Kind[1], all.Kind[2], all.Residual[2])
		}
	}
}

// A file keeps the scaling; one without is that of a model without.
func TestScalingInFiles(t *testing.T) {
	x, labels := unlike(80)
	for name, fit := range scaledFits {
		m := fit(t, x, labels, nil, nearest.ScaleRobust)
		var file bytes.Buffer
		var again, old classifier
		switch m := m.(type) {
		case centersOf:
			if _, err := m.WriteTo(&file); err != nil {
				t.Fatal(err)
			}
			read, err := nearest.Read(&file)
			if err != nil {
				t.Fatal(err)
			}
			again = centersOf{read}
			s := m.State()
			delete(s.Arrays, "input_scale")
			if read, err = nearest.Restore(s); err != nil {
				t.Fatal(err)
			}
			old = centersOf{read}
		case subspacesOf:
			if _, err := m.WriteTo(&file); err != nil {
				t.Fatal(err)
			}
			read, err := nearest.ReadSubspaces(&file)
			if err != nil {
				t.Fatal(err)
			}
			again = subspacesOf{read}
		}
		a, _ := m.Predict(t.Context(), x)
		b, err := again.Predict(t.Context(), x)
		if err != nil || !mat.Equal(a.Scores, b.Scores) {
			t.Errorf("%s: scores change in a file: %v", name, err)
		}
		if old != nil && right(t, old, x, labels) > 0.8 {
			t.Errorf("%s: a file without scaling scales", name)
		}
	}
}
