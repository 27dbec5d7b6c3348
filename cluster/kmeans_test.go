package cluster

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/score"
)

// blobs draws n rows around k far-apart centers in d dimensions; row i belongs to i mod k.
func blobs(seed uint64, n, d, k int, spread float64) (x *mat.Dense, centers *mat.Dense, labels []int) {
	r := rand.New(rand.NewPCG(seed, 1))
	centers = mat.NewDense(k, d, nil)
	for c := range k {
		for j := range d {
			centers.Set(c, j, 4*r.NormFloat64())
		}
	}
	x = mat.NewDense(n, d, nil)
	labels = make([]int, n)
	for i := range n {
		labels[i] = i % k
		for j := range d {
			x.Set(i, j, centers.At(i%k, j)+spread*r.NormFloat64())
		}
	}
	return x, centers, labels
}

func mustFit(t *testing.T, k KMeans, x *mat.Dense) *Model {
	t.Helper()
	m, err := k.Fit(context.Background(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The objective falls from step to step, its last value is the mean squared distance, and
// the centers are the means of their rows.
func TestObjectiveFalls(t *testing.T) {
	x, _, _ := blobs(5, 450, 6, 5, 2)
	for _, k := range []KMeans{
		{Clusters: 8, Restarts: 2},
		{Clusters: 8, Restarts: 2, Trim: 0.15},
		{Clusters: 8, Restarts: 2, Loss: mustLoss(t, "welsch:sigma=4")},
		{Clusters: 8, Restarts: 2, Loss: mustLoss(t, "welsch")},
		{Clusters: 8, Restarts: 2, Loss: mustLoss(t, "l1")},
	} {
		for _, init := range starts {
			k.Start = init
			m := mustFit(t, k, x)
			steps := m.Steps()
			for i := 1; i < len(steps); i++ {
				if a, b := steps[i-1], steps[i]; a.Stage == b.Stage && b.Objective > a.Objective*(1+1e-10) {
					t.Errorf("%s trim %g %s: step %d rises from %v to %v", init, k.Trim, k.Loss, i, a.Objective, b.Objective)
				}
			}
			if m.Status() != irls.Converged {
				t.Errorf("%s: status %s", init, m.Status())
			}
			if !k.robust() {
				if got := steps[len(steps)-1].Objective * 450; math.Abs(got-m.Inertia()) > 1e-8*got {
					t.Errorf("%s: objective %v, inertia %v", init, got, m.Inertia())
				}
			}
			sums, weights := mat.NewDense(8, 6, nil), make([]float64, 8)
			for i, c := range m.Labels() {
				w := m.Weights()[i]
				weights[c] += w
				for j, v := range x.RawRowView(i) {
					sums.Set(c, j, sums.At(c, j)+w*v)
				}
			}
			for c := range 8 {
				for j := range 6 {
					if got := sums.At(c, j) / weights[c]; math.Abs(got-m.Centers().At(c, j)) > 1e-2 {
						t.Fatalf("%s trim %g %s: center %d is not the mean of its rows: %v, %v", init, k.Trim, k.Loss, c, got, m.Centers().At(c, j))
					}
				}
			}
		}
	}
}

func mustLoss(t *testing.T, text string) loss.Spec {
	t.Helper()
	s, err := loss.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every kind of start finds clusters that are plain to see.
func TestEveryStartFindsPlainClusters(t *testing.T) {
	x, centers, labels := blobs(11, 400, 5, 4, 0.3)
	for _, init := range starts {
		if init == StartFarthest {
			continue // sums of distances choose neighbours from the fourth center on
		}
		m := mustFit(t, KMeans{Clusters: 4, Start: init, Seed: 3, Restarts: 20}, x)
		if a, err := score.MatchedAccuracy(labels, m.Labels()); err != nil || a < 1 {
			t.Errorf("%s: accuracy %v, %v", init, a, err)
		}
		if e := centerError(centers, m.Centers()); e > 0.2 {
			t.Errorf("%s: centers are off by %v", init, e)
		}
	}
	triangle := mat.NewDense(90, 2, nil)
	for i := range 90 {
		triangle.SetRow(i, []float64{10*math.Cos(2*math.Pi*float64(i%3)/3) + x.At(i, 0)/50, 10*math.Sin(2*math.Pi*float64(i%3)/3) + x.At(i, 1)/50})
	}
	if m := mustFit(t, KMeans{Clusters: 3, Start: StartFarthest}, triangle); slices.Max(m.Sizes()) != 30 {
		t.Errorf("farthest: sizes %v", m.Sizes())
	}
	if m := mustFit(t, KMeans{Seed: 3}, x); len(m.Sizes()) != 4 {
		t.Errorf("the decision graph suggests %d clusters", len(m.Sizes()))
	}
}

// centerError is the largest distance of a true center from the nearest found one.
func centerError(truth, found *mat.Dense) float64 {
	k, _ := truth.Dims()
	m, _ := found.Dims()
	worst := 0.0
	for a := range k {
		least := math.Inf(1)
		for b := range m {
			least = math.Min(least, math.Sqrt(linalg.SquaredDistance(truth.RawRowView(a), found.RawRowView(b))))
		}
		worst = math.Max(worst, least)
	}
	return worst
}

// dirty replaces a share of the rows by far ones, scattered or in one place.
func dirty(x *mat.Dense, share float64, together bool, seed uint64) (out *mat.Dense, bad []bool) {
	out = mat.DenseCopyOf(x)
	n, d := x.Dims()
	bad = make([]bool, n)
	r := rand.New(rand.NewPCG(seed, 9))
	for _, i := range r.Perm(n)[:int(share*float64(n))] {
		bad[i] = true
		for j := range d {
			v := 40 * r.NormFloat64()
			if together {
				v = 60 + 3*r.NormFloat64()
			}
			out.Set(i, j, v)
		}
	}
	return out, bad
}

// A table large enough for a rehearsal on a sample ends at the same centers.
func TestRehearsal(t *testing.T) {
	clean, centers, _ := blobs(23, rehearsalFrom+1000, 2, 3, 0.5)
	x, _ := dirty(clean, 0.1, true, 4)
	for _, k := range []KMeans{{Clusters: 3, Trim: 0.15, Restarts: 5}, {Clusters: 3, Loss: mustLoss(t, "welsch"), Restarts: 5}} {
		m := mustFit(t, k, x)
		if e := centerError(centers, m.Centers()); e > 0.05 || len(m.Labels()) != rehearsalFrom+1000 {
			t.Errorf("trim %g, %s: centers are off by %v", k.Trim, k.Loss, e)
		}
	}
}

// streamed hides the matrix behind blocks of odd sizes.
type streamed struct{ m *mat.Dense }

func (s streamed) Dims() (int, int) { return s.m.Dims() }

func (s streamed) Scan(_ context.Context, visit func(int, *mat.Dense) error) error {
	n, d := s.m.Dims()
	for first := 0; first < n; first += 37 {
		if err := visit(first, s.m.Slice(first, min(first+37, n), 0, d).(*mat.Dense)); err != nil {
			return err
		}
	}
	return nil
}

// A model comes back from its parts and judges the same.
func TestPartsRestore(t *testing.T) {
	x, _, _ := blobs(91, 100, 3, 3, 1)
	for _, k := range []KMeans{{Clusters: 3}, {Clusters: 3, Trim: 0.1}, {Clusters: 3, Loss: mustLoss(t, "welsch")}} {
		m := mustFit(t, k, x)
		back, err := fromParts(m.parts())
		if err != nil {
			t.Fatal(err)
		}
		a, _ := m.Judge(context.Background(), x)
		b, _ := back.Judge(context.Background(), x)
		if !slices.Equal(a.Label, b.Label) || !slices.Equal(a.Residual, b.Residual) || !slices.Equal(a.Weight, b.Weight) || !slices.Equal(a.Label, m.Labels()) {
			t.Error("the restored model judges differently")
		}
	}
	p := mustFit(t, KMeans{Clusters: 3}, x).parts()
	p.Labels[0] = 3
	if _, err := fromParts(p); err == nil {
		t.Error("a label without a center is accepted")
	}
}
