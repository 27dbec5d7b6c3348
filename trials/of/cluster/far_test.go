package cluster

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// threeGroups are groups of rows in the unit square and what they would be without dirt.
func threeGroups(seed uint64, n int) (x, centers *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 2))
	centers = mat.NewDense(3, 2, []float64{0.15, 0.2, 0.85, 0.25, 0.5, 0.85})
	x = mat.NewDense(n, 2, nil)
	for i := range n {
		for j := range 2 {
			x.Set(i, j, centers.At(i%3, j)+0.04*r.NormFloat64())
		}
	}
	return x, centers
}

// Units do not matter, not even those in which squares overflow or vanish.
func TestUnits(t *testing.T) {
	x, _ := threeGroups(4, 300)
	for _, k := range []cluster.KMeans{{Clusters: 3, Seed: 2}, {Clusters: 3, Seed: 2, Trim: 0.1}, {Clusters: 3, Seed: 2, Loss: mustLoss(t, "welsch")}} {
		want := mustFit(t, k, x)
		for _, unit := range []float64{0x1p-900, 0x1p-500, 0x1p-30, 0x1p40, 0x1p460, 0x1p500, 0x1p900} {
			if k.Loss != nil && math.Abs(math.Log2(unit)) > 500 || unit > 1e140 {
				continue // losses have no bandwidth there
			}
			var y, back mat.Dense
			y.Scale(unit, x)
			m := mustFit(t, k, &y)
			back.Scale(1/unit, m.Centers())
			if !mat.EqualApprox(&back, want.Centers(), 1e-9) || !slices.Equal(m.Labels(), want.Labels()) || m.Training().Count() != want.Training().Count() {
				t.Errorf("trim %g, %s in units of %g: %d outliers, not %d\n%v", k.Trim, k.Loss, 1/unit, m.Training().Count(), want.Training().Count(), mat.Formatted(&back))
			}
		}
	}
}

// New clean rows are flagged about as often as training rows, at the nominal share.
func TestNewRowsAreFlaggedAtTheNominalShare(t *testing.T) {
	for _, c := range []struct {
		n, d   int
		within float64
	}{{60, 5, 0.05}, {150, 10, 0.02}, {900, 4, 0.02}} {
		for name, k := range map[string]cluster.KMeans{"plain": {}, "trimmed": {Trim: 0.2}, "robust": {Loss: mustLoss(t, "welsch")}} {
			k.Clusters, k.Restarts = 3, 4
			var fresh, own float64
			const draws = 6
			for seed := range uint64(draws) {
				centers := mat.NewDense(3, c.d, nil)
				for g := range 3 {
					centers.Set(g, g%c.d, 40)
				}
				draw := func(n int, stream uint64) *mat.Dense {
					r := rand.New(rand.NewPCG(seed, stream))
					x := mat.NewDense(n, c.d, nil)
					for i := range n {
						for j := range c.d {
							x.Set(i, j, centers.At(i%3, j)+r.NormFloat64())
						}
					}
					return x
				}
				k.Seed = seed
				m := mustFit(t, k, draw(c.n, 1))
				j, err := m.Judge(context.Background(), draw(999, 2))
				if err != nil {
					t.Fatal(err)
				}
				for i := range 999 {
					if j.Outlier[i] {
						fresh += 1.0 / 999 / draws
					}
				}
				own += float64(m.Training().Count()) / float64(c.n) / draws
			}
			if math.Abs(fresh-0.025) > c.within || math.Abs(own-0.025) > c.within {
				t.Errorf("%s, %d x %d: %.3f of new rows flagged, %.3f of training rows", name, c.n, c.d, fresh, own)
			}
		}
	}
}

// looks is a context that ends at its k-th look.
type looks struct {
	context.Context
	left chan struct{}
}

func newLooks(k int) looks {
	l := looks{context.Background(), make(chan struct{}, k)}
	for range k {
		l.left <- struct{}{}
	}
	return l
}

func (l looks) Err() error {
	select {
	case <-l.left:
		return nil
	default:
		return context.Canceled
	}
}

// A cancelled search keeps the best of the starts that have ended.
func TestCancelledKeepsFinishedStarts(t *testing.T) {
	x, centers, _ := blobs(85, 300, 2, 3, 0.5)
	k := cluster.KMeans{Clusters: 3, Start: cluster.StartRandom, Restarts: 6, Seed: 3, Loss: mustLoss(t, "welsch")}
	all := 1 << 20
	l := newLooks(all)
	if _, err := k.Fit(l, linalg.FromDense(x)); err != nil {
		t.Fatal(err)
	}
	used := all - len(l.left)
	m, err := k.Fit(newLooks(used*9/10), linalg.FromDense(x))
	if err != nil || m.Status() != irls.Cancelled || centerError(centers, m.Centers()) > 0.3 {
		t.Errorf("%v: centers are off by %v", err, centerError(centers, m.Centers()))
	}
}

// An empty list of starting centers is none.
func TestEmptyStart(t *testing.T) {
	x, _ := threeGroups(9, 90)
	m := mustFit(t, cluster.KMeans{Centers: [][]float64{}, Clusters: 3}, x)
	if len(m.Sizes()) != 3 {
		t.Error(m.Sizes())
	}
	if _, err := (cluster.KMeans{Centers: [][]float64{{math.NaN(), 0}}}).Fit(context.Background(), linalg.FromDense(x)); err == nil {
		t.Error("a start of NaN is accepted")
	}
}
