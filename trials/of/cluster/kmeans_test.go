package cluster

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
	"gonum.org/v1/gonum/mat"
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

func mustFit(t *testing.T, k cluster.KMeans, x *mat.Dense) *cluster.Model {
	t.Helper()
	m, err := k.Fit(context.Background(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func rowsToDense(rows [][]float64) *mat.Dense {
	out := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		out.SetRow(i, r)
	}
	return out
}

// slowLloyd is the textbook: all distances, one by one.
func slowLloyd(x *mat.Dense, start [][]float64, steps int) (centers [][]float64, inertia float64) {
	n, d := x.Dims()
	for _, row := range start {
		centers = append(centers, slices.Clone(row))
	}
	near := func(row []float64) (int, float64) {
		best, least := 0, math.Inf(1)
		for c := range centers {
			if s := linalg.SquaredDistance(row, centers[c]); s < least {
				best, least = c, s
			}
		}
		return best, least
	}
	for range steps {
		sums, counts := make([][]float64, len(centers)), make([]float64, len(centers))
		for c := range sums {
			sums[c] = make([]float64, d)
		}
		for i := range n {
			c, _ := near(x.RawRowView(i))
			counts[c]++
			for j, v := range x.RawRowView(i) {
				sums[c][j] += v
			}
		}
		for c := range centers {
			for j := range centers[c] {
				centers[c][j] = sums[c][j] / counts[c]
			}
		}
	}
	for i := range n {
		_, s := near(x.RawRowView(i))
		inertia += s
	}
	return centers, inertia
}

// Bounds only save work: many blocks, many centers, step for step like the textbook.
func TestBoundsChangeNothing(t *testing.T) {
	x, _, _ := blobs(3, 3000, 7, 12, 2.5)
	var start [][]float64
	for i := range 25 {
		start = append(start, slices.Clone(x.RawRowView(7*i)))
	}
	for _, steps := range []int{1, 5, 40} {
		want, inertia := slowLloyd(x, start, steps)
		m := mustFit(t, cluster.KMeans{Centers: start, MaxSteps: steps, Tol: -1}, x)
		if !mat.EqualApprox(m.Centers(), rowsToDense(want), 1e-9) || math.Abs(m.Inertia()-inertia) > 1e-9*inertia {
			t.Errorf("after %d steps: inertia %v, not %v", steps, m.Inertia(), inertia)
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

// With a fifth of the rows far out, trimmed and reweighted k-means find the centers and
// the outliers; ordinary k-means spends its centers on the outliers.
func TestRobustAgainstOutliers(t *testing.T) {
	clean, centers, _ := blobs(21, 600, 6, 3, 0.8)
	for _, together := range []bool{false, true} {
		x, bad := dirty(clean, 0.2, together, 4)
		plain := mustFit(t, cluster.KMeans{Clusters: 3, Seed: 1}, x)
		if e := centerError(centers, plain.Centers()); e < 1 {
			t.Errorf("ordinary k-means is off by %v only; the test shows nothing", e)
		}
		for _, k := range []cluster.KMeans{
			{Clusters: 3, Seed: 1, Trim: 0.2},
			{Clusters: 3, Seed: 1, Trim: 0.25},
			{Clusters: 3, Seed: 1, Loss: mustLoss(t, "welsch")},
			{Clusters: 3, Seed: 1, Loss: mustLoss(t, "tukey")},
			{Clusters: 3, Seed: 1, Loss: mustLoss(t, "kmpe:p=1.5")},
		} {
			m := mustFit(t, k, x)
			if e := centerError(centers, m.Centers()); e > 0.4 {
				t.Errorf("together %v, trim %g, %s: centers are off by %v", together, k.Trim, k.Loss, e)
			}
			j, err := m.Judge(context.Background(), x)
			if err != nil {
				t.Fatal(err)
			}
			missed, alarms := 0, 0
			for i, b := range bad {
				if b && !j.Outlier[i] {
					missed++
				}
				if !b && j.Outlier[i] {
					alarms++
				}
				if b && j.Weight[i] > 0.01 {
					t.Fatalf("outlier %d has weight %v", i, j.Weight[i])
				}
			}
			if missed > 0 || alarms > 480/10 {
				t.Errorf("together %v, trim %g, %s: %d outliers missed, %d of 480 regular rows flagged", together, k.Trim, k.Loss, missed, alarms)
			}
		}
	}
}

// A huge bandwidth and an empty trim are ordinary k-means.
func TestLimitsAreOrdinary(t *testing.T) {
	x, _, _ := blobs(31, 300, 4, 3, 1.5)
	var start [][]float64
	for i := range 3 {
		start = append(start, slices.Clone(x.RawRowView(i)))
	}
	want := mustFit(t, cluster.KMeans{Centers: start, Tol: -1}, x)
	for _, k := range []cluster.KMeans{
		{Centers: start, Trim: 1e-9, Tol: -1, MaxSteps: 300},
		{Centers: start, Loss: mustLoss(t, "welsch:sigma=1e6")},
		{Centers: start, Loss: mustLoss(t, "gm:p=1,delta=0.01")},
	} {
		m := mustFit(t, k, x)
		if !mat.EqualApprox(want.Centers(), m.Centers(), 1e-6) {
			t.Errorf("trim %g, %s:\n%v\n%v", k.Trim, k.Loss, mat.Formatted(want.Centers()), mat.Formatted(m.Centers()))
		}
	}
}

// Integer weights are repeated rows; a weight of 0 is an absent row.
func TestWeightsAreRepeats(t *testing.T) {
	x, _, _ := blobs(41, 90, 3, 3, 2)
	n, d := x.Dims()
	weights := make([]float64, n)
	var repeated []float64
	for i := range n {
		weights[i] = float64(i % 4)
		for range i % 4 {
			repeated = append(repeated, x.RawRowView(i)...)
		}
	}
	y := mat.NewDense(len(repeated)/d, d, repeated)
	start := [][]float64{slices.Clone(x.RawRowView(1)), slices.Clone(x.RawRowView(2)), slices.Clone(x.RawRowView(3))}
	for _, k := range []cluster.KMeans{{Centers: start}, {Centers: start, Trim: 0.2}, {Centers: start, Loss: mustLoss(t, "welsch")}} {
		b := mustFit(t, k, y)
		k.Weights = weights
		a := mustFit(t, k, x)
		if !mat.EqualApprox(a.Centers(), b.Centers(), 1e-7) {
			t.Errorf("trim %g, %s:\n%v\n%v", k.Trim, k.Loss, mat.Formatted(a.Centers()), mat.Formatted(b.Centers()))
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

// Threads and the way rows are read change nothing.
func TestSameForAllThreadsAndSources(t *testing.T) {
	x, _, _ := blobs(51, 2100, 3, 4, 1)
	for _, k := range []cluster.KMeans{{Clusters: 4, Seed: 5}, {Clusters: 4, Seed: 5, Trim: 0.1, Restarts: 2, MaxSteps: 20}, {Clusters: 4, Seed: 5, Loss: mustLoss(t, "welsch"), Restarts: 2, MaxSteps: 20}} {
		linalg.SetThreads(1)
		a := mustFit(t, k, x)
		linalg.SetThreads(5)
		b := mustFit(t, k, x)
		c, err := k.Fit(context.Background(), streamed{x})
		linalg.SetThreads(0)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(a.Centers(), b.Centers()) || !slices.Equal(a.Labels(), b.Labels()) {
			t.Error("the number of threads changes the result")
		}
		if !mat.EqualApprox(a.Centers(), c.Centers(), 1e-9) {
			t.Error("reading in blocks changes the result")
		}
	}
}

// Centers that start without rows get some as long as there are different rows.
func TestEmptyClustersAreRefilled(t *testing.T) {
	x, _, _ := blobs(61, 200, 3, 4, 0.5)
	far := [][]float64{{0, 0, 0}, {900, 0, 0}, {0, 900, 0}, {0, 0, 900}}
	for _, trim := range []float64{0, 0.05} {
		m := mustFit(t, cluster.KMeans{Centers: far, Trim: trim}, x)
		for c, size := range m.Sizes() {
			if size == 0 {
				t.Errorf("trim %g: cluster %d has no rows", trim, c+1)
			}
		}
		steps := m.Steps()
		for i := 1; i < len(steps); i++ {
			if steps[i].Objective > steps[i-1].Objective*(1+1e-12) {
				t.Errorf("trim %g: refilling raises the objective", trim)
			}
		}
	}
	same := mat.NewDense(6, 2, []float64{1, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5})
	m := mustFit(t, cluster.KMeans{Clusters: 4}, same)
	if m.Inertia() > 1e-20 || len(m.Warnings()) == 0 {
		t.Errorf("two different rows in four clusters: inertia %v, warnings %v", m.Inertia(), m.Warnings())
	}
}

func TestBadInput(t *testing.T) {
	x, _, _ := blobs(71, 20, 3, 2, 1)
	ctx := context.Background()
	var count *refusal.RankError
	if _, err := (cluster.KMeans{Clusters: 21}).Fit(ctx, linalg.FromDense(x)); !errors.As(err, &count) {
		t.Errorf("21 clusters of 20 rows: %v", err)
	}
	if _, err := (cluster.KMeans{Clusters: 12, Trim: 0.5}).Fit(ctx, linalg.FromDense(x)); !errors.As(err, &count) {
		t.Errorf("12 clusters of 10 kept rows: %v", err)
	}
	holed := mat.DenseCopyOf(x)
	holed.Set(4, 2, math.NaN())
	var missing *refusal.CellError
	if _, err := (cluster.KMeans{Clusters: 2}).Fit(ctx, linalg.FromDense(holed)); !errors.As(err, &missing) || missing.Row != 5 || missing.Column != 3 {
		t.Errorf("a missing number: %v", err)
	}
	holed.Set(4, 2, math.Inf(1))
	if _, err := (cluster.DensityPeaks{Clusters: 2}).Fit(ctx, linalg.FromDense(holed)); !errors.As(err, &missing) || !strings.Contains(err.Error(), "infinite") {
		t.Errorf("an infinite number: %v", err)
	}
	for name, k := range map[string]cluster.KMeans{
		"trim":          {Clusters: 2, Trim: 1},
		"trim and loss": {Clusters: 2, Trim: 0.1, Loss: mustLoss(t, "welsch")},
		"init":          {Clusters: 2, Start: "nowhere"},
		"start":         {Centers: [][]float64{{1, 2}}},
		"weights":       {Clusters: 2, Weights: []float64{1}},
		"negative":      {Clusters: -1},
		"no weight":     {Clusters: 1, Weights: make([]float64, 20)},
	} {
		if _, err := k.Fit(ctx, linalg.FromDense(x)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	m := mustFit(t, cluster.KMeans{Clusters: 2}, x)
	if _, err := m.Judge(ctx, mat.NewDense(2, 2, nil)); err == nil {
		t.Error("rows with other columns are judged")
	}
	cancelled, stop := context.WithCancel(ctx)
	stop()
	if _, err := (cluster.KMeans{Clusters: 2}).Fit(cancelled, linalg.FromDense(x)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A cancelled search still gives the centers it has.
func TestCancelledOnTheWay(t *testing.T) {
	x, _, _ := blobs(81, 3000, 4, 6, 3)
	ctx, stop := context.WithCancel(context.Background())
	k := cluster.KMeans{Clusters: 6, Restarts: 1, Tol: -1, OnStep: func(s irls.Step) {
		if s.Number == 2 {
			stop()
		}
	}}
	m, err := k.Fit(ctx, linalg.FromDense(x))
	if err != nil || m.Status() != irls.Cancelled || len(m.Labels()) != 3000 {
		t.Errorf("%v, %v", m, err)
	}
}

// Where the rows lie does not matter: near the origin they are multiplied as they stand,
// far from it less their mean, and the groups are the same.
func TestKMeansAnywhere(t *testing.T) {
	x, _, _ := blobs(3, 900, 7, 5, 2)
	fit := func(shift float64) *cluster.Model {
		t.Helper()
		moved := mat.DenseCopyOf(x)
		moved.Apply(func(_, j int, v float64) float64 { return v + shift*float64(j-2) }, moved)
		var start [][]float64
		for i := range 5 {
			start = append(start, moved.RawRowView(i))
		}
		m, err := cluster.KMeans{Centers: start}.Fit(context.Background(), linalg.FromDense(moved))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	home := fit(0)
	for _, shift := range []float64{1, 5, 1e3, 1e6} {
		m := fit(shift)
		if !slices.Equal(home.Labels(), m.Labels()) {
			t.Errorf("shifted by %g: other groups", shift)
		}
		if math.Abs(m.Inertia()-home.Inertia()) > 1e-7*home.Inertia() {
			t.Errorf("shifted by %g: inertia %v, want %v", shift, m.Inertia(), home.Inertia())
		}
	}
}
