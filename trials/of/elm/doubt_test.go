package elm_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// A machine that knows too little of its classes takes right labels for wrong ones, and wrong ones for chance: nodes that
// stand on rows judge them. Rows that the machine has not seen are held to the same share. The class is the sign of a product of two of five columns.
func TestNodesOnRowsJudgeLabels(t *testing.T) {
	const n, learned, seeds = 900, 600, 4
	falsely, unseen, found, wrong := 0, 0, 0, 0
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 7))
		x, labels := mat.NewDense(n, 5, nil), make([]int, n)
		for i := range n {
			for j := range 5 {
				x.Set(i, j, r.NormFloat64())
			}
			if x.At(i, 0)*x.At(i, 1) > 0 {
				labels[i] = 1
			}
		}
		o := elm.Options{Labels: true, Seed: 1, Scaling: elm.ScaleStandard}
		first, others := mat.DenseCopyOf(x.Slice(0, learned, 0, 5)), mat.DenseCopyOf(x.Slice(learned, n, 0, 5))
		clean, err := elm.Plain{Options: o}.Fit(context.Background(), linalg.FromDense(first), elm.OneVsAll(labels[:learned], 2))
		if err != nil {
			t.Fatal(err)
		}
		falsely += clean.Training().CountKind(verdict.DoubtfulLabel)
		fresh, err := clean.Judge(context.Background(), others, elm.OneVsAll(labels[learned:], 2))
		if err != nil {
			t.Fatal(err)
		}
		unseen += fresh.CountKind(verdict.DoubtfulLabel)
		for i := 0; i < learned; i += 5 {
			labels[i] = 1 - labels[i]
		}
		dirty, err := elm.Ridge{Options: o}.Fit(context.Background(), linalg.FromDense(first), elm.OneVsAll(labels[:learned], 2))
		if err != nil {
			t.Fatal(err)
		}
		for i, kind := range dirty.Training().Kind {
			if i%5 == 0 {
				wrong++
				if kind == verdict.DoubtfulLabel {
					found++
				}
			}
		}
	}
	t.Logf("right labels doubted: %d of %d and of new rows %d of %d; %d of %d wrong ones found", falsely, learned*seeds, unseen, (n-learned)*seeds, found, wrong)
	if falsely > learned*seeds/33 || unseen > (n-learned)*seeds/20 || found < wrong*6/10 {
		t.Error("too many right labels doubted, or too few wrong ones found")
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
	o := elm.Options{Labels: true, Seed: 3, Scaling: elm.ScaleRobust, Hidden: 40}
	targets := elm.OneVsAll(labels, k)
	for name, fit := range map[string]func() (*elm.Model, error){
		"elm": func() (*elm.Model, error) {
			return elm.Plain{Options: o}.Fit(context.Background(), linalg.FromDense(x), targets)
		},
		"relm": func() (*elm.Model, error) {
			return elm.Ridge{Options: o}.Fit(context.Background(), linalg.FromDense(x), targets)
		},
		"elm-robust": func() (*elm.Model, error) {
			return elm.Robust{Options: o}.Fit(context.Background(), linalg.FromDense(x), targets)
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
		again, err := elm.Read(&file)
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
		judged, err := again.Judge(context.Background(), fresh, elm.OneVsAll(truth, k))
		if err != nil {
			t.Fatal(err)
		}
		if c := judged.CountKind(verdict.DoubtfulLabel); c > n/20 {
			t.Errorf("%s: %d of %d new right labels are doubtful", name, c, n)
		}
		outputs, _ := again.Predict(context.Background(), fresh)
		classes, p := again.Classes(outputs)
		for i, c := range classes {
			if p.At(i, c) != floats.Max(p.RawRowView(i)) || c != judged.Label[i] {
				t.Fatalf("%s: row %d is given %d and %d, probabilities %v", name, i, c, judged.Label[i], p.RawRowView(i))
			}
		}
	}
}
