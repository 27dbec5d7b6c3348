package elm

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// The formula for left-out outputs is what ridge regression without the row gives, with more rows
// than nodes and with fewer, and of a row that counts twice one is left out.
func TestLeftOutOutputs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, nodes := range []int{6, 40} {
		const n = 25
		h := &hidden{n: n, l: nodes, kept: mat.NewDense(n, nodes, nil)}
		targets := mat.NewDense(n, 2, nil)
		single, prior, at := make([]float64, n), make([]float64, n), make([]int, n)
		for i := range n {
			at[i], single[i], prior[i] = i, r.Float64(), float64(1+i%2)
			for j := range nodes {
				h.kept.Set(i, j, r.NormFloat64())
			}
			targets.SetRow(i, []float64{r.NormFloat64(), 1})
		}
		single[3] = 0
		p := &regression{h: h, t: targets, k: 2, lambda: 0.7}
		got, err := p.leftOut(context.Background(), single, prior, at)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			w := make([]float64, n)
			for j := range n {
				w[j] = single[j] * prior[j]
			}
			w[i] = single[i] * (prior[i] - 1)
			beta, err := p.solve(context.Background(), nil, weighting{w: w, k: 2, perRow: true}, true)
			if err != nil {
				t.Fatal(err)
			}
			for c := range 2 {
				want := mat.Dot(h.kept.RowView(i), beta.ColView(c))
				if math.Abs(got[2*i+c]-want) > 1e-7 {
					t.Fatalf("%d nodes, row %d: %v, without the row %v", nodes, i, got[2*i+c], want)
				}
			}
		}
	}
}

// Wrong labels are found and right ones left alone by plain, ridge and robust machines, also when the
// rows are met again by the model from its file; new rows likewise.
func TestMachinesDoubtLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n, k = 210, 3
	x, labels, truth := mat.NewDense(n, 4, nil), make([]int, n), make([]int, n)
	for i := range n {
		truth[i] = i % k
		labels[i] = truth[i]
		if i%7 == 0 {
			labels[i] = (truth[i] + 1) % k
		}
		for j := range 4 {
			x.Set(i, j, 4*float64((truth[i]+j)%k)+1.4*r.NormFloat64())
		}
	}
	o := Options{Labels: true, Seed: 3, Scaling: ScaleRobust, Hidden: 40}
	targets := OneVsAll(labels, k)
	for name, fit := range map[string]func() (*Model, error){
		"elm":  func() (*Model, error) { return Plain{o}.Fit(context.Background(), linalg.FromDense(x), targets) },
		"relm": func() (*Model, error) { return Ridge{o}.Fit(context.Background(), linalg.FromDense(x), targets) },
		"elm-robust": func() (*Model, error) {
			return Robust{Options: o}.Fit(context.Background(), linalg.FromDense(x), targets)
		},
	} {
		m, err := fit()
		if err != nil {
			t.Fatal(err)
		}
		found, falsely := 0, 0
		for i, kind := range m.Training().Kind {
			if kind == verdict.DoubtfulLabel && labels[i] != truth[i] {
				found++
			} else if kind == verdict.DoubtfulLabel {
				falsely++
			}
		}
		if found < 26 || falsely > 4 { // of 30
			t.Errorf("%s: %d of 30 wrong labels found, %d others", name, found, falsely)
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		for i, kind := range m.Training().Kind {
			one := again.JudgeRow(x.RawRowView(i), targets.RawRowView(i))
			if one.Kind != kind || one.Label != m.Training().Label[i] {
				t.Fatalf("%s: row %d is %q and %d, was %q and %d", name, i, one.Kind, one.Label, kind, m.Training().Label[i])
			}
		}
		fresh := mat.DenseCopyOf(x)
		fresh.Apply(func(_, _ int, v float64) float64 { return v + 1e-3 }, fresh)
		judged, err := again.Judge(context.Background(), fresh, OneVsAll(truth, k))
		if err != nil {
			t.Fatal(err)
		}
		if c := judged.CountKind(verdict.DoubtfulLabel); c > n/20 {
			t.Errorf("%s: %d of %d new right labels are doubtful", name, c, n)
		}
		outputs, _ := again.Predict(context.Background(), fresh)
		classes, p := again.Classes(outputs)
		for i, c := range classes {
			if c != largest(p.RawRowView(i)) || c != judged.Label[i] {
				t.Fatalf("%s: row %d is given %d and %d, probabilities %v", name, i, c, judged.Label[i], p.RawRowView(i))
			}
		}
	}
}
