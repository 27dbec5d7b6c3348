package elm

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
	"gonum.org/v1/gonum/mat"
)

// Online machines learn classes, refuse targets that are none, and count a weight of three as three rows.
func TestOnlineTargetsAndWeights(t *testing.T) {
	x, y := wave(60, 1)
	src := linalg.FromDense(x)
	begin := func(o elm.Options, k int) *elm.Online {
		o.Hidden, o.Lambda = 10, 1e-3
		online, err := elm.Ridge{o}.Online(2, k)
		if err != nil {
			t.Fatal(err)
		}
		return online
	}
	labels := make([]int, 60)
	for i := range labels {
		if y.At(i, 0) > 0.5 {
			labels[i] = 1
		}
	}
	classes := begin(elm.Options{Labels: true}, 2)
	if err := classes.PartialFit(t.Context(), src, elm.OneVsAll(labels, 2), nil); err != nil {
		t.Error(err)
	}
	if err := classes.PartialFit(t.Context(), src, mat.NewDense(60, 2, nil), nil); err == nil {
		t.Error("targets of 0 are taken for classes")
	}
	bad := mat.DenseCopyOf(y)
	bad.Set(3, 0, math.NaN())
	once, thrice := begin(elm.Options{}, 1), begin(elm.Options{}, 1)
	if err := once.PartialFit(t.Context(), src, bad, nil); err == nil || once.Rows() != 0 {
		t.Errorf("a missing target is taken: %v", err)
	}
	threes := make([]float64, 60)
	for i := range threes {
		threes[i] = 3
		if i%20 == 0 {
			if err := thrice.PartialFit(t.Context(), src, y, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := once.PartialFit(t.Context(), src, y, threes); err != nil {
		t.Fatal(err)
	}
	a, err := once.Model()
	b, other := thrice.Model()
	if err != nil || other != nil || math.Abs(a.Scale()[0]/b.Scale()[0]-1) > 1e-9 {
		t.Errorf("scales %v and %v, %v, %v", a.Scale(), b.Scale(), err, other)
	}
}

// Weights that are parts of one give the output weights of a fit of all rows, and the scale of rows that count once.
func TestOnlinePartsOfOne(t *testing.T) {
	x, y := wave(60, 1)
	src, o := linalg.FromDense(x), elm.Options{Hidden: 10, Lambda: 1e-3}
	learn := func(w []float64) *elm.Model {
		online, err := elm.Ridge{o}.Online(2, 1)
		if err == nil {
			err = online.PartialFit(t.Context(), src, y, w)
		}
		if err != nil {
			t.Fatal(err)
		}
		m, err := online.Model()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	parts := make([]float64, 60)
	for i := range parts {
		parts[i] = 1.0 / 60
	}
	a, b := learn(nil), learn(parts)
	p, _ := a.Predict(t.Context(), x)
	q, _ := b.Predict(t.Context(), x)
	if !mat.EqualApprox(p, q, 1e-8) || math.Abs(a.Scale()[0]/b.Scale()[0]-1) > 1e-8 {
		t.Errorf("scales %g and %g; the first outputs %g and %g", a.Scale()[0], b.Scale()[0], p.At(0, 0), q.At(0, 0))
	}
}

// A row without a target cannot be judged, alone or with others.
func TestMissingTargetsAreMissing(t *testing.T) {
	x, y := wave(60, 1)
	m, err := elm.Ridge{elm.Options{Hidden: 10}}.Fit(t.Context(), linalg.FromDense(x), y)
	if err != nil {
		t.Fatal(err)
	}
	y.Set(3, 0, math.NaN())
	judged, err := m.Judge(t.Context(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	one := m.JudgeRow(x.RawRowView(3), y.RawRowView(3))
	if judged.Kind[3] != verdict.Missing || one.Kind != verdict.Missing || !judged.Outlier[3] || judged.Weight[3] != 0 {
		t.Errorf("%v with weight %g, alone %v", judged.Kind[3], judged.Weight[3], one.Kind)
	}
}

// The effective sample counts rows as often as their weights say.
func TestEffectiveSampleCountsWeights(t *testing.T) {
	x, y := wave(60, 1)
	w, rows := make([]float64, 60), []int(nil)
	for i := range w {
		w[i] = float64(i % 3)
		for range i % 3 {
			rows = append(rows, i)
		}
	}
	a, err := elm.RCC{Options: elm.Options{Weights: w, Hidden: 15}}.Fit(t.Context(), linalg.FromDense(x), y)
	if err != nil {
		t.Fatal(err)
	}
	b, err := elm.RCC{Options: elm.Options{Hidden: 15}}.Fit(t.Context(), linalg.FromDense(pick(x, rows)), pick(y, rows))
	if err != nil {
		t.Fatal(err)
	}
	if p, q := a.Describe(archive.Names{}).Effective, b.Describe(archive.Names{}).Effective; math.Abs(p/q-1) > 1e-6 || q < 40 {
		t.Errorf("%g rows, repeated %g", p, q)
	}
}
