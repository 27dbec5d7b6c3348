package elm_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// A machine that knows too little of its classes takes right labels for wrong ones, and wrong ones for chance: what
// neighbours say of a label is asked as it is by the other classifiers. The class is the sign of a product of two of five columns.
func TestNeighboursKeepLabels(t *testing.T) {
	const n, seeds = 600, 4
	falsely, found, wrong := 0, 0, 0
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
		clean, err := elm.Plain{Options: o}.Fit(context.Background(), linalg.FromDense(x), elm.OneVsAll(labels, 2))
		if err != nil {
			t.Fatal(err)
		}
		falsely += clean.Training().CountKind(verdict.DoubtfulLabel)
		for i := 0; i < n; i += 5 {
			labels[i] = 1 - labels[i]
		}
		dirty, err := elm.Ridge{Options: o}.Fit(context.Background(), linalg.FromDense(x), elm.OneVsAll(labels, 2))
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
	t.Logf("%d of %d right labels doubted, %d of %d wrong ones found", falsely, n*seeds, found, wrong)
	if falsely > n*seeds/16 || found < wrong*2/5 {
		t.Errorf("%d of %d right labels doubted, %d of %d wrong ones found", falsely, n*seeds, found, wrong)
	}
}
