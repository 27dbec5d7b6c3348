package cluster

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// repeats makes of a table with whole weights one with repeated rows; back tells which row
// a repeated one came from.
func repeats(x *mat.Dense, weights []float64) (y *mat.Dense, back []int) {
	_, d := x.Dims()
	var data []float64
	for i, w := range weights {
		for range int(w) {
			data = append(data, x.RawRowView(i)...)
			back = append(back, i)
		}
	}
	return mat.NewDense(len(back), d, data), back
}

// A whole weight acts like repeated rows from the first draw to the cut-offs; no weight is
// no row.
func TestWeightsAreRepeatsThroughout(t *testing.T) {
	x, _, _ := blobs(43, 240, 2, 3, 0.9)
	weights := make([]float64, 240)
	for i := range weights {
		weights[i] = float64((i * 7) % 4)
	}
	y, back := repeats(x, weights)
	for _, k := range []KMeans{{}, {Trim: 0.1}, {Loss: mustLoss(t, "welsch")}, {Loss: mustLoss(t, "huber")}} {
		for _, init := range starts {
			if init == StartFarthest && k.robust() {
				continue // starts at outliers
			}
			for _, clusters := range []int{0, 3} {
				k.Start, k.Clusters, k.Restarts, k.Seed, k.Weights = init, clusters, 3, 7, nil
				b := mustFit(t, k, y)
				k.Weights = weights
				a := mustFit(t, k, x)
				if ra, _ := a.Centers().Dims(); ra != len(b.Sizes()) || !mat.EqualApprox(a.Centers(), b.Centers(), 1e-6) {
					t.Errorf("%s, trim %g, %s, %d clusters:\n%v\n%v", init, k.Trim, k.Loss, clusters, mat.Formatted(a.Centers()), mat.Formatted(b.Centers()))
					continue
				}
				for c, v := range a.parts().Cutoffs {
					if w := b.parts().Cutoffs[c]; math.Abs(v-w) > 1e-5*w {
						t.Errorf("%s, trim %g, %s: cut-off %v, repeated rows have %v", init, k.Trim, k.Loss, v, w)
					}
				}
				if math.Abs(a.Inertia()-b.Inertia()) > 1e-6*b.Inertia() {
					t.Errorf("%s, trim %g, %s: inertia %v, not %v", init, k.Trim, k.Loss, a.Inertia(), b.Inertia())
				}
			}
		}
	}
	for _, how := range []Density{{}, {CutOff: true}, {Percent: 5}} {
		b, err := DensityPeaks{Density: how}.Fit(context.Background(), linalg.FromDense(y))
		if err != nil {
			t.Fatal(err)
		}
		a, err := DensityPeaks{Density: how, Weights: weights}.Fit(context.Background(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(a.Graph().Reach-b.Graph().Reach) > 1e-12 || a.Graph().Suggested() != b.Graph().Suggested() || !mat.Equal(a.Centers(), b.Centers()) {
			t.Fatalf("%v: reach %v, not %v; %d clusters, not %d", how, a.Graph().Reach, b.Graph().Reach, a.Graph().Suggested(), b.Graph().Suggested())
		}
		for r, i := range back {
			if math.Abs(a.Graph().Density[i]-b.Graph().Density[r]) > 1e-9*(1+b.Graph().Density[r]) || a.Labels()[i] != b.Labels()[r] {
				t.Fatalf("%v: row %d has density %v, repeated %v", how, i, a.Graph().Density[i], b.Graph().Density[r])
			}
		}
		for c, v := range a.parts().Cutoffs {
			if w := b.parts().Cutoffs[c]; math.Abs(v-w) > 1e-9*w {
				t.Errorf("%v: cut-off %v, repeated rows have %v", how, v, w)
			}
		}
	}
}

// Density peaks count weights: a row of weight 5 has four copies beside it, and one without
// weight is no peak, however far it is.
func TestPeaksCountWeights(t *testing.T) {
	x := mat.NewDense(5, 1, []float64{0, 1, 10, 11, 1000})
	m, err := DensityPeaks{Clusters: 2, Density: Density{CutOff: true, Reach: 2}, Weights: []float64{5, 1, 2, 2, 0}}.Fit(context.Background(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{5, 5, 3, 3, 0}; !slices.Equal(m.Graph().Density, want) {
		t.Errorf("densities %v, not %v", m.Graph().Density, want)
	}
	if want := []int{0, 0, 1, 1, 1}; !slices.Equal(m.Labels(), want) {
		t.Errorf("labels %v, not %v", m.Labels(), want)
	}
	back, err := peaksFromParts(m.parts())
	if err != nil || !slices.Equal(back.Peaks(), m.Peaks()) || back.Inertia() != m.Inertia() {
		t.Errorf("restored: peaks %v of %v, %v", back.Peaks(), m.Peaks(), err)
	}
}

// A model comes back with its inertia and how it ended.
func TestPartsKeepWhatWasFound(t *testing.T) {
	x, _, _ := blobs(93, 200, 3, 3, 1)
	m := mustFit(t, KMeans{Clusters: 3, MaxSteps: 1, Restarts: 1}, x)
	back, err := fromParts(m.parts())
	if err != nil {
		t.Fatal(err)
	}
	if back.Inertia() != m.Inertia() || back.Inertia() == 0 || m.Status() != irls.StepLimit || back.Status() != m.Status() {
		t.Errorf("inertia %v, not %v; %s, not %s", back.Inertia(), m.Inertia(), back.Status(), m.Status())
	}
}
