package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// Labels that a weak linear law decides are right, however hard to tell: a machine with a kernel, whose scores flatten towards their ends,
// doubted 155 of 600 (100 and more in nine of forty such tables; in one now). Of wrong labels beside a clear linear law it found half, where few rows have many classes, by kernels: planes tell more of both.
func TestPlanesJudgeLabelsThatTheyTellBetter(t *testing.T) {
	rbf := classify.Options{Kernel: kernel.Kernel{Kind: kernel.RBF}}
	for _, seed := range []uint64{9, 17, 24} {
		r := rand.New(rand.NewPCG(seed, 21))
		x, labels := mat.NewDense(600, 6, nil), make([]int, 600)
		for i := range labels {
			for j := range 6 {
				x.Set(i, j, r.NormFloat64())
			}
			if r.Float64() < 1/(1+math.Exp(-.8*x.At(i, 0)+.6*x.At(i, 1)-.4*x.At(i, 2))) {
				labels[i] = 1
			}
		}
		for _, o := range []classify.Options{rbf, {Kernel: rbf.Kernel, Lambda: .5 / 600}} {
			m, err := classify.RegMaxCEM{Options: o}.Fit(t.Context(), linalg.FromDense(x), labels, 2)
			if err != nil {
				t.Fatal(err)
			}
			if doubted := m.Training().CountKind(verdict.DoubtfulLabel); doubted > 12 {
				t.Errorf("weak law, draw %d, lambda %g: %d of 600 right labels are doubted", seed, o.Lambda, doubted)
			}
		}
	}
	found, falsely, all := 0, 0, 0
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 22))
		x, labels, truth := mat.NewDense(200, 4, nil), make([]int, 200), make([]int, 200)
		for i := range labels {
			for j := range 4 {
				x.Set(i, j, r.NormFloat64())
			}
			for _, cut := range []float64{-1.2, -.4, .4, 1.2} {
				if x.At(i, 0)+.6*x.At(i, 1)+.15*r.NormFloat64() > cut {
					truth[i]++
				}
			}
			if labels[i] = truth[i]; r.Float64() < .2 {
				labels[i] = (truth[i] + 1 + r.IntN(4)) % 5
			}
		}
		m, err := classify.RegMaxCEM{Options: rbf}.Fit(t.Context(), linalg.FromDense(x), labels, 5)
		if err != nil {
			t.Fatal(err)
		}
		for i, kind := range m.Training().Kind {
			if labels[i] != truth[i] {
				all++
			}
			if kind == verdict.DoubtfulLabel && labels[i] != truth[i] {
				found++
			} else if kind == verdict.DoubtfulLabel {
				falsely++
			}
		}
	}
	t.Logf("%d of %d found, %d others", found, all, falsely)
	if 4*found < 3*all || 3*falsely > found {
		t.Errorf("grades: %d of %d wrong labels found, %d others", found, all, falsely)
	}
}

// Where part of a law is linear and part is not, planes and kernel together tell more of the labels than either: by the one that told more,
// 176 of 423 wrong labels of five draws were found and 80 others doubted; by both together, of three, 151 of 256 and 69, where it was 110 and 50.
func TestPlanesAndKernelJudgeTogether(t *testing.T) {
	found, falsely, all := 0, 0, 0
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 23))
		const n, classes = 400, 4
		x, labels, truth := mat.NewDense(n, 8, nil), make([]int, n), make([]int, n)
		for i := range labels {
			row := x.RawRowView(i)
			for j := range row {
				row[j] = r.NormFloat64()
			}
			if row[0]+row[1]+row[2]+row[3] > 0 {
				truth[i] = 2
			}
			if row[4]*row[5] > 0 {
				truth[i]++
			}
			if labels[i] = truth[i]; r.Float64() < .2 {
				labels[i] = (truth[i] + 1 + r.IntN(classes-1)) % classes
			}
		}
		m, err := classify.RegMaxCEM{Options: classify.Options{Kernel: kernel.Kernel{Kind: kernel.RBF}}}.Fit(t.Context(), linalg.FromDense(x), labels, classes)
		if err != nil {
			t.Fatal(err)
		}
		for i, kind := range m.Training().Kind {
			if labels[i] != truth[i] {
				all++
			}
			if kind == verdict.DoubtfulLabel && labels[i] != truth[i] {
				found++
			} else if kind == verdict.DoubtfulLabel {
				falsely++
			}
		}
	}
	t.Logf("%d of %d found, %d others", found, all, falsely)
	if 2*found < all || 5*falsely > 3*found {
		t.Errorf("%d of %d wrong labels found, %d others", found, all, falsely)
	}
}
