package cluster

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"
	"testing"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/score"
	"gonum.org/v1/gonum/mat"
)

// slowPeaks is the paper's recipe pair by pair, with the densities' reach given.
func slowPeaks(x *mat.Dense, reach float64, cutOff bool, k int) (rho, delta []float64, labels []int) {
	n, _ := x.Dims()
	distance := func(i, j int) float64 { return math.Sqrt(linalg.SquaredDistance(x.RawRowView(i), x.RawRowView(j))) }
	rho, delta = make([]float64, n), make([]float64, n)
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			d := distance(i, j)
			if cutOff && d < reach {
				rho[i]++
			}
			if !cutOff {
				rho[i] += math.Exp(-(d / reach) * (d / reach))
			}
		}
	}
	above := func(j, i int) bool { return rho[j] > rho[i] || rho[j] == rho[i] && j < i }
	parent := make([]int, n)
	for i := range n {
		parent[i] = -1
		least, most := math.Inf(1), 0.0
		for j := range n {
			if j == i {
				continue
			}
			d := distance(i, j)
			most = math.Max(most, d)
			if above(j, i) && (d < least || d == least && above(j, parent[i])) {
				least, parent[i] = d, j
			}
		}
		delta[i] = least
		if parent[i] < 0 {
			delta[i] = most
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return rho[order[a]]*delta[order[a]] > rho[order[b]]*delta[order[b]] })
	labels = make([]int, n)
	for i := range n {
		at := i
		for !slices.Contains(order[:k], at) {
			at = parent[at]
		}
		labels[i] = slices.Index(order[:k], at)
	}
	return rho, delta, labels
}

func TestPeaksAgreeWithSlowCode(t *testing.T) {
	x, _, _ := blobs(7, 300, 3, 4, 1.2) // three strips of tiles
	for _, cutOff := range []bool{false, true} {
		m, err := cluster.DensityPeaks{Clusters: 4, Density: cluster.Density{CutOff: cutOff, Reach: 1.1}}.Fit(context.Background(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		rho, delta, labels := slowPeaks(x, 1.1, cutOff, 4)
		g := m.Graph()
		for i := range rho {
			if math.Abs(rho[i]-g.Density[i]) > 1e-9*(1+rho[i]) || math.Abs(delta[i]-g.Distance[i]) > 1e-9*delta[i] {
				t.Fatalf("cut-off %v, row %d: density %v, not %v; distance %v, not %v", cutOff, i, g.Density[i], rho[i], g.Distance[i], delta[i])
			}
		}
		if !slices.Equal(labels, m.Labels()) {
			t.Errorf("cut-off %v: other labels", cutOff)
		}
	}
}

// Seven numbers on a line, worked out by hand with dc = 1.5 and the cut-off kernel: 1 and
// 11 have two neighbours each, the ends of their groups one, 30 has none.
func TestPeaksByHand(t *testing.T) {
	x := mat.NewDense(7, 1, []float64{0, 1, 2, 10, 11, 12, 30})
	m, err := cluster.DensityPeaks{Clusters: 2, Density: cluster.Density{CutOff: true, Reach: 1.5}}.Fit(context.Background(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	g := m.Graph()
	if want := []float64{1, 2, 1, 1, 2, 1, 0}; !slices.Equal(g.Density, want) {
		t.Errorf("densities %v, not %v", g.Density, want)
	}
	if want := []float64{1, 29, 1, 1, 10, 1, 18}; !slices.Equal(g.Distance, want) {
		t.Errorf("distances %v, not %v", g.Distance, want)
	}
	if want := []int{0, 0, 0, 1, 1, 1, 1}; !slices.Equal(m.Labels(), want) || g.Suggested() != 2 {
		t.Errorf("labels %v, %d clusters suggested", m.Labels(), g.Suggested())
	}
	if h := m.Halo(); slices.Contains(h[:6], true) {
		t.Errorf("clusters that do not touch have a halo: %v", h)
	}
}

// The automatic reach is the paper's percentile: on average 2 % of the rows are neighbours.
func TestReachIsAPercentile(t *testing.T) {
	x, _, _ := blobs(8, 250, 2, 3, 1)
	m, err := cluster.DensityPeaks{Clusters: 3, Density: cluster.Density{CutOff: true}}.Fit(context.Background(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, v := range m.Graph().Density {
		sum += v
	}
	if share := sum / 250 / 249; math.Abs(share-0.02) > 0.0005 {
		t.Errorf("a row has %v of the others as neighbours", share)
	}
}

func TestPeaksFindThreeGaussians(t *testing.T) {
	for seed := range uint64(5) {
		g, err := synthetic.Generate("three-gaussians", nil, seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, cutOff := range []bool{false, true} {
			m, err := cluster.DensityPeaks{Density: cluster.Density{CutOff: cutOff}}.Fit(context.Background(), linalg.FromDense(g.Set.X))
			if err != nil {
				t.Fatal(err)
			}
			accuracy, err := score.MatchedAccuracy(g.Truth.Labels, m.Labels())
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Sizes()) != 3 || accuracy < 0.97 {
				t.Errorf("seed %d, cut-off %v: %d clusters, accuracy %v", seed, cutOff, len(m.Sizes()), accuracy)
			}
		}
	}
}

func TestPeaksBadInput(t *testing.T) {
	ctx := context.Background()
	var size *refusal.SizeError
	if _, err := (cluster.DensityPeaks{}).Fit(ctx, linalg.FromDense(mat.NewDense(cluster.MostPeakRows+1, 1, nil))); !errors.As(err, &size) {
		t.Errorf("too many rows: %v", err)
	}
	var count *refusal.RankError
	if _, err := (cluster.DensityPeaks{Clusters: 4}).Fit(ctx, linalg.FromDense(mat.NewDense(3, 1, []float64{1, 2, 3}))); !errors.As(err, &count) {
		t.Errorf("more clusters than rows: %v", err)
	}
	same := mat.NewDense(5, 2, nil)
	m, err := (cluster.DensityPeaks{Clusters: 2}).Fit(ctx, linalg.FromDense(same))
	if err != nil || len(m.Labels()) != 5 {
		t.Errorf("equal rows: %v", err)
	}
}

func TestSimilarityShowsBlocks(t *testing.T) {
	x, _, labels := blobs(9, 150, 4, 3, 0.4)
	s, order, err := cluster.Similarity(context.Background(), x, labels)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 150 {
		for j := range 150 {
			inside := labels[order[i]] == labels[order[j]]
			if v := s.At(i, j); v != s.At(j, i) || i == j && v != 1 || inside != (i/50 == j/50) || inside && v < 0.5 || !inside && v > 0.8 {
				t.Fatalf("similarity of %d and %d is %v", i, j, v)
			}
		}
	}
	if _, _, err := cluster.Similarity(context.Background(), x, labels[:3]); err == nil {
		t.Error("too few labels are accepted")
	}
}
