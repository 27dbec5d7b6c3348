package nearest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/verdict"
)

// classes draws n rows of k classes around centers on the axes, row i of class i mod k.
func classes(seed uint64, n, d, k int, spread float64) (x *mat.Dense, labels []int) {
	r := rand.New(rand.NewPCG(seed, 3))
	x, labels = mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		labels[i] = i % k
		for j := range d {
			x.Set(i, j, spread*r.NormFloat64())
		}
		x.Set(i, i%k, x.At(i, i%k)+3)
	}
	return x, labels
}

func robust(t *testing.T, text string) loss.Spec {
	t.Helper()
	s, err := loss.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Algorithm 2 word by word: weighted centers (29), then the nearest.
func TestCentersAgreeWithTextbook(t *testing.T) {
	x, labels := classes(1, 60, 5, 3, 1.5)
	n, d := x.Dims()
	r := rand.New(rand.NewPCG(2, 2))
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = r.Float64()
	}
	m, err := Centers{Votes: weights}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	centers := mat.NewDense(3, d, nil)
	for c := range 3 {
		total := 0.0
		for i := range n {
			if labels[i] == c {
				total += weights[i]
				for j := range d {
					centers.Set(c, j, centers.At(c, j)+weights[i]*x.At(i, j))
				}
			}
		}
		for j := range d {
			centers.Set(c, j, centers.At(c, j)/total)
		}
	}
	if !mat.EqualApprox(m.Centers(), centers, 1e-12) {
		t.Errorf("centers\n%v\n%v", mat.Formatted(m.Centers()), mat.Formatted(centers))
	}
	distance, err := m.Distances(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	judged := judge(distance, m.Cutoffs(), nil)
	for i := range n {
		best, most := 0, math.Inf(-1)
		for c := range 3 {
			sum := 0.0
			for j := range d {
				e := x.At(i, j) - centers.At(c, j)
				sum += e * e
			}
			if math.Abs(distance.At(i, c)-math.Sqrt(sum)) > 1e-12 {
				t.Fatalf("distance %v, not %v", distance.At(i, c), math.Sqrt(sum))
			}
			// Eq. (30) with alpha = 1.4, beta = 0.8 ranks like the norm.
			if g := math.Exp(-math.Pow(math.Sqrt(sum)/0.8, 1.4)); g > most {
				best, most = c, g
			}
		}
		if judged.Label[i] != best {
			t.Fatalf("row %d is given class %d, not %d", i, judged.Label[i], best)
		}
	}
}

// Rows with the wrong label are found and told from rows that belong nowhere.
func TestJudgeTellsKinds(t *testing.T) {
	x, labels := classes(5, 300, 6, 3, 0.4)
	given := slices.Clone(labels)
	for i := 0; i < 30; i++ {
		given[i] = (labels[i] + 1) % 3
	}
	for i := 30; i < 45; i++ {
		x.Set(i, 4, 40)
	}
	m, err := Centers{Loss: robust(t, "welsch")}.Fit(context.Background(), linalg.FromDense(x), given, 3)
	if err != nil {
		t.Fatal(err)
	}
	distance, err := m.Distances(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	v := judge(distance, m.Cutoffs(), given)
	for i := range 45 {
		want := verdict.Mislabeled
		if i >= 30 {
			want = verdict.FarFromClass
		}
		if v.Kind[i] != want || i < 30 && v.Label[i] != labels[i] {
			t.Errorf("row %d is %s and given class %d", i, v.Kind[i], v.Label[i])
		}
	}
	alarms := 0
	for i := 45; i < 300; i++ {
		if v.Kind[i] != verdict.Regular {
			alarms++
		}
	}
	if alarms > 25 {
		t.Errorf("%d of 255 regular rows are flagged", alarms)
	}
	if unknown := judge(distance, m.Cutoffs(), nil); unknown.Kind[0] != verdict.Regular || unknown.Kind[35] != verdict.FarFromClass {
		t.Error("rows without a label are judged by the nearest class")
	}
}

// line is the subspace through the origin along one axis.
type line struct{ axis int }

func (l line) Reconstruct(_ context.Context, x *mat.Dense) (*mat.Dense, error) {
	n, d := x.Dims()
	out := mat.NewDense(n, d, nil)
	for i := range n {
		out.Set(i, l.axis, x.At(i, l.axis))
	}
	return out, nil
}

func TestSubspaces(t *testing.T) {
	n := blockRows + 10
	x, labels := mat.NewDense(n, 3, nil), make([]int, n)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range n {
		labels[i] = i % 2
		x.SetRow(i, []float64{0.1 * r.NormFloat64(), 0.1 * r.NormFloat64(), 0.1 * r.NormFloat64()})
		x.Set(i, labels[i], 3*r.NormFloat64()+math.Copysign(2, r.NormFloat64()))
	}
	s, err := FitSubspaces(context.Background(), linalg.FromDense(x), labels, nil, 2, func(class int, rows []int) (Subspace, error) {
		if len(rows) != n/2 || labels[rows[1]] != class {
			t.Errorf("class %d gets rows %v", class, rows)
		}
		return line{class}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	distance, err := s.Distances(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	last := n - 1
	if want := math.Hypot(x.At(last, 1), x.At(last, 2)); math.Abs(distance.At(last, 0)-want) > 1e-12 {
		t.Errorf("residual %v, not %v", distance.At(last, 0), want)
	}
	wrong := 0
	for i, k := range judge(distance, s.Cutoffs, nil).Label {
		if k != labels[i] {
			wrong++
		}
	}
	if wrong > n/20 {
		t.Errorf("%d of %d rows are in the wrong class", wrong, n)
	}
}
