package cluster

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/linalg"
)

// Ten rows of a sentinel: ordinary k-means gives them a center and parts the others as well
// as two centers can; counts and lists agree. Trimmed and robust k-means find the groups.
func TestSentinel(t *testing.T) {
	clean, centers := threeGroups(1, 300)
	x := mat.NewDense(310, 2, nil)
	x.Slice(0, 300, 0, 2).(*mat.Dense).Copy(clean)
	for i := 300; i < 310; i++ {
		x.SetRow(i, []float64{-999999999, -999999999})
	}
	plain := mustFit(t, cluster.KMeans{Clusters: 3, Seed: 1}, x)
	sizes := plain.Sizes()
	slices.Sort(sizes)
	if !slices.Equal(sizes, []int{10, 100, 200}) {
		t.Errorf("ordinary k-means: sizes %v", sizes)
	}
	two := mustFit(t, cluster.KMeans{Clusters: 2, Seed: 1}, clean)
	if math.Abs(plain.Inertia()-two.Inertia()) > 1e-9*two.Inertia() {
		t.Errorf("inertia %v; the groups alone in two clusters have %v", plain.Inertia(), two.Inertia())
	}
	for _, k := range []cluster.KMeans{{Clusters: 3, Seed: 1}, {Clusters: 3, Seed: 1, Trim: 0.1}, {Clusters: 3, Seed: 1, Loss: mustLoss(t, "welsch")}} {
		m := mustFit(t, k, x)
		j, err := m.Judge(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		listed := 0
		for i := range 310 {
			if j.Outlier[i] {
				listed++
			}
		}
		if listed != m.Training().Count() || !slices.Equal(j.Label, m.Labels()) {
			t.Errorf("trim %g, %s: %d outliers counted, %d listed", k.Trim, k.Loss, m.Training().Count(), listed)
		}
		if (k.Trim > 0 || k.Loss != nil) && centerError(centers, m.Centers()) > 0.03 {
			t.Errorf("trim %g, %s: centers\n%v", k.Trim, k.Loss, mat.Formatted(m.Centers()))
		}
	}
}

// Outliers however far off cost their rows and nothing else: centers as without them, the
// rows flagged, no refusal.
func TestFarValues(t *testing.T) {
	clean, centers := threeGroups(3, 150)
	n, d := clean.Dims()
	type dirt struct {
		name string
		put  func(x *mat.Dense, size float64) []int
	}
	kinds := []dirt{
		{"one cell", func(x *mat.Dense, size float64) []int { x.Set(17, 1, size); return []int{17} }},
		{"a fifth of the rows, scattered", func(x *mat.Dense, size float64) []int {
			r := rand.New(rand.NewPCG(5, 5))
			rows := r.Perm(n)[:n/5]
			for _, i := range rows {
				for j := range d {
					x.Set(i, j, size*(0.5+r.Float64()/2)*float64(1-2*r.IntN(2)))
				}
			}
			return rows
		}},
		{"a tenth of the rows, together", func(x *mat.Dense, size float64) []int {
			rows := rand.New(rand.NewPCG(6, 5)).Perm(n)[:n/10]
			for _, i := range rows {
				x.SetRow(i, []float64{size, size})
			}
			return rows
		}},
		{"a sentinel in a twentieth of a column", func(x *mat.Dense, size float64) []int {
			rows := rand.New(rand.NewPCG(7, 5)).Perm(n)[:n/20]
			for _, i := range rows {
				x.Set(i, 0, size)
			}
			return rows
		}},
	}
	for _, kind := range kinds {
		for _, size := range []float64{1e1, -999, 1e5, -1e9, 1e15, -1e20, 1e80, -1e150, 1e160, -1e300} {
			x := mat.DenseCopyOf(clean)
			bad := kind.put(x, size)
			for _, k := range []cluster.KMeans{{Clusters: 3, Seed: 2, Trim: 0.25}, {Clusters: 3, Seed: 2, Loss: mustLoss(t, "welsch")}} {
				name := fmt.Sprintf("%s at %g, trim %g", kind.name, size, k.Trim)
				m, err := k.Fit(context.Background(), linalg.FromDense(x))
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if e := centerError(centers, m.Centers()); e > 0.035 {
					t.Errorf("%s: centers are off by %v", name, e)
				}
				j, err := m.Judge(context.Background(), x)
				if err != nil {
					t.Fatal(err)
				}
				for _, i := range bad {
					if !j.Outlier[i] || j.Weight[i] != 0 || math.IsNaN(j.Residual[i]) {
						t.Errorf("%s: row %d at %v cut-offs with weight %v", name, i, j.Residual[i], j.Weight[i])
						break
					}
				}
				if alarms := m.Training().Count() - len(bad); alarms < 0 || alarms > 14 {
					t.Errorf("%s: %d other rows flagged", name, alarms)
				}
			}
			// Ordinary k-means is led astray but makes sense: no restart is better than the best,
			// and rows are with their nearest centers.
			m, err := cluster.KMeans{Clusters: 3, Seed: 2}.Fit(context.Background(), linalg.FromDense(x))
			if err != nil {
				t.Errorf("%s at %g: %v", kind.name, size, err)
				continue
			}
			for i, c := range m.Labels() {
				got, want := linalg.Distance(x.RawRowView(i), m.Centers().RawRowView(c)), math.Inf(1)
				for other := range m.Sizes() {
					want = min(want, linalg.Distance(x.RawRowView(i), m.Centers().RawRowView(other)))
				}
				if got != want {
					t.Errorf("%s at %g: row %d is at %v from its center, %v from another", kind.name, size, i, got, want)
					break
				}
			}
			if slices.Min(m.Sizes()) == 0 || math.IsNaN(m.Inertia()) || math.IsInf(m.Inertia(), 0) {
				t.Errorf("%s at %g: sizes %v, inertia %v", kind.name, size, m.Sizes(), m.Inertia())
			}
			if _, err := (cluster.DensityPeaks{Clusters: 3}).Fit(context.Background(), linalg.FromDense(x)); err != nil {
				t.Errorf("%s at %g: density peaks: %v", kind.name, size, err)
			}
		}
	}
}
