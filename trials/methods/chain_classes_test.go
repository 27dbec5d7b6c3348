package methods

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/verdict"
)

// A class that lies off the subspace of the others as a whole is where it is: neither its
// training rows nor new ones are outliers for that, also after reading the model.
func TestClassOffTheSubspaceIsSpared(t *testing.T) {
	m, err := catalog.Lookup("nearest-center")
	if err != nil {
		t.Fatal(err)
	}
	apart := 0
	for seed := range uint64(12) {
		for _, loss := range []string{"welsch", "tukey"} {
			e := entrant{"", m, map[string]string{"reduce": "pca-robust", "reduce.components": "2", "reduce.loss": loss}, "classes"}
			model, err := e.attempt(context.Background(), generate("classes", 30, seed+1), catalog.Run{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := model.State().Arrays["class_off_subspace"]; !ok {
				continue
			}
			apart++
			fresh := generate("classes", 300, 99)
			for _, one := range []catalog.Model{model, whole(t, m, model)} {
				o, off := judged(t, one, fresh), make([]int, 3)
				for i, kind := range o.Kind {
					if kind == verdict.OffSubspace {
						off[fresh.Target.Labels[i]]++
					}
				}
				for k, count := range off {
					if count > 50 {
						t.Errorf("seed %d, %s: %d of 100 new rows of class %d are off the subspace", seed, loss, count, k)
					}
				}
			}
		}
	}
	if apart == 0 {
		t.Error("no class lies apart: the test needs one")
	}
}

// Classes that scatter unlike off the subspace are each measured by their own spread: new clean rows are flagged about as often as is
// meant, and rows far off are found in every class.
func TestClassesOfUnlikeSpreadOffTheSubspace(t *testing.T) {
	m, err := catalog.Lookup("nearest-center")
	if err != nil {
		t.Fatal(err)
	}
	draw := func(n int, seed uint64) *dataset.Set {
		g := rand.New(rand.NewPCG(seed, 31))
		x, labels := mat.NewDense(n, 8, nil), make([]int, n)
		for i := range n {
			k := i % 3
			labels[i] = k
			for j, row := 0, x.RawRowView(i); j < len(row); j++ {
				if row[j] = []float64{0.1, 0.2, 0.5}[k] * g.NormFloat64(); j < 2 {
					row[j] = float64(4*((k+j)%3)) + 0.5*g.NormFloat64()
				}
			}
		}
		return tableOf("classes", x, nil, &dataset.Target{Name: "class", Labels: labels, Classes: []string{"a", "b", "c"}})
	}
	for _, n := range []int{240, 600} {
		fresh, share := draw(1500, 77), make([]float64, 3)
		const fits = 3
		for seed := range uint64(fits) {
			e := entrant{"", m, map[string]string{"reduce": "pca-robust", "reduce.components": "2", "reduce.scaling": "none", "scaling": "none"}, "classes"}
			model, err := e.attempt(context.Background(), draw(n, seed), catalog.Run{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			o := judged(t, model, fresh)
			for i, out := range o.Outlier {
				if out {
					share[fresh.Target.Labels[i]] += 1.0 / 500 / fits
				}
			}
			far := draw(30, 78)
			for i := range 30 {
				far.X.Set(i, 5, far.X.At(i, 5)+6)
			}
			if count := judged(t, model, far).Count(); count < 30 {
				t.Errorf("%d rows, seed %d: %d of 30 rows off the subspace are found", n, seed, count)
			}
		}
		t.Logf("%d rows: of new clean rows of each class %.3f are flagged", n, share)
		if slices.Max(share) > 0.09 {
			t.Errorf("%d rows: of new clean rows of each class %.3f are flagged", n, share)
		}
	}
}
